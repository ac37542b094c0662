/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Handles a hang: its record, the blame and the bans, the reset of an
 * engine or of the GPU, and revoking requests that must not run on.
 */
#include "engine/hang/hang.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/region.h"
#include "base/util.h"
#include "engine/client/outside.h"
#include "engine/event.h"
#include "engine/gpu/exec.h"
#include "engine/gpu/pace.h"
#include "engine/hang/timeouts.h"
#include "engine/sched/preempt.h"
#include "engine/sim.h"

/* Points of a client's score: client_mark_guilty, I915_CLIENT_SCORE_*. */
#define SCORE_CONTEXT_BAN 3
#define SCORE_FAST_HANG   1

/* Returns true if a hang now is the third within ban_context_ns. */
static bool
is_third_in_a_row(const struct sim *sim, const struct ban_context *b)
{
	return b->guilty >= 2 &&
	    sim->now - b->hang_ns[0] < sim->config.profile.ban_context_ns;
}

/* Counts a hang of the context. Returns true if that bans it: a closed context,
 * also one whose client was killed, and one that is not recoverable are banned
 * by their first hang. */
static bool
blame_context(struct sim *sim, struct context *context)
{
	struct ban_context *b = &context->ban;
	bool closed = context->closed || context->client->killed != KILL_NOT;
	bool banned = !b->banned && !sim->config.sched->reported &&
	    (closed ||
		(!context->unbannable &&
		    (context->unrecoverable || is_third_in_a_row(sim, b))));

	if (b->hang_ns == NULL)
		b->hang_ns = region_alloc(sim->region, 2, sizeof *b->hang_ns);
	b->guilty++;
	b->hang_ns[0] = b->hang_ns[1];
	b->hang_ns[1] = sim->now;
	if (banned)
		b->banned = true;
	return banned;
}

/* Counts a hang of the client. Returns true if that bans it. */
static bool
blame_client(struct sim *sim, struct ban_client *b, bool context_banned)
{
	const struct profile *profile = &sim->config.profile;
	bool was = b->banned;

	if (context_banned)
		b->score += SCORE_CONTEXT_BAN;
	if (b->hangs++ > 0 && sim->now - b->hang_ns < profile->ban_client_ns)
		b->score += SCORE_FAST_HANG;
	b->hang_ns = sim->now;
	b->banned |= profile->ban_score > 0 && b->score >= profile->ban_score &&
	    !sim->config.sched->reported;
	return b->banned && !was;
}

/* Counts a hang for which the context is guilty, and says what that bans. A
 * closed one is not counted for its client (doc/model/outside.md "Closed
 * contexts"). */
static void
ban_blame(struct sim *sim, struct context *context, bool *context_banned,
    bool *client_banned)
{
	*context_banned = blame_context(sim, context);
	*client_banned = !context->unbannable && !context->closed &&
	    blame_client(sim, &context->client->ban, *context_banned);
}

/* The texts are those of i915 where it has one. */
const char *
hang_cause_name(enum hang_cause cause)
{
	static const char *const names[N_HANG_CAUSES] = {
	    [HANG_BATCH] = "batch time out",
	    [HANG_PREEMPTION] = "preemption time out",
	    [HANG_HEARTBEAT] = "stopped heartbeat",
	    [HANG_REQUEST] = "request time out",
	    [HANG_JOB] = "job time out",
	    [HANG_REVOKED] = "context revoked",
	    [HANG_WEDGED] = "manually set wedged",
	    [HANG_CS_ERROR] = "CS error",
	};

	return names[cause];
}

const char *
reset_scope_name(enum reset_scope scope)
{
	static const char *const names[N_RESET_SCOPES] = {
	    [RESET_ENGINE] = "engine",
	    [RESET_FULL] = "full",
	};

	return names[scope];
}

const struct hw_engine *
hang_engine(const struct hang *hang, unsigned i)
{
	const struct hw_engine *first = hang->engine - hang->engine->index;
	engine_mask m = hang->engines;

	for (; m != 0 && i > 0; i--)
		m &= m - 1;
	return m != 0 ? &first[__builtin_ctzll(m)] : NULL;
}

