/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Capacity: the most clients for which a goal holds, on every seed (the manual,
 * CAPACITY). The search doubles the count until the goal fails, then halves what is
 * between; afterwards it tries other counts, to find out whether more clients are
 * always worse. Which counts it tries does not depend on the number of processes.
 *
 *   capacity.c       which counts are tried, and the answer
 *   capacity_run.c   runs them
 *   capacity_text.c  the answer as lines, and as JSON
 */
#ifndef DECIDE_CAPACITY_H
#define DECIDE_CAPACITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/nsec.h"
#include "decide/goal.h"
#include "decide/trial_figures.h"

struct plan;
struct text;

/* To see whether more clients are worse, further counts are tried: all, if the
 * most allowed is no more than CAPACITY_ALL; else up to CAPACITY_ALWAYS, or to
 * twice the first that failed, if that is more. Above CAPACITY_ALL about
 * CAPACITY_SAMPLES of them. */
#define CAPACITY_ALL     64
#define CAPACITY_ALWAYS  32
#define CAPACITY_SAMPLES 32

/* Clients of a source, by the count that is searched. */
struct mix_field {
	unsigned fixed;  /* clients; 0: they are multiplied */
	unsigned factor; /* clients for each that is counted */
};

/* A question. */
struct capacity_question {
	const struct goal *goal;
	const struct mix_field *mix; /* by source of the plan */
	unsigned most;               /* --max-clients */
	unsigned seeds;
	nsec warmup, end; /* as in struct variant */
};

/* A count that was tried, with the figures of the seed that is worst by the
 * goal. */
struct tried {
	unsigned count;
	bool holds;
	struct trial_figures worst;
};

/* A search. Views read it; only capacity*.c changes it. */
struct capacity {
	struct capacity_question question;
	struct tried *tried; /* ascending */
	size_t n_tried, cap_tried;
	char *error;          /* a run failed: which, and why; NULL: none */
	bool media_estimates; /* a workload's costs of video are estimates */
};

/* Returns the count that must be tried next; 0: the answer is known. */
unsigned capacity_next(const struct capacity *c);
/* Adds a count that was tried. */
void capacity_add(struct capacity *c, const struct tried *tried);
/* Returns that count; NULL: it was not tried. */
const struct tried *capacity_tried(const struct capacity *c, unsigned count);
void capacity_free(struct capacity *c);

/* The answer: the largest count that holds before one that fails. While the
 * search is not over, fails may be larger than count + 1. */
struct capacity_answer {
	unsigned count;            /* 0: one client is too much */
	bool at_least;             /* the goal holds for the most allowed */
	const struct tried *holds; /* NULL: count is 0 */
	const struct tried *fails; /* the next; NULL: at_least */
	const struct tried *limit; /* the one whose engines limit: fails, else
				      holds */
	/* More clients are not always worse: NULL: they are. */
	const struct tried *low_fails, *high_holds;
};

/* Sets *a. One count must have been tried. */
void capacity_answer(const struct capacity *c, struct capacity_answer *a);
/* Returns the busiest engine at the limit if it is as good as full; NULL: no
 * engine is. */
const struct trial_engine *capacity_engine(const struct capacity_answer *a);

/* capacity_run.c */

/* A search that runs; its processes copy plan, which must stay valid. */
struct capacity_run;

struct capacity_run *capacity_begin(
    struct capacity *c, struct plan *plan, unsigned n_jobs);
/* Starts runs, and waits timeout_ms (-1: for ever) for one to end. False: the
 * search is over (c->error, or the answer is known), a signal has interrupted the
 * wait, or err has a reason. */
bool capacity_step(struct capacity_run *run, int timeout_ms, struct text *err);
/* True if nothing is left to do. */
bool capacity_is_done(const struct capacity_run *run);
/* Kills what runs, and frees run. NULL is allowed. */
void capacity_end(struct capacity_run *run);

/* capacity_text.c */

/* Appends the answer as one line, or two; of a search that was stopped, what is
 * known. */
void capacity_print(
    const struct capacity *c, const struct plan *plan, struct text *out);
/* Prints the answer as one JSON object. */
void capacity_print_json(const struct capacity *c, FILE *out);

#endif
