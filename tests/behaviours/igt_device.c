/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IGT's tests of context parameters, of files in sysfs (here: keys of a
 * profile) and of the counters of engine time (doc/behaviours.md "The table",
 * section 6.1, rows 50 to 52, 60 and 61). */
#include <errno.h>

#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* Slice masks: zero and slices that are not there (section 4.1). */
static void
sseu_invalid(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	expect_refused(&lab, "S.1.0,1.RCS.10.0.0", "slice mask '0'");
	expect_refused(&lab, "S.1.8,1.RCS.10.0.0", "slice mask 8");
	expect_refused(&lab, "S.1.x,1.RCS.10.0.0", "x");
	expect_refused(&lab, "S.1,1.RCS.10.0.0", "S.ctx.mask");
	for (int mask = 1; mask <= 7; mask++) {
		struct text t = {0};

		text_addf(&t, "S.1.%d,1.RCS.10.0.0", mask);
		expect_taken(&lab, text_str(&t));
		text_free(&t);
	}
	expect_taken(&lab, "S.1.-1,1.RCS.10.0.0");
	lab_free(&lab);
}

/* A switch of slices costs on the engines that have slices, and on no other:
 * between contexts whose masks differ, and not between those that agree. */
static void
sseu_engines(const char *sched)
{
	for (unsigned i = 0; i < N_ENGINES; i++) {
		bool has_slices = i == 0 || i == N_ENGINES - 1;
		struct text t = {0};
		struct lab lab;

		text_addf(&t,
		    "S.2.1,1.%s.10.0.0,2.%s.10.0.0,3.%s.10.0.0,"
		    "4.%s.10.0.0",
		    ideal_engines[i], ideal_engines[i], ideal_engines[i],
		    ideal_engines[i]);
		lab_init(&lab, sched);
		lab.config.profile.sseu_ns = US(50);
		scene_client(&lab, text_str(&t));
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		assert_int_equal(lab.sim->now, US(40 + (has_slices ? 100 : 0)));
		assert_int_equal(first(&lab, 4)->start, first(&lab, 3)->end);
		lab_free(&lab);
		text_free(&t);
	}
}

static void
priority_range(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	for (int p = -1023; p <= 1023; p++) {
		struct text t = {0};

		text_addf(&t, "P.1.%d", p);
		expect_taken(&lab, text_str(&t));
		text_free(&t);
	}
	expect_refused(&lab, "P.1.1024", "expected -1023 to 1023");
	expect_refused(&lab, "P.1.-1024", "expected -1023 to 1023");
	expect_refused(&lab, "P.1.2147483647", "expected -1023 to 1023");
	expect_refused(&lab, "P.1.-2147483648", "expected -1023 to 1023");
	lab_free(&lab);

	/* The ends of the range count for what they are, lowest first here. */
	scene_run(&lab, sched,
	    "X.9.0,9.RCS.1000.0.0,P.1.-1023,P.2.-1022,P.3.1022,P.4.1023,"
	    "1.RCS.10.0.0,2.RCS.10.0.0,3.RCS.10.0.0,4.RCS.10.0.0");
	expect_before(first(&lab, 3), first(&lab, 1));
	expect_before(first(&lab, 4), first(&lab, 2));
	if (strcmp(sched, EXECLISTS) == 0) {
		expect_before(first(&lab, 4), first(&lab, 3));
		expect_before(first(&lab, 2), first(&lab, 1));
	}
	lab_free(&lab);
}

static void
priority_of_new_context(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched, "P.2.5,1.RCS.10.0.0,2.RCS.10.0.0");
	assert_int_equal(lab.sim->clients[0]->contexts[0]->priority, 0);
	assert_int_equal(lab.sim->clients[0]->contexts[1]->priority, 5);
	lab_free(&lab);
}

/* Keys of a profile instead of files in sysfs. */

static bool
set(struct profile *p, const char *section, const char *key, const char *value)
{
	struct text ini = {0}, err = {0};
	bool ok;

	text_addf(&ini, "[%s]\n%s = %s\n", section, key, value);
	ok = profile_parse(p, "test", text_str(&ini), &err);
	assert_true(ok == (err.len == 0));
	text_free(&ini);
	text_free(&err);
	return ok;
}

static void
timeslice_idempotent(const char *sched)
{
	static const char *const values[] = {
	    "0", "1", "1000", "5000", "1000000"};
	struct profile p;

	(void)sched;
	profile_init(&p);
	assert_int_equal(p.timeslice_ns, MS(1));
	for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
		for (unsigned again = 0; again < 2; again++) {
			assert_true(
			    set(&p, "scheduling", "timeslice_us", values[i]));
			assert_int_equal(
			    p.timeslice_ns, US(strtoull(values[i], NULL, 10)));
		}
	}
}

