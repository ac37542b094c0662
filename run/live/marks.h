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

#define INFLIGHT_RECENT 16 /* ended requests that are remembered */

struct inflight {
	struct observer observer;
	/* Without an order; request.observer is the index in it, so that no
	 * second observer may use that. */
	struct request **list;
	size_t n, cap;
	uint64_t n_ended;
	uint64_t recent[INFLIGHT_RECENT]; /* seqs of ended ones; a ring */
	struct sim *sim;
	const struct versions *versions;
	const struct version *last; /* version of the request that ended last */
	uint64_t generation;        /* of versions, when last was found */
};

/* Watches run, which must not move, from its start until inflight_end(). Counts
 * requests that end in the run's versions. */
void inflight_begin(struct inflight *f, const struct run *run);
void inflight_end(struct inflight *f);

struct step_marks {
	uint32_t at;      /* clients at this step */
	uint32_t held;    /* those of them that wait */
	uint32_t blocked; /* requests that wait for others */
	uint32_t ready;   /* requests that wait for an engine */
	uint32_t running; /* requests on an engine */
	uint64_t done;    /* ended requests */
};

/* Zeroed at first; freed with marks_free(). */
struct marks {
	const struct versioned *of; /* the document; NULL: not in the run */
	struct step_marks *lines;   /* by identity; done is not counted here */
	size_t n_lines;
	uint32_t *touched; /* identities of lines that are not 0 */
	size_t n_touched, cap_touched;
	uint32_t n_clients; /* that run the document and have not ended */
	uint32_t n_older;   /* those of them with a text before the newest */
};

/* Counts for the document of plan->sources[source]. Marks are stale when the
 * session's generation has changed. */
void marks_update(struct marks *m, const struct session *s, size_t source);
/* The marks of a line of that document. */
struct step_marks marks_of_line(const struct marks *m, size_t line);
void marks_free(struct marks *m);

#endif
