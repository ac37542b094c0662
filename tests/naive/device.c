/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engines, maps, bonds and parallel slots of the naive model: where a batch may
 * run. */
#include <stdio.h>
#include <string.h>

#include "tests/naive/world.h"

/*
 * Common: the order is RCS, BCS, VCS, VECS, CCS, then by instance.
 * An engine is named by its class, with its instance from 1 where the class
 * has more than one.
 */
void
naive_device_init(struct naive_world *w)
{
	for (int class = 0; class < N_CLASSES; class ++) {
		unsigned n = w->config->n_engines[class];

		for (unsigned i = 1; i <= n; i++) {
			struct naive_engine *e = &w->engines[w->n_engines];
			char *name = w->result->engines[w->n_engines].name;
			const char *const names[] = {
			    "RCS", "BCS", "VCS", "VECS", "CCS"};

			e->class = (enum engine_class) class;
			e->instance = (int)i;
			e->running = NONE;
			e->last = NONE;
			e->slice = NSEC_NEVER;
			e->queue = NONE;
			if (n == 1)
				snprintf(name, 12, "%s", names[class]);
			else
				snprintf(name, 12, "%s%u", names[class], i);
			w->n_engines++;
		}
	}
	w->result->n_engines = w->n_engines;
}

/* Tool: CLASS[instance][-gt]; a class alone is all of that class. All
 * engines of `ideal` are on gt 0. */
static bool
name_means(struct engine_name name, const struct naive_engine *e)
{
	return name.class == e->class &&
	    (name.instance == 0 || name.instance == e->instance) &&
	    name.gt <= 0;
}

static unsigned
count(const bool *set)
{
	unsigned n = 0;

	for (unsigned e = 0; e < NAIVE_MAX_ENGINES; e++)
		n += set[e];
	return n;
}

static int
first(const bool *set)
{
	for (int e = 0; e < NAIVE_MAX_ENGINES; e++) {
		if (set[e])
			return e;
	}
	return NONE;
}

static void
add_names(const struct naive_world *w, const struct engine_name *names,
    unsigned n, bool *set)
{
	for (unsigned i = 0; i < n; i++) {
		for (unsigned e = 0; e < w->n_engines; e++) {
			if (name_means(names[i], &w->engines[e]))
				set[e] = true;
		}
	}
}

static void
add_named(const struct naive_world *w, const struct step *step, bool *set)
{
	add_names(w, step->map.engines, step->map.n_engines, set);
}

/* Tool: maps are taken from all steps, wherever they stand. Common: the
 * last M of a context counts. NULL: it has none. */
static const struct step *
find_map(const struct naive_workload *workload, uint32_t context)
{
	for (unsigned s = workload->n_steps; s-- > 0;) {
		const struct step *step = workload->steps[s];

		if (step->kind == STEP_MAP && step->context == context)
			return step;
	}
	return NULL;
}

static bool
is_balanced(const struct naive_workload *workload, uint32_t context)
{
	for (unsigned s = 0; s < workload->n_steps; s++) {
		if (workload->steps[s]->kind == STEP_BALANCE &&
		    workload->steps[s]->context == context)
			return true;
	}
	return false;
}

/* Tool: without a map a class without instance is the first of it, and
 * DEFAULT is the render engine, else compute, else the first. */
static int
engine_without_map(const struct naive_world *w, struct engine_name name)
{
	if (name.class == CLASS_DEFAULT) {
		struct engine_name rcs = {.class = CLASS_RCS, .gt = -1};
		struct engine_name ccs = {.class = CLASS_CCS, .gt = -1};
		int e = engine_without_map(w, rcs);

		if (e == NONE)
			e = engine_without_map(w, ccs);
		return e == NONE ? 0 : e;
	}
	for (unsigned e = 0; e < w->n_engines; e++) {
		if (name_means(name, &w->engines[e]))
			return (int)e;
	}
	return NONE;
}

/* Guc: "the aligned set j is sibling j of every row, siblings in the order of
 * logical instances". False: a row does not have as many as the others. */
static bool
find_sets(const struct naive_world *w, const struct step *slot,
    struct naive_target *target)
{
	unsigned n_rows = slot->map.n_rows;
	unsigned per_row = slot->map.n_engines / n_rows;

