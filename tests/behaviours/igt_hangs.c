/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IGT's tests of hangs and resets (doc/behaviours.md "The table", section 6.1,
 * rows 12 to 54): which request is ended when and with which status, and that
 * all others go on. */
#include <errno.h>

#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* Hangs beside the work of others. */

static void
preempt_hang(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		struct lab lab;

		lab_init(&lab, sched);
		scene_timeouts(&lab);
		scene_preempt_timeout(&lab, MS(150));
		scene_client_on(&lab,
		    "P.1.-1023,P.2.1023,X.1.0,1.@.*.0.0,d.1000,2.@.10.0.0",
		    ideal_engines[e]);
		lab_run(&lab, SEC(1));
		expect_ended(first(&lab, 1), -EIO);
		expect_ended(first(&lab, 2), 0);
		assert_int_equal(first(&lab, 1)->end, MS(151));
		assert_in_range(first(&lab, 2)->end, MS(151), MS(201));
		assert_int_equal(lab.hung, 1);
		lab_free(&lab);
	}
}

/* The hog of MAX hangs, without preemption points, and the heartbeat finds it.
 * Batches of MIN that it preempted go on where they were. */
static void
preemptive_hang(const char *sched)
{
	enum { SPINNERS = 8 };
	struct text t = {0};
	nsec before[SPINNERS + 1];
	struct lab lab;

	text_adds(&t, "P.9.1023,X.9.0");
	for (unsigned i = 1; i <= SPINNERS; i++)
		text_addf(&t, ",P.%u.-1023,%u.BCS.*.0.0", i, i);
	text_adds(&t, ",d.100000,9.BCS.*.0.0");
	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_client(&lab, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(200));
	assert_in_range(first(&lab, 9)->start, MS(100), MS(100) + US(100));
	for (unsigned i = 1; i <= SPINNERS; i++)
		before[i] = busy_of(&lab, 0, i);
	lab_run(&lab, SEC(10));
	expect_ended(first(&lab, 9), -EIO);
	assert_int_equal(lab.hung, 1);
	for (unsigned i = 1; i <= SPINNERS; i++) {
		assert_true(is_busy(first(&lab, i)));
		assert_true(busy_of(&lab, 0, i) > before[i] + MS(100));
		scene_end(&lab, i);
	}
	scene_go_on(&lab, MS(100));
	for (unsigned i = 1; i <= SPINNERS; i++)
		expect_ended(first(&lab, i), 0);
	lab_free(&lab);
	text_free(&t);
}

/* Fences of the hung request. */

/* A hog and what waits for it: another context on its engine, others on another
 * engine by data and by fence, and a client that waits for its end. */
static void
hang_with_waiters(const char *sched, struct lab *lab, const char *text)
{
	lab_init(lab, sched);
	scene_timeouts(lab);
	/* No polling: all others wait for the fence of the end. */
	lab->config.profile.semaphores = 0;
	scene_client(lab, text);
	scene_clock(lab);
	lab_run(lab, SEC(5));
	assert_true(is_busy(first(lab, 1)));
	lab_run(lab, SEC(10));
	expect_ended(first(lab, 1), -EIO);
	assert_int_equal(lab->hung, 1);
}

static void
busy_hang(const char *sched)
{
	struct lab lab;

	hang_with_waiters(sched, &lab, "X.1.0,1.BCS.*.0.0");
	lab_free(&lab);
}

static void
wait_hang(const char *sched)
{
	struct lab lab;

	hang_with_waiters(sched, &lab, "X.1.0,1.BCS.*.0.0,s.-1,2.VCS1.10.0.0");
	/* Its client was released at once. */
	assert_int_equal(first(&lab, 2)->submit, first(&lab, 1)->end);
	expect_ended(first(&lab, 2), 0);
	lab_free(&lab);
}

