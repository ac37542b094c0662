/* SPDX-License-Identifier: GPL-3.0-or-later */
/* KUnit cases of the DRM GPU scheduler (doc/behaviours.md "The table", section
 * 5.8). Their mock hardware takes any number of jobs at once, unless a case
 * gives a number of credits, and runs them in order: here an engine under `drm`
 * on `ideal`, with that many credits. A job without a duration, which the test
 * completes by advancing the hardware, is a spinner. */
#include <errno.h>

#include "engine/client/control.h"
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

#define NO_LIMIT (1u << 20)

/* A mock scheduler and a client of it. */
static void
mock_hardware(
    struct lab *lab, const char *policy, unsigned credits, const char *text)
{
	lab_init(lab, policy);
	lab->config.profile.ring_credits = credits;
	scene_client(lab, text);
	scene_clock(lab);
}

/* Returns true if the job was put on the ring. */
static bool
is_scheduled(const struct lab *lab, size_t job)
{
	const struct request *rq = request_get(lab->rows[job].request);

	return rq == NULL || fence_signalled(&rq->issued);
}

static bool
is_finished(const struct lab *lab, size_t job)
{
	return lab->rows[job].end != NSEC_NEVER;
}

/* Completes the next n jobs of the hardware; returns how many there were. */
static unsigned
advance(struct lab *lab, unsigned n)
{
	unsigned done = 0;

	while (done < n) {
		struct request *rq = lab->sim->device.engines[0].running;

		if (rq == NULL)
			break;
		lab_end(lab, rq->observer);
		lab_run(lab, lab->sim->now);
		done++;
	}
	return done;
}

static void
basic_submit(const char *sched)
{
	struct lab lab;

	mock_hardware(&lab, sched, NO_LIMIT, "1.RCS.*.0.0");
	lab_run(&lab, SEC(1));
	assert_true(is_scheduled(&lab, 0));
	scene_go_on(&lab, MS(500));
	assert_false(is_finished(&lab, 0));
	assert_int_equal(advance(&lab, 1), 1);
	assert_true(is_finished(&lab, 0));
	assert_int_equal(lab.rows[0].error, 0);
	lab_free(&lab);
}

/* 100 jobs of 1 ms over the entities; the last one ends in time. */
static void
basic_test(const char *sched, unsigned entities, const char *dependency)
{
	struct text t = {0};
	struct lab lab;

	for (unsigned i = 0; i < 100; i++)
		text_addf(&t, "%s%u.RCS.1000.%s.0", i > 0 ? "," : "",
		    i % entities, i > 0 ? dependency : "0");
	mock_hardware(&lab, sched, NO_LIMIT, text_str(&t));
	lab_run(&lab, SEC(1));
	for (size_t i = 0; i < 100; i++) {
		assert_true(is_finished(&lab, i));
		/* The hardware runs them in the order of the calls. */
		assert_int_equal(lab.rows[i].end, MS(i + 1));
	}
	lab_free(&lab);

	text_free(&t);
}

static void
single_entity(const char *sched)
{
	basic_test(sched, 1, "0");
}

static void
chain_in_one_entity(const char *sched)
{
	basic_test(sched, 1, "f-1");
}

static void
independent_entities(const char *sched)
{
	basic_test(sched, 4, "0");
}

static void
dependent_entities(const char *sched)
{
	basic_test(sched, 4, "f-1");
}

static void
parallel_submit(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.ring_credits = NO_LIMIT;
	lab_add(&lab,
	    "1.RCS.*.0.0,1.RCS.*.0.0,1.RCS.*.0.0,1.RCS.*.0.0,"
	    "1.RCS.*.0.0,1.RCS.*.0.0,1.RCS.*.0.0,1.RCS.*.0.0",
	    16, (struct client_options){.repeat = 1});
	scene_clock(&lab);
	lab_run(&lab, SEC(1));
	assert_int_equal(lab.n_rows, 128);
	for (size_t i = 0; i < 128; i++) {
		assert_true(is_scheduled(&lab, i));
		assert_false(is_finished(&lab, i));
	}
	assert_int_equal(advance(&lab, 128), 128);
	assert_int_equal(advance(&lab, 1), 0);
	for (size_t i = 0; i < 128; i++)
		assert_true(is_finished(&lab, i));
	lab_free(&lab);
}

#define WINDOW 8

