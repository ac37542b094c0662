/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pace of a session: virtual time follows the wall clock at a speed, in
 * slices, so that neither a busy run nor a shadow holds up the screen; ticks,
 * pauses and single steps.
 */
#include "run/live/pace.h"

#include "base/units.h"
#include "engine/backend.h"
#include "run/hang_dump/hang_dump.h"
#include "run/live/session.h"
#include "run/live/step_news.h"
#include "run/plan.h"

void
clock_rebase(struct clock *c, nsec wall, nsec virtual_now)
{
	c->wall_base = c->wall_seen = wall;
	c->virtual_base = c->virtual_seen = virtual_now;
	c->reached = 0;
}

nsec
clock_target(const struct clock *c, nsec wall)
{
	double passed;

	if (c->paused)
		return c->virtual_base;
	if (c->speed == 0)
		return NSEC_NEVER;
	passed = wall > c->wall_base ? (double)(wall - c->wall_base) : 0;
	passed *= c->speed;
	/* Exact to the nanosecond for 100 days, the precision of a double. */
	return passed < 9e18 ? c->virtual_base + (nsec)passed : NSEC_NEVER - 1;
}

/* Renews reached. */
static void
clock_measure(struct clock *c, nsec wall, nsec virtual_now)
{
	if (wall > c->wall_seen)
		c->reached = (double)(virtual_now - c->virtual_seen) /
		    (double)(wall - c->wall_seen);
	c->wall_seen = wall;
	c->virtual_seen = virtual_now;
}

