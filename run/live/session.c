/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session's life: launches, restarts with another profile or scheduler,
 * state, and controls. Parts of a launch (observers, trail, layer) are replaced
 * when the new run exists, so that a launch that fails changes nothing.
 */
#include "run/live/session.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/client/control.h"
#include "engine/invariants/invariants.h"
#include "run/digest/digest.h"
#include "run/hang_dump/hang_dump.h"
#include "run/plan.h"
#include "run/recording.h"

static void
leave_errors(struct session *s)
{
	if (s->hang_dump != NULL)
		hang_dump_leave(s->hang_dump);
}

static bool
launch_plan(struct session *s, struct run *run, struct text *err)
{
	bool *was = plan_update_waiting(s->plan);

	if (plan_launch(s->plan, run, err)) {
		free(was);
		return true;
	}
	plan_restore_waiting(s->plan, was);
	return false;
}

static void
set_poll(struct session *s)
{
	s->run.sim->poll = s->poll;
	s->run.sim->poll_data = s->poll_data;
}

void
session_set_poll(
    struct session *s, enum sim_poll (*poll)(void *data), void *data)
{
	s->poll = poll;
	s->poll_data = data;
	set_poll(s);
}

static bool
launch_session(struct session *s, struct text *err)
{
	struct run run = {0};

	if (!launch_plan(s, &run, err))
		return false;
	history_end(s);
	inflight_end(&s->inflight);
	ban_notice_end(&s->bans);
	text_free(&s->refusals.of_gpu);
	hang_history_end(&s->hangs);
	digest_end(s->digest);
	trail_end(s->trail);
	layer_watch_leave(&s->layer);
	leave_errors(s);
	baseline_ending(s);
	figures_free(&s->since);
	s->since_hangs = 0;
	programs_leave(s);
	run_free(&s->run);
	s->run = run;
	set_poll(s);
	inflight_begin(&s->inflight, &s->run);
	ban_notice_begin(&s->bans, s->run.sim);
	hang_history_begin(&s->hangs, &s->run, s->plan);
	s->digest = digest_begin(&s->run);
	s->trail = trail_begin(s->run.sim, TRAIL_DEFAULT_SIZE);
	digest_follow(s->digest, s->trail);
	layer_watch_begin(&s->layer, &s->run);
	if (s->hang_dump != NULL)
		hang_dump_watch(s->hang_dump, &s->run, s->plan);
	load_history_clear(&s->history);
	limits_watch_clear(&s->limits);
	s->users = (struct users_watch){0};
	s->generation++;
	s->n_jumps++;
	s->n_swaps = 0;
	s->behind = false;
	session_forget_documents(s);
	session_look_at_waiting(s);
	baseline_launched(s);
	if (s->recorder != NULL)
		recorder_launch(s->recorder, s->plan, &s->run, s->limit);
	programs_enter(s);
	gpu_follow(s);
	history_launched(s);
	return true;
}

void
session_reset_totals(struct session *s)
{
	figures_free(&s->since);
	figures_take(&s->since, s->run.sim);
	s->since_hangs = s->run.sim->n_hangs;
	history_note_reset(s);
}

void
session_note(struct session *s, const char *note, const char *value)
{
	if (s->recorder != NULL)
		recorder_note(s->recorder, note, value);
}

bool
session_begin(struct session *s, struct plan *plan, double speed, nsec limit,
    struct run_recorder *recorder, struct hang_dump *hang_dump,
    struct text *err)
{
	*s = (struct session){
	    .plan = plan,
	    .recorder = recorder,
	    .hang_dump = hang_dump,
	    .clock = {.speed = plan->gpu != NULL ? 1 : speed},
	    .limit = limit,
	};
	run_texts_init(&s->texts, &s->run, plan, NULL);
	s->layer.outputs.texts = &s->texts.texts;
	plan->counts_busyness = true;
	return launch_session(s, err);
}

static enum recording_end
end_reached(const struct session *s)
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
	history_end(s);
	if (s->recorder != NULL && s->run.sim != NULL)
		recorder_end(s->recorder, end_reached(s));
	programs_end(s);
	inflight_end(&s->inflight);
	ban_notice_end(&s->bans);
	hang_history_end(&s->hangs);
	digest_end(s->digest);
	s->digest = NULL;
	trail_end(s->trail);
	s->trail = NULL;
	end_layer(s);
	leave_errors(s);
	session_forget_documents(s);
	baseline_end(s);
	changes_free(&s->changes);
	figures_free(&s->since);
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

	if (session_is_on_gpu(s) && *run_gpu_failure(&s->run) != 0)
		return SESSION_REFUSED;
	if (sim->n_foreground == 0 && !session_is_served(s))
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
	if (!s->clock.paused)
		return SESSION_RUNNING;
	return session_is_on_gpu(s) && !run_gpu_is_idle(&s->run)
	    ? SESSION_PAUSING
	    : SESSION_PAUSED;
}

bool
session_moves(const struct session *s)
{
	enum session_state state = session_state(s);

	return state == SESSION_RUNNING || state == SESSION_PAUSING;
}

#define OF_RECORDED_GPU                                                        \
	"what a GPU did is recorded: it can be looked at, not changed"

