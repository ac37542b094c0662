/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Identities of lines. Of a change that puts lines in the place of others, the
 * first new one takes the identity of the first old one, and so on; lines that
 * are taken out here and put in there (a move) keep theirs. Who never asks
 * pays nothing: identities are given when the first one is asked for.
 */
#include "parser/document/identity.h"

#include <stdlib.h>

#include "base/mem.h"

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

/* Answers do not depend on when they were first asked for. */
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

/* Lines that go and lines that come, as the change is seen from its
 * direction. */
struct sides {
	struct line **old, **new;
	size_t n_old, n_new;
};

static struct sides
sides_of(const struct hunk *h, bool back)
{
	if (back)
		return (struct sides){
		    h->lines + h->n_old, h->lines, h->n_new, h->n_old};
	return (struct sides){
	    h->lines, h->lines + h->n_old, h->n_old, h->n_new};
}

static void
inherit(struct identities *ids, const struct line *from, struct line *to)
{
	to->identity = from->identity;
	ids->list[to->identity] = to;
}

static void
take_out(struct identities *ids, const struct change *change, bool back)
{
	for (size_t i = 0; i < change->n; i++) {
		struct sides s = sides_of(&change->hunks[i], back);

		for (size_t k = 0; k < s.n_old; k++)
			ids->list[s.old[k]->identity] = NULL;
	}
}

static void
replace(struct identities *ids, const struct change *change, bool back)
{
	for (size_t i = 0; i < change->n; i++) {
		struct sides s = sides_of(&change->hunks[i], back);

		for (size_t k = 0; k < s.n_old && k < s.n_new; k++)
			inherit(ids, s.old[k], s.new[k]);
	}
}

/* A move: as many lines are only taken out in one place as are only put in in
 * another. */
static void
move(struct identities *ids, const struct change *change, bool back)
{
	struct sides out = {0}, in = {0};

	for (size_t i = 0; i < change->n; i++) {
		struct sides s = sides_of(&change->hunks[i], back);

		if (s.n_old > 0 && s.n_new == 0)
			out = s;
		else if (s.n_old == 0 && s.n_new > 0)
			in = s;
	}
	if (out.n_old != in.n_new)
		return;
	for (size_t k = 0; k < in.n_new; k++)
		inherit(ids, out.old[k], in.new[k]);
}

/* Comes back, or is new. */
static void
put_in(struct identities *ids, struct line *line)
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
	take_out(ids, change, back);
	replace(ids, change, back);
	move(ids, change, back);
	for (size_t i = 0; i < change->n; i++) {
		struct sides s = sides_of(&change->hunks[i], back);

		for (size_t k = 0; k < s.n_new; k++)
			put_in(ids, s.new[k]);
	}
}

void
identity_free(struct document *doc)
{
	free(doc->identities.list);
}
