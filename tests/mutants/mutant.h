/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults that are put into the program on purpose, one at a time, to see which
 * behaviours or other tests detect them (`make mutants`, doc/behaviours.md). The
 * files tests/mutants/NAME.mutants list them:
 *
 *   mutant slices-never-over: a slice is never over
 *   in engine/sched/execlists_port.c
 *   - sim->now >= port_of(sim, e)->slice_end
 *   + false
 *   equivalent: why no check can detect it (only if none can)
 *   tests: tui/table/filters (only if these tests are to detect it)
 *
 * `tests:` names tests, blanks between, which are run in place of the behaviours.
 * Several lines of - or + are one text. An empty line ends a mutant; # begins a
 * comment. The old text is found whatever its blanks and line breaks are.
 */
#ifndef TESTS_MUTANTS_MUTANT_H
#define TESTS_MUTANTS_MUTANT_H

#include <stdbool.h>
#include <stddef.h>

struct text;

struct mutant {
	char *name, *what, *file;
	char *old_text, *new_text;
	char *equivalent; /* why no check detects it; NULL: one must */
	char *tests;      /* that are to detect it; NULL: the behaviours */
	const char *list; /* the file that lists it */
	unsigned line;    /* its line there, from 1 */
};

struct mutants {
	struct mutant *all;
	size_t n, cap;
};

/* Adds the mutants of a list with that text. False: adds what is wrong to err,
 * "LIST:LINE: ...". list must live as long as m. */
bool mutants_parse(
    struct mutants *m, const char *list, const char *text, struct text *err);
/* Frees all mutants, and leaves none. */
void mutants_free(struct mutants *m);

/* Appends the source with the fault to out. False: the old text is not in it
 * exactly once, which is added to err. */
bool mutant_apply(const struct mutant *m, const char *source, struct text *out,
    struct text *err);

#endif
