/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches on engines, as a device reports them: they begin, take engines from
 * others, which go on later, and end. All of it may be known late; then the
 * engine's time is counted as the device spent it (doc/model/hardware.md "Late
 * news").
 */
#include <stddef.h>

#include "engine/follow/follow_private.h"
#include "engine/gpu/exec.h"

/* A batch that was interrupted does not go on if another is known to begin on
 * its engine within this time. */
#define FOLLOW_GAP (50 * NSEC_PER_USEC)

void
follow_count_queued(struct sim *sim, const struct request *rq, int n)
{
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1)
		device_add_queued(
		    &sim->device, &sim->device.engines[__builtin_ctzll(m)], n);
}

/* Interrupted requests of an engine. */

static void
push_interrupted(struct sim *sim, struct follow_request *fr)
{
	struct follow_engine *fe = follow_engine_of(sim, fr->on);

	fr->interrupted = true;
	fr->above = NULL;
	fr->below = fe->interrupted;
	if (fr->below != NULL)
		fr->below->above = fr;
	fe->interrupted = fr;
}

void
follow_remove_interrupted(struct sim *sim, struct follow_request *fr)
{
	if (!fr->interrupted)
		return;
	fr->interrupted = false;
	if (fr->above != NULL)
		fr->above->below = fr->below;
	else
		follow_engine_of(sim, fr->on)->interrupted = fr->below;
	if (fr->below != NULL)
		fr->below->above = fr->above;
}

/* Time. */

/* Moves the current period of e so that it ends at until, not at sim->now, to be
 * counted for what it was. */
static void
end_period_at(struct sim *sim, struct hw_engine *e, nsec until)
{
	struct request *rq = e->running;
	struct follow_engine *fe = follow_engine_of(sim, e);
	nsec late = sim->now > until ? sim->now - until : 0;

	late = nsec_earlier(late, sim->now - rq->piece_ns);
	rq->piece_ns += late;
	e->busy_since += late;
	e->pace.since += late;
	fe->free_since = sim->now - late;
	fe->waited_ns = hw_engine_waiting(e, sim->now);
}

/* Returns how long before sim->now rq, which is ready, can have begun on e. */
static nsec
most_late(
    const struct sim *sim, const struct hw_engine *e, const struct request *rq)
{
	const struct follow_engine *fe = follow_engine_of(sim, e);
	nsec gone = sim->now - fe->free_since;
	nsec waited = hw_engine_waiting(e, sim->now) - fe->waited_ns;
	nsec ready = fence_time(&rq->queued);

	return nsec_earlier(gone > waited ? gone - waited : 0,
	    sim->now > ready ? sim->now - ready : 0);
}

/* Moves the beginning of the period of rq, a row that was just put on its
 * engine, to since. */
static void
begin_period_at(struct sim *sim, struct request *rq, nsec since, nsec most)
{
	struct hw_engine *e = rq->engine;
	nsec late = sim->now > since ? sim->now - since : 0;

	late = nsec_earlier(late, most);
	rq->piece_ns -= late;
	e->busy_since -= late;
	e->pace.since -= late;
	if (rq->scheduled.time == sim->now)
		rq->scheduled.time -= late;
}

/* Beginning and leaving. */

/* Takes the request on e off it, of a parallel slot all rows, as of that time,
 * for by. If it began no earlier, by was there first, and it was not
 * preempted. */
static void
vacate(
    struct sim *sim, struct hw_engine *e, nsec until, const struct request *by)
{
	struct request *rq = request_first_row(e->running);

	for (struct request *row = rq; row != NULL; row = row->next_row) {
		struct hw_engine *other = row->engine;
		bool counts = row->piece_ns < until;

		end_period_at(sim, other, until);
		exec_preempt(sim, other, LEAVING_PREEMPTED, by);
		row->preemptions -= !counts;
		other->preemptions -= !counts;
		if (other != e)
			follow_of(sim)->vacated |= other->bit;
	}
	follow_count_queued(sim, rq, 1);
	rq->followed->left_ns = follow_engine_of(sim, e)->free_since;
	push_interrupted(sim, rq->followed);
}

