/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that concern the run as a whole. */
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/console/execute.h"

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

	if (!parse_speed(arg, &speed)) {
		text_adds(err, "a speed is a number, 1 is real time, or max");
		return false;
	}
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
