/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiled programs: their references, and whether one can replace another in
 * the middle of an iteration.
 */
#include "engine/compile/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* A program never changes, but for the count of its references. */
static struct program *
counted(const struct program *p)
{
	return (struct program *)(uintptr_t)p;
}

const struct program *
program_ref(const struct program *p)
{
	counted(p)->refs++;
	return p;
}

void
program_free(struct program *p)
{
	if (p == NULL || --p->refs > 0)
		return;
	arena_free(&p->arena);
	free(p);
}

void
program_unref(const struct program *p)
{
	program_free(counted(p));
}

uint32_t
program_find_context(const struct program *p, uint32_t number)
{
	uint32_t i = (uint32_t)lower_bound(
	    k, 0, p->n_contexts, p->contexts[k].number < number);

	return i < p->n_contexts && p->contexts[i].number == number
	    ? i
	    : p->n_contexts;
}

/* Shapes: all of two programs that a client at a step depends on. */

static bool
same_bonds(const struct context_def *a, const struct context_def *b)
{
	if (a->n_bonds != b->n_bonds)
		return false;
	for (uint32_t i = 0; i < a->n_bonds; i++) {
		if (a->bonds[i].master != b->bonds[i].master ||
		    a->bonds[i].siblings != b->bonds[i].siblings)
			return false;
	}
	return true;
}

static bool
same_context(const struct context_def *a, const struct context_def *b)
{
	return a->number == b->number && a->map == b->map &&
	    a->balanced == b->balanced && a->is_virtual == b->is_virtual &&
	    a->n_rows == b->n_rows && a->n_siblings == b->n_siblings &&
	    (a->n_rows == 0 ||
		memcmp(a->rows, b->rows, a->n_rows * a->n_siblings) == 0) &&
	    same_bonds(a, b);
}

static bool
same_ring(const struct ring_def *a, const struct ring_def *b)
{
	return a->context == b->context && a->is_virtual == b->is_virtual &&
	    a->engine == b->engine && a->engines == b->engines;
}

static bool
same_uses(const struct op_batch *a, const struct op_batch *b)
{
	if (a->n_uses != b->n_uses || a->n_data != b->n_data)
		return false;
	for (uint32_t i = 0; i < a->n_uses; i++) {
		const struct object_use *x = &a->uses[i], *y = &b->uses[i];

		if (x->object != y->object || x->shared != y->shared ||
		    x->write != y->write)
			return false;
	}
	return true;
}

static bool
same_fences(const struct op_batch *a, const struct op_batch *b)
{
	if (a->n_fences != b->n_fences)
		return false;
	for (uint32_t i = 0; i < a->n_fences; i++) {
		const struct fence_use *x = &a->fences[i], *y = &b->fences[i];

		if (x->step != y->step || x->submit != y->submit ||
		    x->software != y->software || x->fence != y->fence)
			return false;
	}
	return true;
}

static bool
same_batch(const struct op_batch *a, const struct op_batch *b)
{
	return a->context == b->context && a->ring == b->ring &&
	    a->output == b->output && a->wait == b->wait && same_uses(a, b) &&
	    same_fences(a, b);
}

static bool
same_op(const struct op *a, const struct op *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case STEP_BATCH: return same_batch(&a->batch, &b->batch);
	case STEP_DELAY:
	case STEP_PERIOD: return true;
	case STEP_THROTTLE:
	case STEP_QUEUE_DEPTH: return a->count == b->count;
	case STEP_FENCE: return a->fence == b->fence;
	case STEP_SYNC:
	case STEP_ADVANCE:
	case STEP_TERMINATE: return a->target == b->target;
	case STEP_PRIORITY:
	case STEP_SSEU: return a->set.context == b->set.context;
	/* Compared as part of the contexts and the objects. */
	case STEP_PREEMPTION:
	case STEP_MAP:
	case STEP_BALANCE:
	case STEP_BOND:
	case STEP_PARALLEL:
	case STEP_SET:
	case STEP_SHARED_SET:
	case N_STEP_KINDS: break;
	}
	return true;
}

bool
program_same_shape(const struct program *p, const struct program *q)
{
	if (p->n_ops != q->n_ops || p->n_contexts != q->n_contexts ||
	    p->n_rings != q->n_rings || p->n_objects != q->n_objects ||
	    p->n_shared != q->n_shared || p->n_fences != q->n_fences)
		return false;
	for (uint32_t i = 0; i < p->n_contexts; i++) {
		if (!same_context(&p->contexts[i], &q->contexts[i]))
			return false;
	}
	for (uint32_t i = 0; i < p->n_rings; i++) {
		if (!same_ring(&p->rings[i], &q->rings[i]))
			return false;
	}
	for (uint32_t i = 0; i < p->n_ops; i++) {
		if (!same_op(&p->ops[i], &q->ops[i]))
			return false;
	}
	return true;
}
