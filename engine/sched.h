/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a scheduler is to the simulation: it says what a request has to wait
 * for, takes those that are ready, and puts them on engines. Its rules stand
 * in design section 6 and in rules/.
 */
#ifndef ENGINE_SCHED_H
#define ENGINE_SCHED_H

#include <stdbool.h>

#include "engine/fence.h"
#include "engine/hw_engine.h"

struct sim;
struct request;
struct program;
struct text;

/* Why one request waits for another. */
enum wait_cause {
	WAIT_OBJECT,   /* data dependency or working set */
	WAIT_FENCE,    /* f-n */
	WAIT_SUBMIT,   /* s-n */
	WAIT_TIMELINE, /* the one before it on its ring */
};

struct sched_ops {
	const char *name;
	const char *summary;

	/* What this scheduler can't run: false and why. */
	bool (*accepts)(const struct program *p, struct text *err);

	/* State of the scheduler, in sim->sched_data. */
	void *(*create)(struct sim *sim);
	void (*destroy)(void *data);

	/* The fence of signaler (not ended) that waiter has to wait for. */
	struct fence *(*awaits)(struct sim *sim, struct request *waiter,
	    struct request *signaler, enum wait_cause cause);
	/* rq has nothing left to wait for: it joins the queues. */
	void (*ready)(struct sim *sim, struct request *rq);
	/* One decision: a request takes an engine. False: nothing to do. */
	bool (*step)(struct sim *sim);
	/* rq, that ran on e, has ended. NULL: nothing to do then; who follows
	 * is chosen in a step. */
	void (*ended)(struct sim *sim, struct hw_engine *e, struct request *rq);
};

/* By name ("fifo"); NULL and a text when there is none. */
const struct sched_ops *sched_find(const char *name, struct text *err);
/* The i-th, NULL after the last. */
const struct sched_ops *sched_list(unsigned i);

#endif
