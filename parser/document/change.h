/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes of a document: some lines in the place of others, all at once, done
 * or undone. Lines are kept, so undo costs what the edit cost.
 */
#ifndef PARSER_DOCUMENT_CHANGE_H
#define PARSER_DOCUMENT_CHANGE_H

#include "parser/document/document_private.h"

/* n_new lines in the place of n_old from line at (counted before the change). */
struct hunk {
	size_t at;
	size_t n_old, n_new;
	struct line **lines; /* the old ones, then the new ones */
};

struct change {
	struct hunk *hunks; /* by place, apart from each other */
	size_t n;
	uint64_t state; /* of the document after it */
	bool joined;    /* one undo step with the change before */
};

/* Does the change, or undoes it, and checks what it touched. */
void change_apply(struct document *doc, const struct change *change, bool back);

/*
 * Reading a document: each chunk is taken in as it was read, and what it says
 * of lines before is checked; what may depend on lines to come waits in later.
 */
struct later {
	struct line **list;
	size_t n, cap;
};
/* The i-th chunk. */
void change_take_in(struct document *doc, size_t i, struct later *later);
/* All lines are there. Frees later. */
void change_take_rest(struct document *doc, struct later *later);

#endif
