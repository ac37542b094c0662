/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer view: messages as they come, the workload under the cursor, and the
 * annotations that they are made from. Where it is low, keys choose which of
 * the two lists is seen; where it is wide, they stand side by side.
 */
#include "tui/views/view_layer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tui/views/layer_annotations.h"
#include "tui/views/layer_box.h"
#include "tui/views/layer_messages.h"

#define WIDE_COLS     120
#define WIDE_ROWS     6
#define HIGH_ROWS     14
#define WANTED_ROWS   40
#define BOX_ROWS      6 /* at most, with its title */
#define ROWS_WITH_BOX 5

struct layer {
	struct view view;
	struct layer_messages messages;
	struct layer_annotations annotations;
	bool on_annotations; /* keys move their cursor */
	/* As they were drawn last, in the view; of no height: not seen. */
	struct rect at_messages, at_annotations, at_box;
};

static int
min(int a, int b)
{
	return a < b ? a : b;
}

static struct rect
below(struct rect r, int rows)
{
	return (struct rect){r.x, r.y + rows, r.w, r.h - rows};
}

static struct rect
cut(struct rect r, int rows)
{
	r.h = rows;
	return r;
}

/* The title and its rows, but not more than a third. */
static int
annotation_rows(const struct layer *l, int rows)
{
	int wanted = l->annotations.n < 1000 ? (int)l->annotations.n : 1000;

	return min((wanted > 0 ? wanted : 1) + 1, rows / 3);
}

static void
place_side_by_side(struct layer *l, int w, int h)
{
	int left = w * 3 / 5;
	struct rect right = {left + 1, 0, w - left - 1, h};
	int box = min(BOX_ROWS, h / 2);

	l->at_messages = (struct rect){0, 0, left, h};
	l->at_box = cut(right, box);
	l->at_annotations = below(right, box);
}

static void
place_stacked(struct layer *l, int w, int h)
{
	struct rect all = {0, 0, w, h}, none = {0};
	int box = h >= ROWS_WITH_BOX ? min(2 + h / 12, BOX_ROWS) : 0;
	int list = h - box;

	l->at_box = cut(below(all, list), box);
	if (h >= HIGH_ROWS) {
		int rows = annotation_rows(l, h);

		l->at_annotations = cut(below(all, list - rows), rows);
		l->at_messages = cut(all, list - rows);
		return;
	}
	l->at_messages = l->on_annotations ? none : cut(all, list);
	l->at_annotations = l->on_annotations ? cut(all, list) : none;
}

static struct area
part_of(const struct area *a, struct rect r)
{
	r.x += a->r.x;
	r.y += a->r.y;
	return screen_area(a->screen, r);
}

static uint64_t
selected_message(const struct layer *l, const struct view_env *env)
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
	struct layer *l = (struct layer *)v;
	const struct message_log *log = &env->session->layer.messages;
	struct area part;

	layer_annotations_update(&l->annotations, env);
	layer_messages_update(&l->messages, log);
	if (a->r.w >= WIDE_COLS && a->r.h >= WIDE_ROWS)
		place_side_by_side(l, a->r.w, a->r.h);
	else
		place_stacked(l, a->r.w, a->r.h);
	part = part_of(a, l->at_messages);
	if (part.r.h > 0)
		layer_messages_draw(&l->messages, log, env, &part,
		    env->focus && !l->on_annotations);
	part = part_of(a, l->at_annotations);
	if (part.r.h > 0)
		layer_annotations_draw(&l->annotations, env, &part,
		    env->focus && l->on_annotations);
	part = part_of(a, l->at_box);
	if (part.r.h > 0)
		layer_box_draw(env, &part, selected_message(l, env));
}

static bool
layer_act(struct view *v, const struct view_env *env, enum action action)
{
	struct layer *l = (struct layer *)v;

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
is_in(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static bool
layer_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct layer *l = (struct layer *)v;

	if (is_in(l->at_messages, x, y)) {
		l->on_annotations = false;
		if (list_mouse(
			&l->messages.list, y - l->at_messages.y - 1, what))
			l->messages.stands = l->messages.list.cursor + 1 <
			    l->messages.n;
	} else if (is_in(l->at_annotations, x, y)) {
		l->on_annotations = true;
		if (list_mouse(&l->annotations.list,
			y - l->at_annotations.y - 1, what))
			layer_annotations_select(&l->annotations, env);
	}
	return true;
}

/* Of messages: what is looked for in annotations is found in the descriptor. */
static bool
layer_find(struct view *v, const struct view_env *env, const char *text,
    size_t from, int step)
{
	struct layer *l = (struct layer *)v;

	l->on_annotations = false;
	return layer_messages_find(
	    &l->messages, &env->session->layer.messages, text, from, step);
}

static size_t
layer_place(const struct view *v)
{
	return ((const struct layer *)v)->messages.list.cursor;
}

void
layer_set_filter(struct view *v, const char *text)
{
	struct layer *l = (struct layer *)v;

	l->on_annotations = false;
	layer_messages_filter(&l->messages, text);
}

const char *
layer_filter(const struct view *v)
{
	return text_str(&((const struct layer *)v)->messages.filter);
}

static void
layer_launched(struct view *v, const struct view_env *env)
{
	(void)env;
	layer_annotations_forget(&((struct layer *)v)->annotations);
}

static bool
layer_follow(struct view *v, const struct view_env *env)
{
	struct layer *l = (struct layer *)v;
	bool stood = l->messages.stands;

	(void)env;
	l->messages.stands = false;
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
	struct layer *l = (struct layer *)v;

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
    .launched = layer_launched,
    .follow = layer_follow,
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
