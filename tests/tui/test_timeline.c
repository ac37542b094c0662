/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline's axis, and its cells compared with a sum over all spans. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tests/support/outsider.h"
#include "tui/views/timeline.h"

#define COLS 80

TEST(columns)
{
	struct axis a = {.left = 1000, .column = 100, .cols = 10};

	assert_int_equal(axis_column(&a, 999), -1);
	assert_int_equal(axis_column(&a, 1000), 0);
	assert_int_equal(axis_column(&a, 1099), 0);
	assert_int_equal(axis_column(&a, 1999), 9);
	assert_int_equal(axis_column(&a, 2000), 10);
	assert_int_equal(axis_column(&a, NSEC_NEVER), 10);
	assert_int_equal(axis_right(&a), 2000);
}

/* Zooms all the way in and out: lengths are 1, 2, 5 times a power of ten, the
 * time kept stays in its column, and columns begin at multiples. */
TEST(zoom)
{
	struct axis a = {.left = 0, .column = 1000, .cols = COLS};
	nsec keep = 123456789;

	a.left = keep - keep % 1000 - 40 * 1000;
	for (int i = 0; i < 80; i++) {
		nsec before = a.column, lead;

		axis_zoom(&a, i < 40, keep);
		assert_true(i < 40 ? a.column <= before : a.column >= before);
		assert_true(a.column >= AXIS_MIN_NS && a.column <= AXIS_MAX_NS);
		for (lead = a.column; lead >= 10; lead /= 10)
			assert_int_equal(lead % 10, 0);
		assert_true(lead == 1 || lead == 2 || lead == 5);
		assert_int_equal(a.left % a.column, 0);
		if (a.left > 0)
			assert_int_equal(axis_column(&a, keep), 40);
		assert_true(axis_column(&a, keep) < COLS);
	}
	assert_int_equal(a.column, AXIS_MAX_NS);
}

TEST(show)
{
	struct axis a = {.left = 5000, .column = 100, .cols = COLS};

	axis_show(&a, 6000);
	assert_int_equal(a.left, 5000);
	axis_show(&a, 4999);
	assert_int_equal(axis_column(&a, 4999), COLS / 4);
	axis_show(&a, 1000000);
	assert_int_equal(axis_column(&a, 1000000), COLS - 1 - COLS / 4);
	axis_show(&a, 0);
	assert_int_equal(a.left, 0);
	axis_follow(&a, 1000050);
	assert_int_equal(axis_column(&a, 1000050), COLS - 1);
	assert_true(axis_tick(&a, 12) >= 12);
}

/* The uses of the engine, as its spans show them. */
static enum engine_use
use_at(const struct trail_span *s, nsec time)
{
	if (time >= s->begin_ns)
		return USE_RUNNING;
	return time >= trail_switched(s) ? USE_POLLING : USE_SWITCHING;
}

/* Returns the time of [from, to) that the engine spent so, added up span by
 * span. */
static double
count(const struct trail *t, nsec from, nsec to, nsec now, enum engine_use use)
{
	struct trail_range all = trail_spans(t, 0, 0, NSEC_NEVER);
	double sum = 0;

	for (uint64_t id = all.first; id < all.end; id++) {
		const struct trail_span *s = trail_span(t, 0, id);
		nsec end = s->end_ns < now ? s->end_ns : now;
		nsec begin = s->taken_ns + s->completion_ns;

		for (nsec at = from; at < to; at += 500)
			if (at >= begin && at < end && use_at(s, at) == use)
				sum += 500;
	}
	return sum;
}

/* All times are multiples of 500 ns, so that steps of that length count
 * exactly. */
static void
check_row(const struct trail *t, const struct axis *a, nsec now)
{
	struct timeline_cell cells[COLS];

	timeline_row(t, 0, a, now, cells);
	for (int col = 0; col < COLS; col++) {
		const struct timeline_cell *c = &cells[col];
		nsec from = axis_time(a, col), to = from + a->column;
		double column = (double)a->column, held = 0;

		for (int use = 0; use < USE_BLOCKED; use++) {
			double sum = count(
			    t, from, to, now, (enum engine_use)use);

			held += sum;
			assert_true(fabs((double)c->shares[use] * column -
					sum) < column / 1000);
		}
		assert_int_equal(c->request != 0, held > 0);
		assert_false(c->unknown);
	}
}

