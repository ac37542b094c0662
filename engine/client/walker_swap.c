/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A walker changes its program: what the old and the new one have in common is
 * carried over, as walker_run.h says, from objects over contexts to rings.
 */
#include "engine/client/walker_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/region.h"
#include "engine/backend.h"
#include "engine/sim.h"

void
swap_prepare(struct walker *w, const struct program *program,
    struct shared_objects *shared)
{
	if (w->next_instance != NULL)
		instance_free(w->client.sim, w->next_instance);
	w->next_instance = instance_new(w->client.sim, program, shared);
}

/* Objects. */

/* Returns the next batch from op i on, in direction step, 1 or -1; n_ops:
 * none. */
static uint32_t
find_batch(const struct program *p, uint32_t i, int step)
{
	while (i < p->n_ops && p->ops[i].kind != STEP_BATCH)
		i += (uint32_t)step; /* below 0 wraps beyond n_ops */
	return i < p->n_ops ? i : p->n_ops;
}

static bool
same_engines(const struct ring_def *a, const struct ring_def *b)
{
	return a->is_virtual == b->is_virtual && a->engines == b->engines;
}

/* Returns true if two batches have contexts of one number and the same choice
 * of engines. */
static bool
same_place(const struct program *p, const struct op_batch *a,
    const struct program *q, const struct op_batch *b)
{
	return p->contexts[a->context].number ==
	    q->contexts[b->context].number &&
	    same_engines(&p->rings[a->ring], &q->rings[b->ring]);
}

/* Moves what is known of an object. */
static void
carry(struct object *from, struct object *to)
{
	struct object none = {.first_engine = -1};

	*to = *from;
	*from = none;
}

/* Carries over the outputs of batches in the same place, from the start (step
 * 1) or the end (-1) until two differ, at most max. Returns their number. */
static uint32_t
carry_outputs(
    const struct instance *from, struct instance *to, int step, uint32_t max)
{
	const struct program *p = from->program, *q = to->program;
	uint32_t i = step > 0 ? 0 : p->n_ops - 1;
	uint32_t k = step > 0 ? 0 : q->n_ops - 1;
	uint32_t n = 0;

	for (; n < max; n++, i += (uint32_t)step, k += (uint32_t)step) {
		i = find_batch(p, i, step);
		k = find_batch(q, k, step);
		if (i == p->n_ops || k == q->n_ops ||
		    !same_place(p, &p->ops[i].batch, q, &q->ops[k].batch))
			break;
		carry(&from->objects[p->ops[i].batch.output],
		    &to->objects[q->ops[k].batch.output]);
	}
	return n;
}

static void
carry_objects(const struct instance *from, struct instance *to)
{
	const struct program *p = from->program, *q = to->program;
	uint32_t max = p->n_batches < q->n_batches ? p->n_batches
						   : q->n_batches;
	uint32_t n_private = p->n_objects - p->n_batches;

	max -= carry_outputs(from, to, 1, max);
	carry_outputs(from, to, -1, max);
	if (q->n_objects - q->n_batches != n_private)
		return;
	for (uint32_t i = 0; i < n_private; i++)
		carry(&from->objects[p->n_batches + i],
		    &to->objects[q->n_batches + i]);
}

/* Contexts. */

static int
by_context_number(const void *a, const void *b)
{
	uint32_t x = (*(struct context *const *)a)->def->number;
	uint32_t y = (*(struct context *const *)b)->def->number;

	return x < y ? -1 : x > y;
}

/* Finds the context's next batch, from op *i on, with another distance of
 * preemption points than *us, and sets both. False: there is none. */
static bool
next_period(const struct program *p, uint32_t number, uint32_t *i, uint64_t *us)
{
	for (; *i < p->n_ops; ++*i) {
		const struct op *op = &p->ops[*i];

		if (op->kind != STEP_BATCH || op->batch.preempt_us == *us ||
		    p->contexts[op->batch.context].number != number)
			continue;
		*us = op->batch.preempt_us;
		return true;
	}
	return false;
}

/* Returns true if both programs give a context the same distances of preemption
 * points in the same order, however many batches have each. */
