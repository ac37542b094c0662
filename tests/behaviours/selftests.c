/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * i915's own tests of its execlists backend (doc/behaviours.md "The table",
 * section 6.2), but for resets. A request that may not be preempted (NOPREEMPT)
 * is a batch without preemption points.
 */
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* Every batch ran once, as long as it is, its context's one after the other. */
static void
expect_each_once(const struct lab *lab)
{
	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *a = &lab->rows[i];

		assert_int_equal(a->error, 0);
		assert_true(a->end - a->start >= a->run);
		for (size_t k = i + 1; k < lab->n_rows; k++) {
			if (lab->rows[k].context == a->context)
				expect_before(a, &lab->rows[k]);
		}
	}
}

/* Two contexts whose batches follow each other in both rings, with this in
 * between. */
static void
unlite(const char *sched, unsigned ring_requests, const char *between)
{
	struct text t = {0};
	struct lab lab;
	nsec sum = 0;

	text_adds(&t, "P.9.1023");
	for (unsigned i = 0; i < 40; i++)
		text_addf(&t, ",%u.RCS.%u.0.0%s", 1 + i % 2, 300 + 100 * i,
		    i % 8 == 7 ? between : "");
	lab_init(&lab, sched);
	lab.config.profile.ring_requests = ring_requests;
	scene_client(&lab, text_str(&t));
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	expect_each_once(&lab);
	for (size_t i = 0; i < lab.n_rows; i++)
		sum += lab.rows[i].run;
	assert_int_equal(lab.sim->device.engines[0].busy_ns, sum);
	assert_true(lab.sim->device.engines[0].preemptions > 0);
	lab_free(&lab);
	text_free(&t);
}

static void
unlite_switch(const char *sched)
{
	unlite(sched, 65536, "");
}

static void
unlite_preempt(const char *sched)
{
	unlite(sched, 65536, ",d.5000,9.RCS.10.0.0");
}

/* Rings that are full all the time. */
static void
unlite_ring(const char *sched)
{
	unlite(sched, 4, ",9.RCS.10.0.0");
}

/* A chain of spinners that wait for a token which comes back from the last;
 * what lets it go is of MAX. All turn round until then. */
static void
timeslice_preempt(const char *sched)
{
	enum { CHAIN = 8 };
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "P.9.1023");
	for (unsigned i = 1; i <= CHAIN; i++)
		text_addf(&t, ",%u.RCS.*.0.0", i);
	text_addf(&t, ",d.%u,9.RCS.10.0.1", 1000 * CHAIN);
	for (unsigned i = 0; i < CHAIN; i++)
		text_addf(&t, ",T.-%u", 2 * i + 3);
	scene_run(&lab, sched, text_str(&t));
	expect_all_met(&lab, 1, CHAIN);
	assert_true(
	    first(&lab, 9)->end <= first(&lab, 9)->submit + US(100 + 10));
	for (unsigned i = 1; i <= CHAIN; i++)
		assert_true(first(&lab, i)->end >= first(&lab, 9)->end);
	lab_free(&lab);
	text_free(&t);
}

/* A1 and A2 of one context, B1 which waits for A1: while A2 goes on, B1 has
 * been. */
static void
timeslice_rewind(const char *sched)
{
	for (unsigned us = 100; us <= 3100; us += 500) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t, "1.RCS.%u.0.0,1.RCS.*.0.0,2.RCS.100.f-2.0", us);
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(10));
		expect_before(nth(&lab, 1, 0), first(&lab, 2));
		assert_int_not_equal(first(&lab, 2)->end, NSEC_NEVER);
		assert_true(is_busy(nth(&lab, 1, 1)));
		lab_free(&lab);
		text_free(&t);
	}
}

