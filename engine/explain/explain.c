/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what a request is blocked on now; and in words, from a client or a request
 * along the chain of waits down to what blocks them all. */
#include "engine/explain/explain.h"

#include "base/text.h"
#include "engine/batch_name.h"
#include "engine/client/origin.h"
#include "engine/instant.h"
#include "engine/sim.h"

const struct fence *
blocked_on_fence(const struct waiter *w)
{
	while (w != NULL && (w->fence == NULL || instant_is_end_wait(w)))
		w = w->next_of_owner;
	return w != NULL ? w->fence : NULL;
}

/* Returns the step of the software fence f that rq waits for; NO_INDEX: rq is
 * not of a program. */
static uint32_t
step_of_fence(const struct request *rq, const struct fence *f)
{
	const struct op_batch *batch = request_batch(rq);
	uint32_t index;

	if (batch == NULL)
		return NO_INDEX;
	index = (uint32_t)(f - rq->origin.instance->fences);
	for (uint32_t i = 0; i < batch->n_fences; i++)
		if (batch->fences[i].software &&
		    batch->fences[i].fence == index)
			return batch->fences[i].step;
	return rq->origin.step;
}

static struct blocker
blocked_fence(const struct request *rq)
{
	const struct fence *f = blocked_on_fence(rq->waits);
	struct blocker blocker = {BLOCKED_NOT, NULL, 0, NULL};

	if (f == NULL)
		return blocker;
	blocker.by = fence_request(f);
	blocker.kind = f->kind == FENCE_SCHEDULED || f->kind == FENCE_ISSUED
	    ? BLOCKED_ON_START
	    : BLOCKED_ON_END;
	if (blocker.by == NULL) {
		blocker.kind = BLOCKED_ON_SOFTWARE_FENCE;
		blocker.step = step_of_fence(rq, f);
	}
	return blocker;
}

static const struct request *
engine_holder(const struct sim *sim, const struct request *rq)
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

/* Returns true if an engine that rq may take is being reset. */
static bool
is_resetting(const struct sim *sim, const struct request *rq)
{
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		if (sim->device.engines[__builtin_ctzll(m)].resetting)
			return true;
	}
	return false;
}

static struct blocker
blocked_ready(const struct sim *sim, const struct request *rq)
{
	const struct sched_ops *sched = sim->config.sched;
	struct blocker blocker = {BLOCKED_NOT, NULL, 0, NULL};

	if (sched->why_held != NULL)
		blocker.why = sched->why_held(sim, rq);
	if (blocker.why != NULL) {
		blocker.kind = BLOCKED_ON_SCHEDULER;
		return blocker;
	}
	blocker.by = engine_holder(sim, rq);
	if (blocker.by != NULL)
		blocker.kind = BLOCKED_ON_ENGINE;
	else if (is_resetting(sim, rq))
		blocker.kind = BLOCKED_ON_RESET;
	return blocker;
}

const struct request *
polled_for(const struct request *rq)
{
	const struct waiter *w = rq->waits;

	while (w != NULL && !instant_is_end_wait(w))
		w = w->next_of_owner;
	return w != NULL ? fence_request(w->fence) : NULL;
}

static struct blocker
blocked_polling(const struct request *rq)
{
	struct blocker blocker = {BLOCKED_ON_SEMAPHORE, NULL, 0, NULL};

	blocker.by = polled_for(rq);
	return blocker;
}

struct blocker
blocked_on(const struct sim *sim, const struct request *rq)
{
	switch (rq->state) {
	case REQUEST_BLOCKED: return blocked_fence(rq);
	case REQUEST_READY: return blocked_ready(sim, rq);
	case REQUEST_RUNNING:
		if (rq->n_unended > 0)
			return blocked_polling(rq);
		if (request_polls(rq))
			return (struct blocker){.kind = BLOCKED_ON_MEMORY};
		break;
	default: break;
	}
	return (struct blocker){BLOCKED_NOT, NULL, 0, NULL};
}

/* doc/model/streamer.md "Comparisons": what is found is compared with what is
 * wanted. */
static const char *
compare_sign(unsigned compare)
{
	static const char *const signs[] = {">", ">=", "<", "<=", "==", "!="};

	return compare < sizeof signs / sizeof *signs ? signs[compare]
						      : "any of";
}

