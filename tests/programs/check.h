/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the programs of this folder. Needs PROGRAM, a name in quotes. */
#ifndef TESTS_PROGRAMS_CHECK_H
#define TESTS_PROGRAMS_CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* Exits with a line unless the condition holds. */
#define CHECK(condition, ...)                                                  \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, PROGRAM ": " __VA_ARGS__);             \
			fprintf(stderr, " (%s)\n", #condition);                \
			exit(1);                                               \
		}                                                              \
	} while (0)

#endif
