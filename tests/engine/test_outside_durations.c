/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Durations of requests from outside (doc/model/outside.md): asked for when a
 * batch starts, in instalments, until its owner ends it; and batches that poll.
 */
#include <stddef.h>
#include <string.h>

#include "engine/explain/causes.h"
#include "engine/explain/trail.h"
#include "engine/explain/why.h"
#include "tests/runner/test.h"
#include "tests/support/outsider.h"

/* doc/model/outside.md "Durations" */
TEST(durations_asked_at_the_start)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct context *context;

		outside_set_up(&b, outside_schedulers[i]);
		context = outsider_context_on(b.client, "RCS");
		outsider_batch(&b.o, context, 'A', 100);
		backend_submit(b.lab.sim,
		    &(struct outside_submission){
			.timeline = backend_timeline(context, 0),
			.asks = true,
			.tag = (void *)'B'},
		    NULL);
		b.o.answers[0] = 30 * NSEC_PER_USEC;
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		assert_non_null(strstr(text_str(&b.o.events), "asks B"));
		assert_int_equal(b.lab.rows[1].start, 100 * NSEC_PER_USEC);
		assert_int_equal(b.lab.rows[1].end, 130 * NSEC_PER_USEC);
		outside_tear_down(&b);
	}
}

static struct request_ref
submit_asking(struct outside_bench *b, struct context *context, char tag)
{
	struct outside_submission s = {.timeline = backend_timeline(context, 0),
	    .asks = true,
	    .tag = (void *)(uintptr_t)tag};
	struct request_ref rq;

	assert_int_equal(backend_submit(b->lab.sim, &s, &rq), SUBMITTED);
	return rq;
}

/* doc/model/outside.md "Instalments" */
TEST(instalments)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct context *context;
		struct request_ref rq;

		outside_set_up(&b, outside_schedulers[i]);
		context = outsider_context_on(b.client, "RCS");
		b.o.answers[0] = 30 * NSEC_PER_USEC;
		b.o.answers[1] = 20 * NSEC_PER_USEC;
		b.o.answers[2] = NSEC_NEVER;
		b.o.answers[3] = 5 * NSEC_PER_USEC;
		rq = submit_asking(&b, context, 'A');
		outsider_expect(&b.o, 100,
		    "0: ready A, asks A, start A RCS; 30: asks A; 50: asks A");
		backend_end(b.lab.sim, rq, 10 * NSEC_PER_USEC);
		outsider_expect(&b.o, 112, "110: asks A");
		backend_end(b.lab.sim, rq, 0); /* has an end */
		outsider_expect(&b.o, 200, "115: asks A, end A");
		assert_int_equal(
		    sim_context_busy(b.lab.sim, context), 115 * NSEC_PER_USEC);
		outside_tear_down(&b);
	}
}

/* doc/model/outside.md "Instalments": nothing is asked early after a
 * preemption; points may change. */
TEST(instalments_and_preemption)
{
	struct outside_bench b;
	struct context *low, *high;
	struct request_ref rq;

	outside_set_up(&b, "execlists");
	low = outsider_context_on(b.client, "RCS");
	high = outsider_context_on(b.client, "RCS");
	backend_context_set_priority(high, 500);
	b.o.answers[0] = 100 * NSEC_PER_USEC;
	b.o.answers[1] = NSEC_NEVER;
	b.o.answers[2] = 10 * NSEC_PER_USEC;
	b.o.points_ns = 40 * NSEC_PER_USEC;
	rq = submit_asking(&b, low, 'L');
	outsider_expect(&b.o, 10, "0: ready L, asks L, start L RCS");
	outsider_batch(&b.o, high, 'H', 50);
	outsider_expect(
	    &b.o, 200, "10: ready H; 40: start H RCS; 90: end H; 150: asks L");
	/* Woken while it is off its engine. */
	outsider_batch(&b.o, high, 'I', 50);
	outsider_expect(&b.o, 220, "200: ready I; 210: start I RCS");
	backend_end(b.lab.sim, rq, 0);
	b.o.points_ns = 0;
	outsider_expect(&b.o, 265, "260: end I, asks L");
	outsider_batch(&b.o, high, 'J', 50);
	outsider_expect(&b.o, 500,
	    "265: ready J; 270: asks L, end L, start J RCS; 320: end J");
	outside_tear_down(&b);
}

