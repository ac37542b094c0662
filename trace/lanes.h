/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows for slices that overlap: each slice, told of in the order of their ends,
 * has a lane that is free from its start on. There are as many lanes as slices
 * were ever open at a time.
 */
#ifndef TRACE_LANES_H
#define TRACE_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lane;

struct lanes {
	struct lane *list; /* the one that is free first is first */
	size_t n, cap;
};

void lanes_free(struct lanes *l);
/* The lane, from 0; *fresh: it was never given out. */
uint32_t lanes_take(
    struct lanes *l, uint64_t start_ns, uint64_t end_ns, bool *fresh);

#endif
