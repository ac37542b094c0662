/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queues of execlists: where requests wait, move to the tail of their
 * level, and take those with them that wait for them. */
#include "engine/sched/execlists.h"

#include <stdlib.h>

#include "base/region.h"
#include "engine/gpu/exec.h"
#include "engine/instant.h"

/* Returns true if a new request may be committed, or outranks committed ones. */
static bool
matters_to_ports(const struct sim *sim, const struct hw_engine *e)
{
	const struct execlists *x = sim->sched_data;

	return x->commits &&
	    (port_of(sim, e)->second.first == NULL ||
		commit_is_outranked(sim, e));
}

/* Notes that rq now waits for e, or can run now. Within a slice, a request that
 * does not preempt changes nothing until the slice is over. */
static void
note_arrival(
    struct sim *sim, const struct hw_engine *e, const struct request *rq)
{
	if (!exec_is_running(e) || !slice_is_running(sim, e) ||
	    slice_is_over(sim, e) || port_preempts(rq->priority, e->running) ||
	    matters_to_ports(sim, e))
		port_changed(sim, e);
}

void
execlists_enqueue(struct sim *sim, struct request *rq)
{
	struct execlists *x = sim->sched_data;

	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);
		struct priolist_place *place = pool_get(&x->places);

		place->rq = rq;
		place->engine = (uint8_t)i;
		place->next_of_request = rq->places;
		rq->places = place;
		priolist_add(&x->ports[i].waiting, place);
		device_add_queued(&sim->device, &sim->device.engines[i], 1);
		note_arrival(sim, &sim->device.engines[i], rq);
	}
	rq->ring->waiting++;
	x->waited_for |= rq->allowed;
}

void
execlists_remove_place(struct execlists *x, struct priolist_place *place)
{
	struct priolist *list = &x->ports[place->engine].waiting;

	priolist_remove(list, place);
	if (list->n == 0)
		x->waited_for &= ~((engine_mask)1 << place->engine);
}

void
execlists_dequeue(struct sim *sim, struct request *rq)
{
	struct execlists *x = sim->sched_data;
	struct priolist_place *place = rq->places;

	while (place != NULL) {
		struct priolist_place *next = place->next_of_request;

		if (place->list != PLACE_COMMITTED)
			execlists_remove_place(x, place);
		else
			commit_pop(sim, &sim->device.engines[place->engine]);
		device_add_queued(
		    &sim->device, &sim->device.engines[place->engine], -1);
		pool_put(&x->places, place);
		place = next;
	}
	rq->ring->waiting--;
	ports_changed(x, rq->allowed);
	rq->places = NULL;
}

void
execlists_to_tail(struct sim *sim, struct request *rq)
{
	struct execlists *x = sim->sched_data;

	rq->level_ns = sim->now;
	if (rq->places == NULL) {
		execlists_enqueue(sim, rq);
		return;
	}
	ports_changed(x, rq->allowed);
	if (commit_is_committed(rq))
		return; /* committed requests stay ("Raised") */
	for (struct priolist_place *p = rq->places; p != NULL;
	     p = p->next_of_request) {
		priolist_remove(&x->ports[p->engine].waiting, p);
		priolist_add(&x->ports[p->engine].waiting, p);
	}
}

static int
compare_submission(const void *a, const void *b)
{
	uint64_t x = (*(struct request *const *)a)->seq;
	uint64_t y = (*(struct request *const *)b)->seq;

	return x < y ? -1 : x > y;
}

void
execlists_note_raised(struct sim *sim, struct request *rq)
{
	struct execlists *x = sim->sched_data;

	x->raised = region_grow(sim->region, x->raised, x->n_raised,
	    &x->cap_raised, sizeof(struct request *));
	x->raised[x->n_raised++] = rq;
}

/* Returns true if the requests are in reverse order of submission: a chain is
 * raised from its end. */
static bool
is_latest_first(struct request *const *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (list[i - 1]->seq < list[i]->seq)
			return false;
	return true;
}

/* In order of submission, each request goes behind the one before. */
void
execlists_move_raised(struct sim *sim)
{
	struct execlists *x = sim->sched_data;

	if (is_latest_first(x->raised, x->n_raised)) {
		while (x->n_raised > 0)
			execlists_to_tail(sim, x->raised[--x->n_raised]);
		return;
	}
	qsort(x->raised, x->n_raised, sizeof(struct request *),
	    compare_submission);
	for (size_t i = 0; i < x->n_raised; i++)
		execlists_to_tail(sim, x->raised[i]);
	x->n_raised = 0;
}

void
execlists_can_run(struct waiter *w)
{
	struct request *rq = w->owner;
	struct sim *sim = rq->client->sim;
	struct execlists *x = sim->sched_data;

	if (!instant_end_wait(w))
		return;
	if (rq->state == REQUEST_RUNNING) {
		x->can_begin |= rq->engine->bit;
		return;
	}
	for (struct priolist_place *p = rq->places; p != NULL;
	     p = p->next_of_request) {
		if (p->list != PLACE_COMMITTED)
			priolist_can_run(&x->ports[p->engine].waiting, p);
		note_arrival(sim, &sim->device.engines[p->engine], rq);
	}
}

/* Returns true if the followers are in order of submission, as they usually
 * are. */
static bool
is_in_order(const struct port *port)
{
	for (size_t i = 1; i < port->n_waiters; i++) {
		if (port->waiters[i]->seq < port->waiters[i - 1]->seq)
			return false;
	}
	return true;
}

/* Returns true if rq waits in the queue of that port, at that priority. */
static bool
waits_at(const struct request *rq, unsigned port, int priority)
{
	const struct priolist_place *place = rq->places;

	while (place != NULL && place->engine != port)
		place = place->next_of_request;
	return place != NULL && rq->priority == priority;
}

static void
add_follower(struct port *port, struct request *rq)
{
	port->waiters = region_grow(rq->client->sim->region, port->waiters,
	    port->n_waiters, &port->cap_waiters, sizeof(struct request *));
	port->waiters[port->n_waiters++] = rq;
}

/* port->waiters is both the result and the list of requests to visit. */
void
execlists_find_followers(struct sim *sim, struct port *port, struct request *rq)
{
	struct execlists *x = sim->sched_data;
	unsigned index = (unsigned)(port - x->ports);
	const struct request *at = rq;
	size_t visited = 0;

	port->n_waiters = 0;
	x->mark++;
	while (at != NULL) {
		for (struct waiter *w = fence_waiters(&at->finished); w != NULL;
		     w = w->next_of_fence) {
			struct request *waiter = w->owner;

			if (w->wake != execlists_can_run ||
			    waiter->mark == x->mark ||
			    !waits_at(waiter, index, rq->priority))
				continue;
			waiter->mark = x->mark;
			add_follower(port, waiter);
		}
		at = visited < port->n_waiters ? port->waiters[visited++]
					       : NULL;
	}
	if (!is_in_order(port))
		qsort(port->waiters, port->n_waiters, sizeof(struct request *),
		    compare_submission);
}

void
execlists_defer_followers(struct sim *sim, struct port *port)
{
	for (size_t i = 0; i < port->n_waiters; i++)
		execlists_to_tail(sim, port->waiters[i]);
	port->n_waiters = 0;
}
