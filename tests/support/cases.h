/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests as data: runs of the simulation, and what they must give, in files of cases
 * (tests/README.md "Cases"). `case NAME` of tests/engine/drm.cases is the test
 * engine/drm/NAME.
 */
#ifndef TESTS_SUPPORT_CASES_H
#define TESTS_SUPPORT_CASES_H

#include "tests/support/lab.h"

/* Adds the cases of all files that match the pattern, a path from the root of the
 * source. Ends the runner if there is none, or if a file is not one of cases. */
void cases_add(const char *pattern);

/* A line that begins in the first column, with the indented lines after it. */
struct case_line {
	const char *path;
	unsigned number;
	char *word, *rest; /* the first word, and what follows it */
	char *more;        /* the indented lines, as they are; or "" */
};

#define CASE_WORD 128

/* Fails the test, with the place of the line. */
_Noreturn void run_case_fails(const struct case_line *line, const char *fmt,
    ...) __attribute__((format(printf, 2, 3)));
/* Moves *at behind its next word, which it copies. False: there are no more. */
bool run_case_word(const char **at, char word[CASE_WORD]);
/* The next word must be a number, in decimal; of microseconds. */
double run_case_number(const struct case_line *line, const char **at);
nsec run_case_time(const struct case_line *line, const char **at);
/* The rest of a line and the indented lines after it, with single spaces; to be
 * freed. */
char *run_case_text(const char *rest, const char *more);

/* Compares the run with what a line says of it: word, and what follows that. False: it
 * says nothing of a run. */
bool run_case_expect(const struct case_line *line, const char *word,
    const char *rest, struct lab *lab);

#endif
