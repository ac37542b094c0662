/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See arrange.h. */
#include "tui/console/arrange.h"

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
