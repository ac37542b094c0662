/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Layer view: messages as they come, details of the workload under the
 * cursor, and the annotations that they are made of. In a wide pane the two
 * lists are side by side, in a low one keys switch between them.
 */
#include "tui/views/layer_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "parser/document/document.h"
#include "tui/views/columns.h"
#include "tui/views/view.h"

/* The annotations of the descriptor shown, each with its step. */

struct layer_annotations {
	struct row_list list;
	size_t *lines; /* lines of the document that are annotations */
	size_t n, cap;
	/* The document they are of, and its revision. */
	const struct document *doc;
	uint64_t revision;
};

static const struct document *
annotated_document(const struct view_env *env)
{
	const struct plan *plan = env->session->plan;
	size_t source = env->selection->source;

	return plan->sources[source < plan->n_sources ? source : 0].doc;
}

static void
layer_annotations_update(
    struct layer_annotations *l, const struct view_env *env)
{
	const struct document *doc = annotated_document(env);
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

static void
layer_annotations_forget(struct layer_annotations *l)
{
	l->doc = NULL;
}

static void
layer_annotations_free(struct layer_annotations *l)
{
	free(l->lines);
}

/* A row as its columns print it. */
struct annotation_cell {
	const struct document *doc;
	size_t line; /* of the annotation */
	size_t step; /* the number of steps: it is about none */
};

static void
print_annotation_line(struct text *out, const void *arg)
{
	const struct annotation_cell *cell = arg;
	size_t row, column;

	document_position(cell->doc, cell->line, 0, &row, &column);
	text_addf(out, "%zu", row);
}

static enum role
role_annotation_line(const void *arg)
{
	(void)arg;
	return ROLE_DIM;
}

static bool
has_step(const struct annotation_cell *cell)
{
	return cell->step < document_n_steps(cell->doc);
}

static void
print_annotation_step(struct text *out, const void *arg)
{
	const struct annotation_cell *cell = arg;

	if (has_step(cell))
		text_addf(out, "%zu", cell->step);
}

static void
draw_annotated_step(struct area *a, int y, int x, int width, const void *arg)
{
	const struct annotation_cell *cell = arg;
	const char *text;
	size_t len;

	if (!has_step(cell))
		return;
	text = document_line_text(
	    cell->doc, document_line_of_step(cell->doc, cell->step), &len);
	put_cut_skip(a, y, x + 2, width - 2, ROLE_NORMAL, text, len, 0);
}

/* Draws the annotation without the "#@" in front. */
static void
draw_annotation(struct area *a, int y, int x, int width, const void *arg)
{
	const struct annotation_cell *cell = arg;
	size_t len;
	const char *text = document_line_text(cell->doc, cell->line, &len);

	while (len > 0 && strchr(" \t#@", *text) != NULL) {
		text++;
		len--;
	}
	put_cut_skip(a, y, x + 2, width - 2, ROLE_ANNOTATION, text, len, 0);
}

static const struct column annotation_columns[] = {
    {"LINE", 5, .print = print_annotation_line, .role = role_annotation_line},
    {"STEP", 5, .print = print_annotation_step},
    {NULL, 32, .from = 80, .draw = draw_annotated_step},
    {"ANNOTATION", .percent = 100, .gap = 2, .flags = COL_LEFT,
	.draw = draw_annotation},
};

static void
draw_annotation_row(const struct layer_annotations *l,
    const struct columns *columns, struct area *a, int y, size_t at)
{
	size_t line = l->lines[at];
	struct annotation_cell cell = {
	    l->doc, line, document_step_of_line(l->doc, line)};

	columns_draw_row(columns, a, y, ROLE_NORMAL, ROW_FLAT, &cell);
}

static void
draw_annotations_title(const struct layer_annotations *l,
    struct columns *columns, struct area *a, enum role role)
{
	columns_fit(columns, annotation_columns,
	    sizeof(annotation_columns) / sizeof(*annotation_columns),
	    &(struct columns_room){.width = a->r.w, .keep = -1});
	columns_draw_titles(
	    columns, a, role, &(struct columns_order){.column = -1}, NULL);
	list_draw_place(&l->list, a, role);
}

static void
layer_annotations_draw(struct layer_annotations *l, struct area *a, bool focus)
{
	struct columns columns;

	list_fit(&l->list, l->n, a->r.h - 1);
	draw_annotations_title(
	    l, &columns, a, focus ? ROLE_TITLE_FOCUS : ROLE_TITLE);
	if (l->n == 0)
		put_cut(a, 1, 1, a->r.w - 1, ROLE_DIM,
		    "No annotations (#@): each batch is one workload of its "
		    "engine's kind.");
	for (size_t i = 0; i < l->list.height; i++) {
		size_t at = l->list.top + i;

		if (at >= l->n)
			break;
		draw_annotation_row(l, &columns, a, (int)i + 1, at);
		if (focus && at == l->list.cursor)
			paint(a, (int)i + 1, 0, a->r.w, ROLE_SELECTED_FOCUS);
	}
}

static void
layer_annotations_select(
    const struct layer_annotations *l, const struct view_env *env)
{
	if (l->list.cursor < l->n && l->doc == annotated_document(env))
		env->selection->line = l->lines[l->list.cursor];
}

#define WIDE_COLS     120
#define WIDE_ROWS     6
#define HIGH_ROWS     14
#define WANTED_ROWS   40
#define BOX_ROWS      6 /* at most, with its title */
#define ROWS_WITH_BOX 5

struct layer_view {
	struct view view;
	struct layer_messages messages;
	struct layer_annotations annotations;
	bool on_annotations; /* keys move their cursor */
	/* Places drawn last, relative to the view; height 0: not shown. */
	struct rect at_messages, at_annotations, at_box;
};

static int
min_rows(int a, int b)
{
	return a < b ? a : b;
}

static struct rect
below(struct rect r, int rows)
{
	return (struct rect){r.x, r.y + rows, r.w, r.h - rows};
}

static struct rect
first_rows(struct rect r, int rows)
{
	r.h = rows;
	return r;
}

/* Returns rows for the annotations and their title, at most a third. */
static int
annotation_rows(const struct layer_view *l, int rows)
{
	int wanted = l->annotations.n < 1000 ? (int)l->annotations.n : 1000;

	return min_rows((wanted > 0 ? wanted : 1) + 1, rows / 3);
}

static void
place_side_by_side(struct layer_view *l, int w, int h)
{
	int left = w * 3 / 5;
	struct rect right = {left + 1, 0, w - left - 1, h};
	int box = min_rows(BOX_ROWS, h / 2);

	l->at_messages = (struct rect){0, 0, left, h};
	l->at_box = first_rows(right, box);
	l->at_annotations = below(right, box);
}

static void
place_stacked(struct layer_view *l, int w, int h)
{
	struct rect all = {0, 0, w, h}, none = {0};
	int box = h >= ROWS_WITH_BOX ? min_rows(2 + h / 12, BOX_ROWS) : 0;
	int list = h - box;

	l->at_box = first_rows(below(all, list), box);
	if (h >= HIGH_ROWS) {
		int rows = annotation_rows(l, h);

		l->at_annotations = first_rows(below(all, list - rows), rows);
		l->at_messages = first_rows(all, list - rows);
		return;
	}
	l->at_messages = l->on_annotations ? none : first_rows(all, list);
	l->at_annotations = l->on_annotations ? first_rows(all, list) : none;
}

static struct area
part_area(const struct area *a, struct rect r)
{
	r.x += a->r.x;
	r.y += a->r.y;
	return screen_area(a->screen, r);
}

static uint64_t
selected_message(const struct layer_view *l, const struct view_env *env)
{
	struct message m;
	uint64_t at;

	if (env->focus && !l->on_annotations &&
	    layer_messages_selected(
		&l->messages, &env->session->layer.messages, &m, &at))
		return at;
	return UINT64_MAX;
}

static void
layer_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct layer_view *l = (struct layer_view *)v;
	const struct message_log *log = &env->session->layer.messages;
	struct area part;

