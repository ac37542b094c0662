/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search as a function of what was tried: it has no other state, so it can be
 * asked again at any time.
 */
#include "decide/capacity.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FULL_PERCENT 98

const struct tried *
capacity_tried(const struct capacity *c, unsigned count)
{
	for (size_t i = 0; i < c->n_tried; i++)
		if (c->tried[i].count == count)
			return &c->tried[i];
	return NULL;
}

void
capacity_add(struct capacity *c, const struct tried *tried)
{
	size_t at = c->n_tried;

	c->tried = mem_grow(
	    c->tried, c->n_tried, &c->cap_tried, sizeof *c->tried);
	while (at > 0 && c->tried[at - 1].count > tried->count)
		at--;
	memmove(&c->tried[at + 1], &c->tried[at],
	    (c->n_tried - at) * sizeof *c->tried);
	c->tried[at] = *tried;
	c->n_tried++;
}

void
capacity_free(struct capacity *c)
{
	free(c->tried);
	free(c->error);
	*c = (struct capacity){0};
}

/* Doubles from 1 until a count fails. Returns the count to try; 0: one has
 * failed, or the most allowed holds. */
static unsigned
next_doubling(const struct capacity *c)
{
	unsigned most = c->question.most, count = 1;

	for (;;) {
		const struct tried *t = capacity_tried(c, count);

		if (t == NULL)
			return count;
		if (!t->holds || count == most)
			return 0;
		count = count > most / 2 ? most : 2 * count;
	}
}

/* Returns the largest count that holds; 0: none. Sets *above to the smallest
 * tried count above it, which fails; 0: none. */
static unsigned
largest_that_holds(const struct capacity *c, unsigned *above)
{
	size_t i = c->n_tried;

	while (i > 0 && !c->tried[i - 1].holds)
		i--;
	*above = i < c->n_tried ? c->tried[i].count : 0;
	return i > 0 ? c->tried[i - 1].count : 0;
}

/* Halves what is between the largest count that holds and the next that fails;
 * doubles on where none fails above it. */
static unsigned
next_between(const struct capacity *c)
{
	unsigned above, most = c->question.most;
	unsigned below = largest_that_holds(c, &above);

	if (above == 0 && below < most)
		return below > most / 2 ? most : 2 * below;
	return above > below + 1 ? below + (above - below) / 2 : 0;
}

/* Returns the last count that is tried after the answer is known otherwise. */
static unsigned
last_check(const struct capacity *c)
{
	unsigned fails = 1, most = c->question.most;

	if (most <= CAPACITY_ALL)
		return most;
	while (fails < most && capacity_tried(c, fails)->holds)
		fails = fails > most / 2 ? most : 2 * fails;
	if (fails > most / 2)
		return most;
	return fails < CAPACITY_ALWAYS / 2 ? CAPACITY_ALWAYS : 2 * fails;
}

static unsigned
next_check(const struct capacity *c)
{
	unsigned end = last_check(c);
	unsigned step = end <= CAPACITY_ALL ? 1 : end / CAPACITY_SAMPLES;

	for (unsigned count = step; count <= end; count += step)
		if (capacity_tried(c, count) == NULL)
			return count;
	return 0;
}

unsigned
capacity_next(const struct capacity *c)
{
	unsigned count = next_doubling(c);

	if (count == 0)
		count = next_between(c);
	if (count == 0)
		count = next_check(c);
	return count;
}

/* Finds a count that fails below one that holds: the largest such. */
static void
find_exception(const struct capacity *c, struct capacity_answer *a)
{
	for (size_t i = c->n_tried; i-- > 0;) {
		if (c->tried[i].holds && a->high_holds == NULL)
			a->high_holds = &c->tried[i];
		if (c->tried[i].holds || a->high_holds == NULL)
			continue;
		a->low_fails = &c->tried[i];
		break;
	}
	if (a->low_fails == NULL)
		a->high_holds = NULL;
}

void
capacity_answer(const struct capacity *c, struct capacity_answer *a)
{
	unsigned above;

	memset(a, 0, sizeof *a);
	a->count = largest_that_holds(c, &above);
	a->at_least = above == 0;
	a->holds = capacity_tried(c, a->count);
	a->fails = capacity_tried(c, above);
	a->limit = a->fails != NULL ? a->fails : a->holds;
	find_exception(c, a);
}

const struct trial_engine *
capacity_engine(const struct capacity_answer *a)
{
	const struct trial_figures *f = &a->limit->worst;

	if (f->n_engines == 0 ||
	    f->engines[f->busiest].busy_percent < FULL_PERCENT)
		return NULL;
	return &f->engines[f->busiest];
}
