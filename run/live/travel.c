/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Going to an instant: to the moment before it, then on from there, as the run
 * went. The present is set aside meanwhile, with all observers that users have
 * attached; others take their place, and collect what there was to collect.
 */
#include <stdlib.h>

#include "run/digest/digest.h"
#include "run/live/history_private.h"

#define SLICE_EVENTS 5000

bool
session_may_travel(const struct session *s, struct text *err)
{
	if (s->past != NULL && !session_is_served(s) && !session_is_on_gpu(s))
		return true;
	text_adds(err,
	    session_is_on_gpu(s)
		? "a GPU does not repeat what it did: the past is in the "
		  "timeline only"
		: "programs do not repeat what they did: the past is in the "
		  "timeline only");
	return false;
}

bool
session_is_past(const struct session *s)
{
	return s->past != NULL && s->past->past;
}

struct run_place
history_end_place(const struct session *s)
{
	return s->past->past ? s->past->present.end->place : place_now(s);
}

nsec
session_present(const struct session *s)
{
	return session_is_past(s) ? s->past->present.end->place.at
				  : s->run.sim->now;
}

/* The present. */

/* Observers of the past. */
static void
watch_past(struct session *s)
{
	sim_add_observer(s->run.sim, &s->digest->observer);
	sim_add_observer(s->run.sim, &s->trail->observer);
	inflight_begin(&s->inflight, &s->run);
	ban_notice_begin(&s->bans, s->run.sim);
	hang_history_begin(&s->hangs, &s->run, s->plan);
}

static void
leave_past(struct session *s)
{
	layer_watch_leave(&s->layer);
	message_log_free(&s->layer.messages);
	text_free(&s->layer.problem);
	free(s->layer.trail);
	inflight_end(&s->inflight);
	ban_notice_end(&s->bans);
	hang_history_end(&s->hangs);
	changes_free(&s->changes);
	sim_remove_observer(s->run.sim, &s->trail->observer);
	sim_remove_observer(s->run.sim, &s->digest->observer);
}

void
history_leave_present(struct session *s)
{
	struct history *h = s->past;
	struct present *p = &h->present;

	history_settle(s);
	*p = (struct present){
	    .end = moment_take(s),
	    .observers = sim_hold_observers(s->run.sim),
	    .inflight = s->inflight,
	    .bans = s->bans,
	    .hangs = s->hangs,
	    .layer = s->layer,
	    .baseline = s->baseline,
	    .changes = s->changes,
	    .sums = changes_sums(s->run.sim),
	};
	s->inflight = (struct inflight){0};
	s->bans = (struct ban_notice){0};
	s->hangs = (struct hang_history){0};
	s->layer = (struct layer_watch){
	    .outputs = p->layer.outputs,
	    .numbers = p->layer.numbers,
	    .wanted = p->layer.wanted || p->layer.layer != NULL,
	    .held = true,
	};
	s->baseline = (struct baseline){0};
	s->changes = (struct changes){.noted = p->changes.noted};
	if (s->recorder != NULL)
		recorder_hold(s->recorder, true);
	h->past = true;
	watch_past(s);
	layer_watch_begin(&s->layer, &s->run);
	moment_restore_news(s, p->end, &p->changes);
}

/* The run of the present, but not its documents. */
void
history_bring_present_back(struct session *s)
{
	struct history *h = s->past;
	struct present *p = &h->present;
	struct outputs outputs = s->layer.outputs;
	bool wanted = s->layer.wanted && p->layer.layer == NULL;
	bool is_there = !place_is_before(place_now(s), p->end->place);
	uint64_t n_jumps = s->n_jumps;

	leave_past(s);
	moment_restore_run(s, p->end);
	if (is_there)
		s->n_jumps = n_jumps;
	s->inflight = p->inflight;
	s->bans = p->bans;
	s->hangs = p->hangs;
	s->layer = p->layer;
	s->layer.outputs = outputs;
	s->layer.wanted |= wanted;
	s->baseline = p->baseline;
	s->changes = p->changes;
	sim_resume_observers(s->run.sim, &p->observers);
	if (s->recorder != NULL)
		recorder_hold(s->recorder, false);
	h->past = false;
	h->next = h->line.n;
	s->behind = false;
}

void
history_become_present(struct session *s)
{
	struct history *h = s->past;

	history_bring_present_back(s);
	history_restore_plan(s, h->line.n);
	history_plan_moment(s, h->present.end);
	moment_free(h->present.end);
	h->present.end = NULL;
}

