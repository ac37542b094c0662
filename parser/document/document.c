/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a document, and what is wrong in it. */
#include "parser/document/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stop.h"
#include "base/text.h"
#include "parser/document/change.h"
#include "parser/document/check.h"
#include "parser/document/identity.h"
#include "parser/document/undo.h"

/* Cuts the text into lines and takes them in; false: stopped. */
static bool
read_lines(struct document *doc, const char *text, size_t len,
    const struct stop *stop, struct later *later)
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
			change_take_in(doc, sequence_close(&doc->seq), later);
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
	struct later later = {0};

	doc->name = mem_strdup(name);
	doc->source = source;
	sequence_init(&doc->seq);
	if (!read_lines(doc, text, len, stop, &later)) {
		free(later.list);
		document_free(doc);
		return NULL;
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
	identity_free(doc);
	index_free(&doc->index);
	sequence_free(&doc->seq);
	diag_list_free(&doc->diags);
	diag_list_free(&doc->line_diags);
	arena_free(&doc->arena);
	free(doc->name);
	free(doc);
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

static const struct diag *
first_error(const struct diag_list *list)
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
		const struct slot *slot = &doc->seq.slots[i];

		if (slot->n_errors == 0 && slot->throttle <= n_steps)
			continue;
		for (uint32_t k = 0; k < slot->n_lines && !found; k++) {
			diag_list_clear(list);
			check_diagnose(doc, slot->chunk->lines[k], list);
			diag_list_sort(list);
			found = first_error(list);
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