static void
await_hang(const char *sched)
{
	struct lab lab;

	hang_with_waiters(sched, &lab,
	    "X.1.0,1.BCS.*.0.0,2.RCS.10.f-1.0,3.VCS1.10.-2.0,4.VCS2.10.f-3.0,"
	    "4.VCS2.10.0.0,5.VECS1.10.-2.0");
	for (unsigned i = 2; i <= 5; i++) {
		assert_true(first(&lab, i)->end >= first(&lab, 1)->end);
		assert_true(
		    first(&lab, i)->end <= first(&lab, 1)->end + US(100));
		/* The status is passed on, and nothing else runs. */
		assert_int_equal(first(&lab, i)->error, -EIO);
		assert_int_equal(first(&lab, i)->run, 0);
	}
	expect_ended(nth(&lab, 4, 1), 0);
	lab_free(&lab);
}

/* Bonds. */

/* The partner runs on VCS2 when its master is taken off VCS1, by one of MAX
 * that hangs there: neither is to blame, and both go on. */
static void
bonded_while_on_its_engine(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_client(&lab,
	    "P.1.1023,X.1.0,2.VCS1.*.0.0,3.VCS2.*.s-1.0,d.1000,1.VCS1.*.0.0");
	scene_clock(&lab);
	lab_run(&lab, SEC(15));
	expect_ended(first(&lab, 1), -EIO);
	assert_int_equal(lab.hung, 1);
	for (unsigned i = 2; i <= 3; i++) {
		assert_true(is_busy(first(&lab, i)));
		scene_end(&lab, i);
	}
	scene_go_on(&lab, MS(1));
	expect_ended(first(&lab, 2), 0);
	expect_ended(first(&lab, 3), 0);
	lab_free(&lab);
}

/* The master waits on VCS1 behind a spinner without points, which is reset; its
 * partner, which has a submit fence on it, has VCS2 to itself. */
static void
bonded_true_hang(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_client(
	    &lab, "X.1.0,1.VCS1.*.0.0,2.VCS1.100.0.0,3.VCS2.100.s-1.0");
	scene_clock(&lab);
	lab_run(&lab, SEC(1));
	expect_ended(first(&lab, 1), -EIO);
	expect_ended(first(&lab, 2), 0);
	expect_ended(first(&lab, 3), 0);
	assert_int_equal(lab.hung, 1);
	lab_free(&lab);

	bonded_while_on_its_engine(sched);
}

/* The spinner is always replaced by another, before it is found to hang. */
static void
bonded_false_hang(const char *sched)
{
	enum { SPINNERS = 40 };
	struct text t = {0};
	struct lab lab;

	text_adds(&t, "P.1.1023,X.1.0");
	for (unsigned i = 0; i < SPINNERS; i++)
		text_adds(&t, ",1.VCS1.500000.0.0");
	text_adds(&t, ",2.VCS1.100.0.0,3.VCS2.100.s-1.0");
	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_client(&lab, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, SEC(19));
	/* No request on VCS2 is found to hang either. */
	assert_int_equal(first(&lab, 2)->start, NSEC_NEVER);
	assert_int_equal(first(&lab, 3)->end, NSEC_NEVER);
	lab_run(&lab, SEC(21));
	assert_int_equal(lab.hung, 0);
	for (size_t i = 0; i < lab.n_rows; i++)
		expect_ended(&lab.rows[i], 0);
	lab_free(&lab);
	text_free(&t);
}

/* Files in sysfs are keys of a profile. */

/* Runs the check on each engine, where a switch and a reset take time. */
static void
on_each_engine(const char *sched,
    void (*check)(const char *sched, const char *profile, const char *engine))
{
	static const char *const profiles[] = {
	    "ideal", "skl-gt4", "tgl", "dg1"};

	for (unsigned i = 0; i < sizeof profiles / sizeof *profiles; i++) {
		struct text err = {0};
		struct profile profile;
		struct device dev;

		assert_true(profile_load(&profile, profiles[i], &err));
		device_init(&dev, &profile);
		for (unsigned e = 0; e < dev.n_engines; e++)
			check(sched, profiles[i], dev.engines[e].name);
	}
}

