/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/shape.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/compile/program.h"
#include "tests/runner/test.h"

/* Iterations that are looked at; the last is the usual one. */
#define ITERATIONS 4
#define MAX_NODES  1024
#define WORDS      (MAX_NODES / 64)
#define NO_NODE    UINT32_MAX

/* A batch of an iteration. */
struct node {
	const struct op *op;
	uint64_t before[WORDS]; /* nodes that have ended when it starts */
	uint64_t direct[WORDS]; /* named so, or by objects */
	uint64_t fenced[WORDS]; /* of those: only by a fence */
	uint32_t on_ring;       /* the one before it there */
};

/* An object: its last writer, and the readers since. */
struct use_of_object {
	uint32_t writer;
	uint64_t readers[WORDS];
};

struct shaper {
	struct shape *shape;
	const struct program *p;
	struct node *nodes;
	uint32_t *batch_of;   /* by step: its number among batches */
	uint32_t *batch_step; /* by that number */
	uint32_t n;           /* batches of an iteration */
	struct use_of_object *objects;
	uint32_t *last_on_ring;
	uint32_t *contexts, n_contexts; /* in order of appearance */
	struct text early;              /* what comes before the first batch */
	/* While lines are made. */
	uint32_t throttle, depth;
	int64_t *priorities, *slices;
	bool *waited; /* by batch: no need to wait again */
};

static bool
has_bit(const uint64_t *set, uint32_t i)
{
	return set[i / 64] >> (i % 64) & 1;
}

static void
add_bit(uint64_t *set, uint32_t i)
{
	set[i / 64] |= 1ull << (i % 64);
}

/* Dependencies */

static void
depend_on(struct shaper *s, uint32_t node, uint32_t on, bool fence)
{
	struct node *n = &s->nodes[node];

	if (on == NO_NODE || on == node)
		return;
	if (fence && !has_bit(n->direct, on))
		add_bit(n->fenced, on);
	if (!fence)
		n->fenced[on / 64] &= ~(1ull << (on % 64));
	add_bit(n->direct, on);
}

static void
use_one(struct shaper *s, uint32_t node, const struct object_use *use)
{
	struct use_of_object *o =
	    &s->objects[use->object + (use->shared ? s->p->n_objects : 0)];
	bool read = false;

	for (uint32_t i = 0; use->write && i < node; i++) {
		if (!has_bit(o->readers, i))
			continue;
		depend_on(s, node, i, false);
		read = true;
	}
	if (!read)
		depend_on(s, node, o->writer, false);
	if (!use->write) {
		add_bit(o->readers, node);
		return;
	}
	o->writer = node;
	memset(o->readers, 0, sizeof(o->readers));
}

/* The node of the latest submission of a step before node. */
static uint32_t
latest_of_step(const struct shaper *s, uint32_t node, uint32_t step)
{
	uint32_t at = s->batch_of[step];

	at += node / s->n * s->n;
	return at < node ? at : at < s->n ? NO_NODE : at - s->n;
}

static void
add_all_before(struct shaper *s, struct node *n, uint32_t on)
{
	add_bit(n->before, on);
	for (unsigned w = 0; w < WORDS; w++)
		n->before[w] |= s->nodes[on].before[w];
}

static void
take_node(struct shaper *s, uint32_t node)
{
	struct node *n = &s->nodes[node];
	const struct op_batch *b;

	n->op = &s->p->ops[s->batch_step[node % s->n]];
	b = &n->op->batch;
	for (uint32_t i = 0; i < b->n_uses; i++)
		use_one(s, node, &b->uses[i]);
	for (uint32_t i = 0; i < b->n_fences; i++)
		if (!b->fences[i].software && !b->fences[i].submit)
			depend_on(s, node,
			    latest_of_step(s, node, b->fences[i].step), true);
	n->on_ring = s->last_on_ring[b->ring];
	s->last_on_ring[b->ring] = node;
	if (n->on_ring != NO_NODE)
		add_all_before(s, n, n->on_ring);
	for (uint32_t i = 0; i < node; i++)
		if (has_bit(n->direct, i))
			add_all_before(s, n, i);
}

/* True if another one that it waits for implies it. */
static bool
is_redundant(const struct shaper *s, uint32_t node, uint32_t on)
{
	const struct node *n = &s->nodes[node];

	if (on == n->on_ring)
		return true;
	if (n->on_ring != NO_NODE && has_bit(s->nodes[n->on_ring].before, on))
		return true;
	for (uint32_t i = 0; i < node; i++)
		if (i != on && has_bit(n->direct, i) &&
		    has_bit(s->nodes[i].before, on))
			return true;
	return false;
}