static bool
same_preemption(
    const struct program *p, const struct program *q, uint32_t number)
{
	uint64_t x = UINT64_MAX, y = UINT64_MAX;
	uint32_t i = 0, k = 0;
	bool more;

	do {
		more = next_period(p, number, &i, &x);
		if (more != next_period(q, number, &k, &y) || x != y)
			return false;
	} while (more);
	return true;
}

/* Returns the contexts of the next program, taken from the client where it has
 * them, then the client's other ones. Definitions are unchanged so far. */
static struct context **
match_contexts(struct walker *w, uint32_t *n_contexts)
{
	const struct program *p = w->next_instance->program;
	struct context **list = region_alloc(w->client.sim->region,
	    p->n_contexts + w->client.n_contexts + 1, sizeof *list);
	struct context **old = region_alloc(
	    w->client.sim->region, w->client.n_contexts + 1, sizeof *old);
	uint32_t n = p->n_contexts, at = 0;

	for (uint32_t i = 0; i < w->client.n_contexts; i++)
		old[i] = w->client.contexts[i];
	qsort(old, w->client.n_contexts, sizeof(struct context *),
	    by_context_number);
	for (uint32_t i = 0; i < p->n_contexts; i++) {
		const struct context_def *def = &p->contexts[i];

		for (; at < w->client.n_contexts &&
		     old[at]->def->number < def->number;
		     at++)
			list[n++] = old[at];
		if (at < w->client.n_contexts &&
		    old[at]->def->number == def->number)
			list[i] = old[at++];
		else
			list[i] = context_new(&w->client, def);
	}
	while (at < w->client.n_contexts)
		list[n++] = old[at++];
	region_put(old);
	*n_contexts = n;
	return list;
}

/* Returns a copy of the definition that does not depend on its program. */
static struct context_def *
remember_context(struct region *region, const struct context_def *def)
{
	struct context_def *own = region_alloc(region, 1, sizeof *own);

	*own = *def;
	own->bonds = NULL;
	own->rows = NULL;
	own->n_bonds = own->n_rows = own->n_siblings = own->n_rings = 0;
	return own;
}

static void
define_context(struct walker *w, struct context *context, uint32_t index)
{
	const struct program *p = w->program, *q = w->next_instance->program;

	context->index = index;
	if (context->preempt_ns != PREEMPT_BY_PROGRAM &&
	    index < q->n_contexts &&
	    !same_preemption(p, q, context->def->number))
		context->preempt_ns = PREEMPT_BY_PROGRAM;
	if (index < q->n_contexts) {
		context_set_def(context, &q->contexts[index], false);
		if (context->def->n_batches > 0)
			histogram_reserve(&context->times);
	} else if (!context->owns_def) {
		struct context_def *own = remember_context(
		    w->client.sim->region, context->def);

		context_set_def(context, own, true);
	}
}

/* Rings. */

static int
by_ring_engines(const void *a, const void *b)
{
	const struct ring *x = *(struct ring *const *)a;
	const struct ring *y = *(struct ring *const *)b;
	uint32_t m = x->context->def->number, n = y->context->def->number;

	if (m != n)
		return m < n ? -1 : 1;
	if (x->def->is_virtual != y->def->is_virtual)
		return x->def->is_virtual ? 1 : -1;
	if (x->def->engines != y->def->engines)
		return x->def->engines < y->def->engines ? -1 : 1;
	return 0;
}

static bool
same_rows(const struct context_def *a, const struct context_def *b)
{
	return a->n_rows == b->n_rows && a->n_siblings == b->n_siblings &&
	    (a->n_rows == 0 ||
		memcmp(a->rows, b->rows, a->n_rows * a->n_siblings) == 0);
}

/* Returns the place in old of the ring that fits def; NULL: there is none. */
static struct ring **
find_ring(struct ring **old, uint32_t n, struct context *context,
    const struct ring_def *def, const struct context_def *context_def)
{
	struct ring like = {.def = def, .context = context}, *key = &like;
	struct ring **found = n > 0
	    ? bsearch(&key, old, n, sizeof(struct ring *), by_ring_engines)
	    : NULL;

	if (found == NULL || !same_rows(context->def, context_def))
		return NULL;
	return found;
}

