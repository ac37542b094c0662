/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See timeline_row.h. */
#include "tui/views/timeline_row.h"

#include <string.h>

/* Spans that are looked at one by one, per column; above, so many of each. */
#define SPANS_PER_COLUMN   4
#define SAMPLES_PER_COLUMN 4
/* A share of a column that is worth a word. */
#define NOTICED 0.25F

struct row {
	const struct axis *axis;
	struct timeline_cell *cells;
	float share; /* the greatest that a span had of the column at hand */
	int share_column;
	nsec now;
};

/* How much of [a, b) is in [from, to). */
static nsec
common(nsec a, nsec b, nsec from, nsec to)
{
	nsec first = nsec_later(a, from), end = nsec_earlier(b, to);

	return end > first ? end - first : 0;
}

/* The span has the cell, if nobody has more of it. */
static void
claim(struct row *r, int col, const struct trail_span *s, uint64_t id,
    float share)
{
	struct timeline_cell *cell = &r->cells[col];

	if (r->share_column != col) {
		r->share_column = col;
		r->share = 0;
	}
	if (cell->request != 0 && cell->request != s->request &&
	    (share < r->share ? share : r->share) >= NOTICED)
		cell->several = true;
	if (share < r->share || (share == r->share && cell->request != 0))
		return;
	r->share = share;
	cell->request = s->request;
	cell->span = id;
}

static void
add_part(
    struct row *r, int col, const struct trail_span *s, uint64_t id, nsec end)
{
	nsec from = axis_time(r->axis, col), to = from + r->axis->column;
	nsec begin = nsec_earlier(s->begin_ns, end);
	float busy = (float)common(begin, end, from, to);
	float held = (float)common(s->taken_ns, begin, from, to);
	struct timeline_cell *cell = &r->cells[col];

	cell->busy += busy / (float)r->axis->column;
	cell->held += held / (float)r->axis->column;
	claim(r, col, s, id, (busy + held) / (float)r->axis->column);
}

/* Spans come in the order of time. */
static void
add_span(struct row *r, const struct trail_span *s, uint64_t id)
{
	nsec end = nsec_earlier(s->end_ns, r->now);
	int first = axis_column(r->axis, s->taken_ns);
	int last = axis_column(r->axis, end > s->taken_ns ? end - 1 : end);

	for (int col = first > 0 ? first : 0; col <= last; col++)
		if (col < r->axis->cols)
			add_part(r, col, s, id, end);
}

/* What is too much to be looked at span by span: how long is known, whose it
 * is is asked at some points. */
static void
sum_up(struct row *r, const struct trail *t, unsigned engine, int col)
{
	nsec from = axis_time(r->axis, col), to = from + r->axis->column;
	nsec ran, held, ran_to, held_to;

	trail_used(t, engine, nsec_earlier(from, r->now), &ran, &held);
	trail_used(t, engine, nsec_earlier(to, r->now), &ran_to, &held_to);
	r->cells[col].busy = (float)(ran_to - ran) / (float)r->axis->column;
	r->cells[col].held = (float)(held_to - held) / (float)r->axis->column;
	for (int i = 0; i < SAMPLES_PER_COLUMN; i++) {
		nsec at = from +
		    r->axis->column * (nsec)(2 * i + 1) /
			(2 * SAMPLES_PER_COLUMN);
		uint64_t id = at < r->now ? trail_next_span(t, engine, at) : 0;
		const struct trail_span *s = trail_span(t, engine, id);

		if (s != NULL && s->taken_ns < to)
			claim(r, col, s, id, 1);
	}
	r->cells[col].several = true;
}

static void
mark_ends(struct row *r, const struct trail *t, unsigned engine)
{
	for (int col = 0; col < r->axis->cols; col++) {
		struct timeline_cell *c = &r->cells[col];
		const struct trail_span *s = trail_span(t, engine, c->span);

		if (s == NULL)
			continue;
		c->first = axis_column(r->axis, s->taken_ns) == col;
		c->last = s->end_ns <= r->now &&
		    axis_column(r->axis,
			s->end_ns > s->taken_ns ? s->end_ns - 1 : s->end_ns) ==
			col;
	}
}

static void
mark_unknown(struct row *r, nsec since)
{
	for (int col = 0; col < r->axis->cols; col++)
		r->cells[col].unknown = axis_time(r->axis, col) < since;
}

void
timeline_row(const struct trail *t, unsigned engine, const struct axis *axis,
    nsec now, struct timeline_cell *cells)
{
	struct row r = {
	    .axis = axis, .cells = cells, .share_column = -1, .now = now};
	struct trail_range range = trail_spans(
	    t, engine, axis->left, nsec_earlier(axis_right(axis), now));
	bool few = range.end - range.first <=
	    (uint64_t)axis->cols * SPANS_PER_COLUMN;

	memset(cells, 0, (size_t)axis->cols * sizeof(*cells));
	mark_unknown(&r, trail_since(t));
	if (few)
		for (uint64_t id = range.first; id < range.end; id++)
			add_span(&r, trail_span(t, engine, id), id);
	else
		for (int col = 0; col < axis->cols; col++)
			sum_up(&r, t, engine, col);
	mark_ends(&r, t, engine);
}
