/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds a request up now: one look at it, for explain.c and for views. */
#ifndef ENGINE_EXPLAIN_BLOCKED_ON_H
#define ENGINE_EXPLAIN_BLOCKED_ON_H

#include <stdint.h>

struct fence;
struct request;
struct sim;
struct waiter;

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

#endif
