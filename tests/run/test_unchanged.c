/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that promise to change nothing when they fail: each is made to
 * fail, and the session, its plan and its documents are compared with what they
 * were before.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "engine/client/control.h"
#include "parser/document/edit.h"
#include "run/live/outputs.h"
#include "run/live/saving.h"
#include "run/live/tweak.h"
#include "run/plan.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/live_scene.h"

#define BONDS                                                                  \
	"M.1.VCS1|VCS2,B.1,M.2.VECS1|VECS2,B.2,b.2.VECS1.VCS1,"                \
	"b.2.VECS2.VCS2,1.DEFAULT.300.0.0,d.100"

static char bonds_path[4096];

/* Compares the state after a failure with before, and the reason. */
static void
expect_unchanged(const struct live_scene *sc, struct text *before,
    struct text *why, const char *expected)
{
	struct text after = live_scene_describe(sc);

	assert_string_equal(text_str(&after), text_str(before));
	if (strstr(text_str(why), expected) == NULL)
		fail_msg("'%s' does not say '%s'", text_str(why), expected);
	text_clear(why);
	text_free(&after);
	text_free(before);
}

/* Stops at the question after *left others. */
static bool
count_down(void *data)
{
	int *left = data;

	return (*left)-- <= 0;
}

/* Comparing, and restarting. */

TEST(compare)
{
	const char *texts[] = {bonds_path};
	struct live_scene sc;
	struct text why = {0}, before;

	live_scene_begin(&sc, "--profile=default", "execlists", texts, 1);
	live_scene_advance(&sc, 20 * NSEC_PER_MSEC);
	before = live_scene_describe(&sc);
	assert_false(session_compare(&sc.session, sc.wall, "guc", &why));
	expect_unchanged(&sc, &before, &why, "bond");
	before = live_scene_describe(&sc);
	assert_false(session_compare(&sc.session, sc.wall, "nosuch", &why));
	expect_unchanged(&sc, &before, &why, "nosuch");
	before = live_scene_describe(&sc);
	assert_false(session_compare(&sc.session, sc.wall, "execlists", &why));
	expect_unchanged(&sc, &before, &why, "already");
	/* The run goes on, and a refused comparison does not end the one
	 * before. */
	live_scene_advance(&sc, NSEC_PER_MSEC);
	assert_true(session_compare(&sc.session, sc.wall, "fifo", &why));
	live_scene_advance(&sc, 20 * NSEC_PER_MSEC);
	text_clear(&why);
	before = live_scene_describe(&sc);
	assert_false(session_compare(&sc.session, sc.wall, "guc", &why));
	expect_unchanged(&sc, &before, &why, "bond");
	assert_null(baseline_problem(&sc.session));
	text_free(&why);
	live_scene_end(&sc);
}

/* A document with an error stops the restart, under whichever scheduler. */
TEST(restart)
{
	static const char *const texts[] = {BONDS, "1.RCS.500.0.0,d.100"};
	struct live_scene sc;
	struct text why = {0}, before;

	live_scene_begin(&sc, "--profile=ideal", "execlists", texts, 2);
	live_scene_advance(&sc, NSEC_PER_MSEC);
	before = live_scene_describe(&sc);
	assert_false(session_set_scheduler(&sc.session, sc.wall, "guc", &why));
	expect_unchanged(&sc, &before, &why, "bond");
	before = live_scene_describe(&sc);
	assert_false(session_set_profile(&sc.session, sc.wall, "nosuch", &why));
	expect_unchanged(&sc, &before, &why, "nosuch");
	assert_true(
	    edit_replace(sc.plan.sources[1].doc, 0, "1.XCS.1.0.0", 11, NULL));
	session_document_changed(&sc.session, 1, LIVE_LATER, &why);
	text_clear(&why);
	before = live_scene_describe(&sc);
	assert_false(session_restart(&sc.session, sc.wall, &why));
	expect_unchanged(&sc, &before, &why, "XCS");
	before = live_scene_describe(&sc);
	assert_false(
	    session_set_profile(&sc.session, sc.wall, "default", &why));
	expect_unchanged(&sc, &before, &why, "XCS");
	before = live_scene_describe(&sc);
	assert_false(session_compare(&sc.session, sc.wall, "fifo", &why));
	expect_unchanged(&sc, &before, &why, "XCS");
	text_free(&why);
	live_scene_end(&sc);
}

