/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IGT's gem_exec_balancer (doc/behaviours.md "The table", section 6.1, rows 25
 * to 41), without parallel slots and closed contexts: contexts that may use
 * several engines of a class. */
#include <errno.h>

#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

#define SIBLINGS 4

/* `ideal` with four video engines. */
static void
wide_device(const char *sched, struct lab *lab)
{
	lab_init(lab, sched);
	lab->config.profile.n_engines[CLASS_VCS] = SIBLINGS;
}

static void
add_balanced(struct text *t, unsigned context)
{
	text_addf(t, "M.%u.VCS,B.%u,", context, context);
}

static void
add_spinners(struct text *t, unsigned from, unsigned to)
{
	for (unsigned i = from; i <= to; i++)
		text_addf(t, "%u.DEFAULT.*.0.0,", i);
}

/* Adds n balanced contexts, from 1, with a spinner each. */
static void
add_balanced_spinners(struct text *t, unsigned n)
{
	for (unsigned i = 1; i <= n; i++)
		add_balanced(t, i);
	add_spinners(t, 1, n);
}

/* Adds the client without the comma at the end, and frees the text. */
static void
add_client(struct lab *lab, struct text *t)
{
	t->data[--t->len] = '\0';
	scene_client(lab, t->data);
	text_free(t);
}

static void
individual(const char *sched)
{
	static const char *const profiles[] = {"ideal", "tgl"};

	for (unsigned p = 0; p < 2; p++) {
		for (unsigned i = 1; i <= 2; i++) {
			struct text t = {0};
			struct lab lab;

			lab_init(&lab, sched);
			assert_true(
			    profile_load(&lab.config.profile, profiles[p], &t));
			text_addf(&t, "M.1.VCS%u,B.1,1.DEFAULT.*.0.0,", i);
			add_client(&lab, &t);
			scene_clock(&lab);
			lab_run(&lab, MS(100));
			assert_true(busy_of(&lab, 0, 1) >= MS(85));
			assert_true(
			    hw_engine_busy(&lab.sim->device.engines[1 + i],
				lab.sim->now) >= MS(85));
			lab_free(&lab);
		}
	}
}

/* Sets the interval of beats: pulses go to all engines, and each answers. */
static void
beats(struct lab *lab, nsec interval)
{
	if (interval > 0)
		scene_timeouts(lab);
	lab->config.profile.heartbeat_ns = interval;
}

static void
fill(const char *sched, nsec interval)
{
	struct text t = {0};
	struct lab lab;

	wide_device(sched, &lab);
	beats(&lab, interval);
	add_balanced_spinners(&t, SIBLINGS);
	add_client(&lab, &t);
	scene_clock(&lab);
	lab_run(&lab, MS(100));
	expect_busy_class(&lab, CLASS_VCS, MS(100));
	assert_int_equal(lab.hung, 0);
	lab_free(&lab);
}

static void
full(const char *sched)
{
	fill(sched, 0);
}

static void
full_pulse(const char *sched)
{
	fill(sched, MS(1));
}

/* One more spinner was first, on one engine, and ends when all are there. */
static void
fill_late(const char *sched, nsec interval)
{
	struct text t = {0};
	struct lab lab;

	wide_device(sched, &lab);
	beats(&lab, interval);
	text_adds(&t, "9.VCS2.*.0.0,");
	add_balanced_spinners(&t, SIBLINGS);
	text_adds(&t, "d.3000,T.-14,");
	add_client(&lab, &t);
	scene_clock(&lab);
	lab_run(&lab, MS(100));
	assert_in_range(first(&lab, 9)->end, MS(3), MS(4));
	expect_busy_class(&lab, CLASS_VCS, MS(100));
	for (unsigned i = 1; i <= SIBLINGS; i++)
		assert_true(is_busy(first(&lab, i)));
	assert_int_equal(lab.hung, 0);
	lab_free(&lab);
}

static void
full_late(const char *sched)
{
	fill_late(sched, 0);
}

static void
full_late_pulse(const char *sched)
{
	fill_late(sched, MS(1));
}

/* A batch of a balanced context runs on one engine of its class, which is busy,
 * and no other is. */
