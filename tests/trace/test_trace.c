/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of --trace, --trace-json and --arm-metadata, event by event, against a
 * witness of which request was on which engine at which time.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/runner/test.h"
#include "tests/support/environment.h"
#include "tests/support/lab.h"
#include "tests/support/run_program.h"
#include "tests/support/scenery.h"
#include "tests/support/trace_witness.h"

#define SEEDS (20 + test_rounds("SEEDS", 80))

static void
on_watch(void *watcher, struct sim *sim, enum chaos_moment moment)
{
	struct witness *w = watcher;

	if (moment == CHAOS_BEGINS)
		witness_begin(w, sim);
	else if (moment == CHAOS_IS_OVER)
		witness_end(w);
	else
		witness_look(w);
}

/* Any scheduler, profile, control, hang, parallel slot, annotation. */
TEST(random)
{
	struct chaos_result result = {0};
	unsigned arrows = 0;
	size_t pieces = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct witness w;
		struct scene scene;
		struct chaos c;

		scene_make_annotated(&scene, &c, seed);
		if (scene.n_programs > 0) {
			c.watch = on_watch;
			c.watcher = &w;
			chaos_run(&c, &scene.config, scene.programs,
			    scene.n_programs, &result);
			pieces += w.ran.n;
			arrows += witness_expect(&w);
			witness_free(&w);
		}
		scene_clear(&scene);
	}
	/* It was about something. */
	assert_true(pieces > 100 * SEEDS);
	assert_true(arrows > 5 * SEEDS);
	assert_true(result.hangs > 0 && result.errors > 0);
}

struct late {
	struct witness witness;
	unsigned looks;
};

static void
on_late_watch(void *watcher, struct sim *sim, enum chaos_moment moment)
{
	struct late *l = watcher;

	if (moment == CHAOS_GOES_ON && ++l->looks == 2)
		witness_begin(&l->witness, sim);
	else if (moment == CHAOS_IS_OVER && l->looks >= 2)
		witness_end(&l->witness);
	else if (l->looks > 2)
		witness_look(&l->witness);
}

/* A trace that begins during a run has all events from then on. */
TEST(late)
{
	struct chaos_result result = {0};
	size_t pieces = 0;

	for (uint64_t seed = 1; seed <= SEEDS / 2; seed++) {
		struct late l = {.looks = 0};
		struct scene scene;
		struct chaos c;

		scene_make_annotated(&scene, &c, seed);
		c.watch = on_late_watch;
		c.watcher = &l;
		if (scene.n_programs > 0)
			chaos_run(&c, &scene.config, scene.programs,
			    scene.n_programs, &result);
		if (l.looks >= 2) {
			pieces += l.witness.ran.n;
			witness_expect(&l.witness);
			witness_free(&l.witness);
		}
		scene_clear(&scene);
	}
	assert_true(pieces > 10 * SEEDS);
}

/* The arrows of a run, "1>2 1>3": requests in order of submission, sorted. */
static void
expect_drawn(const char *sched, const char *descriptor, const char *wanted)
{
	struct pieces drawn = {0};
	struct text text = {0};
	struct seen_trace t;
	struct witness w;
	struct lab lab;
	size_t *begin;

	lab_init(&lab, sched);
	lab_add(&lab, descriptor, 1, (struct client_options){.repeat = 1});
	witness_begin(&w, lab.sim);
	sim_run(lab.sim, NSEC_NEVER, 0);
	witness_end(&w);
	witness_expect(&w);
	seen_perfetto(&t, test_path("perfetto"));
	begin = witness_beginnings(&t);
	for (size_t i = 0; i < t.n_arrows; i++) {
		const struct seen_arrow *a = &t.arrows[i];

		if (a->leads)
			pieces_add(&drawn,
			    (uint32_t)t.events[begin[a->id] - 1].request, 0, 0,
			    t.events[a->event].request);
	}
	pieces_sort(&drawn);
	for (size_t i = 0; i < drawn.n; i++)
		text_addf(&text, "%s%u>%d", i > 0 ? " " : "", drawn.list[i].row,
		    (int)drawn.list[i].what);
	assert_string_equal(text_str(&text), wanted);
	text_free(&text);
	free(drawn.list);
	free(begin);
	seen_free(&t);
	witness_free(&w);
	lab_free(&lab);
}

/* Flows for data, fences and starts; none for the order on a ring, and none for
 * what was signalled already. */
TEST(arrows)
{
	static const char *const scheds[] = {"fifo", "execlists", "drm", "guc"};

	for (size_t i = 0; i < 4; i++) {
		expect_drawn(scheds[i],
		    "1.RCS.100.0.0\n2.BCS.100.-1.0\n3.VCS1.100.f-2.0\n"
		    "3.VCS1.100.-2/f-3/f-2.0\n",
		    "1>2 1>3 1>4 2>4");
		expect_drawn(scheds[i],
		    "1.RCS.100.0.0\n1.RCS.100.0.0\n2.BCS.100.0.1\n"
		    "4.CCS.10.-1.0\n",
		    "");
		/* The signaler starts first and runs on. */
		expect_drawn(scheds[i],
		    "1.RCS.100.0.0\n1.RCS.900.0.0\n2.BCS.100.s-1.0\n", "2>3");
	}
}
