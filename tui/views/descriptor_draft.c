/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line being typed in the Descriptor view: the prompt's line in place of
 * the old one, and below it what the field under the cursor means, completions
 * and diagnostics. Diagnostics of a word that is still typed are hints.
 */
#include "tui/views/descriptor.h"

#include <string.h>

#include "base/text.h"
#include "run/plan.h"
#include "tui/input/typed_step.h"
#include "tui/views/choices.h"

/* Returns where the typed text begins, behind the prompt. */
static int
typed_column(const struct line_look *look, const struct area *a)
{
	const char *prompt = look->env->prompt->prompt;
	int x = lines_text_column(a) - 1, room = (a->r.w - x) / 2;
	int w = columns(a->screen, prompt, strlen(prompt));

	return x + (w < room ? w : room);
}

/* Returns the columns scrolled away so that the cursor is visible. */
static int
typed_skip(const struct line_look *look, const struct area *a)
{
	const struct ui_prompt *p = look->env->prompt;
	int room = a->r.w - typed_column(look, a) - 1;
	int cursor = columns(a->screen, p->line, p->point);

	return cursor > room ? cursor - room : 0;
}

/* The rows of the draft: the line, what its field means, completions. The
 * diagnostics get what is left. */
struct draft_parts {
	struct text about; /* two lines of typed_explain(), or empty */
	int n_about;       /* rows of it */
	int about_x;       /* column where it begins */
	struct choice_list choices;
	int choices_x, n_choices;
	struct caret_line below;
};

static struct caret_line
carets_of_draft(const struct line_look *look, const struct area *a)
{
	const struct diag_list *diags = look->env->draft->diags;
	const char *line = look->env->prompt->line;

	return (struct caret_line){
	    .text = line,
	    .len = strlen(line),
	    .x = typed_column(look, a),
	    .skip = typed_skip(look, a),
	    .list = diags->list,
	    .n = diags->n,
	    .is_typed = true,
	    .point = look->env->prompt->point,
	};
}

#define ABOUT_X    8  /* where the line's own column leaves too little room */
#define ABOUT_COLS 66 /* of room that is enough */

/* Returns the rows that the lines about the field may take. */
static int
most_about(const struct area *a)
{
	return a->r.h > 10 ? 4 : a->r.h > 6 ? 3 : 1;
}

/* Draws, or with draw false measures, s[0..len) wrapped; the row `last` is cut.
 * Returns the row after it. */
static int
flow_line(const struct draft_parts *p, struct area *a, int y, int last,
    enum role role, const char *s, size_t len, bool draw)
{
	int room = a->r.w - p->about_x;

	while (len > 0 && y <= last) {
		size_t n = bytes_of_row(a->screen, s, len, room);

		if (draw && y == last)
			put_cut_skip(a, y, p->about_x, room, role, s, len, 0);
		else if (draw)
			put_n(a, y, p->about_x, room, role, s, n);
		n += n < len && s[n] == ' ';
		s += n;
		len -= n;
		y++;
	}
	return y;
}

/* Draws, or with draw false measures, the lines about the field from row y on:
 * name and value, with the syntax of the step beside them if it has room; then
 * what may be written. Returns the row after them. */
static int
flow_about(const struct draft_parts *p, struct area *a, int y, bool draw)
{
	const char *s = text_str(&p->about), *form = strchr(s, '\n');
	size_t len = strcspn(s, "\t\n"), all = strcspn(s, "\n");
	int last = y + most_about(a) - 1, syntax = (int)(all - len) - 1;
	int w = columns(a->screen, s, len);

	if (form == NULL)
		return y;
	if (draw && syntax > 0 && p->about_x + w + 2 + syntax <= a->r.w)
		put_n(a, y, a->r.w - syntax, syntax, ROLE_DIM, s + len + 1,
		    (size_t)syntax);
	y = flow_line(p, a, y, last, ROLE_LABEL, s, len, draw);
	return flow_line(
	    p, a, y, last, ROLE_DIM, form + 1, strlen(form + 1), draw);
}

static int
rows_of_choices(const struct draft_parts *p, const struct area *a, int most)
{
	return choices_rows(
	    &p->choices, a->r.w - p->choices_x, most > 0 ? most : 0);
}

/* Gives the list of completions its place; one that is too long takes that of
 * the lines about the field too. */
static void
place_choices(struct draft_parts *p, const struct area *a, int room)
{
	p->choices_x = 1;
	if (p->choices.n > 0 &&
	    choices_are_cut(&p->choices, a->r.w - 1, room - p->n_about))
		p->n_about = 0;
	room -= p->n_about;
	if (p->choices.meaning > 0 && (int)p->choices.n <= room)
		p->choices_x = p->about_x;
	p->n_choices = rows_of_choices(p, a, room);
}

/* Lays out the draft in the rows from y on. The caller frees p->about. */
static void
lay_out_draft(
    const struct line_look *look, struct area *a, int y, struct draft_parts *p)
{
	const struct ui_prompt *prompt = look->env->prompt;
	int x = lines_text_column(a);

	*p = (struct draft_parts){.below = carets_of_draft(look, a)};
	p->about_x = a->r.w - x < ABOUT_COLS && x > ABOUT_X ? ABOUT_X : x;
	typed_explain(
	    look->env->draft->scene, prompt->line, prompt->point, &p->about);
	p->n_about = flow_about(p, a, 0, false);
	p->choices = choices_of(a->screen, prompt);
	place_choices(p, a, a->r.h - y - 1);
}

