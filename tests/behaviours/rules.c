/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules that models of i915 are most likely to get wrong
 * (doc/behaviours.md "The table", section 9), in that list's order.
 */
#include <errno.h>

#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* Expects the start of the context's first batch, in microseconds, in a run
 * that is over. */
static void
expect_starts(const struct lab *lab, unsigned context, nsec us)
{
	assert_int_equal(first(lab, context)->start, US(us));
}

/* 1: of two in a slice, or between two slices. */

/* 2 arrives when 1 is at a preemption point. */
static void
equal_never_preempts(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.timeslice_ns = 0;
	lab.config.profile.quantum_ns = 0;
	scene_client(&lab, "P.1.5,P.2.5,1.RCS.10000.0.0,d.200,2.RCS.10.0.0");
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	expect_starts(&lab, 2, 10000);
	assert_int_equal(first(&lab, 1)->preemptions, 0);
	lab_free(&lab);
}

/* -7 is of lower priority, but has its slice; 0 would not wait. */
static void
negative_never_preempts(const char *sched)
{
	struct lab lab;

	scene_run(
	    &lab, sched, "P.1.-7,P.2.-5,1.RCS.900.0.0,d.150,2.RCS.10.0.0");
	expect_starts(&lab, 2, 900);
	lab_free(&lab);

	scene_run(&lab, sched, "P.1.-7,1.RCS.900.0.0,d.150,2.RCS.10.0.0");
	expect_starts(&lab, 2, 200);
	lab_free(&lab);
}

static void
slices_among_equals(const char *sched)
{
	struct lab lab;

	scene_run(
	    &lab, sched, "1.RCS.2500.0.0,2.RCS.2500.0.0,P.3.-5,3.RCS.10.0.0");
	assert_int_equal(first(&lab, 1)->preemptions, 2);
	assert_int_equal(first(&lab, 2)->preemptions, 2);
	expect_starts(&lab, 2, 1000);
	expect_starts(&lab, 3, 5000);
	lab_free(&lab);
}

/* The slice of 1 is over as its batch ends: the waiting context is before its
 * next. */
static void
slice_over_at_the_end(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched, "1.RCS.1000.0.0,1.RCS.100.0.0,2.RCS.100.0.0");
	expect_starts(&lab, 2, 1000);
	assert_int_equal(nth(&lab, 1, 1)->start, US(1100));
	lab_free(&lab);
}

/* The same, where 1 waits for the batch of 2 that ends: 1 is behind nothing
 * then and keeps its place before the next of 2, which goes behind all of 1. */
static void
slice_over_with_waiters(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "2.VCS1.1000.0.0,1.VCS1.100.-1.0,2.VCS1.100.s-1.0,1.VCS1.100.0.0");
	expect_starts(&lab, 1, 1000);
	assert_int_equal(nth(&lab, 1, 1)->start, US(1100));
	assert_int_equal(nth(&lab, 2, 1)->start, US(1200));
	lab_free(&lab);
}

/* 2 arrives before 3 takes the engine from 1, but 1 was there before it. */
static void
preempted_keeps_its_place(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "P.3.5,1.RCS.800.0.0,2.RCS.800.0.0,d.250,3.RCS.100.0.0");
	assert_int_equal(first(&lab, 1)->preemptions, 1);
	assert_int_equal(first(&lab, 1)->end, US(900));
	expect_starts(&lab, 3, 300);
	expect_starts(&lab, 2, 900);
	lab_free(&lab);
}

/* 2: 2 polls on RCS for the end of 1, from 0 on; 3 comes at 500 and need not
 * wait for a preemption point or the end of a slice. */
static void
semaphore_waiters(const char *sched)
{
	const struct hw_engine *rcs;
	struct lab lab;

	scene_run(&lab, sched,
	    "1.BCS.5000.0.0,2.RCS.10.-1.0,P.4.-5,4.RCS.10.0.0,d.499,"
	    "3.RCS.100.0.0");
	rcs = &lab.sim->device.engines[0];
	expect_starts(&lab, 3, 499);
	expect_starts(&lab, 2, 5000);
	/* Lower priorities are kept out. */
	expect_starts(&lab, 4, 5010);
	assert_int_equal(rcs->busy_ns, US(5020));
	assert_int_equal(rcs->sema_ns, US(4900));
	lab_free(&lab);
}

