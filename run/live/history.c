/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inputs of a run: an observer notes controls, the session what it samples and
 * what users edit. Done again, an input has the effect that it had: programs
 * were kept, and documents are put back, with the identities of their lines.
 */
#include "run/live/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/follow/follow_past.h"
#include "parser/document/edit.h"
#include "run/live/history_private.h"

struct input *
input_ref(struct input *in)
{
	if (in != NULL)
		in->refs++;
	return in;
}

void
input_unref(struct input *in)
{
	if (in == NULL || --in->refs > 0)
		return;
	if (in->control.program != NULL)
		program_unref(in->control.program);
	free((char *)(uintptr_t)in->control.name);
	text_free(&in->what);
	if (in->since != NULL)
		figures_free(in->since);
	free(in->since);
	for (size_t i = 0; i < in->n_sources; i++) {
		kept_document_free(in->sources[i].kept);
		text_free(&in->sources[i].problem);
	}
	free(in->sources);
	free(in);
}

void
run_line_free(struct run_line *t)
{
	for (size_t i = 0; i < t->n; i++)
		input_unref(t->inputs[i]);
	free(t->inputs);
	moment_free(t->end);
	changes_free(&t->changes);
	recorded_lines_free(&t->recorded);
	*t = (struct run_line){0};
}

static struct input *
add_input(struct history *h, enum input_kind kind)
{
	struct run_line *t = &h->line;
	struct input *in = mem_calloc(1, sizeof *in);

	in->kind = kind;
	in->refs = 1;
	in->place = place_now(h->session);
	if (t->n > 0)
		memcpy(in->last, t->inputs[t->n - 1]->last, sizeof(in->last));
	in->last[kind] = t->n + 1;
	t->inputs = mem_grow(t->inputs, t->n, &t->cap, sizeof(*t->inputs));
	t->inputs[t->n++] = in;
	h->next = t->n;
	return in;
}

/* Returns the last input of that kind among the first n; NULL: none. */
static const struct input *
last_input(const struct history *h, enum input_kind kind, size_t n)
{
	size_t last = n > 0 ? h->line.inputs[n - 1]->last[kind] : 0;

	return last > 0 ? h->line.inputs[last - 1] : NULL;
}

/* The plan. */

static bool
is_as_noted(const struct session *s, const struct input *plan, size_t i)
{
	const struct source *from = &s->plan->sources[i];
	const struct source_then *then = &plan->sources[i];

	return document_state(from->doc) == then->state &&
	    from->clones == then->clones && from->waiting == then->waiting;
}

bool
history_is_unsettled(const struct session *s)
{
	const struct history *h = s->past;
	const struct input *plan = last_input(h, INPUT_PLAN, h->next);

	/* In the past there may be sources that were opened later. */
	if (plan == NULL || (!h->past && plan->n_sources != s->plan->n_sources))
		return true;
	for (size_t i = 0; i < plan->n_sources; i++)
		if (!is_as_noted(s, plan, i))
			return true;
	return false;
}

static void
note_source(struct session *s, size_t i, struct source_then *then)
{
	const struct source *from = &s->plan->sources[i];
	const char *problem = session_document_problem(s, i);

	then->state = document_state(from->doc);
	then->kept = from->is_alias ? NULL : document_keep(from->doc);
	if (problem != NULL)
		text_adds(&then->problem, problem);
	if (!session_problem_line(s, i, &then->problem_line))
		then->problem_line = SIZE_MAX;
	then->clones = from->clones;
	then->waiting = from->waiting;
}

bool
history_settle(struct session *s)
{
	struct input *in;

	if (!history_is_unsettled(s))
		return false;
	in = add_input(s->past, INPUT_PLAN);
	in->n_sources = s->plan->n_sources;
	in->sources = mem_calloc(in->n_sources + 1, sizeof(*in->sources));
	for (size_t i = 0; i < in->n_sources; i++)
		note_source(s, i, &in->sources[i]);
	return true;
}

static void
restore_source(struct session *s, size_t i, const struct source_then *then)
{
	struct source *to = &s->plan->sources[i];
	struct document_state *state = session_document_state(s, i);

	if (then->kept != NULL)
		document_put_back(to->doc, then->kept);
	to->clones = then->clones;
	to->waiting = then->waiting;
	text_clear(&state->problem);
	text_adds(&state->problem, text_str(&then->problem));
	state->line = then->problem_line;
}

static void
do_plan(struct session *s, const struct input *plan)
{
	for (size_t i = 0; i < s->plan->n_sources; i++)
		if (i < plan->n_sources) {
			restore_source(s, i, &plan->sources[i]);
		} else {
			s->plan->sources[i].clones = 0;
			s->plan->sources[i].waiting = true;
		}
}

void
history_restore_plan(struct session *s, size_t n)
{
	do_plan(s, last_input(s->past, INPUT_PLAN, n));
}

