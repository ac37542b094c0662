/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents that are edited at random while clients run them: lines keep their
 * identities, marks stand at the right lines, nothing bad reaches the run, and
 * what a tweak says is in force. LIVE_RUNS in the environment asks for more,
 * LIVE_SEED for where to begin.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "run/live/live.h"
#include "run/live/session.h"
#include "run/live/tweak.h"
#include "tests/runner/test.h"
#include "tests/support/any_edit.h"
#include "tests/support/environment.h"
#include "tests/support/live_scene.h"

static bool
is_alive(const struct client *c)
{
	return !c->killed && c->state != CLIENT_ENDED &&
	    c->state != CLIENT_DRAINING;
}

/* The priority that the text sets for a client that has run it all along. */
static int64_t
priority_by_text(const struct document *doc, const struct client *c,
    uint32_t number, size_t at)
{
	int64_t before = c->priority, last = c->priority;
	bool any_before = false;

	for (size_t i = 0; i < document_n_lines(doc); i++) {
		const struct step *step = document_line_step(doc, i);

		if (step == NULL || step->kind != STEP_PRIORITY ||
		    step->context != number)
			continue;
		last = step->value;
		if (document_step_of_line(doc, i) < at) {
			before = step->value;
			any_before = true;
		}
	}
	return any_before || c->walker->iteration == 0 ? before : last;
}

static void
check_priority(struct live_scene *sc, size_t source, uint32_t number)
{
	const struct document *doc = sc->plan.sources[source].doc;
	const struct sim *sim = sc->session.run.sim;

	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		const struct context *context;

		if (c->walker->workload->id != source || !is_alive(c))
			continue;
		context = live_find_context(c, number);
		if (context != NULL)
			assert_int_equal(context->priority,
			    priority_by_text(doc, c, number,
				live_step_of_client(&sc->session, c)));
	}
}

static void
tweak_randomly(struct live_scene *sc)
{
	struct session *s = &sc->session;
	struct tweak tweak = {.kind = edit_dice(3)};
	struct tweak_target target;
	struct tweak_place place;
	struct text said = {0};
	bool differs = false;
	int64_t before = 0;

	tweak.relative = tweak.kind == TWEAK_PRIORITY && edit_dice(2);
	tweak.value = tweak.relative       ? (int64_t)edit_dice(5) - 2
	    : tweak.kind == TWEAK_PRIORITY ? (int64_t)edit_dice(20) - 10
	    : tweak.kind == TWEAK_SSEU     ? (int64_t)edit_dice(8)
					   : (int64_t)edit_dice(200);
	if (!tweak_target_of_context(
		s, edit_dice(s->run.sim->n_clients), edit_dice(3), &target))
		return;
	tweak_value(s, &target, tweak.kind, &before);
	if (session_tweak(s, &tweak, &target, 1, edit_dice(3), &place, &said) &&
	    session_document_problem(s, target.source) == NULL &&
	    tweak.kind == TWEAK_PRIORITY) {
		int64_t after = 0;

		differs = tweak_value(s, &target, tweak.kind, &after) &&
		    after != before;
		if (differs)
			check_priority(sc, target.source, target.context);
	}
	text_free(&said);
}

static void
do_something(struct live_scene *sc)
{
	struct session *s = &sc->session;
	size_t source = edit_dice(sc->plan.n_sources);
	struct text said = {0};
	enum live_result result;
	uint32_t id;

	switch (edit_dice(14)) {
	case 0: tweak_randomly(sc); break;
	case 1: tweak_randomly(sc); break;
	case 2: session_undo(s, source, edit_dice(3), &result, &said); break;
	case 3: session_redo(s, source, edit_dice(3), &result, &said); break;
	case 4:
		if (s->run.sim->n_clients < 40)
			session_add_clients(s, source, 1 + edit_dice(3), &said);
		break;
	case 5: session_kill(s, edit_dice(s->run.sim->n_clients), &said); break;
	case 6:
		if (s->run.sim->n_clients < 40)
			session_restart_client(
			    s, edit_dice(s->run.sim->n_clients), &id, &said);
		break;
	case 7:
		if (edit_dice(10) == 0)
			session_restart(s, sc->wall, &said);
		break;
	case 8:
	case 9:
	case 10:
		edit_anything(sc->plan.sources[source].doc);
		session_document_changed(s, source, edit_dice(3), &said);
		break;
	default: live_scene_advance(sc, edit_dice(3000) * NSEC_PER_USEC); break;
	}
	text_free(&said);
}

TEST(edits_while_running)
{
	static const char *const texts[] = {
	    "P.1.1,1.RCS.900.0.0,2.VCS1.400.-1.0,1.RCS.200.-1.1,d.100",
	    "2.RCS.300.0.0,P.2.5,2.RCS.100.0.1,P.2.2,1.BCS.10.0.0,p.700"};
	static const char *const scheds[] = {
	    "fifo", "execlists", "guc", "drm:fair"};
	uint64_t runs = test_rounds("LIVE_RUNS", 12);

	for (uint64_t run = 0; run < runs; run++) {
		struct live_scene sc;

		edit_seed(from_environment("LIVE_SEED", 1) + run);
		/* Rings of ideal would let thousands of requests in flight. */
		live_scene_begin(
		    &sc, "--profile=default", scheds[run % 4], texts, 2);
		for (unsigned i = 0; i < 200; i++) {
			do_something(&sc);
			for (size_t k = 0; k < sc.plan.n_sources; k++) {
				live_scene_check_marks(&sc, k);
				live_scene_check_newest(&sc, k);
				check_identities(sc.plan.sources[k].doc);
			}
		}
		live_scene_end(&sc);
	}
}
