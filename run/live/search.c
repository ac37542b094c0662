/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking for something in the past, instant by instant: the submission of a
 * line, or the batch or iteration that ended last.
 */
#include <inttypes.h>

#include "base/util.h"
#include "engine/client/origin.h"
#include "parser/step.h"
#include "run/live/history_private.h"

/* Lines. */

/* Notes when a step of a line is submitted. */
struct line_watch {
	struct observer observer;
	const struct session *session;
	const struct goto_target *to;
	const struct document *doc;
	uint32_t identity;
	uint64_t n; /* submissions */
};

static void
on_line_submitted(struct observer *o, struct request *rq)
{
	struct line_watch *w = container_of(o, struct line_watch, observer);
	const struct session *s = w->session;
	const struct version *v;

	if (rq->client->id != w->to->client || rq->client->walker == NULL)
		return;
	if (w->to->iteration != UINT64_MAX &&
	    rq->origin.iteration != w->to->iteration)
		return;
	v = versions_find(&s->run.versions, request_program(rq));
	if (v == NULL || v->of->doc != w->doc ||
	    version_identity(v, rq->origin.step) != w->identity)
		return;
	w->n++;
}

/* Begins to watch a line; false: it has no batch. */
static bool
watch_line(struct line_watch *w, struct session *s,
    const struct goto_target *to, struct text *err)
{
	size_t owner = plan_document(s->plan, to->source);
	const struct document *doc = s->plan->sources[owner].doc;
	const struct step *step = to->line < document_n_lines(doc)
	    ? document_line_step(doc, to->line)
	    : NULL;

	*w = (struct line_watch){
	    .observer.submitted = on_line_submitted,
	    .session = s,
	    .to = to,
	    .doc = doc,
	};
	if (step == NULL || step->kind != STEP_BATCH) {
		text_addf(err,
		    "line %zu has no batch: expected a line such as "
		    "1.RCS.1000.0.0",
		    to->line + 1);
		return false;
	}
	w->identity = document_identity(doc, document_line(doc, to->line));
	return true;
}

/* Finds the last thing of a kind in the past. */
struct past_search {
	/* True if the instant that was just run has one. */
	bool (*found)(struct past_search *search, const struct session *s);
	uint64_t before;  /* a counter, before the instant */
	uint64_t instant; /* of the last one found; 0: none */
	nsec at;
	bool first; /* the first one is enough */
	enum sim_step what;
	struct line_watch *watch;
};

static uint64_t
count_of(const struct session *s, enum sim_step what)
{
	return what == SIM_STEP_BATCH ? s->run.sim->n_ended_requests
				      : s->run.sim->n_iterations;
}

static void
note_found(struct past_search *search, const struct session *s)
{
	if (!search->found(search, s))
		return;
	search->instant = s->run.sim->n_instants;
	search->at = s->run.sim->now;
}

/* Looks from a moment on, up to that instant. */
static bool
search_from(struct session *s, struct past_search *search,
    const struct moment *m, uint64_t last, struct text *err)
{
	enum sim_ran ran = SIM_RAN;

	history_go_to(s, m);
	search->instant = 0;
	search->before = search->watch != NULL ? search->watch->n
					       : count_of(s, search->what);
	if (search->watch != NULL)
		sim_add_observer(s->run.sim, &search->watch->observer);
	journey_heads_for(s, &s->run.sim->n_instants,
	    last < history_end_place(s).instant ? last
						: history_end_place(s).instant);
	while (ran != SIM_HELD && s->run.sim->n_instants < last &&
	    !history_is_at_end(s) && !(search->first && search->instant != 0)) {
		uint64_t n = s->run.sim->n_instants;
		struct run_bound to = history_bounded(
		    s, (struct run_bound){NSEC_MAX, n + 1, false});

		ran = history_run_through(s, to, 0);
		if (ran == SIM_ENDED && to.exact)
			break;
		if (s->run.sim->n_instants != n)
			note_found(search, s);
		if (journey_stops(s))
			break;
	}
	if (search->watch != NULL)
		sim_remove_observer(s->run.sim, &search->watch->observer);
	return (ran != SIM_HELD && !journey_stops(s)) ||
	    journey_say_stopped(s, err);
}

