/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes of a document: some lines in the place of others, all at once, done
 * or undone. Lines are kept, so undo costs what the edit cost.
 */
#ifndef PARSER_CHANGE_H
#define PARSER_CHANGE_H

#include "parser/document_private.h"

/* n_new lines in the place of n_old from line at (counted before the change). */
struct hunk {
	size_t at;
	size_t n_old, n_new;
	struct line **lines; /* the old ones, then the new ones */
};

struct change {
	struct hunk *hunks; /* by place, apart from each other */
	size_t n;
	bool joined; /* one undo step with the change before */
};

/* Does the change, or undoes it, and checks what it touched. */
void change_apply(struct document *doc, const struct change *change, bool back);

/* Checks a document just read. */
void change_check_all(struct document *doc);

#endif
