/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to engine/follow: what is kept for each request of a simulation that
 * follows a device, and for each engine.
 */
#ifndef ENGINE_FOLLOW_FOLLOW_PRIVATE_H
#define ENGINE_FOLLOW_FOLLOW_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/event.h"
#include "engine/follow/follow.h"
#include "engine/gpu/request.h"
#include "engine/sim.h"

/* A request beside struct request, one for each row of a parallel slot. */
struct follow_request {
	struct request *rq;
	void *data; /* the driver's */

	/* News that did not happen in the record yet; NSEC_NEVER: none. */
	nsec start_ns, seen_ns, end_ns;
	struct hw_engine *on;      /* of start_ns, or where it began */
	struct hw_engine *seen_on; /* of seen_ns; NULL: there */
	nsec worked_ns;            /* follow_worked(); 0: not known */
	int16_t error;             /* of end_ns */
	uint8_t cause; /* of end_ns: enum hang_cause; N_HANG_CAUSES: it
				 does not hang */
	struct follow_request *next_coming; /* of on, if start_ns is known */

	/* The others are those of the first row. */
	struct event event; /* the next of the news */
	bool begun;         /* in the record */
	bool overtaken;     /* a request that waited for its start began
			       before it, which is on its engine by then */
	bool interrupted;   /* begun, and not on its engines */
	struct follow_request *below, *above; /* in the list of on */
	nsec left_ns; /* until when it ran before, as the device says */

	bool submitted;
	bool wants_end;     /* T came before that */
	uint32_t n_holds;   /* fences that must signal before that */
	struct fence given; /* signals when it is submitted, or never will be */
	struct follow_request *next_given; /* of those to be submitted */
};

/* An engine beside struct hw_engine. */
struct follow_engine {
	struct follow_request *interrupted; /* that began there, latest first */
	struct follow_request *coming;      /* whose start_ns is there */
	/* When the last batch left, by the device; and how long the engine had
	 * waited then (hw_engine_waiting). */
	nsec free_since, waited_ns;
};

/* sim->sched_data. */
struct follow {
	struct followed *device;
	struct follow_listener *listener; /* NULL: none */
	struct follow_counts counts;
	struct pool requests;                /* struct follow_request */
	const struct submission *submission; /* that is being made */
	/* Requests that can be submitted, in the order of becoming so. */
	struct follow_request *given_first, **given_last;
	bool no_room;   /* for the first, until a request ends */
	bool holds_all; /* follow_hold() */
	struct event resumed;
	engine_mask vacated; /* engines that a request left in this step */
	struct follow_engine engines[DEVICE_MAX_ENGINES];
};

static inline struct follow *
follow_of(const struct sim *sim)
{
	return sim->sched_data;
}

static inline struct follow_engine *
follow_engine_of(const struct sim *sim, const struct hw_engine *e)
{
	return &follow_of(sim)->engines[e->index];
}

/* Passes a word on to the listener. */
static inline void
follow_say(const struct sim *sim, const struct follow_word *word)
{
	struct follow_listener *listener = follow_of(sim)->listener;

	if (listener != NULL)
		listener->heard(listener, word);
}

/* To the device (follow_submit.c). */

extern const struct backend_ops follow_backend;
/* As struct sched_ops has it. */
void follow_depends(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n);
/* Submits what was held and is not any more. True: there was something. */
bool follow_submit_held(struct sim *sim);
/* Wakes a wait of a request that is held. For waiter_wake(). */
void follow_wake(struct waiter *w);
/* Frees what belongs to rq, all rows, which ends now. */
void follow_forget(struct sim *sim, struct request *rq);

/* From the device (follow_news.c). */

/* The event of a request. */
void follow_on_news(struct sim *sim, struct event *event);
/* Lets what was reported of rq happen, as far as it can now: something that it
 * waited for is over. */
void follow_wait_over(struct sim *sim, struct request *rq);
/* Forgets the start of a row, if that is known and has not happened. */
void follow_remove_coming(struct sim *sim, struct follow_request *fr);
/* Reports the end of rq, which was not submitted and will not be. */
void follow_refused(struct sim *sim, struct request *rq, int error);

/* On engines (follow_engines.c). rq is a first row. */

/* Puts rq, which is ready, on its engines, as of that time. Takes other requests
 * off them. */
void follow_take(struct sim *sim, struct request *rq, nsec since);
/* Ends rq, which is on its engines, or interrupted. */
void follow_finish(struct sim *sim, struct request *rq, nsec until, int error,
    enum hang_cause cause);
/* Takes rq from the interrupted ones, if it is one of them. */
void follow_remove_interrupted(struct sim *sim, struct follow_request *fr);
/* Takes rq off its engines, as of that time, if it is on them. It is not one of
 * the interrupted ones then. */
void follow_take_off(struct sim *sim, struct request *rq, nsec until);
/* Puts rq, which a reset took off its engine, behind those. */
void follow_replay(struct sim *sim, struct hw_engine *e, struct request *rq);
/* Lets requests that were interrupted have the engines that others have left.
 * True: there was one. */
bool follow_resume(struct sim *sim);
/* Adds n (1 or -1) to the queues of the engines where rq may run. */
void follow_count_queued(struct sim *sim, const struct request *rq, int n);

#endif