/* False: err says why the run takes no changes any more. */
static bool
takes_changes(const struct session *s, struct text *err)
{
	if (session_is_of_recorded_gpu(s)) {
		text_adds(err, OF_RECORDED_GPU);
		return false;
	}
	switch (session_state(s)) {
	case SESSION_STOPPED:
		text_adds(err,
		    "the run was stopped within an instant and takes no "
		    "changes: R restarts it");
		return false;
	case SESSION_REFUSED:
		text_addf(err,
		    "%s: the run has ended and takes no changes: R restarts it",
		    run_gpu_failure(&s->run));
		return false;
	default: return true;
	}
}

void
session_check_sources(const struct session *s)
{
#ifdef GPUWL_INVARIANTS
	const struct sim *sim = s->run.sim;
	bool past = session_is_past(s);

	/* In the past some sources are yet to be opened. */
	if (past ? sim->n_workloads > s->plan->n_sources
		 : sim->n_workloads != s->plan->n_sources)
		invariants_broken(sim, NULL, "%u workloads of %zu sources",
		    sim->n_workloads, s->plan->n_sources);
#else
	(void)s;
#endif
}

bool
session_control(
    struct session *s, const struct control *control, struct text *err)
{
	if (!takes_changes(s, err))
		return false;
	history_change(s);
	if (!run_control(&s->run, control, err))
		return false;
	baseline_change(s);
	return true;
}

/* Launches the plan again. what: why, for the list of changes. */
static bool
restart_for(struct session *s, nsec wall, const char *what, struct text *err)
{
	struct run_figures before;

	session_return(s, wall);
	before = changes_now(&s->changes, s->run.sim);
	if (!launch_session(s, err))
		return false;
	changes_restarted(&s->changes, &before, what);
	clock_rebase(&s->clock, wall, 0);
	return true;
}

/* Kills the clients of a source and launches as many. */
static bool
restart_source(struct session *s, size_t i, struct text *err)
{
	struct control control = {.kind = CONTROL_KILL,
	    .client = CONTROL_ALL,
	    .workload = (uint32_t)i};
	struct text none = {0};

	if (s->plan->sources[i].waiting || s->plan->sources[i].clones == 0)
		return true;
	session_control(s, &control, &none); /* they may have ended */
	text_free(&none);
	return session_start_clients(s, i, err);
}

static bool
restart_beside_programs(struct session *s, struct text *err)
{
	bool ok = true;

	for (size_t i = 0; i < s->plan->n_sources && ok; i++)
		ok = restart_source(s, i, err);
	session_reset_totals(s);
	changes_add(&s->changes, s->run.sim,
	    "descriptors restarted beside programs, totals set to zero");
	return ok;
}

bool
session_restart(struct session *s, nsec wall, struct text *err)
{
	if (session_is_served(s))
		return restart_beside_programs(s, err);
	if (session_is_of_recorded_gpu(s)) {
		text_adds(err, OF_RECORDED_GPU);
		return false;
	}
	return restart_for(s, wall, "restarted", err);
}

bool
session_restart_changed(struct session *s, nsec wall, const char *choice,
    const char *what, struct text *err)
{
	unsigned n = session_n_programs(s);

	if (session_is_of_recorded_gpu(s)) {
		text_adds(err, OF_RECORDED_GPU);
		return false;
	}
	if (session_is_on_gpu(s)) {
		text_addf(err,
		    "the %s cannot change on a GPU, which is as it is: run "
		    "without -D",
		    choice);
		return false;
	}
	if (n > 0) {
		text_addf(err,
		    "the %s cannot change while programs use the device: %u "
		    "%s",
		    choice, n, n == 1 ? "does" : "do");
		return false;
	}
	return restart_for(s, wall, what, err);
}

/* Restarts because a choice was changed. */
static bool
restart_with(struct session *s, nsec wall, const char *choice, const char *was,
    const char *is, struct text *err)
{
	struct text what = {0};
	bool ok;

	text_addf(&what, "%s %s -> %s", choice, was, is);
	ok = session_restart_changed(s, wall, choice, text_str(&what), err);
	text_free(&what);
	return ok;
}

/* Returns the scheduler under another profile: if that in force is the profile's
 * own, the other's own. NULL: it has none, err says why. */
static const struct sched_ops *
scheduler_under(
    const struct plan *plan, const struct profile *wanted, struct text *err)
{
	struct text unused = {0};
	const struct sched_ops *own = sched_of(
	    &plan->profile, SCHED_OF_PROFILE, &unused);

	text_free(&unused);
	return own == plan->sched ? sched_of(wanted, SCHED_OF_PROFILE, err)
				  : plan->sched;
}

bool
session_set_profile(
    struct session *s, nsec wall, const char *name, struct text *err)
{
	struct profile old = s->plan->profile, wanted;
	const struct sched_ops *old_sched = s->plan->sched, *sched;

	profile_init(&wanted);
	if (!profile_load(&wanted, name, err))
		return false;
	sched = scheduler_under(s->plan, &wanted, err);
	if (sched == NULL)
		return false;
	s->plan->profile = wanted;
	s->plan->sched = sched;
	if (!restart_with(s, wall, "profile", old.name, wanted.name, err)) {
		s->plan->profile = old;
		s->plan->sched = old_sched;
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
	if (restart_with(s, wall, "scheduler", old->name, wanted->name, err))
		return true;
	s->plan->sched = old;
	return false;
}
