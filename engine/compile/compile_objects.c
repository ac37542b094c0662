/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers the objects of working sets, and finds out which batch reads or
 * writes which.
 *
 * Objects of a set that all batches use alike are one object here: a set is cut
 * into pieces only where a dependency begins or ends. So memory depends on the
 * length of the text and not on the counts in it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/compile/compile.h"

/* The most uses in one program, to bound memory. */
#define MAX_USES (1u << 24)

struct object_set {
	uint32_t id;
	bool shared;
	uint32_t *cuts; /* where pieces begin; sorted, ends with n_objects */
	size_t n_cuts, cap_cuts;
	uint32_t first; /* object of the first piece */
};

struct object_space {
	struct object_set *sets; /* by id */
	size_t n_sets;
	/* By object: its index in uses, + 1; 0: the batch does not use it. */
	uint32_t *seen_private, *seen_shared;
	struct object_use *uses; /* of the batch being compiled */
	size_t n, cap;
};

static int
compare_sets(const void *a, const void *b)
{
	uint32_t x = ((const struct object_set *)a)->id;
	uint32_t y = ((const struct object_set *)b)->id;

	return x < y ? -1 : x > y;
}

static int
compare_cuts(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static struct object_set *
find_object_set(struct object_space *space, uint32_t id)
{
	struct object_set key = {.id = id};

	return bsearch(
	    &key, space->sets, space->n_sets, sizeof key, compare_sets);
}

static void
add_cut(struct object_set *set, uint32_t at)
{
	set->cuts = mem_grow(
	    set->cuts, set->n_cuts, &set->cap_cuts, sizeof *set->cuts);
	set->cuts[set->n_cuts++] = at;
}

static void
collect_sets(struct compiler *c, struct object_space *space)
{
	size_t cap = 0;

	for (uint32_t i = 0; i < c->program->n_ops; i++) {
		const struct step *step = c->steps[i].step;

		if (step->kind != STEP_SET && step->kind != STEP_SHARED_SET)
			continue;
		space->sets = mem_grow(
		    space->sets, space->n_sets, &cap, sizeof *space->sets);

		struct object_set *set = &space->sets[space->n_sets++];

		*set = (struct object_set){.id = step->set.id,
		    .shared = step->kind == STEP_SHARED_SET};
		add_cut(set, 0);
		add_cut(set, step->set.n_objects);
	}
	if (space->n_sets > 0)
		qsort(space->sets, space->n_sets, sizeof *space->sets,
		    compare_sets);
}

static bool
names_a_set(const struct dep *dep)
{
	return dep->kind == DEP_READ || dep->kind == DEP_WRITE;
}

static void
cut_sets(struct compiler *c, struct object_space *space)
{
	for (uint32_t i = 0; i < c->program->n_ops; i++) {
		const struct step *step = c->steps[i].step;

		for (uint32_t k = 0;
		     step->kind == STEP_BATCH && k < step->batch.n_deps; k++) {
			const struct dep *dep = &step->batch.deps[k];

			if (!names_a_set(dep))
				continue;

			struct object_set *set = find_object_set(
			    space, dep->set);

			if (set == NULL)
				continue; /* reported by use_set() */
			add_cut(set, dep->first);
			add_cut(set, dep->last + 1);
		}
	}
}

/* Sorts the cuts, drops repeated ones and gives the pieces their numbers. */
static void
number_pieces(struct compiler *c, struct object_space *space)
{
	struct program *p = c->program;

	p->n_objects = p->n_batches;
	for (size_t i = 0; i < space->n_sets; i++) {
		struct object_set *set = &space->sets[i];
		uint32_t *count = set->shared ? &p->n_shared : &p->n_objects;
		size_t n = 0;

		qsort(set->cuts, set->n_cuts, sizeof *set->cuts, compare_cuts);
		for (size_t k = 0; k < set->n_cuts; k++) {
			if (k == 0 || set->cuts[k] != set->cuts[n - 1])
				set->cuts[n++] = set->cuts[k];
		}
		set->n_cuts = n;
		set->first = *count;
		*count += (uint32_t)n - 1;
	}
}

struct object_space *
compile_objects(struct compiler *c)
{
	struct object_space *space = mem_calloc(1, sizeof *space);

	collect_sets(c, space);
	cut_sets(c, space);
	number_pieces(c, space);
	space->seen_private = mem_calloc(
	    c->program->n_objects + 1, sizeof *space->seen_private);
	space->seen_shared = mem_calloc(
	    c->program->n_shared + 1, sizeof *space->seen_shared);
	return space;
}

void
compile_objects_free(struct object_space *space)
{
	for (size_t i = 0; i < space->n_sets; i++)
		free(space->sets[i].cuts);
	free(space->sets);
	free(space->seen_private);
	free(space->seen_shared);
	free(space->uses);
	free(space);
}

/* Adds a use of an object by the batch; a second use only adds the write. */
static void
use(struct object_space *space, uint32_t object, bool shared, bool write)
{
	uint32_t *seen = (shared ? space->seen_shared : space->seen_private) +
	    object;

	if (*seen > 0) {
		space->uses[*seen - 1].write |= write;
		return;
	}
	space->uses = mem_grow(
	    space->uses, space->n, &space->cap, sizeof *space->uses);
	space->uses[space->n++] = (struct object_use){object, shared, write};
	*seen = (uint32_t)space->n;
}

static void
use_set(struct compiler *c, struct object_space *space,
    const struct source_step *s, const struct dep *dep)
{
	struct object_set *set = find_object_set(space, dep->set);

	if (set == NULL) {
		compile_report(
		    c, s, DIAG_ERROR, 3, "no working set %u", dep->set);
		return;
	}

	uint32_t *first = bsearch(&dep->first, set->cuts, set->n_cuts,
	    sizeof *set->cuts, compare_cuts);

	for (uint32_t *cut = first; *cut <= dep->last; cut++)
		use(space, set->first + (uint32_t)(cut - set->cuts),
		    set->shared, dep->kind == DEP_WRITE);
}

static void
forget_uses(struct object_space *space)
{
	for (size_t i = 0; i < space->n; i++) {
		const struct object_use *u = &space->uses[i];

		(u->shared ? space->seen_shared
			   : space->seen_private)[u->object] = 0;
	}
	space->n = 0;
}

void
compile_uses(struct compiler *c, struct object_space *space,
    const struct source_step *s, struct op_batch *batch)
{
	struct program *p = c->program;
	const struct step *step = s->step;
	uint32_t i = (uint32_t)(s - c->steps);

	use(space, batch->output, false, true);
	for (uint32_t k = 0; k < step->batch.n_deps; k++) {
		const struct dep *dep = &step->batch.deps[k];

		if (dep->kind == DEP_DATA)
			use(space, p->ops[i - dep->back].batch.output, false,
			    false);
	}
	batch->n_data = (uint32_t)space->n - 1;
	for (uint32_t k = 0; k < step->batch.n_deps; k++) {
		if (names_a_set(&step->batch.deps[k]))
			use_set(c, space, s, &step->batch.deps[k]);
	}
	c->n_uses += space->n;
	if (c->n_uses > MAX_USES) {
		compile_report(c, s, DIAG_ERROR, 3,
		    "the batches of this descriptor use working sets more "
		    "than %u times in all",
		    MAX_USES);
	} else {
		batch->n_uses = (uint32_t)space->n;
		batch->uses = compile_copy(
		    c, space->uses, space->n, sizeof *space->uses);
	}
	forget_uses(space);
}