static void
timeslice_invalid(const char *sched)
{
	static const char *const values[] = {"-1", "", "x", "1x", "0x10", "1.5",
	    "18446744073709551615", "99999999999999999999"};
	struct profile p;

	(void)sched;
	profile_init(&p);
	for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
		assert_false(set(&p, "scheduling", "timeslice_us", values[i]));
		assert_int_equal(p.timeslice_ns, MS(1));
	}
}

/* Sets what the file sets: the timeslice, and with GuC the quantum. */
static void
set_slice(struct lab *lab, nsec slice)
{
	lab->config.profile.timeslice_ns = slice;
	lab->config.profile.quantum_ns = slice;
}

/* Two spinners: the second runs after the slice of the first, and the first
 * again after that of the second. */
static void
timeslice_duration(const char *sched)
{
	static const unsigned delays_ms[] = {1, 5, 50, 100, 500};

	for (unsigned i = 0; i < sizeof delays_ms / sizeof *delays_ms; i++) {
		nsec delay = MS(delays_ms[i]), turn, a, b;
		struct lab lab;

		lab_init(&lab, sched);
		set_slice(&lab, delay);
		scene_client(&lab, "1.RCS.*.0.0,2.RCS.*.0.0");
		scene_clock(&lab);
		lab_run(&lab, SEC(2));
		turn = first(&lab, 2)->start;
		assert_true(turn >= delay && turn < delay + MS(50));
		lab_run(&lab, SEC(10));
		a = busy_of(&lab, 0, 1);
		b = busy_of(&lab, 0, 2);
		assert_true((a > b ? a - b : b - a) <= delay);
		/* Nor is a slice shorter. */
		assert_true(
		    lab.sim->device.engines[0].preemptions <= SEC(10) / delay);
		lab_free(&lab);
	}
}

/* A batch without preemption points is found when the slice is over, and a
 * preempt timeout of 1 ms later is reset. */
static void
timeslice_timeout(const char *sched)
{
	static const unsigned delays_ms[] = {1, 50, 100, 500};

	for (unsigned i = 0; i < sizeof delays_ms / sizeof *delays_ms; i++) {
		nsec delay = MS(delays_ms[i]);
		struct lab lab;

		lab_init(&lab, sched);
		scene_timeouts(&lab);
		lab.config.profile.preempt_timeout_compute_ns = MS(1);
		lab.config.profile.heartbeat_ns = 0;
		set_slice(&lab, delay);
		scene_client(&lab, "X.1.0,1.RCS.*.0.0,2.RCS.10.0.0");
		scene_clock(&lab);
		lab_run(&lab, SEC(2));
		expect_ended(first(&lab, 1), -EIO);
		assert_in_range(first(&lab, 1)->end, delay, delay + MS(50) - 1);
		expect_ended(first(&lab, 2), 0);
		lab_free(&lab);
	}
}

static void
timeslice_off(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	set_slice(&lab, 0);
	scene_client(&lab, "1.RCS.*.0.0,2.RCS.*.0.0");
	scene_clock(&lab);
	lab_run(&lab, SEC(150));
	assert_true(is_busy(first(&lab, 1)));
	assert_int_equal(first(&lab, 2)->start, NSEC_NEVER);
	lab_free(&lab);
}

/* Counters. */

static void
expect_share(nsec got, nsec time, unsigned percent)
{
	nsec wanted = time * percent / 100;

	assert_in_range(got, wanted * 95 / 100, wanted * 105 / 100);
}

/* RCS has something that waits behind a cork, BCS had something to do, the
 * others had nothing: all are idle. */
static void
pmu_idle(const char *sched)
{
	struct lab lab;

	scene_start(
	    &lab, sched, "f,1.RCS.10.f-1.0,2.BCS.10.0.0,d.1000000,a.-4");
	lab_run(&lab, MS(500));
	for (unsigned i = 0; i < N_ENGINES; i++)
		assert_int_equal(
		    hw_engine_busy(&lab.sim->device.engines[i], lab.sim->now),
		    i == 1 ? US(10) : 0);
	lab_free(&lab);
}

