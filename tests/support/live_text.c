/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a session, its plan and its documents as text, to be compared. */
#include <inttypes.h>

#include "parser/document/edit.h"
#include "run/plan.h"
#include "tests/support/live_scene.h"

void
live_text_document(struct text *out, const struct document *doc)
{
	struct edit_effect told;

	text_addf(out, "revision %" PRIu64 ", state %" PRIu64 ", undone %d\n",
	    document_revision(doc), document_state(doc),
	    edit_undone(doc, &told));
	document_print(doc, out);
}

static void
add_source(struct text *out, const struct plan *plan, size_t i)
{
	const struct source *s = &plan->sources[i];

	text_addf(out,
	    "source %zu: %s, %u clones, waiting %d, file %d, saved %" PRIu64
	    ", unsaved %d\n",
	    i, s->name, s->clones, s->waiting, s->is_file, s->saved.state,
	    source_is_unsaved(s));
	live_text_document(out, s->doc);
}

void
live_text_plan(struct text *out, const struct plan *plan)
{
	text_addf(out, "%s on %s, %zu sources\n",
	    plan->sched != NULL ? plan->sched->name : "none",
	    plan->profile.name, plan->n_sources);
	for (size_t i = 0; i < plan->n_sources; i++)
		add_source(out, plan, i);
}

static void
add_client(struct text *out, const struct client *c)
{
	text_addf(out, "client %u of %u: state %d, pc %u, killed %d", c->id,
	    c->walker->workload->id, (int)c->state, c->walker->pc, c->killed);
	for (uint32_t i = 0; i < c->n_contexts; i++)
		text_addf(out, ", %d/%" PRIu32 "/%" PRIu64,
		    c->contexts[i]->priority, c->contexts[i]->sseu,
		    c->contexts[i]->preempt_ns);
	text_addc(out, '\n');
}

static void
add_run(struct text *out, const struct session *s)
{
	const struct sim *sim = s->run.sim;

	text_addf(out,
	    "%p at %" PRIu64 " ns, %" PRIu64 " events, %" PRIu64
	    " instants, state %d, %zu versions\n",
	    (const void *)sim, sim->now, sim->n_events, sim->n_instants,
	    (int)sim->state, s->run.versions.n);
	for (size_t i = 0; i < sim->n_clients; i++)
		add_client(out, sim->clients[i]);
}

struct text
live_scene_describe(const struct live_scene *sc)
{
	const struct session *s = &sc->session;
	const char *compared = baseline_name(s);
	struct text out = {0};

	text_addf(&out, "session: %d, generation %" PRIu64 ", speed %g, %s\n",
	    (int)session_state(s), s->generation, s->clock.speed,
	    compared != NULL ? compared : "nothing compared");
	for (size_t i = 0; i < sc->plan.n_sources; i++) {
		const char *problem = session_document_problem(s, i);

		text_addf(
		    &out, "problem: %s\n", problem != NULL ? problem : "");
	}
	live_text_plan(&out, &sc->plan);
	add_run(&out, s);
	return out;
}