static void
busy(const char *sched)
{
	static const char *const classes[] = {"VCS", "VECS"};

	for (unsigned i = 0; i < 2; i++) {
		struct text t = {0};
		struct lab lab;
		const struct request *rq;

		text_addf(&t, "M.1.%s,B.1,1.DEFAULT.*.0.0", classes[i]);
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(10));
		rq = request_get(first(&lab, 1)->request);
		assert_int_equal(
		    rq->engine->class, i == 0 ? CLASS_VCS : CLASS_VECS);
		assert_int_equal(busy_of(&lab, 0, 1), MS(10));
		for (unsigned k = 0; k < lab.sim->device.n_engines; k++) {
			const struct hw_engine *e = &lab.sim->device.engines[k];

			assert_int_equal(hw_engine_busy(e, lab.sim->now),
			    e == rq->engine ? MS(10) : 0);
		}
		lab_free(&lab);
		text_free(&t);
	}
}

/* The order of the engines in the map does not matter. */
static void
indices(const char *sched)
{
	static const char last[] = "VCS3|VCS1|VCS4|VCS2";
	static const char *const maps[] = {
	    "VCS1|VCS2|VCS3|VCS4", "VCS4|VCS3|VCS2|VCS1", "VCS", last};
	char *rows[4];

	for (unsigned i = 0; i < 4; i++) {
		struct text t = {0};
		struct lab lab;

		wide_device(sched, &lab);
		for (unsigned c = 1; c <= 5; c++)
			text_addf(&t, "M.%u.%s,B.%u,", c, maps[i], c);
		for (unsigned c = 1; c <= 5; c++)
			text_addf(&t, "%u.DEFAULT.%u.0.0,", c, 700 * c);
		add_client(&lab, &t);
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		rows[i] = lab_rows_text(&lab, LAB_ROWS);
		assert_string_equal(rows[i], rows[0]);
		lab_free(&lab);
	}
	for (unsigned i = 0; i < 4; i++)
		free(rows[i]);
}

/* A request of MAX takes one of the engines and never lets it go: it has it at
 * once, and the spinner that was there shares the others. */
static void
hog(const char *sched)
{
	struct text t = {0};
	struct lab lab;
	nsec before[SIBLINGS + 1], sum = 0;

	wide_device(sched, &lab);
	text_adds(&t, "P.9.1023,X.9.0,");
	add_balanced_spinners(&t, SIBLINGS);
	text_adds(&t, "d.20000,9.VCS2.*.0.0,");
	add_client(&lab, &t);
	scene_clock(&lab);
	lab_run(&lab, MS(70));
	assert_true(is_busy(first(&lab, 9)));
	assert_true(first(&lab, 9)->start <= first(&lab, 9)->submit + MS(50));
	for (unsigned i = 1; i <= SIBLINGS; i++)
		before[i] = busy_of(&lab, 0, i);
	scene_go_on(&lab, MS(80));
	for (unsigned i = 1; i <= SIBLINGS; i++) {
		nsec since = busy_of(&lab, 0, i) - before[i];

		assert_in_range(since, MS(30), MS(80));
		sum += since;
	}
	assert_int_equal(sum, MS(80) * (SIBLINGS - 1));
	assert_true(is_busy(first(&lab, 9)));
	lab_free(&lab);
}

/* A virtual request shares VCS1 while VCS2 is taken; when VCS2 is free it is
 * there after its slice, and what depends on it is not before it. */
static void
sliced(const char *sched)
{
	struct lab lab;

	scene_start(&lab, sched,
	    "M.1.VCS,B.1,2.VCS1.*.0.0,3.VCS2.*.0.0,1.DEFAULT.*.0.0,"
	    "4.VCS2.10.-1.0,5.VCS2.10.f-2.0,d.10500,T.-5,d.20000,T.-6");
	scene_clock(&lab);
	/* 2 has VCS1 for itself as soon as 1 has gone to VCS2. */
	lab_run(&lab, MS(12));
	assert_string_equal(
	    request_get(first(&lab, 1)->request)->engine->name, "VCS2");
	lab_run(&lab, SEC(1));
	assert_string_equal(first(&lab, 1)->engine, "VCS2");
	assert_true(first(&lab, 1)->preemptions > 0);
	expect_before(first(&lab, 1), first(&lab, 4));
	expect_before(first(&lab, 1), first(&lab, 5));
	assert_true(is_busy(first(&lab, 2)));
	lab_free(&lab);
}