	layer_annotations_update(&l->annotations, env);
	layer_messages_update(&l->messages, log);
	if (a->r.w >= WIDE_COLS && a->r.h >= WIDE_ROWS)
		place_side_by_side(l, a->r.w, a->r.h);
	else
		place_stacked(l, a->r.w, a->r.h);
	part = part_area(a, l->at_messages);
	if (part.r.h > 0)
		layer_messages_draw(&l->messages, log, env, &part,
		    env->focus && !l->on_annotations);
	part = part_area(a, l->at_annotations);
	if (part.r.h > 0)
		layer_annotations_draw(
		    &l->annotations, &part, env->focus && l->on_annotations);
	part = part_area(a, l->at_box);
	if (part.r.h > 0)
		layer_box_draw(env, &part, selected_message(l, env));
}

static bool
layer_act(struct view *v, const struct view_env *env, enum action action)
{
	struct layer_view *l = (struct layer_view *)v;

	if (action == ACT_OTHER_LIST) {
		l->on_annotations = !l->on_annotations;
		return true;
	}
	if (!l->on_annotations)
		return layer_messages_act(&l->messages, action);
	if (!list_act(&l->annotations.list, action))
		return false;
	layer_annotations_select(&l->annotations, env);
	return true;
}

static bool
is_in_rect(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static bool
layer_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct layer_view *l = (struct layer_view *)v;

	if (is_in_rect(l->at_messages, x, y)) {
		l->on_annotations = false;
		if (list_mouse(
			&l->messages.list, y - l->at_messages.y - 1, what))
			l->messages.held = l->messages.list.cursor + 1 <
			    l->messages.n;
	} else if (is_in_rect(l->at_annotations, x, y)) {
		l->on_annotations = true;
		if (list_mouse(&l->annotations.list,
			y - l->at_annotations.y - 1, what))
			layer_annotations_select(&l->annotations, env);
	}
	return true;
}

