/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See arrange.h. */
#include <string.h>

#include "base/text.h"
#include "tui/console/ui.h"

/* What a view that does not say could fill. */
#define MANY_ROWS 10000

/* Panes that are to be shown; those without room are among them. */
static unsigned
asked_for(const struct ui *ui)
{
	unsigned set = ui->arranged
	    ? ui->shown
	    : layout_default(ui->screen.cols, ui->screen.rows);

	return set | PANE(ui->focus);
}

static int
wanted_rows(struct ui *ui, enum part part)
{
	struct view_env env = ui_env(ui, part);
	const struct view *v = ui->views[part];

	return v->ops->wants != NULL ? v->ops->wants(v, &env) : MANY_ROWS;
}

static struct layout
layout_of(struct ui *ui, bool zoom)
{
	struct layout_wants wants = {
	    .shown = asked_for(ui), .focus = ui->focus, .zoom = zoom};

	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		wants.rows[p] = wanted_rows(ui, p);
	return layout_make(ui->screen.cols, ui->screen.rows, &wants);
}

void
arrange(struct ui *ui)
{
	ui->layout = layout_of(ui, ui->zoom);
}

/* What had no room for the new pane is not asked for any more. */
static void
give_way(struct ui *ui)
{
	struct layout l = layout_of(ui, false);

	for (enum part p = PART_FIRST_PANE; p < N_PARTS && !l.too_small; p++)
		if (!layout_shows(&l, p))
			ui->shown &= ~PANE(p);
}

void
arrange_show(struct ui *ui, enum part part)
{
	unsigned set = asked_for(ui);

	ui_open_page(ui, NULL);
	ui->focus = part;
	if (set & PANE(part))
		return;
	ui->shown = set | PANE(part);
	ui->arranged = true;
	give_way(ui);
}

void
arrange_set(struct ui *ui, unsigned shown, enum part first)
{
	ui->focus = shown & PANE(first) ? first : layout_walk(shown, first, 1);
	ui->shown = shown;
	ui->arranged = true;
}

bool
arrange_hide_focused(struct ui *ui)
{
	unsigned rest = asked_for(ui) & ~PANE(ui->focus);

	if (rest == 0)
		return false;
	ui->focus = layout_walk(rest, ui->focus, 1);
	ui->shown = rest;
	ui->arranged = true;
	return true;
}

void
arrange_default(struct ui *ui)
{
	ui_open_page(ui, NULL);
	ui->arranged = false;
	ui->zoom = false;
	if (!(layout_default(ui->screen.cols, ui->screen.rows) &
		PANE(ui->focus)))
		ui->focus = PART_CONTEXTS;
}

void
arrange_walk(struct ui *ui, int by)
{
	ui->focus = layout_walk(asked_for(ui), ui->focus, by);
}

/* Keys that concern the screen as a whole: focus, zoom, pages. */

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
		ui_open_line(ui, &command_line, "", NULL);
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

/* Commands that concern the screen as a whole. */

static bool
run_delay(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	if (!ui_set(ui, SET_DELAY, arg, wall, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "a frame every %g s", (double)ui->delay / 1e9);
	return true;
}

static bool
run_help(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)wall;
	(void)err;
	ui_open_page(ui, help_page(&ui->settings->keymap));
	return true;
}

static bool
run_view(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	size_t len = strlen(arg);

	(void)wall;
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		if (strncasecmp(layout_name(p), arg, len) == 0) {
			arrange_show(ui, p);
			return true;
		}
	if (len > 1 && strncasecmp("default", arg, len) == 0) {
		arrange_default(ui);
		return true;
	}
	text_adds(err, "no such view; there are");
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		text_addf(err, " %s", layout_name(p));
	text_adds(err, " and default");
	return false;
}

const struct command_row commands_of_screen[] = {
    {CMD_DELAY, run_delay},
    {CMD_HELP, run_help},
    {CMD_VIEW, run_view},
    {N_COMMANDS, NULL},
};
