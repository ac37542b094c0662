/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/profile.h"

#include <stdio.h>
#include <string.h>

#include "engine/sched/guc.h"

#define AT(field)      offsetof(struct profile, field)
#define MAX_COST       1000000000ull
#define MAX_TIMEOUT_MS 100000000ull
#define MAX_QUANTUM_US 100000000ull /* doc/model/hangs.md "Numbers" */

const struct knob profile_knobs[] = {
    /* Generation of the graphics; 0: unknown, nothing is refused for it. */
    {"platform", "generation", AT(generation), KNOB_UNSIGNED, 1, 0, 99, 0, 0},
    /* Version of the kernel; 0.0: unknown, nothing is refused for it. */
    {"platform", "kernel", AT(kernel), KNOB_VERSION, 1, 0,
	PROFILE_KERNEL(255, 255), 0, 0},
    /* 1: a step that the platform refuses is an error, else a warning. */
    {"platform", "refuse", AT(refuse), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* 1: slice masks are taken, whatever the generation. */
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
    /* The cost of an iteration that submits nothing and takes no time. */
    {"costs", "iteration_min_ns", AT(iteration_min_ns), KNOB_NSEC, 1, 1,
	MAX_COST, 1000, 0},
    /* An engine takes a batch of another context than its last one. */
    {"costs", "context_switch_ns", AT(context_switch_ns), KNOB_NSEC, 1, 0,
	MAX_COST, 0, 0},
    /* The same by the class of the engine, else as above. */
    {"costs", "context_switch_ns", AT(class_switch_ns), KNOB_NSEC, 1, 0,
	MAX_COST, KNOB_UNSET, 1},
    /* RCS or CCS takes a context with another slice mask, on top of that. */
    {"costs", "sseu_ns", AT(sseu_ns), KNOB_NSEC, 1, 0, MAX_COST, 0, 0},
    /* From the end of a batch until the engine can begin the next one, which is
     * chosen then. */
    {"costs", "completion_ns", AT(completion_ns), KNOB_NSEC, 1, 0, MAX_COST, 0,
	0},
    /* The same where the next one was on the same ring already, and where its
     * context was in the second port; else as above. */
    {"costs", "same_ring_ns", AT(same_ring_ns), KNOB_NSEC, 1, 0, MAX_COST,
	KNOB_UNSET, 0},
    {"costs", "next_port_ns", AT(next_port_ns), KNOB_NSEC, 1, 0, MAX_COST,
	KNOB_UNSET, 0},
    /* More, before the first batch on an engine that had none for so long. */
    {"costs", "wake_ns", AT(wake_ns), KNOB_NSEC, 1, 0, MAX_COST, 0, 0},
    {"costs", "wake_after_us", AT(wake_after_ns), KNOB_NSEC, NSEC_PER_USEC, 0,
	MAX_QUANTUM_US, 0, 0},
    {"costs", "ring_requests", AT(ring_requests), KNOB_UNSIGNED, 1, 2, 1u << 20,
	65536, 0},
    /* The same by the class of the engine, else as above. */
    {"costs", "ring_requests", AT(class_ring_requests), KNOB_UNSIGNED, 1, 2,
	1u << 20, KNOB_UNSET, 1},
    /* execlists, guc: 0 where a batch can't be taken off an engine. */
    {"scheduling", "preemption", AT(preemption), KNOB_UNSIGNED, 1, 0, 1, 1, 0},
    /* execlists: 0 where engines don't poll for the end of others' batches. */
    {"scheduling", "semaphores", AT(semaphores), KNOB_UNSIGNED, 1, 0, 1, 1, 0},
    /* execlists: turn of one context while others of its level wait. */
    {"scheduling", "timeslice_us", AT(timeslice_ns), KNOB_NSEC, NSEC_PER_USEC,
	0, MAX_COST, 1000, 0},
    /* guc: engine time of one context while others of its band wait. */
    {"scheduling", "quantum_us", AT(quantum_ns), KNOB_NSEC, NSEC_PER_USEC, 0,
	MAX_QUANTUM_US, 1000, 0},
    /* drm: the number of jobs that may be on the ring of an engine, which runs
     * them in order; the next is chosen when one ends. */
    {"scheduling", "ring_credits", AT(ring_credits), KNOB_UNSIGNED, 1, 1,
	1u << 20, 1, 0},
    /* fifo, which has no other: an infinite batch (a finite one never) that has
     * run for so long is given up; 0, as with all of them: never. */
    {"timeouts", "hang_ms", AT(hang_ns), KNOB_NSEC, NSEC_PER_MSEC, 0,
	MAX_TIMEOUT_MS, 0, 0},
    /* For so long one that is to take an engine waits for it. */
    {"timeouts", "preempt_timeout_ms", AT(preempt_timeout_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    /* The same on RCS and CCS. */
    {"timeouts", "preempt_timeout_compute_ms", AT(preempt_timeout_compute_ns),
	KNOB_NSEC, NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    /* Between two looks at an engine that has work. */
    {"timeouts", "heartbeat_ms", AT(heartbeat_ns), KNOB_NSEC, NSEC_PER_MSEC, 0,
	MAX_TIMEOUT_MS, 0, 0},
    /* From readiness: the request is cancelled. */
    {"timeouts", "request_timeout_ms", AT(request_timeout_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    /* drm: the oldest job on a ring hangs when it has been that for so long;
     * guc under Xe: the oldest of a queue, which has run for so long; 0:
     * never. */
    {"timeouts", "job_timeout_ms", AT(job_timeout_ns), KNOB_NSEC, NSEC_PER_MSEC,
	0, MAX_TIMEOUT_MS, 0, 0},
    /* i915.reset: 1 where engines can be reset one by one, else the GPU is. */
    {"resets", "engine_reset", AT(engine_reset), KNOB_UNSIGNED, 1, 0, 1, 1, 0},
    /* An engine takes nothing while it is reset. */
    {"resets", "engine_reset_ns", AT(engine_reset_ns), KNOB_NSEC, 1, 0,
	MAX_COST, 0, 0},
    {"resets", "full_reset_ns", AT(full_reset_ns), KNOB_NSEC, 1, 0, MAX_COST, 0,
	0},
    /* drm: so often a job that hangs is run again; once more, and its context
     * is guilty. */
    {"resets", "hang_limit", AT(hang_limit), KNOB_UNSIGNED, 1, 0, 100, 0, 0},
    /* Context ids that GuC knows queues by; 0: no limit. */
    {"guc", "ids", AT(guc_ids), KNOB_UNSIGNED, 1, 0, GUC_MAX_IDS, 0, 0},
    /* One in this number of them is for parallel contexts only. */
    {"guc", "multi_lrc_share", AT(guc_multi_lrc_share), KNOB_UNSIGNED, 1, 2,
	GUC_MAX_IDS, 16, 0},
    /* From a queue's being idle until its id can be stolen. */
    {"guc", "disable_delay_ms", AT(guc_disable_delay_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    /* With more of the other ids in use, in percent, there is no delay. */
    {"guc", "disable_threshold", AT(guc_disable_threshold), KNOB_UNSIGNED, 1, 0,
	100, 75, 0},
    /* GuC gets to know a queue: the message, and its answer. */
    {"guc", "register_ns", AT(guc_register_ns), KNOB_NSEC, 1, 0, MAX_COST, 0,
	0},
    /* In this last percentage of each window CCS goes first, where RCS has work
     * of another client, else RCS; 0: they run beside each other. */
    {"guc", "yield_window_ms", AT(guc_yield_window_ns), KNOB_NSEC,
	NSEC_PER_MSEC, 0, MAX_TIMEOUT_MS, 0, 0},
    {"guc", "yield_percent", AT(guc_yield_percent), KNOB_UNSIGNED, 1, 0, 100, 0,
	0},
    /* Messages that the buffer to GuC holds, 0: without limit, and the time in
     * which GuC takes one out of it. */
    {"guc", "ctb_messages", AT(guc_ctb_messages), KNOB_UNSIGNED, 1, 0, 1u << 20,
	0, 0},
    {"guc", "ctb_message_ns", AT(guc_ctb_message_ns), KNOB_NSEC, 1, 0, MAX_COST,
	0, 0},
    /* A context's third hang bans it if the first of the three was so long ago
     * or less; 0: never. */
    {"bans", "context_window_ms", AT(ban_context_ns), KNOB_NSEC, NSEC_PER_MSEC,
	0, MAX_TIMEOUT_MS, 120000, 0},
    /* A client scores 1 if its hang comes so soon after the one before, and 3
     * for each ban of a context. */
    {"bans", "client_window_ms", AT(ban_client_ns), KNOB_NSEC, NSEC_PER_MSEC, 0,
	MAX_TIMEOUT_MS, 60000, 0},
    /* With this score a client is banned: it can make no contexts; 0: never. */
    {"bans", "client_score", AT(ban_score), KNOB_UNSIGNED, 1, 0, 1u << 20, 9,
	0},
    /* Between two preemption points of a batch whose X is above 0; 0: X. */
    {"nearness", "arbitration_us", AT(arbitration_ns), KNOB_NSEC, NSEC_PER_USEC,
	0, MAX_COST / NSEC_PER_USEC, 0, 1},
    /* execlists: what the second port holds is not displaced by equals. */
    {"nearness", "committed_port", AT(committed_port), KNOB_UNSIGNED, 1, 0, 1,
	0, 0},
    /* Jiffies in a second, in which the driver's timers count; 0: exact. */
    {"nearness", "hz", AT(hz), KNOB_UNSIGNED, 1, 0, 10000, 0, 0},
    /* execlists: one that has yielded while it polled yields until it is
     * switched out. */
    {"nearness", "sticky_yield", AT(sticky_yield), KNOB_UNSIGNED, 1, 0, 1, 0,
	0},
    /* execlists: engines whose semaphores came too late get none until they
     * are idle. */
    {"nearness", "saturation", AT(saturation), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* execlists: virtual requests go before others of their priority. */
    {"nearness", "virtual_tie", AT(virtual_tie), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* CPUs that all clients share; 0: one for each client. */
    {"nearness", "cpus", AT(cpus), KNOB_UNSIGNED, 1, 0, 1024, 0, 0},
    /* From an event until the client that waited for it runs. */
    {"nearness", "wakeup_ns", AT(wakeup_ns), KNOB_NSEC, 1, 0, MAX_COST, 0, 0},
    /* Sleeps (d, p) end so much later. */
    {"nearness", "timer_slack_ns", AT(timer_slack_ns), KNOB_NSEC, 1, 0,
	MAX_COST, 0, 0},
    /* RCS and CCS take longer with fewer slices, in proportion. */
    {"nearness", "sseu_scales", AT(sseu_scales), KNOB_UNSIGNED, 1, 0, 1, 0, 0},
    /* Percent that a batch on the first class takes longer for each other
     * engine of the second that runs one. */
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

const struct knob *
knob_find(const char *section, const char *key, unsigned *i)
{
	char name[PROFILE_MAX_KEY];

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
