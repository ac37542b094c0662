/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that a user can do to a run, in an order that a seed decides: clients that
 * come and go, files that are opened, restarts with other profiles and schedulers,
 * steps, journeys, branches, pauses, and a device for programs. It must neither
 * crash nor keep what another run has replaced: builds with sanitizers and
 * invariants see both. SESSION_MONKEYS in the environment asks for more,
 * SESSION_SEED for where to begin.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "engine/client/walker.h"
#include "run/live/session.h"
#include "tests/runner/test.h"
#include "tests/support/any_edit.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/live_changes.h"
#include "tests/support/live_scene.h"

#define ACTIONS 120

struct lot {
	struct live_scene scene;
	unsigned n_files;
	struct text err;
};

static uint32_t
any_client(const struct lot *l)
{
	return edit_dice(l->scene.session.run.sim->n_clients + 1);
}

static void
advance(struct lot *l)
{
	live_scene_advance(
	    &l->scene, (1 + edit_dice(20)) * (NSEC_PER_MSEC / 2));
}

static void
toggle_pause(struct lot *l)
{
	struct session *s = &l->scene.session;

	session_pause(s, l->scene.wall, !s->clock.paused);
}

static void
step(struct lot *l)
{
	struct text happened = {0};

	session_step(&l->scene.session, l->scene.wall,
	    (enum sim_step)edit_dice(3), &happened);
	text_free(&happened);
}

static void
back(struct lot *l)
{
	session_back(&l->scene.session, l->scene.wall,
	    (enum sim_step)edit_dice(3), &l->err);
}

static void
go(struct lot *l)
{
	struct session *s = &l->scene.session;
	struct goto_target to = {
	    .kind = GOTO_TIME,
	    .time = edit_dice((size_t)(session_present(s) / 1000 * 5 / 4) + 1) *
		(nsec)1000,
	};

	if (edit_dice(8) == 0)
		to.kind = GOTO_END;
	session_goto(s, l->scene.wall, &to, &l->err);
}

static void
restart(struct lot *l)
{
	session_restart(&l->scene.session, l->scene.wall, &l->err);
}

static void
choose(struct lot *l)
{
	static const char *const profiles[] = {
	    "ideal", "default", "tgl", "no such profile"};
	static const char *const schedulers[] = {
	    "drm", "execlists", "guc", "no such scheduler"};
	struct session *s = &l->scene.session;

	if (edit_dice(2))
		session_set_profile(
		    s, l->scene.wall, profiles[edit_dice(4)], &l->err);
	else
		session_set_scheduler(
		    s, l->scene.wall, schedulers[edit_dice(4)], &l->err);
}

/* Opens a file, which may be wrong, be there already, or not at all. */
static void
open_file(struct lot *l)
{
	static const char *const contents[] = {
	    "2.VCS1.500.0.1\n", "1.RCS.300.0.0\np.2000\n", "1.RCS.1x\n", ""};
	char name[32];
	size_t source;
	FILE *f;

	snprintf(name, sizeof name, "more%u.wsim",
	    edit_dice(2) ? l->n_files++ : edit_dice(l->n_files + 1));
	if (edit_dice(5) != 0) {
		f = fopen(name, "w");
		assert_non_null(f);
		fputs(contents[edit_dice(4)], f);
		assert_int_equal(fclose(f), 0);
	}
	session_open(&l->scene.session, name, edit_dice(3), edit_dice(2),
	    &source, &l->err);
}

static void
add_client(struct lot *l)
{
	const struct sim *sim = l->scene.session.run.sim;
	uint32_t id = any_client(l);

	if (id < sim->n_clients && sim->clients[id]->walker != NULL)
		session_add_clients(&l->scene.session,
		    client_workload(sim->clients[id]), 1 + edit_dice(2),
		    &l->err);
}

static void
kill_client(struct lot *l)
{
	uint32_t id = any_client(l);

	if (id < l->scene.session.run.sim->n_clients)
		session_kill(&l->scene.session, id, &l->err);
}

static void
restart_client(struct lot *l)
{
	uint32_t id;

	session_restart_client(&l->scene.session, any_client(l), &id, &l->err);
}

static void
take_branch(struct lot *l)
{
	session_take_branch(&l->scene.session, l->scene.wall,
	    1 + edit_dice(session_n_branches(&l->scene.session) + 1), &l->err);
}

static void
compare(struct lot *l)
{
	session_compare(&l->scene.session, l->scene.wall,
	    edit_dice(2) ? "drm" : "guc", &l->err);
}

static void
change(struct lot *l)
{
	live_change_something(&l->scene);
}