/* Returns the time of the next preemption point at which rq, which runs, can be
 * stopped; NSEC_NEVER: none. */
static nsec
point_of(const struct sim *sim, const struct request *rq)
{
	if (!sim->config.sched->stops_at_points ||
	    !preempt_is_possible(sim, rq))
		return NSEC_NEVER;
	return preempt_is_at_point(sim, rq->engine)
	    ? sim->now
	    : preempt_next_point(sim, rq, sim->now + 1);
}

/* Returns when grace, from now on, is over: the driver's timer ends at a jiffy
 * (set_preempt_timeout), firmware has its own clock. */
static nsec
grace_over(const struct sim *sim, nsec grace)
{
	if (sim->config.sched->firmware_timers)
		return sim->now + grace;
	return jiffies_expiry(&sim->config.profile, sim->now + grace);
}

void
revoke_request(struct sim *sim, struct request *rq, int error, nsec grace,
    enum hang_cause cause)
{
	nsec point, end;

	if (rq->error != 0 || sim->config.sched->reported)
		return;
	if (rq->piece_ns == NSEC_NEVER) {
		request_fail(rq, error);
		return;
	}
	point = point_of(sim, rq);
	end = preempt_end(rq);
	if (point < end)
		end = point;
	if (grace == REVOKE_AT_ONCE)
		grace = point == NSEC_NEVER ? 0 : NSEC_NEVER;
	else if (grace == 0)
		grace = NSEC_NEVER;
	exec_fail_at(sim, rq, error, end);
	/* A change of pace may still delay the end. */
	if (grace != NSEC_NEVER &&
	    (sim->paced ||
		(end - sim->now > grace && end > grace_over(sim, grace))))
		exec_set_timeout(
		    sim, rq->engine, grace_over(sim, grace), cause);
}

void
revoke_context(struct sim *sim, struct context *context, int error, nsec grace)
{
	struct client *client = context->client;

	for (uint32_t i = 0; i < client->n_rings; i++) {
		struct ring *ring = client->rings[i];

		if (ring->context != context)
			continue;
		for (struct request *rq = ring->first; rq != NULL;
		     rq = rq->next_of_ring)
			revoke_request(sim, rq, error, grace, HANG_REVOKED);
	}
}

void
revoke_timed_out(struct sim *sim, struct request *rq)
{
	if (rq->error != 0)
		return;
	sim->n_timed_out++;
	observers_notify(sim, timed_out, rq);
	revoke_request(sim, rq, -EINTR, REVOKE_GRACE, HANG_REQUEST);
}

/* Returns true if the request on e is guilty: its batch runs, or the scheduler
 * cannot replay it. */
static bool
is_guilty(const struct sim *sim, const struct hw_engine *e)
{
	return exec_is_running(e) || sim->config.sched->replay == NULL;
}

/* Returns the record of a hang, and counts it for its context and client. */
static struct hang
record_hang(struct sim *sim, struct hw_engine *e, enum hang_cause cause,
    int error, bool guilty)
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
on_reset_over(struct sim *sim, struct event *event)
{
	struct hw_engine *e = container_of(
	    event, struct hw_engine, reset_event);

	device_set_resetting(&sim->device, e, false);
	if (sim->config.sched->reset_over != NULL)
		sim->config.sched->reset_over(sim, e);
}

/* Keeps requests away from e for time ns. */
static void
block_engine(struct sim *sim, struct hw_engine *e, nsec time)
{
	if (time == 0)
		return;
	device_set_resetting(&sim->device, e, true);
	event_arm(&sim->events, &e->reset_event, sim->now + time);
}

/* Keeps requests away from all engines of the request on e: the rows of a
 * parallel step are reset together (doc/model/hangs.md "Resets"). */
static void
block_rows(struct sim *sim, const struct hw_engine *e, nsec time)
{
	struct request *row = request_first_row(e->running);

	for (; row != NULL; row = row->next_row)
		block_engine(sim, row->engine, time);
}

