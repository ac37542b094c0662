/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document as text: byte for byte, as a file, in canonical form; and a
 * diagnostic with its place, the row and a caret.
 */
#include "parser/document/document_private.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

/* Bytes shown of a long row before and after the place. */
#define BYTES_BEFORE 60
#define BYTES_AFTER  60
#define TAB          8

/* The part of a row around the place of a diagnostic. */
struct excerpt {
	struct text text;
	size_t at; /* index of the place in text */
	bool cut_begin, cut_end;
};

/* Returns the separator of a line in a file. A comma would continue a comment
 * there; such a line exists after an undo of edit_into_file(). */
static uint8_t
file_separator(const struct document *doc, const struct line *line)
{
	if (line->separator == SEP_COMMA &&
	    (doc->source == SOURCE_INLINE ||
		memchr(line->text, '#', line->len)))
		return SEP_NEWLINE;
	if (line->separator == SEP_NONE && doc->source == SOURCE_INLINE)
		return SEP_NEWLINE;
	return line->separator;
}

static void
print_lines(const struct document *doc, bool file, struct text *out)
{
	for (size_t i = 0; i < doc->seq.n; i++) {
		const struct chunk_slot *slot = &doc->seq.slots[i];

		for (uint32_t k = 0; k < slot->n_lines; k++) {
			const struct line *line = slot->chunk->lines[k];
			uint8_t end = file ? file_separator(doc, line)
					   : line->separator;

			text_add(out, line->text, line->len);
			text_add(
			    out, separator_text(end), separator_length(end));
		}
	}
}

void
document_print(const struct document *doc, struct text *out)
{
	print_lines(doc, false, out);
}

void
document_print_file(const struct document *doc, struct text *out)
{
	print_lines(doc, true, out);
}

static bool
closes_row(const struct line *line)
{
	return line->separator != SEP_COMMA;
}

/* Adds up to BYTES_BEFORE bytes of the row before the place. */
static void
add_before(
    const struct document *doc, size_t index, size_t col, struct excerpt *e)
{
	size_t first = index, bytes = col, skip;

	while (first && bytes <= BYTES_BEFORE) {
		const struct line *line = sequence_line(&doc->seq, first - 1);

		if (closes_row(line))
			break;
		bytes += line->len + 1;
		first--;
	}
	skip = bytes > BYTES_BEFORE ? bytes - BYTES_BEFORE : 0;
	e->cut_begin = skip > 0;
	for (size_t i = first; i <= index; i++) {
		const struct line *line = sequence_line(&doc->seq, i);
		size_t len = i == index ? col : line->len;
		size_t from = skip < len ? skip : len;

		text_add(&e->text, line->text + from, len - from);
		skip -= from;
		if (i < index) {
			if (skip)
				skip--;
			else
				text_addc(&e->text, ',');
		}
	}
	e->at = e->text.len;
}

static void
add_after(
    const struct document *doc, size_t index, size_t col, struct excerpt *e)
{
	size_t n = sequence_n_lines(&doc->seq), left = BYTES_AFTER;

	for (size_t i = index; i < n; i++, col = 0) {
		const struct line *line = sequence_line(&doc->seq, i);
		size_t len = line->len - col;

		if (len > left) {
			text_add(&e->text, line->text + col, left);
			e->cut_end = true;
			return;
		}
		text_add(&e->text, line->text + col, len);
		left -= len;
		if (closes_row(line))
			return;
		if (!left) {
			e->cut_end = true;
			return;
		}
		text_addc(&e->text, ',');
		left--;
	}
}

/* Finds the part of the excerpt without the halves of cut characters. */
static void
align(struct excerpt *e, size_t *begin, size_t *end)
{
	const char *s = text_str(&e->text);

	*begin = 0;
	*end = e->text.len;
	if (e->cut_begin)
		while (
		    *begin < e->at && *begin < 3 && (s[*begin] & 0xc0) == 0x80)
			++*begin;
	if (e->cut_end)
		*end = utf8_whole(s, *end);
}

