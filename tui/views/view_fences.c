/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fences view: every request in flight, what it waits for, who waits for
 * it, and how far it is. Only rows on the screen are explained. The rows that
 * the selected request waits for, and those that wait for it, stand out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tui/views/fence_draw.h"
#include "tui/views/fence_rows.h"
#include "tui/views/list.h"
#include "tui/views/match.h"
#include "tui/views/view.h"

struct fences {
	struct view view;
	struct list list;
	struct fence_rows rows;
	struct text text;   /* for searching */
	struct chain chain; /* of the selected one */
	const struct request *selected;
};

/* Does it belong to the selected request: one waits for the other? */
static bool
is_related(
    const struct fences *f, const struct sim *sim, const struct request *rq)
{
	struct chain own;

	if (f->selected == NULL || rq == f->selected)
		return false;
	if (chain_has(&f->chain, rq))
		return true;
	chain_of(&own, sim, rq);
	return chain_has(&own, f->selected);
}

static void
draw_row(const struct fences *f, const struct view_env *env, struct area *a,
    int y, const struct fence_columns *c, size_t at)
{
	const struct session *s = env->session;
	const struct fence_row *row = &f->rows.list[at];
	const struct request *rq = row_request(row);
	bool related = rq != NULL && is_related(f, s->run.sim, rq);

	fence_draw_row(a, y, c, s, row, related ? ROLE_RELATED : ROLE_NORMAL);
	if (row->seq == env->selection->request)
		paint(a, y, 0, a->r.w,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
}

static void
select_cursor(struct fences *f, const struct view_env *env)
{
	if (f->list.cursor < f->rows.n)
		env->selection->request = f->rows.list[f->list.cursor].seq;
}

/* The cursor goes where the selected request is now. When that has gone, the
 * cursor stays where it is, and if it is looked at selects what is there. */
static void
follow_selection(struct fences *f, const struct view_env *env)
{
	size_t at = fence_rows_find(&f->rows, env->selection->request);

	if (at < f->rows.n)
		f->list.cursor = at;
	else if (env->focus)
		select_cursor(f, env);
}

static void
update(struct fences *f, const struct view_env *env)
{
	const struct session *s = env->session;
	bool moved = fence_rows_update(&f->rows, s);
	size_t at;

	f->list.n = f->rows.n;
	if (f->list.cursor >= f->rows.n)
		f->list.cursor = f->rows.n > 0 ? f->rows.n - 1 : 0;
	at = f->list.cursor;
	if (moved || at >= f->rows.n ||
	    f->rows.list[at].seq != env->selection->request)
		follow_selection(f, env);
	at = f->list.cursor;
	f->selected = at < f->rows.n &&
		f->rows.list[at].seq == env->selection->request
	    ? row_request(&f->rows.list[at])
	    : NULL;
	if (f->selected != NULL)
		chain_of(&f->chain, s->run.sim, f->selected);
}

static void
fences_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct fences *f = (struct fences *)v;
	struct fence_columns c = fence_columns_make(
	    a->r.w, env->session->run.sim);

	update(f, env);
	list_fit(&f->list, f->rows.n, a->r.h - 1);
	fence_draw_title(a, &c, view_title_role(env), f->rows.by_engine,
	    f->list.n <= f->list.height);
	list_draw_place(&f->list, a, view_title_role(env));
	for (size_t i = 0; i < f->list.height; i++)
		if (f->list.top + i < f->rows.n)
			draw_row(f, env, a, (int)i + 1, &c, f->list.top + i);
	if (f->rows.n == 0)
		put(a, 1, 1, a->r.w - 1, ROLE_DIM, "nothing is in flight");
}

/* The context of the selected request is selected with it. */
static void
select_its_context(const struct fences *f, const struct view_env *env)
{
	const struct session *s = env->session;
	const struct fence_row *row = &f->rows.list[f->list.cursor];
	const struct trail_request *r = trail_request(s->trail, row->seq);
	const struct request *rq = row_request(row);

	if (rq != NULL)
		select_context(env->selection, s, rq->client->id,
		    rq->context->def->number);
	else if (r != NULL)
		select_context(env->selection, s, r->client, r->context);
}

static void
select_row(struct fences *f, const struct view_env *env)
{
	if (f->list.cursor >= f->rows.n)
		return;
	select_cursor(f, env);
	select_its_context(f, env);
}

static bool
fences_mouse(
    struct view *v, const struct view_env *env, int x, int y, enum mouse what)
{
	struct fences *f = (struct fences *)v;

	(void)x;
	if (list_mouse(&f->list, y - 1, what))
		select_row(f, env);
	return true;
}

static bool
fences_find(struct view *v, const struct view_env *env, const char *text,
    size_t from, int step)
{
	struct fences *f = (struct fences *)v;
	struct needle needle = needle_of(text, strlen(text));

	for (struct walk w = walk_begin(f->rows.n, from, step);
	     walk_goes_on(&w); walk_step(&w)) {
		text_clear(&f->text);
		fence_print(env->session, &f->rows.list[w.at], &f->text);
		if (needle_find(&needle, text_str(&f->text), f->text.len, 0) ==
		    NOWHERE)
			continue;
		f->list.cursor = w.at;
		select_row(f, env);
		return true;
	}
	return false;
}

static size_t
fences_place(const struct view *v)
{
	return ((const struct fences *)v)->list.cursor;
}

static bool
fences_act(struct view *v, const struct view_env *env, enum action action)
{
	struct fences *f = (struct fences *)v;

	if (list_act(&f->list, action)) {
		select_row(f, env);
		return true;
	}
	switch (action) {
	case ACT_SORT_FENCES: f->rows.by_engine = !f->rows.by_engine; break;
	case ACT_HIDE_DONE: f->rows.hide_done = !f->rows.hide_done; break;
	default: return false;
	}
	f->rows.stale = true;
	return true;
}

/* Of a new run nothing is known any more; requests go on when a program is
 * taken over. */
static void
fences_launched(struct view *v, const struct view_env *env)
{
	struct fences *f = (struct fences *)v;

	f->rows.n = 0;
	f->rows.stale = true;
	f->selected = NULL;
	if (env->session->n_swaps > 0)
		return;
	f->list = (struct list){.height = f->list.height};
	env->selection->request = 0;
}

static void
fences_free(struct view *v)
{
	struct fences *f = (struct fences *)v;

	fence_rows_free(&f->rows);
	text_free(&f->text);
	free(f);
}

static const struct view_ops fences_ops = {
    .name = "Fences",
    .scope = SCOPE_FENCES,
    .draw = fences_draw,
    .act = fences_act,
    .mouse = fences_mouse,
    .find = fences_find,
    .place = fences_place,
    .launched = fences_launched,
    .free = fences_free,
};

struct view *
view_fences_new(void)
{
	struct fences *f = mem_calloc(1, sizeof(*f));

	f->view.ops = &fences_ops;
	f->rows.stale = true;
	return &f->view;
}
