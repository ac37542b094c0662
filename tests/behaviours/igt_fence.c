/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IGT's gem_exec_fence and gem_exec_parallel (doc/behaviours.md "The table",
 * section 6.1, rows 42 to 48), without fences of hung batches. */
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* A spinner on RCS, and on every engine a store that waits for its fence. */
static void
add_await(struct text *t)
{
	text_adds(t, "1.RCS.*.0.0");
	for (unsigned i = 0; i < N_ENGINES; i++)
		text_addf(
		    t, ",%u.%s.10.f-%u.0", 2 + i, ideal_engines[i], i + 1);
}

static void
basic_await(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	add_await(&t);
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(100));
	for (unsigned i = 0; i < N_ENGINES; i++)
		assert_int_equal(first(&lab, 2 + i)->start, NSEC_NEVER);
	scene_end(&lab, 1);
	scene_go_on(&lab, MS(1));
	for (unsigned i = 0; i < N_ENGINES; i++) {
		assert_int_equal(first(&lab, 2 + i)->start, MS(100));
		assert_int_equal(first(&lab, 2 + i)->end, MS(100) + US(10));
	}
	lab_free(&lab);
	text_free(&t);
}

/* Waiting does not block the client, which goes on with what does not wait. */
static void
nb_await(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	add_await(&t);
	text_adds(&t, ",20.BCS.10.0.1,21.BCS.10.0.0");
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(1));
	assert_int_equal(first(&lab, 8)->submit, 0);
	assert_int_equal(first(&lab, 8)->start, NSEC_NEVER);
	assert_int_equal(first(&lab, 21)->end, US(20));
	lab_free(&lab);
	text_free(&t);
}

/* A spinner behind a cork, and on each other engine what is tied to its start:
 * nothing before it, then all of them while it spins. */
static void
parallel(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "f,1.RCS.*.f-1.0");
	for (unsigned i = 1; i < N_ENGINES; i++)
		text_addf(&t, ",2.%s.100.s-%u.0", ideal_engines[i], i);
	text_addf(&t, ",d.5000,a.-%u", N_ENGINES + 2);
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(100));
	assert_true(is_busy(first(&lab, 1)));
	assert_int_equal(first(&lab, 1)->start, MS(5));
	for (unsigned i = 0; i < N_ENGINES - 1; i++) {
		assert_int_equal(nth(&lab, 2, i)->start, MS(5));
		assert_int_not_equal(nth(&lab, 2, i)->end, NSEC_NEVER);
	}
	lab_free(&lab);
	text_free(&t);
}

/* The same on the engine of the first batch, which slices share. */
static void
concurrent(const char *sched)
{
	for (unsigned i = 0; i < N_ENGINES; i++) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t, "f,1.%s.*.f-1.0,2.%s.100.s-1.0,d.5000,a.-4",
		    ideal_engines[i], ideal_engines[i]);
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(20));
		assert_int_equal(first(&lab, 1)->start, MS(5));
		assert_in_range(first(&lab, 2)->start, MS(5), MS(7));
		assert_int_not_equal(first(&lab, 2)->end, NSEC_NEVER);
		assert_true(is_busy(first(&lab, 1)));
		lab_free(&lab);
		text_free(&t);
	}
}

/* n batches of one engine, each tied to the start of the first, play ping-pong:
 * all have a turn before any ends. */
static void
submit_n(const char *sched, unsigned n)
{
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "1.RCS.*.0.0");
	for (unsigned i = 2; i <= n; i++)
		text_addf(&t, ",%u.RCS.*.s-%u.0", i, i - 1);
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(1) * (n + 1));
	for (unsigned i = 1; i <= n; i++)
		scene_end(&lab, i);
	scene_go_on(&lab, MS(1) * n);
	expect_all_met(&lab, 1, n);
	for (unsigned i = 1; i <= n; i++)
		assert_int_not_equal(first(&lab, i)->end, NSEC_NEVER);
	lab_free(&lab);
	text_free(&t);
}

static void
submit(const char *sched)
{
	submit_n(sched, 2);
}

static void
submit3(const char *sched)
{
	submit_n(sched, 3);
}

static void
submit67(const char *sched)
{
	submit_n(sched, 67);
}

/* Each batch is tied to the start of the one before, on another engine. */
static void
submit_chain(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "f,1.RCS.*.f-1.0");
	for (unsigned i = 1; i < N_ENGINES; i++)
		text_addf(&t, ",%u.%s.*.s-1.0", 1 + i, ideal_engines[i]);
	text_addf(&t, ",d.5000,a.-%u", N_ENGINES + 2);
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(5) - 1);
	for (unsigned i = 1; i <= N_ENGINES; i++)
		assert_int_equal(first(&lab, i)->start, NSEC_NEVER);
	lab_run(&lab, MS(10));
	for (unsigned i = 1; i <= N_ENGINES; i++) {
		assert_int_equal(first(&lab, i)->start, MS(5));
		assert_true(is_busy(first(&lab, i)));
	}
	lab_free(&lab);
	text_free(&t);
}

