/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files that play the turns which the GuC gave to queues
 * (doc/model/import.md "Time on the engine"): turns.c has the events of a trace in
 * their order, turns_queue.c the queues and their engines, turns_band.c the bands of
 * jobs.
 */
#ifndef TRACE_IMPORT_TURNS_H
#define TRACE_IMPORT_TURNS_H

#include "trace/import/import_private.h"

/* Queues that share engines; with more nothing is played. */
#define TURN_QUEUES  64
#define TURN_ENGINES (N_CLASSES * INFER_MAX_INSTANCES)
#define TURN_BANDS   2 /* that a job may be raised to: normal and high */

/* Bands of a job: its own, and since when it has band 0 or better, and band 1, with
 * the index of the job whose submission raised it. NSEC_NEVER: it has not. */
struct turn_bands {
	nsec since_ns[TURN_BANDS];
	uint32_t by[TURN_BANDS];
	int8_t own; /* -1: low, 0: normal, 1: high */
};

/* A job as it is played. */
struct turn_job {
	struct job *job;
	struct turn_job *next; /* of the queue */
	nsec start, run;
	int8_t band;
	uint8_t first_engine, engine; /* that it was on first, and last */
};

struct turn_engine;

struct turn_queue {
	const struct job_line *line;
	struct turn_job *first, **last;
	struct turn_engine *on; /* NULL: it waits, or has nothing */
	uint64_t allowed;       /* engines: a set */
	uint64_t place;
	nsec used;   /* of the quantum, since it took the place */
	nsec off_at; /* when it was taken off an engine last */
	bool raised; /* its band has changed while it waits */
	uint8_t last_engine;
};

struct turn_engine {
	struct turn_queue *owner; /* NULL: the engine is free */
	nsec put_at;              /* when its job was put on it */
	bool between;             /* the owner is between two jobs */
	uint8_t number;
};

/* Engines that are played together, as there are queues that may have any of them. */
struct guc_turns {
	const struct import *im;
	const struct turn_bands *bands; /* by the index of a job */
	uint8_t device;                 /* the GPU */
	uint64_t allowed;               /* the engines: a set */
	struct turn_event *events;
	struct turn_job *jobs;
	size_t n_events, n_jobs;
	struct turn_queue queues[TURN_QUEUES];
	struct turn_engine engines[TURN_ENGINES];
	size_t n_queues, n_engines;
	nsec at;
	nsec quantum;
	uint64_t n_places, n_missed;
	/* Looks at queues that are left for all engines and quanta (turns.c). */
	uint64_t *looks_left;
};

/* turns_band.c: returns the bands of all jobs; the caller frees them. */
struct turn_bands *turns_find_bands(const struct import *im);
/* When a job was handed to the GuC. */
nsec turns_handed_ns(const struct job *job);
/* The engines that a job may have: a set. */
uint64_t turns_allowed(const struct import *im, const struct job *job);

/* turns_queue.c. Begins anew, without queues. */
void turns_begin(struct guc_turns *t, nsec quantum);
/* Gives the engines away, as far as that is due now. */
void turns_share_out(struct guc_turns *t);
/* Plays up to now. What is due at that very instant is left for later, as jobs may
 * end or come then. False: it would take too many looks. */
bool turns_play_to(struct guc_turns *t, nsec now);
/* False: there are too many queues. */
bool turns_hand_over(struct guc_turns *t, struct turn_job *job);
void turns_end(struct guc_turns *t, struct turn_job *job);
/* Raises a job to a band. */
void turns_raise(struct guc_turns *t, struct turn_job *job, int8_t band);
/* Gives queues that were raised while they waited their new places. */
void turns_move_raised(struct guc_turns *t);

#endif
