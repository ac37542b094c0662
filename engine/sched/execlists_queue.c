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
execlists_can_run(struct sim *sim, struct request *rq)
{
	struct execlists *x = sim->sched_data;

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

/* Finds the followers of rq, into port->waiters, which is also the list of
 * requests to visit. */
static void
find_followers(struct sim *sim, struct port *port, const struct request *rq)
{
	struct execlists *x = sim->sched_data;
	unsigned index = (unsigned)(port - x->ports);
	const struct request *at = rq;
	size_t visited = 0;

	port->n_waiters = 0;
	while (at != NULL) {
		for (struct waiter *w = fence_waiters(&at->finished); w != NULL;
		     w = w->next_of_fence) {
			struct request *waiter = waiter_owner(w);

			if (!instant_is_end_wait(w) || waiter->visited ||
			    !waits_at(waiter, index, rq->priority))
				continue;
			waiter->visited = true;
			add_follower(port, waiter);
		}
		at = visited < port->n_waiters ? port->waiters[visited++]
					       : NULL;
	}
}

/* Moves rq, which waits for one engine, to the place of that time if it is before
 * that. Returns false if it is not. */
static bool
move_back(struct port *port, struct request *rq, nsec level_ns)
{
	if (rq->level_ns >= level_ns)
		return false;
	rq->level_ns = level_ns;
	if (!commit_is_committed(rq)) { /* "Raised" */
		priolist_remove(&port->waiting, rq->places);
		priolist_add(&port->waiting, rq->places);
	}
	return true;
}

static void
settle_request(struct sim *sim, struct port *port, struct request *rq)
{
	rq->deferred = false;
	find_followers(sim, port, rq);
	for (size_t i = 0; i < port->n_waiters; i++) {
		port->waiters[i]->visited = false;
		move_back(port, port->waiters[i], rq->level_ns);
	}
	port->n_waiters = 0;
}

void
execlists_settle(struct sim *sim, engine_mask engines)
{
	struct execlists *x = sim->sched_data;

	for (engine_mask m = engines & x->deferred; m != 0; m &= m - 1) {
		struct port *port = &x->ports[__builtin_ctzll(m)];

		for (size_t i = 0; i < port->n_deferred; i++) {
			struct request *rq = request_get(port->deferred[i]);

			if (rq != NULL)
				settle_request(sim, port, rq);
		}
		port->n_deferred = 0;
	}
	x->deferred &= ~engines;
}

void
execlists_settle_first(struct sim *sim, engine_mask engines)
{
	const struct execlists *x = sim->sched_data;

	for (engine_mask m = engines & x->deferred; m != 0; m &= m - 1) {
		const struct request *first = priolist_first(
		    &x->ports[__builtin_ctzll(m)].waiting);

		if (first != NULL && first->n_unended > 0)
			execlists_settle(sim, m & -m);
	}
}

/* Removes requests that have ended from the list of deferred ones. */
static void
prune_deferred(struct port *port)
{
	size_t n = 0;

	for (size_t i = 0; i < port->n_deferred; i++) {
		if (request_get(port->deferred[i]) != NULL)
			port->deferred[n++] = port->deferred[i];
	}
	port->n_deferred = n;
}

static void
make_room_for_deferred(const struct sim *sim, struct port *port)
{
	prune_deferred(port);
	/* Pruning stays rare if a quarter of the room is free after it. */
	if (port->n_deferred >= port->cap_deferred - port->cap_deferred / 4)
		port->deferred = region_grow(sim->region, port->deferred,
		    port->cap_deferred, &port->cap_deferred,
		    sizeof *port->deferred);
}

static void
note_deferred(struct sim *sim, const struct hw_engine *e, struct request *rq)
{
	struct execlists *x = sim->sched_data;
	struct port *port = port_of(sim, e);

	if (rq->deferred || fence_waiters(&rq->finished) == NULL)
		return;
	if (port->n_deferred == port->cap_deferred)
		make_room_for_deferred(sim, port);
	port->deferred[port->n_deferred++] = request_ref(rq);
	rq->deferred = true;
	x->deferred |= e->bit;
}

void
execlists_defer(struct sim *sim, const struct hw_engine *e, struct request *rq)
{
	note_deferred(sim, e, rq);
	/* There is always an order between all of them. */
	if (port_of(sim, e)->waiting.in_order)
		execlists_settle(sim, e->bit);
}

void
execlists_hand_on(
    struct sim *sim, const struct hw_engine *e, struct request *rq)
{
	struct port *port = port_of(sim, e);

	for (const struct waiter *w = fence_waiters(&rq->finished); w != NULL;
	     w = w->next_of_fence) {
		struct request *waiter = waiter_owner(w);

		if (instant_is_end_wait(w) &&
		    waits_at(waiter, e->index, rq->priority) &&
		    move_back(port, waiter, rq->level_ns))
			note_deferred(sim, e, waiter);
	}
}
