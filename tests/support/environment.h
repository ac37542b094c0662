/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much a test with random cases does, as the environment says. */
#ifndef TESTS_SUPPORT_ENVIRONMENT_H
#define TESTS_SUPPORT_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

uint64_t from_environment(const char *name, uint64_t otherwise);
/* The number of random cases: the variable of that name, else ROUNDS percent of all
 * (`make test` runs a third, with sanitizers a tenth, `make test-all` all), at
 * least 1. */
uint64_t test_rounds(const char *name, uint64_t all);
/* True for ROUNDS percent of the cases 0, 1, 2, ..., the first among them. */
bool test_round_takes(uint64_t i);

#endif
