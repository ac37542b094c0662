/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * IGT's gem_exec_schedule (doc/behaviours.md "The table", section 6.1, rows 1
 * to 17). A store is a batch of 10 us, LO, NOISE and HI are contexts of rising
 * priority, MIN and MAX are -1023 and 1023. A case passes or fails by the
 * order in which batches of different contexts ran.
 */
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* Order without priorities. */

/* The first batch waits behind a cork, or is taken off its engine: the second
 * one, which could go on, does not overtake it. */
static void
fifo(const char *sched)
{
	static const char *const texts[] = {
	    "f,1.RCS.10.f-1.0,1.RCS.10.0.0,a.-3",
	    "1.RCS.3000.0.0,1.RCS.10.0.0,2.RCS.3000.0.0",
	    "P.2.5,1.RCS.500.0.0,1.RCS.10.0.0,d.250,2.RCS.100.0.0",
	};

	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct lab lab;

		scene_run(&lab, sched, texts[i]);
		expect_before(nth(&lab, 1, 0), nth(&lab, 1, 1));
		lab_free(&lab);
	}
}

/* Two clients' contexts use a buffer on each pair of engines. */
static void
implicit_pair(const char *sched, const char *first_use, const char *second_use)
{
	for (unsigned i = 0; i < N_ENGINES * N_ENGINES; i++) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t, "w.9.4k,1.%s.10.%s9-0.0,2.%s.10.%s9-0.0",
		    ideal_engines[i / N_ENGINES], first_use,
		    ideal_engines[i % N_ENGINES], second_use);
		scene_run(&lab, sched, text_str(&t));
		expect_before(first(&lab, 1), first(&lab, 2));
		lab_free(&lab);
		text_free(&t);
	}
}

static void
implicit_read_write(const char *sched)
{
	implicit_pair(sched, "r", "w");
}

static void
implicit_write_read(const char *sched)
{
	implicit_pair(sched, "w", "r");
}

static void
implicit_boths(const char *sched)
{
	implicit_pair(sched, "w", "w");
}

/* A spinner on an engine, and on all others but one what waits for it. */
static void
independent(const char *sched)
{
	for (unsigned free = 0; free < N_ENGINES; free++) {
		unsigned busy = free == 0;
		struct text t = {0};
		struct lab lab;

		text_addf(&t, "1.%s.*.0.0", ideal_engines[busy]);
		for (unsigned i = 0, n = 0; i < N_ENGINES; i++) {
			if (i != busy && i != free)
				text_addf(&t, ",2.%s.10.-%u.0",
				    ideal_engines[i], ++n);
		}
		text_addf(&t, ",3.%s.10.0.0", ideal_engines[free]);
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(100));
		assert_int_equal(first(&lab, 3)->end, US(10));
		assert_int_equal(first(&lab, 1)->end, NSEC_NEVER);
		assert_int_equal(first(&lab, 2)->end, NSEC_NEVER);
		lab_free(&lab);
		text_free(&t);
	}
}

static void
in_order(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched, "f,1.RCS.10.f-1.0,2.RCS.10.f-2.0,a.-3");
	expect_before(first(&lab, 1), first(&lab, 2));
	lab_free(&lab);
}

/* Priorities. */

static void
out_order(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "P.1.-1023,P.2.1023,f,1.RCS.10.f-1.0,2.RCS.10.f-2.0,a.-3");
	expect_before(first(&lab, 2), first(&lab, 1));
	lab_free(&lab);
}

static void
promotion(const char *sched)
{
	struct lab lab;

	/* LO 1, NOISE 2, HI 3, which reads what LO wrote. */
	scene_run(&lab, sched,
	    "P.1.-1023,P.2.-511,P.3.0,f,2.RCS.10.f-1.0,1.RCS.10.f-2.0,"
	    "3.RCS.10.-1.0,a.-4");
	expect_before(first(&lab, 1), first(&lab, 3));
	expect_before(first(&lab, 1), first(&lab, 2));
	expect_before(first(&lab, 3), first(&lab, 2));
	lab_free(&lab);
}

/* Sixteen times: as many spinners of MIN, and a store of MAX. */
static void
preempt_spinners(const char *sched, unsigned spinners)
{
	for (unsigned round = 0; round < 16; round++) {
		struct text t = {0};
		struct lab lab;

		text_adds(&t, "P.1.1023");
		for (unsigned i = 0; i < spinners; i++)
			text_addf(&t, ",P.%u.-1023,%u.RCS.*.0.0", 2 + i, 2 + i);
		/* Any time. */
		text_addf(&t, ",d.%u,1.RCS.10.0.0", 37 * round + 1);
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(100));
		/* The spinner is asked at its next preemption point. */
		assert_true(first(&lab, 1)->end <=
		    first(&lab, 1)->submit + US(100 + 10));
		for (unsigned i = 0; i < spinners; i++)
			assert_int_equal(first(&lab, 2 + i)->end, NSEC_NEVER);
		lab_free(&lab);
		text_free(&t);
	}
}