static const double speeds[] = {
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
#define N_SPEEDS (sizeof(speeds) / sizeof(*speeds))

double
clock_faster(double speed)
{
	if (speed == 0)
		return 0;
	for (unsigned i = 0; i < N_SPEEDS; i++)
		if (speeds[i] > speed * 1.001)
			return speeds[i];
	return 0;
}

double
clock_slower(double speed)
{
	if (speed == 0)
		return speeds[N_SPEEDS - 1];
	for (unsigned i = N_SPEEDS; i-- > 0;)
		if (speeds[i] < speed * 0.999)
			return speeds[i];
	return speed;
}

/* Events between two looks at the wall clock: some hundred us. */
#define SLICE_EVENTS 1000

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
session_continue(struct session *s, nsec wall)
{
	clock_rebase(&s->clock, wall, s->run.sim->now);
	if (session_is_on_gpu(s))
		run_resume_gpu(&s->run);
}

static void
write_hang_dumps(struct session *s)
{
	if (s->hang_dump != NULL)
		hang_dump_write(s->hang_dump);
}

/* The device's loop runs the simulation (session_device_work()). */
static void
advance_served(struct session *s)
{
	baseline_before(s);
	programs_follow(s);
	s->behind = false;
	baseline_after(s);
	write_hang_dumps(s);
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
	if (session_is_on_gpu(s)) {
		gpu_advance(s);
		write_hang_dumps(s);
		return;
	}
	if (session_is_served(s)) {
		advance_served(s);
		return;
	}
	history_follow(s);
	if (session_is_past(s)) {
		s->behind = !history_advance(
		    s, target, last - sim->n_events, stop);
		return;
	}
	baseline_before(s);
	level = baseline_advance(s, SLICE_EVENTS);
	/* Waits for the shadow, which may be busy while this run is idle for
	 * hours of virtual time. */
	while (!reached(sim, target) || !level) {
		enum sim_ran ran = SIM_RAN;

		if (level)
			ran = sim_go(sim, target, SLICE_EVENTS);
		else
			slices++;
		level = baseline_advance(s, SLICE_EVENTS);
		history_follow(s);
		if (ran == SIM_HELD)
			break;
		if (budget > 0 ? clock_wall() >= stop
			       : sim->n_events + slices * SLICE_EVENTS >= last)
			break;
	}
	s->behind = !reached(sim, target) || !level;
	baseline_after(s);
	write_hang_dumps(s);
}

/* The virtual time that a sample of load covers: 3/4 of what passes between two
 * ticks, which are not exact. At speed max, and if the simulation is too slow,
 * of what the last sample covered. */
static nsec
sample_window(const struct session *s)
{
	double full = (double)s->delay * s->clock.speed;
	double recent = (double)s->history.window / 2;

	if (s->clock.speed == 0 || (s->behind && recent < full))
		full = recent;
	full *= 0.75;
	return full < 9e18 ? (nsec)full : NSEC_NEVER - 1;
}

nsec
session_second(const struct session *s)
{
	double speed = s->clock.speed;

	return speed > 1 ? (nsec)((double)NSEC_PER_SEC * speed) : NSEC_PER_SEC;
}

static void
sample_load(struct session *s, nsec window)
{
	struct sim *sim = s->run.sim;
	struct overdue late = overdue_find(sim);

	load_history_sample(
	    &s->history, sim, overdue_misses(&late, sim), window);
	limits_watch_sample(&s->limits, s->history.n, sim, s->trail);
	users_watch_sample(&s->users, &s->history, &sim->device, s->trail);
}

void
session_sample(struct session *s, nsec window, nsec second)
{
	sample_load(s, window);
	changes_tick(&s->changes, s->run.sim, second);
}

/* In the past the samples of then are taken again; before the first of them, the
 * load so far is one. */
static void
tick_samples(struct session *s)
{
	nsec window = sample_window(s), second = session_second(s);

	if (session_is_past(s) && s->history.n == 0)
		sample_load(s, NSEC_NEVER);
	if (session_is_past(s))
		return;
	history_note_tick(s, window, second);
	session_sample(s, window, second);
}

void
session_tick(struct session *s, nsec wall)
{
	struct sim *sim = s->run.sim;

	session_check_sources(s);
	run_look_at_busyness(&s->run);
	layer_watch_tick(&s->layer, &s->run);
	if (sim->n_swaps != s->n_swaps) {
		s->n_swaps = sim->n_swaps;
		s->generation++;
	}
	tick_samples(s);
	baseline_trace_follow(s);
	s->samples++;
	clock_measure(&s->clock, wall, sim->now);
	if (s->behind) {
		double recent = s->clock.reached;

		clock_rebase(&s->clock, wall, sim->now);
		s->clock.reached = recent;
	}
}

void
session_pause(struct session *s, nsec wall, bool paused)
{
	bool was_still = session_state(s) == SESSION_PAUSED;

	if (s->clock.paused != paused)
		session_note(s, paused ? "pause" : "resume", NULL);
	s->clock.paused = paused;
	if (was_still)
		session_continue(s, wall);
	if (paused)
		layer_watch_tick(&s->layer, &s->run);
	s->behind = false;
	clock_rebase(&s->clock, wall, s->run.sim->now);
	programs_follow(s);
	gpu_follow(s);
}

void
session_set_speed(struct session *s, nsec wall, double speed)
{
	char value[UNITS_LEN];

	if (session_is_served(s)) {
		s->programs.speed = speed;
		backend_set_speed(s->run.sim, speed);
		return;
	}
	session_note(s, "speed", format_speed(value, speed));
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

/* Runs an instant. SIM_ENDED: nothing is due. */
SIM_MUST_LOOK static enum sim_ran
step_event(struct session *s)
{
	struct sim *sim = s->run.sim;

	if (session_is_served(s))
		return programs_step(s);
	if (session_is_past(s))
		return history_step(s);
	return sim_run_instants(sim, NSEC_NEVER, sim->n_instants + 1, 0);
}

/* Says why a step ended before what it was for. */
static void
say_step(const struct session *s, enum sim_ran ran, struct text *happened)
{
	char at[UNITS_LEN];

	if (ran == SIM_HELD)
		text_addf(happened, "%sthe step was stopped at %s",
		    happened->len > 0 ? "; " : "",
		    format_time(at, s->run.sim->now));
	else if (ran == SIM_ENDED && session_is_served(s) && happened->len == 0)
		text_adds(
		    happened, "nothing is due: the GPU waits for programs");
}

/* Runs event by event: a batch or an iteration may never end, and is left after
 * SESSION_EVENTS_OF_STEP events, or when the plan's stop is wanted. The next step
 * goes on with it. */
void
session_step(
    struct session *s, nsec wall, enum sim_step what, struct text *happened)
{
	static const char *const names[] = {
	    [SIM_STEP_EVENT] = "event",
	    [SIM_STEP_BATCH] = "batch",
	    [SIM_STEP_ITERATION] = "iteration",
	};
	struct sim *sim = s->run.sim;
	struct step_news news;
	uint64_t last = sim->n_events + SESSION_EVENTS_OF_STEP;
	uint64_t before = step_count(sim, what);
	enum sim_ran ran;

	session_pause(s, wall, true);
	if (session_state(s) != SESSION_PAUSED)
		return;
	session_note(s, "step", names[what]);
	baseline_before(s);
	step_news_begin(&news, sim);
	do
		ran = step_event(s);
	while (ran == SIM_RAN && sim->state == SIM_RUNNING &&
	    sim->n_events < last &&
	    (step_count(sim, what) == before ||
		(what == SIM_STEP_EVENT && step_news_is_quiet(&news))));
	step_news_end(&news, sim, happened);
	say_step(s, ran, happened);
	baseline_advance(s, SESSION_EVENTS_OF_STEP);
	baseline_after(s);
	write_hang_dumps(s);
	session_tick(s, wall);
	clock_rebase(&s->clock, wall, sim->now);
}