/* Worker i has 62.5 ms of jobs of 100*(i+1) us, WINDOW of them at a time. */
static void
add_worker(struct lab *lab, unsigned i)
{
	unsigned us = 100 * (i + 1);
	unsigned n = 62500 / us;
	struct text t = {0};

	text_addf(&t, "q.%u", WINDOW);
	for (unsigned k = 0; k < n; k++)
		text_addf(&t, ",1.RCS.%u.0.0", us);
	scene_client(lab, text_str(&t));
	text_free(&t);
}

/* A job is submitted when all but WINDOW of those before it have ended. */
static void
expect_window(const struct lab *lab, unsigned worker)
{
	const struct lab_row *window[WINDOW + 1] = {0};
	size_t n = 0;

	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *job = &lab->rows[i];
		const struct lab_row **before = &window[n % (WINDOW + 1)];

		if (job->client != worker)
			continue;
		if (n++ > WINDOW)
			assert_true((*before)->end <= job->submit);
		*before = job;
	}
	assert_true(n > WINDOW);
}

static void
interleaved_submit(const char *sched)
{
	nsec latest = 0, work = 0;
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.ring_credits = NO_LIMIT;
	for (unsigned i = 0; i < 16; i++)
		add_worker(&lab, i);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	for (size_t i = 0; i < lab.n_rows; i++) {
		const struct lab_row *job = &lab.rows[i];

		assert_true(is_finished(&lab, i));
		if (job->end - job->submit > latest)
			latest = job->end - job->submit;
		work += job->run;
	}
	assert_true(latest <= SEC(2));
	assert_true(lab.sim->now <= SEC(1));
	/* The hardware is busy until all jobs are done. */
	assert_int_equal(lab.sim->now, work);
	for (unsigned i = 0; i < 16; i++)
		expect_window(&lab, i);
	lab_free(&lab);
}

/* The sum of the ends of a context's jobs. */
static nsec
sum_of_ends(const struct lab *lab, unsigned context)
{
	nsec sum = 0;

	for (size_t i = 0; i < lab->n_rows; i++) {
		if (lab->rows[i].context == context)
			sum += lab->rows[i].end;
	}
	return sum;
}

/* KERNEL is never used by clients (doc/model/drm.md "Entities and levels"):
 * three levels. KUnit, whose hardware takes all jobs at once, asks for no
 * order; with one credit there is one: HIGH (1) before NORMAL (2) before LOW
 * (3), by far. */
static void
priorities(const char *sched)
{
	static const unsigned credits[] = {NO_LIMIT, 1};

	for (unsigned i = 0; i < 2; i++) {
		struct text t = {0};
		struct lab lab;

		text_adds(&t, "P.1.1,P.3.-1");
		for (unsigned k = 0; k < 99; k++)
			text_addf(&t, ",%u.RCS.1000.0.0", 1 + k % 3);
		mock_hardware(&lab, sched, credits[i], text_str(&t));
		lab_run(&lab, SEC(1));
		for (size_t k = 0; k < 99; k++)
			assert_true(is_finished(&lab, k));
		for (unsigned c = 1; credits[i] == 1 && c < 3; c++)
			assert_true(sum_of_ends(&lab, c) + MS(33 * 10) <
			    sum_of_ends(&lab, c + 1));
		lab_free(&lab);
		text_free(&t);
	}
}

/* Returns false if it came too late: the client has submitted all. */
static bool
control(struct lab *lab, struct control control)
{
	struct text err = {0};
	bool ok = sim_control(lab->sim, &control, &err);

	if (!ok && strstr(text_str(&err), "has ended") == NULL &&
	    strstr(text_str(&err), "last iteration") == NULL)
		fail_msg("%s", text_str(&err));
	text_free(&err);
	return ok;
}

/* The client's entities go while half of its jobs are queued: each of those
 * ends with -ESRCH (section 5.4), the one that runs with an error, and the
 * hardware is another client's. */
static void
entity_cleanup(const char *sched)
{
	struct text t = {0};
	struct lab lab;

	for (unsigned i = 0; i < 100; i++)
		text_addf(&t, "%s%u.RCS.1000.%s.0", i > 0 ? "," : "", 1 + i % 4,
		    i > 0 ? "f-1" : "0");
	lab_init(&lab, sched);
	scene_client(&lab, text_str(&t));
	scene_clock(&lab);
	lab_run(&lab, MS(50.5));
	assert_true(is_finished(&lab, 49));
	assert_true(
	    control(&lab, (struct control){.kind = CONTROL_KILL, .client = 0}));
	lab_run(&lab, MS(51));
	assert_int_equal(lab.rows[50].error, -EIO);
	for (size_t i = 0; i < 100; i++) {
		assert_true(is_finished(&lab, i));
		assert_true(is_scheduled(&lab, i));
		if (i != 50)
			assert_int_equal(
			    lab.rows[i].error, i < 50 ? 0 : -ESRCH);
	}
	scene_client(&lab, "1.RCS.1000.0.0");
	scene_go_on(&lab, MS(1));
	assert_int_equal(lab.rows[100].end, MS(52));
	assert_int_equal(lab.rows[100].error, 0);
	lab_free(&lab);
	text_free(&t);
}