	if (n_rows > NAIVE_MAX_WIDTH)
		return false;
	target->is_virtual = true;
	target->width = n_rows;
	target->n_sets = per_row;
	for (unsigned i = 0; i < n_rows; i++) {
		bool row[NAIVE_MAX_ENGINES] = {false};
		unsigned j = 0;

		add_names(w, slot->map.engines + i * per_row, per_row, row);
		if (count(row) != per_row)
			return false;
		for (unsigned e = 0; e < w->n_engines; e++) {
			if (row[e])
				target->sets[j++][i] = (int)e;
		}
	}
	target->first = target->sets[0][0];
	return true;
}

/* A G stands anywhere, as M. NULL: the context is not parallel. */
static const struct step *
find_slot(const struct naive_workload *workload, uint32_t context)
{
	for (unsigned s = 0; s < workload->n_steps; s++) {
		const struct step *step = workload->steps[s];

		if (step->kind == STEP_PARALLEL && step->context == context)
			return step;
	}
	return NULL;
}

/* Not parallel: each engine is a set of its own. */
static void
find_single_sets(struct naive_target *target)
{
	target->width = 1;
	for (int e = 0; e < NAIVE_MAX_ENGINES; e++) {
		if (target->may[e])
			target->sets[target->n_sets++][0] = e;
	}
}

/* The engines of the map. */
static void
mean_engines(const struct naive_world *w, const bool *map,
    struct engine_name name, bool *meant)
{
	for (unsigned e = 0; e < w->n_engines; e++)
		meant[e] = map[e] &&
		    (name.class == CLASS_DEFAULT ||
			name_means(name, &w->engines[e]));
}

/*
 * Common: a virtual engine is B with a map of two engines or more. A batch
 * that names one engine of the balanced map, or a class of which just one is
 * in it, runs on that one; a class that covers the whole map, DEFAULT, or an
 * engine of the device that is not in the map at all, means the virtual engine;
 * anything else is an error. Without B a class or DEFAULT must fit exactly one
 * engine of the map.
 */
static bool
find_engines(const struct naive_world *w, const struct naive_workload *workload,
    unsigned step, struct naive_target *target)
{
	struct engine_name name = workload->steps[step]->batch.engine;
	uint32_t context = workload->steps[step]->context;
	const struct step *written = find_map(workload, context);
	bool map[NAIVE_MAX_ENGINES] = {false};
	bool meant[NAIVE_MAX_ENGINES] = {false};

	if (written == NULL) {
		target->first = engine_without_map(w, name);
		if (target->first == NONE)
			return false;
		target->may[target->first] = true;
		return true;
	}
	add_named(w, written, map);
	mean_engines(w, map, name, meant);
	if (count(meant) == 0 && is_balanced(workload, context) &&
	    engine_without_map(w, name) != NONE)
		memcpy(meant, map, sizeof meant);
	memcpy(target->may, meant, sizeof meant);
	target->first = first(meant);
	if (count(meant) == 1)
		return true;
	/* Tool, q: the list of the first engine of the map, as written. */
	target->first = engine_without_map(w, written->map.engines[0]);
	target->is_virtual = true;
	return is_balanced(workload, context) && count(meant) > 0 &&
	    count(meant) == count(map);
}

/* Guc: a batch of a parallel context names DEFAULT. */
bool
naive_find_target(const struct naive_world *w,
    const struct naive_workload *workload, unsigned step,
    struct naive_target *target)
{
	const struct step *batch = workload->steps[step];
	const struct step *slot = find_slot(workload, batch->context);

	if (slot != NULL)
		return w->config->scheduler == NAIVE_GUC &&
		    batch->batch.engine.class == CLASS_DEFAULT &&
		    find_sets(w, slot, target);
	if (!find_engines(w, workload, step, target))
		return false;
	find_single_sets(target);
	return true;
}

/*
 * Execlists, bonds: if the context has bonds with master E, only their
 * siblings stay allowed (of several with the same master: any of them). A
 * master for which there is no bond restricts nothing. Common: a class as
 * master is each of its engines, one as sibling all of it that is in the map.
 */
void
naive_apply_bonds(const struct naive_world *w,
    const struct naive_workload *workload, uint32_t context, int master,
    bool *may)
{
	bool siblings[NAIVE_MAX_ENGINES] = {false};
	bool bonded = false;

	for (unsigned s = 0; s < workload->n_steps; s++) {
		const struct step *step = workload->steps[s];

		if (step->kind != STEP_BOND || step->context != context ||
		    !name_means(step->map.master, &w->engines[master]))
			continue;
		bonded = true;
		add_named(w, step, siblings);
	}
	for (unsigned e = 0; bonded && e < w->n_engines; e++)
		may[e] = may[e] && siblings[e];
}
