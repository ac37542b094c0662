/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observers of a simulation: their functions are called for each event as it
 * happens, before anything follows from it. An observer must not change the
 * simulation.
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

/* The delays, in ns and in this order, between a request being put on an engine
 * and its batch starting there. */
struct switching {
	nsec completion; /* until the engine is done with the last request */
	nsec wake;       /* waking an engine that was idle for long */
	nsec context;    /* switching to another context */
	nsec sseu;       /* setting another slice mask */
};

/* Why a request leaves its engine. */
enum leaving {
	LEAVING_ENDED,     /* its batch ended, with or without an error */
	LEAVING_PREEMPTED, /* for a request of higher priority */
	LEAVING_SLICE,     /* at the end of its timeslice or quantum */
	LEAVING_YIELDED,   /* it polled a semaphore while others can run */
	LEAVING_RESET,     /* the engine is reset; the request is replayed */
	N_LEAVINGS,
};

/* A listener: a function for each event, NULL for events of no interest. They
 * must not change once sim_add_observer() has the observer. */
struct observer {
	/* rq was submitted; of a parallel step, each row. */
	void (*submitted)(struct observer *o, struct request *rq);
	/* rq became ready; last is the fence that signalled last, NULL if rq
	 * waited for none. Only the first row of a parallel step. */
	void (*ready)(
	    struct observer *o, struct request *rq, const struct fence *last);
	/* The last request that rq waited for on its engine, or in front of it,
	 * has ended: last is its fence. */
	void (*cleared)(
	    struct observer *o, struct request *rq, const struct fence *last);
	/* rq was put on e, again after each time that it left. */
	void (*took)(struct observer *o, const struct hw_engine *e,
	    struct request *rq, const struct switching *cost);
	/* The batch of rq begins or resumes. */
	void (*began)(struct observer *o, struct request *rq);
	/* The batch of rq begins for the first time. */
	void (*started)(struct observer *o, struct request *rq);
	/* The batch of rq runs at another pace from now on (gpu/pace.h). */
	void (*paced)(struct observer *o, struct request *rq);
	/* The batch of rq polls memory from now on, on rq->engine, or finds
	 * another value there, or polls no more (engine->poll_since). A batch
	 * that leaves its engine polls no more without this event. */
	void (*polls)(struct observer *o, struct request *rq);
	/* rq left e; by is the request that e is wanted for, or NULL. */
	void (*left)(struct observer *o, const struct hw_engine *e,
	    struct request *rq, enum leaving why, const struct request *by);
	/* e is free while requests for it alone are not ready, or no longer is:
	 * e->is_waiting. At the end of an instant. */
	void (*waits)(struct observer *o, const struct hw_engine *e);
	void (*ended)(struct observer *o, struct request *rq);
	/* The client blocks at its step (walker.h); its state says why. Called a
	 * second time, after resumed, when it only waits for a CPU. */
	void (*blocked)(struct observer *o, struct client *c);
	/* The client's wait ends with rq, the last request that it waited
	 * for. */
	void (*woken)(
	    struct observer *o, struct client *c, const struct request *rq);
	/* The client runs. */
	void (*resumed)(struct observer *o, struct client *c);
	/* The client reached its p step later than due. */
	void (*missed)(struct observer *o, struct client *c, nsec due);
	/* The client reached the end of its program. */
	void (*iterated)(struct observer *o, struct client *c);
	/* A hang was found; nothing has been reset yet. */
	void (*hung)(struct observer *o, const struct hang *hang);
	/* rq, which has not ended, is cancelled by the request timeout. */
	void (*timed_out)(struct observer *o, const struct request *rq);
	/* A control was applied at sim->now (client/control.h). */
	void (*controlled)(struct observer *o, const struct control *control);
	struct observer *next; /* private */
};

/*
 * The events: the member of struct observer, the arguments of
 * observers_notify(), and how the member gets them.
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
	EVENT(polls, (struct request * rq), (rq))                              \
	EVENT(left,                                                            \
	    (const struct hw_engine *e, struct request *rq, enum leaving why,  \
		const struct request *by),                                     \
	    (e, rq, why, by))                                                  \
	EVENT(waits, (const struct hw_engine *e), (e))                         \
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