/* Returns true if e has a request other than the hung one, of any row. */
static bool
has_other(const struct hw_engine *e, const struct hang *hang)
{
	return e->running != NULL &&
	    request_first_row(e->running) != request_first_row(hang->rq);
}

/* Takes the request off e, and has the scheduler replay it. */
static void
replay_innocent(struct sim *sim, struct hw_engine *e)
{
	struct request *rq;

	heartbeat_answered(e);
	if (exec_is_running(e))
		e->running->context->ban.active++;
	rq = exec_rewind(sim, e);
	if (rq->origin.instance == NULL)
		outside_replayed(rq);
	sim->config.sched->replay(sim, e, rq);
}

/* Ends the hung request, or replays it if it is innocent. */
static void
stop_hung(struct sim *sim, const struct hang *hang)
{
	heartbeat_answered(hang->engine);
	hang->rq->guilty = hang->guilty;
	if (hang->guilty)
		exec_end(sim, hang->engine, hang->error);
	else
		replay_innocent(sim, hang->engine);
}

/* Revokes the other requests of a context that the hang bans. */
static void
revoke_if_banned(
    struct sim *sim, const struct hang *hang, struct context *context)
{
	if (hang->context_banned)
		revoke_context(sim, context, -EIO, REVOKE_GRACE);
}

static void
reset_engine(struct sim *sim, struct hw_engine *e, enum hang_cause cause,
    int error, bool guilty)
{
	struct context *context = e->running->context;
	struct hang hang = record_hang(sim, e, cause, error, guilty);

	hang.scope = RESET_ENGINE;
	observers_notify(sim, hung, &hang);
	block_rows(sim, e, sim->config.profile.engine_reset_ns);
	stop_hung(sim, &hang);
	revoke_if_banned(sim, &hang, context);
}

static void
reset_all_engines(struct sim *sim, struct hw_engine *e, enum hang_cause cause,
    int error, bool guilty)
{
	struct context *context = e->running->context;
	struct hang hang = record_hang(sim, e, cause, error, guilty);

	hang.scope = RESET_FULL;
	observers_notify(sim, hung, &hang);
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct hw_engine *other = &sim->device.engines[i];

		block_engine(sim, other, sim->config.profile.full_reset_ns);
		if (has_other(other, &hang) &&
		    sim->config.sched->replay != NULL)
			replay_innocent(sim, other);
	}
	stop_hung(sim, &hang);
	revoke_if_banned(sim, &hang, context);
}

void
reset_gpu(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error)
{
	reset_all_engines(sim, e, cause, error, is_guilty(sim, e));
}

void
reset_with_guilt(struct sim *sim, struct hw_engine *e, enum hang_cause cause,
    int error, bool guilty)
{
	if (sim->config.profile.engine_reset)
		reset_engine(sim, e, cause, error, guilty);
	else
		reset_all_engines(sim, e, cause, error, guilty);
}

void
reset_after_hang(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error)
{
	reset_with_guilt(sim, e, cause, error, is_guilty(sim, e));
}

/* Resets an engine whose batch ran too long, or did not stop when it was
 * revoked. */
static void
on_batch_timeout(struct sim *sim, struct event *event)
{
	struct hw_engine *e = container_of(
	    event, struct hw_engine, timeout_event);

	/* A batch that ends at this instant ends in time. */
	if (pace_is_at_end(e->running, sim->now))
		return;
	reset_after_hang(sim, e, (enum hang_cause)e->timeout_cause, -EIO);
}

static void
on_wedged(struct sim *sim, struct event *event)
{
	struct hw_engine *e = container_of(
	    event, struct hw_engine, wedge_event);

	if (e->running != NULL)
		reset_after_hang(sim, e, HANG_WEDGED, -EIO);
}

void
reset_by_user(struct sim *sim, struct hw_engine *e)
{
	event_arm(&sim->events, &e->wedge_event, sim->now);
}

void
reset_init(struct sim *sim)
{
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct hw_engine *e = &sim->device.engines[i];

		e->timeout_event.fire = on_batch_timeout;
		e->reset_event.fire = on_reset_over;
		e->wedge_event.fire = on_wedged;
	}
}
