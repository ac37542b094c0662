/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/environment.h"

#include <stdlib.h>

uint64_t
from_environment(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value != NULL ? strtoull(value, NULL, 10) : otherwise;
}

uint64_t
test_rounds(const char *name, uint64_t all)
{
	uint64_t some = all * from_environment("ROUNDS", 100) / 100;

	return from_environment(name, some > 0 ? some : 1);
}

bool
test_round_takes(uint64_t i)
{
	uint64_t percent = from_environment("ROUNDS", 100);

	return (i * percent + 99) / 100 != ((i + 1) * percent + 99) / 100;
}
