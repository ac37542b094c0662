/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much a test with random cases does, as the environment says. */
#ifndef TESTS_SUPPORT_ENVIRONMENT_H
#define TESTS_SUPPORT_ENVIRONMENT_H

#include <stdint.h>

uint64_t from_environment(const char *name, uint64_t otherwise);
/* The number of random cases: the variable of that name, else ROUNDS percent of all
 * (`make test` runs a third, `make test-all` all), at least 1. */
uint64_t test_rounds(const char *name, uint64_t all);

#endif
