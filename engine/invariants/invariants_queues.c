/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queues of schedulers: who is in them, and in which order. */
#include "engine/invariants/invariants.h"

#ifdef GPUWL_INVARIANTS

#include "base/heap.h"
#include "engine/sched/priolist.h"
#include "engine/sim.h"

static void
check_waits_here(
    const struct sim *sim, const struct hw_engine *e, const struct request *rq)
{
	if (rq->seq == 0 || rq->state != REQUEST_READY)
		invariants_broken(sim, NULL,
		    "what stands in the queue of %s is not ready", e->name);
	if (!(rq->allowed >> e->index & 1))
		invariants_broken(sim, rq,
		    "stands in the queue of %s, where it may not run", e->name);
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
			    "stands in the queue of %s as ready at %llu ns",
			    e->name, (unsigned long long)entry->key);
		n++;
	}
	check_count(sim, e, n);
}

static void
check_place(const struct sim *sim, const struct hw_engine *e,
    const struct place *place, int priority, unsigned list)
{
	const struct request *rq = place->rq;

	check_waits_here(sim, e, rq);
	if (rq->priority != priority || place->priority != priority ||
	    (rq->n_unended > 0) != (list == PLACE_POLLS) ||
	    place->list != list || place->engine != e->index)
		invariants_broken(sim, rq,
		    "stands in the wrong list of %s: %d%s", e->name, priority,
		    list == PLACE_POLLS ? ", would poll" : "");
	if (place->next != NULL && place->next->prev != place)
		invariants_broken(
		    sim, rq, "is linked wrongly in a list of %s", e->name);
}

/* All of one level; each is counted, and after the one before it. */
static uint32_t
check_level(const struct sim *sim, const struct hw_engine *e,
    const struct priolist *list, const struct level *level)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < N_PLACE_LISTS; i++) {
		const struct place *last = NULL;
		const struct place *place = level->lists[i].first;

		for (; place != NULL; place = place->next) {
			check_place(sim, e, place, level->priority, i);
			if (last != NULL &&
			    !priolist_before(list, last->rq, place->rq))
				invariants_broken(sim, place->rq,
				    "stands behind a later one on %s", e->name);
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
