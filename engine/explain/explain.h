/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_EXPLAIN_EXPLAIN_H
#define ENGINE_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

struct fence;
struct hw_engine;
struct request;
struct sim;
struct waiter;

/* What holds a request up now: one look at it, for explain.c and for views. */

enum hold_kind {
	HOLD_NOTHING,   /* it runs, or could */
	HOLD_END,       /* of by */
	HOLD_START,     /* of by */
	HOLD_SOFTWARE,  /* a fence of its client: that of step */
	HOLD_ENGINE,    /* by has an engine that it could take */
	HOLD_SCHEDULER, /* why, in words */
	HOLD_RESET,     /* its engine is being reset */
	HOLD_SEMAPHORE, /* it has its engine, and polls for the end of by */
};

struct hold {
	enum hold_kind kind;
	const struct request *by; /* NULL: nobody */
	uint32_t step;            /* SOFTWARE only */
	const char *why;          /* SCHEDULER only */
};

/* Of several that it waits for, the first. */
struct hold hold_of(const struct sim *sim, const struct request *rq);
/* The first fence in a list of waits that has not signalled; NULL: none. */
const struct fence *hold_first(const struct waiter *w);

/* Deadlocks that go on: the foreground can't, while the background does. */

/* Will a timeout end the infinite batch that runs on e? True in doubt. */
bool sim_will_end(const struct sim *sim, const struct hw_engine *e);

/* Can no foreground client ever go on? Never true in doubt. */
bool sim_is_stuck(const struct sim *sim);

#endif