/* One engine spins: all of its time, nothing of the others. */
static void
pmu_busy(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t, "1.%s.*.0.0", ideal_engines[e]);
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(500));
		for (unsigned i = 0; i < N_ENGINES; i++)
			expect_share(hw_engine_busy(&lab.sim->device.engines[i],
					 lab.sim->now),
			    MS(500), i == e ? 100 : 0);
		scene_end(&lab, 1);
		scene_go_on(&lab, MS(500));
		expect_share(
		    hw_engine_busy(&lab.sim->device.engines[e], lab.sim->now),
		    MS(500), 100);
		lab_free(&lab);
		text_free(&t);
	}
}

/* The given share of each 10 ms: exact, as nothing else takes time. */
static void
pmu_accuracy(const char *sched, unsigned percent)
{
	static const char *const profiles[] = {"ideal", "tgl"};

	for (unsigned p = 0; p < 2; p++) {
		struct text t = {0};
		struct lab lab;
		nsec busy;

		lab_init(&lab, sched);
		assert_true(profile_load(&lab.config.profile, profiles[p], &t));
		text_addf(&t, "1.VCS1.%u.0.0,p.10000", 100 * percent);
		lab_add(&lab, text_str(&t), 1,
		    (struct client_options){.repeat = 1000});
		lab_run(&lab, SEC(2));
		busy = hw_engine_busy(
		    &lab.sim->device.engines[2], lab.sim->now);
		expect_share(busy, SEC(2), percent);
		if (p == 0)
			assert_int_equal(busy, SEC(2) / 100 * percent);
		lab_free(&lab);
		text_free(&t);
	}
}

static void
pmu_accuracy_2(const char *sched)
{
	pmu_accuracy(sched, 2);
}

static void
pmu_accuracy_50(const char *sched)
{
	pmu_accuracy(sched, 50);
}

static void
pmu_accuracy_98(const char *sched)
{
	pmu_accuracy(sched, 98);
}

/* RCS polls for BCS: meanwhile it is busy, and waits for a semaphore;
 * afterwards no longer. */
static void
pmu_semaphore_wait(const char *sched)
{
	const struct hw_engine *e;
	struct lab lab;

	scene_start(&lab, sched, "1.BCS.*.0.0,2.RCS.*.-1.0");
	scene_clock(&lab);
	e = &lab.sim->device.engines[0];
	lab_run(&lab, MS(500));
	expect_share(hw_engine_busy(e, MS(500)), MS(500), 100);
	expect_share(hw_engine_sema(e, MS(500)), MS(500), 100);
	expect_share(hw_engine_pmu_sema(e, MS(500)), MS(500), 100);
	expect_share(hw_engine_sema(&e[1], MS(500)), MS(500), 0);
	scene_end(&lab, 1);
	scene_go_on(&lab, MS(500));
	expect_share(hw_engine_busy(e, SEC(1)), SEC(1), 100);
	expect_share(hw_engine_sema(e, SEC(1)), MS(500), 100);
	expect_share(hw_engine_pmu_sema(e, SEC(1)), MS(500), 100);
	lab_free(&lab);
}

/* Returns the engine time of a client, without that of other clients. */
static nsec
client_time(const struct lab *lab, unsigned client)
{
	const struct client *c = lab->sim->clients[client];
	nsec sum = 0;

	for (uint32_t i = 0; i < c->n_contexts; i++)
		sum += sim_context_busy(lab->sim, c->contexts[i]);
	return sum;
}

static void
fdinfo_busy(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t, "1.%s.*.0.0", ideal_engines[e]);
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(500));
		expect_share(client_time(&lab, 0), MS(500), 100);
		/* When it is idle again, nothing is counted. */
		scene_end(&lab, 1);
		scene_go_on(&lab, MS(500));
		expect_share(client_time(&lab, 0), MS(500), 100);
		lab_free(&lab);
		text_free(&t);
	}
}

static void
fdinfo_busy_all(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	for (unsigned i = 0; i < N_ENGINES; i++)
		text_addf(&t, "%s%u.%s.*.0.0", i > 0 ? "," : "", 1 + i,
		    ideal_engines[i]);
	scene_start(&lab, sched, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(500));
	expect_share(client_time(&lab, 0), MS(500), 100 * N_ENGINES);
	lab_free(&lab);
	text_free(&t);
}

static void
fdinfo_idle(const char *sched)
{
	struct lab lab;

	scene_start(
	    &lab, sched, "f,1.RCS.10.f-1.0,2.BCS.10.0.0,d.1000000,a.-4");
	scene_client(&lab, "d.1000000,1.RCS.10.0.0");
	lab_run(&lab, MS(500));
	assert_int_equal(busy_of(&lab, 0, 1), 0);
	assert_int_equal(busy_of(&lab, 0, 2), US(10));
	assert_int_equal(client_time(&lab, 1), 0);
	lab_free(&lab);
}

