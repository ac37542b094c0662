/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects that several clients use (doc/model/infer.md "Shared objects"): clones
 * have them in one working set, whose objects order the batches of all.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/infer/infer_private.h"

static int
compare_uses(const void *a, const void *b)
{
	const struct found_use *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (int)x->write - (int)y->write;
}

static void
note_use(struct found_batch *b, const struct infer_use *use)
{
	uint32_t i = 0;

	while (i < b->n_uses &&
	    (b->uses[i].object != use->object ||
		b->uses[i].write != use->write))
		i++;
	if (i == MAX_FOUND_USES)
		return;
	if (i == b->n_uses)
		b->uses[b->n_uses++] = (struct found_use){
		    .object = use->object, .write = use->write};
	b->uses[i].n_hits++;
}

/* Finds those that batches of a position have in most iterations. */
static void
find_uses_at(struct found *f, uint32_t position)
{
	const struct infer_input *input = f->book->input;
	struct found_batch *b = &f->batches[position];
	uint32_t kept = 0;

	b->n_uses = 0;
	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t at = f->begins[f->sampled[i]] + position;
		const struct infer_request *r =
		    &input->requests[f->s->seen[at].record];

		for (size_t k = r->first_use;
		     k < input->n_uses && k < (size_t)r->first_use + r->n_uses;
		     k++)
			note_use(b, &input->uses[k]);
	}
	for (uint32_t i = 0; i < b->n_uses; i++)
		if (b->uses[i].n_hits >
		    f->n_sampled * infer_thresholds.majority)
			b->uses[kept++] = b->uses[i];
	b->n_uses = kept;
	if (kept > 0)
		qsort(b->uses, kept, sizeof(*b->uses), compare_uses);
}

static int
compare_objects(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Lists the objects that the client writes: others hold it up nowhere. */
static void
list_shared(struct found *f)
{
	uint32_t n = 0;

	free(f->shared);
	f->shared = mem_calloc(
	    (size_t)f->length * MAX_FOUND_USES, sizeof(*f->shared));
	for (uint32_t p = 0; p < f->length; p++)
		for (uint32_t i = 0; i < f->batches[p].n_uses; i++)
			if (f->batches[p].uses[i].write)
				f->shared[n++] = f->batches[p].uses[i].object;
	qsort(f->shared, n, sizeof(*f->shared), compare_objects);
	f->n_shared = 0;
	for (uint32_t i = 0; i < n; i++)
		if (i == 0 || f->shared[i] != f->shared[i - 1])
			f->shared[f->n_shared++] = f->shared[i];
}

void
infer_find_uses(struct found *f)
{
	if (f->book->input->n_uses == 0)
		return;
	for (uint32_t p = 0; p < f->length; p++)
		find_uses_at(f, p);
	list_shared(f);
}

bool
infer_are_same_uses(const struct found_batch *a, const struct found_batch *b)
{
	if (a->n_uses != b->n_uses)
		return false;
	for (uint32_t i = 0; i < a->n_uses; i++)
		if (compare_uses(&a->uses[i], &b->uses[i]) != 0)
			return false;
	return true;
}

uint32_t
infer_place_in_set(const struct found *f, uint32_t object)
{
	uint32_t i = (uint32_t)lower_bound(
	    at, 0, f->n_shared, f->shared[at] < object);

	return i < f->n_shared && f->shared[i] == object ? i : INFER_NONE;
}

/* Uses by several descriptors */

/* An object, and a descriptor that has it. */
struct owned_object {
	uint32_t object;
	bool several; /* others have it, too */
	size_t owner;
};

static int
compare_owned(const void *a, const void *b)
{
	const struct owned_object *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (x->owner > y->owner) - (x->owner < y->owner);
}

/* Lists all uses of all clients. Returns their number. */
static size_t
list_owned(const struct found *founds, const size_t *owners, size_t n,
    struct owned_object **list)
{
	size_t n_list = 0, cap = 0;

	*list = NULL;
	for (size_t c = 0; c < n; c++)
		for (uint32_t p = 0; p < founds[c].length; p++) {
			const struct found_batch *b = &founds[c].batches[p];

			for (uint32_t i = 0; i < b->n_uses; i++) {
				*list = mem_grow(
				    *list, n_list, &cap, sizeof(**list));
				(*list)[n_list++] = (struct owned_object){
				    .object = b->uses[i].object,
				    .owner = owners[c]};
			}
		}
	return n_list;
}

/* Keeps each object once. Returns how many there are. */
static size_t
settle_owned(struct owned_object *list, size_t n)
{
	size_t kept = 0, end;

	for (size_t i = 0; i < n; i = end) {
		for (end = i; end < n && list[end].object == list[i].object;)
			end++;
		list[i].several = list[i].owner != list[end - 1].owner;
		list[kept++] = list[i];
	}
	return kept;
}

static bool
is_of_several(const struct owned_object *list, size_t n, uint32_t object)
{
	size_t i = (size_t)lower_bound(at, 0, n, list[at].object < object);

	return i < n && list[i].object == object && list[i].several;
}

void
infer_count_foreign_uses(struct found *founds, const size_t *owners, size_t n)
{
	struct owned_object *list;
	size_t n_list = list_owned(founds, owners, n, &list);

	if (n_list > 0)
		qsort(list, n_list, sizeof(*list), compare_owned);
	n_list = settle_owned(list, n_list);
	for (size_t c = 0; c < n; c++)
		for (uint32_t p = 0; p < founds[c].length; p++) {
			struct found_batch *b = &founds[c].batches[p];

			for (uint32_t i = 0; i < b->n_uses; i++)
				if (is_of_several(
					list, n_list, b->uses[i].object))
					b->n_foreign = founds[c].n_sampled;
		}
	free(list);
}