TEST(restart_stopped)
{
	static const char *const texts[] = {"1.RCS.500.0.0,d.100"};
	int left, n = 0;
	const struct stop stop = {count_down, &left};
	struct live_scene sc;
	struct text why = {0}, before;

	live_scene_begin(&sc, "--profile=ideal", "execlists", texts, 1);
	live_scene_advance(&sc, NSEC_PER_MSEC);
	sc.plan.stop = &stop;
	for (left = 0; true; left = ++n) {
		before = live_scene_describe(&sc);
		if (session_compare(&sc.session, sc.wall, "fifo", &why))
			break;
		expect_unchanged(&sc, &before, &why, "");
	}
	text_free(&before);
	assert_true(n >= 2); /* each launch asks */
	left = 0;
	before = live_scene_describe(&sc);
	assert_false(session_restart(&sc.session, sc.wall, &why));
	expect_unchanged(&sc, &before, &why, "");
	sc.plan.stop = NULL;
	text_free(&why);
	live_scene_end(&sc);
}

/* Clients and files. */

TEST(open)
{
	static const char *const texts[] = {"1.RCS.500.0.0,d.100"};
	int left = 0;
	const struct stop stop = {count_down, &left};
	struct live_scene sc;
	struct text why = {0}, before;
	size_t source;

	live_scene_begin(&sc, "--profile=ideal", "fifo", texts, 1);
	live_scene_advance(&sc, NSEC_PER_MSEC);
	before = live_scene_describe(&sc);
	assert_false(session_open(
	    &sc.session, "nosuch/a.wsim", 1, false, &source, &why));
	expect_unchanged(&sc, &before, &why, "nosuch");
	before = live_scene_describe(&sc);
	assert_false(
	    session_open(&sc.session, "/dev/null", 1, false, &source, &why));
	expect_unchanged(&sc, &before, &why, "not a regular file");
	sc.plan.stop = &stop;
	before = live_scene_describe(&sc);
	assert_false(
	    session_open(&sc.session, bonds_path, 1, false, &source, &why));
	expect_unchanged(&sc, &before, &why, "");
	sc.plan.stop = NULL;
	sc.session.run.sim->state = SIM_STOPPED;
	before = live_scene_describe(&sc);
	assert_false(
	    session_open(&sc.session, bonds_path, 1, false, &source, &why));
	expect_unchanged(&sc, &before, &why, "stopped");
	text_free(&why);
	live_scene_end(&sc);
}

/* Clients that were launched before the stop stay, and so does their file. */
TEST(open_stopped_on_the_way)
{
	static const char *const texts[] = {"1.RCS.500.0.0,d.100"};
	int left = 0;
	const struct stop stop = {count_down, &left};
	struct live_scene sc;
	struct text why = {0};
	size_t source;

	live_scene_begin(&sc, "--profile=ideal", "fifo", texts, 1);
	sc.plan.stop = &stop;
	for (int n = 1; sc.plan.n_sources == 1 && n < 20; n++) {
		left = n;
		text_clear(&why);
		assert_false(session_open(
		    &sc.session, bonds_path, 20000, false, &source, &why));
	}
	sc.plan.stop = NULL;
	assert_int_equal(sc.plan.n_sources, 2);
	assert_int_equal(sc.plan.sources[1].clones, 16384);
	assert_int_equal(sc.session.run.sim->n_clients, 16385);
	assert_non_null(strstr(text_str(&why), "16384 of 20000"));
	live_scene_advance(&sc, NSEC_PER_USEC);
	text_free(&why);
	live_scene_end(&sc);
}

