/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of runs that were gone back in: --requests is the same, byte for byte, as
 * that of a run that went straight, and so is a replay of its recording; a change in
 * the past gives the file of a run that had that change there (run/live/history.h).
 * Random texts and changes under all schedulers; TRAVEL_RUNS in the environment
 * asks for more, TRAVEL_SEED for where to begin.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "report/report.h"
#include "run/live/session.h"
#include "run/recording.h"
#include "tests/runner/test.h"
#include "tests/support/any_edit.h"
#include "tests/support/environment.h"
#include "tests/support/live_changes.h"
#include "tests/support/live_scene.h"
#include "tests/support/run_program.h"

#define MARKS 8
#define AFTER 3 /* marks of a branch */

static const char *const texts[] = {
    "P.1.1,1.RCS.900.0.0,2.VCS1.400.-1.0,1.RCS.200.-1.1,d.100",
    "1.VCS.300-700.0.0,2.RCS.500.-1.1,p.3000",
    "1.DEFAULT.800.0.0,f,2.BCS.100.f-1.1,a.-2",
    "X.1.100,1.RCS.*.0.0,d.900,T.-2,3.VECS.50.0.1,p.2000",
};

static const char *const schedulers[] = {
    "fifo", "drm", "drm:rr", "drm:fair", "execlists", "guc"};

/* A session that is recorded; its jumps have a lot of their own. */
struct traveller {
	struct live_scene scene;
	struct run_recorder *recorder;
	struct request_log *log;
	int fd;
	bool jumps;
	uint64_t lot;
};

static int
create(const char *name)
{
	int fd = open(test_path(name), O_WRONLY | O_CREAT | O_TRUNC, 0666);

	assert_true(fd >= 0);
	return fd;
}

/* requests: the file of its requests; NULL: none. */
static void
begin_travel(struct traveller *t, uint64_t seed, bool jumps, const char *rec,
    const char *requests)
{
	struct session *s = &t->scene.session;
	const char *chosen[2];

	edit_seed(seed);
	chosen[0] = texts[edit_dice(4)];
	chosen[1] = texts[edit_dice(4)];
	live_scene_begin(&t->scene,
	    edit_dice(2) ? "--profile=default" : "--profile=ideal",
	    schedulers[seed % 6], chosen, 2);
	s->delay = 5 * NSEC_PER_MSEC;
	t->jumps = jumps;
	t->lot = seed;
	t->recorder = s->recorder = recorder_new(create(rec));
	recorder_launch(t->recorder, &t->scene.plan, &s->run, NSEC_NEVER);
	t->fd = requests != NULL ? create(requests) : -1;
	t->log = requests != NULL ? request_log_new(s->run.sim, t->fd, false)
				  : NULL;
}

static void
end_travel(struct traveller *t)
{
	if (t->log != NULL) {
		assert_int_equal(request_log_finish(t->log), 0);
		close(t->fd);
	}
	live_scene_end(&t->scene);
	assert_int_equal(recorder_close(t->recorder), 0);
}

static unsigned
any_of(struct traveller *t, uint64_t n)
{
	t->lot = t->lot * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((t->lot >> 33) % n);
}

static void
jump_to(struct live_scene *sc, nsec at)
{
	struct goto_target to = {.kind = GOTO_TIME, .time = at};
	struct text err = {0};

	if (!session_goto(&sc->session, sc->wall, &to, &err))
		fail_msg("%s", text_str(&err));
	text_free(&err);
}

/* Goes to the past in all ways, and returns. */
static void
travel_about(struct traveller *t)
{
	struct live_scene *sc = &t->scene;
	struct session *s = &sc->session;
	struct text said = {0};

	for (unsigned n = any_of(t, 4); n > 0; n--) {
		nsec present = session_present(s);

		switch (any_of(t, 5)) {
		case 0:
		case 1:
			jump_to(sc, any_of(t, 1 + present / 1000) * 1000ull);
			break;
		case 2:
			session_back(
			    s, sc->wall, (enum sim_step)any_of(t, 3), &said);
			break;
		case 3:
			if (session_is_past(s))
				session_step(
				    s, sc->wall, SIM_STEP_EVENT, &said);
			break;
		default:
			if (!session_is_past(s))
				break;
			session_pause(s, sc->wall, false);
			session_advance(s, sc->wall + NSEC_PER_MSEC, 0);
			break;
		}
	}
	session_return(s, sc->wall);
	text_free(&said);
}

static void
at_mark(struct live_scene *sc, size_t i, void *data)
{
	struct traveller *t = data;

	(void)i;
	if (t->jumps)
		travel_about(t);
	session_pause(&sc->session, sc->wall, false);
}