TEST(rows)
{
	struct lab lab;
	struct trail *t;

	lab_init(&lab, "execlists");
	lab_add(&lab, "X.1.100,1.RCS.500-3000.0.0,2.RCS.700.0.0,d.900", 1,
	    (struct client_options){.repeat = 40});
	t = trail_begin(lab.sim, 1024);
	lab_add(&lab, "P.1.5,d.250,1.RCS.300.0.1,d.1400", 1,
	    (struct client_options){.repeat = 20});
	lab_run(&lab, 60 * NSEC_PER_MSEC);
	for (int i = 0; i < 30; i++) {
		struct axis a = {.column = i % 3 == 0 ? 50000
			: i % 3 == 1                  ? 500000
						      : 5000,
		    .cols = COLS};

		a.left = a.column * (nsec)(i * 7);
		check_row(t, &a, lab.sim->now);
	}
	trail_end(t);
	lab_free(&lab);
}

/* Zoomed out there are too many spans to look at; the shares of a column are
 * exact all the same. */
TEST(far_out)
{
	struct timeline_cell cells[10];
	struct axis a = {.column = 100 * NSEC_PER_MSEC, .cols = 10};
	struct lab lab;
	struct trail *t;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.30-90.0.1,d.60", 1,
	    (struct client_options){.repeat = 0});
	t = trail_begin(lab.sim, 65536);
	lab_run(&lab, 950 * NSEC_PER_MSEC);
	timeline_row(t, 0, &a, lab.sim->now, cells);
	for (int i = 0; i < 10; i++) {
		nsec from = axis_time(&a, i), to = from + a.column;
		double ran = 0;
		struct trail_range all = trail_spans(t, 0, 0, NSEC_NEVER);

		for (uint64_t id = all.first; id < all.end; id++) {
			const struct trail_span *s = trail_span(t, 0, id);
			nsec end = s->end_ns < lab.sim->now ? s->end_ns
							    : lab.sim->now;
			nsec first = s->begin_ns > from ? s->begin_ns : from;

			if (end > to)
				end = to;
			ran += end > first ? (double)(end - first) : 0;
		}
		assert_true(
		    fabs(ran - (double)cells[i].shares[USE_RUNNING] * 1e8) <
		    100);
		assert_int_not_equal(cells[i].request, 0);
	}
	trail_end(t);
	lab_free(&lab);
}

/* doc/model/outside.md "Polling batches": a batch that polls memory from 30 to 90
 * us. */
TEST(polled_memory)
{
	struct timeline_cell cells[COLS];
	struct axis a = {.column = 20 * NSEC_PER_USEC, .cols = COLS};
	struct axis far = {.column = 100 * NSEC_PER_USEC, .cols = 1};
	struct outside_submission s = {.asks = true, .tag = (void *)'A'};
	struct outsider o = {.endless_polls = true};
	struct request_ref rq;
	struct lab lab;
	struct trail *t;

	lab_init(&lab, "fifo");
	outsider_init(&o, &lab);
	o.endless_polls = true;
	o.answers[0] = 30 * NSEC_PER_USEC;
	o.answers[1] = NSEC_NEVER;
	o.answers[2] = 10 * NSEC_PER_USEC;
	t = trail_begin(lab.sim, 16);
	s.timeline = backend_timeline(
	    outsider_context_on(outsider_join(&o), "RCS"), 0);
	assert_int_equal(backend_submit(lab.sim, &s, &rq), SUBMITTED);
	sim_run(lab.sim, 90 * NSEC_PER_USEC, 0);
	backend_end(lab.sim, rq, 0);
	sim_run(lab.sim, 200 * NSEC_PER_USEC, 0);
	timeline_row(t, 0, &a, lab.sim->now, cells);
	assert_float_equal(cells[0].shares[USE_RUNNING], 1, 1e-6);
	assert_float_equal(cells[1].shares[USE_RUNNING], 0.5, 1e-6);
	assert_float_equal(cells[1].shares[USE_POLLING], 0.5, 1e-6);
	assert_float_equal(cells[2].shares[USE_POLLING], 1, 1e-6);
	assert_true(cells[2].shares[USE_RUNNING] == 0);
	assert_float_equal(cells[4].shares[USE_RUNNING], 0.5, 1e-6);
	timeline_row(t, 0, &far, lab.sim->now, cells);
	assert_float_equal(cells[0].shares[USE_RUNNING], 0.4, 1e-6);
	assert_float_equal(cells[0].shares[USE_POLLING], 0.6, 1e-6);
	trail_end(t);
	lab_free(&lab);
	outsider_free(&o);
}

TEST(forgotten)
{
	struct timeline_cell cells[COLS];
	struct axis a = {.column = 100 * NSEC_PER_USEC, .cols = COLS};
	struct lab lab;
	struct trail *t;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.100.0.1", 1, (struct client_options){.repeat = 0});
	t = trail_begin(lab.sim, 16);
	lab_run(&lab, 8 * NSEC_PER_MSEC);
	timeline_row(t, 0, &a, lab.sim->now, cells);
	assert_true(cells[0].unknown);
	assert_int_equal(cells[0].request, 0);
	assert_false(cells[COLS - 1].unknown);
	trail_end(t);
	lab_free(&lab);
}
