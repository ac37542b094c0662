/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents that are edited while clients run them, and such as can't be run
 * when they are opened (run/live/live.h): what is taken over, what it says,
 * and what a tweak says is in force.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "parser/document/edit.h"
#include "run/live/live.h"
#include "run/live/marks.h"
#include "run/live/session.h"
#include "run/live/tweak.h"
#include "tests/runner/test.h"
#include "tests/support/live_scene.h"

/* A tweak that is undone before a client takes the text over has no effect. */
TEST(undo_takes_both_back)
{
	static const char *const texts[] = {
	    "2.RCS.900.0.1,X.2.40,2.RCS.10.0.0,d.100"};
	struct tweak tweak = {TWEAK_PRIORITY, true, 1};
	struct tweak_target target;
	struct tweak_place place;
	struct live_scene sc;
	const struct context *context;
	struct text said = {0};
	enum live_result result;

	live_scene_begin(&sc, "--profile=ideal", "execlists", texts, 1);
	live_scene_advance(&sc, 500 * NSEC_PER_USEC);
	context = sc.session.run.sim->clients[0]->contexts[0];
	assert_true(tweak_target_of_context(&sc.session, 0, 0, &target));
	assert_true(session_tweak(
	    &sc.session, &tweak, &target, 1, LIVE_LATER, &place, &said));
	assert_string_equal(text_str(&said), "inserted P.2.1 at line 1");
	assert_int_equal(context->priority, 1);
	assert_true(
	    session_is_older(&sc.session, sc.session.run.sim->clients[0]));
	tweak = (struct tweak){TWEAK_PREEMPTION, false, 7};
	assert_true(session_tweak(
	    &sc.session, &tweak, &target, 1, LIVE_LATER, &place, &said));
	assert_int_equal(context->preempt_ns, 7 * NSEC_PER_USEC);
	while (session_undo(&sc.session, 0, LIVE_LATER, &result, &said))
		assert_int_equal(result, LIVE_TAKEN);
	assert_int_equal(context->priority, 0);
	assert_true(context->preempt_ns == PREEMPT_BY_PROGRAM);
	assert_false(
	    session_is_older(&sc.session, sc.session.run.sim->clients[0]));
	text_free(&said);
	live_scene_end(&sc);
}

TEST(bad_text_reaches_no_client)
{
	static const char *const texts[] = {"1.RCS.900.0.1,1.RCS.10.0.0"};
	struct document *doc;
	struct live_scene sc;
	struct text said = {0};

	live_scene_begin(&sc, "--profile=ideal", "fifo", texts, 1);
	doc = sc.plan.sources[0].doc;
	assert_true(edit_replace(doc, 1, "1.RCX.10.0.0", 12, NULL));
	assert_int_equal(
	    session_document_changed(&sc.session, 0, LIVE_AT_ONCE, &said),
	    LIVE_BAD);
	assert_non_null(
	    strstr(text_str(&said), "not run, line 1: invalid engine 'RCX'"));
	live_scene_advance(&sc, 10 * NSEC_PER_MSEC);
	assert_int_equal(sc.session.run.sim->n_swaps, 0);
	assert_false(
	    session_is_older(&sc.session, sc.session.run.sim->clients[0]));
	text_clear(&said);
	assert_false(session_restart(&sc.session, sc.wall, &said));
	assert_true(edit_replace(doc, 1, "1.BCS.10.0.0", 12, NULL));
	text_clear(&said);
	assert_int_equal(
	    session_document_changed(&sc.session, 0, LIVE_LATER, &said),
	    LIVE_TAKEN);
	assert_int_equal(said.len, 0);
	assert_null(session_document_problem(&sc.session, 0));
	live_scene_advance(&sc, 10 * NSEC_PER_MSEC);
	assert_int_equal(sc.session.run.sim->n_swaps, 1);
	text_free(&said);
	live_scene_end(&sc);
}

/* A value is in force for each client at its own step, which differs between
 * clones. */