static void
init_profile(struct lab *lab, const char *sched, const char *profile)
{
	struct text err = {0};

	lab_init(lab, sched);
	assert_true(profile_load(&lab->config.profile, profile, &err));
}

static const unsigned delays_ms[] = {1, 50, 100, 500};
#define N_DELAYS (sizeof delays_ms / sizeof *delays_ms)

static void
preempt_timeout_on(const char *sched, const char *profile, const char *engine)
{
	for (unsigned i = 0; i < N_DELAYS; i++) {
		nsec delay = MS(delays_ms[i]), arrival;
		struct lab lab;

		init_profile(&lab, sched, profile);
		scene_preempt_timeout(&lab, delay);
		scene_client_on(&lab,
		    "P.1.-1023,P.2.1023,X.1.0,1.@.*.0.0,d.1000,2.@.10.0.0",
		    engine);
		lab_run(&lab, SEC(1));
		arrival = first(&lab, 2)->submit;
		expect_ended(first(&lab, 1), -EIO);
		assert_in_range(first(&lab, 1)->end, arrival + delay,
		    arrival + delay + MS(50) - 1);
		expect_ended(first(&lab, 2), 0);
		assert_true(first(&lab, 2)->end < arrival + delay + MS(50));
		lab_free(&lab);
	}
}

static void
preempt_timeout(const char *sched)
{
	on_each_engine(sched, preempt_timeout_on);
}

static void
preempt_timeout_off(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_preempt_timeout(&lab, 0);
	lab.config.profile.heartbeat_ns = 0;
	scene_client_on(&lab,
	    "P.1.-1023,P.2.1023,X.1.0,1.@.*.0.0,d.1000,2.@.10.0.0", "BCS");
	lab_run(&lab, SEC(150));
	assert_true(is_busy(first(&lab, 1)));
	assert_int_equal(first(&lab, 2)->start, NSEC_NEVER);
	scene_end(&lab, 1);
	scene_go_on(&lab, MS(1));
	expect_ended(first(&lab, 1), 0);
	expect_ended(first(&lab, 2), 0);
	lab_free(&lab);
}

/* A hog that is alone is found within limit, and not before the second beat:
 * the first pulse has the lowest priority. */
static void
heartbeat_finds(struct lab *lab, const char *engine, nsec interval, nsec limit)
{
	const struct lab_row *row;

	lab->config.profile.heartbeat_ns = interval;
	scene_client_on(lab, "X.1.0,1.@.*.0.0", engine);
	lab_run(lab, 6 * interval + SEC(1));
	row = first(lab, 1);
	expect_ended(row, -EIO);
	assert_in_range(row->end - row->submit, 2 * interval, limit - 1);
	assert_int_equal(lab->hung, 1);
}

static void
heartbeat_precise_on(const char *sched, const char *profile, const char *engine)
{
	for (unsigned i = 0; i < N_DELAYS; i++) {
		nsec interval = MS(delays_ms[i]);
		struct lab lab;

		init_profile(&lab, sched, profile);
		scene_preempt_timeout(&lab, MS(1));
		heartbeat_finds(&lab, engine, interval, 3 * interval + MS(150));
		lab_free(&lab);
	}
}

static void
heartbeat_precise(const char *sched)
{
	on_each_engine(sched, heartbeat_precise_on);
}

static void
heartbeat_nopreempt_on(
    const char *sched, const char *profile, const char *engine)
{
	for (unsigned i = 0; i < N_DELAYS; i++) {
		nsec interval = MS(delays_ms[i]);
		struct lab lab;

		init_profile(&lab, sched, profile);
		scene_preempt_timeout(&lab, 0);
		heartbeat_finds(&lab, engine, interval, 5 * interval + MS(500));
		assert_int_equal(lab.hang.cause, HANG_HEARTBEAT);
		lab_free(&lab);
	}
}

static void
heartbeat_nopreempt(const char *sched)
{
	on_each_engine(sched, heartbeat_nopreempt_on);
}

/* Two clients take turns, for so long: the batches of one are shorter than the
 * interval, those of the other much longer; none has points. Only the others
 * are reset, all of them. */
