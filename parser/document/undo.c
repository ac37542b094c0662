/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of changes: undo, redo, groups that are one step of both, and what an
 * undo did. Identities follow each change: the first new line of a hunk takes
 * the identity of its first old line, and so on, and lines moved by one change
 * keep theirs. Identities are assigned when a caller first asks for one.
 */
#include "parser/document/change.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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
	change->before = log->n > 0 ? log->list[log->n - 1] : NULL;
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

/* Returns the hunk that describes a change best: one that adds or removes lines
 * rather than one that only rewrites offsets. *shift: lines by which earlier
 * hunks moved it. */
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
edit_undone(const struct document *doc, struct edit_effect *told)
{
	const struct undo_log *log = &doc->undo;
	const struct hunk *h;
	size_t i = log->n_done;
	ptrdiff_t shift;

	if (i == log->n || log->list[i]->n == 0)
		return false;
	h = main_hunk(log->list[i], &shift);
	*told = (struct edit_effect){.line = h->at};
	told->was = h->n_new ? h->lines[h->n_old] : NULL;
	told->is = h->n_old ? h->lines[0] : NULL;
	do
		told->n += count_lines(log->list[i++]);
	while (i < log->n && log->list[i]->joined);
	return true;
}

bool
edit_redone(const struct document *doc, struct edit_effect *told)
{
	const struct undo_log *log = &doc->undo;
	const struct hunk *h;
	size_t i = log->n_done;
	ptrdiff_t shift;

	if (i == 0 || log->list[i - 1]->n == 0)
		return false;
	h = main_hunk(log->list[i - 1], &shift);
	*told = (struct edit_effect){
	    .line = (size_t)((ptrdiff_t)h->at + shift)};
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

/* Lines that are taken back to what was read. */
struct lines_read {
	const struct line **list;
	size_t n, cap;
};

/* Puts the lines back that a hunk replaced; those before it are back. */
static void
put_back(struct lines_read *r, const struct hunk *h)
{
	size_t behind = r->n - h->at - h->n_new;

	while (r->cap < r->n + h->n_old)
		r->list = mem_grow(r->list, r->cap, &r->cap, sizeof *r->list);
	memmove(r->list + h->at + h->n_old, r->list + h->at + h->n_new,
	    behind * sizeof *r->list);
	for (size_t i = 0; i < h->n_old; i++)
		r->list[h->at + i] = h->lines[i];
	r->n = h->at + h->n_old + behind;
}

const struct line **
document_lines_read(const struct document *doc, size_t *n)
{
	struct lines_read r = {.n = document_n_lines(doc)};

	r.cap = r.n + 1;
	r.list = mem_calloc(r.cap, sizeof *r.list);
	for (size_t i = 0; i < r.n; i++)
		r.list[i] = document_line(doc, i);
	for (size_t k = doc->undo.n_done; k-- > 0;)
		for (size_t i = 0; i < doc->undo.list[k]->n; i++)
			put_back(&r, &doc->undo.list[k]->hunks[i]);
	*n = r.n;
	return r.list;
}

/* Changes live as long as the document, also those that can't be redone any
 * more, and each knows the one before it: the last is enough. */
struct kept_document {
	struct change *last; /* that can be redone, else undone; NULL: none */
	size_t n, n_done;
};

struct kept_document *
document_keep(const struct document *doc)
{
	const struct undo_log *log = &doc->undo;
	struct kept_document *kept = mem_calloc(1, sizeof *kept);

	kept->n = log->n;
	kept->n_done = log->n_done;
	kept->last = log->n > 0 ? log->list[log->n - 1] : NULL;
	return kept;
}

void
kept_document_free(struct kept_document *kept)
{
	free(kept);
}

/* Returns the changes of a kept text, in their order. */
static struct change **
kept_changes(const struct kept_document *kept)
{
	struct change **list = mem_calloc(kept->n + 1, sizeof(*list));
	struct change *change = kept->last;

	for (size_t i = kept->n; i-- > 0; change = change->before)
		list[i] = change;
	return list;
}

/* Undoes what the kept text has not, and does what only it has. */
void
document_put_back(struct document *doc, const struct kept_document *kept)
{
	struct undo_log *log = &doc->undo;
	struct change **list = kept_changes(kept);
	size_t common = 0;

	while (common < log->n_done && common < kept->n_done &&
	    log->list[common] == list[common])
		common++;
	while (log->n_done > common)
		change_apply(doc, log->list[--log->n_done], true);
	for (; log->n_done < kept->n_done; log->n_done++)
		change_apply(doc, list[log->n_done], false);
	free(log->list);
	log->list = list;
	log->n = kept->n;
	log->cap = kept->n + 1;
	log->joining = false;
}

static void
set_new(struct identities *ids, struct line *line)
{
	ids->list = mem_grow(ids->list, ids->n, &ids->cap, sizeof(*ids->list));
	line->identity = (uint32_t)ids->n;
	ids->list[ids->n++] = line;
}

static void
set_all(struct document *doc)
{
	struct identities *ids = &doc->identities;
	const struct sequence *seq = &doc->seq;

	ids->cap = sequence_n_lines(seq) + 64;
	ids->list = mem_calloc(ids->cap, sizeof(*ids->list));
	ids->n = 1;
	for (size_t i = 0; i < seq->n; i++)
		for (uint32_t k = 0; k < seq->slots[i].n_lines; k++)
			set_new(ids, seq->slots[i].chunk->lines[k]);
}

/* Assigns identities at the first call; a cache, so doc is const. */
static const struct identities *
identities(const struct document *doc)
{
	if (doc->identities.n == 0)
		set_all((struct document *)doc);
	return &doc->identities;
}

uint32_t
document_identity(const struct document *doc, const struct line *line)
{
	identities(doc);
	return line->identity;
}

uint32_t
document_n_identities(const struct document *doc)
{
	return (uint32_t)identities(doc)->n - 1;
}

const struct line *
document_identified(const struct document *doc, uint32_t identity)
{
	const struct identities *ids = identities(doc);

	return identity < ids->n ? ids->list[identity] : NULL;
}

static void
inherit_identity(
    struct identities *ids, const struct line *from, struct line *to)
{
	to->identity = from->identity;
	ids->list[to->identity] = to;
}

static void
clear_identities(struct identities *ids, const struct change *change, bool back)
{
	for (size_t i = 0; i < change->n; i++) {
		struct hunk_sides s = hunk_sides(&change->hunks[i], back);

		for (size_t k = 0; k < s.n_old; k++)
			ids->list[s.old[k]->identity] = NULL;
	}
}

static void
pass_identities(struct identities *ids, const struct change *change, bool back)
{
	for (size_t i = 0; i < change->n; i++) {
		struct hunk_sides s = hunk_sides(&change->hunks[i], back);

		for (size_t k = 0; k < s.n_old && k < s.n_new; k++)
			inherit_identity(ids, s.old[k], s.new[k]);
	}
}

/* Keeps identities in a move: one hunk only removes as many lines as another
 * only adds. */
static void
move_identities(struct identities *ids, const struct change *change, bool back)
{
	struct hunk_sides out = {0}, in = {0};

	for (size_t i = 0; i < change->n; i++) {
		struct hunk_sides s = hunk_sides(&change->hunks[i], back);

		if (s.n_old > 0 && s.n_new == 0)
			out = s;
		else if (s.n_old == 0 && s.n_new > 0)
			in = s;
	}
	if (out.n_old != in.n_new)
		return;
	for (size_t k = 0; k < in.n_new; k++)
		inherit_identity(ids, out.old[k], in.new[k]);
}

/* Restores the identity of a line, or gives it a new one if it has none or
 * another line took it. */
static void
give_identity(struct identities *ids, struct line *line)
{
	struct line **place = &ids->list[line->identity];

	if (line->identity == 0 || (*place != NULL && *place != line))
		set_new(ids, line);
	else
		*place = line;
}

void
identity_follow(struct document *doc, const struct change *change, bool back)
{
	struct identities *ids = &doc->identities;

	if (ids->n == 0)
		return;
	clear_identities(ids, change, back);
	pass_identities(ids, change, back);
	move_identities(ids, change, back);
	for (size_t i = 0; i < change->n; i++) {
		struct hunk_sides s = hunk_sides(&change->hunks[i], back);

		for (size_t k = 0; k < s.n_new; k++)
			give_identity(ids, s.new[k]);
	}
}

void
identity_free(struct document *doc)
{
	free(doc->identities.list);
}
