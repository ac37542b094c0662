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

struct snapshot *
snapshot_take(const struct sim *sim)
{
	struct snapshot *s = mem_calloc(1, sizeof *s);
	size_t cap = 0;

	for (const struct program_use *p = sim->programs; p != NULL;
	     p = p->next) {
		s->programs = mem_grow(
		    s->programs, s->n_programs, &cap, sizeof *s->programs);
		s->programs[s->n_programs++] = program_ref(p->program);
	}
	s->copy = region_save(sim->region);
	return s;
}

/* What is attached to a simulation now, from outside. */
struct attached {
	struct observer **observers; /* as they are notified */
	size_t n_observers;
	uint32_t observed;
	enum sim_poll (*poll)(void *data);
	void *poll_data;
};

static struct attached
attached_to(const struct sim *sim)
{
	struct attached a = {
	    .observed = sim->observed,
	    .poll = sim->poll,
	    .poll_data = sim->poll_data,
	};
	size_t cap = 0;

	for (struct observer *o = sim->observers; o != NULL; o = o->next) {
		a.observers = mem_grow(
		    a.observers, a.n_observers, &cap, sizeof *a.observers);
		a.observers[a.n_observers++] = o;
	}
	return a;
}

static void
attach_again(struct sim *sim, const struct attached *a)
{
	struct observer **at = &sim->observers;

	for (size_t i = 0; i < a->n_observers; i++) {
		*at = a->observers[i];
		at = &a->observers[i]->next;
	}
	*at = NULL;
	sim->observed = a->observed;
	sim->poll = a->poll;
	sim->poll_data = a->poll_data;
}

void
snapshot_restore(struct sim *sim, const struct snapshot *s)
{
	struct attached a = attached_to(sim);

	/* The list that is put back has a reference of each program. */
	for (size_t i = 0; i < s->n_programs; i++)
		program_ref(s->programs[i]);
	for (struct program_use *p = sim->programs; p != NULL; p = p->next)
		program_unref(p->program);
	region_restore(sim->region, s->copy);
	attach_again(sim, &a);
	free(a.observers);
}

size_t
snapshot_size(const struct snapshot *s)
{
	return region_copy_size(s->copy);
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
