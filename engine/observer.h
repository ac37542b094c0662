/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Those who watch a simulation: told of what happens, as it happens, while all
 * is still as it was then. An observer must not change the simulation. Where
 * nobody listens it costs a look at a pointer.
 */
#ifndef ENGINE_OBSERVER_H
#define ENGINE_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"

struct client;
struct control;
struct fence;
struct hang;
struct hw_engine;
struct request;

/* What it takes until a request that was put on an engine could begin there:
 * in this order, one after the other. */
struct switching {
	nsec completion; /* the engine is not done with the one before */
	nsec wake;       /* the engine was idle for long and slept */
	nsec context;    /* switching to another context */
	nsec sseu;       /* setting up another slice mask */
};

/* Why a request is on its engine no more. */
enum leaving {
	LEAVING_ENDED,     /* its batch has, with an error or without */
	LEAVING_PREEMPTED, /* somebody better takes the engine */
	LEAVING_SLICE,     /* its timeslice, or quantum, is over */
	LEAVING_YIELDED,   /* it polled a semaphore, others can run */
	LEAVING_RESET,     /* the engine is reset; it is replayed */
	N_LEAVINGS,
};

/* Any of the functions may be NULL. */
struct observer {
	void (*submitted)(struct observer *o, struct request *rq);
	/* rq waits for an engine from now on; last is what it has waited for
	 * last (NULL: for nothing). Of a parallel step: the first row. */
	void (*ready)(
	    struct observer *o, struct request *rq, const struct fence *last);
	/* What rq has waited for on its engine, or in front of it, has ended;
	 * last is the last of that. */
	void (*cleared)(
	    struct observer *o, struct request *rq, const struct fence *last);
	/* rq holds e from now on: each time that it does. */
	void (*took)(struct observer *o, const struct hw_engine *e,
	    struct request *rq, const struct switching *cost);
	/* Its batch begins, or goes on: each time. */
	void (*began)(struct observer *o, struct request *rq);
	/* Its batch begins for the first time. */
	void (*started)(struct observer *o, struct request *rq);
	/* Its batch gets on at another pace from now on (pace.h). */
	void (*paced)(struct observer *o, struct request *rq);
	/* rq has left e; for by, if by is not NULL. */
	void (*left)(struct observer *o, const struct hw_engine *e,
	    struct request *rq, enum leaving why, const struct request *by);
	void (*ended)(struct observer *o, struct request *rq);
	/* The client does not go on from its step (c->pc) for now; client.h
	 * says why. Again, resumed before, when it could go on but for a CPU
	 * (cpu.h). */
	void (*blocked)(struct observer *o, struct client *c);
	/* It will go on at this instant because rq has ended, the last of what
	 * it waited for. */
	void (*woken)(
	    struct observer *o, struct client *c, const struct request *rq);
	/* It has its turn. */
	void (*resumed)(struct observer *o, struct client *c);
	/* The iteration of c, which is at its p step, should have come there
	 * by due. */
	void (*missed)(struct observer *o, struct client *c, nsec due);
	void (*iterated)(struct observer *o, struct client *c);
	/* While all is still as it was when the hang was found. */
	void (*hung)(struct observer *o, const struct hang *hang);
	/* rq, which has not ended, is cancelled: it took too long. */
	void (*timed_out)(struct observer *o, const struct request *rq);
	/* A control was applied, at sim->now (control.h). */
	void (*controlled)(struct observer *o, const struct control *control);
	struct observer *next;
};

/*
 * Each event: its function in struct observer, what observers_notify hands over
 * for it, and how that is passed on.
 */
#define OBSERVER_EVENTS(EVENT)                                                 \
	EVENT(submitted, (struct request * rq), (rq))                          \
	EVENT(ready, (struct request * rq, const struct fence *last),          \
	    (rq, last))                                                        \
	EVENT(cleared, (struct request * rq, const struct fence *last),        \
	    (rq, last))                                                        \
	EVENT(took,                                                            \
	    (const struct hw_engine *e, struct request *rq,                    \
		struct switching cost),                                        \
	    (e, rq, &cost))                                                    \
	EVENT(began, (struct request * rq), (rq))                              \
	EVENT(started, (struct request * rq), (rq))                            \
	EVENT(paced, (struct request * rq), (rq))                              \
	EVENT(left,                                                            \
	    (const struct hw_engine *e, struct request *rq, enum leaving why,  \
		const struct request *by),                                     \
	    (e, rq, why, by))                                                  \
	EVENT(ended, (struct request * rq), (rq))                              \
	EVENT(blocked, (struct client * c), (c))                               \
	EVENT(woken, (struct client * c, const struct request *rq), (c, rq))   \
	EVENT(resumed, (struct client * c), (c))                               \
	EVENT(missed, (struct client * c, nsec due), (c, due))                 \
	EVENT(iterated, (struct client * c), (c))                              \
	EVENT(hung, (const struct hang *hang), (hang))                         \
	EVENT(timed_out, (const struct request *rq), (rq))                     \
	EVENT(controlled, (const struct control *control), (control))

/*
 * Notifies all observers that listen to the event. The call is cold and out of
 * line: an event without listeners costs one predicted branch.
 */
#define observers_notify(sim, event, ...)                                      \
	do {                                                                   \
		if (__builtin_expect(                                          \
			((sim)->observed & OBSERVER_BIT(event)) != 0, 0))      \
			observers_##event((sim)->observers, __VA_ARGS__);      \
	} while (0)

/* The event as one bit of a mask (sim->observed). */
#define OBSERVER_BIT(event)                                                    \
	(1u << (offsetof(struct observer, event) / sizeof(void (*)(void))))

#define OBSERVER_UNPACK(...) __VA_ARGS__
#define OBSERVER_DECLARE(event, params, args)                                  \
	__attribute__((cold, noinline)) void observers_##event(                \
	    struct observer *list, OBSERVER_UNPACK params);
OBSERVER_EVENTS(OBSERVER_DECLARE)

#endif