/* All siblings poll for what is not there yet; a request of MAX runs. */
static void
semaphore(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	wide_device(sched, &lab);
	text_adds(&t, "M.9.VCS,B.9,P.9.1023,8.RCS.*.0.0,");
	for (unsigned i = 1; i <= SIBLINGS; i++)
		text_addf(&t, "%u.VCS%u.*.f-%u.0,", i, i, i);
	text_adds(&t, "d.2000,9.DEFAULT.10.0.0,d.2000,T.-8,");
	add_client(&lab, &t);
	scene_clock(&lab);
	lab_run(&lab, MS(3));
	expect_busy_class(&lab, CLASS_VCS, MS(3));
	assert_int_equal(first(&lab, 9)->end, US(2010));
	for (unsigned i = 1; i <= SIBLINGS; i++)
		assert_int_equal(first(&lab, i)->start, NSEC_NEVER);
	lab_run(&lab, MS(5));
	for (unsigned i = 1; i <= SIBLINGS; i++)
		assert_true(is_busy(first(&lab, i)));
	lab_free(&lab);
}

/*
 * B waits for A, by a fence or on the engine, and B' is tied to the start of
 * B: it never completes before A. All engines, priorities of all kinds, and a
 * busy device, for a second.
 */
static void
bonded(const char *sched, const char *wait, bool noise)
{
	static const int priorities[] = {-1023, 0, 1023};

	for (unsigned i = 0; i < 27; i++) {
		struct text t = {0};
		struct lab lab;
		size_t n;

		wide_device(sched, &lab);
		text_addf(&t, "P.1.%d,P.2.%d,P.3.%d,", priorities[i % 3],
		    priorities[i / 3 % 3], priorities[i / 9]);
		for (unsigned c = 1; c <= 3; c++)
			add_balanced(&t, c);
		if (noise)
			text_adds(&t, "4.VCS1.1-900.0.0,5.VCS3.1-900.0.0,");
		text_addf(&t,
		    "1.VCS1.1-300.0.0,2.VCS2.1-300.%s.0,"
		    "3.DEFAULT.1-100.s-1.1,",
		    wait);
		t.data[--t.len] = '\0';
		lab_add(&lab, t.data, 1, (struct client_options){.repeat = 0});
		text_free(&t);
		lab_run(&lab, SEC(1) / 27);
		n = lab.n_rows;
		assert_true(n > 100);
		for (size_t k = 0; k + 3 <= n; k++) {
			const struct lab_row *a = &lab.rows[k];

			if (a->context == 1 && a[2].end != NSEC_NEVER)
				assert_true(a->end <= a[2].end);
		}
		lab_free(&lab);
	}
}

static void
bonded_chain(const char *sched)
{
	bonded(sched, "f-1", false);
	bonded(sched, "f-1", true);
}

static void
bonded_semaphore(const char *sched)
{
	bonded(sched, "-1", false);
	bonded(sched, "-1", true);
}

/* Pairs tied by submit fences that hand something to each other: both sides
 * have been on an engine before either ends. */
static void
expect_pairs_meet(
    const char *sched, const char *text, unsigned pairs, nsec time)
{
	struct lab lab;

	wide_device(sched, &lab);
	scene_client(&lab, text);
	scene_clock(&lab);
	lab_run(&lab, time);
	for (unsigned i = 1; i <= 2 * pairs; i++)
		scene_end(&lab, i);
	scene_go_on(&lab, time);
	for (unsigned i = 1; i <= 2 * pairs; i += 2) {
		const struct lab_row *a = first(&lab, i);
		const struct lab_row *b = first(&lab, i + 1);

		expect_all_met(&lab, i, i + 1);
		assert_true(b->start >= a->start);
		assert_int_not_equal(a->end, NSEC_NEVER);
		assert_int_not_equal(b->end, NSEC_NEVER);
	}
	lab_free(&lab);
}

static void
bonded_pair(const char *sched)
{
	/* The master's engine decides the partner's. */
	struct lab lab;

	expect_pairs_meet(sched,
	    "M.1.VCS,B.1,M.2.VCS,B.2,b.2.VCS2.VCS1,b.2.VCS1.VCS2,"
	    "1.DEFAULT.*.0.0,2.DEFAULT.*.s-1.0",
	    1, MS(10));
	scene_start(&lab, sched,
	    "M.1.VCS,B.1,M.2.VCS,B.2,b.2.VCS2.VCS1,b.2.VCS1.VCS2,"
	    "1.DEFAULT.100.0.0,2.DEFAULT.100.s-1.0");
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_string_equal(first(&lab, 1)->engine, "VCS1");
	assert_string_equal(first(&lab, 2)->engine, "VCS2");
	assert_int_equal(first(&lab, 2)->start, first(&lab, 1)->start);
	lab_free(&lab);
}