static void
print_deps(struct shaper *s, uint32_t node, struct text *out)
{
	const struct node *n = &s->nodes[node];

	for (uint32_t i = node; i-- > 0;)
		if (has_bit(n->direct, i) && !is_redundant(s, node, i))
			text_addf(out, " %s%u",
			    has_bit(n->fenced, i) ? "f-" : "-", node - i);
}

static void
print_fences(struct shaper *s, uint32_t node, struct text *out)
{
	const struct op_batch *b = &s->nodes[node].op->batch;

	for (uint32_t i = 0; i < b->n_fences; i++) {
		const struct fence_use *f = &b->fences[i];

		if (f->software)
			text_addf(out, " fence %u", f->fence);
		else if (f->submit)
			text_addf(out, " s-%u",
			    node - latest_of_step(s, node, f->step));
	}
}

/* Lines */

static struct text *
out_of(struct shaper *s, uint32_t done)
{
	return done == 0 ? &s->early : &s->shape->text;
}

/* Adds a wait for a batch, unless nothing was submitted since the last. done:
 * batches of the iteration before it. */
static void
add_wait_line(struct shaper *s, uint32_t done, uint32_t batch)
{
	if (s->waited[batch])
		return;
	s->waited[batch] = true;
	text_addf(out_of(s, done), "wait for %u\n", batch);
}

static void
add_throttle_line(struct shaper *s, uint32_t pc)
{
	const struct program *p = s->p;
	uint32_t i = (pc + p->n_ops - s->throttle % p->n_ops) % p->n_ops;

	while (p->ops[i].kind != STEP_BATCH)
		i = i > 0 ? i - 1 : p->n_ops - 1;
	if (s->throttle > 0)
		add_wait_line(s, s->batch_of[pc], s->batch_of[i]);
}

/* q: behind a batch, for the one n before it on its engine. */
static void
add_depth_line(struct shaper *s, uint32_t batch)
{
	const struct program *p = s->p;
	uint8_t engine =
	    p->rings[p->ops[s->batch_step[batch]].batch.ring].engine;
	uint32_t at = batch, back = s->depth;

	for (uint32_t i = 1; i < s->n && back > 0; i++) {
		uint32_t other = (batch + s->n - i) % s->n;
		const struct op *op = &p->ops[s->batch_step[other]];

		if (p->rings[op->batch.ring].engine == engine) {
			at = other;
			back--;
		}
	}
	if (s->depth > 0 && back == 0)
		add_wait_line(s, batch + 1, at);
}

static void
keep_duration(struct shaper *s, struct duration d)
{
	struct shape *to = s->shape;

	to->durations = mem_realloc(
	    to->durations, to->n_durations + 1u, sizeof(*to->durations));
	to->durations[to->n_durations++] = d;
}

static void
add_sleep_line(struct shaper *s, uint32_t done, const struct op *op)
{
	struct shape *to = s->shape;

	to->sleeps_us = mem_realloc(
	    to->sleeps_us, to->n_sleeps + 1u, sizeof(*to->sleeps_us));
	to->sleeps_us[to->n_sleeps++] = op->delay / NSEC_PER_USEC;
	text_adds(
	    out_of(s, done), op->kind == STEP_DELAY ? "delay\n" : "period\n");
}

static uint32_t
context_ordinal(struct shaper *s, uint32_t context)
{
	for (uint32_t i = 0; i < s->n_contexts; i++)
		if (s->contexts[i] == context)
			return i;
	s->contexts[s->n_contexts] = context;
	return s->n_contexts++;
}

static void
print_ring(const struct ring_def *ring, struct text *out)
{
	text_addf(out, " engines %llx", (unsigned long long)ring->engines);
	for (uint32_t i = 0; i < ring->n_rows * ring->n_siblings; i++)
		text_addf(out, "%c%u", i % ring->n_siblings == 0 ? '/' : '|',
		    ring->rows[i]);
	for (uint32_t i = 0; i < ring->n_bonds; i++)
		text_addf(out, " bond %llx behind %llx",
		    (unsigned long long)ring->bonds[i].siblings,
		    (unsigned long long)ring->bonds[i].master);
}

static void
add_batch_line(struct shaper *s, uint32_t batch)
{
	uint32_t node = (ITERATIONS - 1) * s->n + batch;
	const struct op_batch *b = &s->nodes[node].op->batch;
	struct text *out = &s->shape->text;

	text_addf(
	    out, "batch %u context %u", batch, context_ordinal(s, b->context));
	print_ring(&s->p->rings[b->ring], out);
	print_deps(s, node, out);
	print_fences(s, node, out);
	if (b->preempt_us == 0)
		text_adds(out, " no points");
	if (s->priorities[b->context] != 0)
		text_addf(out, " priority %lld",
		    (long long)s->priorities[b->context]);
	if (s->slices[b->context] != -1)
		text_addf(
		    out, " slices %llx", (long long)s->slices[b->context]);
	for (uint32_t i = 0; i < b->n_durations; i++) {
		if (b->durations[i].infinite)
			text_adds(out, " infinite");
		keep_duration(s, b->durations[i]);
	}
	text_addc(out, '\n');
	s->waited[batch] = false;
}