TEST(clients)
{
	static const char *const texts[] = {"1.RCS.500.0.0,d.100", "# none"};
	struct live_scene sc;
	struct text why = {0}, before;
	uint32_t id;

	live_scene_begin(&sc, "--profile=ideal", "fifo", texts, 2);
	live_scene_advance(&sc, NSEC_PER_MSEC);
	before = live_scene_describe(&sc);
	assert_false(session_add_clients(&sc.session, 1, 1, &why));
	expect_unchanged(&sc, &before, &why, "no batch yet");
	before = live_scene_describe(&sc);
	assert_false(session_add_clients(&sc.session, 0, 2000000, &why));
	expect_unchanged(&sc, &before, &why, "1000000");
	before = live_scene_describe(&sc);
	assert_false(session_kill(&sc.session, 7, &why));
	expect_unchanged(&sc, &before, &why, "no client 7");
	before = live_scene_describe(&sc);
	assert_false(session_restart_client(&sc.session, 7, &id, &why));
	expect_unchanged(&sc, &before, &why, "no client 7");
	sc.session.run.sim->state = SIM_STOPPED;
	before = live_scene_describe(&sc);
	assert_false(session_kill(&sc.session, 0, &why));
	expect_unchanged(&sc, &before, &why, "stopped");
	before = live_scene_describe(&sc);
	assert_false(session_restart_client(&sc.session, 0, &id, &why));
	expect_unchanged(&sc, &before, &why, "stopped");
	text_free(&why);
	live_scene_end(&sc);
}

/* Controls are checked before they are applied. */
TEST(controls)
{
	static const char *const texts[] = {"1.RCS.500.0.0,d.100"};
	static const struct control controls[] = {
	    {.kind = CONTROL_PRIORITY, .context = 1, .value = 2000},
	    {.kind = CONTROL_PRIORITY, .context = 7, .value = 1},
	    {.kind = CONTROL_PRIORITY, .client = 9, .context = 1},
	    {.kind = CONTROL_SSEU, .context = 1, .value = 1 << 20},
	    {.kind = CONTROL_PREEMPTION, .context = 1, .value = -5},
	    {.kind = CONTROL_KILL, .client = 9},
	    {.kind = CONTROL_KILL, .client = CONTROL_ALL, .workload = 9},
	    {.kind = CONTROL_ADD, .workload = 9, .n_clients = 1},
	    {.kind = CONTROL_ADD, .n_clients = CONTROL_MAX_CLIENTS},
	};
	struct live_scene sc;
	struct text why = {0}, before;

	live_scene_begin(&sc, "--profile=ideal", "execlists", texts, 1);
	live_scene_advance(&sc, NSEC_PER_MSEC);
	for (size_t i = 0; i < sizeof(controls) / sizeof(*controls); i++) {
		before = live_scene_describe(&sc);
		assert_false(session_control(&sc.session, &controls[i], &why));
		assert_true(why.len > 0);
		expect_unchanged(&sc, &before, &why, "");
	}
	text_free(&why);
	live_scene_end(&sc);
}

/* Values and durations. */

/* Two documents: a refusal of the second leaves the first as it was. */
TEST(tweak)
{
	static const char *const texts[] = {
	    "P.1.1000,1.RCS.500.0.0,d.100", "0.RCS.500.0.0,d.100"};
	static const struct tweak tweaks[] = {
	    {TWEAK_PRIORITY, false, 7},
	    {TWEAK_PRIORITY, true, 7},
	    {TWEAK_PRIORITY, false, 2000},
	    {TWEAK_SSEU, false, 1 << 20},
	    {TWEAK_PREEMPTION, false, -5},
	};
	static const char *const reasons[] = {
	    "count from 1", "count from 1", "1023", "slices", "0 (none)"};
	struct tweak_target targets[2];
	struct tweak_place place;
	struct live_scene sc;
	struct text why = {0}, before;
	enum live_result result;

	live_scene_begin(&sc, "--profile=ideal", "execlists", texts, 2);
	live_scene_advance(&sc, NSEC_PER_MSEC);
	/* An edit that was undone can still be redone after a refusal. */
	assert_true(
	    edit_replace(sc.plan.sources[0].doc, 0, "P.1.900", 7, NULL));
	assert_true(session_undo(&sc.session, 0, LIVE_LATER, &result, &why));
	for (uint32_t i = 0; i < 2; i++)
		assert_true(
		    tweak_target_of_context(&sc.session, i, 0, &targets[i]));
	for (size_t i = 0; i < 5; i++) {
		text_clear(&why);
		before = live_scene_describe(&sc);
		assert_false(session_tweak(&sc.session, &tweaks[i], targets, 2,
		    LIVE_LATER, &place, &why));
		expect_unchanged(&sc, &before, &why, reasons[i]);
	}
	assert_true(session_redo(&sc.session, 0, LIVE_LATER, &result, &why));
	assert_non_null(strstr(text_str(&why), "P.1.1000 -> P.1.900"));
	text_free(&why);
	live_scene_end(&sc);
}