/* Two pairs, on two engines. */
static void
bonded_dual(const char *sched)
{
	expect_pairs_meet(sched,
	    "M.1.VCS1|VCS2,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS2.VCS1,b.2.VCS1.VCS2,"
	    "M.3.VCS1|VCS2,B.3,M.4.VCS1|VCS2,B.4,b.4.VCS2.VCS1,b.4.VCS1.VCS2,"
	    "1.DEFAULT.*.0.0,2.DEFAULT.*.s-1.0,"
	    "3.DEFAULT.*.0.0,4.DEFAULT.*.s-1.0",
	    2, MS(20));
}

/* The same pair again and again, each time one waits for the other. */
static void
bonded_sync(const char *sched)
{
	struct lab lab;

	wide_device(sched, &lab);
	lab_add(&lab,
	    "M.1.VCS,B.1,M.2.VCS,B.2,b.2.VCS2|VCS3|VCS4.VCS1,"
	    "9.VCS2.1-400.0.0,1.DEFAULT.*.0.0,2.DEFAULT.10.s-1.0,s.-1,T.-3,"
	    "s.-4",
	    1, (struct client_options){.repeat = 100});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	for (unsigned i = 0; i < 100; i++) {
		const struct lab_row *a = nth(&lab, 1, i);
		const struct lab_row *b = nth(&lab, 2, i);

		assert_true(b->start >= a->start);
		assert_int_equal(a->end, b->end);
	}
	lab_free(&lab);
}

/* Invalid maps. Unreadable user pointers (-EFAULT) cannot be written in a
 * descriptor. */
static void
invalid_balancer(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	expect_taken(&lab, "M.1.VCS1|VCS2,B.1,1.DEFAULT.1.0.0");
	/* A map with one sibling is a plain engine. */
	expect_taken(&lab, "M.1.VCS2,B.1,1.VCS2.1.0.0");
	expect_refused(&lab, "M.1.VCS1|VCS1,B.1,1.DEFAULT.1.0.0", "twice");
	expect_refused(&lab, "M.1.VCS3,B.1,1.DEFAULT.1.0.0", "no engine");
	expect_refused(&lab, "M.1.,B.1,1.DEFAULT.1.0.0", "engine");
	expect_refused(&lab, "B.1,M.1.VCS,1.DEFAULT.1.0.0", "M.1");
	expect_refused(&lab, "M.1.VCS,1.RCS.1.0.0", "not in the map");
	/* gem_wsim, not the kernel, runs that on the virtual engine. */
	expect_taken(&lab, "M.1.VCS,B.1,1.RCS.1.0.0");
	expect_not_accepted(
	    "drm", "M.1.VCS,B.1,b.1.VCS1.RCS,1.DEFAULT.1.0.0", "bonds");
	lab_free(&lab);
}

static void
invalid_bonds(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	expect_taken(&lab, "M.1.VCS,B.1,b.1.VCS1.RCS,1.DEFAULT.1.0.0");
	expect_refused(&lab, "M.1.VCS,B.1,b.1.VCS1.VCS9", "no engine 'VCS9'");
	expect_refused(&lab, "M.1.VCS,B.1,b.1.VCS9.RCS", "VCS9");
	expect_refused(&lab, "M.1.VCS,B.1,b.1.RCS.BCS", "sibling");
	/* Seed 001's own example names a class as master. */
	expect_taken(&lab, "M.1.VCS,B.1,b.1.VCS1.VCS,1.DEFAULT.1.0.0");
	expect_refused(&lab, "M.1.VCS,B.1,b.1.VCS1.DEFAULT", "DEFAULT");
	expect_refused(&lab, "M.1.VCS,b.1.VCS1.RCS", "load balancing");
	lab_free(&lab);
}

/* One context more than engines; each comes so long after the one before. */
static void
share_fairly(const char *sched, unsigned apart_us)
{
	for (unsigned n = 2; n <= SIBLINGS; n++) {
		struct text t = {0};
		struct lab lab;

		lab_init(&lab, sched);
		lab.config.profile.n_engines[CLASS_VCS] = n;
		for (unsigned i = 1; i <= n + 1; i++) {
			add_balanced(&t, i);
			add_spinners(&t, i, i);
			if (apart_us > 0)
				text_addf(&t, "d.%u,", apart_us);
		}
		add_client(&lab, &t);
		scene_clock(&lab);
		lab_run(&lab, SEC(2));
		expect_fair(&lab, 1, n + 1, SEC(2));
		expect_busy_class(&lab, CLASS_VCS, SEC(2));
		lab_free(&lab);
	}
}

static void
fairslice(const char *sched)
{
	share_fairly(sched, 100);
}

/* All quanta end at one instant. Under guc who is taken off then takes nothing
 * of its band at that instant (doc/model/guc.md "Giving way"): else the first
 * would go on elsewhere each time, and on two engines the others share what is
 * left. */