/* As match_contexts(), whose result is contexts. */
static struct ring **
match_rings(struct walker *w, struct context **contexts, uint32_t *n_rings)
{
	const struct program *p = w->next_instance->program;
	struct ring **list = region_alloc(w->client.sim->region,
	    p->n_rings + w->client.n_rings + 1, sizeof *list);
	struct ring **old = region_alloc(
	    w->client.sim->region, w->client.n_rings + 1, sizeof *old);
	bool *taken = region_alloc(
	    w->client.sim->region, w->client.n_rings + 1, sizeof *taken);
	uint32_t n = p->n_rings, n_old = 0;

	for (uint32_t i = 0; i < w->client.n_rings; i++) {
		if (w->client.rings[i]->retired)
			list[n++] = w->client.rings[i];
		else
			old[n_old++] = w->client.rings[i];
	}
	qsort(old, n_old, sizeof(struct ring *), by_ring_engines);
	for (uint32_t i = 0; i < p->n_rings; i++) {
		const struct ring_def *def = &p->rings[i];
		struct context *context = contexts[def->context];
		struct ring **found = find_ring(
		    old, n_old, context, def, &p->contexts[def->context]);

		if (found != NULL)
			taken[found - old] = true;
		list[i] = found != NULL ? *found : ring_new(context, def);
	}
	for (uint32_t i = 0; i < n_old; i++) {
		if (!taken[i])
			list[n++] = old[i];
	}
	region_put(old);
	region_put(taken);
	*n_rings = n;
	return list;
}

static void
define_ring(
    struct sim *sim, const struct program *p, struct ring *ring, uint32_t index)
{
	if (index < p->n_rings) {
		ring_set_def(ring, &p->rings[index], false);
	} else if (!ring->owns_def) {
		struct ring_def *own = region_alloc(
		    sim->region, 1, sizeof *own);

		*own = *ring->def;
		own->bonds = NULL;
		own->rows = NULL;
		own->n_bonds = own->n_rows = own->n_siblings = 0;
		ring_set_def(ring, own, true);
		ring->retired = ring->context->def->n_rows > 0;
	}
}

static void
replace_contexts(struct walker *w)
{
	struct context **contexts = match_contexts(w, &w->client.n_contexts);
	struct ring **rings = match_rings(w, contexts, &w->client.n_rings);

	for (uint32_t i = 0; i < w->client.n_rings; i++)
		define_ring(
		    w->client.sim, w->next_instance->program, rings[i], i);
	for (uint32_t i = 0; i < w->client.n_contexts; i++)
		define_context(w, contexts[i], i);
	region_put(w->client.contexts);
	region_put(w->client.rings);
	w->client.contexts = contexts;
	w->client.rings = rings;
	if (w->client.sim->backend->contexts != NULL)
		w->client.sim->backend->contexts(&w->client);
}

static void
replace_instance(struct walker *w)
{
	struct instance *before = w->instance,
			*next_instance = w->next_instance;

	carry_objects(before, next_instance);
	replace_contexts(w);
	w->client.sim->n_swaps++;
	w->next_instance = NULL;
	w->program = next_instance->program;
	next_instance->next = before;
	w->instance = next_instance;
	if (before->in_flight > 0)
		return;
	next_instance->next = before->next;
	instance_free(w->client.sim, before);
}

void
swap_apply(struct walker *w)
{
	w->throttle = w->queue_depth = 0;
	replace_instance(w);
}

/* Changing in the middle of an iteration. */

/* Carries over the lists of q: the steps are the same. */
static void
carry_queues(struct instance *from, struct instance *to)
{
	struct queue_link *links = from->links;

	from->links = to->links;
	to->links = links;
}

/* Lets a client that sleeps in a d or p step sleep as long as the new step
 * says, counted from when it began. */
static void
adjust_sleep(
    struct walker *w, const struct program *before, const struct program *now)
{
	struct sim *sim = w->client.sim;
	nsec from;

	if (w->client.state != CLIENT_SLEEPING)
		return;
	from = w->client.until_ns - before->ops[w->pc].delay;
	w->client.until_ns = from + now->ops[w->pc].delay;
	if (w->client.until_ns < sim->now)
		w->client.until_ns = sim->now;
	event_disarm(&w->client.timer);
	event_arm(&sim->events, &w->client.timer, w->client.until_ns);
}

void
swap_in_place(struct walker *w)
{
	adjust_sleep(w, w->program, w->next_instance->program);
	instance_share_fences(w->instance, w->next_instance);
	carry_queues(w->instance, w->next_instance);
	replace_instance(w);
}
