/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of knobs, with what each is for, and access to their values. To add
 * one: a member of struct profile, a row here, a line in each built-in profile
 * that has it, and one in the manual.
 */
#include "engine/profile.h"

#include <stdio.h>
#include <string.h>

#include "engine/sched/guc.h"

#define AT(field)      offsetof(struct profile, field)
#define MAX_COST       1000000000ull
#define MAX_MACROBLOCK 1000000ull
#define MAX_TIMEOUT_MS 100000000ull
#define MAX_QUANTUM_US 100000000ull /* doc/model/hangs.md "Numbers" */

#define CODEC_KNOB(key)                                                        \
	{                                                                      \
		"commands", #key, AT(key), KNOB_UNSIGNED, 1, 0,                \
		    MAX_MACROBLOCK, KNOB_UNSET, 0                              \
	}

const struct knob profile_knobs[] = {
    /* PCI id that programs see; 0: that of a part of the generation. */
    {"i915", "pci_id", AT(pci_id), KNOB_HEX, 1, 0, 0xffff, 0, 0},
    /* Generation of the graphics; 0: unknown, refuses nothing. */
    {"i915", "generation", AT(generation), KNOB_UNSIGNED, 1, 0, 99, 0, 0},
    /* Version of the kernel; 0.0: unknown, refuses nothing. */
    {"i915", "kernel", AT(kernel), KNOB_VERSION, 1, 0, PROFILE_KERNEL(255, 255),
	0, 0},
    /* Ticks of RING_TIMESTAMP and CTX_TIMESTAMP in a second; 0: as the part
     * has them. */
    {"i915", "clock_hz", AT(clock_hz), KNOB_UNSIGNED, 1, 0, 1000000000, 0, 0},
    /* 1: a step that the platform refuses is an error, else a warning. */
    {"platform", "refuse", AT(refuse), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* 1: takes slice masks on any generation. */
    {"platform", "sseu", AT(takes_sseu), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* 1: the driver is Xe, else i915. */
    {"platform", "xe", AT(xe), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    {"device", "RCS", AT(n_engines[CLASS_RCS]), KNOB_UNSIGNED, 1, 0,
	PROFILE_MAX_PER_CLASS, 1, 0},
    {"device", "BCS", AT(n_engines[CLASS_BCS]), KNOB_UNSIGNED, 1, 0,
	PROFILE_MAX_PER_CLASS, 1, 0},
    {"device", "VCS", AT(n_engines[CLASS_VCS]), KNOB_UNSIGNED, 1, 0,
	PROFILE_MAX_PER_CLASS, 2, 0},
    {"device", "VECS", AT(n_engines[CLASS_VECS]), KNOB_UNSIGNED, 1, 0,
	PROFILE_MAX_PER_CLASS, 2, 0},
    {"device", "CCS", AT(n_engines[CLASS_CCS]), KNOB_UNSIGNED, 1, 0,
	PROFILE_MAX_PER_CLASS, 1, 0},
    {"device", "gt", AT(gt), KNOB_UNSIGNED, 1, 0, 15, 0, 1},
    {"device", "slices", AT(slices), KNOB_UNSIGNED, 1, 1, PROFILE_MAX_SLICES, 3,
	0},
    /* Bit i: the VCS of instance i decodes HEVC. */
    {"device", "hevc.VCS", AT(hevc_vcs), KNOB_UNSIGNED, 1, 0, 65535, 65535, 0},
    /* CPU time that a client spends in one execbuf. */
    {"costs", "submit_ns", AT(submit_ns), KNOB_NSEC, 1, 0, MAX_COST, 0, 0},
    /* Time of an iteration that would take none. */
    {"costs", "iteration_min_ns", AT(iteration_min_ns), KNOB_NSEC, 1, 1,
	MAX_COST, 1000, 0},
    /* Switching an engine to a batch of another context. */
    {"costs", "context_switch_ns", AT(context_switch_ns), KNOB_NSEC, 1, 0,
	MAX_COST, 0, 0},
    /* The same for a class of engines; by default as above. */
    {"costs", "context_switch_ns", AT(class_switch_ns), KNOB_NSEC, 1, 0,
	MAX_COST, KNOB_UNSET, 1},
    /* Additional cost on RCS and CCS of another slice mask. */
    {"costs", "sseu_ns", AT(sseu_ns), KNOB_NSEC, 1, 0, MAX_COST, 0, 0},
    /* From the end of a batch to the start of the next one, if that is chosen
     * then. */
    {"costs", "completion_ns", AT(completion_ns), KNOB_NSEC, 1, 0, MAX_COST, 0,
	0},
    /* The same if the next one is behind it on the same ring, and if its
     * context is in the second port; by default as above. */
    {"costs", "same_ring_ns", AT(same_ring_ns), KNOB_NSEC, 1, 0, MAX_COST,
	KNOB_UNSET, 0},
    {"costs", "next_port_ns", AT(next_port_ns), KNOB_NSEC, 1, 0, MAX_COST,
	KNOB_UNSET, 0},
    /* Additional cost of the first batch on an engine that was idle for this
     * time. */
    {"costs", "wake_ns", AT(wake_ns), KNOB_NSEC, 1, 0, MAX_COST, 0, 0},
    {"costs", "wake_after_us", AT(wake_after_ns), KNOB_NSEC, NSEC_PER_USEC, 0,
	MAX_QUANTUM_US, 0, 0},
    {"costs", "ring_requests", AT(ring_requests), KNOB_UNSIGNED, 1, 2, 1u << 20,
	65536, 0},
    /* Room of a ring to a class of engines; by default as above. */
    {"costs", "ring_requests", AT(class_ring_requests), KNOB_UNSIGNED, 1, 2,
	1u << 20, KNOB_UNSET, 1},
    /* Engine time of a command of a batch, and more of those that flush, draw,
     * dispatch, blit, and process a video frame. */
    {"commands", "command_ns", AT(command_ns), KNOB_UNSIGNED, 1, 0, MAX_COST, 0,
	0},
    {"commands", "flush_ns", AT(flush_ns), KNOB_UNSIGNED, 1, 0, MAX_COST, 0, 0},
    {"commands", "draw_ns", AT(draw_ns), KNOB_UNSIGNED, 1, 0, MAX_COST, 0, 0},
    {"commands", "vertex_ps", AT(vertex_ps), KNOB_UNSIGNED, 1, 0, MAX_COST, 0,
	0},
    {"commands", "dispatch_ns", AT(dispatch_ns), KNOB_UNSIGNED, 1, 0, MAX_COST,
	0, 0},
    {"commands", "group_ps", AT(group_ps), KNOB_UNSIGNED, 1, 0, MAX_COST, 0, 0},
    {"commands", "blit_ns", AT(blit_ns), KNOB_UNSIGNED, 1, 0, MAX_COST, 0, 0},
    {"commands", "byte_ps", AT(byte_ps), KNOB_UNSIGNED, 1, 0, MAX_COST, 0, 0},
    {"commands", "frame_ns", AT(frame_ns), KNOB_UNSIGNED, 1, 0, MAX_COST, 0, 0},
    /* Instead of frame_ns each macroblock of a frame whose size is known, decoded or
     * coded; 0: frame_ns. */
    {"commands", "decode_ns", AT(decode_ns), KNOB_UNSIGNED, 1, 0,
	MAX_MACROBLOCK, 0, 0},
    {"commands", "encode_ns", AT(encode_ns), KNOB_UNSIGNED, 1, 0,
	MAX_MACROBLOCK, 0, 0},
    /* The same for a codec; by default as above. */
    CODEC_KNOB(hevc_decode_ns),
    CODEC_KNOB(hevc_encode_ns),
    CODEC_KNOB(vp9_decode_ns),
    CODEC_KNOB(vp9_encode_ns),
    CODEC_KNOB(av1_decode_ns),
    CODEC_KNOB(av1_encode_ns),
    /* The same for a picture that VEBOX filters. */
    {"commands", "filter_ns", AT(filter_ns), KNOB_UNSIGNED, 1, 0,
	MAX_MACROBLOCK, 0, 0},
    /* Percent of these for samples of more than 8 bits. */
    {"commands", "ten_bit_percent", AT(ten_bit_percent), KNOB_UNSIGNED, 1, 1,
	1000, 100, 0},
    /* 1: costs of video frames are estimates, and --capacity says so. */
    {"commands", "media_estimates", AT(media_estimates), KNOB_UNSIGNED, 1, 0, 1,
	1, 0},
    /* execlists, guc: 0: a running batch is never preempted. */
    {"scheduling", "preemption", AT(preemption), KNOB_UNSIGNED, 1, 0, 1, 1, 0},
    /* execlists: 0: engines never poll for the end of batches on others. */
    {"scheduling", "semaphores", AT(semaphores), KNOB_UNSIGNED, 1, 0, 1, 1, 0},
    /* execlists: timeslice of a context while others of its priority wait. */
    {"scheduling", "timeslice_us", AT(timeslice_ns), KNOB_NSEC, NSEC_PER_USEC,
	0, MAX_COST, 1000, 0},
    /* guc: engine time of a context while others of its band wait. */
    {"scheduling", "quantum_us", AT(quantum_ns), KNOB_NSEC, NSEC_PER_USEC, 0,
	MAX_QUANTUM_US, 1000, 0},
    /* drm: most jobs on the ring of an engine, which runs them in order; the
     * next is chosen when one ends. */
    {"scheduling", "ring_credits", AT(ring_credits), KNOB_UNSIGNED, 1, 1,
	1u << 20, 1, 0},
    /* fifo, which has no other timeout: run time after which an infinite batch
     * hangs; 0, here and below: off. */
    {"timeouts", "hang_ms", AT(hang_ns), KNOB_NSEC, NSEC_PER_MSEC, 0,
	MAX_TIMEOUT_MS, 0, 0},
    /* Longest time that a running batch may delay its preemption. */
    {"timeouts", "preempt_timeout_ms", AT(preempt_timeout_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    /* The same on RCS and CCS. */
    {"timeouts", "preempt_timeout_compute_ms", AT(preempt_timeout_compute_ns),
	KNOB_NSEC, NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    /* Time between two heartbeats of an engine with work. */
    {"timeouts", "heartbeat_ms", AT(heartbeat_ns), KNOB_NSEC, NSEC_PER_MSEC, 0,
	MAX_TIMEOUT_MS, 0, 0},
    /* Time from ready to end after which a request is cancelled. */
    {"timeouts", "request_timeout_ms", AT(request_timeout_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    /* Time from submission after which a request waits no more for a software
     * fence. */
    {"timeouts", "fence_timeout_ms", AT(fence_timeout_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    /* drm: time for which a job may be the oldest on its ring; guc under Xe:
     * time for which the oldest job of a queue may run. */
    {"timeouts", "job_timeout_ms", AT(job_timeout_ns), KNOB_NSEC, NSEC_PER_MSEC,
	0, MAX_TIMEOUT_MS, 0, 0},
    /* i915.reset: 1: engines are reset alone, 0: only the whole GPU is. */
    {"resets", "engine_reset", AT(engine_reset), KNOB_UNSIGNED, 1, 0, 1, 1, 0},
    /* Duration of a reset, in which engines take no requests. */
    {"resets", "engine_reset_ns", AT(engine_reset_ns), KNOB_NSEC, 1, 0,
	MAX_COST, 0, 0},
    {"resets", "full_reset_ns", AT(full_reset_ns), KNOB_NSEC, 1, 0, MAX_COST, 0,
	0},
    /* drm: times that a job that hangs is replayed; at the next hang its
     * context is guilty. */
    {"resets", "hang_limit", AT(hang_limit), KNOB_UNSIGNED, 1, 0, 100, 0, 0},
    /* Context ids of GuC; 0: no limit. */
    {"guc", "ids", AT(guc_ids), KNOB_UNSIGNED, 1, 0, GUC_MAX_IDS, 0, 0},
    /* One id in this number is for parallel contexts only. */
    {"guc", "multi_lrc_share", AT(guc_multi_lrc_share), KNOB_UNSIGNED, 1, 2,
	GUC_MAX_IDS, 16, 0},
    /* Time from a queue being idle until its id can be stolen. */
    {"guc", "disable_delay_ms", AT(guc_disable_delay_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    /* Percent of the ids in use above which there is no such delay. */
    {"guc", "disable_threshold", AT(guc_disable_threshold), KNOB_UNSIGNED, 1, 0,
	100, 75, 0},
    /* Registering a queue with GuC: the message and its answer. */
    {"guc", "register_ns", AT(guc_register_ns), KNOB_NSEC, 1, 0, MAX_COST, 0,
	0},
    /* RCS and CCS of different clients take turns in this window; in its last
     * percent CCS goes first. 0: they run side by side. */
    {"guc", "yield_window_ms", AT(guc_yield_window_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    {"guc", "yield_percent", AT(guc_yield_percent), KNOB_UNSIGNED, 1, 0, 100, 0,
	0},
    /* Messages that the buffer to GuC holds, 0: no limit, and the time in which
     * GuC reads one. */
    {"guc", "ctb_messages", AT(guc_ctb_messages), KNOB_UNSIGNED, 1, 0, 1u << 20,
	0, 0},
    {"guc", "ctb_message_ns", AT(guc_ctb_message_ns), KNOB_NSEC, 1, 0, MAX_COST,
	0, 0},
    /* Xe: 1: queues are of address spaces in long-running mode, without a job
     * timeout. */
    {"guc", "long_running", AT(guc_long_running), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* Time in which three hangs ban a context; 0: never. */
    {"bans", "context_window_ms", AT(ban_context_ns), KNOB_NSEC, NSEC_PER_MSEC,
	0, MAX_TIMEOUT_MS, 120000, 0},
    /* Time in which two hangs of a client score 1. Each ban of a context scores
     * 3. */
    {"bans", "client_window_ms", AT(ban_client_ns), KNOB_NSEC, NSEC_PER_MSEC, 0,
	MAX_TIMEOUT_MS, 60000, 0},
    /* Score at which a client is banned: it can make no contexts; 0: never. */
    {"bans", "client_score", AT(ban_score), KNOB_UNSIGNED, 1, 0, 1u << 20, 9,
	0},
    /* Time between preemption points of batches with X above 0; 0: X. */
    {"nearness", "arbitration_us", AT(arbitration_ns), KNOB_NSEC, NSEC_PER_USEC,
	0, MAX_COST / NSEC_PER_USEC, 0, 1},
    /* execlists: requests of equal priority do not replace the second port. */
    {"nearness", "committed_port", AT(committed_port), KNOB_UNSIGNED, 1, 0, 1,
	0, 0},
    /* Jiffies per second, for timers of the driver; 0: exact. */
    {"nearness", "hz", AT(hz), KNOB_UNSIGNED, 1, 0, 10000, 0, 0},
    /* execlists: a request that yielded while it polled yields again until it
     * is switched out. */
    {"nearness", "sticky_yield", AT(sticky_yield), KNOB_UNSIGNED, 1, 0, 1, 0,
	0},
    /* execlists: engines whose semaphores were late get none until they are
     * idle. */
    {"nearness", "saturation", AT(saturation), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* execlists: virtual requests come before others of their priority. */
    {"nearness", "virtual_tie", AT(virtual_tie), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* CPUs for all clients; 0: one for each. */
    {"nearness", "cpus", AT(cpus), KNOB_UNSIGNED, 1, 0, 1024, 0, 0},
    /* Time from an event until the client that waited for it runs. */
    {"nearness", "wakeup_ns", AT(wakeup_ns), KNOB_NSEC, 1, 0, MAX_COST, 0, 0},
    /* Additional time of sleeps (d, p). */
    {"nearness", "timer_slack_ns", AT(timer_slack_ns), KNOB_NSEC, 1, 0,
	MAX_COST, 0, 0},
    /* RCS and CCS are slower in proportion with fewer slices. */
    {"nearness", "sseu_scales", AT(sseu_scales), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* Percent more time of a batch on the first class for each batch on another
     * engine of the second. */
    {"sharing", "", AT(sharing), KNOB_UNSIGNED, 1, 0, 1000, 0, 2},
};

const size_t n_profile_knobs = sizeof profile_knobs / sizeof *profile_knobs;

static const unsigned n_values[] = {1, N_CLASSES, N_CLASSES *N_CLASSES};

unsigned
knob_values(const struct knob *k)
{
	return n_values[k->dims];
}

void
knob_name(const struct knob *k, unsigned i, char name[PROFILE_MAX_KEY])
{
	const char *const *classes = engine_class_names;

	if (k->dims == 0)
		snprintf(name, PROFILE_MAX_KEY, "%s", k->key);
	else if (k->dims == 1)
		snprintf(name, PROFILE_MAX_KEY, "%s.%s", k->key, classes[i]);
	else
		snprintf(name, PROFILE_MAX_KEY, "%s.%s", classes[i / N_CLASSES],
		    classes[i % N_CLASSES]);
}

void
knob_set(struct profile *p, const struct knob *k, unsigned i, uint64_t value)
{
	char *at = (char *)p + k->offset;

	if (k->type == KNOB_NSEC)
		((nsec *)(void *)at)[i] = value == KNOB_UNSET ? NSEC_NEVER
							      : value * k->unit;
	else
		((unsigned *)(void *)at)[i] = value == KNOB_UNSET
		    ? PROFILE_UNSET
		    : (unsigned)value;
}

uint64_t
knob_get(const struct profile *p, const struct knob *k, unsigned i)
{
	const char *at = (const char *)p + k->offset;

	if (k->type == KNOB_NSEC) {
		nsec value = ((const nsec *)(const void *)at)[i];

		return value == NSEC_NEVER ? KNOB_UNSET : value / k->unit;
	}

	unsigned value = ((const unsigned *)(const void *)at)[i];

	return value == PROFILE_UNSET ? KNOB_UNSET : value;
}

/* Before profiles had [i915], two of its keys were in [platform]. */
static const char *
section_of(const char *section, const char *key)
{
	bool moved = strcmp(key, "generation") == 0 ||
	    strcmp(key, "kernel") == 0;

	return moved && strcmp(section, "platform") == 0 ? "i915" : section;
}

const struct knob *
knob_find(const char *section, const char *key, unsigned *i)
{
	char name[PROFILE_MAX_KEY];

	section = section_of(section, key);
	for (size_t n = 0; n < n_profile_knobs; n++) {
		const struct knob *k = &profile_knobs[n];

		if (strcmp(section, k->section) != 0)
			continue;
		for (*i = 0; *i < knob_values(k); ++*i) {
			knob_name(k, *i, name);
			if (strcmp(key, name) == 0)
				return k;
		}
	}
	return NULL;
}
