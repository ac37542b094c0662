/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/lanes.h"

#include <stdlib.h>

#include "base/mem.h"

struct lane {
	uint64_t free_ns; /* from when on */
	uint32_t number;
};

void
lanes_free(struct lanes *l)
{
	free(l->list);
	*l = (struct lanes){0};
}

/* How many are free at start_ns: they come first. */
static size_t
count_free(const struct lanes *l, uint64_t start_ns)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->list[middle].free_ns <= start_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of those that are free the one that was used last: the others are for what
 * has begun earlier and will end later. */
uint32_t
lanes_take(struct lanes *l, uint64_t start_ns, uint64_t end_ns, bool *fresh)
{
	size_t i = count_free(l, start_ns);
	struct lane lane = {end_ns, (uint32_t)l->n};

	*fresh = i == 0;
	if (*fresh) {
		l->list = mem_grow(l->list, l->n, &l->cap, sizeof(*l->list));
		i = l->n++;
	} else
		lane.number = l->list[--i].number;
	for (; i + 1 < l->n && l->list[i + 1].free_ns <= end_ns; i++)
		l->list[i] = l->list[i + 1];
	for (; i > 0 && l->list[i - 1].free_ns > end_ns; i--)
		l->list[i] = l->list[i - 1];
	l->list[i] = lane;
	return lane.number;
}
