/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contents of the timeline, without a screen: the axis that maps times to
 * columns, and the cells that sum up an engine's spans for each column.
 */
#include "tui/views/timeline.h"

#include <string.h>

int
axis_column(const struct axis *a, nsec time)
{
	nsec col;

	if (time < a->left)
		return -1;
	col = (time - a->left) / a->column;
	return col < (nsec)a->cols ? (int)col : a->cols;
}

/* Lengths of columns are 1, 2, 5, 10 ... */
static nsec
next_length(nsec ns)
{
	nsec ten = 1;

	while (ten <= ns / 10)
		ten *= 10;
	return ns < 2 * ten ? 2 * ten : ns < 5 * ten ? 5 * ten : 10 * ten;
}

static nsec
axis_length_before(nsec ns)
{
	nsec at = 1;

	while (next_length(at) < ns)
		at = next_length(at);
	return at;
}

/* Scrolls so that time is in column col. */
static void
keep_at(struct axis *a, nsec time, int col)
{
	nsec before = (nsec)(col > 0 ? col : 0) * a->column;
	nsec at = time - time % a->column;

	a->left = at > before ? at - before : 0;
}

void
axis_zoom(struct axis *a, bool in, nsec keep)
{
	int col = axis_column(a, keep);

	if (col >= a->cols)
		col = a->cols - 1;
	if (in && a->column > AXIS_MIN_NS)
		a->column = axis_length_before(a->column);
	else if (!in && a->column < AXIS_MAX_NS)
		a->column = next_length(a->column);
	keep_at(a, keep, col);
}

void
axis_follow(struct axis *a, nsec now)
{
	keep_at(a, now, a->cols - 1);
}

void
axis_show(struct axis *a, nsec time)
{
	int col = axis_column(a, time);

	if (col < 0)
		keep_at(a, time, a->cols / 4);
	else if (col >= a->cols)
		keep_at(a, time, a->cols - 1 - a->cols / 4);
}

int
axis_tick(const struct axis *a, int width)
{
	nsec length = a->column;

	while (length / a->column < (nsec)width)
		length = next_length(length);
	return (int)(length / a->column);
}

/* A row with fewer spans per column than this is summed span by span; others
 * are looked at in this number of points per column. */
#define SPANS_PER_COLUMN   4
#define SAMPLES_PER_COLUMN 4
/* Share of a column from which a second request is noted. */
#define NOTICED 0.25F
/* A smaller share is an error of rounding. */
#define LEAST_SHARE 1e-6F

struct row_builder {
	const struct axis *axis;
	struct timeline_cell *cells;
	float share; /* the largest share that a request has of share_column */
	int share_column;
	nsec now;
};

/* Returns how much of [a, b) is in [from, to). */
static nsec
common_time(nsec a, nsec b, nsec from, nsec to)
{
	nsec first = nsec_later(a, from), end = nsec_earlier(b, to);

	return end > first ? end - first : 0;
}

