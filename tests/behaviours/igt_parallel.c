/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * IGT's gem_exec_balancer with parallel slots (doc/behaviours.md "The table",
 * section 6.1, rows 36 to 39; doc/model/guc.md "Parallel slots").
 */
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* A device with n video engines. */
static void
video_device(const char *sched, struct lab *lab, unsigned n)
{
	lab_init(lab, sched);
	lab->config.profile.n_engines[CLASS_VCS] = n;
}

/* VCS1/VCS2/... */
static void
add_slot(struct text *t, unsigned context, unsigned width)
{
	text_addf(t, "G.%u.", context);
	for (unsigned i = 1; i <= width; i++)
		text_addf(t, "%sVCS%u", i > 1 ? "/" : "", i);
}

/* All rows of each submission started and ended together. */
static void
expect_together(const struct lab *lab, unsigned width)
{
	assert_int_equal(lab->n_rows % width, 0);
	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *row = &lab->rows[i];
		const struct lab_row *set = &lab->rows[i - i % width];

		assert_int_equal(row->error, 0);
		assert_int_equal(row->start, set->start);
		assert_int_equal(row->end, set->end);
		assert_int_equal(row->preemptions, 0);
	}
}

/* 512 times as many batches as the slot is wide; each counts. */
static void
parallel(const char *sched)
{
	for (unsigned width = 2; width <= 8; width++) {
		struct text t = {0};
		struct lab lab;

		video_device(sched, &lab, 8);
		add_slot(&t, 1, width);
		text_adds(&t, ",1.DEFAULT.10.0.0");
		lab_add(&lab, text_str(&t), 1,
		    (struct client_options){.repeat = 512});
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		assert_int_equal(lab.n_rows, 512 * width);
		assert_int_equal(
		    lab.sim->clients[0]->contexts[0]->batches, 512 * width);
		expect_together(&lab, width);
		lab_free(&lab);
		text_free(&t);
	}
}

/* Invalid slots, and engines without any. */
static void
validity(const char *sched)
{
	static const char *const others[] = {
	    "fifo", "execlists", "drm", "drm:rr", "drm:fair"};
	struct lab lab;

	video_device(sched, &lab, 4);
	expect_taken(&lab, "G.1.VCS1/VCS2,1.DEFAULT.1.0.0");
	expect_taken(&lab, "G.1.VCS1|VCS3/VCS2|VCS4,1.DEFAULT.1.0.0");
	expect_refused(&lab, "M.1.VCS,G.1.VCS1/VCS2", "engine map");
	expect_refused(&lab, "G.1.VCS1/VCS2,G.1.VCS1/VCS2", "parallel slot");
	expect_refused(&lab, "G.1.VCS1", "two rows");
	expect_refused(&lab, "G.1.VCS1/VCS9", "no engine 'VCS9'");
	expect_refused(&lab, "G.1.VCS1|VCS3/VCS2", "expected 2 engines");
	expect_refused(&lab, "G.1.RCS/BCS", "RCS and CCS");
	expect_refused(&lab, "G.1.CCS/VCS1", "RCS and CCS");
	expect_refused(&lab, "G.1.VCS1/VECS2", "one class");
	expect_refused(&lab, "G.1.VCS1/VCS3", "instances plus one");
	expect_refused(&lab, "G.1.VCS1|VCS2/VCS2|VCS4", "instances plus one");
	expect_refused(
	    &lab, "G.1.VCS1/VCS2,1.DEFAULT.1/2/3.0.0", "number of durations 3");
	lab_free(&lab);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		expect_not_accepted(
		    others[i], "G.1.VCS1/VCS2,1.DEFAULT.1.0.0", "guc");
}

/* The fence of a set is signalled when all of it is done. */
static void
out_fence(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "G.1.VCS1/VCS2,1.DEFAULT.100/500.0.0,2.RCS.10.f-1.0,"
	    "3.BCS.10.-2.1");
	assert_int_equal(first(&lab, 2)->start, US(500));
	assert_int_equal(first(&lab, 3)->start, US(500));
	lab_free(&lab);
}

/* A fence that one set has waited for is signalled for later sets. */
static void
keep_in_fence(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "G.1.VCS1/VCS2,G.2.VCS1/VCS2,3.RCS.500.0.0,1.DEFAULT.10.f-1.0,"
	    "1.DEFAULT.10.f-2.0,2.DEFAULT.10.f-3.0,d.1000,"
	    "2.DEFAULT.10.f-5.0");
	assert_int_equal(nth(&lab, 1, 0)->start, US(500));
	assert_int_equal(nth(&lab, 1, 2)->start, US(510));
	assert_int_equal(nth(&lab, 2, 0)->start, US(520));
	assert_int_equal(nth(&lab, 2, 2)->start, US(1000));
	lab_free(&lab);
}