/* Searches messages; annotations are found by searching the descriptor. */
static bool
layer_find(struct view *v, const struct view_env *env, const char *text,
    size_t from, int step)
{
	struct layer_view *l = (struct layer_view *)v;

	l->on_annotations = false;
	return layer_messages_find(
	    &l->messages, &env->session->layer.messages, text, from, step);
}

static size_t
layer_place(const struct view *v)
{
	return ((const struct layer_view *)v)->messages.list.cursor;
}

static void
layer_set_filter(struct view *v, const struct view_env *env, const char *text)
{
	struct layer_view *l = (struct layer_view *)v;

	(void)env;
	l->on_annotations = false;
	layer_messages_filter(&l->messages, text);
}

static const char *
layer_filter(const struct view *v)
{
	return text_str(&((const struct layer_view *)v)->messages.filter);
}

bool
layer_message(
    const struct view *v, const struct view_env *env, struct message *m)
{
	const struct layer_view *l = (const struct layer_view *)v;
	uint64_t at;

	return !l->on_annotations &&
	    layer_messages_at_cursor(
		&l->messages, &env->session->layer.messages, m, &at);
}

static void
layer_launched(struct view *v, const struct view_env *env)
{
	(void)env;
	layer_annotations_forget(&((struct layer_view *)v)->annotations);
}

static bool
layer_follow(struct view *v, const struct view_env *env)
{
	struct layer_view *l = (struct layer_view *)v;
	bool stood = l->messages.held;

	(void)env;
	l->messages.held = false;
	return stood;
}

static int
layer_wants(const struct view *v, const struct view_env *env)
{
	(void)v;
	(void)env;
	return WANTED_ROWS;
}

static void
layer_free(struct view *v)
{
	struct layer_view *l = (struct layer_view *)v;

	layer_messages_free(&l->messages);
	layer_annotations_free(&l->annotations);
	free(l);
}

static const struct view_ops layer_ops = {
    .name = "Layer",
    .scope = SCOPE_LAYER,
    .draw = layer_draw,
    .act = layer_act,
    .mouse = layer_mouse,
    .find = layer_find,
    .place = layer_place,
    .set_filter = layer_set_filter,
    .filter = layer_filter,
    .launched = layer_launched,
    .follow = layer_follow,
    .wants = layer_wants,
    .free = layer_free,
};

struct view *
view_layer_new(void)
{
	struct layer_view *l = mem_calloc(1, sizeof(*l));

	l->view.ops = &layer_ops;
	return &l->view;
}