/* Once; the device stays open until the end. */
static void
serve(struct lot *l)
{
	if (edit_dice(6) == 0)
		session_serve(&l->scene.session, NULL, false, &l->err);
	session_device_work(&l->scene.session);
}

static void (*const actions[])(struct lot *l) = {advance, advance, advance,
    toggle_pause, toggle_pause, step, step, back, back, go, go, restart, choose,
    open_file, add_client, kill_client, restart_client, restart_client,
    take_branch, take_branch, compare, change, serve};

static void
play(uint64_t seed)
{
	static const char *const texts[] = {
	    "P.1.1,1.RCS.900.0.0,2.VCS1.400.-1.0,1.RCS.200.-1.1,d.100",
	    "1.VCS.300-700.0.0,2.RCS.500.-1.1,p.3000"};
	static const char *const schedulers[] = {"drm", "execlists", "guc"};
	struct lot l = {0};

	edit_seed(seed);
	live_scene_begin(
	    &l.scene, "--profile=tgl", schedulers[seed % 3], texts, 2);
	l.scene.session.delay = 5 * NSEC_PER_MSEC;
	for (unsigned i = 0; i < ACTIONS; i++) {
		unsigned n = sizeof actions / sizeof *actions;

		actions[edit_dice(n)](&l);
		session_check_sources(&l.scene.session);
		text_clear(&l.err);
	}
	text_free(&l.err);
	live_scene_end(&l.scene);
}

TEST(any_order)
{
	uint64_t first = from_environment("SESSION_SEED", 1);
	uint64_t n = test_rounds("SESSION_MONKEYS", 30);

	enter_test_folder();
	for (uint64_t seed = first; seed < first + n; seed++) {
		print_message("SESSION_SEED=%" PRIu64 "\n", seed);
		play(seed);
	}
}

/* Opens a file in the past, where that begins a branch: the clients are those of the
 * source, not of one that the plan does not have. */
TEST(a_file_opened_in_the_past)
{
	static const char *const texts[] = {"1.RCS.900.0.0"};
	struct live_scene sc;
	struct text err = {0};
	size_t source;
	uint32_t id;
	FILE *f;

	enter_test_folder();
	f = fopen("more.wsim", "w");
	fputs("2.VCS1.500.0.1\n", f);
	assert_int_equal(fclose(f), 0);
	live_scene_begin(&sc, "--profile=ideal", "drm", texts, 1);
	live_scene_advance(&sc, 10 * NSEC_PER_MSEC);
	assert_true(session_back(&sc.session, 0, SIM_STEP_ITERATION, &err));
	assert_true(
	    session_open(&sc.session, "more.wsim", 1, true, &source, &err));
	assert_int_equal(source, 1);
	assert_int_equal(client_workload(sc.session.run.sim->clients[1]), 1);
	assert_true(session_kill(&sc.session, 1, &err));
	assert_int_equal(sc.plan.sources[1].clones, 0);
	assert_true(session_restart_client(&sc.session, 1, &id, &err));
	assert_int_equal(id, 2);
	assert_int_equal(sc.plan.sources[1].clones, 1);

	/* The run that was left has no clients of that file, and can get some. */
	assert_true(session_take_branch(&sc.session, 0, 1, &err));
	assert_int_equal(sc.session.run.sim->n_clients, 1);
	f = fopen("third.wsim", "w");
	fputs("3.BCS.50.0.0\n", f);
	assert_int_equal(fclose(f), 0);
	assert_true(
	    session_open(&sc.session, "third.wsim", 1, true, &source, &err));
	assert_int_equal(source, 2);
	assert_int_equal(client_workload(sc.session.run.sim->clients[1]), 2);
	live_scene_end(&sc);
}

/* No device begins in the past: the present, put back, would lack its objects. */
TEST(no_device_in_the_past)
{
	static const char *const texts[] = {"1.RCS.900.0.0"};
	struct live_scene sc;
	struct text err = {0};

	enter_test_folder();
	live_scene_begin(&sc, "--profile=tgl", "execlists", texts, 1);
	live_scene_advance(&sc, 10 * NSEC_PER_MSEC);
	assert_true(session_back(&sc.session, 0, SIM_STEP_ITERATION, &err));
	assert_false(session_serve(&sc.session, NULL, false, &err));
	assert_string_equal(text_str(&err),
	    "no programs in the past, where they were not: F returns to the "
	    "present");
	text_clear(&err);
	session_return(&sc.session, 0);
	if (!session_serve(&sc.session, NULL, false, &err))
		fail_msg("%s", text_str(&err));
	assert_false(session_back(&sc.session, 0, SIM_STEP_ITERATION, &err));
	session_pause(&sc.session, 0, true);
	session_pause(&sc.session, 0, false);
	text_free(&err);
	live_scene_end(&sc);
}