TEST(several_govern)
{
	static const char *const texts[] = {
	    "P.1.5,1.RCS.1000.0.1,P.1.-5,1.RCS.1000.0.1"};
	struct tweak tweak = {TWEAK_PRIORITY, false, 9};
	struct tweak_target target;
	struct tweak_place place;
	struct live_scene sc;
	struct text said = {0};
	struct client **clients;

	live_scene_begin(&sc, "--profile=ideal", "fifo", texts, 1);
	assert_true(session_add_clients(&sc.session, 0, 1, &said));
	/* The first is at its second batch, the second at its first. */
	live_scene_advance(&sc, 1500 * NSEC_PER_USEC);
	clients = sc.session.run.sim->clients;
	assert_int_equal(clients[0]->contexts[0]->priority, -5);
	assert_int_equal(clients[1]->contexts[0]->priority, 5);
	assert_true(tweak_target_of_context(&sc.session, 0, 0, &target));
	assert_true(session_tweak(
	    &sc.session, &tweak, &target, 1, LIVE_LATER, &place, &said));
	assert_string_equal(text_str(&said),
	    "P.1.-5 -> P.1.9 at line 1 (in force for client 0; 2 steps govern "
	    "context 1), the text of 2 clients; fifo ignores it "
	    "(:scheduler execlists)");
	assert_int_equal(clients[0]->contexts[0]->priority, 9);
	assert_int_equal(clients[1]->contexts[0]->priority, 5);
	text_free(&said);
	live_scene_end(&sc);
}

/* Clients take over edits of a long document, one for each key press. */
TEST(long_document)
{
	struct text t = {0}, said = {0};
	const char *texts[1];
	struct live_scene sc;

	for (unsigned i = 0; i < 100000; i++)
		text_addf(&t, "%s%u.RCS.%u.0.0", i > 0 ? "," : "", 1 + i % 9,
		    100 + i % 77);
	texts[0] = text_str(&t);
	live_scene_begin(&sc, "--profile=ideal", "fifo", texts, 1);
	live_scene_advance(&sc, NSEC_PER_MSEC);
	for (unsigned i = 0; i < 10; i++) {
		assert_true(edit_replace(
		    sc.plan.sources[0].doc, 50000, "1.RCS.7.0.0", 11, NULL));
		assert_int_equal(
		    session_document_changed(&sc.session, 0, LIVE_LATER, &said),
		    LIVE_TAKEN);
		marks_update(&sc.marks, &sc.session, 0);
	}
	text_free(&t);
	text_free(&said);
	live_scene_end(&sc);
}

/* Documents that cannot run when they are opened. */

static void
edit_text(struct live_scene *sc, size_t source, const char *text,
    enum live_result expected)
{
	struct text said = {0};

	edit_rewrite(sc->plan.sources[source].doc, text, strlen(text));
	assert_int_equal(
	    session_document_changed(&sc->session, source, LIVE_LATER, &said),
	    expected);
	assert_int_equal(said.len > 0, expected == LIVE_BAD);
	text_free(&said);
}

static void
check_waiting(struct live_scene *sc, size_t source, const char *problem)
{
	const char *is = session_document_problem(&sc->session, source);
	struct text err = {0};

	assert_true(sc->plan.sources[source].waiting);
	assert_false(session_add_clients(&sc->session, source, 1, &err));
	assert_true(err.len > 0);
	if (problem == NULL)
		assert_null(is);
	else
		assert_non_null(strstr(is, problem));
	text_free(&err);
}

