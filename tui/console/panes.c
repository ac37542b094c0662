/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen as a whole: which panes are shown and which has the focus, keys
 * and commands that change that, and drawing a frame. A pane that is shown may
 * lack room; the pane with the focus never does.
 */
#include <string.h>

#include "base/text.h"
#include "parser/document/document.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"

/* Rows that a view could fill if it does not say. */
#define MANY_ROWS 10000
/* Rows of a view in which a line is typed; with less room it is zoomed. */
#define TYPING_ROWS 7

/* Returns the panes to show, including those without room, as PANE() bits. */
static unsigned
asked_for(const struct ui *ui)
{
	unsigned set = ui->arranged
	    ? ui->shown
	    : layout_default(ui->screen.cols, ui->screen.rows);

	return set | PANE(ui->focus);
}

/* True if a line is typed in the view. */
static bool
is_typed_in(const struct ui *ui, enum part part)
{
	return ui->line != NULL && ui->line->place == part &&
	    part != PART_FOOTER && ui->page == NULL;
}

static int
wanted_rows(struct ui *ui, enum part part)
{
	struct view_env env = ui_env(ui, part);
	const struct view *v = ui->views[part];

	if (v->ops->wants == NULL || is_typed_in(ui, part))
		return MANY_ROWS;
	return v->ops->wants(v, &env);
}

static struct layout
layout_of(struct ui *ui, bool zoom)
{
	struct layout_wants wants = {.shown = asked_for(ui),
	    .focus = ui->focus,
	    .zoom = zoom,
	    .message = footer_message_rows(ui)};

	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		wants.rows[p] = wanted_rows(ui, p);
	return layout_make(ui->screen.cols, ui->screen.rows, &wants);
}

void
arrange(struct ui *ui)
{
	ui->layout = layout_of(ui, ui->zoom);
	if (is_typed_in(ui, ui->focus) &&
	    ui->layout.parts[ui->focus].h < TYPING_ROWS)
		ui->layout = layout_of(ui, true);
}

/* Drops the panes that have no room now. */
static void
drop_hidden_panes(struct ui *ui)
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
	drop_hidden_panes(ui);
}