/* The ports hold two contexts; who is in the queue is considered too. */
static void
timeslice_queue(const char *sched)
{
	struct lab lab;

	scene_start(
	    &lab, sched, "1.RCS.*.0.0,2.RCS.*.0.0,3.RCS.10.0.0,4.RCS.10.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(10));
	assert_true(first(&lab, 3)->end <= MS(3));
	assert_true(first(&lab, 4)->end <= MS(3));
	assert_true(is_busy(first(&lab, 1)));
	assert_true(is_busy(first(&lab, 2)));
	lab_free(&lab);
}

static void
timeslice_nopreempt(const char *sched)
{
	struct lab lab;

	scene_start(&lab, sched,
	    "X.1.0,P.2.1023,1.RCS.*.0.0,2.RCS.10.0.0,3.RCS.10.0.0");
	scene_clock(&lab);
	lab_run(&lab, SEC(1));
	assert_true(is_busy(first(&lab, 1)));
	assert_int_equal(first(&lab, 2)->start, NSEC_NEVER);
	scene_end(&lab, 1);
	scene_go_on(&lab, MS(1));
	assert_int_equal(first(&lab, 2)->start, SEC(1));
	assert_int_equal(first(&lab, 3)->start, first(&lab, 2)->end);
	assert_int_equal(first(&lab, 1)->preemptions, 0);
	lab_free(&lab);
}

static void
busywait_preempt(const char *sched)
{
	struct lab lab;

	/* 2 polls on RCS for the end of 1. */
	scene_start(&lab, sched,
	    "P.3.1023,1.BCS.*.0.0,2.RCS.10.-1.0,d.1000,3.RCS.10.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(10));
	assert_true(lab.sim->device.engines[0].busy_ns >= US(1010));
	assert_int_equal(first(&lab, 3)->start, MS(1));
	assert_int_equal(first(&lab, 2)->start, NSEC_NEVER);
	lab_free(&lab);
}

static void
preempt(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t,
		    "P.1.-1023,P.2.1023,1.%s.*.0.0,d.1000,"
		    "2.%s.*.0.0,d.1000,T.-2,d.1000,T.-6",
		    ideal_engines[e], ideal_engines[e]);
		scene_run(&lab, sched, text_str(&t));
		assert_int_equal(first(&lab, 2)->start, MS(1));
		assert_int_equal(first(&lab, 2)->end, MS(2));
		assert_int_equal(first(&lab, 1)->end, MS(3));
		assert_int_equal(first(&lab, 1)->preemptions, 1);
		assert_int_equal(first(&lab, 1)->run, MS(2));
		lab_free(&lab);
		text_free(&t);
	}
}

/* 2, of MIN too, is queued behind 1 and raised then. */
static void
late_preempt(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.timeslice_ns = 0;
	scene_client(&lab,
	    "P.1.-1023,P.2.-1023,P.3.1023,1.RCS.*.0.0,2.RCS.10.0.0,d.5000,"
	    "3.BCS.10.-2.0");
	scene_clock(&lab);
	lab_run(&lab, MS(5) - 1);
	assert_int_equal(first(&lab, 2)->start, NSEC_NEVER);
	lab_run(&lab, MS(10));
	assert_in_range(first(&lab, 2)->start, MS(5), MS(5) + US(100));
	assert_int_equal(first(&lab, 3)->start, first(&lab, 2)->end);
	assert_true(is_busy(first(&lab, 1)));
	lab_free(&lab);
}

/* With preemption points it would have been preempted. */
static void
nopreempt(const char *sched)
{
	static const char *const points[] = {"X.1.0", "X.1.100"};

	for (unsigned i = 0; i < 2; i++) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t,
		    "P.1.-1023,%s,P.2.1023,1.RCS.*.0.0,d.100,2.RCS.10.0.0,"
		    "d.5000,T.-4",
		    points[i]);
		scene_run(&lab, sched, text_str(&t));
		assert_int_equal(first(&lab, 1)->end, US(5100));
		assert_int_equal(
		    first(&lab, 2)->start, i == 0 ? US(5100) : US(100));
		assert_int_equal(lab.sim->device.engines[0].preemptions, i);
		lab_free(&lab);
		text_free(&t);
	}
}

