/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/live_changes.h"

#include "base/text.h"
#include "run/live/live.h"
#include "run/live/session.h"
#include "tests/support/any_edit.h"

void
live_change_something(struct live_scene *sc)
{
	struct session *s = &sc->session;
	size_t source = edit_dice(sc->plan.n_sources);
	struct text said = {0};
	enum live_result result;
	uint32_t id;

	switch (edit_dice(8)) {
	case 0: session_undo(s, source, edit_dice(3), &result, &said); break;
	case 1:
		if (s->run.sim->n_clients < 20)
			session_add_clients(s, source, 1 + edit_dice(3), &said);
		break;
	case 2: session_kill(s, edit_dice(s->run.sim->n_clients), &said); break;
	case 3:
		if (s->run.sim->n_clients < 20)
			session_restart_client(
			    s, edit_dice(s->run.sim->n_clients), &id, &said);
		break;
	case 4: session_reset_totals(s); break;
	default:
		edit_anything(sc->plan.sources[source].doc);
		session_document_changed(s, source, edit_dice(3), &said);
		break;
	}
	text_free(&said);
}

bool
live_pass_time(struct live_scene *sc, nsec ns)
{
	struct session *s = &sc->session;
	nsec before = s->run.sim->now;
	size_t n = s->run.sim->n_clients;
	struct text said = {0};

	live_scene_advance(sc, ns);
	for (unsigned i = 0; i < 10 &&
	     (s->run.sim->now == before || s->run.sim->state != SIM_RUNNING);
	     i++) {
		session_add_clients(s, i % 2, 1, &said);
		live_scene_advance(sc, ns);
	}
	text_free(&said);
	return n == s->run.sim->n_clients;
}

void
live_run_on(struct live_scene *sc, nsec *times, size_t n,
    void (*mark)(struct live_scene *sc, size_t i, void *data), void *data)
{
	for (size_t i = 0; i < n; i++) {
		nsec before = sc->session.run.sim->now;

		/* At the time of a mark nothing is changed: a jump to that
		 * time is one to the end of all that happens then. */
		if (!live_pass_time(sc, 1 + edit_dice(100) * NSEC_PER_USEC) &&
		    i > 0 && times[i - 1] == before)
			times[i - 1] = NSEC_NEVER;
		for (unsigned j = edit_dice(3); j > 0; j--)
			live_change_something(sc);
		for (unsigned j = 1 + edit_dice(3); j > 0; j--)
			live_pass_time(sc, 1 + edit_dice(9000) * NSEC_PER_USEC);
		times[i] = sc->session.run.sim->now;
		if (mark != NULL)
			mark(sc, i, data);
	}
}
