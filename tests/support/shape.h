/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shape of a descriptor: what its iterations do once they go on as ever,
 * however that is written. Two with the same shape differ in times only.
 */
#ifndef TESTS_SUPPORT_SHAPE_H
#define TESTS_SUPPORT_SHAPE_H

#include <stdint.h>

#include "base/text.h"
#include "parser/step.h"

struct program;

/* A line of its text is a batch, a wait for one (s, t, q or a flag), or another
 * step; batches and contexts have the numbers of their first appearance. A
 * dependency that others imply is not in it. */
struct shape {
	struct text text;
	struct duration *durations; /* of batches, row by row */
	unsigned n_durations;
	uint64_t *sleeps_us; /* delays and periods in their order */
	unsigned n_sleeps;
	unsigned n_batches;
};

void shape_take(struct shape *s, const struct program *p);
void shape_free(struct shape *s);

#endif
