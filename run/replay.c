/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays a recording: runs up to the instant of each action and applies it
 * there. A run that gets to another instant or time is not the recorded one. */
#include "run/recording.h"

#include <string.h>

#include "base/text.h"
#include "engine/follow/follow_past.h"

/* Appends "file:line: error: ". */
static void
begin_replay_error(const struct replay *r, size_t line, struct text *err)
{
	text_add_visible(err, r->path, strlen(r->path));
	text_addf(err, ":%zu: error: ", line);
}

static bool
refuse_run(const struct replay *r, const struct replay_action *a,
    const struct sim *sim, struct text *err)
{
	begin_replay_error(r, a->line, err);
	text_addf(err,
	    "the recording is of another run: this run is at %llu ns after "
	    "%llu instants, the recorded one was at %llu ns after %llu",
	    (unsigned long long)sim->now, (unsigned long long)sim->n_instants,
	    (unsigned long long)a->at, (unsigned long long)a->instant);
	if (strcmp(r->version, GPUWL_VERSION) != 0) {
		text_adds(err, " (recorded by version ");
		text_add_visible(err, r->version, strlen(r->version));
		text_adds(err, ", this is " GPUWL_VERSION ")");
	}
	return false;
}

/* Tells the news that a GPU had. */
static bool
tell_words(struct replay *r, struct run *run, const struct replay_action *a,
    struct text *err)
{
	struct text why = {0};

	for (size_t i = 0; i < a->n_words; i++) {
		if (follow_past_tell(r->past, run->sim, &a->words[i], &why))
			continue;
		begin_replay_error(r, a->line, err);
		text_addf(
		    err, "the recording is of another run: %s", text_str(&why));
		text_free(&why);
		return false;
	}
	return true;
}

static bool
apply_action(struct replay *r, struct run *run, struct replay_action *a,
    struct text *err)
{
	struct text why = {0};
	bool ok;

	ok = r->prepare == NULL || r->prepare(r->prepare_data, a, &why);
	if (ok && a->words != NULL)
		return tell_words(r, run, a, err);
	ok = ok && run_control(run, &a->control, &why);
	if (!ok) {
		begin_replay_error(r, a->line, err);
		text_adds(err, text_str(&why));
	}
	text_free(&why);
	if (a->control.program != NULL)
		program_unref(a->control.program);
	a->control.program = NULL;
	return ok;
}

/* Sets is_over, unless the simulation is held before its end is known. */
static bool
play_end(struct replay *r, struct sim *sim, const struct replay_action *a,
    struct text *err)
{
	/* DONE, DEADLOCK and TIME_OVER are only detected by running. */
	if ((a->end == RECORDING_DONE || a->end == RECORDING_DEADLOCK ||
		sim->now == NSEC_MAX) &&
	    sim_go(sim, sim->now, 1) == SIM_HELD)
		return true;
	r->is_over = true;
	if (a->end != RECORDING_DONE && a->end != RECORDING_DEADLOCK)
		return true;
	if (sim->state != (a->end == RECORDING_DONE ? SIM_DONE : SIM_DEADLOCK))
		return refuse_run(r, a, sim, err);
	return true;
}

/* Runs up to the action or until, whichever is earlier. Sets *there if the
 * action is to be applied now. */
static bool
run_to_action(const struct replay *r, struct sim *sim,
    const struct replay_action *a, nsec until, uint64_t max_events, bool *there,
    struct text *err)
{
	nsec limit = until < a->at ? until : a->at;

	if (sim_run_instants(sim, limit, a->instant, max_events) == SIM_HELD)
		return true;
	if (sim->state == SIM_STOPPED)
		return r->past == NULL || !follow_past_is_of_another(r->past) ||
		    refuse_run(r, a, sim, err);
	if (sim->n_instants < a->instant) {
		bool dry = sim_next_event(sim) > limit;

		if (sim->state != SIM_RUNNING || (dry && limit == a->at))
			return refuse_run(r, a, sim, err);
		return true;
	}
	if (!sim_move_to(sim, limit > sim->now ? limit : sim->now))
		return limit < a->at || refuse_run(r, a, sim, err);
	*there = sim->now == a->at;
	return *there || sim->now < a->at || refuse_run(r, a, sim, err);
}

/* After the last action of a recording that was cut off: runs on if the run has
 * a limit. */
static void
run_to_end(struct replay *r, struct sim *sim, uint64_t repeat, nsec until,
    uint64_t max_events)
{
	bool limited = r->duration != NSEC_NEVER;

	/* A GPU has said no more. */
	if (r->past != NULL) {
		r->is_over = true;
		return;
	}
	if ((limited || repeat > 0) &&
	    sim_go(sim, until < r->duration ? until : r->duration,
		max_events) == SIM_HELD)
		return;
	r->is_over = sim->state != SIM_RUNNING || sim->now >= r->duration ||
	    (!limited && repeat == 0);
}

nsec
replay_duration(const struct replay *r)
{
	return r->n > 0 ? r->actions[r->n - 1].at : r->duration;
}

bool
replay_run(struct replay *r, struct run *run, nsec until, uint64_t max_events,
    struct text *err)
{
	struct sim *sim = run->sim;
	uint64_t before = sim->n_events;

	while (!r->is_over &&
	    (max_events == 0 || sim->n_events - before < max_events)) {
		struct replay_action *a;
		bool there = false;

		if (r->next == r->n) {
			run_to_end(r, sim, r->repeat, until, max_events);
			break;
		}
		a = &r->actions[r->next];
		if (!run_to_action(r, sim, a, until, max_events, &there, err))
			return false;
		if (!there)
			break;
		if (!(a->is_end ? play_end(r, sim, a, err)
				: apply_action(r, run, a, err)))
			return false;
		if (a->is_end && !r->is_over)
			break;
		r->next++;
	}
	return true;
}