/* Adds what a step does; done: batches before it. */
static void
add_step_line(struct shaper *s, uint32_t pc, uint32_t done)
{
	const struct op *op = &s->p->ops[pc];
	struct text *out = out_of(s, done);

	switch (op->kind) {
	case STEP_BATCH:
		add_throttle_line(s, pc);
		add_batch_line(s, done);
		if (op->batch.wait)
			add_wait_line(s, done + 1, done);
		add_depth_line(s, done);
		break;
	case STEP_DELAY:
	case STEP_PERIOD: add_sleep_line(s, done, op); break;
	case STEP_SYNC: add_wait_line(s, done, s->batch_of[op->target]); break;
	case STEP_THROTTLE: s->throttle = op->count; break;
	case STEP_QUEUE_DEPTH: s->depth = op->count; break;
	case STEP_FENCE: text_addf(out, "fence %u\n", op->fence); break;
	case STEP_ADVANCE: text_addf(out, "signal %u\n", op->target); break;
	case STEP_TERMINATE:
		text_addf(out, "end of %u\n", s->batch_of[op->target]);
		break;
	case STEP_PRIORITY:
		s->priorities[op->set.context] = op->set.value;
		break;
	case STEP_SSEU: s->slices[op->set.context] = op->set.value; break;
	default: break;
	}
}

static void
forget_lines(struct shape *shape)
{
	text_free(&shape->text);
	free(shape->durations);
	free(shape->sleeps_us);
	*shape = (struct shape){0};
}

/* Twice, as some things stay in force: the second time is as ever. Steps
 * before the first batch come behind the last one. */
static void
make_lines(struct shaper *s)
{
	for (unsigned i = 0; i < 2; i++) {
		uint32_t done = 0;

		forget_lines(s->shape);
		text_free(&s->early);
		s->early = (struct text){0};
		for (uint32_t pc = 0; pc < s->p->n_ops; pc++) {
			add_step_line(s, pc, done);
			done += s->p->ops[pc].kind == STEP_BATCH;
		}
	}
	text_adds(&s->shape->text, text_str(&s->early));
	text_free(&s->early);
}

static void
number_batches(struct shaper *s)
{
	for (uint32_t i = 0; i < s->p->n_ops; i++) {
		s->batch_of[i] = s->n;
		if (s->p->ops[i].kind == STEP_BATCH)
			s->batch_step[s->n++] = i;
	}
	assert_in_range(s->n, 1, MAX_NODES / ITERATIONS);
}

void
shape_take(struct shape *shape, const struct program *p)
{
	uint32_t n_objects = p->n_objects + p->n_shared;
	struct shaper s = {.shape = shape,
	    .p = p,
	    .nodes = mem_calloc(MAX_NODES, sizeof(*s.nodes)),
	    .batch_of = mem_calloc(p->n_ops, sizeof(*s.batch_of)),
	    .batch_step = mem_calloc(p->n_ops, sizeof(*s.batch_step)),
	    .objects = mem_calloc(n_objects, sizeof(*s.objects)),
	    .last_on_ring = mem_calloc(p->n_rings, sizeof(*s.last_on_ring)),
	    .contexts = mem_calloc(p->n_contexts, sizeof(*s.contexts)),
	    .priorities = mem_calloc(p->n_contexts, sizeof(*s.priorities)),
	    .slices = mem_calloc(p->n_contexts, sizeof(*s.slices)),
	    .waited = mem_calloc(p->n_ops, sizeof(*s.waited))};

	*shape = (struct shape){0};
	number_batches(&s);
	memset(s.last_on_ring, 0xff, p->n_rings * sizeof(*s.last_on_ring));
	for (uint32_t i = 0; i < n_objects; i++)
		s.objects[i].writer = NO_NODE;
	for (uint32_t i = 0; i < p->n_contexts; i++)
		s.slices[i] = -1;
	for (uint32_t i = 0; i < ITERATIONS * s.n; i++)
		take_node(&s, i);
	make_lines(&s);
	shape->n_batches = s.n;
	free(s.nodes);
	free(s.batch_of);
	free(s.batch_step);
	free(s.objects);
	free(s.last_on_ring);
	free(s.contexts);
	free(s.priorities);
	free(s.slices);
	free(s.waited);
}

void
shape_free(struct shape *s)
{
	forget_lines(s);
}