/* 3 */

/* Checks a request that waits on another engine: it is ready at ready_us, with its
 * engine busy for busy_us. */
static void
expect_dependant(const char *sched, int priority, nsec ready_us, nsec busy_us)
{
	struct text t = {0};
	struct lab lab;

	text_addf(&t, "P.2.%d,1.BCS.1000.0.0,2.RCS.10.-1.0", priority);
	scene_run(&lab, sched, text_str(&t));
	assert_int_equal(first(&lab, 2)->ready, US(ready_us));
	expect_starts(&lab, 2, 1000);
	assert_int_equal(lab.sim->device.engines[0].busy_ns, US(busy_us));
	lab_free(&lab);
	text_free(&t);
}

static void
dependants(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched, "1.RCS.1000.0.0,2.RCS.10.-1.0");
	assert_int_equal(first(&lab, 2)->ready, 0);
	expect_starts(&lab, 2, 1000);
	lab_free(&lab);
	expect_dependant(sched, 0, 0, 1010);
	expect_dependant(sched, -1, 1000, 10);
}

static void
dependants_of_guc(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched, "1.RCS.1000.0.0,1.RCS.5.0.0,2.RCS.10.-2.0");
	/* Within a queue the order is enough. */
	assert_int_equal(nth(&lab, 1, 1)->ready, 0);
	assert_int_equal(first(&lab, 2)->ready, US(1000));
	lab_free(&lab);
	expect_dependant(sched, 0, 1000, 10);
	expect_dependant(sched, -1, 1000, 10);
}

/* 4 */

/* The first free engine; when preempted, any engine with room. */
static void
virtual_choice(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "M.1.VCS,B.1,2.VCS1.500.0.0,3.VCS2.300.0.0,1.DEFAULT.10.0.0");
	expect_starts(&lab, 1, 300);
	assert_string_equal(first(&lab, 1)->engine, "VCS2");
	lab_free(&lab);

	scene_run(&lab, sched,
	    "M.1.VCS,B.1,P.2.5,1.DEFAULT.1000.0.0,d.150,2.VCS1.5000.0.0");
	expect_starts(&lab, 1, 0);
	expect_starts(&lab, 2, 200);
	assert_int_equal(first(&lab, 1)->preemptions, 1);
	assert_int_equal(first(&lab, 1)->end, US(1000));
	assert_string_equal(first(&lab, 1)->engine, "VCS2");
	lab_free(&lab);
}

#define TWO_VIRTUAL "M.1.VCS,B.1,1.DEFAULT.100.0.0,1.DEFAULT.100.0.0"

static void
virtual_one_at_a_time(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched, TWO_VIRTUAL);
	assert_int_equal(nth(&lab, 1, 1)->ready, US(100));
	assert_int_equal(nth(&lab, 1, 1)->start, US(100));
	lab_free(&lab);
}

static void
virtual_pipelining(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched, TWO_VIRTUAL);
	assert_int_equal(nth(&lab, 1, 1)->ready, 0);
	assert_int_equal(nth(&lab, 1, 1)->start, US(100));
	lab_free(&lab);
}

/* When it is submitted, the engine that has least to do (section 5.6): so 3 has
 * to wait for VCS1 while VCS2 has nothing more, and 4 finds that. */
static void
early_binding(const char *sched)
{
	static const char *const engines[] = {"VCS1", "VCS2", "VCS1", "VCS2"};
	struct lab lab;

	scene_run(&lab, sched,
	    "M.1.VCS,B.1,M.2.VCS,B.2,M.3.VCS,B.3,M.4.VCS,B.4,"
	    "1.DEFAULT.1000.0.0,2.DEFAULT.100.0.0,3.DEFAULT.10.0.0,"
	    "d.200,4.DEFAULT.10.0.0");
	for (unsigned i = 1; i <= 4; i++)
		assert_string_equal(first(&lab, i)->engine, engines[i - 1]);
	expect_starts(&lab, 2, 0);
	expect_starts(&lab, 3, 1000);
	expect_starts(&lab, 4, 200);
	lab_free(&lab);
}

/* 5 */

/* 1 waits for RCS until 100, and 2 with it, whose engine is free; 3 takes 1 off
 * at 200, and 2 goes on. */
