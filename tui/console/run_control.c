/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that concern the run as a whole: pause, steps, speed, restart. */
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/console/ui.h"

static void
act_pause(struct ui *ui, nsec wall)
{
	session_pause(ui->session, wall, !ui->session->clock.paused);
}

static void
change_speed(struct ui *ui, nsec wall, double speed)
{
	char buf[UNITS_LEN];

	session_set_speed(ui->session, wall, speed);
	ui_say(ui, ROLE_NORMAL, "speed %s", format_speed(buf, speed));
}

static void
act_slower(struct ui *ui, nsec wall)
{
	change_speed(ui, wall, clock_slower(ui->session->clock.speed));
}

static void
act_faster(struct ui *ui, nsec wall)
{
	change_speed(ui, wall, clock_faster(ui->session->clock.speed));
}

static void
act_real_time(struct ui *ui, nsec wall)
{
	change_speed(ui, wall, 1);
}

static void
step(struct ui *ui, nsec wall, enum sim_step what)
{
	ui->session->delay = ui->delay;
	session_step(ui->session, wall, what);
	ui_tick(ui, wall);
}

static void
act_step_event(struct ui *ui, nsec wall)
{
	step(ui, wall, SIM_STEP_EVENT);
}

static void
act_step_batch(struct ui *ui, nsec wall)
{
	step(ui, wall, SIM_STEP_BATCH);
}

static void
act_step_iteration(struct ui *ui, nsec wall)
{
	step(ui, wall, SIM_STEP_ITERATION);
}

static void
act_restart(struct ui *ui, nsec wall)
{
	struct text err = {0};

	ui_begin_work(ui, true, "restarting");
	if (session_restart(ui->session, wall, &err))
		ui_say(ui, ROLE_NORMAL, "restarted");
	else
		ui_say_error(ui, "Can't restart", &err);
	text_free(&err);
}

const struct act_row act_run[] = {
    {ACT_PAUSE, act_pause},
    {ACT_SLOWER, act_slower},
    {ACT_FASTER, act_faster},
    {ACT_REAL_TIME, act_real_time},
    {ACT_STEP_EVENT, act_step_event},
    {ACT_STEP_BATCH, act_step_batch},
    {ACT_STEP_ITERATION, act_step_iteration},
    {ACT_RESTART, act_restart},
    {ACT_NONE, NULL},
};

/* Commands that concern the run as a whole. */

static bool
run_pause(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	ui_act(ui, ACT_PAUSE, wall);
	return true;
}

static bool
run_profile(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	ui_begin_work(ui, true, "restarting with profile %s", arg);
	if (!session_set_profile(ui->session, wall, arg, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "restarted with profile %s",
	    ui->session->plan->profile.name);
	return true;
}

static bool
run_restart(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	ui_act(ui, ACT_RESTART, wall);
	return true;
}

static bool
run_scheduler(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	ui_begin_work(ui, true, "restarting with scheduler %s", arg);
	if (!session_set_scheduler(ui->session, wall, arg, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "restarted with scheduler %s",
	    ui->session->plan->sched->name);
	return true;
}

static bool
run_speed(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	char buf[UNITS_LEN];
	double speed;

	if (!read_speed(arg, &speed, err))
		return false;
	session_set_speed(ui->session, wall, speed);
	ui_say(ui, ROLE_NORMAL, "speed %s", format_speed(buf, speed));
	return true;
}

static bool
run_step(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	static const struct {
		const char *name;
		enum action action;
	} kinds[] = {
	    {"event", ACT_STEP_EVENT},
	    {"batch", ACT_STEP_BATCH},
	    {"iteration", ACT_STEP_ITERATION},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strncmp(kinds[i].name, arg, strlen(arg)) == 0) {
			ui_act(ui, kinds[i].action, wall);
			return true;
		}
	text_adds(err, "a step is an event, a batch or an iteration");
	return false;
}

const struct command_row commands_of_run[] = {
    {CMD_PAUSE, run_pause},
    {CMD_PROFILE, run_profile},
    {CMD_RESTART, run_restart},
    {CMD_SCHEDULER, run_scheduler},
    {CMD_SPEED, run_speed},
    {CMD_STEP, run_step},
    {N_COMMANDS, NULL},
};

/* Keys and commands that compare figures (session/reference.h). */

static void
take_snapshot(struct ui *ui)
{
	const struct baseline *r = &ui->session->baseline;
	char buf[UNITS_LEN];

	if (!session_snapshot(ui->session)) {
		ui_say(ui, ROLE_WARN,
		    "no snapshot: nothing has run since the last change");
		return;
	}
	ui_say(ui, ROLE_NORMAL,
	    "snapshot of the %s since the %s kept: what is so NOW is compared "
	    "with it (= forgets it)",
	    format_duration(buf, r->to.at - r->from.at),
	    r->from.at > 0 ? "last change" : "start");
}

static void
replace_beside(struct ui *ui, nsec wall)
{
	(void)wall;
	take_snapshot(ui);
}

static const struct ui_answer replace_answers[] = {
    {"yY", "end it, take a snapshot", replace_beside},
    {"nN\033\003", "no", NULL},
    {0},
};

/* A run beside this one is not thrown away by a key. */
static bool
ask_to_replace(struct ui *ui)
{
	if (ui->session->baseline.kind != BASELINE_SHADOW)
		return false;
	ui_ask(ui, replace_answers, "The run under %s goes on beside this one",
	    baseline_name(ui->session));
	return true;
}

static void
forget(struct ui *ui)
{
	session_forget_baseline(ui->session);
	ui_say(ui, ROLE_NORMAL, "nothing is compared any more");
}

static void
act_snapshot(struct ui *ui, nsec wall)
{
	(void)wall;
	if (ask_to_replace(ui))
		return;
	if (baseline_name(ui->session) != NULL)
		forget(ui);
	else
		take_snapshot(ui);
}

static bool
run_snapshot(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)wall;
	(void)err;
	if (!ask_to_replace(ui))
		take_snapshot(ui);
	return true;
}

static bool
run_compare(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	if (*arg == 0) {
		forget(ui);
		return true;
	}
	if (!session_compare(ui->session, wall, arg, err))
		return false;
	ui_say(ui, ROLE_NORMAL,
	    "restarted, under %s and beside it under %s (:compare ends it)",
	    ui->session->plan->sched->name, baseline_name(ui->session));
	return true;
}

const struct act_row act_compare[] = {
    {ACT_SNAPSHOT, act_snapshot},
    {ACT_NONE, NULL},
};

const struct command_row commands_of_comparing[] = {
    {CMD_COMPARE, run_compare},
    {CMD_SNAPSHOT, run_snapshot},
    {N_COMMANDS, NULL},
};