int
draft_rows(const struct line_look *look, const struct area *a)
{
	struct area area = *a;
	struct draft_parts p;
	int rows;

	lay_out_draft(look, &area, 1, &p);
	rows = 1 + p.n_about + p.n_choices + caret_rows(&p.below, a);
	text_free(&p.about);
	return rows < a->r.h - 1 ? rows : a->r.h - 1;
}

/* Highlights the bytes that errors are about. */
static void
paint_errors(
    const struct line_look *look, struct area *a, int y, int x, int skip)
{
	struct caret_line below = carets_of_draft(look, a);

	for (size_t i = 0; i < below.n; i++) {
		const struct diag *d = &below.list[i];
		int from, to;

		if (d->severity != DIAG_ERROR || d->col >= below.len ||
		    caret_look(&below, d) != CARET_FULL)
			continue;
		from = columns(a->screen, below.text, d->col) - skip;
		to = columns(a->screen, below.text,
			 d->len < below.len - d->col ? d->col + d->len
						     : below.len) -
		    skip;
		if (from < 0)
			from = 0;
		if (to > from)
			paint(a, y, x + from, to - from, ROLE_BAD);
	}
}

static void
draw_typed(const struct line_look *look, struct area *a, int y)
{
	const struct ui_prompt *p = look->env->prompt;
	struct screen *s = a->screen;
	int before = lines_text_column(a) - 1, x = typed_column(look, a);
	int skip = typed_skip(look, a);

	paint(a, y, 0, before, ROLE_SELECTED_FOCUS);
	fill(a, y, before, a->r.w - before, ROLE_SELECTED);
	put(a, y, before, x - before, ROLE_PROMPT, p->prompt);
	put_skip(
	    a, y, x, a->r.w - x, ROLE_SELECTED, p->line, strlen(p->line), skip);
	paint_errors(look, a, y, x, skip);
	s->cursor_x = a->r.x + x + columns(s, p->line, p->point) - skip;
	s->cursor_y = a->r.y + y;
}

/* Completions change with the next key, so they come before diagnostics. */
int
draft_draw(const struct line_look *look, struct area *a, int y)
{
	const struct line_draft *draft = look->env->draft;
	struct draft_parts p;
	struct area list;

	lay_out_draft(look, a, y, &p);
	if (draft->is_new)
		put(a, y, 2, 3, ROLE_DIM, "new");
	else
		line_draw_margin(look, a, y, draft->line);
	draw_typed(look, a, y);
	if (p.n_about > 0)
		flow_about(&p, a, y + 1, true);
	y += 1 + p.n_about;
	list = screen_area(a->screen,
	    (struct rect){a->r.x + p.choices_x, a->r.y + y,
		a->r.w - p.choices_x, p.n_choices});
	choices_draw(&p.choices, &list, ROLE_KEY, ROLE_COMMENT);
	text_free(&p.about);
	return caret_draw(&p.below, a, y + p.n_choices);
}

#define MOST_TARGETS 64

/* Lists the targets of the offsets in the line that is typed, or else in the
 * line under the cursor; returns their number. */
static size_t
offsets_shown(
    const struct line_look *look, struct typed_target targets[MOST_TARGETS])
{
	const struct view_env *env = look->env;
	struct step_scene scene = {
	    look->doc, &env->session->plan->profile, env->selection->line};
	struct text line = {0};
	const char *s;
	size_t len, n;

	if (env->draft != NULL)
		return typed_targets(env->draft->scene, env->prompt->line,
		    targets, MOST_TARGETS);
	if (!env->focus || scene.line >= document_n_lines(look->doc))
		return 0;
	s = document_line_text(look->doc, scene.line, &len);
	text_add(&line, s, strnlen(s, len));
	n = typed_targets(&scene, text_str(&line), targets, MOST_TARGETS);
	text_free(&line);
	return n;
}

/* Adds those offsets that lead to that line: " <- -1 f-1". */
static void
add_offsets(const struct line_look *look, size_t line, struct text *out)
{
	struct typed_target targets[MOST_TARGETS];
	size_t n = offsets_shown(look, targets);

	for (size_t i = 0; i < n; i++) {
		if (targets[i].line != line)
			continue;
		if (out->len == 0)
			text_adds(
			    out, look->area->screen->unicode ? " ◂" : " <");
		text_addf(out, " %s", targets[i].offset);
	}
}

void
draft_mark_target(
    const struct line_look *look, struct area *a, int y, size_t line)
{
	struct text offsets = {0};
	int w;

	add_offsets(look, line, &offsets);
	w = columns(a->screen, text_str(&offsets), offsets.len);
	if (w > 0) {
		paint(a, y, lines_text_column(a), a->r.w, ROLE_RELATED);
		put(a, y, a->r.w - w > 0 ? a->r.w - w : 0, a->r.w,
		    ROLE_SELECTED_FOCUS, text_str(&offsets));
	}
	text_free(&offsets);
}