static void
submit_fence(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "P.3.5,4.RCS.100.0.0,1.RCS.1000.0.0,2.BCS.500.s-1.0,d.150,"
	    "3.RCS.1000.0.0");
	expect_starts(&lab, 1, 100);
	expect_starts(&lab, 2, 100);
	expect_starts(&lab, 3, 200);
	assert_int_equal(first(&lab, 1)->preemptions, 1);
	assert_int_equal(first(&lab, 2)->end, US(600));
	assert_int_equal(first(&lab, 1)->end, US(2100));
	lab_free(&lab);
}

/* Weak: it has its turn after a slice, which f-1 would not have. */
static void
submit_fence_is_weak(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched, "1.RCS.3000.0.0,2.RCS.100.s-1.0");
	expect_starts(&lab, 2, 1000);
	lab_free(&lab);
	scene_run(&lab, sched, "1.RCS.3000.0.0,2.RCS.100.f-1.0");
	expect_starts(&lab, 2, 3000);
	lab_free(&lab);
}

/* 6: the set waits for VCS2, though VCS1 is free; 3, of a higher band, and 4,
 * by its fence, wait for all of it. */
static void
parallel_set(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "G.1.VCS1/VCS2,P.3.5,2.VCS2.100.0.0,1.DEFAULT.50/500.0.0,"
	    "4.RCS.1.f-1.0,d.200,3.VCS1.10.0.0");
	for (unsigned row = 0; row < 2; row++) {
		assert_int_equal(nth(&lab, 1, row)->start, US(100));
		assert_int_equal(nth(&lab, 1, row)->end, US(600));
		assert_int_equal(nth(&lab, 1, row)->preemptions, 0);
	}
	expect_starts(&lab, 3, 600);
	expect_starts(&lab, 4, 600);
	lab_free(&lab);
}

/* The set waits for VCS2 until 5000; VCS1, which 3 gives up when its quantum is
 * over, is kept for it, idle: neither 3 nor 4 has that before. */
static void
parallel_set_holds(const char *sched)
{
	const struct hw_engine *vcs1;
	struct lab lab;

	scene_start(&lab, sched,
	    "G.1.VCS1/VCS2,X.2.0,2.VCS2.5000.0.0,3.VCS1.1500.0.0,"
	    "1.DEFAULT.100.0.0,d.2000,4.VCS1.10.0.0");
	lab_run(&lab, US(4999));
	vcs1 = &lab.sim->device.engines[2];
	assert_null(vcs1->running);
	assert_int_equal(hw_engine_busy(vcs1, lab.sim->now), MS(1));
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	expect_starts(&lab, 1, 5000);
	assert_int_equal(first(&lab, 3)->preemptions, 1);
	assert_int_equal(first(&lab, 3)->end, US(5600));
	expect_starts(&lab, 4, 5600);
	lab_free(&lab);
}

/* 7 */

static void
take_timeouts(struct lab *lab, const char *name)
{
	struct text err = {0};
	struct profile p;

	assert_true(profile_load(&p, name, &err));
	lab->config.profile.timeslice_ns = p.timeslice_ns;
	lab->config.profile.quantum_ns = p.quantum_ns;
	lab->config.profile.preempt_timeout_ns = p.preempt_timeout_ns;
	lab->config.profile.preempt_timeout_compute_ns =
	    p.preempt_timeout_compute_ns;
	lab->config.profile.heartbeat_ns = p.heartbeat_ns;
	lab->config.profile.request_timeout_ns = p.request_timeout_ns;
	text_free(&err);
}

/* When a hog of that engine is ended: one without points, beside an equal that
 * comes at once; or one that is alone, with points. */
static void
expect_hog(const char *sched, const char *profile, const char *engine,
    bool contended, nsec end_ns)
{
	struct text t = {0};
	struct lab lab;

	lab_init(&lab, sched);
	take_timeouts(&lab, profile);
	text_addf(&t,
	    contended ? "X.1.0,1.%s.*.0.0,2.%s.10.0.0" : "X.1.150,1.%s.*.0.0",
	    engine, engine);
	scene_client(&lab, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, SEC(150));
	assert_int_equal(first(&lab, 1)->end, end_ns);
	if (end_ns == NSEC_NEVER)
		assert_int_equal(lab.hung, 0);
	lab_free(&lab);
	text_free(&t);
}