/* doc/model/outside.md "Polling batches": a batch that waits for memory counts
 * as polling, wherever its engine is asked. */
TEST(polling_is_counted)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		const struct hw_engine *e;
		struct context *context;
		struct request_ref rq;
		struct sim_times times;
		struct outside_bench b;

		outside_set_up(&b, outside_schedulers[i]);
		e = &b.lab.sim->device.engines[0];
		context = outsider_context_on(b.client, "RCS");
		b.o.endless_polls = true;
		b.o.answers[0] = 30 * NSEC_PER_USEC;
		b.o.answers[1] = NSEC_NEVER;
		b.o.answers[2] = 20 * NSEC_PER_USEC;
		rq = submit_asking(&b, context, 'A');
		outsider_expect(
		    &b.o, 100, "0: ready A, asks A, start A RCS; 30: asks A");
		assert_int_equal(
		    hw_engine_run(e, b.lab.sim->now), 30 * NSEC_PER_USEC);
		assert_int_equal(
		    hw_engine_sema(e, b.lab.sim->now), 70 * NSEC_PER_USEC);
		backend_end(b.lab.sim, rq, 0);
		outsider_expect(&b.o, 200, "100: asks A; 120: asks A, end A");
		assert_int_equal(
		    hw_engine_run(e, b.lab.sim->now), 50 * NSEC_PER_USEC);
		assert_int_equal(
		    hw_engine_sema(e, b.lab.sim->now), 70 * NSEC_PER_USEC);
		assert_int_equal(
		    hw_engine_busy(e, b.lab.sim->now), 120 * NSEC_PER_USEC);
		sim_context_times(b.lab.sim, context, &times);
		assert_int_equal(times.all.ns[USE_POLLING], 70 * NSEC_PER_USEC);
		assert_int_equal(times.all.ns[USE_SWITCHING], 0);
		outside_tear_down(&b);
	}
}

static void
expect_why(struct outside_bench *b, const struct trail *t, const char *expected)
{
	struct why why = {0};
	struct text text = {0};

	assert_true(why_request(&why, t, b->lab.sim, 1));
	why_print(&why, &text);
	assert_string_equal(text_str(&text), expected);
	text_free(&text);
	why_free(&why);
}

static void
expect_engine_causes(struct outside_bench *b, const struct trail *t)
{
	struct causes c = {0};
	const struct cause *row;
	struct text text = {0};

	assert_true(causes_begin(&c, t, b->lab.sim, 0, NSEC_NEVER));
	causes_add_engine(&c, 0);
	for (row = c.root.first->first; row != NULL; row = row->next) {
		text_addf(&text, "%u ", (unsigned)(row->ns / NSEC_PER_USEC));
		causes_text(&c, row, &text);
		text_adds(&text, "; ");
	}
	assert_string_equal(text_str(&text),
	    "80 RCS is idle; 70 polls memory on RCS; 50 runs on RCS; ");
	text_free(&text);
	causes_free(&c);
}

/* doc/model/outside.md "Polling batches": the trail has when a batch polled, and
 * what. */
