/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshots: the region of a simulation is copied and put back. References to
 * programs, which are outside it, are counted by whoever has a list of them;
 * observers and the poll function are attached again.
 */
#include "engine/snapshot.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/region.h"
#include "engine/sim.h"

struct snapshot {
	struct region_copy *copy;
	const struct program **programs; /* with a reference of each */
	size_t n_programs;
};

/* Observers and callbacks that are attached to a simulation from outside. */
struct attached {
	struct held_observers observers; /* as they are notified */
	uint32_t observed, n_polls, n_restored;
	enum sim_poll (*poll)(void *data);
	void *poll_data;
};

/* Detaches them, so that they are in no snapshot. */
static struct attached
detach(struct sim *sim)
{
	struct attached a = {
	    .observed = sim->observed,
	    .n_polls = sim->n_polls,
	    .n_restored = sim->n_restored,
	    .poll = sim->poll,
	    .poll_data = sim->poll_data,
	};
	size_t cap = 0;

	while (sim->observers != NULL) {
		struct observer *o = sim->observers;

		a.observers.list = mem_grow(a.observers.list, a.observers.n,
		    &cap, sizeof *a.observers.list);
		a.observers.list[a.observers.n++] = o;
		sim->observers = o->next;
		o->next = NULL;
	}
	sim->observed = 0;
	sim->n_polls = 0;
	sim->n_restored = 0;
	sim->poll = NULL;
	sim->poll_data = NULL;
	return a;
}

static void
attach_again(struct sim *sim, struct attached *a)
{
	struct observer **at = &sim->observers;

	for (size_t i = 0; i < a->observers.n; i++) {
		*at = a->observers.list[i];
		at = &a->observers.list[i]->next;
	}
	*at = NULL;
	sim->observed = a->observed;
	sim->n_polls = a->n_polls;
	sim->n_restored = a->n_restored;
	sim->poll = a->poll;
	sim->poll_data = a->poll_data;
	free(a->observers.list);
}

struct held_observers
sim_hold_observers(struct sim *sim)
{
	struct held_observers held = {0};
	size_t cap = 0;

	while (sim->observers != NULL) {
		held.list = mem_grow(
		    held.list, held.n, &cap, sizeof *held.list);
		held.list[held.n++] = sim->observers;
		sim_remove_observer(sim, sim->observers);
	}
	return held;
}

void
sim_resume_observers(struct sim *sim, struct held_observers *held)
{
	for (size_t i = held->n; i-- > 0;)
		sim_add_observer(sim, held->list[i]);
	free(held->list);
	*held = (struct held_observers){0};
}

struct snapshot *
snapshot_take(struct sim *sim)
{
	struct snapshot *s = mem_calloc(1, sizeof *s);
	struct attached a = detach(sim);
	size_t cap = 0;

	for (const struct program_use *p = sim->programs; p != NULL;
	     p = p->next) {
		s->programs = mem_grow(
		    s->programs, s->n_programs, &cap, sizeof *s->programs);
		s->programs[s->n_programs++] = program_ref(p->program);
	}
	s->copy = region_save(sim->region);
	attach_again(sim, &a);
	return s;
}

void
snapshot_restore(struct sim *sim, const struct snapshot *s)
{
	struct attached a = detach(sim);

	/* The list that is put back has a reference of each program. */
	for (size_t i = 0; i < s->n_programs; i++)
		program_ref(s->programs[i]);
	for (struct program_use *p = sim->programs; p != NULL; p = p->next)
		program_unref(p->program);
	region_restore(sim->region, s->copy);
	a.n_restored++;
	attach_again(sim, &a);
}

size_t
snapshot_size(const struct snapshot *s)
{
	return region_copy_size(s->copy);
}

size_t
snapshot_pages(const struct snapshot *s)
{
	return region_copy_pages(s->copy);
}

bool
snapshot_is_same(const struct snapshot *a, const struct snapshot *b)
{
	return region_copies_are_same(a->copy, b->copy);
}

void
snapshot_free(struct snapshot *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->n_programs; i++)
		program_unref(s->programs[i]);
	free(s->programs);
	region_copy_free(s->copy);
	free(s);
}
