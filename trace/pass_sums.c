/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/pass_sums.h"

#include <stdlib.h>

#include "base/mem.h"

/* Both count up, and few submissions have several such passes. */
static struct pass_sum *
place(const struct pass_sums *s, uint64_t tag, uint64_t submit)
{
	return &s->list[(submit != 0 ? submit : tag) % PASS_SUMS];
}

void
pass_sums_free(struct pass_sums *s)
{
	free(s->list);
	s->list = NULL;
}

void
pass_sums_set(struct pass_sums *s, uint64_t tag, uint64_t submit, int64_t draws)
{
	if (s->list == NULL)
		s->list = mem_calloc(PASS_SUMS, sizeof(*s->list));
	*place(s, tag, submit) = (struct pass_sum){tag, submit, draws};
}

int64_t
pass_sums_get(
    const struct pass_sums *s, uint64_t tag, uint64_t submit, int64_t otherwise)
{
	const struct pass_sum *sum;

	if (s->list == NULL)
		return otherwise;
	sum = place(s, tag, submit);
	if (sum->tag != tag || sum->submit != submit)
		return otherwise;
	return sum->draws;
}
