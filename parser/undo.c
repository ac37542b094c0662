/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Undo, redo, and groups of edits that are one step of both. */
#include "parser/undo.h"

#include <stdlib.h>

#include "parser/change.h"
#include "parser/edit.h"
#include "parser/mem.h"

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
