/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The history of a run (run/live/history.h): after any jumps a run is, byte for
 * byte, what it was when it went straight, and so is what the session shows of
 * it: random texts and live changes under all schedulers, with branches.
 * HISTORY_RUNS in the environment asks for more, HISTORY_SEED for where to begin.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/snapshot.h"
#include "run/live/session.h"
#include "run/live/tweak.h"
#include "tests/runner/test.h"
#include "tests/support/any_edit.h"
#include "tests/support/environment.h"
#include "tests/support/live_changes.h"
#include "tests/support/live_scene.h"

#define MARKS 12

static const char *const texts[] = {
    "P.1.1,1.RCS.900.0.0,2.VCS1.400.-1.0,1.RCS.200.-1.1,d.100",
    "1.VCS.300-700.0.0,2.RCS.500.-1.1,p.3000",
    "1.DEFAULT.800.0.0,f,2.BCS.100.f-1.1,a.-2",
    "X.1.100,1.RCS.*.0.0,d.900,T.-2,3.VECS.50.0.1,p.2000",
};

static const char *const schedulers[] = {
    "fifo", "drm", "drm:rr", "drm:fair", "execlists", "guc"};

/* An instant of the run as it went. */
struct mark {
	struct snapshot *snapshot;
	struct text figures;
	nsec at;
};

static void
add_history(struct text *out, const struct session *s)
{
	const struct load_history *h = &s->history;

	text_addf(out, "load %" PRIu64 " to %" PRIu64 ", missed %g\n", h->n,
	    h->now, load_history_missed(h));
	for (unsigned i = 0; i < s->run.sim->device.n_engines; i++) {
		unsigned char percent[20];
		int n = load_history_engine(h, i, USE_RUNNING, 20, percent);

		for (int j = 0; j < n; j++)
			text_addf(out, " %u", percent[j]);
		text_addf(
		    out, ", %g batches/s\n", load_history_counts(h, i).batches);
	}
	limits_long(&s->limits.limits, s->run.sim, out);
	text_addf(out, "\nlate %u, in flight %zu, since %" PRIu64 "\n",
	    overdue_find(s->run.sim).n, s->inflight.n, s->since.at);
}

static void
add_changes(struct text *out, const struct session *s)
{
	for (size_t i = 0; i < s->changes.n; i++) {
		struct run_figures after = changes_after(
		    &s->changes, i, s->run.sim);

		text_addf(out,
		    "change at %" PRIu64 ": %s: ", s->changes.list[i].at,
		    text_str(&s->changes.list[i].what));
		changes_effect(
		    &s->changes.list[i].before, &after, s->run.sim, out);
		text_addc(out, '\n');
	}
}

static void
add_lines(struct text *out, struct live_scene *sc)
{
	const struct session *s = &sc->session;

	for (size_t i = 0; i < sc->plan.n_sources; i++) {
		const struct document *doc = sc->plan.sources[i].doc;
		const char *problem = session_document_problem(s, i);

		document_print(doc, out);
		marks_update(&sc->marks, s, i);
		text_addf(out, "\n%u clones, older %u, problem %s:",
		    sc->plan.sources[i].clones, sc->marks.n_older,
		    problem != NULL ? problem : "none");
		for (size_t l = 0; l < document_n_lines(doc); l++) {
			struct step_marks m = marks_of_line(&sc->marks, l);

			text_addf(out, " %u/%u/%u/%u/%" PRIu64, m.at, m.blocked,
			    m.ready, m.running, m.done);
		}
		text_addc(out, '\n');
	}
}

/* Returns all that views show, which has no addresses. */
static struct text
figures_of(struct live_scene *sc)
{
	const struct session *s = &sc->session;
	struct text out = {0};

	text_addf(&out, "at %" PRIu64 " after %" PRIu64 "\n", s->run.sim->now,
	    s->run.sim->n_instants);
	add_history(&out, s);
	add_changes(&out, s);
	add_lines(&out, sc);
	for (uint64_t n = 1; n <= s->hangs.last; n++) {
		const struct hang_record *hang = hang_history_find(
		    &s->hangs, n);

		if (hang != NULL)
			text_addf(&out, "hang %" PRIu64 " %s\n", n,
			    text_str(&hang->text));
	}
	return out;
}

static struct mark
mark_now(struct live_scene *sc)
{
	return (struct mark){
	    .snapshot = snapshot_take(sc->session.run.sim),
	    .figures = figures_of(sc),
	    .at = sc->session.run.sim->now,
	};
}

static void
free_mark(struct mark *m)
{
	snapshot_free(m->snapshot);
	text_free(&m->figures);
}

/* Fails with the first lines that differ. */
static void
check_same(const char *is, const char *was)
{
	while (*is != 0 && strcspn(is, "\n") == strcspn(was, "\n") &&
	    strncmp(is, was, strcspn(is, "\n")) == 0) {
		is += strcspn(is, "\n") + 1;
		was += strcspn(was, "\n") + 1;
	}
	if (strcmp(is, was) != 0)
		fail_msg("is:  %.*s\nwas: %.*s", (int)strcspn(is, "\n"), is,
		    (int)strcspn(was, "\n"), was);
}

