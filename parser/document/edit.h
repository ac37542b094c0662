/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Edits of a document. Each is one undo step and keeps the meaning of relative
 * offsets: references across an inserted, deleted or moved step are rewritten
 * in the text of their lines. An edit that cannot be done returns false,
 * appends the reason to err (NULL: no text is wanted) and changes nothing.
 *
 * An edit is not refused for errors in its text: they become diagnostics.
 * Indices of lines are those before the edit.
 */
#ifndef PARSER_DOCUMENT_EDIT_H
#define PARSER_DOCUMENT_EDIT_H

#include "parser/document/document.h"

struct text;

enum edit_references {
	EDIT_REFUSE_REFERRED, /* refuse if other lines refer to it; name them */
	EDIT_DROP_REFERENCES, /* drop those references from their lines; delete
				 an s, a or T that loses its target */
};

/* Inserts text, one line or several, before line (document_n_lines(): at the
 * end). */
bool edit_insert(struct document *doc, size_t line, const char *text,
    size_t len, struct text *err);
/* Deletes n_lines from line. */
bool edit_delete(struct document *doc, size_t line, size_t n_lines,
    enum edit_references how, struct text *err);
/* Moves n_lines from line to before line to. Refused if a reference would have
 * to point forward. */
bool edit_move(struct document *doc, size_t line, size_t n_lines, size_t to,
    struct text *err);
/* Replaces the text of one line. Offsets in the new text are taken literally;
 * those of other lines are rewritten if the number of steps changes. Refused if
 * other lines refer to its step and the new text has none. */
bool edit_replace(struct document *doc, size_t line, const char *text,
    size_t len, struct text *err);

/*
 * Set a value of a context in the step (P, S, X) that governs it at step number
 * at: the last one before it or, because the iteration is a loop, the last one
 * of all (X: only before it). Without such a step one is inserted at the top,
 * below the P, S and X there. *line, if not NULL, is the changed line.
 * parser/value.h has the ranges.
 */
bool edit_priority(struct document *doc, uint32_t context, size_t at,
    int priority, size_t *line, struct text *err);
bool edit_sseu(struct document *doc, uint32_t context, size_t at,
    int64_t slice_mask, size_t *line, struct text *err);
bool edit_preemption(struct document *doc, uint32_t context, size_t at,
    uint64_t us, size_t *line, struct text *err);
/* Returns the index below the P, S and X at the top, where the next is inserted. */
size_t edit_line_below_settings(const struct document *doc);
/* Finds the line of the step of that kind (P, S or X) that governs the context
 * at step number at, as above; false: none. *n, if not NULL, is the number of
 * such steps of the context. */
bool edit_find_governing(const struct document *doc, enum step_kind kind,
    uint32_t context, size_t at, size_t *line, size_t *n);
/* Sets the duration of a batch, delay or period. */
bool edit_duration(struct document *doc, size_t line, struct duration duration,
    struct text *err);
/* Sets the engine of a batch, or the engines of a map. */
bool edit_engine(
    struct document *doc, size_t line, const char *engine, struct text *err);
/*
 * Scales all finite durations of the line by 9/10 or 10/9: in whole us, by at
 * least 1, never below 1 us. Longer then shorter gives exactly the old values;
 * shorter then longer may be 1 us off, because ten lengths map to nine.
 */
enum edit_scale { EDIT_SHORTER, EDIT_LONGER };
bool edit_scale_duration(
    struct document *doc, size_t line, enum edit_scale which, struct text *err);

/* Replaces the whole text, as an editor or another program left it. Lines that
 * did not change keep their identity; offsets are taken literally. No undo step
 * if the text is the same. */
void edit_rewrite(struct document *doc, const char *text, size_t len);
/* The same; false, with nothing changed, if stop asked for it. */
bool edit_rewrite_until(struct document *doc, const char *text, size_t len,
    const struct stop *stop);

/* Turns inline text into the text that document_print_file() gives, as one
 * edit, and into a document from a file. */
void edit_into_file(struct document *doc);

/* Undo or redo one step; false if there is none. Any other edit drops the steps
 * that could be redone. */
bool edit_undo(struct document *doc);
bool edit_redo(struct document *doc);
/* Effect of an undo or redo: its most telling line, and its size. */
struct edit_effect {
	const struct line *was, *is; /* before and after; NULL: none */
	size_t line;                 /* index of that line, or where it was */
	size_t n;                    /* lines added, removed or replaced */
};
/* Describe the last edit_undo() or edit_redo(); false after another edit. */
bool edit_undone(const struct document *doc, struct edit_effect *effect);
bool edit_redone(const struct document *doc, struct edit_effect *effect);
/* A text of a document, with what could be undone and redone then. */
struct kept_document;
/* The caller frees it with kept_document_free(), before or after doc. */
struct kept_document *document_keep(const struct document *doc);
/* Makes the text, its state, the identities of its lines, and what can be undone
 * and redone what they were. doc is the document that was kept. */
void document_put_back(struct document *doc, const struct kept_document *kept);
void kept_document_free(struct kept_document *kept);
/* Make all edits between the two one undo step. Groups may nest. */
void edit_group_begin(struct document *doc);
void edit_group_end(struct document *doc);

#endif
