/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a document and asking it about its lines. */
#include "parser/document.h"

#include <stdlib.h>
#include <string.h>

#include "parser/change.h"
#include "parser/check.h"
#include "parser/mem.h"
#include "parser/text.h"
#include "parser/undo.h"

struct document *
document_parse(
    const char *name, const char *text, size_t len, enum document_source source)
{
	struct document *doc = mem_calloc(1, sizeof(*doc));
	struct later later = {0};
	const char *end;

	doc->name = mem_strdup(name);
	doc->source = source;
	sequence_init(&doc->seq);
	text = arena_copy(&doc->arena, text, len);
	end = text + len;
	while (text < end) {
		struct raw_line raw;

		line_cut(&raw, text, end, source);
		text = raw.next;
		if (sequence_append(&doc->seq, line_make(&doc->arena, &raw)) ||
		    text == end)
			change_take_in(doc, sequence_close(&doc->seq), &later);
	}
	change_take_rest(doc, &later);
	return doc;
}

void
document_free(struct document *doc)
{
	if (!doc)
		return;
	undo_free(&doc->undo);
	index_free(&doc->index);
	sequence_free(&doc->seq);
	diag_list_free(&doc->diags);
	diag_list_free(&doc->line_diags);
	arena_free(&doc->arena);
	free(doc->name);
	free(doc);
}

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
document_field(const struct document *doc, size_t line, unsigned field,
    uint32_t *col, uint32_t *len)
{
	const struct line *l = sequence_line(&doc->seq, line);
	struct raw_line raw;
	struct field rest, part = {0};

	line_recut(&raw, l, doc->source);
	rest = part = raw.trimmed;
	for (unsigned i = 0; i <= field; i++)
		if (!scan_part(&rest, '.', &part))
			part = (struct field){
			    raw.trimmed.s + raw.trimmed.len, 0};
	*col = (uint32_t)(part.s - l->text);
	*len = part.len;
}

void
document_dependency(const struct document *doc, size_t line, unsigned dep,
    uint32_t *col, uint32_t *len)
{
	const struct line *l = sequence_line(&doc->seq, line);
	struct field rest, part, found;

	document_field(doc, line, 3, col, len);
	found = rest = (struct field){l->text + *col, *len};
	while (scan_part(&rest, '/', &part)) {
		/* A 0 stands for no dependency, so it is not counted. */
		if (field_is(part, '0'))
			continue;
		if (!dep--) {
			found = part;
			break;
		}
	}
	*col = (uint32_t)(found.s - l->text);
	*len = found.len;
}

/* A slot's lines have diagnostics? */
static bool
slot_has_diagnostics(const struct slot *slot, size_t n_steps)
{
	return slot->n_errors || slot->n_warnings || slot->throttle > n_steps;
}

static void
collect(struct document *doc)
{
	size_t n_steps = document_n_steps(doc);

	diag_list_clear(&doc->diags);
	for (size_t i = 0; i < doc->seq.n; i++) {
		const struct slot *slot = &doc->seq.slots[i];

		if (!slot_has_diagnostics(slot, n_steps))
			continue;
		for (uint32_t k = 0; k < slot->n_lines; k++)
			check_diagnose(doc, slot->chunk->lines[k], &doc->diags);
	}
	diag_list_sort(&doc->diags);
	doc->diags_revision = doc->revision;
	doc->diags_collected = true;
}

const struct diag_list *
document_diagnostics(const struct document *doc)
{
	/* The list is a cache: collecting it changes no answer. */
	if (!doc->diags_collected || doc->diags_revision != doc->revision)
		collect((struct document *)doc);
	return &doc->diags;
}

const struct diag *
document_line_diagnostics(const struct document *doc, size_t line, size_t *n)
{
	struct diag_list *list = &((struct document *)doc)->line_diags;

	diag_list_clear(list);
	check_diagnose(doc, sequence_line(&doc->seq, line), list);
	diag_list_sort(list);
	*n = list->n;
	return list->list;
}

bool
document_is_valid(const struct document *doc)
{
	size_t n_steps = document_n_steps(doc);

	for (size_t i = 0; i < doc->seq.n; i++)
		if (doc->seq.slots[i].n_errors ||
		    doc->seq.slots[i].throttle > n_steps)
			return false;
	return true;
}

void
document_print(const struct document *doc, struct text *out)
{
	for (size_t i = 0; i < doc->seq.n; i++) {
		const struct slot *slot = &doc->seq.slots[i];

		for (uint32_t k = 0; k < slot->n_lines; k++) {
			const struct line *line = slot->chunk->lines[k];

			text_add(out, line->text, line->len);
			text_add(out, separator_text(line->separator),
			    separator_length(line->separator));
		}
	}
}
