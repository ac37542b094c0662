/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much a test with random cases does, as the environment says. */
#ifndef TESTS_SUPPORT_ENVIRONMENT_H
#define TESTS_SUPPORT_ENVIRONMENT_H

#include <stdint.h>

uint64_t from_environment(const char *name, uint64_t otherwise);

#endif
