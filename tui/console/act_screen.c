/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that concern the screen as a whole: focus, zoom, pages, leaving. */
#include "tui/console/act.h"
#include "tui/console/execute.h"

static void
act_help(struct ui *ui, nsec wall)
{
	(void)wall;
	ui_open_page(ui, ui->page != NULL ? NULL : help_page(&ui->keymap));
}

static void
act_quit(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->leave = UI_QUIT;
}

static void
act_interrupt(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->leave = UI_INTERRUPTED;
}

static void
act_command(struct ui *ui, nsec wall)
{
	(void)wall;
	if (!ui->layout.too_small)
		ui_open_line(ui, &command_line, "");
}

static void
act_redraw(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->wants_redraw = true;
}

static void
act_close(struct ui *ui, nsec wall)
{
	(void)wall;
	ui_open_page(ui, NULL);
}

static void
act_cancel(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->zoom = false;
}

static void
move_focus(struct ui *ui, int step_by)
{
	int n = N_PARTS - PART_FIRST_PANE;
	int at = (int)ui->focus - PART_FIRST_PANE;

	ui->focus = (enum part)(PART_FIRST_PANE + (at + step_by + n) % n);
}

static void
act_focus_next(struct ui *ui, nsec wall)
{
	(void)wall;
	move_focus(ui, 1);
}

static void
act_focus_prev(struct ui *ui, nsec wall)
{
	(void)wall;
	move_focus(ui, -1);
}

static void
act_zoom(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->zoom = !ui->zoom;
}

const struct act_row act_screen[] = {
    {ACT_HELP, act_help},
    {ACT_QUIT, act_quit},
    {ACT_INTERRUPT, act_interrupt},
    {ACT_COMMAND, act_command},
    {ACT_REDRAW, act_redraw},
    {ACT_CLOSE, act_close},
    {ACT_CANCEL, act_cancel},
    {ACT_FOCUS_NEXT, act_focus_next},
    {ACT_FOCUS_PREV, act_focus_prev},
    {ACT_ZOOM, act_zoom},
    {ACT_NONE, NULL},
};
