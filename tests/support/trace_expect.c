/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the files with what was witnessed. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tests/support/arm_join.h"
#include "tests/support/run_program.h"
#include "tests/support/trace_witness.h"
#include "trace/trace_private.h"

/* Asserts that both are equal. */
static void
expect_same(struct pieces *seen, struct pieces *wanted, const char *what)
{
	pieces_sort(seen);
	pieces_sort(wanted);
	for (size_t i = 0; i < seen->n && i < wanted->n; i++) {
		const struct piece *s = &seen->list[i], *w = &wanted->list[i];

		if (piece_compare(s, w) != 0)
			fail_msg("%s: row %u %" PRIu64 "-%" PRIu64 " %" PRId64
				 ", not row %u %" PRIu64 "-%" PRIu64
				 " %" PRId64,
			    what, s->row, s->start, s->end, s->what, w->row,
			    w->start, w->end, w->what);
	}
	if (seen->n != wanted->n)
		fail_msg("%s: %zu, not %zu", what, seen->n, wanted->n);
	free(seen->list);
	*seen = (struct pieces){0};
}

/* True for time of an engine in which no batch runs. */
static bool
is_held(const struct seen *s)
{
	return strcmp(s->name, "switches") == 0 ||
	    strcmp(s->name, "polls") == 0;
}

static bool
is_of_run(const struct seen *s)
{
	return s->kind == SEEN_SLICE && s->group == ENGINES && !is_held(s);
}

static bool
row_has(const struct seen_trace *t, const struct seen *s, const char *word)
{
	return strstr(seen_row_name(t, s->group, s->number), word) != NULL;
}

/* Running, switching and polling add up to what the engine counts, in slices
 * that do not overlap. */
static void
expect_times(const struct seen_trace *t, const struct witness *w)
{
	uint64_t busy[DEVICE_MAX_ENGINES] = {0}, sema[DEVICE_MAX_ENGINES] = {0};
	uint64_t last[DEVICE_MAX_ENGINES] = {0};

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];
		uint32_t e = s->number - NUMBER_ENGINES;

		if (s->kind != SEEN_SLICE || s->group != ENGINES)
			continue;
		assert_true(s->start >= last[e]);
		last[e] = s->end;
		busy[e] += s->end - s->start;
		if (strcmp(s->name, "polls") == 0)
			sema[e] += s->end - s->start;
	}
	for (unsigned e = 0; e < w->n_engines; e++) {
		assert_int_equal(busy[e], w->spent[e].busy);
		assert_int_equal(sema[e], w->spent[e].sema);
	}
}

/* Slices by kind; render stages as slices of no row. */
static void
expect_slices(const struct seen_trace *t, struct witness *w)
{
	struct pieces ran = {0}, lived = {0}, waited = {0}, periods = {0};
	struct pieces stages = {0}, workloads = {0};

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind == SEEN_STAGE && s->tag != 0)
			pieces_add(
			    &stages, 0, s->start, s->end, (int64_t)s->tag);
		if (s->kind != SEEN_SLICE)
			continue;
		if (is_of_run(s))
			pieces_add(&ran, s->number - NUMBER_ENGINES, s->start,
			    s->end, s->request);
		else if (s->group == WORKLOADS)
			pieces_add(
			    &workloads, 0, s->start, s->end, (int64_t)s->tag);
		else if (s->group >= CLIENTS && !row_has(t, s, "Periods"))
			pieces_add(row_has(t, s, "waits") ? &waited : &lived,
			    s->group - CLIENTS, s->start, s->end, s->request);
		else if (s->group >= CLIENTS &&
		    strstr(s->name, "unfinished") == NULL)
			pieces_add(&periods, s->group - CLIENTS, s->start,
			    s->end, s->iteration);
	}
	expect_same(&periods, &w->periods, "periods");
	expect_same(&ran, &w->ran, "engines");
	expect_same(&lived, &w->lived, "contexts");
	expect_same(&waited, &w->waited, "waits");
	expect_same(&stages, &workloads, "render stages");
	free(workloads.list);
}

/* The workloads of a slice follow each other without a gap, from its first to
 * its last nanosecond; or it has none. */
