/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that concern files: writing, and leaving. */
#include "tui/console/act.h"
#include "tui/console/files.h"

static void
act_write(struct ui *ui, nsec wall)
{
	files_write(ui, "", false, false, wall);
}

static void
act_quit(struct ui *ui, nsec wall)
{
	files_quit(ui, UI_QUIT, wall);
}

static void
act_interrupt(struct ui *ui, nsec wall)
{
	files_quit(ui, UI_INTERRUPTED, wall);
}

const struct act_row act_files[] = {
    {ACT_WRITE, act_write},
    {ACT_QUIT, act_quit},
    {ACT_INTERRUPT, act_interrupt},
    {ACT_NONE, NULL},
};
