/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document is read, asked about its lines and their places, and asked for its
 * diagnostics, which are collected on demand.
 */
#include "parser/document/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/util.h"
#include "parser/document/change.h"
#include "parser/document/check.h"
#include "parser/document/document_private.h"

/* Cuts the text into lines and appends them; false if stopped. */
static bool
read_text(struct document *doc, const char *text, size_t len,
    const struct stop *stop, struct deferred *deferred)
{
	const char *end;
	size_t n = 0;

	text = arena_copy(&doc->arena, text, len);
	end = text + len;
	while (text < end) {
		struct raw_line raw;

		line_cut(&raw, text, end, doc->source);
		text = raw.next;
		if (sequence_append(&doc->seq, line_make(&doc->arena, &raw)) ||
		    text == end)
			change_read_chunk(
			    doc, sequence_close(&doc->seq), deferred);
		if (++n % STOP_EVERY == 0 && stop_is_wanted(stop))
			return false;
	}
	return true;
}

struct document *
document_parse(
    const char *name, const char *text, size_t len, enum document_source source)
{
	return document_parse_until(name, text, len, source, NULL);
}

struct document *
document_parse_until(const char *name, const char *text, size_t len,
    enum document_source source, const struct stop *stop)
{
	struct document *doc = mem_calloc(1, sizeof(*doc));
	struct deferred deferred = {0};

	doc->name = mem_strdup(name);
	doc->source = source;
	sequence_init(&doc->seq);
	if (!read_text(doc, text, len, stop, &deferred)) {
		free(deferred.list);
		document_free(doc);
		return NULL;
	}
	change_read_end(doc, &deferred);
	return doc;
}

void
document_free(struct document *doc)
{
	if (!doc)
		return;
	undo_free(&doc->undo);
	identity_free(doc);
	index_free(&doc->index);
	sequence_free(&doc->seq);
	diag_list_free(&doc->diags);
	diag_list_free(&doc->line_diags);
	arena_free(&doc->arena);
	free(doc->name);
	free(doc);
}

/* True if lines of the slot have diagnostics. */
static bool
slot_has_diagnostics(const struct chunk_slot *slot, size_t n_steps)
{
	return slot->n_errors || slot->n_warnings || slot->throttle > n_steps;
}

static void
collect_diagnostics(struct document *doc)
{
	size_t n_steps = document_n_steps(doc);

	diag_list_clear(&doc->diags);
	for (size_t i = 0; i < doc->seq.n; i++) {
		const struct chunk_slot *slot = &doc->seq.slots[i];

		if (!slot_has_diagnostics(slot, n_steps) &&
		    !check_slot_alone(doc, i))
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
	/* The list is a cache, so doc is const. */
	if (!doc->diags_collected || doc->diags_revision != doc->revision)
		collect_diagnostics((struct document *)doc);
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

static const struct diag *
list_first_error(const struct diag_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->list[i].severity == DIAG_ERROR)
			return &list->list[i];
	return NULL;
}

const struct diag *
document_first_error(const struct document *doc)
{
	struct diag_list *list = &((struct document *)doc)->line_diags;
	const struct diag *found = NULL;
	size_t n_steps = document_n_steps(doc);

	for (size_t i = 0; i < doc->seq.n && found == NULL; i++) {
		const struct chunk_slot *slot = &doc->seq.slots[i];

		if (slot->n_errors == 0 && slot->throttle <= n_steps)
			continue;
		for (uint32_t k = 0; k < slot->n_lines && !found; k++) {
			diag_list_clear(list);
			check_diagnose(doc, slot->chunk->lines[k], list);
			diag_list_sort(list);
			found = list_first_error(list);
		}
	}
	return found;
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

const struct annotation *
document_line_annotation(const struct document *doc, size_t line)
{
	return sequence_line(&doc->seq, line)->annotation;
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
		const struct chunk_slot *slot = &seq->slots[i];

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

static size_t
row_of_line(const struct document *doc, size_t line)
{
	size_t row, column;

	document_position(doc, line, 0, &row, &column);
	return row;
}

size_t
document_line_of_row(const struct document *doc, size_t row)
{
	return lower_bound(
	    i, 0, document_n_lines(doc), row_of_line(doc, i) < row);
}

void
document_field(const struct document *doc, size_t line, unsigned field,
    uint32_t *col, uint32_t *len)
{
	line_field(
	    sequence_line(&doc->seq, line), doc->source, field, col, len);
}