/* Raising a context's own queued work does not preempt its running work. */
static void
suppress_self_preempt(const char *sched)
{
	struct lab lab;

	scene_start(&lab, sched,
	    "P.2.1023,1.RCS.*.0.0,1.RCS.*.0.0,1.RCS.10.0.0,2.BCS.10.-1.0,"
	    "d.1050,P.1.1023,1.RCS.10.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(20));
	assert_int_equal(lab.sim->device.engines[0].preemptions, 0);
	assert_true(is_busy(nth(&lab, 1, 0)));
	scene_end(&lab, 1);
	scene_go_on(&lab, MS(20));
	assert_int_equal(lab.sim->device.engines[0].preemptions, 0);
	assert_true(is_busy(nth(&lab, 1, 1)));
	lab_free(&lab);
}

/* Two chains of that length in two contexts; a request of MAX waits for the
 * last of the lower one: its whole chain runs before the rest of the other. */
static void
chain_preempt(const char *sched)
{
	for (unsigned n = 1; n <= 256; n *= 4) {
		struct text t = {0};
		struct lab lab;

		text_adds(&t, "P.1.-1023,P.3.1023,2.RCS.*.0.0");
		for (unsigned i = 0; i < n; i++)
			text_adds(&t, ",1.RCS.10.0.0");
		text_adds(&t, ",d.1000,3.BCS.10.-2.0");
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(100));
		assert_true(
		    first(&lab, 3)->end <= MS(1) + US(100 + 10 * n + 10));
		assert_true(is_busy(first(&lab, 2)));
		expect_before(nth(&lab, 1, n - 1), first(&lab, 3));
		lab_free(&lab);
		text_free(&t);
	}
}

/* Each request preempts the one before; they end in the order of their
 * priorities, the highest first. */
static void
preempt_gang(const char *sched)
{
	enum { GANG = 32 };
	struct text t = {0};
	struct lab lab;

	for (unsigned i = 1; i <= GANG; i++)
		text_addf(&t, "P.%u.%u,%u.RCS.1000.0.0,d.150,", i, i, i);
	t.data[--t.len] = '\0';
	scene_run(&lab, sched, text_str(&t));
	for (unsigned i = 1; i < GANG; i++) {
		const struct lab_row *low = first(&lab, i);
		const struct lab_row *high = first(&lab, i + 1);

		assert_true(low->start < high->start);
		assert_true(high->end < low->end);
		assert_int_equal(low->preemptions, 1);
	}
	lab_free(&lab);
	text_free(&t);
}

/* It goes on where it was: no work is done twice, none is left out. */
static void
preempt_user(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "P.1.-1023,P.2.1023,1.RCS.5000.0.0");
	for (unsigned i = 0; i < 8; i++)
		text_adds(&t, ",d.377,2.RCS.61.0.1");
	scene_run(&lab, sched, text_str(&t));
	assert_int_equal(first(&lab, 1)->run, US(5000));
	assert_int_equal(first(&lab, 1)->preemptions, 8);
	assert_int_equal(first(&lab, 1)->end, US(5000 + 8 * 61));
	lab_free(&lab);
	text_free(&t);
}

/* Virtual engines. */

/* No request is lost or run twice, whatever the number of requests and
 * contexts. */
static void
virtual_engine(const char *sched)
{
	for (unsigned contexts = 1; contexts <= 64; contexts *= 4) {
		struct text t = {0};
		struct lab lab;

		for (unsigned i = 1; i <= contexts; i++)
			text_addf(&t, "M.%u.VCS,B.%u,", i, i);
		for (unsigned i = 0; i < 512; i++)
			text_addf(&t, "%u.DEFAULT.1.0.0,", 1 + i % contexts);
		t.data[--t.len] = '\0';
		scene_run(&lab, sched, t.data);
		expect_each_once(&lab);
		/* Two engines, one timeline each. */
		assert_int_equal(lab.sim->now, US(contexts == 1 ? 512 : 256));
		lab_free(&lab);
		text_free(&t);
	}
}

