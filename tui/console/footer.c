/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last row of the screen: a prompt with its completions, a question, or the
 * keys. A message is above the keys. Texts that need more room grow upwards over the
 * panes.
 */
#include <stdio.h>
#include <string.h>

#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/views/choices.h"

/* Returns the name of the action's first key; NULL: it has none. */
static const char *
key_shown(const struct ui *ui, const struct action_row *row, size_t *len)
{
	const struct keymap *m = &ui->settings->keymap;
	size_t at = (size_t)(row - m->table->rows);

	return key_name_at(keymap_keys(m, at), 0, len);
}

static int
key_width(const struct ui *ui, const struct action_row *row)
{
	size_t len;

	key_shown(ui, row, &len);
	return (int)len + (int)strlen(row->label) + 2;
}

static void
draw_key(
    const struct ui *ui, struct area *a, int x, const struct action_row *row)
{
	size_t len;
	const char *name = key_shown(ui, row, &len);

	x += put_n(a, 0, x, a->r.w, ROLE_KEY, name, len);
	fill(a, 0, x, (int)strlen(row->label) + 2, ROLE_KEY_LABEL);
	put(a, 0, x + 1, a->r.w, ROLE_KEY_LABEL, row->label);
}

/* True if the footer shows the action: it belongs to the page, or else to the
 * pane with the focus or to everywhere. */
static bool
has_place(const struct ui *ui, const struct action_row *row)
{
	size_t len;

	if (row->label == NULL || key_shown(ui, row, &len) == NULL)
		return false;
	/* A GPU has neither other speeds nor single steps. */
	if (session_is_on_gpu(ui->session) &&
	    (row->run == act_speed || row->run == act_step))
		return false;
	if (ui->page != NULL)
		return row->scope == SCOPE_PAGE;
	return row->scope == SCOPE_ALL ||
	    row->scope == ui->views[ui->focus]->ops->scope;
}

/* The keys of the footer from left to right: as many as fit. The key that quits
 * is always among them. */
struct places {
	size_t i;    /* the next row of the table */
	int x, next; /* where the last one begins, and the next */
	int room;    /* without that for the way out */
	bool all;    /* there is room for all */
};

#define MORE_COLS 2 /* a blank, and the sign that there are more keys */

static struct places
places_begin(const struct ui *ui, int width)
{
	struct places p = {.room = width};
	int used = 0;

	for (size_t i = 0; i < console_actions.n; i++) {
		const struct action_row *row = &console_actions.rows[i];
		int w;

		if (!has_place(ui, row))
			continue;
		w = key_width(ui, row) + 1;
		used += w;
		if (row->run == act_quit)
			p.room -= w;
	}
	p.all = used <= width;
	if (!p.all)
		p.room -= MORE_COLS - 1;
	return p;
}

static const struct action_row *
places_next(struct places *p, const struct ui *ui)
{
	while (p->i < console_actions.n) {
		const struct action_row *row = &console_actions.rows[p->i++];
		bool quit = row->run == act_quit;
		int w;

		if (!has_place(ui, row))
			continue;
		w = key_width(ui, row) + 1;
		if (!quit && p->next + w > p->room)
			continue;
		p->x = p->next;
		p->next += w;
		p->room += quit ? w : 0;
		return row;
	}
	return NULL;
}

static void
draw_keys(const struct ui *ui, struct area *a)
{
	struct places p = places_begin(ui, a->r.w);
	const struct action_row *row;

	while ((row = places_next(&p, ui)) != NULL)
		draw_key(ui, a, p.x, row);
	if (!p.all)
		put_char(a, 0, p.next, ROLE_DIM, cut_sign(a->screen));
}

const struct action_row *
footer_key_at(const struct ui *ui, int x)
{
	struct places p = places_begin(ui, ui->layout.parts[PART_FOOTER].w);
	const struct action_row *row;

	while ((row = places_next(&p, ui)) != NULL)
		if (x >= p.x && x < p.next)
			return row;
	return NULL;
}

/* Scrolls the line so that the cursor is visible. */
static void
draw_prompt(const struct ui *ui, struct area *a, const struct ui_prompt *p)
{
	struct screen *s = a->screen;
	int x = put(a, 0, 0, a->r.w / 2, ROLE_PROMPT, p->prompt);
	int room = a->r.w - x - 1;
	int cursor = columns(s, p->line, p->point);
	int skip = cursor > room ? cursor - room : 0;

	(void)ui;
	put_skip(a, 0, x, a->r.w - x,
	    p->marked ? ROLE_SELECTED_FOCUS : ROLE_NORMAL, p->line,
	    strlen(p->line), skip);
	s->cursor_x = a->r.x + x + cursor - skip;
	s->cursor_y = a->r.y;
}

static const char *
answer_key(const struct ui_answer *answer, size_t *len)
{
	*len = answer->keys[0] == KEY_ESC ? 3 : 1;
	return *len > 1 ? "Esc" : answer->keys;
}

/* An answer at (x, y), on a new row where this one is full; returns the
 * column after it. */
static int
draw_answer(struct area *a, const struct ui_answer *answer, int x, int *y)
{
	size_t len;
	const char *key = answer_key(answer, &len);

	if (x > 0 && x + 3 + (int)(len + strlen(answer->label)) > a->r.w) {
		x = 0;
		++*y;
	}
	if (x > 0)
		x += put(a, *y, x, a->r.w, ROLE_SELECTED_FOCUS, "  ");
	x += put_n(a, *y, x, a->r.w, ROLE_KEY, key, len);
	x += put(a, *y, x, a->r.w, ROLE_KEY, " ");
	x += put(a, *y, x, a->r.w, ROLE_KEY_LABEL, answer->label);
	return x;
}

