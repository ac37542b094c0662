/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who waits for what, in words: from a client or a request along the fences
 * down to what holds them all up.
 */
#include "base/text.h"
#include "engine/explain/blocked_on.h"
#include "engine/sim.h"

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

/* Follows the chain: returns what rq waits for, having told it. */
static const struct request *
explain_one(const struct sim *sim, const struct request *rq, struct text *out)
{
	struct hold hold = hold_of(sim, rq);

	switch (hold.kind) {
	case HOLD_NOTHING:
		if (rq->state == REQUEST_RUNNING)
			text_adds(out,
			    rq->infinite
				? ", which is infinite and not terminated"
				: ", which is running");
		break;
	case HOLD_END: text_adds(out, ", which waits for "); break;
	case HOLD_START:
		text_adds(out, ", which waits for the start of ");
		break;
	case HOLD_SOFTWARE:
		text_addf(out,
		    ", which waits for the fence of step %u of client %u, "
		    "which is not signalled",
		    hold.step, rq->client->id);
		break;
	case HOLD_ENGINE: text_adds(out, ", which is queued behind "); break;
	case HOLD_SCHEDULER: text_addf(out, ", %s", hold.why); break;
	case HOLD_RESET: text_adds(out, ", whose engine is being reset"); break;
	case HOLD_SEMAPHORE:
		text_adds(out,
		    hold.by != NULL ? ", which polls for the end of "
				    : ", which polls");
		break;
	}
	if (hold.by != NULL)
		name_request(hold.by, out);
	return hold.by;
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
	const struct fence *f = hold_first(c->waits);
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

/* The first of the foreground that has not ended. */
static const struct client *
first_left(const struct sim *sim)
{
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];

		if (c->state != CLIENT_ENDED && !c->background)
			return c;
	}
	return NULL;
}

void
sim_explain_time_over(const struct sim *sim, struct text *out)
{
	const struct client *c = first_left(sim);

	text_adds(out, "the end of virtual time (292 years) was reached");
	if (c == NULL)
		return;
	text_addf(out, " in client %u, iteration %llu", c->id,
	    (unsigned long long)c->iteration);
	if (c->state == CLIENT_DRAINING)
		text_adds(out, ", at its end");
	else
		text_addf(out, ", step %u", c->pc);
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
