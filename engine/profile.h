/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile: which GPU is modelled, its costs, and its timeouts. Profiles are
 * INI files; those in workloads/profiles/ are built in, and say where each
 * number comes from. The keys of a profile are called knobs.
 */
#ifndef ENGINE_PROFILE_H
#define ENGINE_PROFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "parser/engine_name.h"

struct text;

#define PROFILE_MAX_PER_CLASS 16
#define PROFILE_MAX_SLICES    32
#define PROFILE_MAX_KEY       48

struct profile {
	char name[64];
	char description[128];
	char scheduler[16]; /* by default: a name for sched_find() */

	/* [i915]: what programs see, and which steps the driver refuses
	 * (compile/platform.h) */
	unsigned pci_id;     /* of Intel; 0: a part of that generation */
	unsigned generation; /* of the graphics; 0: unknown */
	unsigned kernel;     /* PROFILE_KERNEL; 0: unknown */
	unsigned clock_hz;   /* of command streamers; 0: that of the part */

	/* [platform] */
	unsigned refuse;     /* 1: a refusal is an error, 0: a warning */
	unsigned takes_sseu; /* 1: slice masks on any generation */
	unsigned xe;         /* 1: the Xe driver, 0: i915 */

	/* [device] */
	unsigned n_engines[N_CLASSES]; /* at least one engine in all */
	unsigned gt[N_CLASSES];        /* the gt of the class */
	unsigned slices;               /* 1 .. PROFILE_MAX_SLICES */
	unsigned hevc_vcs; /* bit i: VCS of instance i decodes HEVC */

	/* [costs], in ns; see profile_knobs.c. PROFILE_UNSET or NSEC_NEVER:
	 * that of another knob, see the functions below. */
	nsec submit_ns;         /* CPU time of one execbuf */
	nsec iteration_min_ns;  /* least time of an empty iteration */
	nsec context_switch_ns; /* engine: to a batch of another context */
	nsec class_switch_ns[N_CLASSES];
	nsec sseu_ns;           /* RCS, CCS: to another slice mask */
	nsec completion_ns;     /* from an end to a start chosen after it */
	nsec same_ring_ns;      /* ... to the next request of the same ring */
	nsec next_port_ns;      /* ... to the context of the second port */
	nsec wake_ns;           /* first batch on an engine that slept */
	nsec wake_after_ns;     /* an engine idle for that long sleeps */
	unsigned ring_requests; /* room of a ring, at least 2 */
	unsigned class_ring_requests[N_CLASSES];

	/* [commands]: what commands of batches cost, in ns or ps
	 * (device/streamer/streamer.h) */
	unsigned command_ns, flush_ns, draw_ns, vertex_ps, dispatch_ns,
	    group_ps, blit_ns, byte_ps, frame_ns;
	/* of a macroblock; PROFILE_UNSET: as that of decode_ns or encode_ns */
	unsigned decode_ns, hevc_decode_ns, vp9_decode_ns, av1_decode_ns;
	unsigned encode_ns, hevc_encode_ns, vp9_encode_ns, av1_encode_ns;
	unsigned filter_ns, ten_bit_percent;
	unsigned media_estimates; /* 1: those of video are estimates */

	/* [scheduling] */
	nsec timeslice_ns;     /* execlists; 0: off */
	nsec quantum_ns;       /* guc; 0: without limit */
	unsigned preemption;   /* execlists, guc; 0: only between batches */
	unsigned semaphores;   /* execlists; 0: all waits on the CPU */
	unsigned ring_credits; /* drm: jobs on a ring at a time */

	/* [timeouts], 0: off */
	nsec hang_ns; /* fifo: of infinite batches */
	nsec preempt_timeout_ns, preempt_timeout_compute_ns;
	nsec heartbeat_ns;
	nsec request_timeout_ns;
	/* execlists, guc: limit of waits for software fences. */
	nsec fence_timeout_ns;
	nsec job_timeout_ns; /* drm: of the oldest job on a ring */

	/* [resets] */
	unsigned engine_reset; /* 0: only the whole GPU */
	nsec engine_reset_ns, full_reset_ns;
	unsigned hang_limit; /* drm: hangs of a job before it is guilty */

	/* [guc]: context ids (engine/sched/guc.h) */
	unsigned guc_ids;               /* 0: without limit */
	unsigned guc_multi_lrc_share;   /* one id in this number is for
					   parallel contexts */
	unsigned guc_disable_threshold; /* percent of the ids in use */
	nsec guc_disable_delay_ns;
	nsec guc_register_ns;
	nsec guc_yield_window_ns;   /* RCS and CCS; 0: off */
	unsigned guc_yield_percent; /* of the window, in which CCS is first */
	unsigned guc_ctb_messages;  /* room of the buffer to GuC; 0: no limit */
	nsec guc_ctb_message_ns;    /* GuC reads one message */
	unsigned guc_long_running;  /* Xe: 1: queues without job timeout */

