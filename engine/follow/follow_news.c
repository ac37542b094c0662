/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * News of a device: each is kept until its time comes, and until the record has
 * seen what must have happened before it.
 */
#include <errno.h>
#include <stddef.h>

#include "base/util.h"
#include "engine/follow/follow_private.h"
#include "engine/gpu/exec.h"
#include "engine/instant.h"

static void settle_past(struct sim *sim, struct request *rq);

/* Returns the earliest time at which news of rq can happen. Counts those that
 * are late. */
static nsec
time_of_news(struct sim *sim, struct request *rq, nsec time)
{
	struct follow_counts *counts = &follow_of(sim)->counts;

	time = nsec_later(time, request_first_row(rq)->submit_ns);
	if (time >= sim->now)
		return time;
	counts->n_late++;
	counts->latest_ns = nsec_later(counts->latest_ns, sim->now - time);
	return time;
}

/* The starts that are known and have not happened, by engine. */

static void
add_coming(struct sim *sim, struct follow_request *fr)
{
	struct follow_engine *fe = follow_engine_of(sim, fr->on);

	fr->next_coming = fe->coming;
	fe->coming = fr;
}

void
follow_remove_coming(struct sim *sim, struct follow_request *fr)
{
	struct follow_request **at;

	if (fr->start_ns == NSEC_NEVER)
		return;
	fr->start_ns = NSEC_NEVER;
	at = &follow_engine_of(sim, fr->on)->coming;
	while (*at != fr)
		at = &(*at)->next_coming;
	*at = fr->next_coming;
}

/* A request: the news of all its rows. */

/* Returns when the last row ended; NSEC_NEVER: one has not. */
static nsec
end_of(const struct request *rq)
{
	nsec last = 0;

	for (; rq != NULL; rq = rq->next_row)
		last = nsec_later(last, rq->followed->end_ns);
	return last;
}

/* Returns when the last row began; NSEC_NEVER: one has neither begun nor
 * ended. any: one has begun. */
static nsec
first_start_of(const struct request *rq, bool *any)
{
	nsec last = 0;

	*any = false;
	for (; rq != NULL; rq = rq->next_row) {
		const struct follow_request *fr = rq->followed;

		*any |= fr->start_ns != NSEC_NEVER;
		last = nsec_later(last,
		    fr->start_ns != NSEC_NEVER ? fr->start_ns : fr->end_ns);
	}
	return last;
}

/* Returns when one of the rows was last seen; NSEC_NEVER: that is not known. */
static nsec
seen_of(const struct request *rq)
{
	nsec seen = NSEC_NEVER;

	for (; rq != NULL; rq = rq->next_row)
		seen = nsec_earlier(seen, rq->followed->seen_ns);
	return seen;
}

/* Returns the row whose end tells how all of them ended: the first with an
 * error, else the first. */
static const struct follow_request *
outcome_of(const struct request *rq)
{
	const struct follow_request *first = rq->followed;

	for (; rq != NULL; rq = rq->next_row) {
		if (rq->followed->error != 0)
			return rq->followed;
	}
	return first;
}

/* Chooses engines for rows that have ended, and whose start was not seen. */
static void
choose_engines(struct sim *sim, struct request *rq)
{
	engine_mask taken = 0;

	for (struct request *row = rq; row != NULL; row = row->next_row) {
		if (row->followed->on != NULL)
			taken |= row->followed->on->bit;
	}
	for (struct request *row = rq; row != NULL; row = row->next_row) {
		engine_mask m = rq->allowed & ~taken;

		if (row->followed->on != NULL)
			continue;
		row->followed->on = rq->engine != NULL && rq->next_row == NULL
		    ? rq->engine
		    : &sim->device.engines[__builtin_ctzll(m)];
		taken |= row->followed->on->bit;
	}
}

/* Ends the submit fences for which rq waits, though their signalers have not
 * begun: "Submit fences". They are over for all others, too. */
