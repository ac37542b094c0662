/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile: which GPU is modelled and what things cost on it. Read from an
 * INI file; the built-in ones are workloads/profiles/ compiled in. Each key
 * says in those files where its number comes from.
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
	char scheduler[16]; /* that it has unless another is asked for: a
				name that sched_find takes */

	/* [platform]: which requests of user space the driver refuses there */
	unsigned generation; /* of the graphics; 0: refuses nothing */
	unsigned kernel;     /* PROFILE_KERNEL; 0: unknown, refuses nothing */
	unsigned refuse;     /* 1: a refusal is an error, else a warning */
	unsigned takes_sseu; /* 1: slice masks, whatever the generation */
	unsigned xe;         /* 1: the Xe driver, 0: i915 */

	/* [device] */
	unsigned n_engines[N_CLASSES]; /* at least one engine in all */
	unsigned gt[N_CLASSES];        /* the gt that the class lives on */
	unsigned slices;               /* 1 .. PROFILE_MAX_SLICES */
	unsigned hevc_vcs; /* bit i: VCS of instance i decodes HEVC */

	/* [costs], in ns; profile_knobs.c says what each is the cost of.
	 * PROFILE_UNSET or NSEC_NEVER: as another one, see below. */
	nsec submit_ns;         /* CPU time of one execbuf */
	nsec iteration_min_ns;  /* least cost of an empty iteration */
	nsec context_switch_ns; /* engine: to a batch of another context */
	nsec class_switch_ns[N_CLASSES];
	nsec sseu_ns;           /* RCS, CCS: to another slice mask, more */
	nsec completion_ns;     /* from an end to a start chosen after it */
	nsec same_ring_ns;      /* ... to the next request of the same ring */
	nsec next_port_ns;      /* ... to the context of the second port */
	nsec wake_ns;           /* first batch on an engine that slept */
	nsec wake_after_ns;     /* an engine idle for that long sleeps */
	unsigned ring_requests; /* room of a ring, at least 2 */
	unsigned class_ring_requests[N_CLASSES];

	/* [scheduling] */
	nsec timeslice_ns;     /* execlists; 0: no slices */
	nsec quantum_ns;       /* guc; 0: until nothing is left to run */
	unsigned preemption;   /* execlists, guc; 0: only between batches */
	unsigned semaphores;   /* execlists; 0: all waits on the CPU */
	unsigned ring_credits; /* drm: jobs that a ring takes at a time */

	/* [timeouts], 0: off */
	nsec hang_ns; /* fifo: a batch that nothing ends is given up */
	nsec preempt_timeout_ns, preempt_timeout_compute_ns;
	nsec heartbeat_ns;
	nsec request_timeout_ns;
	nsec job_timeout_ns; /* drm: of the oldest job on a ring */

	/* [resets] */
	unsigned engine_reset; /* 0: only the whole GPU */
	nsec engine_reset_ns, full_reset_ns;
	unsigned hang_limit; /* drm: times that a job may hang unpunished */

	/* [guc]: context ids (engine/sched/guc.h) */
	unsigned guc_ids;               /* 0: as many as are wanted */
	unsigned guc_multi_lrc_share;   /* one in so many is for parallel
					   contexts */
	unsigned guc_disable_threshold; /* percent of the ids, in use */
	nsec guc_disable_delay_ns;
	nsec guc_register_ns;
	nsec guc_yield_window_ns;   /* RCS and CCS; 0: no such policy */
	unsigned guc_yield_percent; /* of the window: CCS goes first */
	unsigned guc_ctb_messages;  /* that the buffer to GuC holds; 0: all */
	nsec guc_ctb_message_ns;    /* GuC takes one out of it */

	/* [bans] */
	nsec ban_context_ns; /* of three hangs; 0: no context is banned */
	nsec ban_client_ns;  /* between two hangs */
	unsigned ban_score;  /* of a client; 0: none is banned */

	/* [nearness]: where `ideal` is simpler than the driver; 0: as there */
	nsec arbitration_ns[N_CLASSES]; /* between preemption points, if X > 0;
					   0: X is the distance */
	unsigned committed_port;
	unsigned hz; /* of jiffies: timers of the driver end at a tick */
	unsigned sticky_yield;
	unsigned saturation;
	unsigned virtual_tie;
	unsigned cpus; /* that all clients share; 0: one each */
	nsec wakeup_ns;
	nsec timer_slack_ns;
	unsigned sseu_scales;

	/* [sharing]: percent that a batch on an engine of the first class takes
	 * longer for each other engine of the second that runs one */
	unsigned sharing[N_CLASSES][N_CLASSES];
};

/* A version of the kernel, as struct profile has it. */
#define PROFILE_KERNEL(major, minor) ((major) << 8 | (minor))
/* An unsigned knob that the profile does not name (an nsec: NSEC_NEVER) and
 * that has the value of another one then. */
#define PROFILE_UNSET UINT_MAX

/* Switching an engine of that class to another context. */
static inline nsec
profile_switch_ns(const struct profile *p, unsigned class)
{
	nsec own = p->class_switch_ns[class];

	return own != NSEC_NEVER ? own : p->context_switch_ns;
}

/* From an end to the start of the same ring's next request, and to that of the
 * context that the second port holds. */
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

/* Room of a ring for engines of that class, in requests. */
static inline unsigned
profile_ring_requests(const struct profile *p, unsigned class)
{
	unsigned own = p->class_ring_requests[class];

	return own != PROFILE_UNSET ? own : p->ring_requests;
}

/* Every knob at the value of `ideal`. */
void profile_init(struct profile *p);
/* Overlays p with INI text; name is for errors ("file:line: ..."). */
bool profile_parse(
    struct profile *p, const char *name, const char *ini, struct text *err);
/* NAME of a built-in one, else the path of a file. */
bool profile_load(
    struct profile *p, const char *name_or_path, struct text *err);
/* Appends INI text that profile_parse makes the same knobs of; name and
 * description are not in it. */
void profile_print(const struct profile *p, struct text *out);
/* File names of the built-in profiles ("ideal.ini"); NULL after the last. */
const char *profile_builtin(unsigned i);

/*
 * The knobs of profiles: one table says each one's section, key, unit, limits
 * and value in `ideal`. A knob may be an array: of one value for each engine
 * class (`gt.RCS`), or for each pair of them (`[sharing] RCS.CCS`).
 */

enum knob_type {
	KNOB_UNSIGNED,
	KNOB_NSEC,    /* a whole number of units */
	KNOB_VERSION, /* MAJOR.MINOR, an unsigned of PROFILE_KERNEL */
};

struct knob {
	const char *section, *key;
	size_t offset;
	enum knob_type type;
	nsec unit; /* KNOB_NSEC: of the number in the file, in ns */
	uint64_t min, max;
	uint64_t ideal; /* in the file's unit; or KNOB_UNSET */
	unsigned dims;  /* 0: one value, 1: by class, 2: by class and class */
};

#define KNOB_UNSET UINT64_MAX

extern const struct knob profile_knobs[];
extern const size_t n_profile_knobs;

/* How many values it has. */
unsigned knob_values(const struct knob *k);
/* The key of the i-th value, as in a file, into name. */
void knob_name(const struct knob *k, unsigned i, char name[PROFILE_MAX_KEY]);
/* Values are in the unit of the file; KNOB_UNSET: not named. */
void knob_set(
    struct profile *p, const struct knob *k, unsigned i, uint64_t value);
uint64_t knob_get(const struct profile *p, const struct knob *k, unsigned i);
/* The knob of that key, and which of its values; NULL: none. */
const struct knob *knob_find(const char *section, const char *key, unsigned *i);

#endif
