/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking a document about its lines and their places. */
#include <string.h>

#include "base/text.h"
#include "parser/document/change.h"
#include "parser/document/document_private.h"
#include "parser/document/line.h"
#include "parser/document/sequence.h"
#include "parser/scan.h"

const char *
document_name(const struct document *doc)
{
	return doc->name;
}

size_t
document_n_lines(const struct document *doc)
{
	return sequence_n_lines(&doc->seq);
}

size_t
document_n_steps(const struct document *doc)
{
	return sequence_n_steps(&doc->seq);
}

uint64_t
document_revision(const struct document *doc)
{
	return doc->revision;
}

uint64_t
document_state(const struct document *doc)
{
	const struct undo_log *log = &doc->undo;

	return log->n_done ? log->list[log->n_done - 1]->state : 0;
}

enum line_kind
document_line_kind(const struct document *doc, size_t line)
{
	return sequence_line(&doc->seq, line)->kind;
}

const char *
document_line_text(const struct document *doc, size_t line, size_t *len)
{
	const struct line *l = sequence_line(&doc->seq, line);

	*len = l->len;
	return l->text;
}

const struct step *
document_line_step(const struct document *doc, size_t line)
{
	return sequence_line(&doc->seq, line)->step;
}

size_t
document_step_of_line(const struct document *doc, size_t line)
{
	if (line >= document_n_lines(doc))
		return document_n_steps(doc);
	return sequence_step(&doc->seq, sequence_line(&doc->seq, line));
}

size_t
document_line_of_step(const struct document *doc, size_t step)
{
	if (step >= document_n_steps(doc))
		return document_n_lines(doc);
	return sequence_index(
	    &doc->seq, sequence_line_of_step(&doc->seq, step));
}

const struct line *
document_line(const struct document *doc, size_t line)
{
	return sequence_line(&doc->seq, line);
}

const char *
document_line_was(const struct line *line, size_t *len)
{
	*len = line->len;
	return line->text;
}

const struct step *
document_step_was(const struct line *line)
{
	return line->step;
}

bool
document_line_index(
    const struct document *doc, const struct line *line, size_t *index)
{
	if (line == NULL || line->chunk == NULL)
		return false;
	*index = sequence_index(&doc->seq, line);
	return true;
}

void
document_list_steps(const struct document *doc, const struct line **out)
{
	const struct sequence *seq = &doc->seq;

	for (size_t i = 0; i < seq->n; i++) {
		const struct slot *slot = &seq->slots[i];

		for (uint32_t k = 0; k < slot->n_lines; k++)
			if (line_counts(slot->chunk->lines[k]))
				*out++ = slot->chunk->lines[k];
	}
}

void
document_position(const struct document *doc, size_t line, uint32_t col,
    size_t *row, size_t *column)
{
	size_t n = document_n_lines(doc), begin;

	if (!n) {
		*row = *column = 1;
		return;
	}
	sequence_position(&doc->seq,
	    sequence_line(&doc->seq, line < n ? line : n - 1), row, &begin);
	*row += 1;
	*column = begin + col + 1;
}

void
line_field(const struct line *line, enum document_source source, unsigned field,
    uint32_t *col, uint32_t *len)
{
	struct raw_line raw;
	struct field rest, part = {0};

	line_recut(&raw, line, source);
	rest = part = raw.trimmed;
	for (unsigned i = 0; i <= field; i++)
		if (!scan_part(&rest, '.', &part))
			part = (struct field){
			    raw.trimmed.s + raw.trimmed.len, 0};
	*col = (uint32_t)(part.s - line->text);
	*len = part.len;
}

void
line_dependency(const struct line *line, enum document_source source,
    unsigned dep, uint32_t *col, uint32_t *len)
{
	struct field rest, part, found;

	line_field(line, source, 3, col, len);
	found = rest = (struct field){line->text + *col, *len};
	while (scan_part(&rest, '/', &part)) {
		/* A 0 stands for no dependency, so it is not counted. */
		if (field_is(part, '0'))
			continue;
		if (!dep--) {
			found = part;
			break;
		}
	}
	*col = (uint32_t)(found.s - line->text);
	*len = found.len;
}

void
document_field(const struct document *doc, size_t line, unsigned field,
    uint32_t *col, uint32_t *len)
{
	line_field(
	    sequence_line(&doc->seq, line), doc->source, field, col, len);
}

void
document_dependency(const struct document *doc, size_t line, unsigned dep,
    uint32_t *col, uint32_t *len)
{
	line_dependency(
	    sequence_line(&doc->seq, line), doc->source, dep, col, len);
}

/* What ends the line in a file: a comma would go on with a comment there, as
 * it stands again when edit_into_file() is undone. */
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
		const struct slot *slot = &doc->seq.slots[i];

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