/* Puts the rows on their engines (follow_request.on), which are free. */
static void
take_engines(struct sim *sim, struct request *rq, nsec since)
{
	struct hw_engine *engines[DEVICE_MAX_ENGINES];
	nsec most = NSEC_NEVER;
	unsigned n = 0;

	for (struct request *row = rq; row != NULL; row = row->next_row) {
		struct hw_engine *e = row->followed->on;

		most = nsec_earlier(most, most_late(sim, e, rq));
		engines[n++] = e;
	}
	if (n > 1)
		exec_take_rows(sim, engines, rq, FOLLOWS_CHOICE);
	else
		exec_take(sim, engines[0], rq, FOLLOWS_CHOICE);
	/* The device says when it ends. */
	event_disarm(&engines[0]->event);
	for (struct request *row = rq; row != NULL; row = row->next_row)
		begin_period_at(sim, row, since, most);
}

void
follow_take(struct sim *sim, struct request *rq, nsec since)
{
	struct follow_request *fr = rq->followed;

	for (struct request *row = rq; row != NULL; row = row->next_row) {
		struct hw_engine *e = row->followed->on;

		follow_of(sim)->vacated &= ~e->bit;
		if (e->running != NULL)
			vacate(sim, e, since, rq);
	}
	follow_remove_interrupted(sim, fr);
	follow_count_queued(sim, rq, -1);
	/* Not before it left them last. */
	since = nsec_later(since, fr->left_ns);
	fr->begun = true;
	take_engines(sim, rq, since);
}

void
follow_take_off(struct sim *sim, struct request *rq, nsec until)
{
	if (rq->state == REQUEST_RUNNING) {
		vacate(sim, rq->engine, until, NULL);
		follow_of(sim)->vacated |= rq->engine->bit;
	}
	follow_remove_interrupted(sim, rq->followed);
}

void
follow_replay(struct sim *sim, struct hw_engine *e, struct request *rq)
{
	(void)e;
	follow_count_queued(sim, rq, 1);
	rq->followed->left_ns = sim->now;
	push_interrupted(sim, rq->followed);
}

/* Lets the run time of a row, which ends at sim->now, be the one that its batch
 * counted, but at most the time from its start. */
static void
take_own_count(const struct sim *sim, struct request *row)
{
	nsec most = sim->now -
	    nsec_earlier(fence_time(&row->scheduled), sim->now);

	if (row->followed->worked_ns > 0 && row->piece_ns <= sim->now)
		row->run_ns = nsec_earlier(row->followed->worked_ns, most) -
		    (sim->now - row->piece_ns);
}

void
follow_finish(struct sim *sim, struct request *rq, nsec until, int error,
    enum hang_cause cause)
{
	if (rq->state != REQUEST_RUNNING)
		follow_take(sim, rq, until);
	for (struct request *row = rq; row != NULL; row = row->next_row) {
		end_period_at(sim, row->engine, until);
		follow_of(sim)->vacated |= row->engine->bit;
		if (error == 0)
			take_own_count(sim, row);
	}
	if (rq->infinite) {
		nsec done = sim->now - rq->piece_ns + rq->work_ns;

		for (struct request *row = rq; row != NULL;
		     row = row->next_row) {
			row->infinite = false;
			row->duration_ns = done;
		}
	}
	follow_forget(sim, rq);
	if (cause != N_HANG_CAUSES)
		reset_with_guilt(sim, rq->engine, cause, error, true);
	else
		exec_end(sim, rq->engine, error);
}

/* Returns true if a request is known to begin on e soon, so that what was
 * interrupted there does not go on in between. */
static bool
is_wanted_again(const struct sim *sim, const struct hw_engine *e)
{
	const struct follow_request *fr = follow_engine_of(sim, e)->coming;

	for (; fr != NULL; fr = fr->next_coming) {
		if (fr->start_ns <= sim->now + FOLLOW_GAP)
			return true;
	}
	return false;
}

static bool
resume_on(struct sim *sim, struct hw_engine *e)
{
	struct follow_request *fr = follow_engine_of(sim, e)->interrupted;

	if (fr == NULL || e->running != NULL || is_wanted_again(sim, e))
		return false;
	for (struct request *row = fr->rq; row != NULL; row = row->next_row) {
		if (!hw_engine_is_free(row->followed->on))
			return false;
	}
	follow_take(sim, fr->rq, follow_engine_of(sim, e)->free_since);
	return true;
}

bool
follow_resume(struct sim *sim)
{
	struct follow *f = follow_of(sim);
	bool any = false;

	while (f->vacated != 0) {
		unsigned i = (unsigned)__builtin_ctzll(f->vacated);

		f->vacated &= f->vacated - 1;
		any |= resume_on(sim, &sim->device.engines[i]);
	}
	return any;
}
