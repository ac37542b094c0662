/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes each request in flight with its waits, and checks the rules of single
 * events, ends, and queues.
 */
#include "engine/invariants/invariants.h"

#ifdef GPUWL_INVARIANTS

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/region.h"
#include "base/text.h"
#include "engine/client/origin.h"
#include "engine/sched/priolist.h"
#include "engine/sim.h"

/* A request that another one waits for. */
struct noted {
	struct noted *next;
	struct request_ref signaler;
	enum wait_cause cause;
};

static void
describe_request(const struct request *rq, struct text *out)
{
	text_addf(out, "client %u, step %u, iteration %llu", rq->client->id,
	    rq->origin.step, (unsigned long long)rq->origin.iteration);
}

void
invariants_broken(
    const struct sim *sim, const struct request *rq, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	text_addf(&t, "invariant broken at %llu ns under %s: ",
	    (unsigned long long)sim->now, sim->config.sched->name);
	if (rq != NULL) {
		describe_request(rq, &t);
		text_adds(&t, ": ");
	}
	va_start(ap, fmt);
	text_addv(&t, fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s\n", text_str(&t));
	fflush(stderr);
	abort();
}

void
invariants_kept(const struct sim *sim, uint32_t n_restored)
{
	if (sim->n_restored != n_restored)
		invariants_broken(sim, NULL,
		    "pointers are kept over a snapshot that was put back");
}

void
invariants_create(struct sim *sim)
{
	sim->invariants = region_alloc(sim->region, 1, sizeof *sim->invariants);
	pool_init(&sim->invariants->noted, sim->region, sizeof(struct noted));
}

/* Time never goes back. */
static void
check_time(struct sim *sim)
{
	struct invariants *inv = sim->invariants;

	if (sim->now < inv->now)
		invariants_broken(sim, NULL, "time went back from %llu ns",
		    (unsigned long long)inv->now);
	inv->now = sim->now;
}

/* Checks that the request on e is in flight and runs only there. */
static void
check_engine_runs(const struct sim *sim, const struct hw_engine *e)
{
	const struct request *rq = e->running;

	if (rq == NULL)
		return;
	if (rq->seq == 0)
		invariants_broken(
		    sim, NULL, "%s runs a request that has ended", e->name);
	if (rq->state != REQUEST_RUNNING)
		invariants_broken(
		    sim, rq, "is on %s but is not running", e->name);
	if (rq->engine != e)
		invariants_broken(
		    sim, rq, "is on %s, and on another engine", e->name);
	if (!(rq->allowed >> e->index & 1))
		invariants_broken(
		    sim, rq, "is on %s, where it may not run", e->name);
}

void
invariants_event(struct sim *sim)
{
	nsec next = event_next_time(&sim->events);

	check_time(sim);
	if (next < sim->now)
		invariants_broken(sim, NULL, "an event of %llu ns comes late",
		    (unsigned long long)next);
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		check_engine_runs(sim, &sim->device.engines[i]);
}

/* Requests in flight. */

static void
link_last(struct invariants *inv, struct request *rq)
{
	rq->check.before = inv->last;
	if (inv->last != NULL)
		inv->last->check.after = rq;
	else
		inv->first = rq;
	inv->last = rq;
	inv->n_in_flight++;
}

static void
unlink_request(struct invariants *inv, struct request *rq)
{
	struct request *before = rq->check.before, *after = rq->check.after;

	*(before != NULL ? &before->check.after : &inv->first) = after;
	*(after != NULL ? &after->check.before : &inv->last) = before;
	inv->n_in_flight--;
}

static void
note_wait(
    struct invariants *inv, struct request *rq, const struct dependency *dep)
{
	struct noted *noted = pool_get(&inv->noted);

	noted->signaler = request_ref(dep->signaler);
	noted->cause = dep->cause;
	noted->next = rq->check.waits;
	rq->check.waits = noted;
}

/* Sets the expected priority of all rows. */
static void
set_priority(struct request *rq, int16_t priority)
{
	for (; rq != NULL; rq = rq->next_row)
		rq->check.priority = priority;
}

/*
 * Repeats inheritance: priorities rise only at a submission, of all requests
 * that the new one waits for, and so on, but not beyond one that has started
 * (doc/model/execlists.md "Inheritance"). Requests of at least that priority
 * end the walk.
 */
static void
note_inherited(struct sim *sim, struct request *rq)
{
	struct request *visit = rq;

	rq->check.visit = NULL;
	while (visit != NULL) {
		struct request *at = visit;

		visit = at->check.visit;
		for (struct noted *w = at->check.waits; w != NULL;
		     w = w->next) {
			struct request *s = request_get(w->signaler);

			if (s == NULL || s->check.priority >= rq->priority)
				continue;
			if (s->priority != rq->priority)
				invariants_broken(sim, s,
				    "has priority %d and not that of what "
				    "waits for it, %d",
				    s->priority, rq->priority);
			set_priority(s, rq->priority);
			if (fence_signalled(&s->scheduled) &&
			    !sim->config.sched->inherits_through_started)
				continue;
			s->check.visit = visit;
			visit = s;
		}
	}
}

void
invariants_submitted(struct sim *sim, struct request *rq)
{
	struct invariants *inv = sim->invariants;

	for (struct request *row = rq; row != NULL; row = row->next_row) {
		if (inv->last != NULL && inv->last->seq >= row->seq)
			invariants_broken(
			    sim, row, "was submitted before the last one");
		inv->n_submitted++;
		link_last(inv, row);
	}
	set_priority(rq, rq->priority);
	for (size_t i = 0; i < sim->n_deps; i++)
		note_wait(inv, rq, &sim->deps[i]);
	if (sim->config.sched->inherits)
		note_inherited(sim, rq);
}

void
invariants_refused(struct sim *sim)
{
	sim->invariants->n_refused++;
}

static bool
has_started(const struct sim *sim, const struct request *rq)
{
	if (sim->config.sched->has_started != NULL)
		return sim->config.sched->has_started(rq);
	return fence_signalled(&rq->scheduled);
}

/* Returns true if a noted wait is over: a start for s-n, else an end. */
static bool
wait_is_over(const struct sim *sim, const struct noted *w)
{
	const struct request *s = request_get(w->signaler);

	return s == NULL || s->state == REQUEST_ENDED ||
	    (w->cause == WAIT_SUBMIT && has_started(sim, s));
}

/* Returns true if rq, of a program, waits for a software fence. All fences of
 * an iteration have signalled at its end. */
static bool
waits_for_software(const struct request *rq, const struct fence_use *use)
{
	const struct client *c = rq->client;

	return use->software && client_iteration(c) == rq->origin.iteration &&
	    !fence_signalled(&rq->origin.instance->fences[use->fence]);
}

/* Returns true if rq, from outside, waits for a software fence. */
static bool
has_software_waiter(const struct request *rq)
{
	for (const struct waiter *w = rq->waits; w != NULL;
	     w = w->next_of_owner) {
		if (w->fence != NULL && w->fence->kind == FENCE_SOFTWARE)
			return true;
	}
	return false;
}

static const struct request *
find_wait(const struct sim *sim, const struct request *rq)
{
	for (const struct noted *w = rq->check.waits; w != NULL; w = w->next) {
		if (!wait_is_over(sim, w))
			return request_get(w->signaler);
	}
	return NULL;
}

static bool
has_software_wait(const struct request *rq)
{
	const struct op_batch *b = request_batch(rq);

	if (rq->gave_up)
		return false;
	if (b == NULL)
		return has_software_waiter(rq);
	for (uint32_t i = 0; i < b->n_fences; i++) {
		if (waits_for_software(rq, &b->fences[i]))
			return true;
	}
	return false;
}

bool
invariants_has_waits(const struct sim *sim, const struct request *rq)
{
	return find_wait(sim, rq) != NULL || has_software_wait(rq);
}

/* Checks that no batch begins before its waits are over. */
void
invariants_begin(struct sim *sim, const struct hw_engine *e)
{
	const struct request *rq = e->running;
	const struct request *wait = find_wait(sim, rq);

	check_time(sim);
	for (const struct request *row = rq; row != NULL; row = row->next_row)
		check_engine_runs(sim, row->engine);
	if (wait != NULL)
		invariants_broken(sim, rq,
		    "runs before its fences: it waits for client %u, step %u, "
		    "iteration %llu",
		    wait->client->id, wait->origin.step,
		    (unsigned long long)wait->origin.iteration);
	if (has_software_wait(rq))
		invariants_broken(sim, rq,
		    "runs before its fences: a software fence has not "
		    "signalled");
	if (rq->n_waits > 0 || rq->n_unended > 0)
		invariants_broken(sim, rq, "runs with waits that are not over");
	if (!fence_signalled(&rq->queued))
		invariants_broken(sim, rq, "runs and was never ready");
}

static void
check_times(const struct sim *sim, const struct request *rq)
{
	nsec end = fence_time(&rq->finished);

	if (end != sim->now)
		invariants_broken(sim, rq, "does not end now");
	if (fence_signalled(&rq->queued) &&
	    fence_time(&rq->queued) < rq->submit_ns)
		invariants_broken(sim, rq, "was ready before its submission");
	if (!fence_signalled(&rq->scheduled) ||
	    fence_time(&rq->scheduled) > end)
		invariants_broken(sim, rq, "ends before its start");
	if (fence_signalled(&rq->queued) &&
	    fence_time(&rq->scheduled) < fence_time(&rq->queued))
		invariants_broken(sim, rq, "started before it was ready");
	if (rq->run_ns > end - fence_time(&rq->scheduled))
		invariants_broken(
		    sim, rq, "ran for longer than from its start to its end");
}

void
invariants_ended(struct sim *sim, struct request *rq)
{
	struct invariants *inv = sim->invariants;

	if (rq->state != REQUEST_ENDED)
		invariants_broken(sim, rq, "is released before its end");
	if (rq->priority != rq->check.priority)
		invariants_broken(sim, rq,
		    "has priority %d and inherited no more than %d",
		    rq->priority, rq->check.priority);
	check_times(sim, rq);
	if (rq->finished.error == 0) {
		if (invariants_has_waits(sim, rq))
			invariants_broken(sim, rq, "ends before its fences");
		if (!sim->config.sched->reported &&
		    (rq->infinite || rq->work_ns != rq->duration_ns))
			invariants_broken(sim, rq,
			    "has done %llu ns of work of %llu ns",
			    (unsigned long long)rq->work_ns,
			    (unsigned long long)rq->duration_ns);
	}
	inv->n_ended++;
	/* A cancelled request never had an engine. */
	inv->n_ran += rq->scheduled.error == 0;
	while (rq->check.waits != NULL) {
		struct noted *w = rq->check.waits;

		rq->check.waits = w->next;
		pool_put(&inv->noted, w);
	}
	unlink_request(inv, rq);
}

void
invariants_fence(const struct client *c, const struct fence *f)
{
	if (!fence_signalled(f))
		invariants_broken(c->sim, NULL,
		    "client %u resets fence %td, which has not signalled",
		    c->id, f - c->walker->instance->fences);
}

/* Queues. */

static void
check_waits_here(
    const struct sim *sim, const struct hw_engine *e, const struct request *rq)
{
	if (rq->seq == 0 || rq->state != REQUEST_READY)
		invariants_broken(sim, NULL,
		    "a request in the queue of %s is not ready", e->name);
	if (!(rq->allowed >> e->index & 1))
		invariants_broken(sim, rq,
		    "is in the queue of %s, where it may not run", e->name);
}

static void
check_count(const struct sim *sim, const struct hw_engine *e, uint32_t n)
{
	if (n != e->queued)
		invariants_broken(sim, NULL,
		    "%u requests wait for %s, and %u are in its queue",
		    e->queued, e->name, n);
}

void
invariants_heap(
    const struct sim *sim, const struct hw_engine *e, const struct heap *queue)
{
	uint64_t mark = ++sim->invariants->last_mark;
	uint32_t n = 0;

	for (size_t i = 0; i < queue->n; i++) {
		const struct heap_entry *entry = &queue->entries[i];
		struct request *rq = entry->item;

		if (rq->seq != entry->seq || rq->state != REQUEST_READY)
			continue; /* taken by a sibling */
		if (rq->check.mark == mark)
			continue; /* put back since */
		rq->check.mark = mark;
		check_waits_here(sim, e, rq);
		if (entry->key != fence_time(&rq->queued))
			invariants_broken(sim, rq,
			    "is in the queue of %s as ready at %llu ns",
			    e->name, (unsigned long long)entry->key);
		n++;
	}
	check_count(sim, e, n);
}

static void
check_place(const struct sim *sim, const struct hw_engine *e,
    const struct priolist_place *place, int priority, unsigned list)
{
	const struct request *rq = place->rq;

	check_waits_here(sim, e, rq);
	if (rq->priority != priority || place->priority != priority ||
	    (rq->n_unended > 0) != (list == PLACE_POLLS) ||
	    place->list != list || place->engine != e->index)
		invariants_broken(sim, rq, "is in the wrong list of %s: %d%s",
		    e->name, priority,
		    list == PLACE_POLLS ? ", would poll" : "");
	if (place->next != NULL && place->next->prev != place)
		invariants_broken(
		    sim, rq, "is linked wrongly in a list of %s", e->name);
}

/* Checks the requests of one level and their order. Returns their number. */
static uint32_t
check_level(const struct sim *sim, const struct hw_engine *e,
    const struct priolist *list, const struct level *level)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < N_PLACE_LISTS; i++) {
		const struct priolist_place *last = NULL;
		const struct priolist_place *place = level->lists[i].first;

		for (; place != NULL; place = place->next) {
			check_place(sim, e, place, level->priority, i);
			if (last != NULL &&
			    !priolist_before(list, last->rq, place->rq))
				invariants_broken(sim, place->rq,
				    "is behind a later one on %s", e->name);
			last = place;
			n++;
		}
		if (level->lists[i].last != last)
			invariants_broken(
			    sim, NULL, "a list of %s has no end", e->name);
	}
	return n;
}

void
invariants_priolist(const struct sim *sim, const struct hw_engine *e,
    const struct priolist *list, uint32_t beside)
{
	uint32_t n = beside;

	for (size_t i = 0; i < list->n; i++) {
		uint32_t here = check_level(sim, e, list, &list->levels[i]);

		if (here == 0 ||
		    (i > 0 &&
			list->levels[i - 1].priority <=
			    list->levels[i].priority))
			invariants_broken(sim, NULL,
			    "%s: level %d is empty or out of order", e->name,
			    list->levels[i].priority);
		n += here;
	}
	check_count(sim, e, n);
}

#endif
