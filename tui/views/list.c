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
