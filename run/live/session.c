/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See session.h. */
#include "run/live/session.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/units.h"
#include "run/hang_dump/error_files.h"
#include "run/live/live.h"
#include "run/plan_files.h"
#include "run/record.h"
#include "run/waiting.h"

/* Events between two looks at the clock: some hundred microseconds. */
#define SLICE_EVENTS 1000

static void
leave_errors(struct session *s)
{
	if (s->errors != NULL)
		error_files_leave(s->errors);
}

/* All are run as they are. */
static void
forget_documents(struct session *s)
{
	for (size_t i = 0; i < s->n_documents; i++)
		text_free(&s->documents[i].problem);
	free(s->documents);
	s->documents = NULL;
	s->n_documents = 0;
}

struct document_state *
session_document_state(struct session *s, size_t source)
{
	if (source >= s->n_documents) {
		s->documents = mem_realloc(
		    s->documents, s->plan->n_sources, sizeof(*s->documents));
		for (; s->n_documents < s->plan->n_sources; s->n_documents++)
			s->documents[s->n_documents] = (struct document_state){
			    0};
	}
	return &s->documents[source];
}

const char *
session_document_problem(const struct session *s, size_t source)
{
	if (source >= s->n_documents || s->documents[source].problem.len == 0)
		return NULL;
	return text_str(&s->documents[source].problem);
}

bool
session_problem_line(const struct session *s, size_t source, size_t *line)
{
	if (session_document_problem(s, source) == NULL ||
	    s->documents[source].line == SIZE_MAX)
		return false;
	*line = s->documents[source].line;
	return true;
}

size_t
session_first_line(const struct session *s, size_t source)
{
	const struct document *doc = s->plan->sources[source].doc;
	size_t line;

	if (session_problem_line(s, source, &line))
		return line;
	return document_n_steps(doc) > 0 ? document_line_of_step(doc, 0) : 0;
}

static bool
launch_plan(struct session *s, struct run *run, struct text *err)
{
	bool *was = waiting_update(s->plan);

	if (plan_launch(s->plan, run, err)) {
		free(was);
		return true;
	}
	waiting_take_back(s->plan, was);
	return false;
}

/* Why they do. */
static void
look_at_waiting(struct session *s)
{
	for (size_t i = 0; i < s->plan->n_sources; i++)
		if (s->plan->sources[i].waiting &&
		    plan_document(s->plan, i) == i)
			session_look_at_document(s, i);
}

static void
ask_wish(struct session *s)
{
	s->run.sim->poll = s->wish;
	s->run.sim->poll_data = s->wish_data;
}

void
session_set_wish(
    struct session *s, enum sim_poll (*wish)(void *data), void *data)
{
	s->wish = wish;
	s->wish_data = data;
	ask_wish(s);
}

static bool
launch(struct session *s, struct text *err)
{
	struct run run = {0};

	if (!launch_plan(s, &run, err))
		return false;
	flight_end(&s->flight);
	bans_end(&s->bans);
	trail_end(s->trail);
	layer_watch_leave(&s->layer);
	leave_errors(s);
	reference_ending(s);
	run_free(&s->run);
	s->run = run;
	ask_wish(s);
	flight_begin(&s->flight, &s->run);
	bans_begin(&s->bans, s->run.sim);
	s->trail = trail_begin(s->run.sim, TRAIL_DEFAULT_SIZE);
	layer_watch_begin(&s->layer, &s->run);
	if (s->errors != NULL)
		error_files_watch(s->errors, &s->run, s->plan);
	history_clear(&s->history);
	s->generation++;
	s->n_swaps = 0;
	s->behind = false;
	forget_documents(s);
	look_at_waiting(s);
	reference_launched(s);
	if (s->recording != NULL)
		recording_launch(s->recording, s->plan, &s->run, s->limit);
	return true;
}

/* What changes no result is noted, for who looks at the recording. */
static void
note(struct session *s, const char *what, const char *value)
{
	if (s->recording != NULL)
		recording_note(s->recording, what, value);
}

bool
session_begin(struct session *s, struct plan *plan, double speed, nsec limit,
    struct recording *recording, struct error_files *errors, struct text *err)
{
	*s = (struct session){
	    .plan = plan,
	    .recording = recording,
	    .errors = errors,
	    .clock = {.speed = speed},
	    .limit = limit,
	};
	return launch(s, err);
}

static enum recording_end
end_of(const struct session *s)
{
	switch (session_state(s)) {
	case SESSION_DONE: return RECORDING_DONE;
	case SESSION_DEADLOCK: return RECORDING_DEADLOCK;
	case SESSION_LIMIT:
	case SESSION_TIME_OVER: return RECORDING_DURATION;
	default: return RECORDING_QUIT;
	}
}

