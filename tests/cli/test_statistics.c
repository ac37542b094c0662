/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics (doc/model/common.md "Statistics"): figures of engines, contexts
 * and clients, worked out by hand in `ideal`. Times here are in microseconds unless
 * their names end in _ns.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};

static const struct hw_engine *
engine(const struct lab *lab, const char *name)
{
	const struct device *dev = &lab->sim->device;

	for (unsigned i = 0; i < dev->n_engines; i++)
		if (strcmp(dev->engines[i].name, name) == 0)
			return &dev->engines[i];
	fail_msg("no engine %s", name);
	return NULL;
}

struct shares {
	nsec busy, idle, waiting, sema, pmu_sema;
};

static void
expect_shares(const struct lab *lab, const char *name, struct shares expected)
{
	const struct hw_engine *e = engine(lab, name);
	nsec now = lab->sim->now;

	assert_int_equal(hw_engine_busy(e, now), expected.busy * US);
	assert_int_equal(hw_engine_idle(e, now), expected.idle * US);
	assert_int_equal(hw_engine_waiting(e, now), expected.waiting * US);
	assert_int_equal(hw_engine_sema(e, now), expected.sema * US);
	assert_int_equal(hw_engine_pmu_sema(e, now), expected.pmu_sema * US);
}

static void
start(struct lab *lab, const char *sched, const char *text)
{
	lab_init(lab, sched);
	lab_add(lab, text, 1, once);
}

static void
run(struct lab *lab)
{
	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DONE);
}

/* The second batch needs the first one, on another engine. */
static void
expect_polling(const char *text, struct shares expected)
{
	struct lab lab;

	start(&lab, "execlists", text);
	run(&lab);
	expect_shares(&lab, "VCS1", expected);
	lab_free(&lab);
}

/* doc/model/execlists.md "Polling", doc/model/common.md "Statistics": who polls
 * holds the engine, which counts as busy. The PMU looks at 5, 10, 15 ms, ... */
TEST(polling)
{
	/* It polls from 0 to 7 ms. */
	expect_polling("1.RCS.7000.0.0,2.VCS1.1000.-1.1",
	    (struct shares){8000, 0, 0, 7000, 5000});
	/* From 4 to 11. */
	expect_polling("d.4000,1.RCS.7000.0.0,2.VCS1.1000.-1.1",
	    (struct shares){8000, 4000, 0, 7000, 10000});
	/* From 1 to 4: the PMU does not see it. */
	expect_polling("d.1000,1.RCS.3000.0.0,2.VCS1.1000.-1.1",
	    (struct shares){4000, 1000, 0, 3000, 0});
	/* From 5 to 10: at 10 it runs already. */
	expect_polling("d.5000,1.RCS.5000.0.0,2.VCS1.1000.-1.1",
	    (struct shares){6000, 5000, 0, 5000, 5000});
	/* From 4.999 to 10.001. */
	expect_polling("d.4999,1.RCS.5002.0.0,2.VCS1.1000.-1.1",
	    (struct shares){6002, 4999, 0, 5002, 10000});
}

/* doc/model/execlists.md "Polling": it polls from 0 to 2 and from 5 to
 * 7; in between another context runs. */
TEST(polling_in_pieces)
{
	expect_polling("1.RCS.7000.0.0,2.VCS1.1000.-1.0,d.2000,3.VCS1.3000.0.1",
	    (struct shares){8000, 0, 0, 4000, 5000});
}

TEST(polling_now)
{
	struct lab lab;

	start(&lab, "execlists", "1.RCS.7000.0.0,2.VCS1.1000.-1.1");
	sim_run(lab.sim, 5000 * US, 0);
	expect_shares(&lab, "VCS1", (struct shares){5000, 0, 0, 5000, 0});
	sim_run(lab.sim, 6000 * US, 0);
	expect_shares(&lab, "VCS1", (struct shares){6000, 0, 0, 6000, 5000});
	lab_free(&lab);
}

/* Without semaphores the engine is free, and waiting: for blocked work. */
TEST(waiting)
{
	static const char *const schedulers[] = {"fifo", "drm", "drm:rr"};
	struct lab lab;

	for (size_t i = 0; i < 3; i++) {
		start(&lab, schedulers[i],
		    "d.500,1.RCS.7000.0.0,2.VCS1.1000.-1.1,d.250");
		run(&lab);
		expect_shares(
		    &lab, "RCS", (struct shares){7000, 1750, 0, 0, 0});
		expect_shares(
		    &lab, "VCS1", (struct shares){1000, 750, 7000, 0, 0});
		expect_shares(&lab, "BCS", (struct shares){0, 8750, 0, 0, 0});
		lab_free(&lab);
	}
	/* A negative priority has no semaphores. */
	start(&lab, "execlists", "P.2.-1,1.RCS.7000.0.0,2.VCS1.1000.-1.1");
	run(&lab);
	expect_shares(&lab, "VCS1", (struct shares){1000, 0, 7000, 0, 0});
	lab_free(&lab);
}

/* Three contexts want RCS at once: two queue for 2 ms, one for 2 more; then
 * none queues for 4 ms. */
