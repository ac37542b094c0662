/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to tweak.c, tweak_edits.c and live.c: edits of several documents, one
 * undo step of each, which are then given to the clients. */
#ifndef RUN_LIVE_TWEAK_EDITS_H
#define RUN_LIVE_TWEAK_EDITS_H

#include "run/live/tweak.h"

struct tweak_edits {
	struct session *session;
	uint64_t *revisions; /* by source, before; UINT64_MAX: not opened */
};

void tweak_begin(struct tweak_edits *e, struct session *s);
/* The targets sorted by source and context, each context once, with the first
 * of its clients: clones share their text. *n becomes their number. Freed with
 * free(). */
struct tweak_target *tweak_unique(
    const struct tweak_target *targets, size_t *n);
/* Call before each edit of the source's document. */
void tweak_open(struct tweak_edits *e, size_t source);
/* Undoes the edits. They can be redone then: check before the first edit. */
void tweak_give_up(struct tweak_edits *e);
/* Gives changed documents to their clients; appends what those do with them. */
void tweak_finish(
    struct tweak_edits *e, enum live_when when, struct text *said);

/* Appends the text of a line without the blanks around it. */
void tweak_add_line(struct text *out, const struct line *line);
/* The row of the line in its file, from 1. */
size_t tweak_row(const struct document *doc, size_t line);

#endif