static void
end_layer(struct session *s)
{
	struct text said = {0};

	if (s->run.sim != NULL)
		layer_watch_leave(&s->layer);
	for (unsigned i = 0; i < N_OUTPUT_FILES; i++)
		session_output_close(s, i, &said);
	layer_watch_end(&s->layer);
	text_free(&said);
}

void
session_end(struct session *s)
{
	if (s->recording != NULL && s->run.sim != NULL)
		recording_end(s->recording, end_of(s));
	flight_end(&s->flight);
	bans_end(&s->bans);
	trail_end(s->trail);
	s->trail = NULL;
	end_layer(s);
	leave_errors(s);
	forget_documents(s);
	reference_end(s);
	if (s->run.sim != NULL)
		run_free(&s->run);
	s->run = (struct run){0};
	free(s->profile_file);
	s->profile_file = NULL;
}

void
session_layer_problems(struct session *s, struct text *out)
{
	text_adds(out, text_str(&s->output_problems));
	text_free(&s->output_problems);
}

void
session_want_layer(struct session *s)
{
	layer_watch_want(&s->layer, &s->run);
}

enum session_state
session_state(const struct session *s)
{
	const struct sim *sim = s->run.sim;

	if (sim->n_foreground == 0)
		return SESSION_NOTHING;
	if (sim->state == SIM_DONE)
		return SESSION_DONE;
	if (sim->state == SIM_DEADLOCK)
		return SESSION_DEADLOCK;
	if (sim->state == SIM_TIME_OVER)
		return SESSION_TIME_OVER;
	if (sim->state == SIM_STOPPED)
		return SESSION_STOPPED;
	if (sim->now >= s->limit)
		return SESSION_LIMIT;
	return s->clock.paused ? SESSION_PAUSED : SESSION_RUNNING;
}

bool
session_moves(const struct session *s)
{
	return session_state(s) == SESSION_RUNNING;
}

static nsec
bounded_target(const struct session *s, nsec wall)
{
	nsec target = clock_target(&s->clock, wall);

	return target < s->limit ? target : s->limit;
}

static bool
reached(const struct sim *sim, nsec target)
{
	return sim->state != SIM_RUNNING || sim->now >= target;
}

void
session_advance(struct session *s, nsec wall, nsec budget)
{
	struct sim *sim = s->run.sim;
	nsec target = bounded_target(s, wall);
	nsec stop = budget > 0 ? clock_wall() + budget : NSEC_NEVER;
	uint64_t last = sim->n_events +
	    (s->clock.speed == 0 ? SESSION_EVENTS_AT_MAX : SESSION_MAX_EVENTS);
	uint64_t slices = 0;
	bool level;

	if (!session_moves(s))
		return;
	reference_before(s);
	level = reference_advance(s, SLICE_EVENTS);
	/* Where nothing happens here for hours, much may in the run beside: it
	 * is waited for. */
	while (!reached(sim, target) || !level) {
		if (level)
			sim_run(sim, target, SLICE_EVENTS);
		else
			slices++;
		level = reference_advance(s, SLICE_EVENTS);
		if (budget > 0 ? clock_wall() >= stop
			       : sim->n_events + slices * SLICE_EVENTS >= last)
			break;
	}
	s->behind = !reached(sim, target) || !level;
	reference_after(s);
}

/*
 * The virtual time that a sample of history is to cover. Ticks are not exact,
 * hence a little less. At full speed, and where the simulation can't follow,
 * a window is what was reached before.
 */
static nsec
window(const struct session *s)
{
	double full = (double)s->delay * s->clock.speed;
	double lately = (double)s->history.window / 2;

	if (s->clock.speed == 0 || (s->behind && lately < full))
		full = lately;
	full *= 0.75;
	return full < 9e18 ? (nsec)full : NSEC_NEVER - 1;
}

void
session_tick(struct session *s, nsec wall)
{
	struct sim *sim = s->run.sim;

	layer_watch_tick(&s->layer, &s->run);
	if (sim->n_swaps != s->n_swaps) {
		s->n_swaps = sim->n_swaps;
		s->generation++;
	}
	history_sample(&s->history, sim, window(s));
	s->samples++;
	clock_measure(&s->clock, wall, sim->now);
	if (s->behind) {
		double lately = s->clock.reached;

		clock_rebase(&s->clock, wall, sim->now);
		s->clock.reached = lately;
	}
}

void
session_pause(struct session *s, nsec wall, bool paused)
{
	if (s->clock.paused != paused)
		note(s, paused ? "pause" : "resume", NULL);
	s->clock.paused = paused;
	if (paused)
		layer_watch_tick(&s->layer, &s->run);
	s->behind = false;
	clock_rebase(&s->clock, wall, s->run.sim->now);
}