static void
fairslice_in_step(const char *sched)
{
	share_fairly(sched, 0);
}

/* Each sibling has a hog without points, and behind each, on its timeline, a
 * spinner with points. A request of MAX finds the hogs; the spinners have
 * waited for their ends, and get their status without having run. */
static void
hang(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	wide_device(sched, &lab);
	scene_timeouts(&lab);
	for (unsigned i = 1; i <= SIBLINGS; i++) {
		add_balanced(&t, i);
		text_addf(&t,
		    "X.%u.0,%u.DEFAULT.*.0.0,X.%u.100,%u.DEFAULT.*.0.0,", i, i,
		    i, i);
	}
	text_addf(&t, "P.9.1023,d.1000,");
	for (unsigned i = 1; i <= SIBLINGS; i++)
		text_addf(&t, "9.VCS%u.10.0.0,", i);
	add_client(&lab, &t);
	scene_clock(&lab);
	lab_run(&lab, MS(600));
	for (unsigned i = 1; i <= SIBLINGS; i++)
		assert_true(is_busy(first(&lab, i)));
	lab_run(&lab, SEC(1));
	for (unsigned i = 1; i <= SIBLINGS; i++) {
		expect_ended(nth(&lab, i, 0), -EIO);
		expect_ended(nth(&lab, i, 1), -EIO);
		assert_int_equal(nth(&lab, i, 1)->run, 0);
		assert_true(
		    nth(&lab, i, 1)->end <= nth(&lab, i, 0)->end + MS(2));
		expect_ended(nth(&lab, 9, i - 1), 0);
	}
	assert_int_equal(lab.hung, SIBLINGS);
	lab_free(&lab);
}

#define BONDS_ONLY ONLY("guc refuses bonds (section 1.11)")

static const struct behaviour list[] = {
    {25, "gem_exec_balancer@individual", PREEMPTIVE, individual, NULL},
    {26, "gem_exec_balancer@full", PREEMPTIVE, full, NULL},
    {26, "gem_exec_balancer@full-late", PREEMPTIVE, full_late, NULL},
    {26, "gem_exec_balancer@full-pulse", PREEMPTIVE, full_pulse, NULL},
    {26, "gem_exec_balancer@full-late-pulse", PREEMPTIVE, full_late_pulse,
	NULL},
    {27, "gem_exec_balancer@busy", PREEMPTIVE, busy, NULL},
    {27, "gem_exec_balancer@indices", PREEMPTIVE, indices, NULL},
    {28, "gem_exec_balancer@hog", PREEMPTIVE, hog, NULL},
    {29, "gem_exec_balancer@sliced", PREEMPTIVE, sliced, NULL},
    {30, "gem_exec_balancer@semaphore", EXECLISTS, semaphore,
	INSTEAD(
	    "kernel semaphores for those of user space, which guc does not have (section 2.5)")},
    /* GuC's virtual queues do not wait for the end (section 2.6). */
    {31, "gem_exec_balancer@hang", EXECLISTS, hang,
	ONLY(
	    "a virtual queue of guc does not wait for the end of the request before (section 2.6), so no status is handed on")},
    {32, "gem_exec_balancer@bonded-chain", PREEMPTIVE, bonded_chain, NULL},
    {32, "gem_exec_balancer@bonded-semaphore", PREEMPTIVE, bonded_semaphore,
	INSTEAD(
	    "a wait for data, which polls, for the semaphore of user space")},
    {33, "gem_exec_balancer@bonded-pair", EXECLISTS, bonded_pair, BONDS_ONLY},
    {33, "gem_exec_balancer@bonded-dual", EXECLISTS, bonded_dual, BONDS_ONLY},
    {33, "gem_exec_balancer@bonded-sync", EXECLISTS, bonded_sync, BONDS_ONLY},
    {35, "gem_exec_balancer@invalid-balancer", EXECLISTS, invalid_balancer,
	DIAGNOSTICS("a descriptor with such a map does not compile")},
    {35, "gem_exec_balancer@invalid-bonds", EXECLISTS, invalid_bonds,
	DIAGNOSTICS("a descriptor with such bonds does not compile")},
    {40, "gem_exec_balancer@fairslice", PREEMPTIVE, fairslice, NULL},
    {40, "gem_exec_balancer@fairslice: all at one instant", PREEMPTIVE,
	fairslice_in_step, NULL},
};

const struct behaviours behaviours_igt_balancer = BEHAVIOURS("6.1", list);
