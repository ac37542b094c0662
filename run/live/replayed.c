/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded run, done again to its end as one that was done here: its controls
 * are inputs of the history, its descriptors documents that were edited, so that
 * any instant of it can be gone to, and a change in its past begins a branch. Of
 * a GPU's run the words are inputs, too; it takes no changes.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/units.h"
#include "parser/document/edit.h"
#include "run/live/history_private.h"
#include "run/live/live.h"
#include "run/options.h"
#include "run/plan.h"

#define SLICE_OF_REPLAY 5000 /* events */

bool
session_is_replayed(const struct session *s)
{
	return s->options != NULL && s->options->replay != NULL;
}

bool
session_is_of_recorded_gpu(const struct session *s)
{
	return plan_past(s->plan) != NULL;
}

/* Names what a control of values is about: "client 2", "all clients of a.wsim". */
static void
add_control_target(
    const struct session *s, const struct control *control, struct text *out)
{
	if (control->client != CONTROL_ALL) {
		text_addf(out, "client %" PRIu32, control->client);
		return;
	}
	text_adds(out, "all clients of ");
	if (control->workload < s->plan->n_sources)
		source_add_title(s->plan, control->workload, out);
}

/* Notes a control in the list of changes. */
static void
note_control(struct session *s, const struct control *control)
{
	struct text what = {0};

	switch (control->kind) {
	case CONTROL_ADD:
		text_addf(&what, "%" PRIu32 " client%s of ", control->n_clients,
		    control->n_clients == 1 ? "" : "s");
		source_add_title(s->plan,
		    control->program != NULL ? s->plan->n_sources - 1
					     : control->workload,
		    &what);
		text_adds(&what, " launched");
		break;
	case CONTROL_KILL:
		add_control_target(s, control, &what);
		text_adds(&what, " killed");
		break;
	default:
		text_addf(&what, "%s %" PRId64 " of context %" PRIu32 " of ",
		    control_name(control->kind), control->value,
		    control->context);
		add_control_target(s, control, &what);
		break;
	}
	changes_add(&s->changes, s->run.sim, "%s", text_str(&what));
	text_free(&what);
}

/* Makes the recorded text that of a source. */
static void
take_recorded_text(struct source *to, const struct source *from)
{
	struct text t = {0};

	if (to->is_inline && !from->is_inline) {
		edit_into_file(to->doc);
		to->is_inline = false;
	}
	document_print(from->doc, &t);
	edit_rewrite(to->doc, text_str(&t), t.len);
	text_free(&t);
	to->waiting = from->waiting;
	to->saved.state = document_state(to->doc);
}

/* Compiles the document of a source for an action, in place of what it had. */
static bool
compile_again(
    struct session *s, size_t i, struct replay_action *a, struct text *err)
{
	const struct source *from = &s->plan->sources[i];
	struct program *program = from->waiting
	    ? plan_placeholder(s->plan)
	    : plan_build(s->plan, from, err);

	if (program == NULL)
		return false;
	program_unref(a->control.program);
	a->control.program = program;
	a->control.source = from;
	return true;
}

/* Returns the source that a control is about; n_sources: none. */
static size_t
source_of_control(const struct session *s, const struct control *control)
{
	const struct sim *sim = s->run.sim;
	size_t i = control->workload;

	if (control->client != CONTROL_ALL)
		i = control->client < sim->n_clients
		    ? client_workload(sim->clients[control->client])
		    : SIZE_MAX;
	return i < s->plan->n_sources ? i : s->plan->n_sources;
}

static bool
prepare_swap(struct session *s, struct replay_action *a, struct text *err)
{
	size_t i = source_of_control(s, &a->control);
	struct text what = {0};

	if (i == s->plan->n_sources)
		return true; /* the control is refused */
	take_recorded_text(&s->plan->sources[i], a->source);
	session_describe_edit(s, i, &what);
	changes_add(&s->changes, s->run.sim, "%s", text_str(&what));
	text_free(&what);
	return compile_again(s, i, a, err);
}

/* The plan takes the source of the action over. */
static bool
prepare_new_source(struct session *s, struct replay_action *a, struct text *err)
{
	struct plan *plan = s->plan;
	struct source *added;

	plan->sources = mem_realloc(
	    plan->sources, plan->n_sources + 1, sizeof(*plan->sources));
	added = &plan->sources[plan->n_sources++];
	*added = *a->source;
	free(a->source);
	a->source = NULL;
	added->clones = a->control.n_clients;
	added->priority = a->control.options.priority;
	added->small_sseu = a->control.options.small_sseu;
	added->background = a->control.options.background;
	a->control.name = added->name;
	return compile_again(s, plan->n_sources - 1, a, err);
}

/* Does to the plan what the action did. */
static bool
prepare_control(struct session *s, struct replay_action *a, struct text *err)
{
	const struct control *control = &a->control;
	size_t i = source_of_control(s, control);

	if (control->kind == CONTROL_SWAP)
		return prepare_swap(s, a, err);
	if (control->kind == CONTROL_ADD && control->program != NULL &&
	    !prepare_new_source(s, a, err))
		return false;
	if (control->kind == CONTROL_ADD && control->program == NULL &&
	    i < s->plan->n_sources)
		s->plan->sources[i].clones += control->n_clients;
	else if (control->kind == CONTROL_KILL && i < s->plan->n_sources &&
	    control->client != CONTROL_ALL && s->plan->sources[i].clones > 0)
		s->plan->sources[i].clones--;
	note_control(s, control);
	return true;
}

static bool
prepare_action(void *session, struct replay_action *a, struct text *err)
{
	struct session *s = session;

	if (a->words == NULL)
		return prepare_control(s, a, err);
	history_note_words(s, a->words, a->n_words);
	return true;
}

/* Plays the recording to its end. */
static bool
play_through(struct session *s, nsec wall, struct replay *r, struct text *err)
{
	struct ticking ticking;

	journey_heads_for(s, &s->run.sim->now, replay_duration(r));
	history_begin_ticks(s, &ticking, replay_duration(r));
	while (!r->is_over) {
		if (!replay_run(r, &s->run,
			ticking.apart > 0 ? NSEC_NEVER : ticking.next,
			SLICE_OF_REPLAY, err))
			return false;
		history_tick_beyond(s, wall, &ticking);
		if (!r->is_over && journey_stops(s)) {
			journey_say_stopped(s, err);
			break;
		}
	}
	session_tick(s, wall);
	return true;
}

bool
session_play_recording(
    struct session *s, nsec wall, struct replay *r, struct text *err)
{
	struct journey journey;
	bool ok;

	journey_begin(&journey, s, wall);
	r->prepare = prepare_action;
	r->prepare_data = s;
	s->limit = r->duration;
	ok = play_through(s, wall, r, err);
	if (session_is_of_recorded_gpu(s))
		s->limit = s->run.sim->now; /* it says no more */
	history_settle(s);
	journey_end(&journey, wall, true);
	return ok;
}