/* Appends the row as visible text; returns the column of byte at. */
static size_t
add_excerpt_row(const struct excerpt *e, size_t begin, size_t end, size_t at,
    struct text *out)
{
	const char *s = text_str(&e->text);
	size_t column = 0, caret = 0;
	bool placed = false;

	if (e->cut_begin) {
		text_adds(out, "...");
		column = 3;
	}
	for (size_t i = begin; i < end;) {
		struct utf8_char c = utf8_decode(s + i, end - i);

		if (!placed && i + c.len > at) {
			caret = column;
			placed = true;
		}
		if (s[i] == '\t') {
			size_t width = TAB - column % TAB;

			text_addf(out, "%*s", (int)width, "");
			column += width;
		} else {
			text_add_visible(out, s + i, c.len);
			column += c.width;
		}
		i += c.len;
	}
	if (e->cut_end)
		text_adds(out, "...");
	text_addc(out, '\n');
	return placed ? caret : column;
}

/* Returns the columns of the marked bytes, at least 1. */
static size_t
excerpt_width(const struct excerpt *e, size_t at, size_t len, size_t end)
{
	const char *s = text_str(&e->text);
	size_t width = 0, stop = at + len < end ? at + len : end;

	for (size_t i = at; i < stop;) {
		struct utf8_char c = utf8_decode(s + i, stop - i);

		width += c.width;
		i += c.len;
	}
	return width ? width : 1;
}

static void
add_excerpt(
    const struct document *doc, const struct diag *diag, struct text *out)
{
	const struct line *line = sequence_line(&doc->seq, diag->line);
	size_t col = diag->col < line->len ? diag->col : line->len;
	struct excerpt e = {0};
	size_t begin, end, caret, width;

	add_before(doc, diag->line, col, &e);
	add_after(doc, diag->line, col, &e);
	align(&e, &begin, &end);
	caret = add_excerpt_row(&e, begin, end, e.at, out);
	text_addf(out, "%*s^", (int)caret, "");
	width = excerpt_width(&e, e.at,
	    diag->len < line->len - col ? diag->len : line->len - col, end);
	while (--width)
		text_addc(out, '~');
	text_addc(out, '\n');
	text_free(&e.text);
}

void
document_explain(
    const struct document *doc, const struct diag *diag, struct text *out)
{
	static const char *const names[] = {"error", "warning", "note"};
	size_t row, column;

	document_position(doc, diag->line, diag->col, &row, &column);
	text_add_visible(out, doc->name, __builtin_strlen(doc->name));
	text_addf(out, ":%zu:%zu: %s: ", row, column, names[diag->severity]);
	text_add_visible(out, diag->message, __builtin_strlen(diag->message));
	text_addc(out, '\n');
	if (diag->line < sequence_n_lines(&doc->seq))
		add_excerpt(doc, diag, out);
}

/* True if the line is part of the canonical text. Blank rows of the file are;
 * an empty step between two commas is not. */
static bool
is_formatted(const struct document *doc, size_t i)
{
	const struct line *line = sequence_line(&doc->seq, i);
	const struct line *before;

	if (line->kind != LINE_BLANK)
		return true;
	if (line->separator == SEP_COMMA || line->separator == SEP_NONE)
		return false;
	before = i ? sequence_line(&doc->seq, i - 1) : NULL;
	return !before || before->separator != SEP_COMMA;
}

void
document_format(const struct document *doc, struct text *out)
{
	size_t n = sequence_n_lines(&doc->seq);

	for (size_t i = 0; i < n; i++) {
		const struct line *line = sequence_line(&doc->seq, i);
		struct raw_line raw;

		if (!is_formatted(doc, i))
			continue;
		line_recut(&raw, line, doc->source);
		if (line->step)
			step_print(out, line->step);
		else
			text_add(out, raw.trimmed.s, raw.trimmed.len);
		text_addc(out, '\n');
	}
}
