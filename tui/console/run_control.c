/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys and commands for the run as a whole: pause, single steps, speed,
 * restarts with another scheduler or profile, and what live figures are
 * compared with.
 */
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/sched/sched.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"

void
act_pause(struct ui *ui, int arg)
{
	bool pause = !ui->session->clock.paused;

	(void)arg;
	session_pause(ui->session, ui->now, pause);
	if (!pause && session_is_past(ui->session))
		ui_follow_present(ui);
}

static void
change_speed(struct ui *ui, double speed)
{
	char buf[UNITS_LEN];

	if (session_is_on_gpu(ui->session)) {
		ui_say(ui, ROLE_BAD,
		    "a GPU runs in real time: no other speed (( and ) "
		    "change how long batches take)");
		return;
	}
	if (session_is_served(ui->session) && speed == 0) {
		ui_say(ui, ROLE_BAD,
		    "programs live in real time: expected a number, e.g. 2, "
		    "not max");
		return;
	}
	session_set_speed(ui->session, ui->now, speed);
	ui_say(ui, ROLE_NORMAL,
	    session_is_served(ui->session)
		? "batches run at speed %s; the clock goes on as ever"
		: "speed %s",
	    format_speed(buf, speed));
}

/* by: 1 faster, -1 slower, 0 real time. */
void
act_speed(struct ui *ui, int by)
{
	double speed = session_speed(ui->session);

	change_speed(ui,
	    by > 0       ? clock_faster(speed)
		: by < 0 ? clock_slower(speed)
			 : 1);
}

bool
cmd_speed(struct ui *ui, const char *typed, int arg, struct text *err)
{
	double speed;

	(void)arg;
	if (!read_speed(typed, &speed, err))
		return false;
	change_speed(ui, speed);
	return true;
}

/* what: an enum sim_step. */
void
act_step(struct ui *ui, int what)
{
	struct text happened = {0};

	if (session_is_on_gpu(ui->session)) {
		ui_say(ui, ROLE_BAD,
		    "a GPU does not stop between two events: no single steps "
		    "(Space holds submissions)");
		return;
	}
	ui->session->delay = ui->delay;
	session_step(ui->session, ui->now, (enum sim_step)what, &happened);
	if (happened.len > 0)
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&happened));
	text_free(&happened);
	select_event(ui);
	ui_tick(ui);
}

bool
cmd_step(struct ui *ui, const char *typed, int arg, struct text *err)
{
	static const struct {
		const char *name;
		enum sim_step what;
	} kinds[] = {
	    {"event", SIM_STEP_EVENT},
	    {"batch", SIM_STEP_BATCH},
	    {"iteration", SIM_STEP_ITERATION},
	};

	(void)arg;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strncmp(kinds[i].name, typed, strlen(typed)) == 0) {
			ui_act(ui, act_step, kinds[i].what);
			return true;
		}
	text_adds(err, "invalid step '");
	text_add_visible(err, typed, strlen(typed));
	text_adds(err, "': expected event, batch or iteration");
	return false;
}

static void
restart_now(struct ui *ui, int arg)
{
	struct text err = {0};

	(void)arg;
	ui_begin_work(ui, true, "restarting");
	if (!session_restart(ui->session, ui->now, &err))
		ui_say_error(ui, "Can't restart", &err);
	else if (session_state(ui->session) == SESSION_REFUSED)
		ui_say(ui, ROLE_BAD, "%s", run_gpu_failure(&ui->session->run));
	else
		ui_say(ui, ROLE_NORMAL, "restarted");
	text_free(&err);
}

static const struct ui_answer restart_answers[] = {
    {"yY", "yes", restart_now, 0}, {"nN", "no", NULL, 0}, {0}};

void
act_restart(struct ui *ui, int arg)
{
	if (session_is_served(ui->session))
		ui_ask(ui, restart_answers,
		    "Restart descriptors and set totals to zero? Programs and "
		    "time go on");
	else
		restart_now(ui, arg);
}

/* Says what the run was restarted with, and which step changes nothing now. */
static void
say_restarted(struct ui *ui, const char *what, const char *name)
{
	bool beside = ui->session->baseline.kind == BASELINE_SHADOW;
	struct text idle = {0};

	idle_notice_add(ui->session->plan, ui->session->run.sim, &idle);
	ui_say(ui, idle.len > 0 ? ROLE_WARN : ROLE_NORMAL,
	    "restarted with %s %s%s%s%s", what, name,
	    beside ? ", beside a run under " : "",
	    beside ? baseline_name(ui->session) : "", text_str(&idle));
	text_free(&idle);
}