/* The job times out after 200 ms, and ends with an error. */
static void
timeout(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.ring_credits = NO_LIMIT;
	lab.config.profile.job_timeout_ns = MS(200);
	scene_client(&lab, "1.RCS.*.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(100));
	assert_true(is_scheduled(&lab, 0));
	assert_false(is_finished(&lab, 0));
	assert_int_equal(lab.hung, 0);
	lab_run(&lab, MS(300));
	assert_int_equal(lab.hung, 1);
	assert_int_equal(lab.rows[0].error, -ETIMEDOUT);
	assert_int_equal(advance(&lab, 1), 0);
	lab_free(&lab);
}

/* A timeout that does not end the job (KUnit: its driver says that there is no
 * hang; here: its karma is within the limit): it goes on, to its end. */
static void
skip_reset(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.ring_credits = NO_LIMIT;
	lab.config.profile.job_timeout_ns = MS(200);
	lab.config.profile.hang_limit = 2;
	scene_client(&lab, "1.RCS.*.0.0");
	scene_clock(&lab);
	lab_run(&lab, MS(400));
	assert_true(lab.hung >= 1);
	assert_false(is_finished(&lab, 0));
	assert_int_equal(advance(&lab, 1), 1);
	assert_true(is_finished(&lab, 0));
	assert_int_equal(lab.rows[0].error, 0);
	lab_free(&lab);
}

/* 1000 jobs of 1 ms of four entities, whose priorities go round every 200 to
 * 500 us, to the end. */
static void
change_priority(const char *sched)
{
	static const int levels[] = {1, 0, -1};
	struct text t = {0};
	unsigned changes = 0;
	struct lab lab;

	text_adds(&t, "q.16");
	for (unsigned i = 0; i < 1000; i++)
		text_addf(&t, ",%u.RCS.1000.0.0", 1 + i % 4);
	scene_start(&lab, sched, text_str(&t));
	for (unsigned i = 0; lab.sim->state == SIM_RUNNING; i++) {
		assert_true(lab.sim->now < SEC(2));
		sim_run(lab.sim, lab.sim->now + US(200 + i * 7 % 301), 0);
		changes += control(&lab,
		    (struct control){.kind = CONTROL_PRIORITY,
			.context = 1 + i % 4,
			.value = levels[i / 4 % 3]});
	}
	assert_true(changes > 2000);
	assert_int_equal(lab.sim->state, SIM_DONE);
	assert_int_equal(lab.sim->n_ended_requests, 1000);
	assert_int_equal(lab.sim->device.engines[0].busy_ns, SEC(1));
	lab_free(&lab);
	text_free(&t);
}

/* 13 entities on three engines, with 1000 jobs of 1 ms between them; every 200
 * to 500 us one of them may use other engines than before. */
static void
modify_sched(const char *sched)
{
	static const char *const maps[] = {"VCS1", "VCS2|VCS3", "VCS3", "VCS",
	    "VCS1|VCS2", "VCS2", "VCS1|VCS3"};
	struct program *programs[7];
	unsigned changes = 0;
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.n_engines[CLASS_VCS] = 3;
	for (unsigned i = 0; i < 7; i++) {
		struct text t = {0};

		text_addf(&t, "M.1.%s,B.1,1.DEFAULT.1000.0.0,t.4", maps[i]);
		programs[i] = lab_compile(&lab, text_str(&t));
		assert_non_null(programs[i]);
		text_free(&t);
	}
	lab_add(&lab, "M.1.VCS,B.1,1.DEFAULT.1000.0.0,t.4", 13,
	    (struct client_options){.repeat = 77});
	for (unsigned i = 0; lab.sim->state == SIM_RUNNING; i++) {
		assert_true(lab.sim->now < SEC(2));
		sim_run(lab.sim, lab.sim->now + US(200 + i * 7 % 301), 0);
		changes += control(&lab,
		    (struct control){.kind = CONTROL_SWAP,
			.client = i % 13,
			.program = programs[i % 7]});
	}
	assert_int_equal(lab.sim->state, SIM_DONE);
	assert_int_equal(lab.sim->n_ended_requests, 13 * 77);
	assert_true(changes > 500);
	for (unsigned i = 0; i < 7; i++)
		program_free(programs[i]);
	lab_free(&lab);
}

static void
credits(const char *sched)
{
	struct lab lab;

	mock_hardware(&lab, sched, 1, "1.RCS.*.0.0,1.RCS.*.0.0");
	lab_run(&lab, SEC(1));
	assert_true(is_scheduled(&lab, 0));
	scene_go_on(&lab, SEC(1));
	assert_false(is_scheduled(&lab, 1));
	assert_int_equal(advance(&lab, 1), 1);
	assert_true(is_finished(&lab, 0));
	assert_true(is_scheduled(&lab, 1));
	assert_false(is_finished(&lab, 1));
	assert_int_equal(advance(&lab, 1), 1);
	assert_true(is_finished(&lab, 1));
	lab_free(&lab);

	/* Two are there again when what had them has ended. */
	mock_hardware(&lab, sched, 2,
	    "1.RCS.10.0.0,1.RCS.10.0.0,d.1000,1.RCS.*.0.0,1.RCS.*.0.0,"
	    "1.RCS.*.0.0");
	lab_run(&lab, MS(2));
	assert_true(is_scheduled(&lab, 2));
	assert_true(is_scheduled(&lab, 3));
	assert_false(is_scheduled(&lab, 4));
	lab_free(&lab);
}

/* A blocker, and 1000 jobs of 1 ms behind it that are done in time once it is
 * gone. */
static void
overhead(const char *sched, unsigned entities, const char *dependency)
{
	struct text t = {0};

	text_adds(&t, "1.RCS.*.0.0");
	for (unsigned i = 0; i < 1000; i++)
		text_addf(&t, ",%u.RCS.1000.%s.0", 1 + i % entities,
		    i > 0 ? dependency : "0");
	struct lab lab;

	mock_hardware(&lab, sched, 1, text_str(&t));
	lab_run(&lab, SEC(1));
	for (size_t i = 1; i <= 1000; i++)
		assert_false(is_scheduled(&lab, i));
	assert_int_equal(advance(&lab, 1), 1);
	scene_go_on(&lab, SEC(5));
	for (size_t i = 1; i <= 1000; i++) {
		assert_true(is_finished(&lab, i));
		assert_int_equal(lab.rows[i].end, SEC(1) + MS(i));
	}
	lab_free(&lab);

	text_free(&t);
}

static void
queue_overhead(const char *sched)
{
	overhead(sched, 1, "0");
}

static void
ping_pong(const char *sched)
{
	overhead(sched, 2, "f-1");
}

static const struct behaviour list[] = {
    {1, "drm_sched_basic_submit", DRM, basic_submit, NULL},
    {2, "drm_sched_basic_test[single entity]", DRM, single_entity, NULL},
    {3, "drm_sched_basic_test[dependency chain]", DRM, chain_in_one_entity,
	NULL},
    {4, "drm_sched_basic_test[4 independent entities]", DRM,
	independent_entities, NULL},
    {5, "drm_sched_basic_test[4 inter-dependent entities]", DRM,
	dependent_entities, NULL},
    {6, "drm_sched_basic_entity_cleanup", DRM, entity_cleanup, NULL},
    {7, "parallel_submit_test", DRM, parallel_submit, NULL},
    {8, "interleaved_submit_test", DRM, interleaved_submit, NULL},
    {9, "drm_sched_basic_timeout", DRM, timeout, NULL},
    {10, "drm_sched_skip_reset", DRM, skip_reset,
	INSTEAD("karma within the limit for NO_HANG of the driver")},
    {11, "drm_sched_basic_cancel", NULL, NULL,
	NOT_APPLICABLE(
	    "-ECANCELED for what is on the ring when a driver takes its scheduler "
	    "down: those of the model stay")},
    {12, "drm_sched_priorities", DRM, priorities, NULL},
    {13, "drm_sched_change_priority", DRM, change_priority, NULL},
    {14, "drm_sched_test_modify_sched", DRM, modify_sched,
	INSTEAD(
	    "another program, with another map, for another list of schedulers")},
    {15, "drm_sched_test_credits", DRM, credits, NULL},
    {16, "drm_sched_scheduler_queue_overhead", DRM, queue_overhead, NULL},
    {17, "drm_sched_scheduler_ping_pong", DRM, ping_pong, NULL},
};

const struct behaviours behaviours_kunit = BEHAVIOURS("5.8", list);
