/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Undo, redo, and groups of edits that are one step of both. */
#include "parser/document/undo.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"
#include "parser/document/change.h"
#include "parser/document/edit.h"

void
undo_free(struct undo_log *log)
{
	free(log->list);
	*log = (struct undo_log){0};
}

void
undo_note(struct undo_log *log, struct change *change)
{
	change->state = ++log->last_state;
	change->joined = log->depth && log->joining;
	log->joining = log->depth;
	log->n = log->n_done;
	log->list = mem_grow(log->list, log->n, &log->cap, sizeof(*log->list));
	log->list[log->n++] = change;
	log->n_done = log->n;
}

bool
edit_undo(struct document *doc)
{
	struct undo_log *log = &doc->undo;
	const struct change *change;

	if (!log->n_done)
		return false;
	do {
		change = log->list[--log->n_done];
		change_apply(doc, change, true);
	} while (change->joined);
	log->joining = false;
	return true;
}

bool
edit_redo(struct document *doc)
{
	struct undo_log *log = &doc->undo;

	if (log->n_done == log->n)
		return false;
	do
		change_apply(doc, log->list[log->n_done++], false);
	while (log->n_done < log->n && log->list[log->n_done]->joined);
	log->joining = false;
	return true;
}

/* The hunk to tell of a change: lines that came or went, if any did; others
 * often only mean them. *shift: by how much those before it moved it. */
static const struct hunk *
main_hunk(const struct change *c, ptrdiff_t *shift)
{
	size_t i = 0;

	while (i + 1 < c->n && c->hunks[i].n_old == c->hunks[i].n_new)
		i++;
	if (c->hunks[i].n_old == c->hunks[i].n_new)
		i = 0;
	*shift = 0;
	for (size_t k = 0; k < i; k++)
		*shift += (ptrdiff_t)c->hunks[k].n_new -
		    (ptrdiff_t)c->hunks[k].n_old;
	return &c->hunks[i];
}

static size_t
count_lines(const struct change *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->hunks[i].n_old > c->hunks[i].n_new ? c->hunks[i].n_old
							   : c->hunks[i].n_new;
	return n;
}

bool
edit_undone(const struct document *doc, struct edit_told *told)
{
	const struct undo_log *log = &doc->undo;
	const struct hunk *h;
	size_t i = log->n_done;
	ptrdiff_t shift;

	if (i == log->n || log->list[i]->n == 0)
		return false;
	h = main_hunk(log->list[i], &shift);
	*told = (struct edit_told){.line = h->at};
	told->was = h->n_new ? h->lines[h->n_old] : NULL;
	told->is = h->n_old ? h->lines[0] : NULL;
	do
		told->n += count_lines(log->list[i++]);
	while (i < log->n && log->list[i]->joined);
	return true;
}

bool
edit_redone(const struct document *doc, struct edit_told *told)
{
	const struct undo_log *log = &doc->undo;
	const struct hunk *h;
	size_t i = log->n_done;
	ptrdiff_t shift;

	if (i == 0 || log->list[i - 1]->n == 0)
		return false;
	h = main_hunk(log->list[i - 1], &shift);
	*told = (struct edit_told){.line = (size_t)((ptrdiff_t)h->at + shift)};
	told->was = h->n_old ? h->lines[0] : NULL;
	told->is = h->n_new ? h->lines[h->n_old] : NULL;
	do
		told->n += count_lines(log->list[--i]);
	while (log->list[i]->joined);
	return true;
}

void
edit_group_begin(struct document *doc)
{
	if (!doc->undo.depth++)
		doc->undo.joining = false;
}

void
edit_group_end(struct document *doc)
{
	if (doc->undo.depth && !--doc->undo.depth)
		doc->undo.joining = false;
}
