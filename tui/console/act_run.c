/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that concern the run as a whole: pause, steps, speed, restart. */
#include "base/text.h"
#include "base/units.h"
#include "tui/console/act.h"

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
	ui->session->delay = (nsec)(ui->delay * 1e9);
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
