/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that concern the screen as a whole: focus, zoom, pages. */
#include "tui/console/act.h"
#include "tui/console/arrange.h"
#include "tui/console/execute.h"

static void
act_help(struct ui *ui, nsec wall)
{
	(void)wall;
	ui_open_page(
	    ui, ui->page != NULL ? NULL : help_page(&ui->settings->keymap));
}

static void
act_settings(struct ui *ui, nsec wall)
{
	(void)wall;
	ui_open_page(ui, ui->page != NULL ? NULL : settings_page(ui));
}

static void
act_command(struct ui *ui, nsec wall)
{
	(void)wall;
	if (!ui->layout.too_small)
		ui_open_line(ui, &command_line, "");
}

static void
act_mouse(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->mouse = !ui->mouse;
	ui_say(ui, ROLE_NORMAL,
	    ui->mouse ? "the mouse is used here"
		      : "the mouse is the terminal's: text can be selected");
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
act_focus_next(struct ui *ui, nsec wall)
{
	(void)wall;
	arrange_walk(ui, 1);
}

static void
act_focus_prev(struct ui *ui, nsec wall)
{
	(void)wall;
	arrange_walk(ui, -1);
}

static void
act_zoom(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->zoom = !ui->zoom;
}

static void
act_show_engines(struct ui *ui, nsec wall)
{
	(void)wall;
	arrange_show(ui, PART_ENGINES);
}

static void
act_show_contexts(struct ui *ui, nsec wall)
{
	(void)wall;
	arrange_show(ui, PART_CONTEXTS);
}

static void
act_show_fences(struct ui *ui, nsec wall)
{
	(void)wall;
	arrange_show(ui, PART_FENCES);
}

static void
act_show_timeline(struct ui *ui, nsec wall)
{
	(void)wall;
	arrange_show(ui, PART_TIMELINE);
}

static void
act_show_descriptor(struct ui *ui, nsec wall)
{
	(void)wall;
	arrange_show(ui, PART_DESCRIPTOR);
}

static void
act_show_layer(struct ui *ui, nsec wall)
{
	(void)wall;
	arrange_show(ui, PART_LAYER);
}

static void
act_show_default(struct ui *ui, nsec wall)
{
	(void)wall;
	arrange_default(ui);
}

static void
act_hide(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->zoom = false;
	ui_open_page(ui, NULL);
	if (!arrange_hide_focused(ui))
		ui_say(ui, ROLE_WARN,
		    "this pane is the last (1 to 6 show others)");
}

const struct act_row act_screen[] = {
    {ACT_HELP, act_help},
    {ACT_SETTINGS, act_settings},
    {ACT_COMMAND, act_command},
    {ACT_MOUSE, act_mouse},
    {ACT_REDRAW, act_redraw},
    {ACT_CLOSE, act_close},
    {ACT_CANCEL, act_cancel},
    {ACT_FOCUS_NEXT, act_focus_next},
    {ACT_FOCUS_PREV, act_focus_prev},
    {ACT_ZOOM, act_zoom},
    {ACT_SHOW_ENGINES, act_show_engines},
    {ACT_SHOW_CONTEXTS, act_show_contexts},
    {ACT_SHOW_FENCES, act_show_fences},
    {ACT_SHOW_TIMELINE, act_show_timeline},
    {ACT_SHOW_DESCRIPTOR, act_show_descriptor},
    {ACT_SHOW_LAYER, act_show_layer},
    {ACT_SHOW_DEFAULT, act_show_default},
    {ACT_HIDE, act_hide},
    {ACT_NONE, NULL},
};
