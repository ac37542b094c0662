/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile: which GPU is modelled and what things cost on it. Read from an
 * INI file; the built-in ones are workloads/profiles/ compiled in. Each key
 * says in those files where its number comes from.
 */
#ifndef ENGINE_PROFILE_H
#define ENGINE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/nsec.h"
#include "parser/engine_name.h"

struct text;

#define PROFILE_MAX_PER_CLASS 16
#define PROFILE_MAX_SLICES    32

struct profile {
	char name[64];
	char description[128];
	char scheduler[16]; /* that it has unless another is asked for: a
				name that sched_find takes */

	/* [device] */
	unsigned n_engines[N_CLASSES]; /* at least one engine in all */
	unsigned gt[N_CLASSES];        /* the gt that the class lives on */
	unsigned slices;               /* 1 .. PROFILE_MAX_SLICES */

	/* [costs], in ns; what each means stands in profile.c's table */
	nsec submit_ns;         /* CPU time of one execbuf */
	nsec iteration_min_ns;  /* least cost of an empty iteration */
	nsec context_switch_ns; /* engine: to a batch of another context */
	nsec sseu_ns;           /* RCS, CCS: to another slice mask, more */
	nsec completion_ns;     /* from a batch's end to the next start */
	unsigned ring_requests; /* room of a ring, at least 2 */

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

	/* [guc]: context ids (guc_ids.h) */
	unsigned guc_ids;               /* 0: as many as are wanted */
	unsigned guc_multi_lrc_share;   /* one in so many is for parallel
					   contexts */
	unsigned guc_disable_threshold; /* percent of the ids, in use */
	nsec guc_disable_delay_ns;
	nsec guc_register_ns;

	/* [bans] */
	nsec ban_context_ns; /* of three hangs; 0: no context is banned */
	nsec ban_client_ns;  /* between two hangs */
	unsigned ban_score;  /* of a client; 0: none is banned */
};

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

#endif
