/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fences and bells. Chains of fences may be as long as a program likes, so
 * neither signals nor frees recurse: both go through queues of the device.
 */
#include "device/i915/fence.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/device.h"

/* One of the fences that a fence of kind ALL waits for. */
struct i915_part {
	struct i915_link link;
	struct i915_fence *whole, *fence;
};

static void
link_put(struct i915_link **first, struct i915_link *link)
{
	link->next = *first;
	link->at = first;
	if (link->next)
		link->next->at = &link->next;
	*first = link;
}

void
i915_bell_hang(struct i915_bell *bell, struct i915_link *link)
{
	link_put(&bell->first, link);
}

void
i915_link_cut(struct i915_link *link)
{
	if (!link->at)
		return;
	*link->at = link->next;
	if (link->next)
		link->next->at = link->at;
	link->at = NULL;
	link->next = NULL;
}

void
i915_bell_ring(struct i915 *dev, struct i915_bell *bell)
{
	struct i915_link *link;

	while ((link = bell->first)) {
		i915_link_cut(link);
		link_put(link->is_call ? &dev->rung_calls : &dev->rung, link);
	}
}

void
i915_drain(struct i915 *dev)
{
	struct i915_link *link;

	while ((link = dev->rung ? dev->rung : dev->rung_calls)) {
		i915_link_cut(link);
		link->woken(dev, link);
	}
}

void
i915_fence_init(
    struct i915 *dev, struct i915_fence *f, enum i915_fence_kind kind)
{
	f->refs = 1;
	f->kind = kind;
	f->timeline = ++dev->last_timeline;
	f->seqno = 1;
	f->driver = "i915";
}

struct i915_fence *
i915_fence_new(struct i915 *dev)
{
	struct i915_fence *f = mem_calloc(1, sizeof(*f));

	i915_fence_init(dev, f, I915_FENCE_SOFTWARE);
	return f;
}

struct i915_fence *
i915_fence_stub(struct i915 *dev)
{
	struct i915_fence *f = i915_fence_new(dev);

	f->signalled = true;
	f->signalled_ns = dev->now;
	f->driver = "stub";
	snprintf(f->name, sizeof(f->name), "stub");
	return f;
}

struct i915_fence *
i915_fence_get(struct i915_fence *f)
{
	f->refs++;
	return f;
}

static void
parts_free(struct i915 *dev, struct i915_fence *f)
{
	for (size_t i = 0; i < f->n_parts; i++) {
		i915_link_cut(&f->parts[i].link);
		i915_fence_put(dev, f->parts[i].fence);
	}
	free(f->parts);
	f->parts = NULL;
	f->n_parts = 0;
}

void
i915_fence_put(struct i915 *dev, struct i915_fence *f)
{
	if (!f || --f->refs)
		return;
	f->dead = dev->dead;
	dev->dead = f;
	if (dev->burying)
		return;
	dev->burying = true;
	while ((f = dev->dead)) {
		dev->dead = f->dead;
		parts_free(dev, f);
		if (f->free)
			f->free(dev, f);
		else
			free(f);
	}
	dev->burying = false;
}

void
i915_fence_signal(
    struct i915 *dev, struct i915_fence *f, uint64_t ns, int error)
{
	f->signalled = true;
	f->signalled_ns = ns;
	f->error = error;
	if (f->kind == I915_FENCE_SOFTWARE && f->id)
		dev->gpu->ops->fence_signal(dev->gpu, f->id, error);
	i915_bell_ring(dev, &f->bell);
	parts_free(dev, f);
}

/* A part has signalled; the last one ends the whole. */
static void
part_woken(struct i915 *dev, struct i915_link *link)
{
	struct i915_part *part = container_of(link, struct i915_part, link);
	struct i915_fence *whole = part->whole;
	uint64_t ns = 0;
	int error = 0;

	if (--whole->n_pending)
		return;
	for (size_t i = whole->n_parts; i-- > 0;) {
		const struct i915_fence *f = whole->parts[i].fence;

		if (f->error)
			error = f->error;
		if (f->signalled_ns > ns)
			ns = f->signalled_ns;
	}
	i915_fence_signal(dev, whole, ns, error);
}

struct i915_fence *
i915_fence_all(struct i915 *dev, struct i915_fence *const *list, size_t n)
{
	struct i915_fence *whole;

	if (n == 0)
		return i915_fence_stub(dev);
	if (n == 1)
		return i915_fence_get(list[0]);
	whole = mem_calloc(1, sizeof(*whole));
	i915_fence_init(dev, whole, I915_FENCE_ALL);
	whole->parts = mem_calloc(n, sizeof(*whole->parts));
	whole->n_parts = n;
	/* The extra one stays until all hang. */
	whole->n_pending = 1;
	for (size_t i = 0; i < n; i++) {
		struct i915_part *part = &whole->parts[i];

		part->whole = whole;
		part->fence = i915_fence_get(list[i]);
		part->link.woken = part_woken;
		if (list[i]->signalled)
			continue;
		whole->n_pending++;
		i915_bell_hang(&list[i]->bell, &part->link);
	}
	part_woken(dev, &whole->parts[0].link);
	return whole;
}

int
i915_fence_status(const struct i915_fence *f)
{
	if (!f->signalled)
		return 0;
	return f->error ? f->error : 1;
}

void
i915_fences_add(struct i915_fences *fences, struct i915_fence *f)
{
	fences->list = mem_grow(
	    fences->list, fences->n, &fences->cap, sizeof(*fences->list));
	fences->list[fences->n++] = i915_fence_get(f);
}

void
i915_fences_free(struct i915 *dev, struct i915_fences *fences)
{
	for (size_t i = 0; i < fences->n; i++)
		i915_fence_put(dev, fences->list[i]);
	free(fences->list);
	*fences = (struct i915_fences){0};
}

/* Walks with a list of its own: chains of fences may be long. A fence is
 * visited once, however often it is part of others. */
void
i915_fences_leaves(struct i915 *dev, const struct i915_fences *fences,
    struct i915_fences *leaves)
{
	struct i915_fences todo = {0};

	dev->visit++;
	for (size_t i = 0; i < fences->n; i++)
		i915_fences_add(&todo, fences->list[i]);
	while (todo.n) {
		struct i915_fence *f = todo.list[--todo.n];

		if (!f->signalled && f->visit != dev->visit) {
			f->visit = dev->visit;
			for (size_t i = 0; i < f->n_parts; i++)
				i915_fences_add(&todo, f->parts[i].fence);
			if (f->kind != I915_FENCE_ALL)
				i915_fences_add(leaves, f);
		}
		i915_fence_put(dev, f);
	}
	i915_fences_free(dev, &todo);
}

void
i915_fence_leaves(
    struct i915 *dev, struct i915_fence *f, struct i915_fences *leaves)
{
	struct i915_fences one = {.list = &f, .n = 1};

	i915_fences_leaves(dev, &one, leaves);
}

uint64_t
i915_fence_id(struct i915 *dev, struct i915_fence *f)
{
	if (!f->id) {
		f->id = ++dev->last_id;
		dev->gpu->ops->fence_new(dev->gpu, f->id);
	}
	return f->id;
}