static void
preempt(const char *sched)
{
	preempt_spinners(sched, 1);
}

static void
preempt_contexts(const char *sched)
{
	preempt_spinners(sched, 16);
}

/*
 * Spinners of MIN on all engines, each reading the one before with chain;
 * NOISE behind each; HI on an engine, that depends on all NOISE.
 */
static void
preempt_other_chain(const char *sched, bool chain)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		struct text t = {0};
		struct lab lab;

		text_adds(&t, "P.1.1023,P.2.-1023,P.3.-511");
		for (unsigned i = 0; i < N_ENGINES; i++)
			text_addf(&t, ",2.%s.*.%s.0", ideal_engines[i],
			    chain && i > 0 ? "s-1" : "0");
		for (unsigned i = 0; i < N_ENGINES; i++)
			text_addf(&t, ",3.%s.10.0.0", ideal_engines[i]);
		text_addf(&t, ",1.%s.10.", ideal_engines[e]);
		for (unsigned i = 0; i < N_ENGINES; i++)
			text_addf(&t, "%s-%u", i > 0 ? "/" : "", i + 1);
		text_adds(&t, ".0");
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(100));
		for (unsigned i = 0; i < N_ENGINES; i++) {
			expect_before(nth(&lab, 3, i), first(&lab, 1));
			assert_true(is_busy(nth(&lab, 2, i)));
		}
		assert_true(first(&lab, 1)->end <= US(230));
		lab_free(&lab);
		text_free(&t);
	}
}

static void
preempt_other(const char *sched)
{
	preempt_other_chain(sched, false);
}

static void
preempt_chain(const char *sched)
{
	preempt_other_chain(sched, true);
}

/* A client's own MAX work on all engines passes its MIN spinners there. */
static void
preempt_self(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "P.1.1023,P.2.-1023");
	for (unsigned i = 0; i < N_ENGINES; i++)
		text_addf(&t, ",2.%s.*.0.0", ideal_engines[i]);
	text_adds(&t, ",d.250");
	for (unsigned i = 0; i < N_ENGINES; i++)
		text_addf(&t, ",1.%s.10.0.0", ideal_engines[i]);
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(10));
	for (unsigned i = 0; i < N_ENGINES; i++) {
		assert_int_equal(nth(&lab, 1, i)->end, US(310));
		assert_true(is_busy(nth(&lab, 2, i)));
	}
	lab_free(&lab);
	text_free(&t);
}

/* The context of a map has a timeline for each of its engines, where the
 * priority that it had at each submission counts. */
static void
preempt_engines(const char *sched)
{
	struct lab lab;

	scene_start(&lab, sched,
	    "M.1.RCS|BCS|VCS1,2.RCS.*.0.0,2.BCS.*.0.0,2.VCS1.*.0.0,"
	    "P.1.5,1.RCS.10.0.0,P.1.-5,1.BCS.10.0.0,P.1.7,1.VCS1.10.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(100));
	assert_int_equal(nth(&lab, 1, 0)->end, US(110));
	assert_int_equal(nth(&lab, 1, 1)->end, NSEC_NEVER);
	assert_int_equal(nth(&lab, 1, 2)->end, US(110));
	lab_free(&lab);
}

/* A spinner of MIN and a queue of LO and NOISE; stores of MAX jump over all. */
static void
preempt_queue_of(const char *sched, unsigned contexts, bool chain)
{
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "P.1.1023");
	for (unsigned i = 0; i < contexts; i++)
		text_addf(&t, ",P.%u.-1023,%u.RCS.*.%s.0", 10 + i, 10 + i,
		    chain && i > 0 ? "f-2" : "0");
	for (unsigned i = 0; i < 16; i++)
		text_addf(&t, ",P.%u.%d,%u.RCS.10.0.0", 100 + i,
		    i % 2 == 0 ? -1022 : -511, 100 + i);
	for (unsigned i = 0; i < 16; i++)
		text_adds(&t, ",1.RCS.10.0.0");
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(100));
	for (unsigned i = 0; i < 16; i++)
		assert_int_equal(nth(&lab, 1, i)->end, US(100 + 10 * (i + 1)));
	assert_true(is_busy(first(&lab, 10)));
	for (unsigned i = 0; i < 16; i++)
		assert_true(first(&lab, 100 + i)->start >= US(260));
	lab_free(&lab);
	text_free(&t);
}

static void
preempt_queue(const char *sched)
{
	preempt_queue_of(sched, 1, false);
}

static void
preempt_queue_contexts(const char *sched)
{
	preempt_queue_of(sched, 16, false);
}