static void
overtake(struct request *rq)
{
	for (struct waiter *w = rq->waits; w != NULL; w = w->next_of_owner) {
		struct fence *f = w->fence;

		if (f == NULL || f->kind != FENCE_SCHEDULED)
			continue;
		fence_request(f)->followed->overtaken = true;
		while (fence_waiters(f) != NULL)
			instant_stop_waiting(fence_waiters(f));
	}
}

/* Returns true if nothing that the record knows keeps rq from running. */
static bool
has_no_waits(const struct request *rq)
{
	return rq->state != REQUEST_BLOCKED && rq->n_unended == 0;
}

/* Events. */

/* Begins rq, which can run, for the first time. */
static void
begin_followed(struct sim *sim, struct request *rq, nsec time)
{
	choose_engines(sim, rq);
	for (struct request *row = rq; row != NULL; row = row->next_row) {
		struct request *other = row->followed->on->running;

		follow_remove_coming(sim, row->followed);
		/* A batch that ends just now is not interrupted. */
		if (other != NULL &&
		    end_of(request_first_row(other)) <= sim->now)
			settle_past(sim, request_first_row(other));
	}
	follow_take(sim, rq, time);
}

/* Ends rq, which can run. never_ran: it was on no engine. */
static void
end_followed(struct sim *sim, struct request *rq, nsec time, bool never_ran)
{
	const struct follow_request *how = outcome_of(rq);
	enum hang_cause cause = (enum hang_cause)how->cause;
	int error = how->error;

	if (never_ran && error != 0 && cause == N_HANG_CAUSES) {
		follow_count_queued(sim, rq, -1);
		follow_forget(sim, rq);
		exec_cancel(sim, rq, error);
		return;
	}
	if (never_ran)
		begin_followed(sim, rq, time);
	follow_finish(sim, rq, time, error, cause);
}

static void
arm_news(struct sim *sim, struct request *rq, nsec time)
{
	struct event *event = &rq->followed->event;

	event_disarm(event);
	if (time != NSEC_NEVER)
		event_arm(&sim->events, event, nsec_later(time, sim->now));
}

/* Returns true if one of the rows was seen on another engine than its own. */
static bool
has_moved(const struct request *rq)
{
	for (; rq != NULL; rq = rq->next_row) {
		const struct follow_request *fr = rq->followed;

		if (fr->seen_on != NULL && fr->seen_on != fr->on)
			return true;
	}
	return false;
}

/* Lets rq go on if it was seen running since it was interrupted, or elsewhere
 * than where the record has it. */
static void
go_on_if_seen(struct sim *sim, struct request *rq)
{
	struct follow_request *fr = rq->followed;
	nsec seen = seen_of(rq);
	bool moved = has_moved(rq);

	if (seen > sim->now)
		return;
	if (moved || (fr->interrupted && seen > fr->left_ns)) {
		follow_take_off(sim, rq, seen);
		for (struct request *row = rq; row != NULL;
		     row = row->next_row) {
			if (row->followed->seen_on != NULL)
				row->followed->on = row->followed->seen_on;
		}
		follow_take(sim, rq, seen);
	}
	for (struct request *row = rq; row != NULL; row = row->next_row) {
		row->followed->seen_ns = NSEC_NEVER;
		row->followed->seen_on = NULL;
	}
}

/* Lets what was reported of rq up to now happen, if it can run, and arms its
 * event for the rest. */
static void
settle_past(struct sim *sim, struct request *rq)
{
	struct follow_request *fr = rq->followed;
	bool started;
	nsec start = first_start_of(rq, &started), end = end_of(rq);

	event_disarm(&fr->event);
	if (!fr->begun && start > sim->now) {
		arm_news(sim, rq, start);
		return;
	}
	if (!has_no_waits(rq)) {
		if (!fr->begun && rq->state == REQUEST_BLOCKED)
			overtake(rq);
		return;
	}
	if (!fr->begun && started)
		begin_followed(sim, rq, start);
	go_on_if_seen(sim, rq);
	if (end <= sim->now)
		end_followed(sim, rq, end, !fr->begun);
	else
		arm_news(sim, rq, nsec_earlier(end, seen_of(rq)));
}