static void
check_mark(struct live_scene *sc, const struct mark *m)
{
	struct snapshot *now = snapshot_take(sc->session.run.sim);
	struct text figures = figures_of(sc);

	check_same(text_str(&figures), text_str(&m->figures));
	assert_true(snapshot_is_same(now, m->snapshot));
	text_free(&figures);
	snapshot_free(now);
}

/* Returns one that has a time of its own; NULL: none was found. */
static const struct mark *
any_mark(const struct mark *marks, size_t n)
{
	for (unsigned i = 0; i < 100; i++) {
		const struct mark *m = &marks[edit_dice((unsigned)n)];

		if (m->at != NSEC_NEVER)
			return m;
	}
	return NULL;
}

static void
note_mark(struct live_scene *sc, size_t i, void *marks)
{
	((struct mark *)marks)[i] = mark_now(sc);
}

/* Runs straight on, with changes, and marks instants. */
static void
run_on(struct live_scene *sc, struct mark *marks, size_t n)
{
	nsec times[MARKS];

	live_run_on(sc, times, n, note_mark, marks);
	for (size_t i = 0; i < n; i++)
		marks[i].at = times[i];
}

static void
jump(struct live_scene *sc, nsec at)
{
	struct goto_target to = {.kind = GOTO_TIME, .time = at};
	struct text err = {0};

	if (!session_goto(&sc->session, sc->wall, &to, &err))
		fail_msg("%s", text_str(&err));
	text_free(&err);
}

static void
jump_around(struct live_scene *sc, const struct mark *marks, size_t n)
{
	for (unsigned i = 0; i < 8; i++) {
		const struct mark *m = any_mark(marks, n);

		if (m == NULL)
			return;
		if (edit_dice(3) == 0)
			jump(sc,
			    edit_dice(1 + (unsigned)(m->at / 1000)) * 1000ull);
		if (edit_dice(6) == 0)
			session_return(&sc->session, sc->wall);
		jump(sc, m->at);
		check_mark(sc, m);
	}
}

/* Goes on from one mark as a user who waits, up to the present. */
static void
go_on_from(struct live_scene *sc, const struct mark *marks, size_t n)
{
	struct session *s = &sc->session;
	nsec present = session_present(s);

	if (any_mark(marks, n) == NULL)
		return;
	jump(sc, any_mark(marks, n)->at);
	session_pause(s, sc->wall, false);
	for (unsigned i = 0; i < 1000 && session_is_past(s); i++)
		live_scene_advance(sc, 3 * NSEC_PER_MSEC);
	assert_false(session_is_past(s));
	assert_int_equal(s->run.sim->now, present);
	check_mark(sc, &marks[n - 1]);
	session_pause(s, sc->wall, false);
}

/* A change in the past begins a branch, which can be left and taken again. */
static void
branch_off(struct live_scene *sc, const struct mark *marks, size_t n)
{
	struct session *s = &sc->session;
	struct mark branch[MARKS];
	size_t had = session_n_branches(s);
	struct text err = {0};
	unsigned number;

	if (any_mark(marks, n - 1) == NULL)
		return;
	jump(sc, any_mark(marks, n - 1)->at);
	for (unsigned i = 0; i < 50 && session_is_past(s); i++)
		live_change_something(sc);
	if (session_n_branches(s) == had)
		return;
	number = session_branch(s, had).number;
	session_pause(s, sc->wall, false);
	run_on(sc, branch, 4);
	jump_around(sc, branch, 4);
	assert_true(session_take_branch(s, sc->wall, number, &err));
	check_mark(sc, &marks[n - 1]);
	jump_around(sc, marks, n);
	session_return(s, sc->wall);
	number = session_branch(s, session_n_branches(s) - 1).number;
	assert_true(session_take_branch(s, sc->wall, number, &err));
	check_mark(sc, &branch[3]);
	for (unsigned i = 0; i < 4; i++)
		free_mark(&branch[i]);
	text_free(&err);
}

static void
run_seed(uint64_t seed)
{
	struct live_scene sc;
	struct mark marks[MARKS];
	const char *chosen[2];

	edit_seed(seed);
	chosen[0] = texts[edit_dice(4)];
	chosen[1] = texts[edit_dice(4)];
	live_scene_begin(&sc,
	    edit_dice(2) ? "--profile=default" : "--profile=ideal",
	    schedulers[seed % 6], chosen, 2);
	sc.session.delay = 5 * NSEC_PER_MSEC;
	run_on(&sc, marks, MARKS);
	jump_around(&sc, marks, MARKS);
	go_on_from(&sc, marks, MARKS);
	branch_off(&sc, marks, MARKS);
	for (unsigned i = 0; i < MARKS; i++)
		free_mark(&marks[i]);
	live_scene_end(&sc);
}

TEST(any_instant)
{
	uint64_t first = from_environment("HISTORY_SEED", 1);
	uint64_t n = test_rounds("HISTORY_RUNS", 12);

	for (uint64_t seed = first; seed < first + n; seed++) {
		print_message("HISTORY_SEED=%" PRIu64 "\n", seed);
		run_seed(seed);
	}
}