/* Says that a key was not an answer, and which keys are. */
static int
draw_hint(struct area *a, const struct ui_question *q, int x, int *y)
{
	struct text t = {0};
	bool has_esc = false;

	text_adds(&t,
	    q->typing ? "  no commands now: Enter, then answer " : "  answer ");
	for (const struct ui_answer *i = q->answers; i->keys != NULL; i++) {
		if (i->label == NULL)
			continue;
		if (i->keys[0] == KEY_ESC)
			has_esc = true;
		else
			text_addf(&t, "%.1s, ", i->keys);
	}
	t.len -= 2;
	text_adds(&t, has_esc ? " or Esc" : " (Esc: none)");
	if (x + (int)t.len > a->r.w) {
		x = 0;
		++*y;
	}
	x += put(a, *y, x, a->r.w, ROLE_WARN, text_str(&t));
	text_free(&t);
	return x;
}

/* Draws the question from the area's first row on, with the cursor at its end;
 * returns its last row. */
static int
flow_question(const struct ui *ui, struct area *a)
{
	const struct ui_question *q = &ui->question;
	int x, y = 0;

	for (int i = 0; i < a->r.h; i++)
		fill(a, i, 0, a->r.w, ROLE_SELECTED_FOCUS);
	x = put(a, 0, 0, a->r.w, ROLE_SELECTED_FOCUS, text_str(&q->text));
	for (const struct ui_answer *i = q->answers; i->keys != NULL; i++)
		if (i->label != NULL)
			x = draw_answer(a, i, x, &y);
	if (q->stray_key)
		x = draw_hint(a, q, x, &y);
	a->screen->cursor_x = a->r.x + (x < a->r.w ? x : a->r.w - 1);
	a->screen->cursor_y = a->r.y + (y < a->r.h ? y : a->r.h - 1);
	return y;
}

/* Takes as many rows as the answers need. */
static void
draw_question(const struct ui *ui, const struct area *a)
{
	struct screen *s = a->screen;
	struct screen aside = {.unicode = s->unicode};
	struct area all;
	int rows;

	screen_resize(&aside, a->r.w, s->rows);
	all = screen_area(&aside, (struct rect){0, 0, a->r.w, s->rows});
	rows = flow_question(ui, &all) + 1;
	screen_free(&aside);
	if (rows > s->rows)
		rows = s->rows;
	all = screen_area(
	    s, (struct rect){a->r.x, a->r.y + 1 - rows, a->r.w, rows});
	flow_question(ui, &all);
}

/* Draws the message in up to `most` rows, and returns how many it needs. Only
 * counts them unless really. */
static int
flow_message(const struct ui *ui, struct area *a, int most, bool really)
{
	const char *s = text_str(&ui->message);
	size_t len = ui->message.len;
	int y = 0;

	for (; y < most - 1 && len > 0; y++) {
		size_t n = bytes_of_row(a->screen, s, len, a->r.w);

		if (really)
			put_n(a, y, 0, a->r.w, ui->message_role, s, n);
		n += n < len && s[n] == ' ';
		s += n;
		len -= n;
	}
	if (len > 0 && really)
		put_cut(a, y, 0, a->r.w, ui->message_role, s);
	return y + (len > 0);
}

int
footer_message_rows(struct ui *ui)
{
	struct area a = screen_area(&ui->screen, screen_rect(&ui->screen));
	int most = a.r.h / 5 > 1 ? a.r.h / 5 : 1;

	if (ui->question.answers != NULL ||
	    (ui->line != NULL && ui->line->place == PART_FOOTER))
		return 0;
	return flow_message(ui, &a, most, false);
}

/* Draws the message in all rows of the footer but the last. */
static void
draw_message(const struct ui *ui, const struct area *footer)
{
	struct area a = *footer;

	a.r.h--;
	for (int y = 0; y < a.r.h; y++)
		fill(&a, y, 0, a.r.w, ROLE_NORMAL);
	flow_message(ui, &a, a.r.h, true);
}

/* Draws completions above the prompt, over up to a third of the screen, or half
 * of it where they have meanings. */
static void
draw_popup(const struct area *footer, const struct ui_prompt *prompt)
{
	struct choice_list c = choices_of(footer->screen, prompt);
	struct area above = *footer;
	int most = footer->screen->rows / (c.meaning > 0 ? 2 : 3);

	if (most > footer->r.y)
		most = footer->r.y;
	above.r.h = choices_rows(&c, above.r.w - 2, most);
	above.r.y -= above.r.h;
	for (int y = 0; y < above.r.h; y++)
		fill(&above, y, 0, above.r.w, ROLE_KEY_LABEL);
	above.r.x++;
	above.r.w -= 2;
	choices_draw(&c, &above, ROLE_KEY_LABEL, ROLE_KEY_LABEL);
}

void
footer_draw(const struct ui *ui, struct area *a, const struct ui_prompt *prompt)
{
	struct area last = *a;

	last.r.y += last.r.h - 1;
	last.r.h = 1;
	draw_message(ui, a);
	if (prompt != NULL) {
		draw_prompt(ui, &last, prompt);
		if (prompt->choices != NULL)
			draw_popup(&last, prompt);
	} else if (ui->question.answers != NULL) {
		draw_question(ui, &last);
	} else if (ui->line != NULL && !ui->line_waits &&
	    ui->line->hint != NULL) {
		put_cut(&last, 0, 0, a->r.w, ROLE_NORMAL, ui->line->hint);
	} else {
		draw_keys(ui, &last);
	}
}