static void
defaults(const char *sched)
{
	struct profile tgl;
	struct text err = {0};

	assert_true(profile_load(&tgl, "tgl", &err));
	assert_int_equal(tgl.timeslice_ns, MS(1));
	assert_int_equal(tgl.preempt_timeout_ns, MS(640));
	assert_int_equal(tgl.preempt_timeout_compute_ns, MS(7500));
	assert_int_equal(tgl.heartbeat_ns, MS(2500));
	assert_int_equal(tgl.request_timeout_ns, SEC(20));
	text_free(&err);

	expect_hog(sched, "tgl", "BCS", true, MS(641));
	expect_hog(sched, "skl-gt2", "RCS", true, MS(641));
	/* With points it answers all pulses, and the watchdog ends it, at the
	 * next one. */
	expect_hog(sched, "tgl", "BCS", false, SEC(20) + US(100));
}

/* A slice of 1 ms, and then 7.5 s. */
static void
defaults_of_compute(const char *sched)
{
	expect_hog(sched, "tgl", "RCS", true, MS(7501));
	expect_hog(sched, "tgl", "CCS", true, MS(7501));
}

static void
zero_disables(const char *sched)
{
	expect_hog(sched, "ideal", "RCS", true, NSEC_NEVER);
	expect_hog(sched, "ideal", "BCS", false, NSEC_NEVER);
}

/* 8 */

/* Three hangs ban the context, not its neighbour, who is hit by none; two such
 * contexts ban the client. */
static void
guilt(const char *sched)
{
	const struct client *c;
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab_add(&lab, "X.1.0,1.BCS.*.0.0,P.2.5,2.BCS.10.0.1", 1,
	    (struct client_options){.repeat = 4});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	c = lab.sim->clients[0];
	assert_int_equal(lab.hung, 3);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(nth(&lab, 1, i)->error, -EIO);
		assert_int_equal(nth(&lab, 2, i)->error, 0);
	}
	assert_int_equal(nth(&lab, 1, 3)->run, 0);
	assert_int_equal(c->contexts[0]->ban.guilty, 3);
	assert_true(c->contexts[0]->ban.banned);
	assert_int_equal(c->contexts[1]->ban.guilty, 0);
	assert_false(c->ban.banned);
	lab_free(&lab);
}

/* 1 for each hang soon after another, 3 for each ban: 9 or more. */
static void
client_score(const char *sched)
{
	const struct client *c;
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab_add(&lab,
	    "X.1.0,1.BCS.*.0.0,P.2.5,2.BCS.10.0.1,"
	    "X.3.0,3.BCS.*.0.0,2.BCS.10.0.1",
	    1, (struct client_options){.repeat = 3});
	while (lab.hung < 5)
		lab_step(lab.sim, SIM_STEP_BATCH);
	c = lab.sim->clients[0];
	assert_int_equal(c->ban.score, 4 + 3);
	assert_false(c->ban.banned);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.hung, 6);
	assert_int_equal(c->ban.score, 5 + 6);
	assert_true(c->ban.banned);
	lab_free(&lab);
}

/* The engine still switches to it, which takes 1 s. */
static void
not_started(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab.config.profile.context_switch_ns = SEC(1);
	scene_client(&lab, "1.BCS.10.0.0,d.1000,P.2.5,2.BCS.10.0.0");
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.hung, 1);
	assert_false(lab.hang.guilty);
	assert_int_equal(first(&lab, 1)->error, 0);
	assert_int_equal(first(&lab, 1)->run, US(10));
	assert_int_equal(lab.sim->clients[0]->contexts[0]->ban.guilty, 0);
	lab_free(&lab);
}

/* 9: submitted lowest first, while another has the engine; each starts as the
 * n-th after it. */
static void
expect_order(const char *sched, const unsigned places[6])
{
	struct lab lab;

	scene_run(&lab, sched,
	    "P.9.1023,X.9.0,9.RCS.1000.0.0,"
	    "P.1.-500,P.2.-5,P.3.0,P.4.0,P.5.5,P.6.500,"
	    "1.RCS.10.0.0,2.RCS.10.0.0,3.RCS.10.0.0,4.RCS.10.0.0,"
	    "5.RCS.10.0.0,6.RCS.10.0.0");
	for (unsigned i = 0; i < 6; i++)
		expect_starts(&lab, i + 1, 1000 + 10 * places[i]);
	lab_free(&lab);
}