void
session_set_speed(struct session *s, nsec wall, double speed)
{
	char value[UNITS_LEN];

	note(s, "speed", format_speed(value, speed));
	s->clock.speed = speed;
	clock_rebase(&s->clock, wall, s->run.sim->now);
}

static uint64_t
step_count(const struct sim *sim, enum sim_step what)
{
	switch (what) {
	case SIM_STEP_BATCH: return sim->n_ended_requests;
	case SIM_STEP_ITERATION: return sim->n_iterations;
	default: return sim->n_events;
	}
}

/*
 * Event by event, because a batch or an iteration may never end: then it is
 * given up after a while, and the next key press goes on.
 */
void
session_step(struct session *s, nsec wall, enum sim_step what)
{
	static const char *const names[] = {
	    [SIM_STEP_EVENT] = "event",
	    [SIM_STEP_BATCH] = "batch",
	    [SIM_STEP_ITERATION] = "iteration",
	};
	struct sim *sim = s->run.sim;
	uint64_t last = sim->n_events + SESSION_EVENTS_OF_STEP;
	uint64_t before = step_count(sim, what);

	session_pause(s, wall, true);
	if (session_state(s) != SESSION_PAUSED)
		return;
	note(s, "step", names[what]);
	reference_before(s);
	do
		sim_step(sim, SIM_STEP_EVENT);
	while (sim->state == SIM_RUNNING && step_count(sim, what) == before &&
	    sim->n_events < last);
	reference_advance(s, SESSION_EVENTS_OF_STEP);
	reference_after(s);
	session_tick(s, wall);
	clock_rebase(&s->clock, wall, sim->now);
}

bool
session_control(
    struct session *s, const struct control *control, struct text *err)
{
	if (session_state(s) == SESSION_STOPPED) {
		text_adds(err,
		    "the run was stopped within an instant, so "
		    "nothing can be done to it: R begins it anew");
		return false;
	}
	if (!run_control(&s->run, control, err))
		return false;
	reference_change(s);
	return true;
}

bool
session_is_older(const struct session *s, const struct client *c)
{
	const struct version *version = versions_find(
	    &s->run.versions, c->program);

	return version != NULL && c->state != CLIENT_ENDED &&
	    !version_is_newest(version);
}

const char *
session_step_text(
    const struct session *s, const struct request *rq, size_t *len)
{
	const struct document *doc;
	const struct line *line = run_line(&s->run, s->plan, rq, &doc);

	*len = 0;
	return line != NULL ? document_line_was(line, len) : "";
}

/* NULL: not known. */
static const struct line *
past_line(const struct session *s, const struct trail_request *r,
    const struct version **v)
{
	const struct op *op;

	*v = versions_find(&s->run.versions, r->program);
	if (*v == NULL || r->step >= (*v)->program->n_ops)
		return NULL;
	/* Another program may stand where that one stood. */
	op = &(*v)->program->ops[r->step];
	if (op->line != r->line || op->document != r->document)
		return NULL;
	return (*v)->lines[r->step];
}

const char *
session_past_step_text(
    const struct session *s, const struct trail_request *r, size_t *len)
{
	const struct version *v;
	const struct line *line = past_line(s, r, &v);

	*len = 0;
	return line != NULL ? document_line_was(line, len) : "";
}

size_t
session_past_step_row(const struct session *s, const struct trail_request *r)
{
	const struct version *v;
	const struct line *line = past_line(s, r, &v);
	size_t index, row, column;

	if (line == NULL || !document_line_index(v->of->doc, line, &index))
		return 0;
	document_position(v->of->doc, index, 0, &row, &column);
	return row;
}

bool
session_restart(struct session *s, nsec wall, struct text *err)
{
	if (!launch(s, err))
		return false;
	clock_rebase(&s->clock, wall, 0);
	return true;
}

bool
session_set_profile(
    struct session *s, nsec wall, const char *name, struct text *err)
{
	struct profile old = s->plan->profile, wanted;

	profile_init(&wanted);
	if (!profile_load(&wanted, name, err))
		return false;
	s->plan->profile = wanted;
	if (!session_restart(s, wall, err)) {
		s->plan->profile = old;
		return false;
	}
	free(s->profile_file);
	s->profile_file = mem_strdup(name);
	return true;
}

bool
session_set_scheduler(
    struct session *s, nsec wall, const char *name, struct text *err)
{
	const struct sched_ops *old = s->plan->sched;
	const struct sched_ops *wanted = sched_of(&s->plan->profile, name, err);

	if (wanted == NULL)
		return false;
	s->plan->sched = wanted;
	if (session_restart(s, wall, err))
		return true;
	s->plan->sched = old;
	return false;
}