/* A request that may run on some of the siblings only never runs on others. */
static void
virtual_mask(const char *sched)
{
	static const char *const bonds[] = {
	    "VCS1", "VCS2", "VCS3", "VCS4", "VCS2|VCS4"};

	for (unsigned i = 0; i < 5; i++) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t,
		    "M.1.VCS,B.1,b.1.%s.RCS,2.RCS.10.0.0,1.DEFAULT.10.s-1.0",
		    bonds[i]);
		lab_init(&lab, sched);
		lab.config.profile.n_engines[CLASS_VCS] = 4;
		lab_add(&lab, text_str(&t), 8,
		    (struct client_options){.repeat = 16});
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		for (size_t k = 0; k < lab.n_rows; k++) {
			if (lab.rows[k].context == 1)
				assert_non_null(
				    strstr(bonds[i], lab.rows[k].engine));
		}
		lab_free(&lab);
		text_free(&t);
	}
}

/* A context's progress goes with it to the next engine. */
static void
virtual_preserved(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "M.1.VCS,B.1,P.2.1023,P.3.1023,1.DEFAULT.3000.0.0,d.1000,"
	    "2.VCS1.*.0.0,d.1000,3.VCS2.500.0.0,d.100,T.-4");
	assert_int_equal(first(&lab, 1)->run, US(3000));
	assert_int_equal(first(&lab, 1)->preemptions, 2);
	assert_string_equal(first(&lab, 1)->engine, "VCS1");
	assert_int_equal(first(&lab, 1)->end, US(3100));
	lab_free(&lab);
}

static void
virtual_slice(const char *sched)
{
	struct lab lab;

	/* The only balanced context, against spinners on each sibling. */
	scene_start(&lab, sched,
	    "M.1.VCS,B.1,2.VCS1.*.0.0,3.VCS2.*.0.0,1.DEFAULT.2500.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(20));
	assert_int_not_equal(first(&lab, 1)->end, NSEC_NEVER);
	assert_true(first(&lab, 1)->preemptions >= 1);
	assert_int_equal(first(&lab, 1)->run, US(2500));
	assert_true(is_busy(first(&lab, 2)));
	assert_true(is_busy(first(&lab, 3)));
	lab_free(&lab);
}

#define NO_POINTS                                                              \
	INSTEAD("a batch without preemption points for a NOPREEMPT request")

static const struct behaviour list[] = {
    {1, "live_unlite_switch", EXECLISTS, unlite_switch, NULL},
    {1, "live_unlite_preempt", EXECLISTS, unlite_preempt, NULL},
    {1, "live_unlite_ring", EXECLISTS, unlite_ring, NULL},
    {3, "live_error_interrupt", NULL, NULL,
	NOT_APPLICABLE(
	    "a bad command in a batch: modelled batches have no commands")},
    {4, "live_timeslice_preempt", EXECLISTS, timeslice_preempt, TOKEN_BY_TEST},
    {5, "live_timeslice_rewind", EXECLISTS, timeslice_rewind, NULL},
    {6, "live_timeslice_queue", EXECLISTS, timeslice_queue, NULL},
    {7, "live_timeslice_nopreempt", EXECLISTS, timeslice_nopreempt, NO_POINTS},
    {8, "live_busywait_preempt", EXECLISTS, busywait_preempt, NULL},
    {9, "live_preempt", EXECLISTS, preempt, NULL},
    {9, "live_late_preempt", EXECLISTS, late_preempt, NULL},
    {10, "live_nopreempt", EXECLISTS, nopreempt, NO_POINTS},
    {12, "live_suppress_self_preempt", EXECLISTS, suppress_self_preempt, NULL},
    {13, "live_chain_preempt", EXECLISTS, chain_preempt, NULL},
    {13, "live_preempt_gang", EXECLISTS, preempt_gang, NULL},
    {15, "live_preempt_user", EXECLISTS, preempt_user, NULL},
    {16, "live_virtual_engine", EXECLISTS, virtual_engine, NULL},
    {16, "live_virtual_mask", EXECLISTS, virtual_mask, NULL},
    {16, "live_virtual_preserved", EXECLISTS, virtual_preserved, NULL},
    {16, "live_virtual_slice", EXECLISTS, virtual_slice, NULL},
};

const struct behaviours behaviours_selftests = BEHAVIOURS("6.2", list);
