/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data that pass from an iteration to the next: -n names batches of the same one
 * only, so they are objects of a working set, which the batch of the iteration
 * before writes and this one reads (doc/model/infer.md "Dependencies"). Reads
 * that other dependencies imply are left out.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/infer_private.h"

/* Steps of all searches; what is not searched for counts as not implied. */
#define MAX_STEPS (64u << 20)

/* A search from a batch backwards, over its iteration (1) and the one before. */
struct crossing {
	const struct found *f;
	uint32_t
	    *before; /* by position: the one before on its timeline, cyclic */
	bool *seen;  /* by iteration and position */
	uint32_t *stack, n_stack;
	uint32_t n_steps;
};

static void
find_timeline_order(struct crossing *c)
{
	const struct found *f = c->f;
	uint32_t *last = mem_calloc(f->s->n_timelines, sizeof(*last));

	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t p = 0; p < f->length; p++) {
			c->before[p] = last[f->batches[p].timeline];
			last[f->batches[p].timeline] = p;
		}
	}
	free(last);
}

/* Goes on to a batch of iteration 1 or 0. */
static void
visit(struct crossing *c, uint32_t iteration, uint32_t position)
{
	uint32_t node = iteration * c->f->length + position;

	if (c->seen[node])
		return;
	c->seen[node] = true;
	c->stack[c->n_stack++] = node;
}

/* Visits all that has ended when a batch starts, but for what it waits for of the
 * iteration before by itself. */
static void
visit_before(struct crossing *c, uint32_t iteration, uint32_t p)
{
	const struct found *f = c->f;
	const struct found_batch *b = &f->batches[p];

	if (c->before[p] < p)
		visit(c, iteration, c->before[p]);
	else if (iteration > 0)
		visit(c, 0, c->before[p]);
	for (uint32_t i = 0; i < b->n_deps; i++)
		if (b->deps[i].kind <= INFER_FENCE && b->deps[i].distance <= p)
			visit(c, iteration, p - b->deps[i].distance);
	for (uint32_t i = f->first_reader[p];
	     iteration > 0 && i < f->first_reader[p + 1]; i++)
		if (p + f->readers[i] < f->length)
			visit(c, 0, p + f->readers[i]);
	c->n_steps += 2 + b->n_deps;
}

/* True if the batch at p is behind that one of the iteration before in any
 * case. */
static bool
is_behind(struct crossing *c, uint32_t p, uint32_t target)
{
	uint32_t n = c->f->length;
	bool found;

	for (uint32_t i = 0; i < 2 * n; i++)
		c->seen[i] = false;
	c->n_stack = 0;
	visit(c, 1, p);
	while (c->n_stack > 0 && !c->seen[target] && c->n_steps < MAX_STEPS) {
		uint32_t node = c->stack[--c->n_stack];

		visit_before(c, node / n, node % n);
	}
	c->n_steps += n / 8;
	found = c->seen[target];
	return found;
}

/* Makes the dependency one on an object of the batch that it is on. */
static void
cross_by_object(struct found *f, struct found_dep *dep, uint32_t target)
{
	struct found_batch *writer = &f->batches[target];

	if (writer->object == 0)
		writer->object = ++f->n_objects;
	dep->crosses = true;
}

/* Keeps those of one batch that can be written. */
static void
settle_deps(struct found *f, struct crossing *c, uint32_t p)
{
	struct found_batch *b = &f->batches[p];
	uint32_t n = f->length, kept = 0;

	for (uint32_t i = 0; i < b->n_deps; i++) {
		struct found_dep dep = b->deps[i];
		uint32_t target = (p + n - dep.distance % n) % n;

		if (dep.kind != INFER_SIGNAL && dep.distance > p) {
			if (infer_is_implied(f, p, dep.distance) ||
			    (dep.kind <= INFER_FENCE && dep.distance < n &&
				is_behind(c, p, target)))
				continue;
			if (dep.kind != INFER_DATA || dep.distance >= n) {
				f->n_dropped_deps++;
				continue;
			}
			cross_by_object(f, &dep, target);
		} else if (dep.apart) {
			cross_by_object(f, &dep, target);
		}
		b->deps[kept++] = dep;
	}
	b->n_deps = kept;
}

void
infer_settle_crossing_deps(struct found *f)
{
	uint32_t n = f->length;
	struct crossing c = {.f = f,
	    .before = mem_calloc(n, sizeof(*c.before)),
	    .seen = mem_calloc(2 * (size_t)n, sizeof(*c.seen)),
	    .stack = mem_calloc(2 * (size_t)n, sizeof(*c.stack))};

	f->n_objects = 0;
	infer_list_readers(f);
	find_timeline_order(&c);
	for (uint32_t p = 0; p < n; p++)
		settle_deps(f, &c, p);
	infer_list_readers(f);
	free(c.before);
	free(c.seen);
	free(c.stack);
}