static void
expect_same(const char *a, const char *b)
{
	size_t n, m;
	char *x = read_whole(test_path(a), &n),
	     *y = read_whole(test_path(b), &m);

	if (n != m || memcmp(x, y, n) != 0)
		fail_msg("%s and %s differ", test_path(a), test_path(b));
	free(x);
	free(y);
}

static void
replay_into(const char *rec, const char *requests)
{
	struct text replay = {0}, out = {0};
	struct outcome r;

	text_addf(&replay, "--replay=%s", test_path(rec));
	text_addf(&out, "--requests=%s", test_path(requests));
	RUN(&r, "-b", "-q", text_str(&replay), text_str(&out));
	assert_null(strstr(r.err, "error:"));
	outcome_free(&r);
	text_free(&replay);
	text_free(&out);
}

/* Plays a recording as the console does, and goes back in it. */
static void
play_into(const char *rec, const char *requests)
{
	struct traveller t = {.lot = 7};
	struct session *s = &t.scene.session;
	struct replay replay;
	struct text err = {0};

	if (!replay_open(&replay, &t.scene.plan, test_path(rec), &err) ||
	    !session_begin(s, &t.scene.plan, 1, NSEC_NEVER, NULL, NULL, &err))
		fail_msg("%s", text_str(&err));
	s->delay = 5 * NSEC_PER_MSEC;
	t.fd = create(requests);
	t.log = request_log_new(s->run.sim, t.fd, false);
	if (!session_play_recording(s, 0, &replay, &err))
		fail_msg("%s", text_str(&err));
	travel_about(&t);
	assert_int_equal(request_log_finish(t.log), 0);
	close(t.fd);
	live_scene_end(&t.scene);
	replay_close(&replay);
	text_free(&err);
}

static void
go_straight_and_about(uint64_t seed)
{
	struct traveller t;
	nsec times[MARKS];

	begin_travel(&t, seed, false, "straight.rec", "straight.tsv");
	live_run_on(&t.scene, times, MARKS, at_mark, &t);
	end_travel(&t);
	begin_travel(&t, seed, true, "about.rec", "about.tsv");
	live_run_on(&t.scene, times, MARKS, at_mark, &t);
	end_travel(&t);
	expect_same("straight.tsv", "about.tsv");
	replay_into("about.rec", "again.tsv");
	expect_same("straight.tsv", "again.tsv");
	play_into("about.rec", "played.tsv");
	expect_same("straight.tsv", "played.tsv");
}

/* Changes something until it is one of the run, and goes on. Returns how often it
 * has tried; tries: how often it shall, 0: as it needs. */
static unsigned
change_and_go_on(struct traveller *t, uint64_t seed, unsigned tries)
{
	struct live_scene *sc = &t->scene;
	nsec times[AFTER];
	unsigned n = 0;

	edit_seed(seed + 1000);
	while (
	    tries > 0 ? n < tries : n < 50 && session_is_past(&sc->session)) {
		live_change_something(sc);
		n++;
	}
	session_return(&sc->session, sc->wall);
	session_pause(&sc->session, sc->wall, false);
	live_run_on(sc, times, AFTER, at_mark, t);
	return n;
}

/* The branch, and a run that had the change at that time. */
static void
go_another_way(uint64_t seed)
{
	struct traveller t;
	nsec times[MARKS];
	size_t mark = seed % (MARKS - 1);
	unsigned tries;

	begin_travel(&t, seed, true, "branch.rec", NULL);
	live_run_on(&t.scene, times, MARKS, at_mark, &t);
	if (times[mark] == NSEC_NEVER) {
		end_travel(&t);
		return;
	}
	jump_to(&t.scene, times[mark]);
	tries = change_and_go_on(&t, seed, 0);
	end_travel(&t);
	if (tries == 50)
		return;
	begin_travel(&t, seed, false, "changed.rec", NULL);
	live_run_on(&t.scene, times, mark + 1, at_mark, &t);
	change_and_go_on(&t, seed, tries);
	end_travel(&t);
	replay_into("branch.rec", "branch.tsv");
	replay_into("changed.rec", "changed.tsv");
	expect_same("branch.tsv", "changed.tsv");
}

TEST(written_requests)
{
	uint64_t first = from_environment("TRAVEL_SEED", 1);
	uint64_t n = test_rounds("TRAVEL_RUNS", 12);

	for (uint64_t seed = first; seed < first + n; seed++) {
		print_message("TRAVEL_SEED=%" PRIu64 "\n", seed);
		go_straight_and_about(seed);
		go_another_way(seed);
	}
}
