/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journeys: from a key or command to an instant, which may take seconds. A key stops
 * one, between two instants unless one takes very long. Views see the last ticks
 * before the instant again, so that their rates are what they were.
 */
#include "base/stop.h"
#include "base/units.h"
#include "run/live/history_private.h"
#include "run/live/pace.h"

#define SLICE_OF_JOURNEY 5000
/* Ticks before an instant that views see again: their rates are of that many
 * windows. To see them all, a moment before may be chosen, at most that many
 * events away. */
#define TICKS_SEEN  (RATE_SAMPLES + 2)
#define TICKS_WORTH 300000
/* Events in which a miss or hang of the future is looked for. */
#define EVENTS_AHEAD 5000000
/* Events from one tick to the next beyond the present, at full speed, and ticks of
 * a way at another one, at most. */
#define EVENTS_OF_TICK 20000
#define TICKS_OF_WAY   4000

/* Time for which an instant may go on when a key has stopped the journey, wall ns: a
 * client may submit tens of thousands of requests in one. After that it is left
 * unfinished, which ends the run. */
#define PATIENCE_NS NSEC_PER_SEC

static enum sim_poll
poll_journey(void *data)
{
	struct journey *j = data;
	const struct sim *sim = j->session->run.sim;

	if (!stop_is_wanted(j->session->plan->stop))
		return SIM_GO_ON;
	if (j->since == 0 || j->instant != sim->n_instants)
		j->since = clock_wall();
	j->instant = sim->n_instants;
	return clock_wall() - j->since < PATIENCE_NS ? SIM_PAUSE : SIM_STOP;
}

void
journey_begin(struct journey *j, struct session *s, nsec wall)
{
	*j = (struct journey){
	    .session = s,
	    .poll = s->poll,
	    .data = s->poll_data,
	    .from = place_now(s),
	    .from_past = session_is_past(s),
	    .paused = s->clock.paused,
	};
	session_pause(s, wall, true);
	session_set_poll(s, poll_journey, j);
	history_follow(s);
}

/* A journey that was refused leaves the run as it was, whether it went on or
 * not. */
static bool
led_nowhere(const struct journey *j)
{
	struct run_place now = place_now(j->session);

	return now.at == j->from.at && now.instant == j->from.instant &&
	    session_is_past(j->session) == j->from_past;
}

void
journey_end(struct journey *j, nsec wall, bool ok)
{
	struct session *s = j->session;

	session_set_poll(s, j->poll, j->data);
	s->past->ticks_from = 0;
	s->past->way = (struct way){0};
	s->behind = false;
	clock_rebase(&s->clock, wall, s->run.sim->now);
	if (!ok && led_nowhere(j))
		session_pause(s, wall, j->paused);
}

void
journey_heads_for(struct session *s, const uint64_t *counter, uint64_t value)
{
	s->past->way = (struct way){counter, *counter, value};
}

int
session_way_percent(const struct session *s)
{
	const struct way *way = s->past != NULL ? &s->past->way : NULL;

	if (way == NULL || way->counter == NULL || way->to <= way->from ||
	    *way->counter < way->from)
		return -1;
	if (*way->counter >= way->to)
		return 100;
	return (int)(100.0 * (double)(*way->counter - way->from) /
	    (double)(way->to - way->from));
}

bool
journey_stops(const struct session *s)
{
	return stop_is_wanted(s->plan->stop) ||
	    s->run.sim->state == SIM_STOPPED;
}

bool
journey_say_stopped(const struct session *s, struct text *err)
{
	char at[UNITS_LEN];

	text_addf(err, "stopped at %s", format_time(at, s->run.sim->now));
	return false;
}

static bool
moment_is_before(const struct moment *m, struct run_bound to)
{
	return m->place.instant <= to.instant && m->place.at <= to.until;
}

/* Returns the last moment before the bound; the one of the launch is always
 * there. */
const struct moment *
history_moment_before(const struct session *s, struct run_bound to)
{
	const struct history *h = s->past;
	const struct moment *found = NULL;

	for (size_t i = 0; i < h->n_moments; i++)
		if (moment_is_before(h->moments[i], to) &&
		    moment_is_valid(s, h->moments[i]) &&
		    (found == NULL ||
			!place_is_before(h->moments[i]->place, found->place)))
			found = h->moments[i];
	return found;
}

/* Finds the last ticks before the bound: views see those again. Returns the place
 * of the first of them. */
static struct run_bound
find_ticks(struct session *s, struct run_bound to)
{
	struct history *h = s->past;
	size_t i = h->line.n;
	unsigned n = 0;

	for (; i > 0 && n < TICKS_SEEN; i--) {
		const struct input *in = h->line.inputs[i - 1];

		n += in->kind == INPUT_TICK && in->place.at <= to.until &&
		    in->place.instant <= to.instant;
	}
	h->ticks_from = i;
	if (i == 0)
		return (struct run_bound){0, 0, false};
	return (struct run_bound){h->line.inputs[i]->place.at,
	    h->line.inputs[i]->place.instant, false};
}

