/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layer_annotations.h. */
#include "tui/views/layer_annotations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "parser/document/document.h"

#define LINE_COLS 6
#define STEP_COLS 6
/* Of the step's text; less where it is narrow. */
#define WHAT_COLS 32

static const struct document *
shown_document(const struct view_env *env)
{
	const struct plan *plan = env->session->plan;
	size_t source = env->selection->source;

	return plan->sources[source < plan->n_sources ? source : 0].doc;
}

void
layer_annotations_update(
    struct layer_annotations *l, const struct view_env *env)
{
	const struct document *doc = shown_document(env);
	size_t n = document_n_lines(doc);

	if (l->doc == doc && l->revision == document_revision(doc))
		return;
	l->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (document_line_kind(doc, i) != LINE_ANNOTATION)
			continue;
		l->lines = mem_grow(l->lines, l->n, &l->cap, sizeof(*l->lines));
		l->lines[l->n++] = i;
	}
	l->doc = doc;
	l->revision = document_revision(doc);
}

void
layer_annotations_forget(struct layer_annotations *l)
{
	l->doc = NULL;
}

void
layer_annotations_free(struct layer_annotations *l)
{
	free(l->lines);
}

static int
what_columns(int width)
{
	return width >= 80 ? WHAT_COLS : 0;
}

static void
draw_head(const struct layer_annotations *l, struct area *a, enum role role)
{
	int x = LINE_COLS + STEP_COLS;

	fill(a, 0, 0, a->r.w, role);
	put_right(a, 0, 0, LINE_COLS - 1, role, "LINE");
	put_right(a, 0, LINE_COLS - 1, STEP_COLS, role, "STEP");
	x += what_columns(a->r.w);
	put(a, 0, x + 1, a->r.w, role, "ANNOTATION");
	list_draw_place(&l->list, a, role);
}

static void
put_number(struct area *a, int y, int x, int width, enum role role, size_t n)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%zu", n);
	put_right(a, y, x, width, role, buf);
}

/* Without the sign that it begins with. */
static void
draw_annotation(
    struct area *a, int y, int x, const struct document *doc, size_t line)
{
	size_t len;
	const char *text = document_line_text(doc, line, &len);

	while (len > 0 && strchr(" \t#@", *text) != NULL) {
		text++;
		len--;
	}
	put_cut_skip(a, y, x, a->r.w - x, ROLE_ANNOTATION, text, len, 0);
}

static void
draw_row(const struct layer_annotations *l, struct area *a, int y, size_t at,
    bool focus)
{
	const struct document *doc = l->doc;
	size_t line = l->lines[at], step, row, column, len;
	int x = LINE_COLS + STEP_COLS, what = what_columns(a->r.w);
	const char *text;

	document_position(doc, line, 0, &row, &column);
	put_number(a, y, 0, LINE_COLS - 1, ROLE_DIM, row);
	step = document_step_of_line(doc, line);
	if (step < document_n_steps(doc)) {
		put_number(a, y, LINE_COLS - 1, STEP_COLS, ROLE_NORMAL, step);
		text = document_line_text(
		    doc, document_line_of_step(doc, step), &len);
		put_cut_skip(a, y, x + 1, what - 2, ROLE_NORMAL, text, len, 0);
	}
	draw_annotation(a, y, x + what + 1, doc, line);
	if (focus && at == l->list.cursor)
		paint(a, y, 0, a->r.w, ROLE_SELECTED_FOCUS);
}

void
layer_annotations_draw(struct layer_annotations *l, const struct view_env *env,
    struct area *a, bool focus)
{
	(void)env;
	list_fit(&l->list, l->n, a->r.h - 1);
	draw_head(l, a, focus ? ROLE_TITLE_FOCUS : ROLE_TITLE);
	if (l->n == 0)
		put_cut(a, 1, 1, a->r.w - 1, ROLE_DIM,
		    "No annotations (#@): each batch is one workload of its "
		    "engine's kind.");
	for (size_t i = 0; i < l->list.height; i++)
		if (l->list.top + i < l->n)
			draw_row(l, a, (int)i + 1, l->list.top + i, focus);
}

/* The descriptor shows the annotation that the cursor is on. */
void
layer_annotations_select(
    const struct layer_annotations *l, const struct view_env *env)
{
	if (l->list.cursor < l->n && l->doc == shown_document(env))
		env->selection->line = l->lines[l->list.cursor];
}
