/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places to go to: times, missed periods and hangs by their number, and the
 * present. */
#include <inttypes.h>

#include "run/live/history_private.h"
#include "run/live/pace.h"

static bool
goto_time(struct session *s, nsec wall, nsec time, struct text *err)
{
	struct run_bound to = {time, UINT64_MAX, false};

	if (time <= session_present(s) &&
	    !(time == session_present(s) && !session_is_past(s)))
		return history_go_to_bound(s, to, err);
	if (session_is_past(s))
		history_become_present(s);
	return history_run_beyond(s, wall, time, NULL, 0, err);
}

/* Misses and hangs. */

/* Returns the last moment with less of it than that. */
static const struct moment *
moment_below(const struct session *s, bool hangs, uint64_t number)
{
	const struct history *h = s->past;
	const struct moment *found = h->moments[0];

	for (size_t i = 0; i < h->n_moments; i++) {
		const struct moment *m = h->moments[i];

		if ((hangs ? m->n_hangs : m->n_missed) < number &&
		    moment_is_valid(s, m) &&
		    place_is_before(found->place, m->place))
			found = m;
	}
	return found;
}

/* Runs on through the past, instant by instant, until the counter has that
 * value. */
static bool
count_through(struct session *s, const uint64_t *counter, uint64_t value,
    struct text *err)
{
	journey_heads_for(s, counter, value);
	while (*counter < value && !history_is_at_end(s)) {
		struct run_bound to = history_bounded(s,
		    (struct run_bound){
			NSEC_MAX, s->run.sim->n_instants + 1, false});

		enum sim_ran ran = history_run_through(s, to, 0);

		if (ran == SIM_ENDED && to.exact)
			break;
		if (ran == SIM_HELD || journey_stops(s))
			return journey_say_stopped(s, err);
	}
	return true;
}

uint64_t
session_number_so_far(const struct session *s, bool hangs)
{
	const struct sim *sim = s->run.sim;

	if (session_is_past(s))
		return hangs ? s->past->present.end->n_hangs
			     : s->past->present.end->n_missed;
	return hangs ? sim->n_hangs : sim->n_missed;
}

static bool
goto_number(
    struct session *s, nsec wall, bool hangs, uint64_t number, struct text *err)
{
	const char *what = hangs ? "hang" : "missed period";
	const uint64_t *counter = hangs ? &s->run.sim->n_hangs
					: &s->run.sim->n_missed;
	uint64_t n = session_number_so_far(s, hangs);
	struct run_bound to;

	if (number == 0 && n == 0) {
		text_addf(err, "there was no %s so far", what);
		return false;
	}
	if (number == 0)
		number = n;
	if (number > n) {
		if (session_is_past(s))
			history_become_present(s);
		if (!history_run_beyond(
			s, wall, NSEC_NEVER, counter, number, err))
			return false;
		if (*counter < number)
			text_addf(err,
			    "no %s %" PRIu64 " up to here: there are %" PRIu64,
			    what, number, *counter);
		return *counter >= number;
	}
	if (!session_is_past(s))
		history_leave_present(s);
	history_go_to(s, moment_below(s, hangs, number));
	if (!count_through(s, counter, number, err))
		return false;
	to = (struct run_bound){s->run.sim->now, s->run.sim->n_instants, true};
	return history_go_to_bound(s, to, err); /* with the ticks before it */
}

/* Returns to where the session was, after a search without success. */
static void
return_to(struct session *s, struct run_place from)
{
	struct text none = {0};

	history_go_to_bound(
	    s, (struct run_bound){from.at, from.instant, true}, &none);
	text_free(&none);
}

bool
session_goto(struct session *s, nsec wall, const struct goto_target *to,
    struct text *err)
{
	struct journey journey;
	struct run_place from;
	bool ok = true;

	if (!session_may_travel(s, err))
		return false;
	journey_begin(&journey, s, wall);
	from = place_now(s);
	switch (to->kind) {
	case GOTO_TIME: ok = goto_time(s, wall, to->time, err); break;
	case GOTO_MISS:
	case GOTO_HANG:
		ok = goto_number(
		    s, wall, to->kind == GOTO_HANG, to->number, err);
		break;
	case GOTO_LINE:
		ok = history_goto_line(s, to, err);
		if (!ok && !journey_stops(s))
			return_to(s, from);
		break;
	case GOTO_END: history_arrive_at_present(s); break;
	}
	journey_end(&journey, wall, ok);
	return ok;
}

void
session_return(struct session *s, nsec wall)
{
	struct journey journey;

	if (!session_is_past(s))
		return;
	journey_begin(&journey, s, wall);
	history_arrive_at_present(s);
	journey_end(&journey, wall, true);
}
