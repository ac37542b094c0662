/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys and commands that compare figures (session/reference.h). */
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/console/act.h"
#include "tui/console/execute.h"

static void
take_snapshot(struct ui *ui)
{
	const struct reference *r = &ui->session->reference;
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
	if (ui->session->reference.kind != REFERENCE_BESIDE)
		return false;
	ui_ask(ui, replace_answers, "The run under %s goes on beside this one",
	    reference_name(ui->session));
	return true;
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
	if (ask_to_replace(ui))
		return;
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