/* Looks for the last one at or before that instant, moment by moment. */
static bool
search_back(struct session *s, struct past_search *search, uint64_t last,
    struct text *err)
{
	while (last > 0) {
		const struct moment *m = history_moment_before(
		    s, (struct run_bound){NSEC_MAX, last - 1, false});
		uint64_t from = m->place.instant;

		if (!search_from(s, search, m, last, err))
			return false;
		if (search->instant != 0)
			return true;
		last = from;
	}
	return true;
}

static bool
has_submission(struct past_search *search, const struct session *s)
{
	bool found = search->watch->n != search->before;

	(void)s;
	search->before = search->watch->n;
	return found;
}

static bool
say_no_submission(const struct goto_target *to, struct text *err)
{
	text_addf(err, "client %u has not submitted line %zu", to->client,
	    to->line + 1);
	if (to->iteration != UINT64_MAX)
		text_addf(err, " in iteration %" PRIu64, to->iteration);
	return false;
}

/* Returns the last moment at which the client was before that iteration. */
static const struct moment *
moment_of_iteration(const struct session *s, const struct goto_target *to)
{
	const struct history *h = s->past;
	const struct moment *found = h->moments[0];

	for (size_t i = 0; i < h->n_moments; i++) {
		const struct moment *m = h->moments[i];

		if (moment_is_valid(s, m) &&
		    moment_iteration(m, to->client) < to->iteration &&
		    place_is_before(found->place, m->place))
			found = m;
	}
	return found;
}

bool
history_goto_line(
    struct session *s, const struct goto_target *to, struct text *err)
{
	struct line_watch watch;
	struct past_search search = {
	    .found = has_submission,
	    .watch = &watch,
	    .first = to->iteration != UINT64_MAX,
	};
	struct run_bound there;
	uint64_t last = s->run.sim->n_instants;

	if (!watch_line(&watch, s, to, err))
		return false;
	if (!session_is_past(s))
		history_leave_present(s);
	if (search.first ? !search_from(s, &search, moment_of_iteration(s, to),
			       UINT64_MAX, err)
			 : !search_back(s, &search, last, err))
		return false;
	if (search.instant == 0)
		return say_no_submission(to, err);
	there = (struct run_bound){search.at, search.instant, true};
	return history_go_to_bound(s, there, err);
}

/* Back. */

static bool
has_counted(struct past_search *search, const struct session *s)
{
	uint64_t n = count_of(s, search->what);
	bool more = n > search->before;

	search->before = n;
	return more;
}

static bool
go_back(struct session *s, enum sim_step what, struct text *err)
{
	struct past_search search = {.found = has_counted, .what = what};
	uint64_t now = s->run.sim->n_instants;

	if (now == 0) {
		text_adds(err, "the run begins here");
		return false;
	}
	if (!session_is_past(s))
		history_leave_present(s);
	if (what == SIM_STEP_EVENT)
		return history_go_to_bound(
		    s, (struct run_bound){NSEC_MAX, now - 1, false}, err);
	if (!search_back(s, &search, now - 1, err))
		return false;
	return history_go_to_bound(s,
	    (struct run_bound){
		search.instant > 0 ? search.at : 0, search.instant, true},
	    err);
}

bool
session_back(struct session *s, nsec wall, enum sim_step what, struct text *err)
{
	struct journey journey;
	bool ok;

	if (!session_may_travel(s, err))
		return false;
	journey_begin(&journey, s, wall);
	ok = go_back(s, what, err);
	journey_end(&journey, wall, ok);
	return ok;
}
