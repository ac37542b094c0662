/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Edits of a document. Each is one undo step, keeps every relative offset
 * meaning the same step as before, and is refused with a text (nothing
 * changed) when it can't be done. References that cross an inserted, deleted
 * or moved step are rewritten in the text of their lines.
 *
 * An edit may leave diagnostics behind (a half typed line is a line with an
 * error); it is never refused for that.
 */
#ifndef PARSER_DOCUMENT_EDIT_H
#define PARSER_DOCUMENT_EDIT_H

#include "parser/document/document.h"

struct text;

enum edit_references {
	EDIT_REFUSE_REFERRED, /* refuse when others refer to it, naming them */
	EDIT_DROP_REFERENCES, /* drop those references from their lines (an s,
				 a or T that loses its target goes too) */
};

/* New lines (text may hold several, separated by newlines) before line
 * (== document_n_lines: at the end). */
bool edit_insert(struct document *doc, size_t line, const char *text,
    size_t len, struct text *err);
bool edit_delete(struct document *doc, size_t line, size_t n_lines,
    enum edit_references how, struct text *err);
/* Moves n_lines from line so that they stand before line to (counted before
 * the move). Refused where a reference would point forward. */
bool edit_move(struct document *doc, size_t line, size_t n_lines, size_t to,
    struct text *err);
/* Replaces the text of one line. Offsets in the new text mean what they say;
 * offsets of other lines are rewritten if the number of steps changes. Refused
 * when a step that others refer to would be none any more. */
bool edit_replace(struct document *doc, size_t line, const char *text,
    size_t len, struct text *err);

/*
 * Tweaks: change the step that governs the context at step number at (the
 * last such step before it, else, the iteration being a loop, the last one of
 * all; X: only before it), or insert one at the top of the steps, below the P,
 * S and X that stand there. *line, if not NULL, is the line that was changed.
 */
bool edit_priority(struct document *doc, uint32_t context, size_t at,
    int priority, size_t *line, struct text *err);
bool edit_sseu(struct document *doc, uint32_t context, size_t at,
    int64_t slice_mask, size_t *line, struct text *err);
bool edit_preemption(struct document *doc, uint32_t context, size_t at,
    uint64_t us, size_t *line, struct text *err);
/*
 * The line of the step (of kind P, S or X) that governs the context at step
 * number at, as above; false: there is none. *n, if not NULL, is how many
 * such steps the context has.
 */
bool edit_find_governing(const struct document *doc, enum step_kind kind,
    uint32_t context, size_t at, size_t *line, size_t *n);
/* Duration of a batch, delay or period. */
bool edit_duration(struct document *doc, size_t line, struct duration duration,
    struct text *err);
/*
 * All durations that the line has, but for infinite ones, to nine tenths of
 * what they were, or up to ten ninths: in whole us, by at least 1, never below
 * 1. Shorter after longer is exactly what it was before; longer after shorter
 * is, or 1 us beside it, because of ten lengths only nine are left.
 */
enum edit_scale { EDIT_SHORTER, EDIT_LONGER };
bool edit_scale_duration(
    struct document *doc, size_t line, enum edit_scale which, struct text *err);

/* All of the text is this now (what an editor, or the file, made of it).
 * Offsets mean what they say. Nothing to undo if it was that already. */
void edit_rewrite(struct document *doc, const char *text, size_t len);
/* The same; false: stop said so while the text was cut, nothing has changed. */
bool edit_rewrite_until(struct document *doc, const char *text, size_t len,
    const struct stop *stop);

/* A text from a command line becomes what document_print_file says, as one
 * edit, and goes on as a file. */
void edit_into_file(struct document *doc);

bool edit_undo(struct document *doc); /* false: nothing to undo */
bool edit_redo(struct document *doc);
/* What the last edit_undo, or edit_redo, did, if nothing was edited since. */
struct edit_told {
	const struct line *was, *is; /* the text of a line; NULL: none */
	size_t line;                 /* where it is, or was */
	size_t n;                    /* lines that came, went or changed */
};
bool edit_undone(const struct document *doc, struct edit_told *told);
bool edit_redone(const struct document *doc, struct edit_told *told);
/* Several edits as one undo step. */
void edit_group_begin(struct document *doc);
void edit_group_end(struct document *doc);

#endif
