/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that concern the contexts table. */
#include "base/text.h"
#include "tui/console/execute.h"
#include "tui/views/view.h"

static bool
run_filter(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)wall;
	(void)err;
	contexts_set_filter(ui->views[PART_CONTEXTS], &env, arg);
	return true;
}

static bool
run_sort(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)wall;
	return contexts_sort(ui->views[PART_CONTEXTS], &env, arg, err);
}

const struct command_row commands_of_table[] = {
    {CMD_FILTER, run_filter},
    {CMD_SORT, run_sort},
    {N_COMMANDS, NULL},
};