/* Returns the moment to begin from. */
static const struct moment *
moment_to_begin(struct session *s, struct run_bound to)
{
	const struct moment *last = history_moment_before(s, to);
	const struct moment *earlier = history_moment_before(
	    s, find_ticks(s, to));

	return earlier != NULL &&
		last->n_events - earlier->n_events < TICKS_WORTH
	    ? earlier
	    : last;
}

/* Runs through the last ticks before the present, unless that takes long. */
static void
see_last_ticks(struct session *s)
{
	const struct moment *end = s->past->present.end;
	struct run_bound to = {end->place.at, end->place.instant, true};
	const struct moment *from = moment_to_begin(s, to);
	enum sim_ran ran;

	if (end->n_events - from->n_events > TICKS_WORTH)
		return;
	history_go_to(s, from);
	do
		ran = history_run_through(s, to, SLICE_OF_JOURNEY);
	while (ran == SIM_RAN && !journey_stops(s));
	if (ran == SIM_ENDED) /* the ticks at that place */
		ran = history_run_through(s, to, 0);
}

void
history_arrive_at_present(struct session *s)
{
	if (!session_is_past(s))
		return;
	if (s->past->ticked != NULL)
		see_last_ticks(s);
	history_become_present(s);
}

/* Goes to a place up to the present. False: stopped. */
bool
history_go_to_bound(struct session *s, struct run_bound to, struct text *err)
{
	enum sim_ran ran;

	to = history_bounded(s, to);
	if (to.exact && to.until == history_end_place(s).at &&
	    to.instant == history_end_place(s).instant) {
		history_arrive_at_present(s);
		return true;
	}
	if (!session_is_past(s))
		history_leave_present(s);
	history_go_to(s, moment_to_begin(s, to));
	if (to.until < NSEC_MAX)
		journey_heads_for(s, &s->run.sim->now, to.until);
	else
		journey_heads_for(s, &s->run.sim->n_instants, to.instant);
	do {
		ran = history_run_through(s, to, SLICE_OF_JOURNEY);
		if (ran == SIM_ENDED)
			return true;
		history_take_due(s);
	} while (ran == SIM_RAN && !journey_stops(s));
	return journey_say_stopped(s, err);
}

void
history_begin_ticks(const struct session *s, struct ticking *t, nsec span)
{
	double window = (double)s->delay * s->clock.speed;
	nsec least = span != NSEC_NEVER ? span / TICKS_OF_WAY : 0;

	t->window = window < 1e18 ? (nsec)window : 0;
	t->apart = t->window == 0 ? EVENTS_OF_TICK
	    : span == NSEC_NEVER  ? EVENTS_OF_TICK / 20
				  : 0;
	if (t->window > 0 && t->window < least)
		t->window = least;
	t->next = s->run.sim->now + t->window;
	t->events = s->run.sim->n_events + t->apart;
}

void
history_tick_beyond(struct session *s, nsec wall, struct ticking *t)
{
	struct history *h = s->past;

	history_take_due(s);
	if (s->run.sim->now < t->next || s->run.sim->n_events < t->events)
		return;
	session_tick(s, wall);
	if (h->ticked != NULL)
		h->ticked(h->tick_data);
	t->next = s->run.sim->now + t->window;
	t->events = s->run.sim->n_events + t->apart;
}

/* Runs on in the present until time, or until a counter has that value. */
bool
history_run_beyond(struct session *s, nsec wall, nsec until,
    const uint64_t *counter, uint64_t value, struct text *err)
{
	struct sim *sim = s->run.sim;
	struct ticking ticking;
	uint64_t last = sim->n_events + EVENTS_AHEAD;
	enum sim_ran ran;

	if (until > s->limit)
		until = s->limit;
	session_note(s, "goto", NULL);
	history_begin_ticks(s, &ticking,
	    counter != NULL || until == NSEC_NEVER ? NSEC_NEVER
						   : until - sim->now);
	if (counter != NULL)
		journey_heads_for(s, counter, value);
	else
		journey_heads_for(s, &sim->now, until);
	while (sim->state == SIM_RUNNING && sim->now < until &&
	    (counter == NULL || (*counter < value && sim->n_events < last))) {
		if (counter != NULL && sim_next_event(sim) > until)
			break;
		ran = counter == NULL
		    ? sim_go(sim,
			  ticking.apart > 0 ? until
					    : nsec_earlier(until, ticking.next),
			  SLICE_OF_JOURNEY)
		    : sim_run_instants(sim, NSEC_NEVER, sim->n_instants + 1, 0);
		history_tick_beyond(s, wall, &ticking);
		if (ran == SIM_HELD || journey_stops(s))
			return journey_say_stopped(s, err);
	}
	session_tick(s, wall);
	return true;
}