/* Gives the cell to the span if no other one has more of it. */
static void
claim(struct row_builder *r, int col, const struct trail_span *s, uint64_t id,
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

/* Adds the part of [a, b) that is in the column as that use. Returns its
 * share of the column. */
static float
add_cell_use(
    struct row_builder *r, int col, enum engine_use use, nsec a, nsec b)
{
	nsec from = axis_time(r->axis, col), to = from + r->axis->column;
	float share = (float)common_time(a, b, from, to) /
	    (float)r->axis->column;

	r->cells[col].shares[use] += share;
	return share;
}

static void
add_cell_part(struct row_builder *r, int col, const struct trail_span *s,
    uint64_t id, nsec end)
{
	nsec begin = nsec_earlier(s->begin_ns, end);
	nsec switched = nsec_earlier(trail_switched(s), begin);
	float share = add_cell_use(r, col, USE_RUNNING, begin, end);

	share += add_cell_use(
	    r, col, USE_SWITCHING, s->taken_ns + s->completion_ns, switched);
	share += add_cell_use(r, col, USE_POLLING, switched, begin);
	if (share > 0)
		claim(r, col, s, id, share);
}

/* Adds the times in which the engine was free with blocked requests. */
static void
add_gap_cells(struct row_builder *r, const struct trail_gap *gap)
{
	nsec end = nsec_earlier(gap->to_ns, r->now);
	int first = axis_column(r->axis, gap->from_ns);
	int last = axis_column(r->axis, end > 0 ? end - 1 : 0);

	for (int col = first > 0 ? first : 0; col <= last; col++)
		if (col < r->axis->cols)
			add_cell_use(r, col, USE_BLOCKED, gap->from_ns, end);
}

/* Turns the time in which a batch polled memory from running to polling. */
static void
add_poll_cells(struct row_builder *r, const struct trail_poll *poll)
{
	nsec end = nsec_earlier(poll->to_ns, r->now);
	int first = axis_column(r->axis, poll->from_ns);
	int last = axis_column(r->axis, end > 0 ? end - 1 : 0);

	for (int col = first > 0 ? first : 0;
	     col <= last && col < r->axis->cols; col++) {
		float *runs = &r->cells[col].shares[USE_RUNNING];

		*runs -= add_cell_use(r, col, USE_POLLING, poll->from_ns, end);
		if (*runs < LEAST_SHARE)
			*runs = 0;
	}
}

/* Adds a span to its cells. Spans are added in the order of time. */
static void
add_span_cells(struct row_builder *r, const struct trail_span *s, uint64_t id)
{
	nsec end = nsec_earlier(s->end_ns, r->now);
	int first = axis_column(r->axis, s->taken_ns);
	int last = axis_column(r->axis, end > s->taken_ns ? end - 1 : end);

	for (int col = first > 0 ? first : 0; col <= last; col++)
		if (col < r->axis->cols)
			add_cell_part(r, col, s, id, end);
}

/* Fills a cell from sums that the trail keeps, and chooses its request from a
 * few points in time. */
static void
sum_up_cells(
    struct row_builder *r, const struct trail *t, unsigned engine, int col)
{
	nsec from = axis_time(r->axis, col), to = from + r->axis->column;
	struct engine_times before = trail_used(
	    t, engine, nsec_earlier(from, r->now));
	struct engine_times after = trail_used(
	    t, engine, nsec_earlier(to, r->now));

	for (int use = 0; use < N_USES; use++)
		r->cells[col].shares[use] =
		    (float)(after.ns[use] - before.ns[use]) /
		    (float)r->axis->column;
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
mark_ends(struct row_builder *r, const struct trail *t, unsigned engine)
{
	for (int col = 0; col < r->axis->cols; col++) {
		struct timeline_cell *c = &r->cells[col];
		const struct trail_span *s = trail_span(t, engine, c->span);

		if (s == NULL)
			continue;
		c->first = axis_column(
			       r->axis, s->taken_ns + s->completion_ns) == col;
		c->last = s->end_ns <= r->now &&
		    axis_column(r->axis,
			s->end_ns > s->taken_ns ? s->end_ns - 1 : s->end_ns) ==
			col;
	}
}

static void
mark_unknown(struct row_builder *r, nsec since)
{
	for (int col = 0; col < r->axis->cols; col++)
		r->cells[col].unknown = axis_time(r->axis, col) < since;
}

/* Adds spans, gaps and polls one by one. */
static void
add_few_cells(struct row_builder *r, const struct trail *t, unsigned engine,
    struct trail_range spans, struct trail_range gaps, struct trail_range polls)
{
	for (uint64_t id = spans.first; id < spans.end; id++)
		add_span_cells(r, trail_span(t, engine, id), id);
	for (uint64_t id = gaps.first; id < gaps.end; id++)
		add_gap_cells(r, trail_gap(t, engine, id));
	for (uint64_t id = polls.first; id < polls.end; id++)
		add_poll_cells(r, trail_poll(t, engine, id));
}

void
timeline_row(const struct trail *t, unsigned engine, const struct axis *axis,
    nsec now, struct timeline_cell *cells)
{
	struct row_builder r = {
	    .axis = axis, .cells = cells, .share_column = -1, .now = now};
	nsec right = nsec_earlier(axis_right(axis), now);
	struct trail_range spans = trail_spans(t, engine, axis->left, right);
	struct trail_range gaps = trail_gaps(t, engine, axis->left, right);
	struct trail_range polls = trail_polls(t, engine, axis->left, right);
	uint64_t n = spans.end - spans.first + (gaps.end - gaps.first) +
	    (polls.end - polls.first);

	memset(cells, 0, (size_t)axis->cols * sizeof(*cells));
	mark_unknown(&r, trail_since(t));
	if (n <= (uint64_t)axis->cols * SPANS_PER_COLUMN)
		add_few_cells(&r, t, engine, spans, gaps, polls);
	else
		for (int col = 0; col < axis->cols; col++)
			sum_up_cells(&r, t, engine, col);
	mark_ends(&r, t, engine);
}