	/* [bans] */
	nsec ban_context_ns; /* for three hangs; 0: contexts are not banned */
	nsec ban_client_ns;  /* for two hangs */
	unsigned ban_score;  /* of a client; 0: clients are not banned */

	/* [nearness]: where `ideal` is simpler than the driver; 0: as
	 * `ideal` */
	nsec arbitration_ns[N_CLASSES]; /* between preemption points, if X > 0;
					   0: X */
	unsigned committed_port;
	unsigned hz; /* jiffies per second (event.h); 0: timers are exact */
	unsigned sticky_yield;
	unsigned saturation;
	unsigned virtual_tie;
	unsigned cpus; /* for all clients; 0: one for each */
	nsec wakeup_ns;
	nsec timer_slack_ns;
	unsigned sseu_scales;

	/* [sharing]: percent more time of a batch on the first class for each
	 * batch on another engine of the second */
	unsigned sharing[N_CLASSES][N_CLASSES];
};

/* A version of the kernel as one number. */
#define PROFILE_KERNEL(major, minor) ((major) << 8 | (minor))
/* The value of an unsigned knob that the profile does not name, and that is the
 * same as another knob then. For an nsec: NSEC_NEVER. */
#define PROFILE_UNSET UINT_MAX

/* Returns the cost of switching an engine of that class to another context. */
static inline nsec
profile_switch_ns(const struct profile *p, unsigned cls)
{
	nsec own = p->class_switch_ns[cls];

	return own != NSEC_NEVER ? own : p->context_switch_ns;
}

/* Return the time from an end to the start of the next request of the same
 * ring, and of the context in the second port. */
static inline nsec
profile_same_ring_ns(const struct profile *p)
{
	return p->same_ring_ns != NSEC_NEVER ? p->same_ring_ns
					     : p->completion_ns;
}

static inline nsec
profile_next_port_ns(const struct profile *p)
{
	return p->next_port_ns != NSEC_NEVER ? p->next_port_ns
					     : p->completion_ns;
}

/* Returns the room of a ring to an engine of that class, in requests. */
static inline unsigned
profile_ring_requests(const struct profile *p, unsigned cls)
{
	unsigned own = p->class_ring_requests[cls];

	return own != PROFILE_UNSET ? own : p->ring_requests;
}

/* Sets every knob to the value of `ideal`. */
void profile_init(struct profile *p);
/* Sets the knobs that INI text names; name is for errors ("file:line: ...").
 * False: err has the first error, and p may have changed. */
bool profile_parse(
    struct profile *p, const char *name, const char *ini, struct text *err);
/* Loads a built-in profile by name, or a file by a path with a dot or slash.
 * False: err says why, and p may have changed. */
bool profile_load(
    struct profile *p, const char *name_or_path, struct text *err);
/* Appends INI text from which profile_parse() sets the same knobs, without name
 * and description. */
void profile_print(const struct profile *p, struct text *out);
/* Returns the file name of built-in profile i ("ideal.ini"); NULL: there are no
 * more. */
const char *profile_builtin(unsigned i);

/*
 * A knob: its section, key, unit, range, and value in `ideal`. It may have a
 * value for each engine class (`gt.RCS`), or for each pair of them (`[sharing]
 * RCS.CCS`).
 */
enum knob_type {
	KNOB_UNSIGNED,
	KNOB_NSEC,    /* a whole number of units */
	KNOB_VERSION, /* MAJOR.MINOR; an unsigned, see PROFILE_KERNEL */
	KNOB_HEX,     /* an unsigned, 0xN in the file */
};

struct knob {
	const char *section, *key;
	size_t offset; /* in struct profile */
	enum knob_type type;
	nsec unit; /* KNOB_NSEC: of the value in the file, in ns */
	uint64_t min, max;
	uint64_t ideal; /* KNOB_UNSET: not named; all three in file units */
	unsigned dims;  /* 0: one value, 1: by class, 2: by pairs of classes */
};

#define KNOB_UNSET UINT64_MAX /* the profile does not name the knob */

extern const struct knob profile_knobs[];
extern const size_t n_profile_knobs;

/* Returns the number of values. */
unsigned knob_values(const struct knob *k);
/* Sets name to the key of value i, as in a file. */
void knob_name(const struct knob *k, unsigned i, char name[PROFILE_MAX_KEY]);
/* Set and return value i, in the unit of the file, or KNOB_UNSET. */
void knob_set(
    struct profile *p, const struct knob *k, unsigned i, uint64_t value);
uint64_t knob_get(const struct profile *p, const struct knob *k, unsigned i);
/* Returns the knob with that key, and sets *i to the index of its value; NULL:
 * there is none. */
const struct knob *knob_find(const char *section, const char *key, unsigned *i);

#endif