void
history_go_to(struct session *s, const struct moment *m)
{
	layer_watch_leave(&s->layer);
	moment_restore_run(s, m);
	moment_restore_news(s, m, &s->past->present.changes);
	history_restore_plan(s, m->n);
	s->layer.numbers = m->layer;
	layer_watch_begin(&s->layer, &s->run);
	history_plan_moment(s, m);
}

/* Running on. */

struct run_bound
history_bounded(const struct session *s, struct run_bound b)
{
	struct run_place end = history_end_place(s);

	if (b.until < end.at || (b.until == end.at && b.instant < end.instant))
		return b;
	if (b.instant < end.instant)
		return (struct run_bound){end.at, b.instant, false};
	return (struct run_bound){end.at, end.instant, true};
}

static const struct input *
next_input(const struct history *h)
{
	return h->next < h->line.n ? h->line.inputs[h->next] : NULL;
}

/* Does the inputs of this place again. */
static void
repeat_inputs(struct session *s)
{
	const struct sim *sim = s->run.sim;
	const struct input *in = next_input(s->past);

	for (; in != NULL && in->place.instant == sim->n_instants &&
	     in->place.at == sim->now;
	     in = next_input(s->past))
		history_repeat(s);
}

/* Runs towards the place of an input. SIM_ENDED: it can't be reached. */
static enum sim_ran
run_to_input(struct session *s, const struct input *in, uint64_t max_events)
{
	struct sim *sim = s->run.sim;
	uint64_t before = sim->n_instants;
	enum sim_ran ran = sim_run_instants(
	    sim, in->place.at, in->place.instant, max_events);

	if (ran == SIM_HELD)
		return SIM_HELD;
	if (sim->n_instants == in->place.instant &&
	    sim_move_to(sim, in->place.at))
		return SIM_RAN;
	return sim->n_instants == before ? SIM_ENDED : SIM_RAN;
}

enum sim_ran
history_run_through(struct session *s, struct run_bound to, uint64_t max_events)
{
	struct sim *sim = s->run.sim;
	const struct input *in;
	enum sim_ran ran;

	repeat_inputs(s);
	in = next_input(s->past);
	if (!to.exact && sim->n_instants >= to.instant)
		return SIM_ENDED;
	if (in != NULL && in->place.at <= to.until &&
	    in->place.instant <= to.instant)
		return run_to_input(s, in, max_events);
	ran = sim_run_instants(sim, to.until, to.instant, max_events);
	if (ran == SIM_HELD)
		return SIM_HELD;
	if (sim->n_instants >= to.instant) {
		if (to.exact)
			sim_move_to(sim, to.until);
		return SIM_ENDED;
	}
	return ran == SIM_ENDED ||
		(sim->now >= to.until && sim_next_event(sim) > to.until)
	    ? SIM_ENDED
	    : SIM_RAN;
}

/* True if the present is reached. */
bool
history_is_at_end(const struct session *s)
{
	struct run_place now = place_now(s);

	return !place_is_before(now, history_end_place(s));
}

bool
history_advance(struct session *s, nsec until, uint64_t max_events, nsec stop)
{
	struct run_bound to = history_bounded(
	    s, (struct run_bound){until, UINT64_MAX, false});
	uint64_t last = s->run.sim->n_events + max_events;
	enum sim_ran ran;

	do {
		ran = history_run_through(s, to, SLICE_EVENTS);
		history_take_due(s);
	} while (ran == SIM_RAN &&
	    (max_events == 0 || s->run.sim->n_events < last) &&
	    (stop == NSEC_NEVER || clock_wall() < stop));
	if (ran == SIM_ENDED && to.exact)
		history_become_present(s);
	return ran == SIM_ENDED;
}

enum sim_ran
history_step(struct session *s)
{
	uint64_t before = s->run.sim->n_instants;
	struct run_bound to = history_bounded(
	    s, (struct run_bound){NSEC_MAX, before + 1, false});
	enum sim_ran ran;

	do
		ran = history_run_through(s, to, 0);
	while (ran == SIM_RAN);
	if (history_is_at_end(s))
		history_become_present(s);
	else if (ran == SIM_ENDED && s->run.sim->n_instants != before)
		ran = SIM_RAN;
	return session_is_past(s) || ran == SIM_HELD ? ran : SIM_RAN;
}
