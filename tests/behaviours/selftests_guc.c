/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * i915's own tests of its GuC backend (doc/behaviours.md "The table", section
 * 2.9).
 */
#include "engine/sched/sched.h"
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

static const struct client_options once = {.repeat = 1};

/* 480 of the ids are for contexts with one queue each, and all of those run
 * something: the next request waits until the first of them is done, whose id
 * it gets. */
static void
steal_guc_ids(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.guc_ids = 512;
	lab.config.profile.guc_multi_lrc_share = 16;
	lab_add(&lab, "1.VCS1.500.0.1,d.1000000", 1, once);
	lab_add(&lab, "1.VCS2.*.0.0,d.1000000", 479, once);
	lab_add(&lab, "d.1,1.RCS.10.0.0", 1, once);
	lab_run(&lab, US(499));
	assert_int_equal(lab.n_rows, 481);
	assert_int_equal(lab.rows[480].start, NSEC_NEVER);
	assert_int_equal(sched_guc_counters(lab.sim)->waits, 1);
	assert_int_equal(sched_guc_counters(lab.sim)->steals, 0);
	lab_run(&lab, US(600));
	assert_int_equal(lab.rows[480].start, US(500));
	assert_int_equal(lab.rows[480].end, US(510));
	assert_int_equal(sched_guc_counters(lab.sim)->steals, 1);
	assert_int_equal(lab.sim->n_errors, 0);
	lab_free(&lab);
}

/* Expects a parallel set of short batches on that many engines, one of which is
 * in use. */
static void
expect_set(const char *sched, const char *cls, unsigned width)
{
	struct text t = {0};
	struct lab lab;

	lab_init(&lab, sched);
	lab.config.profile.n_engines[CLASS_VCS] = 8;
	lab.config.profile.n_engines[CLASS_VECS] = 4;
	text_adds(&t, "G.1.");
	for (unsigned i = 1; i <= width; i++)
		text_addf(&t, "%s%s%u", i > 1 ? "/" : "", cls, i);
	text_adds(&t, ",2.");
	text_addf(&t, "%s%u.100.0.0,1.DEFAULT.1.0.1", cls, width);
	scene_client(&lab, text_str(&t));
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.n_rows, 1 + width);
	for (unsigned i = 0; i < width; i++) {
		assert_int_equal(nth(&lab, 1, i)->start, US(100));
		assert_int_equal(nth(&lab, 1, i)->end, US(101));
		assert_int_equal(nth(&lab, 1, i)->error, 0);
	}
	lab_free(&lab);
	text_free(&t);
}

static void
multi_lrc_basic(const char *sched)
{
	for (unsigned width = 2; width <= 8; width++)
		expect_set(sched, "VCS", width);
	for (unsigned width = 2; width <= 4; width++)
		expect_set(sched, "VECS", width);
}

/* GuC does nothing about a hog: the heartbeat finds it at the fifth beat, the
 * GPU is reset, and requests that come then run. */
static void
hang_guc(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_preempt_timeout(&lab, 0);
	scene_client(&lab, "X.1.0,1.BCS.*.0.1,2.BCS.10.0.1,3.RCS.10.0.1");
	scene_clock(&lab);
	lab_run(&lab, MS(12499));
	assert_int_equal(lab.hung, 0);
	lab_run(&lab, SEC(13));
	assert_int_equal(lab.hung, 1);
	assert_int_equal(lab.hang.cause, HANG_HEARTBEAT);
	assert_int_equal(lab.hang.scope, RESET_FULL);
	for (unsigned c = 2; c <= 3; c++) {
		assert_true(first(&lab, c)->end < SEC(13));
		assert_int_equal(first(&lab, c)->error, 0);
	}
	lab_free(&lab);
}

static const struct behaviour list[] = {
    {1, "intel_guc_scrub_ctbs", NULL, NULL,
	NOT_APPLICABLE(
	    "replies that get lost between GuC and i915: modelled messages do not")},
    {2, "intel_guc_steal_guc_ids", GUC, steal_guc_ids, NULL},
    {3, "intel_guc_fast_request", NULL, NULL,
	NOT_APPLICABLE(
	    "messages to GuC that are wrong: the model sends none that could be")},
    {4, "multi_lrc_basic", GUC, multi_lrc_basic, NULL},
    {5, "hang_guc", GUC, hang_guc, NULL},
};

const struct behaviours behaviours_selftests_guc = BEHAVIOURS("2.9", list);