TEST(queue)
{
	static const char *const schedulers[] = {"fifo", "execlists", "guc"};
	struct lab lab;
	nsec now;

	for (size_t i = 0; i < 3; i++) {
		lab_init(&lab, schedulers[i]);
		lab.config.profile.timeslice_ns = 0;
		lab.config.profile.quantum_ns = 0;
		lab_add(&lab,
		    "1.RCS.2000.0.0,2.RCS.2000.0.0,3.RCS.2000.0.1,d.2000", 1,
		    once);
		sim_run(lab.sim, 1000 * US, 0);
		assert_int_equal(engine(&lab, "RCS")->queued, 2);
		assert_true(hw_engine_queue_mean(
				engine(&lab, "RCS"), lab.sim->now) == 2);
		assert_int_equal(
		    hw_engine_queue_max(engine(&lab, "RCS"), lab.sim->now), 2);
		run(&lab);
		now = lab.sim->now;
		assert_int_equal(now, 8000 * US);
		assert_true(
		    hw_engine_queue_mean(engine(&lab, "RCS"), now) == 0.75);
		assert_int_equal(
		    hw_engine_queue_max(engine(&lab, "RCS"), now), 2);
		assert_true(
		    hw_engine_queue_mean(engine(&lab, "BCS"), now) == 0);
		lab_free(&lab);
	}
}

/* One that takes its engine in the instant in which it is ready was never in
 * the queue. */
TEST(queue_of_an_instant)
{
	struct lab lab;

	start(&lab, "fifo", "1.RCS.1000.0.1,1.RCS.1000.0.1");
	run(&lab);
	assert_int_equal(
	    hw_engine_queue_max(engine(&lab, "RCS"), lab.sim->now), 0);
	lab_free(&lab);
}

/* Queue wait goes from ready to the first start, latency from the submission
 * to the end. */
TEST(times)
{
	struct histogram all = {0};
	struct context *const *contexts;
	struct lab lab;

	start(&lab, "fifo",
	    "1.RCS.4000.0.0,2.RCS.2000.0.0,2.BCS.1000.-1.0,2.RCS.1000.0.1");
	run(&lab);
	contexts = lab.sim->clients[0]->contexts;
	assert_int_equal(histogram_n(&contexts[0]->times, LATENCY), 1);
	assert_int_equal(histogram_max(&contexts[0]->times, QUEUE_WAIT), 0);
	assert_int_equal(histogram_max(&contexts[0]->times, LATENCY), 4000000);
	/* Ready at 0, 6 and 0; started at 4, 6 and 6; ended at 6, 7, 7 ms. */
	assert_int_equal(histogram_n(&contexts[1]->times, QUEUE_WAIT), 3);
	assert_int_equal(
	    histogram_mean(&contexts[1]->times, QUEUE_WAIT), 10000000 / 3);
	assert_int_equal(
	    histogram_max(&contexts[1]->times, QUEUE_WAIT), 6000000);
	assert_int_equal(
	    histogram_mean(&contexts[1]->times, LATENCY), 20000000 / 3);
	client_add_times(lab.sim->clients[0], &all);
	assert_int_equal(histogram_n(&all, LATENCY), 4);
	assert_int_equal(histogram_mean(&all, LATENCY), 24000000 / 4);
	assert_int_equal(histogram_max(&all, LATENCY), 7000000);
	histogram_free(&all);
	lab_free(&lab);
}

/* A preempted batch waited up to its first start only. */
TEST(times_of_preempted)
{
	struct context *const *contexts;
	struct lab lab;

	start(&lab, "execlists",
	    "P.2.5,1.RCS.3000.0.0,d.1000,2.RCS.2000.0.0,s.-3");
	run(&lab);
	contexts = lab.sim->clients[0]->contexts;
	assert_int_equal(histogram_max(&contexts[0]->times, QUEUE_WAIT), 0);
	assert_int_equal(histogram_max(&contexts[0]->times, LATENCY), 5000000);
	/* Submitted at a preemption point, it takes over at once. */
	assert_int_equal(histogram_max(&contexts[1]->times, LATENCY), 2000000);
	lab_free(&lab);
}

static int
compare(const void *a, const void *b)
{
	nsec x = *(const nsec *)a, y = *(const nsec *)b;

	return (x > y) - (x < y);
}

/* The percentiles are those of the rows, within 1/32. */
static void
expect_percentile(const struct lab *lab, enum measure m, unsigned share)
{
	nsec *values = calloc(lab->n_rows, sizeof *values), exact, got;
	struct histogram all = {0};

	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *r = &lab->rows[i];

		values[i] = m == LATENCY ? r->end - r->submit
					 : r->start - r->ready;
	}
	qsort(values, lab->n_rows, sizeof *values, compare);
	exact = values[(lab->n_rows * share + 999) / 1000 - 1];
	for (size_t i = 0; i < lab->sim->n_clients; i++)
		client_add_times(lab->sim->clients[i], &all);
	assert_int_equal(histogram_n(&all, m), lab->n_rows);
	got = histogram_percentile(&all, m, share);
	assert_in_range(got, exact - exact / 32, exact + exact / 32);
	histogram_free(&all);
	free(values);
}

TEST(percentiles_of_rows)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm", "drm:rr", "guc"};
	const struct client_options options = {.repeat = 40};
	struct lab lab;

	for (size_t i = 0; i < 5; i++) {
		lab_init(&lab, schedulers[i]);
		lab_add(&lab,
		    "1.RCS.100-900.0.0,2.VCS1.300-2000.-1.0,"
		    "3.RCS.50-4000.0.0,1.BCS.100.-2/-3.1",
		    4, options);
		run(&lab);
		expect_percentile(&lab, LATENCY, 500);
		expect_percentile(&lab, LATENCY, 990);
		expect_percentile(&lab, QUEUE_WAIT, 500);
		expect_percentile(&lab, QUEUE_WAIT, 990);
		lab_free(&lab);
	}
}