TEST(bad_ones_wait)
{
	static const char *const texts[] = {
	    "1.RCS.500.0.0\n2.XCS.1.0.0", "# nothing\n", "d.100,1.BCS.100.0.1"};
	struct session *s;
	struct live_scene sc;

	live_scene_begin(&sc, "--profile=ideal", "execlists", texts, 3);
	s = &sc.session;
	assert_int_equal(s->run.sim->n_clients, 1);
	assert_int_equal(s->run.sim->clients[0]->walker->workload->id, 2);
	check_waiting(&sc, 0, "line 2: invalid engine 'XCS'");
	check_waiting(&sc, 1, NULL);
	assert_null(session_document_problem(s, 2));
	live_scene_advance(&sc, NSEC_PER_MSEC);
	edit_text(&sc, 0, "1.XCS.1.0.0", LIVE_BAD);
	check_waiting(&sc, 0, "line 1: invalid engine 'XCS'");
	edit_text(&sc, 1, "# nothing more", LIVE_SAME);
	edit_text(&sc, 1, "1.VCS1.100.0.1", LIVE_STARTED);
	assert_int_equal(s->run.sim->n_clients, 2);
	assert_int_equal(s->run.sim->clients[1]->walker->workload->id, 1);
	assert_true(session_restart(s, sc.wall, &(struct text){0}));
	assert_int_equal(s->run.sim->n_clients, 2);
	check_waiting(&sc, 0, "line 1: invalid engine 'XCS'");
	edit_text(&sc, 0, "1.RCS.1.0.0", LIVE_STARTED);
	live_scene_advance(&sc, NSEC_PER_MSEC);
	assert_int_equal(s->run.sim->n_clients, 3);
	assert_true(s->run.sim->clients[2]->completed > 0);
	for (size_t i = 0; i < 3; i++) {
		live_scene_check_marks(&sc, i);
		live_scene_check_newest(&sc, i);
	}
	live_scene_end(&sc);
}

TEST(nothing_runs)
{
	static const char *const texts[] = {"1.RCS.500.0.0\n1.RCS.x.0.0"};
	struct live_scene sc;

	live_scene_begin(&sc, "--profile=ideal", "execlists", texts, 1);
	assert_int_equal(session_state(&sc.session), SESSION_NOTHING);
	assert_false(session_moves(&sc.session));
	live_scene_advance(&sc, NSEC_PER_SEC);
	assert_int_equal(sc.session.run.sim->n_events, 0);
	edit_text(&sc, 0, "1.RCS.500.0.1", LIVE_STARTED);
	assert_int_equal(session_state(&sc.session), SESSION_RUNNING);
	/* A text without a step stops no client, and starts none. */
	edit_text(&sc, 0, "", LIVE_BAD);
	assert_int_equal(session_state(&sc.session), SESSION_RUNNING);
	assert_true(session_restart(&sc.session, sc.wall, &(struct text){0}));
	assert_int_equal(session_state(&sc.session), SESSION_NOTHING);
	check_waiting(&sc, 0, NULL);
	live_scene_end(&sc);
}

/* A program that one scheduler refuses runs under another; a refused change of
 * scheduler does not stop it. */
TEST(refused_ones_wait)
{
	static const char *const texts[] = {
	    "M.1.VCS1|VCS2,B.1,M.2.VECS1|VECS2,B.2,"
	    "b.2.VECS1.VCS1,b.2.VECS2.VCS2,1.DEFAULT.300.0.0,d.100"};
	struct text err = {0};
	struct session *s;
	struct live_scene sc;

	live_scene_begin(&sc, "--profile=ideal", "guc", texts, 1);
	s = &sc.session;
	check_waiting(&sc, 0, "bond");
	assert_int_equal(session_state(s), SESSION_NOTHING);
	assert_true(session_restart(s, sc.wall, &err));
	check_waiting(&sc, 0, "bond");
	assert_true(session_set_scheduler(s, sc.wall, "execlists", &err));
	assert_false(sc.plan.sources[0].waiting);
	assert_null(session_document_problem(s, 0));
	live_scene_advance(&sc, NSEC_PER_MSEC);
	assert_int_equal(session_state(s), SESSION_RUNNING);
	assert_false(session_set_scheduler(s, sc.wall, "guc", &err));
	assert_non_null(strstr(text_str(&err), "bond"));
	assert_int_equal(session_state(s), SESSION_RUNNING);
	assert_false(sc.plan.sources[0].waiting);
	text_free(&err);
	live_scene_end(&sc);
}