void
explain_poll(const struct memory_poll *poll, struct text *out)
{
	if (!poll->known) {
		text_adds(out, "memory");
		return;
	}
	if (poll->is_register)
		text_adds(out, "register ");
	text_addf(out, "0x%llx", (unsigned long long)poll->address);
	if (poll->never_ends)
		text_adds(out, ", which nothing else writes");
	text_addf(out, ": found 0x%x, wanted %s 0x%x", poll->found,
	    compare_sign(poll->compare), poll->wanted);
	if (poll->object != 0) {
		text_addf(out, " (object %u", poll->object);
		if (poll->object_offset != 0)
			text_addf(out, " + 0x%llx",
			    (unsigned long long)poll->object_offset);
		text_addf(out, " of client %u)", poll->client);
	}
}

#define MAX_DEPTH   16 /* longest chain of waits that is followed */
#define MAX_CLIENTS 16 /* clients described one by one */

static void
add_request_name(const struct request *rq, struct text *out)
{
	struct batch_name name = batch_name_of(rq);

	batch_name_long(&name, NULL, out);
	if (rq->engine != NULL)
		text_addf(out, " on %s", rq->engine->name);
}

static void
add_software_fence(const struct request *rq, uint32_t step, struct text *out)
{
	struct step_place place;

	if (step == NO_INDEX) {
		text_adds(out, ", which waits for a software fence");
		return;
	}
	place = batch_place(rq->client, step);
	text_adds(out, ", which waits for the fence of ");
	step_place_long(&place, NULL, out);
	text_adds(out, ", which is not signalled");
}

/* Adds what rq waits for. Returns the request that it waits for, to be
 * explained next; NULL: none. */
static const struct request *
explain_one(const struct sim *sim, const struct request *rq, struct text *out)
{
	struct blocker blocker = blocked_on(sim, rq);

	switch (blocker.kind) {
	case BLOCKED_NOT:
		if (rq->state == REQUEST_RUNNING)
			text_adds(out,
			    rq->infinite
				? ", which is infinite and not terminated"
				: ", which is running");
		break;
	case BLOCKED_ON_END: text_adds(out, ", which waits for "); break;
	case BLOCKED_ON_START:
		text_adds(out, ", which waits for the start of ");
		break;
	case BLOCKED_ON_SOFTWARE_FENCE:
		add_software_fence(rq, blocker.step, out);
		break;
	case BLOCKED_ON_ENGINE:
		text_adds(out, ", which is queued behind ");
		break;
	case BLOCKED_ON_SCHEDULER: text_addf(out, ", %s", blocker.why); break;
	case BLOCKED_ON_RESET:
		text_adds(out, ", whose engine is being reset");
		break;
	case BLOCKED_ON_MEMORY:
		text_adds(out, ", which polls ");
		explain_poll(&rq->engine->poll, out);
		break;
	case BLOCKED_ON_SEMAPHORE:
		text_adds(out,
		    blocker.by != NULL ? ", which polls for the end of "
				       : ", which polls");
		break;
	}
	if (blocker.by != NULL)
		add_request_name(blocker.by, out);
	return blocker.by;
}

void
sim_explain_request(
    const struct sim *sim, const struct request *rq, struct text *out)
{
	const struct request *at = rq;

	add_request_name(rq, out);
	for (unsigned i = 0; at != NULL && i < MAX_DEPTH; i++) {
		at = explain_one(sim, at, out);
		if (at == rq) {
			text_adds(out, ": a circular wait");
			return;
		}
	}
}

/* Adds the step at which a client is, after words. */
static void
add_place_of(const struct client *c, const char *words, struct text *out)
{
	struct step_place place = client_place(c);

	text_adds(out, words);
	step_place_long(&place, NULL, out);
}

static void
explain_client(const struct sim *sim, const struct client *c, struct text *out)
{
	const struct fence *f = blocked_on_fence(client_waits(c));
	const struct request *rq = f != NULL ? fence_request(f)
					     : client_any_request(c);

	text_addf(out, "client %u ", c->id);
	if (c->killed)
		text_adds(out, "was killed");
	else if (c->state == CLIENT_DRAINING)
		text_adds(out, "is draining");
	else if (c->walker == NULL)
		text_adds(out, "has no descriptor");
	else
		add_place_of(c, "is at ", out);
	if (rq != NULL) {
		text_adds(out, " and waits for ");
		sim_explain_request(sim, rq, out);
	}
	text_addc(out, '\n');
}

/* Returns the first foreground client that has not ended; NULL: none. */
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
	    (unsigned long long)client_iteration(c));
	if (c->state == CLIENT_DRAINING)
		text_adds(out, ", draining");
	else
		add_place_of(c, ", ", out);
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
		text_addf(out, "and %u more clients\n", n - MAX_CLIENTS);
}
