/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects that several clients of a process use, as those of a W of gem_wsim:
 * a descriptor can name them, where it cannot name the batches of another client
 * (doc/model/infer.md "Shared objects").
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "run/capture_private.h"

/* A use of an object by a group of threads. */
struct use_by_group {
	uint64_t object;
	uint32_t group;
	bool write;
};

static int
compare_group_uses(const void *a, const void *b)
{
	const struct use_by_group *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

/* Lists the uses of all acts. Returns their number. */
static size_t
list_group_uses(const struct capture_process *p, const struct capture_act *acts,
    size_t n, const uint32_t *groups, struct use_by_group *list)
{
	size_t n_list = 0;

	for (size_t i = 0; i < n; i++) {
		const struct capture_act *act = &acts[i];

		for (unsigned k = 0;
		     act->kind == CAPTURED_SUBMIT && k < act->n_deps; k++) {
			const struct capture_dep *dep =
			    &p->deps[act->first_dep - p->deps_first + k];

			if (dep->kind >= CAPTURED_READ)
				list[n_list++] = (struct use_by_group){
				    dep->object, groups[act->thread],
				    dep->kind == CAPTURED_WRITE};
		}
	}
	return n_list;
}

void
capture_shared_find(struct capture_shared *s, const struct capture_process *p,
    const struct capture_act *acts, size_t n, const uint32_t *groups)
{
	struct use_by_group *list = mem_calloc(p->n_deps + 1, sizeof(*list));
	size_t n_list = list_group_uses(p, acts, n, groups, list), end;

	qsort(list, n_list, sizeof(*list), compare_group_uses);
	*s = (struct capture_shared){
	    .objects = mem_calloc(n_list + 1, sizeof(*s->objects))};
	for (size_t i = 0; i < n_list; i = end) {
		bool written = false;

		for (end = i;
		     end < n_list && list[end].object == list[i].object;)
			written |= list[end++].write;
		if (written && list[i].group != list[end - 1].group)
			s->objects[s->n++] = list[i].object;
	}
	free(list);
}

uint32_t
capture_shared_number(const struct capture_shared *s, uint64_t object)
{
	size_t i = (size_t)lower_bound(at, 0, s->n, s->objects[at] < object);

	return object != 0 && i < s->n && s->objects[i] == object
	    ? (uint32_t)i + 1
	    : 0;
}

void
capture_shared_free(struct capture_shared *s)
{
	free(s->objects);
}