static void
expect_tiles(const struct seen_trace *t, const struct witness *w)
{
	struct pieces tiles = {0};
	size_t at = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->events[i].kind == SEEN_SLICE &&
		    t->events[i].group == WORKLOADS)
			pieces_add(&tiles,
			    t->events[i].number - NUMBER_WORKLOADS,
			    t->events[i].start, t->events[i].end,
			    t->events[i].request);
	pieces_sort(&tiles);
	for (size_t i = 0; i < w->ran.n && at < tiles.n; i++) {
		const struct piece *p = &w->ran.list[i];
		uint64_t from = p->start;

		if (tiles.list[at].row != p->row ||
		    tiles.list[at].start != p->start)
			continue;
		for (; from < p->end && at < tiles.n; at++) {
			assert_int_equal(tiles.list[at].row, p->row);
			assert_int_equal(tiles.list[at].start, from);
			assert_int_equal(tiles.list[at].what, p->what);
			from = tiles.list[at].end;
		}
		assert_int_equal(from, p->end);
	}
	assert_int_equal(at, tiles.n);
	free(tiles.list);
}

static void
expect_instants(const struct seen_trace *t, struct witness *w)
{
	struct pieces instants = {0};

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_INSTANT)
			continue;
		if (strcmp(s->name, "preempted") == 0)
			pieces_add(&instants, s->number - NUMBER_ENGINES,
			    s->start, 0, 0);
		else if (strcmp(s->name, "period missed") == 0)
			pieces_add(
			    &instants, s->group - CLIENTS, s->start, 0, 1);
		else if (strncmp(s->name, "hang: ", 6) == 0)
			pieces_add(&instants, s->number - NUMBER_ENGINES,
			    s->start, 0, 2);
		else
			assert_int_equal(s->group, RUN_GROUP);
	}
	expect_same(&instants, &w->instants, "instants");
}

/* Returns the counter's value at that time. */
static double
counter_at(const struct seen_trace *t, uint32_t number, uint64_t time)
{
	double value = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->events[i].kind == SEEN_COUNTER &&
		    t->events[i].number == number && t->events[i].start <= time)
			value = t->events[i].value;
	return value;
}

/* Returns percent times ns of a counter from the begin of the trace to now. */
static double
counter_area(
    const struct seen_trace *t, const struct witness *w, uint32_t number)
{
	double area = 0, value = 0;
	uint64_t from = w->began;

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_COUNTER || s->number != number)
			continue;
		assert_true(s->start >= from);
		area += value * (double)(s->start - from);
		from = s->start;
		value = s->value;
	}
	return area + value * (double)(w->ended - from);
}

/* Queues at some times: enough of them, as each look goes through all events.
 * Means over the whole trace, to the tenth of a percent that they have. */
static void
expect_counters(const struct seen_trace *t, const struct witness *w)
{
	double length = (double)(w->ended - w->began);

	for (size_t i = 0; i < w->loads.n; i += 1 + w->loads.n / 300) {
		const struct piece *p = &w->loads.list[i];

		assert_int_equal(
		    counter_at(t,
			NUMBER_COUNTERS + N_COUNTERS * p->row + LOAD_QUEUED,
			p->start),
		    p->what);
	}
	for (unsigned i = 0; i < w->n_engines; i++) {
		uint32_t first = NUMBER_COUNTERS + N_COUNTERS * i;
		double busy = counter_area(t, w, first + LOAD_BUSY);
		double sema = counter_area(t, w, first + LOAD_POLLING);

		assert_true(fabs(busy - (double)w->spent[i].busy * 100) <=
		    0.06 * length);
		assert_true(fabs(sema - (double)w->spent[i].sema * 100) <=
		    0.06 * length);
	}
}

/* The first slice of each request on an engine, as index + 1. */
static size_t *
first_slices(const struct seen_trace *t)
{
	int64_t last = 0;
	size_t *first;

	for (size_t i = 0; i < t->n; i++)
		if (t->events[i].request > last)
			last = t->events[i].request;
	first = mem_calloc((size_t)last + 1, sizeof(*first));
	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (!is_of_run(s))
			continue;
		assert_true(s->request > 0);
		if (first[s->request] == 0)
			first[s->request] = i + 1;
	}
	return first;
}