TEST(durations)
{
	static const char *const texts[] = {"P.1.7,1.RCS.*.0.0,d.100"};
	static const char *const bad[] = {
	    "", "x", "1x", "0", "9-1", "5-", "9999999999", "-5"};
	struct tweak_target target;
	struct tweak_place place;
	struct live_scene sc;
	struct text why = {0}, before;

	live_scene_begin(&sc, "--profile=ideal", "execlists", texts, 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		for (size_t line = 0; line < 4; line++) {
			before = live_scene_describe(&sc);
			assert_false(session_set_duration(
			    &sc.session, 0, line, bad[i], LIVE_LATER, &why));
			expect_unchanged(&sc, &before, &why, "");
		}
	before = live_scene_describe(&sc);
	assert_false(session_scale_line(
	    &sc.session, 0, 0, EDIT_SHORTER, LIVE_LATER, &why));
	expect_unchanged(&sc, &before, &why, "duration");
	assert_true(tweak_target_of_context(&sc.session, 0, 0, &target));
	before = live_scene_describe(&sc);
	assert_false(session_scale_contexts(
	    &sc.session, &target, 1, EDIT_LONGER, LIVE_LATER, &place, &why));
	expect_unchanged(&sc, &before, &why, "no batches");
	text_free(&why);
	live_scene_end(&sc);
}

/* Edits of a document. */

/* Lines enough for the stop to be asked for. */
static void
add_long_text(struct text *out)
{
	for (unsigned i = 0; i < 3 * STOP_EVERY; i++)
		text_adds(out, "1.RCS.7.0.0\n");
}

TEST(edits)
{
	static const char text[] =
	    "P.1.1\n1.RCS.500.0.0\n1.RCS.500.-1.0\n0.RCS.*.0.0\n";
	struct document *doc = document_parse(
	    "a", text, sizeof(text) - 1, SOURCE_FILE);
	struct text before = {0}, after = {0}, why = {0}, t = {0};
	int left = 0;
	const struct stop stop = {count_down, &left};
	const struct duration none = {0}, some = {.min_us = 1, .max_us = 1};
	unsigned n = 0;

	assert_true(edit_replace(doc, 0, "P.1.2", 5, NULL));
	assert_true(edit_undo(doc));
	live_text_document(&before, doc);
#define REFUSED(call)                                                          \
	do {                                                                   \
		assert_false(call);                                            \
		text_clear(&after);                                            \
		live_text_document(&after, doc);                               \
		assert_string_equal(text_str(&after), text_str(&before));      \
		n++;                                                           \
	} while (0)
	REFUSED(edit_insert(doc, 9, "d.1", 3, &why));
	REFUSED(edit_delete(doc, 9, 1, EDIT_REFUSE_REFERRED, &why));
	REFUSED(edit_delete(doc, 1, 1, EDIT_REFUSE_REFERRED, &why));
	REFUSED(edit_move(doc, 9, 1, 0, &why));
	REFUSED(edit_move(doc, 2, 1, 1, &why));
	REFUSED(edit_replace(doc, 9, "d.1", 3, &why));
	REFUSED(edit_replace(doc, 1, "# gone", 6, &why));
	REFUSED(edit_priority(doc, 1, 0, 2000, NULL, &why));
	REFUSED(edit_priority(doc, 0, 0, 1, NULL, &why));
	REFUSED(edit_sseu(doc, 1, 0, -7, NULL, &why));
	REFUSED(edit_preemption(doc, 1, 0, UINT64_MAX, NULL, &why));
	REFUSED(edit_duration(doc, 1, none, &why));
	REFUSED(edit_duration(doc, 0, some, &why));
	REFUSED(edit_duration(doc, 9, some, &why));
	REFUSED(edit_scale_duration(doc, 0, EDIT_SHORTER, &why));
	REFUSED(edit_scale_duration(doc, 9, EDIT_LONGER, &why));
	assert_true(why.len > 0);
	add_long_text(&t);
	REFUSED(edit_rewrite_until(doc, text_str(&t), t.len, &stop));
	assert_int_equal(n, 17);
	assert_true(edit_redo(doc));
	text_free(&before);
	text_free(&after);
	text_free(&why);
	text_free(&t);
	document_free(doc);
}

/* Saving. */

static void
expect_plan(const struct plan *plan, struct text *before)
{
	struct text after = {0};

	live_text_plan(&after, plan);
	assert_string_equal(text_str(&after), text_str(before));
	text_free(&after);
}

TEST(saving)
{
	const struct file_stamp nothing = {0};
	int left = 0;
	const struct stop stop = {count_down, &left};
	struct plan plan = {0};
	struct text why = {0}, before = {0}, t = {0};

	write_file("a.wsim", "1.RCS.1.0.0\n");
	write_file("b.wsim", "1.RCS.2.0.0\n");
	write_file("c.wsim", "1.RCS.3.0.0\n");
	assert_true(plan_add_file(&plan, "a.wsim", true, &why));
	assert_true(plan_add_file(&plan, "b.wsim", true, &why));
	assert_true(edit_insert(plan.sources[0].doc, 0, "d.5", 3, &why));
	live_text_plan(&before, &plan);
	/* Another program has written the file. */
	write_file("a.wsim", "1.RCS.7.0.0\n");
	assert_int_equal(saving_write(&plan, 0, false, &why), SAVE_CONFLICT);
	expect_plan(&plan, &before);
	expect_file("a.wsim", "1.RCS.7.0.0\n");
	assert_int_equal(
	    saving_write_to(&plan, 0, "b.wsim", &nothing, false, &why),
	    SAVE_FAILED);
	expect_plan(&plan, &before);
	expect_file("b.wsim", "1.RCS.2.0.0\n");
	assert_int_equal(
	    saving_write_to(&plan, 0, "c.wsim", &nothing, false, &why),
	    SAVE_CONFLICT);
	expect_plan(&plan, &before);
	expect_file("c.wsim", "1.RCS.3.0.0\n");
	assert_int_equal(
	    saving_write_to(&plan, 0, "nosuch/d.wsim", &nothing, true, &why),
	    SAVE_FAILED);
	expect_plan(&plan, &before);
	plan.stop = &stop;
	add_long_text(&t);
	write_file("a.wsim", text_str(&t));
	assert_false(saving_reread(&plan, 0, &why));
	plan.stop = NULL;
	expect_plan(&plan, &before);
	assert_int_equal(unlink("a.wsim"), 0);
	assert_false(saving_reread(&plan, 0, &why));
	expect_plan(&plan, &before);
	assert_false(plan_add_file(&plan, "nosuch/e.wsim", true, &why));
	expect_plan(&plan, &before);
	text_free(&before);
	text_free(&why);
	text_free(&t);
	plan_close(&plan);
}

/* An output that cannot be opened does not end the one before. */
TEST(layer_files)
{
	static const char *const texts[] = {"1.RCS.500.0.0,d.100"};
	struct live_scene sc;
	struct text said = {0}, why = {0};

	write_file("full", "something\n");
	live_scene_begin(&sc, "--profile=ideal", "fifo", texts, 1);
	assert_true(session_output_open(
	    &sc.session, OUTPUT_LAYER, "out", false, &said, &why));
	live_scene_advance(&sc, NSEC_PER_MSEC);
	assert_false(session_output_open(
	    &sc.session, OUTPUT_LAYER, "full", false, &said, &why));
	assert_false(session_output_open(
	    &sc.session, OUTPUT_LAYER, "nosuch/out", true, &said, &why));
	assert_false(session_output_open(
	    &sc.session, OUTPUT_LAYER, "-", true, &said, &why));
	assert_false(session_output_open(
	    &sc.session, OUTPUT_TRACE, "out", true, &said, &why));
	assert_int_equal(said.len, 0);
	assert_string_equal(
	    session_output_path(&sc.session, OUTPUT_LAYER), "out");
	assert_null(session_output_path(&sc.session, OUTPUT_TRACE));
	expect_file("full", "something\n");
	text_free(&said);
	text_free(&why);
	live_scene_end(&sc);
}

static int
find_bonds(void **state)
{
	(void)state;
	assert_non_null(realpath("workloads/bonds.wsim", bonds_path));
	enter_test_folder();
	setenv("XDG_STATE_HOME", test_folder(), 1);
	return 0;
}

FIXTURES(find_bonds, NULL);