TEST(polling_in_the_trail)
{
	const struct trail_poll *poll;
	struct request_ref rq;
	struct trail *t;
	struct outside_bench b;

	outside_set_up(&b, "execlists");
	t = trail_begin(b.lab.sim, 64);
	b.o.endless_polls = true;
	b.o.poll = (struct memory_poll){
	    .known = true,
	    .address = 0x10040,
	    .object = 3,
	    .object_offset = 0x40,
	    .found = 7,
	    .wanted = 9,
	    .compare = 1,
	};
	b.o.answers[0] = 30 * NSEC_PER_USEC;
	b.o.answers[1] = b.o.answers[2] = NSEC_NEVER;
	b.o.answers[3] = 20 * NSEC_PER_USEC;
	rq = submit_asking(&b, outsider_context_on(b.client, "RCS"), 'A');
	outsider_expect(
	    &b.o, 90, "0: ready A, asks A, start A RCS; 30: asks A");
	lab_expect_uses(&b.lab, t);
	/* It finds another value, which is one poll still. */
	b.o.poll.found = 8;
	backend_end(b.lab.sim, rq, 0);
	outsider_expect(&b.o, 100, "90: asks A");
	expect_why(&b, t,
	    "100us client 0 context 1, request 0, on RCS: from submission "
	    "until now, in flight\n"
	    "  30.0us runs on RCS\n"
	    "  70.0us polls on RCS: 0x10040: found 0x8, wanted >= 0x9 "
	    "(object 3 + 0x40 of client 0)\n");
	backend_end(b.lab.sim, rq, 0);
	outsider_expect(&b.o, 200, "100: asks A; 120: asks A, end A");
	lab_expect_uses(&b.lab, t);
	assert_int_equal(trail_polls(t, 0, 0, NSEC_NEVER).end, 2);
	poll = trail_poll(t, 0, 1);
	assert_int_equal(poll->from_ns, 30 * NSEC_PER_USEC);
	assert_int_equal(poll->to_ns, 100 * NSEC_PER_USEC);
	assert_int_equal(trail_span_used(t, 0, trail_span(t, 0, 1), NSEC_NEVER)
			     .ns[USE_RUNNING],
	    50 * NSEC_PER_USEC);
	assert_int_equal(trail_used(t, 0, 60 * NSEC_PER_USEC).ns[USE_POLLING],
	    30 * NSEC_PER_USEC);
	expect_engine_causes(&b, t);
	trail_end(t);
	outside_tear_down(&b);
}

/* doc/model/outside.md "Polling batches": under execlists its slice is over at
 * its next preemption point, where equals take over. */
TEST(a_polling_batch_yields)
{
	struct context *waits, *other;
	const struct hw_engine *e;
	struct request_ref rq;
	struct outside_bench b;

	outside_set_up(&b, "execlists");
	e = &b.lab.sim->device.engines[0];
	waits = outsider_context_on(b.client, "RCS");
	other = outsider_context_on(b.client, "RCS");
	b.o.endless_polls = true;
	b.o.points_ns = 10 * NSEC_PER_USEC;
	b.o.answers[0] = b.o.answers[1] = b.o.answers[2] = NSEC_NEVER;
	rq = submit_asking(&b, waits, 'W');
	outsider_expect(&b.o, 12, "0: ready W, asks W, start W RCS");
	outsider_batch(&b.o, other, 'O', 500);
	/* It is asked again when it has the engine again. */
	outsider_expect(
	    &b.o, 600, "12: ready O; 20: start O RCS; 520: end O, asks W");
	assert_int_equal(
	    hw_engine_sema(e, b.lab.sim->now), 100 * NSEC_PER_USEC);
	/* One that does not poll keeps its slice. */
	b.o.endless_polls = false;
	backend_end(b.lab.sim, rq, 0);
	outsider_expect(&b.o, 605, "600: asks W");
	outsider_batch(&b.o, other, 'O', 500);
	outsider_expect(&b.o, 1000, "605: ready O");
	outside_tear_down(&b);
}

/* doc/model/outside.md "Durations": until told */
TEST(batches_until_they_are_ended)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct context *context;
		struct request_ref first, second, third;

		outside_set_up(&b, outside_schedulers[i]);
		context = outsider_context_on(b.client, "RCS");
		first = outsider_batch(&b.o, context, 'A', FOR_EVER);
		second = outsider_batch(&b.o, context, 'B', FOR_EVER);
		third = outsider_batch(&b.o, context, 'C', FOR_EVER);
		sim_run(b.lab.sim, 500 * NSEC_PER_USEC, 0);
		backend_end(b.lab.sim, second, 40 * NSEC_PER_USEC);
		backend_end(b.lab.sim, first, 0);
		sim_run(b.lab.sim, 600 * NSEC_PER_USEC, 0);
		backend_end(b.lab.sim, third, 25 * NSEC_PER_USEC);
		backend_end(b.lab.sim, first, 0); /* is gone */
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.rows[0].end, 500 * NSEC_PER_USEC);
		assert_int_equal(b.lab.rows[1].end, 540 * NSEC_PER_USEC);
		assert_int_equal(b.lab.rows[2].end, 625 * NSEC_PER_USEC);
		assert_int_equal(b.lab.rows[2].error, 0);
		outside_tear_down(&b);
	}
}
