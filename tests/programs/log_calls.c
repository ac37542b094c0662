/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs the batches that programs submit to the virtual i915: gpuwl-run, with a
 * function of its device wrapped by the linker (--wrap). LOG_CALLS is the file, which
 * has a line for each execbuf that was accepted: KEY=VALUE fields with blanks between.
 * tools/compare-calls.awk reads it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/i915/context.h"
#include "device/i915/execbuf.h"
#include "device/i915/seen.h"

#define ARB_CHECK   0x02800000u
#define BATCH_START 0x18800000u
#define BATCH_WORDS 256u

void __real_i915_seen_submission(
    struct i915 *dev, const struct exec *e, const struct i915_fence *f);
void __wrap_i915_seen_submission(
    struct i915 *dev, const struct exec *e, const struct i915_fence *f);

static FILE *
log_file(void)
{
	static FILE *file;
	const char *name = getenv("LOG_CALLS");

	if (file == NULL && name != NULL)
		file = fopen(name, "we");
	return file;
}

/* Returns a number for an address space: its place among those seen, which live on, so
 * that none has the address of another one. */
static unsigned
number_of_space(struct i915_space *space)
{
	static struct i915_space *seen[256];
	unsigned i = 0;

	while (i < 255 && seen[i] != NULL && seen[i] != space)
		i++;
	if (seen[i] == NULL)
		i915_space_get(space);
	seen[i] = space;
	return i;
}

/* Writes "vcs0|vcs1" for engines of which a slot may use one. */
static void
log_engines(FILE *f, const struct i915 *dev, const uint8_t *engines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct gpu_engine *e = &dev->config->engines[engines[i]];

		fprintf(f, "%s%s%u", i > 0 ? "|" : "",
		    i915_class_name(e->class), e->instance);
	}
}

/* Engines by row, and bonds as MASTER>SIBLINGS. */
static void
log_slot(FILE *f, const struct i915 *dev, const struct i915_slot *slot)
{
	fprintf(f, " engines=");
	for (unsigned row = 0; row < slot->width; row++) {
		fprintf(f, "%s", row > 0 ? "+" : "");
		log_engines(f, dev, slot->engines + row * slot->n_siblings,
		    slot->n_siblings);
	}
	fprintf(f, " bonds=");
	for (size_t i = 0; i < slot->n_bonds; i++)
		fprintf(
		    f, "%u>%x;", slot->bonds[i].master, slot->bonds[i].engines);
	fprintf(f, " slices=%x", slot->sseu.slices);
}

static void
log_context(FILE *f, const struct i915_context *c)
{
	fprintf(f,
	    " priority=%d persistent=%d recoverable=%d bannable=%d "
	    "single_timeline=%d",
	    c->state.priority, c->state.persistent, c->state.recoverable,
	    c->state.bannable, c->single_timeline);
}

static void
log_objects(FILE *f, const struct exec *e)
{
	fprintf(f, " objects=");
	for (size_t i = 0; i < e->n; i++) {
		uint64_t flags = e->objects[i].entry.flags;

		fprintf(f, "%llu%s%s%s;",
		    (unsigned long long)e->objects[i].object->serial,
		    exec_is_batch(e, i) ? "b" : "",
		    flags & EXEC_OBJECT_WRITE ? "w" : "",
		    flags & EXEC_OBJECT_ASYNC ? "a" : "");
	}
}

/* A fence as how it is waited for, its timeline and number; none if it has
 * signalled. */
static void
log_fence(FILE *f, const char *how, const struct i915_fence *fence)
{
	bool software = fence->kind == I915_FENCE_SOFTWARE;

	if (!fence->signalled)
		fprintf(f, "%s:%llu.%llu;", software ? "software" : how,
		    (unsigned long long)fence->timeline,
		    (unsigned long long)fence->seqno);
}

/* The same of all that a merged fence is of. */
static void
log_leaves(FILE *f, struct i915 *dev, const char *how, struct i915_fence *fence)
{
	struct i915_fences leaves = {0};

	if (fence->kind != I915_FENCE_ALL) {
		log_fence(f, how, fence);
		return;
	}
	i915_fence_leaves(dev, fence, &leaves);
	for (size_t i = 0; i < leaves.n; i++)
		log_fence(f, how, leaves.list[i]);
	i915_fences_free(dev, &leaves);
}

static void
log_fences(FILE *f, struct i915 *dev, const struct exec *e)
{
	bool submit = (e->arg->flags & I915_EXEC_FENCE_SUBMIT) != 0;

	fprintf(f, " after=");
	for (size_t i = 0; i < e->n_fences; i++)
		if (e->fences[i].wait != NULL)
			log_leaves(f, dev, "end", e->fences[i].wait);
	if (e->in != NULL)
		log_leaves(f, dev, submit ? "start" : "end", e->in);
}

/* 1: the batch has a preemption point; of those of one page. */
static void
log_points(FILE *f, const struct exec *e)
{
	const struct exec_object *batch = &e->objects[exec_first_batch(e)];
	uint32_t words[BATCH_WORDS] = {0};
	bool found = false;

	i915_space_read(e->context->space,
	    batch->binding->address + e->arg->batch_start_offset, words,
	    sizeof words);
	/* Commands after the jump back are not executed. */
	for (size_t i = 0; i < BATCH_WORDS; i++) {
		if ((words[i] & 0xff800000u) == BATCH_START)
			break;
		found = found || words[i] == ARB_CHECK;
	}
	fprintf(f, " points=%d", found);
}

void
__wrap_i915_seen_submission(
    struct i915 *dev, const struct exec *e, const struct i915_fence *fence)
{
	FILE *f = log_file();

	__real_i915_seen_submission(dev, e, fence);
	if (f == NULL)
		return;
	fprintf(f,
	    "time=%llu space=%u context=%u slot=%u map=%d fence=%llu.%llu "
	    "flags=%llx",
	    (unsigned long long)(dev->now - dev->start_ns),
	    number_of_space(e->context->space), e->context->id,
	    (unsigned)(e->slot - e->context->engines->slots),
	    e->context->engines->user, (unsigned long long)fence->timeline,
	    (unsigned long long)fence->seqno,
	    (unsigned long long)e->arg->flags);
	log_slot(f, dev, e->slot);
	log_context(f, e->context);
	log_points(f, e);
	log_objects(f, e);
	log_fences(f, dev, e);
	fprintf(f, "\n");
	fflush(f);
}
