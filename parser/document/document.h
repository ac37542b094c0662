/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A descriptor as it was written: lossless, checked, editable (edit.h).
 *
 * A line of a document is one step, comment, annotation or blank, and the
 * separator after it (newline, CR LF, comma, or nothing at the end). So a file
 * row with three steps joined by commas is three lines; document_position()
 * converts to rows and columns of the file. Printing all lines gives the bytes
 * that were read.
 *
 * Indices of lines and step numbers count from 0. Every edit updates the
 * diagnostics; for most edits the cost does not grow with the document.
 */
#ifndef PARSER_DOCUMENT_DOCUMENT_H
#define PARSER_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/diag.h"
#include "parser/step.h"

struct annotation;
struct stop;
struct text;

enum line_kind {
	LINE_STEP,
	LINE_COMMENT,
	LINE_ANNOTATION,
	LINE_BLANK,
	LINE_BAD /* a step that did not parse: has diagnostics, but counts as
		    a step so that offsets across it stay right */
};

/* Where a text comes from. In inline text (the argument of -w) a comma ends a
 * comment, too; in a file only a newline does. */
enum document_source { SOURCE_FILE, SOURCE_INLINE };

struct document; /* opaque; lines are reached by index */

/* Parses a text; errors become diagnostics. Copies name, which
 * document_explain() prints, and text. The caller frees the document. */
struct document *document_parse(const char *name, const char *text, size_t len,
    enum document_source source);
/* The same; NULL if stop asked for it (base/stop.h). */
struct document *document_parse_until(const char *name, const char *text,
    size_t len, enum document_source source, const struct stop *stop);
/* Frees the document and all lines, steps and diagnostics of it; NULL is
 * allowed. */
void document_free(struct document *doc);

/* The name given to document_parse(). */
const char *document_name(const struct document *doc);
/* Number of lines; an empty text has none. */
size_t document_n_lines(const struct document *doc);
/* Number of steps, lines that do not parse included. */
size_t document_n_steps(const struct document *doc);
/* Functions with a line take an index below document_n_lines(). */
enum line_kind document_line_kind(const struct document *doc, size_t line);
/* The line's bytes without its separator, not zero terminated. Valid as long as
 * the document. */
const char *document_line_text(
    const struct document *doc, size_t line, size_t *len);
/* The step of a LINE_STEP, else NULL. Valid as long as the document. */
const struct step *document_line_step(const struct document *doc, size_t line);
/* The annotation of a LINE_ANNOTATION that parses, else NULL. Valid as long as
 * the document. */
const struct annotation *document_line_annotation(
    const struct document *doc, size_t line);
/* Number of steps before this line: for a step, its step number. */
size_t document_step_of_line(const struct document *doc, size_t line);
/* The line of step number step; document_n_lines() if there is none. */
size_t document_line_of_step(const struct document *doc, size_t step);
/* Row and column in the file, both from 1, of byte col of a line. */
void document_position(const struct document *doc, size_t line, uint32_t col,
    size_t *row, size_t *column);
/* Returns the first line in that row, from 1, or after it; document_n_lines()
 * if there is none. */
size_t document_line_of_row(const struct document *doc, size_t row);
/* First byte in the line and length in bytes of a field: fields are separated
 * by dots and count from 0. */
void document_field(const struct document *doc, size_t line, unsigned field,
    uint32_t *col, uint32_t *len);

/*
 * A handle of a line. It stays valid as long as the document, with the same
 * text, even when an edit removes or replaces the line. A line and its
 * replacement in an edit, undo or redo have the same identity, a number from 1
 * to document_n_identities().
 */
struct line;
/* The handle of the line with that index. */
const struct line *document_line(const struct document *doc, size_t line);
/* The bytes of a line that may have left the document. */
const char *document_line_was(const struct line *line, size_t *len);
/* The step of such a line; NULL if it is none. */
const struct step *document_step_was(const struct line *line);
/* Writes the lines of all steps, in order, to out, which has room for
 * document_n_steps(). */
void document_list_steps(const struct document *doc, const struct line **out);
/* Returns the *n lines of the text as it was read, before all edits, in a list that
 * the caller frees. */
const struct line **document_lines_read(const struct document *doc, size_t *n);
/* The identity of a line that is, or was, in the document. */
uint32_t document_identity(const struct document *doc, const struct line *line);
/* The largest identity given so far. */
uint32_t document_n_identities(const struct document *doc);
/* The line that has the identity now; NULL: none. */
const struct line *document_identified(
    const struct document *doc, uint32_t identity);
/* Sets the index of a line; false if it is not in the document now. */
bool document_line_index(
    const struct document *doc, const struct line *line, size_t *index);

/* All diagnostics by line and column. Valid until the next edit. */
const struct diag_list *document_diagnostics(const struct document *doc);
/* The n diagnostics of one line. Valid until the next call of this or the next
 * function, or the next edit. */
const struct diag *document_line_diagnostics(
    const struct document *doc, size_t line, size_t *n);
/* The first error; NULL: none. Looks no further than that line. */
const struct diag *document_first_error(const struct document *doc);
/* True if the document has no errors; it may have warnings. */
bool document_is_valid(const struct document *doc);

/* Appends the text, byte for byte. */
void document_print(const struct document *doc, struct text *out);
/* Appends the text as a file must have it to mean the same: in inline text
 * newlines replace the commas between lines. */
void document_print_file(const struct document *doc, struct text *out);
/* Appends the canonical text: one step per row, comments kept. */
void document_format(const struct document *doc, struct text *out);
/* Appends "file:row:col: error: message", the row and a caret below it. diag is
 * of the document or of a later check of it, like the engine's compiler. */
void document_explain(
    const struct document *doc, const struct diag *diag, struct text *out);

/* True if gem_wsim reads the descriptor with the same meaning. Otherwise adds a
 * note for each cause to why. engine/compile/platform.h has what platforms
 * refuse. */
bool document_is_portable(const struct document *doc, struct diag_list *why);

/* Counts changes; undo and redo are changes, too. */
uint64_t document_revision(const struct document *doc);
/* Identifies the present text: undo and redo return to the same number, other
 * edits never do. 0: the text as it was read. */
uint64_t document_state(const struct document *doc);

/*
 * Adds the diagnostics that text, which is being typed, would have: one line,
 * or several steps joined by commas, that replaces line at or, if is_new, is
 * inserted before it (document_n_lines(): at the end). The document does not
 * change. Columns are bytes of text.
 */
void draft_diagnose(const struct document *doc, size_t at, bool is_new,
    const char *text, size_t len, struct diag_list *diags);

#endif
