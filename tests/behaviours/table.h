/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the table of behaviours: one line per entry, with its result and how
 * it differs from its original (doc/behaviours.md). */
#ifndef TESTS_BEHAVIOURS_TABLE_H
#define TESTS_BEHAVIOURS_TABLE_H

#include <stdbool.h>

#include "tests/behaviours/behaviour.h"
#include "tests/runner/test.h"

struct entry {
	const char *section;
	const struct behaviour *behaviour;
	char *title;
	size_t place;     /* in the order of the files */
	struct test test; /* of the check, if there is one */
	bool passed;
};

struct table {
	struct entry *entries;
	size_t n;
};

bool behaviour_has(const struct behaviour *b, enum remark_kind kind);

/* Prints the table, after the tests have run. */
void table_print(const struct table *t);
/* Prints the titles of the checks that a fault in the engine must fail, one per
 * line. */
void table_print_checks(const struct table *t);

#endif
