/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See list.h. */
#include "tui/views/list.h"

static size_t
last_top(const struct list *l)
{
	return l->n > l->height ? l->n - l->height : 0;
}

void
list_fit(struct list *l, size_t n, int height)
{
	l->n = n;
	l->height = height > 0 ? (size_t)height : 1;
	if (l->cursor >= n)
		l->cursor = n > 0 ? n - 1 : 0;
	if (!l->pager && l->top > l->cursor)
		l->top = l->cursor;
	if (!l->pager && l->cursor >= l->top + l->height)
		l->top = l->cursor - l->height + 1;
	if (l->top > last_top(l))
		l->top = last_top(l);
}

static void
move(size_t *at, size_t last, size_t by, bool up)
{
	if (up)
		*at = *at > by ? *at - by : 0;
	else
		*at = last - *at > by ? *at + by : last;
}

bool
list_act(struct list *l, enum action action)
{
	size_t *at = l->pager ? &l->top : &l->cursor;
	size_t last = l->pager ? last_top(l) : l->n > 0 ? l->n - 1 : 0;
	size_t page = l->height > 1 ? l->height - 1 : 1;

	if (*at > last)
		*at = last;
	switch (action) {
	case ACT_UP: move(at, last, 1, true); break;
	case ACT_DOWN: move(at, last, 1, false); break;
	case ACT_PAGE_UP: move(at, last, page, true); break;
	case ACT_PAGE_DOWN: move(at, last, page, false); break;
	case ACT_FIRST: *at = 0; break;
	case ACT_LAST: *at = last; break;
	default: return false;
	}
	list_fit(l, l->n, (int)l->height);
	return true;
}

/* The cursor is taken along only where it would leave the window. */
static void
scroll(struct list *l, bool up)
{
	move(&l->top, last_top(l), LIST_WHEEL_ROWS, up);
	if (l->pager)
		return;
	if (l->cursor < l->top)
		l->cursor = l->top;
	if (l->cursor >= l->top + l->height)
		l->cursor = l->top + l->height - 1;
}

bool
list_mouse(struct list *l, int y, enum mouse what)
{
	if (what != MOUSE_CLICK) {
		scroll(l, what == MOUSE_WHEEL_UP);
		return true;
	}
	if (l->pager || y < 0 || (size_t)y >= l->height ||
	    l->top + (size_t)y >= l->n)
		return false;
	l->cursor = l->top + (size_t)y;
	return true;
}

struct walk
walk_begin(size_t n, size_t from, int step)
{
	/* One before the first is the last. */
	if (from == (size_t)-1)
		from = n > 0 ? n - 1 : 0;
	return (struct walk){
	    .n = n, .at = from < n ? from : 0, .left = n, .step = step};
}

bool
walk_goes_on(const struct walk *w)
{
	return w->left > 0;
}

void
walk_step(struct walk *w)
{
	w->left--;
	if (w->step > 0)
		w->at = w->at + 1 < w->n ? w->at + 1 : 0;
	else
		w->at = w->at > 0 ? w->at - 1 : w->n - 1;
}
