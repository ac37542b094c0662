/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps that set contexts up: engine maps, bonds, parallel slots, and what a
 * context may change on its way: priority, slices, preemption points. Values
 * that do not change are written once, at the top.
 */
#include "base/mem.h"
#include "trace/infer/infer_private.h"

struct made_step *
infer_add_step(struct made *made, enum step_kind kind)
{
	made->steps = mem_grow(
	    made->steps, made->n, &made->cap, sizeof(*made->steps));
	made->steps[made->n] = (struct made_step){.kind = (uint8_t)kind};
	return &made->steps[made->n++];
}

static const struct infer_timeline *
timeline_at(const struct found *f, uint32_t position)
{
	return &f->s->timelines[f->batches[position].timeline];
}

/* The batch before that one of the same context, around the start; itself if it
 * is the only one. */
static uint32_t
one_before(const struct found *f, uint32_t position)
{
	uint32_t number = timeline_at(f, position)->number;
	uint32_t at = position;

	do
		at = (at + f->length - 1) % f->length;
	while (timeline_at(f, at)->number != number);
	return at;
}

/* True if no batch of its context is before it in the iteration. */
static bool
is_first_of_context(const struct found *f, uint32_t position)
{
	return one_before(f, position) >= position;
}

/* Engine maps */

static void
add_bonds(const struct infer_timeline *t, struct made *made, uint32_t p)
{
	for (uint32_t i = 0;
	     t->setup != NULL && i < t->setup->n_bonds && i < INFER_MAX_BONDS;
	     i++) {
		struct made_step *step;

		/* Such a bond, which no step can say, lets nothing run. */
		if (t->setup->bonds[i].siblings == 0)
			continue;
		step = infer_add_step(made, STEP_BOND);
		step->number = t->number;
		step->position = p;
		step->back = i;
	}
}

static void
add_map(const struct infer_timeline *t, struct made *made, uint32_t p)
{
	struct made_step *step = infer_add_step(
	    made, t->is_parallel ? STEP_PARALLEL : STEP_MAP);

	step->number = t->number;
	step->position = p;
	if (t->is_parallel)
		return;
	infer_add_step(made, STEP_BALANCE)->number = t->number;
	add_bonds(t, made, p);
}

/* Attributes */

#define UNKNOWN INT64_MIN

/* A step kind, and what a batch has of it. */
struct attribute {
	enum step_kind kind;
	int64_t (*get)(const struct found *f, uint32_t position);
	int64_t usual; /* of a new context */
};

static int64_t
priority_at(const struct found *f, uint32_t position)
{
	int32_t priority = f->batches[position].priority;

	return priority == INFER_NO_PRIORITY ? UNKNOWN : priority;
}

/* 0: all slices. */
static int64_t
slices_at(const struct found *f, uint32_t position)
{
	uint32_t all = f->book->options->all_slices;
	uint32_t sseu = f->batches[position].sseu;

	return sseu == 0 || all == 0 || sseu == all ? 0 : sseu;
}

#define USUAL_POINTS_US 100 /* of gem_wsim */

static int64_t
points_at(const struct found *f, uint32_t position)
{
	return f->batches[position].no_points ? 0 : USUAL_POINTS_US;
}

static const struct attribute context_attributes[] = {
    {STEP_PREEMPTION, points_at, USUAL_POINTS_US},
    {STEP_SSEU, slices_at, 0},
    {STEP_PRIORITY, priority_at, 0},
};

#define N_ATTRIBUTES (sizeof(context_attributes) / sizeof(*context_attributes))

/* True if all batches of the context have the same. */
static bool
attribute_lasts(
    const struct found *f, const struct attribute *a, uint32_t position)
{
	int64_t value = a->get(f, position);
	uint32_t at = position;

	do {
		if (a->get(f, at) != value)
			return false;
		at = one_before(f, at);
	} while (at != position);
	return true;
}

static void
add_attribute(const struct found *f, struct made *made,
    const struct attribute *a, uint32_t position)
{
	int64_t value = a->get(f, position);
	struct made_step *step = infer_add_step(made, a->kind);

	if (a->kind == STEP_SSEU && value == 0)
		value = f->book->options->all_slices;
	step->number = timeline_at(f, position)->number;
	step->priority = (int32_t)value;
}

void
infer_add_setup(const struct found *f, struct made *made)
{
	if (f->n_objects > 0)
		infer_add_step(made, STEP_SET)->number = f->n_objects;
	if (f->n_shared > 0)
		infer_add_step(made, STEP_SHARED_SET)->number = f->n_shared;
	for (uint32_t p = 0; p < f->length; p++) {
		const struct infer_timeline *t = timeline_at(f, p);

		if (is_first_of_context(f, p) &&
		    (t->is_virtual || t->is_parallel))
			add_map(t, made, p);
	}
	for (size_t i = 0; i < N_ATTRIBUTES; i++) {
		const struct attribute *a = &context_attributes[i];

		for (uint32_t p = 0; p < f->length; p++) {
			int64_t value = a->get(f, p);

			if (value != a->usual && value != UNKNOWN &&
			    is_first_of_context(f, p) &&
			    attribute_lasts(f, a, p))
				add_attribute(f, made, a, p);
		}
	}
}

void
infer_add_changes(const struct found *f, struct made *made, uint32_t p)
{
	for (size_t i = 0; i < N_ATTRIBUTES; i++) {
		const struct attribute *a = &context_attributes[i];
		int64_t value = a->get(f, p);

		if (value == UNKNOWN || attribute_lasts(f, a, p))
			continue;
		if (is_first_of_context(f, p) ||
		    a->get(f, one_before(f, p)) != value)
			add_attribute(f, made, a, p);
	}
}
