/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/live_scene.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "run/live/live.h"
#include "run/options.h"
#include "tests/runner/test.h"

void
live_scene_begin(struct live_scene *sc, const char *profile, const char *sched,
    const char *const *texts, int n)
{
	char scheduler[64];
	const char *argv[16] = {"gpuwl-top", profile, scheduler};
	struct options o;
	struct text err = {0};
	int status, argc = 3;

	*sc = (struct live_scene){0};
	snprintf(scheduler, sizeof(scheduler), "--scheduler=%s", sched);
	for (int i = 0; i < n; i++)
		argv[argc++] = texts[i];
	assert_true(options_parse(&o, argc, (char **)(uintptr_t)argv, &err));
	if (!plan_open(&sc->plan, &o, &status, &err))
		fail_msg("%s", text_str(&err));
	options_free(&o);
	if (!session_begin(
		&sc->session, &sc->plan, 1, NSEC_NEVER, NULL, NULL, &err))
		fail_msg("%s", text_str(&err));
	text_free(&err);
}

void
live_scene_end(struct live_scene *sc)
{
	marks_free(&sc->marks);
	session_end(&sc->session);
	plan_close(&sc->plan);
}

void
live_scene_advance(struct live_scene *sc, nsec ns)
{
	sc->wall += ns;
	session_advance(&sc->session, sc->wall, 0);
	session_tick(&sc->session, sc->wall);
}

void
live_scene_check_marks(struct live_scene *sc, size_t source)
{
	const struct session *s = &sc->session;
	const struct document *doc = sc->plan.sources[source].doc;
	const struct sim *sim = s->run.sim;
	uint32_t n = 0, older = 0, at = 0, running = 0;
	unsigned shown_at = 0, shown_running = 0;

	marks_update(&sc->marks, s, source);
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		const struct version *v = versions_find(
		    &s->run.versions, c->walker->program);
		size_t step;

		if (c->walker->workload->id != source ||
		    c->state == CLIENT_ENDED)
			continue;
		assert_non_null(v);
		assert_ptr_equal(v->of->doc, doc);
		n++;
		older += session_is_older(s, c);
		if (c->walker->pc < c->walker->program->n_ops)
			at += document_identified(doc,
				  version_identity(v, c->walker->pc)) != NULL;
		if (c->walker->pc < c->walker->program->n_ops &&
		    version_step_now(v, c->walker->pc, &step))
			assert_true(step < document_n_steps(doc));
	}
	for (size_t i = 0; i < s->inflight.n; i++) {
		const struct request *rq = s->inflight.list[i];
		const struct version *v = versions_find(
		    &s->run.versions, rq->origin.instance->program);

		assert_non_null(v);
		running += v->of->doc == doc && rq->state == REQUEST_RUNNING &&
		    document_identified(
			doc, version_identity(v, rq->origin.step)) != NULL;
	}
	assert_int_equal(sc->marks.n_clients, n);
	assert_int_equal(sc->marks.n_older, older);
	for (size_t i = 0; i < document_n_lines(doc); i++) {
		struct step_marks m = marks_of_line(&sc->marks, i);

		shown_at += m.at;
		shown_running += m.running;
	}
	assert_int_equal(shown_at, at);
	assert_int_equal(shown_running, running);
}

void
live_scene_check_newest(struct live_scene *sc, size_t source)
{
	struct source *from = &sc->plan.sources[source];
	const struct versioned *of = versions_of(
	    &sc->session.run.versions, from->doc);
	struct text err = {0};
	struct program *p = plan_build(&sc->plan, from, &err);
	const struct line **now;

	assert_int_equal(
	    p == NULL || (!from->waiting && document_n_steps(from->doc) == 0),
	    session_document_problem(&sc->session, source) != NULL);
	if (p != NULL && of != NULL && of->newest != NULL &&
	    document_n_steps(from->doc) > 0) {
		now = mem_calloc(p->n_ops + 1u, sizeof(*now));
		document_list_steps(from->doc, now);
		assert_int_equal(of->newest->program->n_ops, p->n_ops);
		if (p->n_ops > 0)
			assert_memory_equal(
			    of->newest->lines, now, p->n_ops * sizeof(*now));
		free(now);
	}
	program_free(p);
	text_free(&err);
}