static void
three_bands(const char *sched)
{
	expect_order(sched, (const unsigned[]){4, 5, 2, 3, 0, 1});
}

static void
each_priority(const char *sched)
{
	expect_order(sched, (const unsigned[]){5, 4, 2, 3, 1, 0});
}

/* 10: RCS polls from 1 ms on for so long, and runs 10 us. */
static void
expect_sema(const char *sched, nsec poll_us, nsec pmu_ms)
{
	const struct hw_engine *rcs;
	struct text t = {0};
	struct lab lab;

	text_addf(&t, "d.1000,1.BCS.%llu.0.0,2.RCS.10.-1.0",
	    (unsigned long long)poll_us);
	scene_run(&lab, sched, text_str(&t));
	rcs = &lab.sim->device.engines[0];
	assert_int_equal(hw_engine_busy(rcs, lab.sim->now), US(poll_us + 10));
	assert_int_equal(hw_engine_sema(rcs, lab.sim->now), US(poll_us));
	assert_int_equal(hw_engine_pmu_sema(rcs, lab.sim->now), MS(pmu_ms));
	lab_free(&lab);
	text_free(&t);
}

static void
sema_is_sampled(const char *sched)
{
	expect_sema(sched, 3900, 0);
	expect_sema(sched, 4100, 5);
	expect_sema(sched, 11000, 10);
}

static const struct behaviour list[] = {
    {1, "equal priority never preempts", PREEMPTIVE, equal_never_preempts,
	NULL},
    {1, "a negative one preempts nothing", PREEMPTIVE, negative_never_preempts,
	NULL},
    {1, "slices rotate only among equals", PREEMPTIVE, slices_among_equals,
	NULL},
    {1, "a slice that is over as its batch ends", PREEMPTIVE,
	slice_over_at_the_end, NULL},
    {1, "a slice that is over as its batch ends: who waited for it", EXECLISTS,
	slice_over_with_waiters,
	ONLY(
	    "the next of a queue of guc is ready at once, who waits at the end")},
    {1, "a preempted one stays before later equals", PREEMPTIVE,
	preempted_keeps_its_place, NULL},
    {2, "semaphore waiters hold their engine, busy, and yield it", EXECLISTS,
	semaphore_waiters, NULL},
    {3, "dependants are queued, poll, or wait: execlists", EXECLISTS,
	dependants, NULL},
    {3, "dependants are queued, poll, or wait: guc", GUC, dependants_of_guc,
	NULL},
    {4, "virtual engine: any sibling, late, moves", PREEMPTIVE, virtual_choice,
	NULL},
    {4, "virtual engine: one ready request at a time", EXECLISTS,
	virtual_one_at_a_time, NULL},
    {4, "virtual engine: pipelining under guc", GUC, virtual_pipelining, NULL},
    {4, "balanced entity of drm: early, to the lowest score", DRM,
	early_binding, NULL},
    {5, "submit fence: together, not rolled back", PREEMPTIVE, submit_fence,
	NULL},
    {5, "submit fence: weak for slices", PREEMPTIVE, submit_fence_is_weak,
	NULL},
    {6, "parallel: all or nothing, no preemption, one fence", GUC, parallel_set,
	NULL},
    {6, "parallel: a waiting set keeps the engines that it could have", GUC,
	parallel_set_holds, NULL},
    {7, "defaults: 1 ms, 640 ms, 2.5 s, 20 s", PREEMPTIVE, defaults, NULL},
    {7, "defaults: 7.5 s on RCS and CCS of gen12", PREEMPTIVE,
	defaults_of_compute, NULL},
    {7, "defaults: zero disables", PREEMPTIVE, zero_disables, NULL},
    {8, "guilty: -EIO, third hang, neighbours", PREEMPTIVE, guilt, NULL},
    {8, "guilty: a client's score", PREEMPTIVE, client_score, NULL},
    {8, "guilty: not before it has started", PREEMPTIVE, not_started, NULL},
    {9, "three bands of guc", GUC, three_bands, NULL},
    {9, "each priority of execlists", EXECLISTS, each_priority, NULL},
    {10, "semaphore time is sampled, busy time exact", EXECLISTS,
	sema_is_sampled, NULL},
};

const struct behaviours behaviours_rules = BEHAVIOURS("9", list);