void
arrange_set(struct ui *ui, unsigned shown, enum part first)
{
	ui->focus = shown & PANE(first) ? first : layout_walk(shown, first, 1);
	ui->shown = shown;
	ui->arranged = true;
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
act_focus(struct ui *ui, int by)
{
	ui->focus = layout_walk(asked_for(ui), ui->focus, by);
}

void
act_show(struct ui *ui, int part)
{
	arrange_show(ui, (enum part)part);
}

void
act_default(struct ui *ui, int arg)
{
	(void)arg;
	arrange_default(ui);
}

void
act_hide(struct ui *ui, int arg)
{
	unsigned rest = asked_for(ui) & ~PANE(ui->focus);

	(void)arg;
	ui->zoom = false;
	ui_open_page(ui, NULL);
	if (rest == 0) {
		ui_say(ui, ROLE_WARN,
		    "this is the last pane (the digits show others)");
		return;
	}
	ui->focus = layout_walk(rest, ui->focus, 1);
	ui->shown = rest;
	ui->arranged = true;
}

void
act_zoom(struct ui *ui, int arg)
{
	(void)arg;
	ui->zoom = !ui->zoom;
}

void
act_cancel(struct ui *ui, int arg)
{
	(void)arg;
	ui->zoom = false;
}

void
act_close(struct ui *ui, int arg)
{
	(void)arg;
	ui_open_page(ui, NULL);
}

/* Closes the page instead, if one is open. */
void
act_help(struct ui *ui, int arg)
{
	(void)arg;
	ui_open_page(ui,
	    ui->page != NULL
		? NULL
		: help_page(&ui->settings->keymap,
		      ui->views[ui->focus]->ops->scope, ui->screen.unicode));
}

bool
cmd_help(struct ui *ui, const char *typed, int arg, struct text *err)
{
	struct area a = screen_area(&ui->screen, ui->layout.body);
	struct text command = {0};
	bool found;

	act_help(ui, arg);
	if (*typed == 0)
		return true;
	page_fit(ui->page, &a);
	text_addf(&command, ":%s", typed);
	found = page_find(ui->page, text_str(&command), 0, 1) ||
	    page_find(ui->page, typed, 0, 1);
	text_free(&command);
	if (!found) {
		ui_open_page(ui, NULL);
		text_adds(err, "no help about '");
		text_add_visible(err, typed, strlen(typed));
		text_adds(
		    err, "': expected a command or a word, e.g. :help tune");
	}
	return found;
}

void
act_settings(struct ui *ui, int arg)
{
	(void)arg;
	ui_open_page(ui, ui->page != NULL ? NULL : settings_page(ui));
}

void
act_mouse(struct ui *ui, int arg)
{
	(void)arg;
	ui->mouse = !ui->mouse;
	ui_say(ui, ROLE_NORMAL,
	    ui->mouse ? "the mouse is used here"
		      : "the terminal has the mouse: text can be selected");
}

void
act_redraw(struct ui *ui, int arg)
{
	(void)arg;
	ui->wants_redraw = true;
}

bool
cmd_view(struct ui *ui, const char *typed, int arg, struct text *err)
{
	size_t len = strlen(typed);

	(void)arg;
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		if (strncasecmp(layout_name(p), typed, len) == 0) {
			arrange_show(ui, p);
			return true;
		}
	if (len > 1 && strncasecmp("default", typed, len) == 0) {
		arrange_default(ui);
		return true;
	}
	text_adds(err, "unknown view '");
	text_add_visible(err, typed, len);
	text_adds(err, "': expected");
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		text_addf(err, " %s", layout_name(p));
	text_adds(err, " or default");
	return false;
}

static bool
is_blank(const struct area *a, int y, int x, int width)
{
	const struct cell *row = a->screen->cells +
	    (size_t)(a->r.y + y) * (size_t)a->screen->cols + a->r.x;

	for (int i = x; i < x + width; i++)
		if (i < 0 || row[i].ch != L' ')
			return false;
	return true;
}

/* Draws the key that shows the pane at the left of its title, where views leave
 * VIEW_NUMBER_COLS blank, and its name at the end, if the title leaves room. */
static void
draw_number(struct area *a, enum part part, enum role role)
{
	int number = part - PART_FIRST_PANE + 1;
	int name = (int)strlen(layout_name(part));

	if (is_blank(a, 0, 0, VIEW_NUMBER_COLS))
		putf(a, 0, 0, 1, role, "%d", number);
	if (is_blank(a, 0, a->r.w - name - 3, name + 3))
		put(a, 0, a->r.w - name - 1, name, role, layout_name(part));
}

/* True if a view draws the open line. The footer draws it while that view is
 * hidden. */
static bool
is_in_place(const struct ui *ui)
{
	return ui->line != NULL && is_typed_in(ui, ui->line->place) &&
	    layout_shows(&ui->layout, ui->line->place);
}

static void
draw_part(struct ui *ui, enum part part)
{
	struct view_env env = ui_env(ui, part);
	struct ui_prompt prompt;
	struct area a = screen_area(&ui->screen, ui->layout.parts[part]);

	if (!layout_shows(&ui->layout, part))
		return;
	if (is_in_place(ui) && ui->line->place == part) {
		prompt = prompt_look();
		env.prompt = &prompt;
		env.draft = line_edit_draft(ui);
	}
	ui->views[part]->ops->draw(ui->views[part], &env, &a);
	if (part >= PART_FIRST_PANE)
		draw_number(&a, part, view_title_role(&env));
}

/* Returns the last of the keys that quit: a letter rather than F10. */
static const char *
quit_key(const struct ui *ui)
{
	const char *keys = keymap_keys(
	    &ui->settings->keymap, action_find(&console_actions, "quit"));
	const char *blank = strrchr(keys, ' ');

	return blank != NULL ? blank + 1 : keys;
}

/* Draws what any size can show, cut off where it has no room. */
static void
draw_too_small(struct ui *ui)
{
	struct screen *s = &ui->screen;
	struct area a = screen_area(s, (struct rect){0, 0, s->cols, s->rows});
	int y = s->rows > 4 ? s->rows / 2 - 1 : 0;

	putf(&a, y, 0, s->cols, ROLE_STRONG, "%dx%d is too small", s->cols,
	    s->rows);
	putf(&a, y + 1, 0, s->cols, ROLE_NORMAL, "needs %dx%d", LAYOUT_MIN_COLS,
	    LAYOUT_MIN_ROWS);
	if (ui->line != NULL)
		putf(&a, y + 2, 0, s->cols, ROLE_NORMAL, "Esc cancels");
	else
		putf(&a, y + 2, 0, s->cols, ROLE_NORMAL, "%s quits",
		    quit_key(ui));
}

static void
draw_footer(struct ui *ui, struct rect r)
{
	struct area footer = screen_area(&ui->screen, r);
	struct ui_prompt prompt = {0};

	if (ui->line != NULL && !ui->line_waits && !is_in_place(ui))
		prompt = prompt_look();
	footer_draw(ui, &footer, prompt.line != NULL ? &prompt : NULL);
}

/* Draws a question or a prompt at any size. */
static void
draw_asked(struct ui *ui)
{
	struct screen *s = &ui->screen;

	if (ui->question.answers != NULL || ui->line != NULL)
		draw_footer(ui, (struct rect){0, s->rows - 1, s->cols, 1});
}

static struct ui_drawn
drawn_now(const struct ui *ui)
{
	const struct session *s = ui->session;
	struct ui_drawn now = {
	    .generation = s->generation,
	    .versions = s->run.versions.generation,
	    .n_clients = s->run.sim->n_clients,
	    .n_sources = s->plan->n_sources,
	    .source = ui->selection.source,
	};

	if (now.source < now.n_sources) {
		now.document = s->plan->sources[now.source].doc;
		now.revision = document_revision(now.document);
	}
	return now;
}

bool
ui_is_outdated(const struct ui *ui)
{
	struct ui_drawn now = drawn_now(ui);
	const struct ui_drawn *then = &ui->drawn;

	return now.generation != then->generation ||
	    now.versions != then->versions ||
	    now.n_clients != then->n_clients ||
	    now.n_sources != then->n_sources || now.source != then->source ||
	    now.document != then->document || now.revision != then->revision;
}

static void
draw_parts(struct ui *ui)
{
	draw_part(ui, PART_HEADER);
	if (ui->page != NULL) {
		struct area a = screen_area(&ui->screen, ui->layout.body);

		page_draw(ui->page, &a, text_str(&ui->search));
	} else {
		for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
			draw_part(ui, p);
	}
}

void
ui_draw(struct ui *ui)
{
	struct layout before;

	ui->unfinished = false;
	ui_follow_launches(ui);
	context_colours_update(&ui->colours, ui->session->run.sim);
	anchor_follow(ui);
	arrange(ui);
	if (layout_shows(&ui->layout, PART_LAYER))
		session_want_layer(ui->session);
	screen_clear(&ui->screen);
	ui->screen.coloured = theme_look(&ui->settings->theme,
				  theme_stack_role(ROLE_RUNNING, ROLE_POLLING),
				  ui->n_colours)
				  .bg >= 0;
	if (ui->layout.too_small) {
		draw_too_small(ui);
		draw_asked(ui);
		ui->drawn = drawn_now(ui);
		return;
	}
	draw_parts(ui);
	/* Views that counted their rows anew may want another layout. */
	before = ui->layout;
	arrange(ui);
	if (memcmp(before.parts, ui->layout.parts, sizeof(before.parts)) != 0) {
		screen_clear(&ui->screen);
		draw_parts(ui);
	}
	draw_footer(ui, ui->layout.parts[PART_FOOTER]);
	anchor_set(ui);
	ui->drawn = drawn_now(ui);
}
