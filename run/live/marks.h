/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests in flight, and live marks: what happens at each line of a document
 * now, over all versions of it that clients run. An observer that costs a few
 * instructions per request; counting does not grow with the document.
 */
#ifndef RUN_LIVE_MARKS_H
#define RUN_LIVE_MARKS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

struct run;
struct session;

/* Requests that ended last are remembered. */
#define INFLIGHT_RECENT 16

struct inflight {
	struct observer observer;
	struct request **list; /* in no order; rq->observer is the index */
	size_t n, cap;
	uint64_t n_ended;
	uint64_t recent[INFLIGHT_RECENT]; /* their seqs; a ring */
	struct sim *sim;
	const struct versions *versions;
	const struct version *last; /* whose request ended last, */
	uint64_t generation;        /* and when that was found */
};

/* Watches run, which stays where it is, from its start until flight_end():
 * requests that end are counted in its versions. */
void inflight_begin(struct inflight *f, const struct run *run);
void inflight_end(struct inflight *f);

struct step_marks {
	uint32_t at;      /* clients that are at it, */
	uint32_t held;    /* of these, not going on by themselves */
	uint32_t blocked; /* requests that wait for others, */
	uint32_t ready;   /* that wait for an engine, */
	uint32_t running; /* that have one */
	uint64_t done;    /* and that have ended */
};

struct marks {
	const struct versioned *of; /* of the run; NULL: none */
	struct step_marks *lines;   /* by identity; without what is done */
	size_t n_lines;
	uint32_t *touched; /* those that are not 0 */
	size_t n_touched, cap_touched;
	uint32_t n_clients; /* that run the document and have not ended, */
	uint32_t n_older;   /* of these, a text before the newest that runs */
};

/* Counts anew for the document of plan->sources[source]. What was counted is
 * stale when the session's generation has changed. */
void marks_update(struct marks *m, const struct session *s, size_t source);
/* Of a line of that document, as it was counted. */
struct step_marks marks_of_line(const struct marks *m, size_t line);
void marks_free(struct marks *m);

#endif