/* Wherever the requests of a virtual engine run. */
static void
fdinfo_virtual_busy(const char *sched)
{
	struct lab lab;

	scene_start(&lab, sched,
	    "M.1.VCS,B.1,M.2.VCS,B.2,M.3.VCS,B.3,1.DEFAULT.*.0.0,"
	    "2.DEFAULT.*.0.0,3.DEFAULT.*.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(500));
	expect_share(client_time(&lab, 0), MS(500), 200);
	assert_int_equal(client_time(&lab, 0),
	    hw_engine_busy(&lab.sim->device.engines[2], lab.sim->now) +
		hw_engine_busy(&lab.sim->device.engines[3], lab.sim->now));
	lab_free(&lab);
}

static void
fdinfo_isolation(const char *sched)
{
	struct lab lab;

	scene_start(&lab, sched, "1.RCS.*.0.0");
	scene_client(&lab, "1.BCS.*.0.0,d.200000,T.-2");
	scene_clock(&lab);
	lab_run(&lab, MS(500));
	expect_share(client_time(&lab, 0), MS(500), 100);
	expect_share(client_time(&lab, 1), MS(200), 100);
	assert_int_equal(client_time(&lab, 2), 0);
	lab_free(&lab);
}

static const struct behaviour list[] = {
    {50, "gem_ctx_sseu@invalid-args, invalid-sseu", PREEMPTIVE, sseu_invalid,
	DIAGNOSTICS("a descriptor with such a mask does not compile")},
    {50, "gem_ctx_sseu@engines", PREEMPTIVE, sseu_engines, NULL},
    {50, "gem_ctx_sseu@mmap-args", NULL, NULL,
	NOT_APPLICABLE("arguments in mapped memory: a descriptor is text")},
    {51, "gem_ctx_param@set-priority-range", PREEMPTIVE, priority_range, NULL},
    {51, "gem_ctx_param@get-priority-new-ctx", PREEMPTIVE,
	priority_of_new_context, NULL},
    {51, "gem_ctx_param@set-priority-invalid-size", NULL, NULL,
	NOT_APPLICABLE("the size of a struct: P takes a number")},
    {51, "gem_ctx_param@set-priority-not-supported", NULL, NULL,
	NOT_APPLICABLE(
	    "no modelled GPU is without the PRIORITY capability (section 4.2)")},
    {51, "gem_ctx_param: priority > 0 without CAP_SYS_NICE", NULL, NULL,
	NOT_APPLICABLE("permissions: modelled clients have no users")},
    {52, "sysfs_timeslice_duration@idempotent", PREEMPTIVE,
	timeslice_idempotent, NULL},
    {52, "sysfs_timeslice_duration@invalid", PREEMPTIVE, timeslice_invalid,
	DIAGNOSTICS("a profile with such a value is refused")},
    {52, "sysfs_timeslice_duration@duration", PREEMPTIVE, timeslice_duration,
	NULL},
    {52, "sysfs_timeslice_duration@timeout", PREEMPTIVE, timeslice_timeout,
	NULL},
    {52, "sysfs_timeslice_duration@off", PREEMPTIVE, timeslice_off, NULL},
    {60, "perf_pmu@idle", PREEMPTIVE, pmu_idle, NULL},
    {60, "perf_pmu@busy", PREEMPTIVE, pmu_busy, NULL},
    {60, "perf_pmu@semaphore-wait", EXECLISTS, pmu_semaphore_wait,
	ONLY("guc has no GPU semaphores (section 2.5)")},
    {60, "perf_pmu@busy-accuracy-2", PREEMPTIVE, pmu_accuracy_2, NULL},
    {60, "perf_pmu@busy-accuracy-50", PREEMPTIVE, pmu_accuracy_50, NULL},
    {60, "perf_pmu@busy-accuracy-98", PREEMPTIVE, pmu_accuracy_98, NULL},
    {61, "drm_fdinfo@busy", PREEMPTIVE, fdinfo_busy, NULL},
    {61, "drm_fdinfo@busy-all", PREEMPTIVE, fdinfo_busy_all, NULL},
    {61, "drm_fdinfo@idle", PREEMPTIVE, fdinfo_idle, NULL},
    {61, "drm_fdinfo@virtual-busy", PREEMPTIVE, fdinfo_virtual_busy, NULL},
    {61, "drm_fdinfo@isolation", PREEMPTIVE, fdinfo_isolation, NULL},
};

const struct behaviours behaviours_igt_device = BEHAVIOURS("6.1", list);
