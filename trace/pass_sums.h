/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The draws of render passes in parts, as far as they are known: of the last
 * ones, in memory that is bounded. */
#ifndef TRACE_PASS_SUMS_H
#define TRACE_PASS_SUMS_H

#include <stdint.h>

#define PASS_SUMS 32768

struct pass_sum {
	uint64_t tag, submit; /* tag 0: nothing */
	int64_t draws;
};

/* Zeroed at first. */
struct pass_sums {
	struct pass_sum *list; /* NULL: there was no such pass */
};

void pass_sums_free(struct pass_sums *s);
/* So many it has now. */
void pass_sums_set(
    struct pass_sums *s, uint64_t tag, uint64_t submit, int64_t draws);
/* otherwise: of one that is not known here. */
int64_t pass_sums_get(const struct pass_sums *s, uint64_t tag, uint64_t submit,
    int64_t otherwise);

#endif
