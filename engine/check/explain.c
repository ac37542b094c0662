/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who waits for what, in words: from a client or a request along the fences
 * down to what holds them all up.
 */
#include "engine/sim.h"
#include "parser/step.h"
#include "parser/text.h"

#define MAX_DEPTH   16 /* of a chain of waits that is told whole */
#define MAX_CLIENTS 16 /* named one by one */

static void
name_request(const struct request *rq, struct text *out)
{
	text_addf(out, "step %u of client %u (context %u", rq->step,
	    rq->client->id, rq->context->def->number);
	if (rq->engine != NULL)
		text_addf(out, ", %s", rq->engine->name);
	text_adds(out, ")");
}

/* The software fence f of client c: which f step made it. */
static void
name_software_fence(
    const struct client *c, const struct fence *f, struct text *out)
{
	uint32_t index = (uint32_t)(f - c->image->fences);

	for (uint32_t i = 0; i < c->program->n_ops; i++) {
		const struct op *op = &c->program->ops[i];

		if (op->kind == STEP_FENCE && op->fence == index)
			text_addf(
			    out, "the fence of step %u of client %u", i, c->id);
	}
	text_adds(out, ", which is not signalled");
}

/* The first fence in a list of waits that has not signalled. */
static const struct fence *
first_unsignalled(const struct waiter *w)
{
	while (w != NULL && w->fence == NULL)
		w = w->next_of_owner;
	return w != NULL ? w->fence : NULL;
}

static const struct request *
holder_of(const struct sim *sim, const struct request *rq)
{
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		const struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(m)];

		if (e->running != NULL)
			return e->running;
		if (e->kept_for != NULL && e->kept_for != rq)
			return e->kept_for;
	}
	return NULL;
}

/* Is any engine that it may take being reset? */
static bool
is_reset(const struct sim *sim, const struct request *rq)
{
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		if (sim->device.engines[__builtin_ctzll(m)].resetting)
			return true;
	}
	return false;
}

/* What the scheduler itself waits for; NULL: for an engine. */
static const char *
held_up(const struct sim *sim, const struct request *rq)
{
	const struct sched_ops *sched = sim->config.sched;

	return sched->held_up != NULL ? sched->held_up(sim, rq) : NULL;
}

/* Follows the chain: returns what rq waits for, having told it. */
static const struct request *
explain_one(const struct sim *sim, const struct request *rq, struct text *out)
{
	const struct request *next;
	const struct fence *f;
	const char *why;

	switch (rq->state) {
	case REQUEST_RUNNING:
		text_adds(out,
		    rq->infinite ? ", which is infinite and not terminated"
				 : ", which is running");
		return NULL;
	case REQUEST_READY:
		why = held_up(sim, rq);
		if (why != NULL) {
			text_addf(out, ", %s", why);
			return NULL;
		}
		next = holder_of(sim, rq);
		if (next == NULL && is_reset(sim, rq))
			text_adds(out, ", whose engine is being reset");
		if (next == NULL)
			return NULL;
		text_adds(out, ", which is queued behind ");
		name_request(next, out);
		return next;
	default: break;
	}
	f = first_unsignalled(rq->waits);
	if (f == NULL)
		return NULL;
	text_adds(out,
	    f->kind == FENCE_SCHEDULED || f->kind == FENCE_ISSUED
		? ", which waits for the start of "
		: ", which waits for ");
	next = fence_request(f);
	if (next != NULL)
		name_request(next, out);
	else
		name_software_fence(rq->client, f, out);
	return next;
}

void
sim_explain_request(
    const struct sim *sim, const struct request *rq, struct text *out)
{
	const struct request *at = rq;

	name_request(rq, out);
	for (unsigned i = 0; at != NULL && i < MAX_DEPTH; i++) {
		at = explain_one(sim, at, out);
		if (at == rq) {
			text_adds(out, ": round in a circle");
			return;
		}
	}
}

static void
explain_client(const struct sim *sim, const struct client *c, struct text *out)
{
	const struct fence *f = first_unsignalled(c->waits);
	const struct request *rq = f != NULL ? fence_request(f)
					     : client_any_request(c);

	text_addf(out, "client %u ", c->id);
	if (c->killed)
		text_adds(out, "was killed");
	else if (c->state == CLIENT_DRAINING)
		text_adds(out, "is at its end");
	else
		text_addf(out, "stands at step %u", c->pc);
	if (rq != NULL) {
		text_adds(out, " and waits for ");
		sim_explain_request(sim, rq, out);
	}
	text_addc(out, '\n');
}

void
sim_explain_deadlock(const struct sim *sim, struct text *out)
{
	unsigned n = 0;

	for (size_t i = 0; i < sim->n_clients; i++) {
		if (sim->clients[i]->state == CLIENT_ENDED)
			continue;
		if (n++ < MAX_CLIENTS)
			explain_client(sim, sim->clients[i], out);
	}
	if (n > MAX_CLIENTS)
		text_addf(out, "and %u clients more\n", n - MAX_CLIENTS);
}
