/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/hang/reset.h"

#include <errno.h>
#include <stddef.h>

#include "engine/gpu/exec.h"
#include "engine/gpu/pace.h"
#include "engine/hang/ban.h"
#include "engine/hang/heartbeat.h"
#include "engine/hang/revoke.h"
#include "engine/sim.h"

/* The one whose batch runs is to blame; all are where nothing is replayed. */
static bool
is_to_blame(const struct sim *sim, const struct hw_engine *e)
{
	return port_is_running(e) || sim->config.sched->replay == NULL;
}

/* What there is to say, before anything changes. */
static struct hang
find_out(struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error,
    bool guilty)
{
	struct request *rq = e->running;
	struct hang hang = {
	    .number = ++sim->n_hangs,
	    .time = sim->now,
	    .cause = cause,
	    .engine = e,
	    .rq = rq,
	    .guilty = guilty,
	    .run_ns = rq->run_ns,
	};

	for (const struct request *row = request_first_row(rq); row != NULL;
	     row = row->next_row)
		hang.engines |= (engine_mask)1 << row->engine->index;
	if (rq->piece_ns != NSEC_NEVER)
		hang.run_ns += sim->now - rq->piece_ns;
	if (!hang.guilty)
		return hang;
	hang.error = rq->error != 0 ? rq->error : error;
	ban_blame(sim, rq->context, &hang.context_banned, &hang.client_banned);
	return hang;
}

static void
tell(struct sim *sim, const struct hang *hang)
{
	observers_tell(sim, hung, hang);
}

static void
on_reset_over(struct sim *sim, struct event *event)
{
	struct hw_engine *e = (struct hw_engine *)(void *)((char *)event -
	    offsetof(struct hw_engine, reset_event));

	e->resetting = false;
	if (sim->config.sched->reset_over != NULL)
		sim->config.sched->reset_over(sim, e);
}

static void
keep_away(struct sim *sim, struct hw_engine *e, nsec time)
{
	if (time == 0)
		return;
	e->resetting = true;
	event_arm(&sim->events, &e->reset_event, sim->now + time);
}

/* Resets the request of e on all of its engines: a parallel step goes as a
 * whole (doc/model/hangs.md "Resets"). */
static void
keep_away_all(struct sim *sim, const struct hw_engine *e, nsec time)
{
	struct request *row = request_first_row(e->running);

	for (; row != NULL; row = row->next_row)
		keep_away(sim, row->engine, time);
}

/* Has it something else than what hung? */
static bool
has_other(const struct hw_engine *e, const struct hang *hang)
{
	return e->running != NULL &&
	    request_first_row(e->running) != request_first_row(hang->rq);
}

/* Takes off e what is not to blame. */
static void
put_back(struct sim *sim, struct hw_engine *e)
{
	struct request *rq;

	heartbeat_answered(e);
	if (port_is_running(e))
		e->running->context->ban.active++;
	rq = port_take_back(sim, e);
	sim->config.sched->replay(sim, e, rq);
}

/* What is on the engine that hung. */
static void
stop(struct sim *sim, const struct hang *hang)
{
	heartbeat_answered(hang->engine);
	if (hang->guilty)
		port_end(sim, hang->engine, hang->error);
	else
		put_back(sim, hang->engine);
}

static void
ban(struct sim *sim, const struct hang *hang, struct context *context)
{
	if (hang->context_banned)
		revoke_context(sim, context, -EIO, REVOKE_GRACE);
}

static void
reset_one(struct sim *sim, struct hw_engine *e, enum hang_cause cause,
    int error, bool guilty)
{
	struct context *context = e->running->context;
	struct hang hang = find_out(sim, e, cause, error, guilty);

	hang.scope = RESET_ENGINE;
	tell(sim, &hang);
	keep_away_all(sim, e, sim->config.profile.engine_reset_ns);
	stop(sim, &hang);
	ban(sim, &hang, context);
}

static void
reset_all(struct sim *sim, struct hw_engine *e, enum hang_cause cause,
    int error, bool guilty)
{
	struct context *context = e->running->context;
	struct hang hang = find_out(sim, e, cause, error, guilty);

	hang.scope = RESET_FULL;
	tell(sim, &hang);
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct hw_engine *other = &sim->device.engines[i];

		keep_away(sim, other, sim->config.profile.full_reset_ns);
		if (has_other(other, &hang) &&
		    sim->config.sched->replay != NULL)
			put_back(sim, other);
	}
	stop(sim, &hang);
	ban(sim, &hang, context);
}

void
reset_engine(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error)
{
	reset_one(sim, e, cause, error, is_to_blame(sim, e));
}

void
reset_full(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error)
{
	reset_all(sim, e, cause, error, is_to_blame(sim, e));
}

void
reset_judged(struct sim *sim, struct hw_engine *e, enum hang_cause cause,
    int error, bool guilty)
{
	if (sim->config.profile.engine_reset)
		reset_one(sim, e, cause, error, guilty);
	else
		reset_all(sim, e, cause, error, guilty);
}

void
reset_hung(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error)
{
	reset_judged(sim, e, cause, error, is_to_blame(sim, e));
}

/* A batch ran too long, or what was revoked did not let go of the engine. */
static void
on_give_up(struct sim *sim, struct event *event)
{
	struct hw_engine *e = (struct hw_engine *)(void *)((char *)event -
	    offsetof(struct hw_engine, give_up_event));

	/* One that ends at the very instant has ended in time. */
	if (pace_is_at_end(e->running, sim->now))
		return;
	reset_hung(sim, e, (enum hang_cause)e->give_up_cause, -EIO);
}

void
reset_init(struct sim *sim)
{
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct hw_engine *e = &sim->device.engines[i];

		e->give_up_event.fire = on_give_up;
		e->reset_event.fire = on_reset_over;
	}
}