void
follow_on_news(struct sim *sim, struct event *event)
{
	settle_past(sim, container_of(event, struct follow_request, event)->rq);
}

/* Lets the event of rq fire when the first of its news is due. */
static void
look_at_news(struct sim *sim, struct request *rq)
{
	bool started;
	nsec start = first_start_of(rq, &started);

	if (rq->followed->begun)
		start = nsec_earlier(end_of(rq), seen_of(rq));
	arm_news(sim, rq, start);
}

void
follow_wait_over(struct sim *sim, struct request *rq)
{
	look_at_news(sim, rq);
}

void
follow_refused(struct sim *sim, struct request *rq, int error)
{
	for (struct request *row = rq; row != NULL; row = row->next_row) {
		row->followed->end_ns = sim->now;
		row->followed->error = (int16_t)error;
	}
	look_at_news(sim, rq);
}

/* Reports. */

static void
say_where(const struct sim *sim, enum follow_word_kind kind,
    struct request_ref ref, const struct hw_engine *e, nsec time)
{
	follow_say(sim,
	    &(struct follow_word){.kind = kind,
		.request = ref.seq,
		.engine = e != NULL ? (int)e->index : -1,
		.time = time});
}

/* Returns the request, a row, if news of it are still of use; NULL: it has
 * ended, or its end is known. */
static struct follow_request *
news_request(struct request_ref ref)
{
	struct request *rq = request_get(ref);

	return rq == NULL || rq->followed->end_ns != NSEC_NEVER ? NULL
								: rq->followed;
}

void
follow_started(
    struct sim *sim, struct request_ref ref, struct hw_engine *e, nsec time)
{
	struct follow_request *fr = news_request(ref);
	struct request *first;

	if (fr == NULL || fr->start_ns != NSEC_NEVER)
		return;
	first = request_first_row(fr->rq);
	if (first->followed->begun) {
		follow_ran(sim, ref, e, time);
		return;
	}
	say_where(sim, FOLLOW_STARTED, ref, e, time);
	fr->start_ns = time_of_news(sim, fr->rq, time);
	fr->on = e;
	add_coming(sim, fr);
	look_at_news(sim, first);
}

void
follow_ran(
    struct sim *sim, struct request_ref ref, struct hw_engine *e, nsec time)
{
	struct follow_request *fr = news_request(ref);

	if (fr == NULL)
		return;
	say_where(sim, FOLLOW_RAN, ref, e, time);
	fr->seen_on = e;
	fr->seen_ns = time_of_news(sim, fr->rq, time);
	look_at_news(sim, request_first_row(fr->rq));
}

void
follow_worked(struct sim *sim, struct request_ref ref, nsec ran)
{
	struct follow_request *fr = news_request(ref);

	if (fr == NULL)
		return;
	say_where(sim, FOLLOW_WORKED, ref, NULL, ran);
	fr->worked_ns = ran;
}

void
follow_hung(struct sim *sim, struct request_ref ref, nsec time,
    enum hang_cause cause, int error)
{
	struct follow_request *fr = news_request(ref);

	if (fr == NULL)
		return;
	follow_say(sim,
	    &(struct follow_word){
		.kind = cause != N_HANG_CAUSES ? FOLLOW_HUNG : FOLLOW_ENDED,
		.request = ref.seq,
		.time = time,
		.error = error,
		.cause = cause});
	fr->end_ns = time_of_news(sim, fr->rq, time);
	if (fr->start_ns != NSEC_NEVER)
		fr->end_ns = nsec_later(fr->end_ns, fr->start_ns);
	fr->error = (int16_t)error;
	fr->cause = (uint8_t)cause;
	look_at_news(sim, request_first_row(fr->rq));
}

void
follow_ended(struct sim *sim, struct request_ref ref, nsec time, int error)
{
	follow_hung(sim, ref, time, N_HANG_CAUSES, error);
}

void
follow_banned(struct sim *sim, struct context *context)
{
	follow_say(sim,
	    &(struct follow_word){.kind = FOLLOW_BANNED,
		.client = context->client->id,
		.context = context->index});
	context->ban.banned = true;
}
