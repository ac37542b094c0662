/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys and commands that compare figures (session/reference.h). */
#include <string.h>

#include "parser/text.h"
#include "tui/console/act.h"
#include "tui/console/execute.h"
#include "tui/screen/units.h"

static void
take_snapshot(struct ui *ui)
{
	const struct session *s = ui->session;
	char buf[UNITS_LEN];

	session_snapshot(ui->session);
	ui_say(ui, ROLE_NORMAL,
	    "snapshot of %s kept: from here on figures are compared with it "
	    "(= forgets it)",
	    format_duration(buf, s->reference.to.at - s->reference.from.at));
}

static void
forget(struct ui *ui)
{
	session_forget_reference(ui->session);
	ui_say(ui, ROLE_NORMAL, "nothing is compared any more");
}

static void
act_snapshot(struct ui *ui, nsec wall)
{
	(void)wall;
	if (reference_name(ui->session) != NULL)
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
	    ui->session->plan->sched->name, reference_name(ui->session));
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
