/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random descriptors of what a record of requests can show: finite batches, data
 * and fence dependencies on batches, waits, delays, periods, priorities, balanced
 * contexts. Same seed, same descriptor. */
#ifndef TESTS_SUPPORT_ANY_ITERATION_H
#define TESTS_SUPPORT_ANY_ITERATION_H

#include <stdbool.h>
#include <stdint.h>

struct text;

/* Appends a descriptor for `ideal`. ranges: some durations are. */
void any_iteration(uint64_t seed, bool ranges, struct text *out);

#endif