/* No request can wait for a point of the timeline that does not exist yet. */
static void
timeline_wait_before_signal(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	expect_refused(&lab, "1.RCS.10.f-1.0,f", "number of steps before");
	expect_refused(&lab, "f,1.RCS.10.f-2.0", "number of steps before");
	expect_refused(&lab, "f,1.RCS.10.f-0.0", "0");
	expect_refused(&lab, "d.1,1.RCS.10.f-1.0", "no");
	expect_refused(&lab, "a.-1,f", "number of steps before");
	expect_taken(&lab, "f,1.RCS.10.f-1.0,a.-2");
	lab_free(&lab);
}

/* Points of one timeline signal in order, the earlier ones with a later one;
 * a batch may wait for several of them, in any order. */
static void
timeline_order(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "f,f,f,1.RCS.10.f-1.0,2.BCS.10.f-3.0,3.VCS1.10.f-5/f-3.0,"
	    "4.VCS2.10.f-5/f-6.0,d.1000,a.-7,d.1000,a.-8");
	/* a.-7 is for the second point, and for the first with it. */
	assert_int_equal(first(&lab, 1)->start, MS(2));
	assert_int_equal(first(&lab, 2)->start, MS(1));
	assert_int_equal(first(&lab, 3)->start, MS(2));
	assert_int_equal(first(&lab, 4)->start, MS(1));
	lab_free(&lab);
}

/* Many clients, each with contexts on all engines, with their own results. */
static void
parallel_engines(const char *sched)
{
	enum { CLIENTS = 64, ROUNDS = 8 };

	struct text t = {0};
	struct lab lab;

	for (unsigned i = 0; i < 2 * N_ENGINES; i++)
		text_addf(&t, "%u.%s.10.0.%u,", 1 + i,
		    ideal_engines[i % N_ENGINES], i == N_ENGINES);
	t.data[--t.len] = '\0';
	lab_init(&lab, sched);
	lab_add(
	    &lab, t.data, CLIENTS, (struct client_options){.repeat = ROUNDS});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.n_rows, CLIENTS * ROUNDS * 2 * N_ENGINES);
	for (size_t i = 0; i < lab.n_rows; i++) {
		assert_int_equal(lab.rows[i].error, 0);
		assert_int_equal(lab.rows[i].run, US(10));
		assert_string_equal(lab.rows[i].engine,
		    ideal_engines[lab.rows[i].step % N_ENGINES]);
	}
	for (unsigned i = 0; i < N_ENGINES; i++)
		assert_int_equal(lab.sim->device.engines[i].busy_ns,
		    US(CLIENTS * ROUNDS * 2 * 10));
	lab_free(&lab);
	text_free(&t);
}

static const struct behaviour list[] = {
    {42, "gem_exec_fence@basic-await", ANY, basic_await, NULL},
    {42, "gem_exec_fence@nb-await", ANY, nb_await, NULL},
    {44, "gem_exec_fence@parallel", ANY, parallel, NULL},
    {44, "gem_exec_fence@concurrent", PREEMPTIVE, concurrent, NULL},
    {45, "gem_exec_fence@submit", PREEMPTIVE, submit, TOKEN_BY_TEST},
    {45, "gem_exec_fence@submit3", PREEMPTIVE, submit3, TOKEN_BY_TEST},
    {45, "gem_exec_fence@submit67", PREEMPTIVE, submit67, TOKEN_BY_TEST},
    {46, "gem_exec_fence@submit-chain", ANY, submit_chain, NULL},
    {47, "gem_exec_fence@syncobj-*, timeline-*: wait before signal", PREEMPTIVE,
	timeline_wait_before_signal,
	DIAGNOSTICS(
	    "a descriptor that waits for what comes later does not compile")},
    {47, "gem_exec_fence@syncobj-*, timeline-*: order", ANY, timeline_order,
	NULL},
    {47, "gem_exec_fence@syncobj-import, -export, -invalid-*", NULL, NULL,
	NOT_APPLICABLE(
	    "file descriptors and handles: the language names fences by their step")},
    {48, "gem_exec_parallel@engines", ANY, parallel_engines, NULL},
};

const struct behaviours behaviours_igt_fence = BEHAVIOURS("6.1", list);
