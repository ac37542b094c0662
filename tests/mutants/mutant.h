/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults to be put into the engine on purpose, one at a time, to see which
 * behaviours notice them (`make mutants`, doc/behaviours.md). They stand in the
 * files tests/mutants/NAME.mutants:
 *
 *   mutant slices-never-over: a slice is never over
 *   in engine/sched/execlists_port.c
 *   - sim->now >= port_of(sim, e)->slice_end
 *   + false
 *   equivalent: only where nothing that can be observed changes, with why
 *
 * Several lines of - or + are one text. An empty line ends a mutant, # begins a
 * comment. Blanks and line ends do not count where the old text is looked for.
 */
#ifndef TESTS_MUTANTS_MUTANT_H
#define TESTS_MUTANTS_MUTANT_H

#include <stdbool.h>
#include <stddef.h>

struct text;

struct mutant {
	char *name, *what, *file;
	char *old_text, *new_text;
	char *equivalent; /* why nothing notices it; NULL: something has to */
	const char *list; /* the file that it stands in, */
	unsigned line;    /* and where */
};

struct mutants {
	struct mutant *all;
	size_t n, cap;
};

/* Adds those of a list, text; false with what is wrong, "LIST:LINE: ...". list
 * has to stay. */
bool mutants_parse(
    struct mutants *m, const char *list, const char *text, struct text *err);
void mutants_free(struct mutants *m);

/* Appends the source with the fault to out. False, with what is wrong, unless
 * the old text is there once. */
bool mutant_apply(const struct mutant *m, const char *source, struct text *out,
    struct text *err);

#endif