static void
keep_submit_fence(const char *sched)
{
	struct lab lab;

	scene_run(&lab, sched,
	    "G.1.VCS1/VCS2,f,3.RCS.900.f-1.0,1.DEFAULT.10.s-1.0,"
	    "1.DEFAULT.10.s-2.0,d.500,a.-5,d.100,1.DEFAULT.10.s-6.0");
	assert_int_equal(nth(&lab, 1, 0)->start, US(500));
	assert_int_equal(nth(&lab, 1, 2)->start, US(510));
	assert_int_equal(nth(&lab, 1, 4)->start, US(600));
	assert_int_equal(first(&lab, 3)->end, US(1400));
	lab_free(&lab);
}

static void
contexts(const char *sched)
{
	enum { CONTEXTS = 64 };
	struct text t = {0};
	struct lab lab;

	video_device(sched, &lab, 4);
	for (unsigned i = 1; i <= CONTEXTS; i++) {
		add_slot(&t, i, 4);
		text_addf(&t, ",%u.DEFAULT.10.0.0,", i);
	}
	t.data[--t.len] = '\0';
	scene_client(&lab, t.data);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	expect_together(&lab, 4);
	assert_int_equal(lab.n_rows, CONTEXTS * 4);
	assert_int_equal(lab.sim->now, US(10 * CONTEXTS));
	for (unsigned i = 1; i <= CONTEXTS; i++)
		assert_int_equal(first(&lab, i)->start, US(10 * (i - 1)));
	lab_free(&lab);
	text_free(&t);
}

/* A spinner without preemption points on one of the engines holds up all of
 * the set. */
static void
ordering(const char *sched)
{
	for (unsigned e = 1; e <= 2; e++) {
		struct text t = {0};
		struct lab lab;

		text_addf(&t,
		    "G.1.VCS1/VCS2,X.2.0,2.VCS%u.*.0.0,1.DEFAULT.100.0.0", e);
		scene_start(&lab, sched, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(2));
		assert_true(is_busy(first(&lab, 2)));
		assert_int_equal(nth(&lab, 1, 0)->start, NSEC_NEVER);
		assert_int_equal(nth(&lab, 1, 1)->start, NSEC_NEVER);
		scene_end(&lab, 2);
		scene_go_on(&lab, SEC(1));
		assert_int_equal(nth(&lab, 1, 0)->start, MS(2));
		assert_int_equal(nth(&lab, 1, 1)->start, MS(2));
		assert_int_equal(nth(&lab, 1, 1)->end, MS(2) + US(100));
		lab_free(&lab);
		text_free(&t);
	}
}

/* Spinners of slots two wide, that may be here or there: all engines run. */
static void
balancer(const char *sched)
{
	for (unsigned n = 4; n <= 8; n += 2) {
		struct text t = {0};
		struct lab lab;

		video_device(sched, &lab, n);
		for (unsigned c = 1; c <= n / 2; c++) {
			text_addf(&t, "%sG.%u.", c > 1 ? "," : "", c);
			for (unsigned i = 1; i <= n; i += 2)
				text_addf(&t, "%sVCS%u", i > 1 ? "|" : "", i);
			for (unsigned i = 2; i <= n; i += 2)
				text_addf(&t, "%sVCS%u", i > 2 ? "|" : "/", i);
			text_addf(&t, ",%u.DEFAULT.*.0.0", c);
		}
		scene_client(&lab, text_str(&t));
		scene_clock(&lab);
		lab_run(&lab, MS(100));
		expect_busy_class(&lab, CLASS_VCS, MS(100));
		for (unsigned c = 1; c <= n / 2; c++)
			assert_true(is_busy(first(&lab, c)));
		lab_free(&lab);
		text_free(&t);
	}
}

static const struct behaviour list[] = {
    {36, "gem_exec_balancer@parallel", GUC, parallel, NULL},
    {36, "gem_exec_balancer@parallel-bb-first", NULL, NULL,
	NOT_APPLICABLE(
	    "which of the objects of an execbuf are batches: rows of G are nothing "
	    "else")},
    {36, "gem_exec_balancer@parallel: validity of slots (section 3.2)", GUC,
	validity,
	DIAGNOSTICS("a descriptor with such a slot does not compile")},
    {37, "gem_exec_balancer@parallel-out-fence", GUC, out_fence, NULL},
    {37, "gem_exec_balancer@parallel-keep-in-fence", GUC, keep_in_fence, NULL},
    {37, "gem_exec_balancer@parallel-keep-submit-fence", GUC, keep_submit_fence,
	NULL},
    {37, "gem_exec_balancer@parallel-contexts", GUC, contexts, NULL},
    {38, "gem_exec_balancer@parallel-ordering", GUC, ordering, NULL},
    {39, "gem_exec_balancer@parallel-balancer", GUC, balancer, NULL},
};

const struct behaviours behaviours_igt_parallel = BEHAVIOURS("6.1", list);