bool
cmd_profile(struct ui *ui, const char *typed, int arg, struct text *err)
{
	const struct plan *plan = ui->session->plan;
	const struct sched_ops *old = plan->sched;
	struct text name = {0};

	(void)arg;
	ui_begin_work(ui, true, "restarting with profile %s", typed);
	if (!session_set_profile(ui->session, ui->now, typed, err))
		return false;
	text_adds(&name, plan->profile.name);
	if (plan->sched != old)
		text_addf(&name, ", scheduler %s", plan->sched->name);
	say_restarted(ui, "profile", text_str(&name));
	text_free(&name);
	return true;
}

bool
cmd_scheduler(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)arg;
	ui_begin_work(ui, true, "restarting with scheduler %s", typed);
	if (!session_set_scheduler(ui->session, ui->now, typed, err))
		return false;
	say_restarted(ui, "scheduler", ui->session->plan->sched->name);
	return true;
}

static void
take_snapshot(struct ui *ui, int arg)
{
	const struct baseline *r = &ui->session->baseline;
	char buf[UNITS_LEN];

	(void)arg;
	if (session_is_past(ui->session)) {
		ui_say(ui, ROLE_WARN,
		    "figures are compared in the present: F returns there");
		return;
	}
	if (!session_snapshot(ui->session)) {
		ui_say(ui, ROLE_WARN,
		    "no snapshot: nothing has run since the last change");
		return;
	}
	ui_say(ui, ROLE_NORMAL,
	    "snapshot taken of the %s since the %s: NOW columns compare with "
	    "it (= drops it)",
	    format_duration(buf, r->to.at - r->from.at),
	    r->from.at > 0 ? "last change" : "start");
}

static const struct ui_answer replace_answers[] = {
    {"yY", "end it, take a snapshot", take_snapshot, 0},
    {"nN\033\003", "no", NULL, 0},
    {0},
};

/* Asks before a snapshot ends the run beside this one. False: there is none. */
static bool
ask_to_replace(struct ui *ui)
{
	if (ui->session->baseline.kind != BASELINE_SHADOW)
		return false; /* a trace can be compared with again */
	ui_ask(ui, replace_answers, "This run is compared with one under %s:",
	    baseline_name(ui->session));
	return true;
}

static void
stop_comparing(struct ui *ui)
{
	bool beside = ui->session->baseline.kind == BASELINE_SHADOW;

	ui_say(ui, ROLE_NORMAL, "stopped comparing with the %s%s",
	    beside ? "run under " : "", baseline_name(ui->session));
	session_forget_baseline(ui->session);
}

void
act_snapshot(struct ui *ui, int arg)
{
	if (ask_to_replace(ui))
		return;
	if (baseline_name(ui->session) != NULL)
		stop_comparing(ui);
	else
		take_snapshot(ui, arg);
}

bool
cmd_snapshot(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)typed;
	(void)err;
	if (!ask_to_replace(ui))
		take_snapshot(ui, arg);
	return true;
}

bool
cmd_compare(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)arg;
	if (*typed == 0 && baseline_name(ui->session) == NULL) {
		text_adds(err,
		    "nothing is compared: expected a scheduler, e.g. "
		    ":compare fifo");
		return false;
	}
	if (*typed == 0) {
		stop_comparing(ui);
		return true;
	}
	if (strcmp(typed, "trace") == 0) {
		if (!session_compare_trace(ui->session, err))
			return false;
		ui_say(ui, ROLE_NORMAL,
		    "compared with the trace that was imported: below each "
		    "engine of the timeline (:compare ends it)");
		return true;
	}
	if (sched_find(typed, err) == NULL) {
		text_adds(err, ", or trace");
		return false;
	}
	if (!session_compare(ui->session, ui->now, typed, err))
		return false;
	ui_say(ui, ROLE_NORMAL,
	    "restarted under %s, beside a run under %s (:compare ends it)",
	    ui->session->plan->sched->name, baseline_name(ui->session));
	return true;
}
