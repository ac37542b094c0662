/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes of a document: lines that replace others, all at once, done or
 * undone. Replaced lines are kept, so undo costs what the edit cost.
 */
#ifndef PARSER_DOCUMENT_CHANGE_H
#define PARSER_DOCUMENT_CHANGE_H

#include "parser/document/document_private.h"

/* n_new lines replace n_old lines from index at (before the change). */
struct hunk {
	size_t at;
	size_t n_old, n_new;
	struct line **lines; /* the old ones, then the new ones */
};

/* Allocated in the document's arena, with its hunks. */
struct change {
	struct hunk *hunks; /* by place, without overlap */
	size_t n;
	uint64_t state;        /* document_state() after it */
	bool joined;           /* same undo step as the change before */
	struct change *before; /* it was made after that one; NULL: first */
};

/* A hunk seen in the direction in which its change is applied. */
struct hunk_sides {
	struct line **old, **new;
	size_t n_old, n_new;
};

/* Returns the sides of a hunk; back: for an undo. */
static inline struct hunk_sides
hunk_sides(const struct hunk *h, bool back)
{
	if (back)
		return (struct hunk_sides){
		    h->lines + h->n_old, h->lines, h->n_new, h->n_old};
	return (struct hunk_sides){
	    h->lines, h->lines + h->n_old, h->n_old, h->n_new};
}

/* Does the change, or undoes it (back), and rechecks the lines it affects. */
void change_apply(struct document *doc, const struct change *change, bool back);

/*
 * While a document is read, each full chunk is linked and checked at once.
 * Lines whose check depends on later lines are deferred to the end.
 */
struct deferred {
	struct line **list;
	size_t n, cap;
};
/* Takes in the chunk of a slot. */
void change_read_chunk(
    struct document *doc, size_t i, struct deferred *deferred);
/* Checks the deferred lines once all are read, and frees the list. */
void change_read_end(struct document *doc, struct deferred *deferred);

/* Appends a change that was just done to the log and drops undone ones, which
 * can no longer be redone. */
void undo_note(struct undo_log *log, struct change *change);
/* Frees the list; changes belong to the document's arena. */
void undo_free(struct undo_log *log);

/* Passes the identities of replaced lines on to their replacements. */
void identity_follow(
    struct document *doc, const struct change *change, bool back);
void identity_free(struct document *doc);

#endif