static void
preempt_queue_chain(const char *sched)
{
	preempt_queue_of(sched, 1, true);
}

static void
preempt_queue_contexts_chain(const char *sched)
{
	preempt_queue_of(sched, 16, true);
}

/* A fence from engine to engine, round all of them; what is submitted later,
 * of MAX, for the end of it, overtakes none of the links. */
static void
noreorder_of(const char *sched, int priority, bool corked)
{
	struct text t = {0};
	struct lab lab;

	text_addf(&t, "P.1.%d,P.2.1023,f", priority);
	for (unsigned i = 0; i < N_ENGINES; i++) {
		text_addf(&t, ",1.%s.10.", ideal_engines[i]);
		if (i == 0)
			text_adds(&t, corked ? "f-1.0" : "0.0");
		else
			text_adds(&t, "f-1.0");
	}
	text_adds(&t, ",2.RCS.10.f-1.0,2.BCS.10.f-2.0");
	if (corked)
		text_addf(&t, ",d.100,a.-%u", (unsigned)N_ENGINES + 4);
	scene_run(&lab, sched, text_str(&t));
	for (unsigned i = 1; i < N_ENGINES; i++)
		expect_before(nth(&lab, 1, i - 1), nth(&lab, 1, i));
	expect_before(nth(&lab, 1, N_ENGINES - 1), nth(&lab, 2, 0));
	expect_before(nth(&lab, 1, N_ENGINES - 1), nth(&lab, 2, 1));
	assert_true(first(&lab, 1)->start >= (corked ? US(100) : 0));
	lab_free(&lab);
	text_free(&t);
}

static void
noreorder(const char *sched)
{
	noreorder_of(sched, 0, false);
}

static void
noreorder_priority(const char *sched)
{
	noreorder_of(sched, -1023, false);
	noreorder_of(sched, 1022, false);
}

static void
noreorder_corked(const char *sched)
{
	noreorder_of(sched, -1023, true);
	noreorder_of(sched, 0, true);
}

/* A chain of MIN contexts, NOISE of 0 submitted before it, and HI that waits
 * for the end of the chain: all of the chain goes first. */
static void
deep(const char *sched)
{
	enum { DEPTH = 500, NOISE = 8 };
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "P.1.1023,f");
	for (unsigned i = 0; i < NOISE; i++)
		text_addf(&t, ",%u.RCS.10.f-%u.0", 2 + i, i + 1);
	for (unsigned i = 0; i < DEPTH; i++) {
		text_addf(&t, ",P.%u.-1023,%u.RCS.10.", 100 + i, 100 + i);
		if (i == 0)
			text_addf(&t, "f-%u.0", NOISE + 2);
		else
			text_adds(&t, "-2.0");
	}
	text_addf(&t, ",1.RCS.10.-1.0,a.-%u", NOISE + 2 * DEPTH + 2);
	scene_run(&lab, sched, text_str(&t));
	for (unsigned i = 1; i < DEPTH; i++)
		expect_before(first(&lab, 99 + i), first(&lab, 100 + i));
	expect_before(first(&lab, 99 + DEPTH), first(&lab, 1));
	for (unsigned i = 0; i < NOISE; i++)
		expect_before(first(&lab, 1), first(&lab, 2 + i));
	lab_free(&lab);
	text_free(&t);
}

/* Many contexts behind a cork, whose priorities are mixed: they run from the
 * highest to the lowest, first come first served inside a priority. */
static void
wide_of(const char *sched, int step, unsigned n)
{
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "f");
	for (unsigned i = 0; i < n; i++)
		text_addf(&t, ",P.%u.%d,%u.RCS.10.f-%u.0", 1 + i,
		    (int)(i * 7919 % n) / step - (int)n / 2 / step, 1 + i,
		    2 * i + 2);
	text_addf(&t, ",a.-%u", 2 * n + 1);
	scene_run(&lab, sched, text_str(&t));
	for (unsigned i = 1; i <= n; i++) {
		const struct lab_row *a = first(&lab, i);
		int a_level = (int)((i - 1) * 7919 % n) / step;

		for (unsigned k = i + 1; k <= n; k++) {
			const struct lab_row *b = first(&lab, k);

			if ((int)((k - 1) * 7919 % n) / step > a_level)
				expect_before(b, a);
			else
				expect_before(a, b);
		}
	}
	lab_free(&lab);
	text_free(&t);
}

static void
wide(const char *sched)
{
	wide_of(sched, 16, 256);
}

static void
reorder_wide(const char *sched)
{
	wide_of(sched, 1, 256);
}

/* A client of MIN has filled its ring behind a spinner and blocks; one of MAX
 * comes and goes. */
