/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of a request that hung, for the error state: the objects that the program
 * wants to see there (EXEC_OBJECT_CAPTURE), then the batches. Rules:
 * doc/model/i915_files.md "Live files".
 */
#include <string.h>

#include "base/util.h"
#include "device/i915/object.h"
#include "device/i915/request.h"

/* Bytes of the objects that are marked, and of the batches, of one request; those
 * beyond are left out. */
#define CAPTURE_MAX (16u << 20)

/* Appends bytes, whole words, as the kernel's ascii85_encode(): the first digit of
 * a word is its highest, and 0 is one letter. */
static void
add_ascii85(const uint32_t *words, size_t n, struct text *out)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t word = words[i];
		char digits[5];

		if (word == 0) {
			text_add(out, "z", 1);
			continue;
		}
		for (size_t k = sizeof(digits); k-- > 0; word /= 85)
			digits[k] = (char)('!' + word % 85);
		text_add(out, digits, sizeof(digits));
	}
}

/* Appends what is in an object. Pages that cannot be read are zeros, as is all
 * of an object that never had memory. */
static void
add_memory(struct i915 *dev, struct i915_object *o, struct text *out)
{
	uint32_t page[I915_PAGE / sizeof(uint32_t)];
	bool empty = !o->user && o->fd < 0;

	for (uint64_t at = 0; at < o->size; at += I915_PAGE) {
		if (empty || i915_object_read(dev, o, at, page, sizeof(page)))
			memset(page, 0, sizeof(page));
		add_ascii85(page, sizeof(page) / sizeof(page[0]), out);
	}
}

/* Appends an object of the request: the engine, what it is, where it is, and its
 * memory, not compressed. */
static void
add_object(struct i915 *dev, const struct i915_request *rq,
    struct i915_object *o, const struct gpu_engine *e, const char *what,
    struct text *out)
{
	const struct i915_binding *b = i915_binding_find(rq->space, o);
	uint64_t address = b ? b->address : 0;

	text_addf(out, "%s%u --- %s = 0x%08x %08x\n~",
	    i915_class_name(e->class), e->instance, what,
	    (unsigned)(address >> 32), (unsigned)address);
	add_memory(dev, o, out);
	text_add(out, "\n", 1);
}

static struct i915_request *
captured_request(struct i915 *dev, uint64_t request)
{
	struct chain_node *node = chains_find(&dev->requests, NULL, request);

	return node ? container_of(node, struct i915_request, node) : NULL;
}

bool
i915_is_captured(void *data, uint64_t request)
{
	const struct i915_request *rq = captured_request(data, request);

	return !rq || !rq->context->no_error_capture;
}

void
i915_capture(void *data, uint64_t request, unsigned engine, struct text *out)
{
	struct i915 *dev = data;
	const struct gpu_engine *e = &dev->config->engines[engine];
	const struct i915_request *rq = captured_request(dev, request);
	uint64_t left = CAPTURE_MAX;

	if (!rq)
		return;
	for (size_t i = 0; rq->captured && i < rq->n_objects; i++) {
		struct i915_object *o = rq->objects[i];

		if (!rq->captured[i] || o->size > left)
			continue;
		left -= o->size;
		add_object(dev, rq, o, e, "user", out);
	}
	left = CAPTURE_MAX;
	for (size_t i = 0; i < rq->n_batches; i++) {
		struct i915_object *o = rq->objects[rq->first_batch + i];

		if (o->size > left)
			continue;
		left -= o->size;
		add_object(dev, rq, o, e, "batch", out);
	}
}