/* Where each arrow begins, by its id, as index + 1. */
size_t *
witness_beginnings(const struct seen_trace *t)
{
	size_t *list;
	uint64_t last = 0;

	for (size_t i = 0; i < t->n_arrows; i++)
		last = t->arrows[i].id > last ? t->arrows[i].id : last;
	list = mem_calloc(last + 1, sizeof(*list));
	for (size_t i = 0; i < t->n_arrows; i++) {
		if (t->arrows[i].leads)
			continue;
		assert_int_equal(list[t->arrows[i].id], 0);
		list[t->arrows[i].id] = t->arrows[i].event + 1;
	}
	return list;
}

/* Each leads to the first slice of one request, from a slice of another that
 * did not start later. */
static unsigned
expect_arrows(const struct seen_trace *t)
{
	size_t *first = first_slices(t), *begin = witness_beginnings(t);
	unsigned n = 0;

	for (size_t i = 0; i < t->n_arrows; i++) {
		const struct seen *to = &t->events[t->arrows[i].event], *from;

		assert_int_equal(to->group, ENGINES);
		if (!t->arrows[i].leads)
			continue;
		assert_true(begin[t->arrows[i].id] > 0);
		from = &t->events[begin[t->arrows[i].id] - 1];
		assert_true(from->start <= to->start);
		assert_true(from->request != to->request);
		assert_int_equal(first[to->request], t->arrows[i].event + 1);
		n++;
	}
	free(first);
	free(begin);
	return n;
}

/* True if Chrome's file, which has few rows for each context, may lack the slice
 * or have its end only. */
static bool
may_be_cut(const struct seen *s)
{
	return s->kind == SEEN_SLICE && s->group >= CLIENTS && s->request > 0;
}

/* Asserts that both files have the same events. */
static void
expect_equal_files(const struct seen_trace *p, const struct seen_trace *c)
{
	size_t k = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct seen *a = &p->events[i], *b = &c->events[k];

		if (a->kind == SEEN_STAGE)
			continue;
		if (may_be_cut(a) &&
		    (k == c->n || b->request != a->request ||
			strcmp(seen_row_name(p, a->group, a->number),
			    seen_row_name(c, b->group, b->number)) != 0))
			continue;
		assert_true(k++ < c->n);
		assert_int_equal(a->kind, b->kind);
		assert_int_equal(a->group, b->group);
		if (a->group < CLIENTS)
			assert_int_equal(a->number, b->number);
		else
			assert_string_equal(
			    seen_row_name(p, a->group, a->number),
			    seen_row_name(c, b->group, b->number));
		if (may_be_cut(a))
			assert_in_range(b->start, a->start, b->end - 1);
		else
			assert_int_equal(a->start, b->start);
		assert_int_equal(a->end, b->end);
		assert_true(a->value == b->value);
		assert_int_equal(a->request, b->request);
		assert_int_equal(a->tag, b->tag);
		assert_int_equal(a->latency, b->latency);
		assert_string_equal(a->name, b->name);
	}
	assert_int_equal(k, c->n);
	assert_int_equal(p->n_arrows, c->n_arrows);
	for (size_t i = 0; i < p->n_arrows; i++) {
		assert_int_equal(p->arrows[i].id, c->arrows[i].id);
		assert_int_equal(p->arrows[i].leads, c->arrows[i].leads);
	}
}

unsigned
witness_expect(struct witness *w)
{
	struct seen_trace perfetto, chrome;
	unsigned arrows;

	seen_perfetto(&perfetto, test_path("perfetto"));
	seen_chrome(&chrome, test_path("chrome"));
	expect_slices(&perfetto, w);
	expect_times(&perfetto, w);
	expect_tiles(&perfetto, w);
	expect_instants(&perfetto, w);
	expect_counters(&perfetto, w);
	arrows = expect_arrows(&perfetto);
	arm_join_expect(&perfetto, test_path("arm"));
	expect_equal_files(&perfetto, &chrome);
	seen_free(&perfetto);
	seen_free(&chrome);
	return arrows;
}