static void
mixed(const char *sched, nsec interval, unsigned good_us, unsigned bad_us,
    nsec time)
{
	const struct client_options forever = {.repeat = 0};
	unsigned n_good = 0, n_bad = 0;
	struct text good = {0}, bad = {0};
	struct lab lab;

	text_addf(&good, "X.1.0,1.BCS.%u.0.1", good_us);
	text_addf(&bad, "X.2.0,2.BCS.%u.0.1", bad_us);
	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_preempt_timeout(&lab, 0);
	lab.config.profile.heartbeat_ns = interval;
	lab.config.profile.ban_context_ns = 0;
	lab.config.profile.ban_score = 0;
	lab_add(&lab, text_str(&good), 1, forever);
	lab_add(&lab, text_str(&bad), 1, forever);
	lab_run(&lab, time);
	for (size_t i = 0; i < lab.n_rows; i++) {
		const struct lab_row *row = &lab.rows[i];

		if (row->end == NSEC_NEVER)
			continue;
		n_good += row->client == 0;
		n_bad += row->client == 1;
		assert_int_equal(row->error, row->client == 0 ? 0 : -EIO);
	}
	assert_true(n_good > 5);
	assert_true(n_bad > 5);
	assert_int_equal(lab.hung, n_bad);
	lab_free(&lab);
	text_free(&good);
	text_free(&bad);
}

static void
heartbeat_mixed(const char *sched)
{
	mixed(sched, MS(25), 10000, 250000, SEC(5));
}

static void
heartbeat_long(const char *sched)
{
	mixed(sched, MS(5000), 2000000, 60000000, SEC(300));
}

static void
heartbeat_off(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab.config.profile.heartbeat_ns = 0;
	scene_client_on(&lab, "X.1.0,1.@.*.0.0", "BCS");
	lab_run(&lab, SEC(150));
	assert_true(is_busy(first(&lab, 1)));
	scene_end(&lab, 1);
	scene_go_on(&lab, MS(1));
	expect_ended(first(&lab, 1), 0);
	lab_free(&lab);
}

#define PARTNER_WAITS                                                          \
	INSTEAD(                                                               \
	    "a partner waits for the start of its master, so it is on its engine only from then on; IGT has it there before")

static const struct behaviour list[] = {
    {12, "gem_exec_schedule@preempt-hang", PREEMPTIVE, preempt_hang, NULL},
    {13, "gem_exec_schedule@preemptive-hang", PREEMPTIVE, preemptive_hang,
	NULL},
    {34, "gem_exec_balancer@bonded-true-hang", PREEMPTIVE, bonded_true_hang,
	PARTNER_WAITS},
    {34, "gem_exec_balancer@bonded-false-hang", PREEMPTIVE, bonded_false_hang,
	PARTNER_WAITS},
    {43, "gem_exec_fence@busy-hang", PREEMPTIVE, busy_hang, NULL},
    {43, "gem_exec_fence@wait-hang", PREEMPTIVE, wait_hang, NULL},
    {43, "gem_exec_fence@await-hang", PREEMPTIVE, await_hang, NULL},
    {53, "sysfs_preempt_timeout@timeout", PREEMPTIVE, preempt_timeout, NULL},
    {53, "sysfs_preempt_timeout@off", PREEMPTIVE, preempt_timeout_off, NULL},
    {54, "sysfs_heartbeat_interval@precise", PREEMPTIVE, heartbeat_precise,
	NULL},
    {54, "sysfs_heartbeat_interval@nopreempt", PREEMPTIVE, heartbeat_nopreempt,
	NULL},
    {54, "sysfs_heartbeat_interval@mixed", PREEMPTIVE, heartbeat_mixed, NULL},
    {54, "sysfs_heartbeat_interval@long", PREEMPTIVE, heartbeat_long, NULL},
    {54, "sysfs_heartbeat_interval@off", PREEMPTIVE, heartbeat_off, NULL},
};

const struct behaviours behaviours_igt_hangs = BEHAVIOURS("6.1", list);
