/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/client/image.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"
#include "engine/gpu/request.h"

struct shared_objects *
shared_objects_new(uint32_t n)
{
	struct shared_objects *shared = mem_calloc(
	    1, sizeof *shared + n * sizeof *shared->objects);

	shared->refs = 1;
	shared->n = n;
	for (uint32_t i = 0; i < n; i++)
		shared->objects[i].first_engine = -1;
	return shared;
}

struct shared_objects *
shared_objects_ref(struct shared_objects *shared)
{
	shared->refs++;
	return shared;
}

void
shared_objects_free(struct shared_objects *shared)
{
	if (--shared->refs > 0)
		return;
	for (uint32_t i = 0; i < shared->n; i++)
		object_free(&shared->objects[i]);
	free(shared);
}

/* The software fences of one image or more. */
struct fence_array {
	unsigned refs;
	struct fence list[];
};

static struct fence_array *
array_of(struct fence *fences)
{
	return (struct fence_array *)(void *)((char *)fences -
	    offsetof(struct fence_array, list));
}

/* Until its f is reached, a fence counts as signalled. */
static struct fence *
fences_new(uint32_t n)
{
	struct fence_array *array = mem_calloc(
	    1, sizeof *array + n * sizeof *array->list);

	array->refs = 1;
	for (uint32_t i = 0; i < n; i++) {
		fence_init(&array->list[i], FENCE_SOFTWARE);
		fence_signal(&array->list[i], 0, 0);
	}
	return array->list;
}

static void
fences_free(struct fence *fences)
{
	if (fences != NULL && --array_of(fences)->refs == 0)
		free(array_of(fences));
}

static void
init_memory(struct image *image)
{
	const struct program *p = image->program;

	image->objects = mem_calloc(p->n_objects, sizeof *image->objects);
	for (uint32_t i = 0; i < p->n_objects; i++)
		image->objects[i].first_engine = -1;
	if (p->n_fences > 0)
		image->fences = fences_new(p->n_fences);
}

static void
init_queues(struct image *image, unsigned n_engines)
{
	const struct program *p = image->program;

	if (!p->uses_queue_depth)
		return;
	image->links = mem_calloc(p->n_ops, sizeof *image->links);
	image->queues = mem_calloc(n_engines, sizeof *image->queues);
	for (unsigned i = 0; i < n_engines; i++)
		image->queues[i] = (struct queue_list){NO_INDEX, NO_INDEX, 0};
}

struct image *
image_new(const struct program *program, struct shared_objects *shared,
    unsigned n_engines)
{
	struct image *image = mem_calloc(1, sizeof *image);

	image->program = program_ref(program);
	image->shared = shared_objects_ref(shared);
	init_memory(image);
	init_queues(image, n_engines);
	return image;
}

void
image_free(struct image *image)
{
	for (uint32_t i = 0; i < image->program->n_objects; i++)
		object_free(&image->objects[i]);
	free(image->objects);
	fences_free(image->fences);
	free(image->links);
	free(image->queues);
	shared_objects_free(image->shared);
	program_unref(image->program);
	free(image);
}

void
image_share_fences(const struct image *from, struct image *to)
{
	if (from->fences == NULL)
		return;
	fences_free(to->fences);
	to->fences = from->fences;
	array_of(to->fences)->refs++;
}

void
image_close_fences(struct image *image, nsec now)
{
	for (uint32_t i = 0; i < image->program->n_fences; i++) {
		if (!fence_signalled(&image->fences[i]))
			fence_signal(&image->fences[i], now, 0);
	}
}

const struct context_def *
image_context(const struct request *rq)
{
	return &rq->image->program->contexts[rq->op->batch.context];
}