static void
pi_ringfull(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.ring_requests = 64;
	lab_add(&lab, "P.1.-1023,1.RCS.*.0.0", 1,
	    (struct client_options){.repeat = 1000});
	scene_client(&lab, "P.1.1023,d.1000,1.RCS.10.0.1");
	scene_clock(&lab);
	lab_run(&lab, MS(1));
	assert_int_equal(lab.sim->clients[0]->state, CLIENT_RING_FULL);
	lab_run(&lab, MS(1) + MS(10));
	assert_int_equal(lab.sim->clients[1]->state, CLIENT_ENDED);
	assert_int_equal(lab.sim->clients[0]->state, CLIENT_RING_FULL);
	lab_free(&lab);
}

/* An object that both use: LO, already waiting with it behind a spinner, is
 * raised by HI. */
static void
pi_common(const char *sched)
{
	struct lab lab;

	scene_start(&lab, sched,
	    "P.1.-1023,P.2.-511,P.3.1023,w.9.4k,P.4.-511,4.RCS.*.0.0,"
	    "1.RCS.10.w9-0.0,2.RCS.1000.0.0,3.RCS.10.w9-0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(10));
	expect_before(first(&lab, 1), first(&lab, 3));
	assert_int_equal(first(&lab, 3)->end, US(120));
	assert_true(is_busy(first(&lab, 4)));
	lab_free(&lab);
}

#define BANDS_ONLY                                                             \
	ONLY("guc has three bands (section 2.2), no order by priority")

#define FAULTS                                                                 \
	NOT_APPLICABLE(                                                        \
	    "a page fault inside of a submission: the model has no memory")

static const struct behaviour list[] = {
    {1, "gem_exec_schedule@fifo", ANY, fifo, NULL},
    {2, "gem_exec_schedule@implicit-read-write", ANY, implicit_read_write,
	NULL},
    {2, "gem_exec_schedule@implicit-write-read", ANY, implicit_write_read,
	NULL},
    {2, "gem_exec_schedule@implicit-boths", ANY, implicit_boths, NULL},
    {3, "gem_exec_schedule@independent", ANY, independent, NULL},
    {4, "gem_exec_schedule@in-order", FIRST_COME, in_order, NULL},
    {5, "gem_exec_schedule@out-order", BY_PRIORITY, out_order, NULL},
    {6, "gem_exec_schedule@promotion", PREEMPTIVE, promotion, NULL},
    {7, "gem_exec_schedule@preempt", PREEMPTIVE, preempt, NULL},
    {7, "gem_exec_schedule@preempt-contexts", PREEMPTIVE, preempt_contexts,
	NULL},
    {8, "gem_exec_schedule@preempt-other", PREEMPTIVE, preempt_other, NULL},
    {8, "gem_exec_schedule@preempt-other-chain", PREEMPTIVE, preempt_chain,
	NULL},
    {9, "gem_exec_schedule@preempt-self", PREEMPTIVE, preempt_self, NULL},
    {10, "gem_exec_schedule@preempt-engines", PREEMPTIVE, preempt_engines,
	NULL},
    {11, "gem_exec_schedule@preempt-queue", PREEMPTIVE, preempt_queue, NULL},
    {11, "gem_exec_schedule@preempt-queue-contexts", PREEMPTIVE,
	preempt_queue_contexts, NULL},
    {11, "gem_exec_schedule@preempt-queue-chain", PREEMPTIVE,
	preempt_queue_chain, NULL},
    {11, "gem_exec_schedule@preempt-queue-contexts-chain", PREEMPTIVE,
	preempt_queue_contexts_chain, NULL},
    {14, "gem_exec_schedule@noreorder", ANY, noreorder, NULL},
    {14, "gem_exec_schedule@noreorder-priority", ANY, noreorder_priority, NULL},
    {14, "gem_exec_schedule@noreorder-corked", ANY, noreorder_corked, NULL},
    {15, "gem_exec_schedule@deep", PREEMPTIVE, deep, NULL},
    {15, "gem_exec_schedule@wide", EXECLISTS, wide, BANDS_ONLY},
    {15, "gem_exec_schedule@reorder-wide", EXECLISTS, reorder_wide, BANDS_ONLY},
    {16, "gem_exec_schedule@pi-ringfull", PREEMPTIVE, pi_ringfull, NULL},
    {17, "gem_exec_schedule@pi-common", PREEMPTIVE, pi_common, NULL},
    {17, "gem_exec_schedule@pi-distinct-iova", NULL, NULL, FAULTS},
    {17, "gem_exec_schedule@pi-shared-iova", NULL, NULL, FAULTS},
    {17, "gem_exec_schedule@pi-userfault", NULL, NULL,
	NOT_APPLICABLE(
	    "page faults that user space answers: the model has no memory")},
};

const struct behaviours behaviours_igt_schedule = BEHAVIOURS("6.1", list);
