/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who refers to lines that are about to go: those that are marked. */
#ifndef PARSER_DOCUMENT_REFERRERS_H
#define PARSER_DOCUMENT_REFERRERS_H

#include "base/text.h"
#include "parser/document/document_private.h"

struct lines {
	struct line **list;
	size_t n, cap;
};

void lines_add(struct lines *lines, struct line *line);
void lines_unmark(struct lines *lines);

/*
 * Visits each line that refers to a marked one and is none itself, in order,
 * looking from step on and as long as *last_step, the last marked step, may be
 * in reach. The visitor may mark what it is given, and raise *last_step.
 */
typedef void referrer_fn(struct document *doc, struct line *line, void *arg);
void each_referrer(struct document *doc, size_t step, const size_t *last_step,
    referrer_fn *visit, void *arg);

/* Adds the unmarked lines that use a marked working set, each once. */
void find_set_users(
    struct document *doc, const struct lines *going, struct lines *users);
/* The line without its uses of marked working sets. */
struct line *without_marked_sets(struct document *doc, struct line *line);

/* "line 7 (1.RCS.1000.-2.0), line 9 (s.-1) and 3 more" */
struct naming {
	struct text names;
	size_t n;
};
void name_line(
    const struct document *doc, const struct line *line, struct naming *naming);
void name_rest(struct naming *naming);

#endif
