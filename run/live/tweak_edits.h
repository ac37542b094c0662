/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to tweak.c, tweak_edits.c and live.c: edits of several documents, one
 * undo step of each, which are then given to the clients. */
#ifndef RUN_LIVE_TWEAK_EDITS_H
#define RUN_LIVE_TWEAK_EDITS_H

#include "run/live/tweak.h"

struct tweak_edits {
	struct session *session;
	uint64_t *revisions; /* per source, before; UINT64_MAX: not opened */
};

void tweak_begin(struct tweak_edits *e, struct session *s);
/* By source and context, each once: clones have one text. That of the first client
 * of each; *n becomes how many. To be freed. */
struct tweak_target *tweak_unique(
    const struct tweak_target *targets, size_t *n);
/* Is it among them? */
bool tweak_has(const struct tweak_target *unique, size_t n, size_t source,
    uint32_t context);
/* Before the first edit of the source's document, and any later one. */
void tweak_open(struct tweak_edits *e, size_t source);
/* What was edited is as it was. */
void tweak_give_up(struct tweak_edits *e);
/* Gives changed documents to their clients; adds to said what they do. */
void tweak_finish(
    struct tweak_edits *e, enum live_when when, struct text *said);

/* The text of a line, without blanks around it. */
void tweak_add_line(struct text *out, const struct line *line);
/* The row of the file, from 1. */
size_t tweak_row(const struct document *doc, size_t line);

#endif
