/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer view: what the messages of the layer are made from, the annotations
 * of the descriptor that is shown, each with the step that it is about.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/document.h"
#include "parser/mem.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

/* Rows above the list: the title, and what it is. */
#define HEAD_ROWS 2
#define LINE_COLS 6
#define STEP_COLS 6
/* Of the step's text; less where it is narrow. */
#define WHAT_COLS 32

struct layer {
	struct view view;
	struct list list;
	size_t *lines; /* of the document, that are annotations */
	size_t n, cap;
	/* Of which they are. */
	const struct document *doc;
	uint64_t revision;
};

static const struct document *
shown_document(const struct view_env *env)
{
	const struct plan *plan = env->session->plan;
	size_t source = env->selection->source;

	return plan->sources[source < plan->n_sources ? source : 0].doc;
}

static void
collect(struct layer *l, const struct document *doc)
{
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

static int
what_columns(int width)
{
	return width >= 80 ? WHAT_COLS : 0;
}

static void
draw_head(const struct layer *l, const struct view_env *env, struct area *a)
{
	enum role role = view_title_role(env);
	int x = LINE_COLS + STEP_COLS;

	fill(a, 0, 0, a->r.w, role);
	put_right(a, 0, 0, LINE_COLS - 1, role, "LINE");
	put_right(a, 0, LINE_COLS - 1, STEP_COLS, role, "STEP");
	x += what_columns(a->r.w);
	put(a, 0, x + 1, a->r.w, role, "ANNOTATION");
	list_draw_place(&l->list, a, role);
	put_cut(a, 1, 1, a->r.w - 1, ROLE_DIM,
	    l->n > 0 ? "What the descriptor says of its batches (--layer "
		       "writes the messages):"
		     : "No annotations (#@): each batch is one workload of its "
		       "engine's kind.");
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
draw_row(const struct layer *l, const struct view_env *env, struct area *a,
    int y, size_t at)
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
	if (env->focus && at == l->list.cursor)
		paint(a, y, 0, a->r.w, ROLE_SELECTED_FOCUS);
}

static void
layer_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct layer *l = (struct layer *)v;

	collect(l, shown_document(env));
	list_fit(&l->list, l->n, a->r.h - HEAD_ROWS);
	draw_head(l, env, a);
	for (size_t i = 0; i < l->list.height; i++)
		if (l->list.top + i < l->n)
			draw_row(
			    l, env, a, (int)i + HEAD_ROWS, l->list.top + i);
}

/* The descriptor shows the annotation that the cursor is on. */
static void
select_line(const struct layer *l, const struct view_env *env)
{
	if (l->list.cursor < l->n && l->doc == shown_document(env))
		env->selection->line = l->lines[l->list.cursor];
}

static bool
layer_act(struct view *v, const struct view_env *env, enum action action)
{
	struct layer *l = (struct layer *)v;

	if (!list_act(&l->list, action))
		return false;
	select_line(l, env);
	return true;
}

static bool
layer_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct layer *l = (struct layer *)v;

	(void)x;
	if (list_mouse(&l->list, y - HEAD_ROWS, what))
		select_line(l, env);
	return true;
}

static void
layer_launched(struct view *v, const struct view_env *env)
{
	(void)env;
	((struct layer *)v)->doc = NULL; /* sources may be others now */
}

static int
layer_wants(const struct view *v, const struct view_env *env)
{
	const struct layer *l = (const struct layer *)v;

	(void)env;
	return (l->n < 10000 ? (int)l->n : 10000) + HEAD_ROWS;
}

static void
layer_free(struct view *v)
{
	struct layer *l = (struct layer *)v;

	free(l->lines);
	free(l);
}

static const struct view_ops layer_ops = {
    .name = "Layer",
    .scope = SCOPE_LIST,
    .draw = layer_draw,
    .act = layer_act,
    .mouse = layer_mouse,
    .launched = layer_launched,
    .wants = layer_wants,
    .free = layer_free,
};

struct view *
view_layer_new(void)
{
	struct layer *l = mem_calloc(1, sizeof(*l));

	l->view.ops = &layer_ops;
	return &l->view;
}
