/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A descriptor as the person wrote it: lossless, checked, editable.
 *
 * A line of a document is one step, comment, annotation or blank, and the
 * separator after it (newline, CR LF, comma, or nothing at the end). So a file
 * row that holds three steps joined by commas is three lines; row and column
 * in the file are given by document_position(). Printing all lines gives the
 * bytes that were read.
 *
 * Diagnostics are kept up to date by every edit, at a cost that does not grow
 * with the size of the document for the usual edit.
 */
#ifndef PARSER_DOCUMENT_DOCUMENT_H
#define PARSER_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/diag.h"
#include "parser/step.h"

struct stop;
struct text;

enum line_kind {
	LINE_STEP,
	LINE_COMMENT,
	LINE_ANNOTATION,
	LINE_BLANK,
	LINE_BAD /* a step that did not parse: has diagnostics, still counts
		    as a step so that offsets of others stay right */
};

/* Where a text came from decides what ends a comment: a newline, or in
 * inline text (the argument of -w) also a comma. */
enum document_source { SOURCE_FILE, SOURCE_INLINE };

struct document; /* opaque; lines are reached by index */

/* name: shown in diagnostics. text is copied. Never fails: what is wrong is
 * in the diagnostics. */
struct document *document_parse(const char *name, const char *text, size_t len,
    enum document_source source);
/* The same, but NULL once stop says so. */
struct document *document_parse_until(const char *name, const char *text,
    size_t len, enum document_source source, const struct stop *stop);
void document_free(struct document *doc);

const char *document_name(const struct document *doc);
size_t document_n_lines(const struct document *doc);
size_t document_n_steps(const struct document *doc);
enum line_kind document_line_kind(const struct document *doc, size_t line);
/* The line's bytes without its separator; not zero terminated. */
const char *document_line_text(
    const struct document *doc, size_t line, size_t *len);
/* NULL unless LINE_STEP. Valid until the line is edited. */
const struct step *document_line_step(const struct document *doc, size_t line);
/* Number of steps before this line; for a step that is its step number. */
size_t document_step_of_line(const struct document *doc, size_t line);
/* The line of step number step (< document_n_steps). */
size_t document_line_of_step(const struct document *doc, size_t step);
/* File row and column (both from 1) of byte col of a line. */
void document_position(const struct document *doc, size_t line, uint32_t col,
    size_t *row, size_t *column);
/* Byte column and length of the field-th field (fields are separated by
 * dots, from 0) and of the dep-th dependency inside a batch's field 3. */
void document_field(const struct document *doc, size_t line, unsigned field,
    uint32_t *col, uint32_t *len);
void document_dependency(const struct document *doc, size_t line, unsigned dep,
    uint32_t *col, uint32_t *len);

/*
 * A line as a thing that stays while others come and go; its text stays as it
 * was. Lines that took each other's place in an edit, undo or redo have the
 * same identity, a number from 1 to document_n_identities. Valid as long as
 * the document.
 */
struct line;
const struct line *document_line(const struct document *doc, size_t line);
const char *document_line_was(const struct line *line, size_t *len);
/* NULL unless it is, or was, a step. */
const struct step *document_step_was(const struct line *line);
/* Those of all steps, in order; out has room for document_n_steps. */
void document_list_steps(const struct document *doc, const struct line **out);
uint32_t document_identity(const struct document *doc, const struct line *line);
uint32_t document_n_identities(const struct document *doc);
/* The line that has the identity now, NULL if none has. */
const struct line *document_identified(
    const struct document *doc, uint32_t identity);
/* Where a line stands; false: it is not in the document now. */
bool document_line_index(
    const struct document *doc, const struct line *line, size_t *index);

/* All diagnostics, in order of place. Valid until the next edit. */
const struct diag_list *document_diagnostics(const struct document *doc);
/* Those of one line: list[0..n). Valid until the next call or edit. */
const struct diag *document_line_diagnostics(
    const struct document *doc, size_t line, size_t *n);
/* NULL: none. Good until the next call for a line's. Does not take longer with
 * what comes behind it, as the list of all does. */
const struct diag *document_first_error(const struct document *doc);
bool document_is_valid(const struct document *doc); /* no errors */

/* Appends the whole text, byte for byte. */
void document_print(const struct document *doc, struct text *out);
/* As a file has to have it to mean the same: the document as printed, but a
 * text from a command line with a row for what its commas separate. */
void document_print_file(const struct document *doc, struct text *out);
/* Appends the canonical text: one step a row, comments kept. */
void document_format(const struct document *doc, struct text *out);
/* Appends "file:row:col: error: message", the row and a caret under it.
 * diag may be from the document or from who checked further (the engine's
 * compiler). */
void document_explain(
    const struct document *doc, const struct diag *diag, struct text *out);

/* Does gem_wsim read the descriptor as it is meant, on any platform? If not, why
 * gets a note for each cause. (What platforms refuse: engine/compile/platform.h.) */
bool document_is_portable(const struct document *doc, struct diag_list *why);

/* Counts up with every change, undo and redo included. */
uint64_t document_revision(const struct document *doc);
/* Names the text as it is now: undo and redo come back to the same number,
 * other edits never do. 0: as it was read. */
uint64_t document_state(const struct document *doc);

#endif