void
history_restore_since(struct session *s, size_t n)
{
	const struct input *reset = last_input(s->past, INPUT_RESET, n);

	figures_free(&s->since);
	if (reset != NULL)
		figures_copy(&s->since, reset->since);
}

/* Controls and changes. */

static void
on_noted_control(struct observer *o, const struct control *control)
{
	struct history *h = container_of(o, struct history, observer);
	struct input *in;

	if (h->repeats)
		return;
	history_settle(h->session);
	in = add_input(h, INPUT_CONTROL);
	in->control = *control;
	in->control.name = control->name != NULL ? mem_strdup(control->name)
						 : NULL;
	if (control->program == NULL)
		return;
	program_ref(control->program);
	in->source = (size_t)((const struct source *)control->source -
	    h->session->plan->sources);
}

static void
on_noted_change(struct changes *c, const char *what)
{
	struct session *s = container_of(c, struct session, changes);

	if (s->past == NULL || s->past->repeats)
		return;
	history_settle(s);
	text_adds(&add_input(s->past, INPUT_CHANGE)->what, what);
}

static void
do_control(struct session *s, const struct input *in)
{
	struct control control = in->control;
	struct text err = {0};

	control.source = control.program != NULL ? &s->plan->sources[in->source]
						 : NULL;
	run_control(&s->run, &control, &err);
	text_free(&err);
}

static void
do_tick(struct session *s, const struct input *in)
{
	struct history *h = s->past;

	session_sample(s, in->window, in->second);
	if (h->ticked != NULL && h->next >= h->ticks_from)
		h->ticked(h->tick_data);
}

static void
do_words(struct session *s, const struct input *in)
{
	struct text err = {0};

	for (size_t i = 0; i < in->n_words; i++)
		follow_past_tell(
		    plan_past(s->plan), s->run.sim, &in->words[i], &err);
	text_free(&err);
}

void
history_repeat(struct session *s)
{
	struct history *h = s->past;
	const struct input *in = h->line.inputs[h->next];

	h->repeats = true;
	switch (in->kind) {
	case INPUT_PLAN: do_plan(s, in); break;
	case INPUT_CONTROL: do_control(s, in); break;
	case INPUT_CHANGE:
		changes_add(&s->changes, s->run.sim, "%s", text_str(&in->what));
		break;
	case INPUT_TICK: do_tick(s, in); break;
	case INPUT_RESET: session_reset_totals(s); break;
	case INPUT_WORDS: do_words(s, in); break;
	}
	h->repeats = false;
	h->next++;
}

void
history_note_tick(struct session *s, nsec window, nsec second)
{
	struct history *h = s->past;
	const struct input *last;
	struct input *in;

	if (h == NULL || h->past || h->repeats)
		return;
	history_follow(s);
	last = h->line.n > 0 ? h->line.inputs[h->line.n - 1] : NULL;
	if (last != NULL && last->kind == INPUT_TICK &&
	    last->place.at == s->run.sim->now && last->window == window &&
	    last->second == second)
		return;
	in = add_input(h, INPUT_TICK);
	in->window = window;
	in->second = second;
}

void
history_note_reset(struct session *s)
{
	struct history *h = s->past;
	struct input *in;

	if (h == NULL || h->past || h->repeats)
		return;
	history_follow(s);
	in = add_input(h, INPUT_RESET);
	in->since = mem_calloc(1, sizeof(*in->since));
	figures_copy(in->since, &s->since);
}

void
history_note_words(struct session *s, const struct follow_word *words, size_t n)
{
	struct input *in = add_input(s->past, INPUT_WORDS);

	in->words = words;
	in->n_words = n;
}

/* Launches. */

void
history_launched(struct session *s)
{
	struct history *h;

	history_end(s);
	if (session_is_served(s) || session_is_on_gpu(s))
		return;
	h = s->past = mem_calloc(1, sizeof *h);
	h->session = s;
	h->observer.controlled = on_noted_control;
	h->ticked = s->ticked;
	h->tick_data = s->tick_data;
	s->changes.noted = on_noted_change;
	sim_add_observer(s->run.sim, &h->observer);
	history_settle(s);
	history_take_due(s);
}

void
session_on_tick(struct session *s, void (*ticked)(void *data), void *data)
{
	s->ticked = ticked;
	s->tick_data = data;
	if (s->past == NULL)
		return;
	s->past->ticked = ticked;
	s->past->tick_data = data;
}

/* The present is what a session ends in. */
void
history_end(struct session *s)
{
	struct history *h = s->past;

	if (h == NULL)
		return;
	if (h->past)
		history_become_present(s);
	sim_remove_observer(s->run.sim, &h->observer);
	history_drop_moments(h);
	for (size_t i = 0; i < h->n_branches; i++) {
		run_line_free(h->branches[i]);
		free(h->branches[i]);
	}
	free(h->branches);
	for (size_t i = 0; i < h->n_forks; i++)
		input_unref(h->forks[i].last);
	free(h->forks);
	run_line_free(&h->line);
	free(h);
	s->past = NULL;
}
