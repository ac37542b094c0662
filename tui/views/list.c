/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists as all views have them: a cursor and its scrolling, the position
 * shown in the title row, walks over all rows, and matching for searches and
 * filters. */
#include "tui/views/list.h"

#include <stdio.h>
#include <string.h>

static size_t
last_top(const struct row_list *l)
{
	return l->n > l->height ? l->n - l->height : 0;
}

void
list_fit(struct row_list *l, size_t n, int height)
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
list_move(size_t *at, size_t last, size_t by, bool up)
{
	if (up)
		*at = *at > by ? *at - by : 0;
	else
		*at = last - *at > by ? *at + by : last;
}

bool
list_act(struct row_list *l, enum action action)
{
	size_t *at = l->pager ? &l->top : &l->cursor;
	size_t last = l->pager ? last_top(l) : l->n > 0 ? l->n - 1 : 0;
	size_t page = l->height > 1 ? l->height - 1 : 1;

	if (*at > last)
		*at = last;
	switch (action) {
	case ACT_UP: list_move(at, last, 1, true); break;
	case ACT_DOWN: list_move(at, last, 1, false); break;
	case ACT_PAGE_UP: list_move(at, last, page, true); break;
	case ACT_PAGE_DOWN: list_move(at, last, page, false); break;
	case ACT_HALF_UP: list_move(at, last, (page + 1) / 2, true); break;
	case ACT_HALF_DOWN: list_move(at, last, (page + 1) / 2, false); break;
	case ACT_FIRST: *at = 0; break;
	case ACT_LAST: *at = last; break;
	default: return false;
	}
	list_fit(l, l->n, (int)l->height);
	return true;
}

/* Takes the cursor along only where it would leave the window. */
static void
list_scroll(struct row_list *l, bool up)
{
	list_move(&l->top, last_top(l), LIST_WHEEL_ROWS, up);
	if (l->pager)
		return;
	if (l->cursor < l->top)
		l->cursor = l->top;
	if (l->cursor >= l->top + l->height)
		l->cursor = l->top + l->height - 1;
}

bool
list_mouse(struct row_list *l, int y, enum mouse what)
{
	if (what != MOUSE_CLICK) {
		list_scroll(l, what == MOUSE_WHEEL_UP);
		return true;
	}
	if (l->pager || y < 0 || (size_t)y >= l->height ||
	    l->top + (size_t)y >= l->n)
		return false;
	l->cursor = l->top + (size_t)y;
	return true;
}

int
list_place(const struct row_list *l, const char *of, char buf[LIST_PLACE_LEN])
{
	size_t end = l->top + l->height;

	buf[0] = 0;
	if (l->n <= l->height)
		return 0;
	return snprintf(buf, LIST_PLACE_LEN, "%zu-%zu%s%zu", l->top + 1,
	    end < l->n ? end : l->n, of, l->n);
}

/* Returns where the last run of width blanks in the title row begins that ends
 * before column `end`; -1: there is none. */
static int
find_blanks(const struct area *a, int width, int end)
{
	const struct cell *row = a->screen->cells +
	    (size_t)a->r.y * (size_t)a->screen->cols + a->r.x;
	int run = 0;

	/* Columns right of the area count as blank. */
	for (int x = end - 1; x >= 0; x--) {
		run = x >= a->r.w || row[x].ch == L' ' ? run + 1 : 0;
		if (run == width)
			return x;
	}
	return -1;
}

static bool
is_blank_from(const struct area *a, int x)
{
	return find_blanks(a, a->r.w - x, a->r.w) == x;
}

/* A form of the position, and the columns to leave free behind it for the
 * pane's name and number. */
struct place_form {
	const char *of; /* NULL: the cursor's row only */
	int left;       /* -1: no blank either */
	bool last;      /* only if nothing of the title is behind it */
};

static int
print_place_form(const struct row_list *l, const struct place_form *form,
    char buf[LIST_PLACE_LEN])
{
	if (form->of != NULL)
		return list_place(l, form->of, buf);
	return snprintf(buf, LIST_PLACE_LEN, "%zu/%zu", l->cursor + 1, l->n);
}

/* Returns the width of the form with every number as long as the longest, so
 * that the form does not change while one scrolls. */
static int
widest_place(const struct row_list *l, const struct place_form *form)
{
	char buf[LIST_PLACE_LEN];
	struct row_list last = {
	    .n = l->n, .top = l->n - 1, .height = 1, .cursor = l->n - 1};

	return print_place_form(&last, form, buf);
}

/* Behind the titles; else between them. */
static const struct place_form place_forms[] = {{" of ", 16, true},
    {" of ", 4, true}, {" of ", 0, true}, {"/", 4, true}, {"/", 0, true},
    {" of ", 4, false}, {" of ", 0, false}, {"/", 4, false}, {"/", -1, true},
    {NULL, 0, false}, {NULL, -1, true}};
#define N_PLACE_FORMS (sizeof(place_forms) / sizeof(*place_forms))

int
list_draw_place(const struct row_list *l, struct area *a, enum role role)
{
	const struct place_form *least = &place_forms[N_PLACE_FORMS - 1];
	char place[LIST_PLACE_LEN];

	if (l->n <= l->height)
		return 0;
	for (size_t i = 0; i < N_PLACE_FORMS; i++) {
		const struct place_form *form = &place_forms[i];
		int w = widest_place(l, form);
		int x = find_blanks(a, w + 2, a->r.w - form->left);

		if (x < 0 || (form->last && !is_blank_from(a, x)))
			continue;
		print_place_form(l, form, place);
		put_right(a, 0, x + 1, w, role, place);
		return 0;
	}
	return widest_place(l, least) + 1;
}

struct list_walk
walk_begin(size_t n, size_t from, int step)
{
	/* Before the first row comes the last. */
	if (from == (size_t)-1)
		from = n > 0 ? n - 1 : 0;
	return (struct list_walk){
	    .n = n, .at = from < n ? from : 0, .left = n, .step = step};
}

bool
walk_goes_on(const struct list_walk *w)
{
	return w->left > 0;
}

void
walk_step(struct list_walk *w)
{
	w->left--;
	if (w->step > 0)
		w->at = w->at + 1 < w->n ? w->at + 1 : 0;
	else
		w->at = w->at > 0 ? w->at - 1 : w->n - 1;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

struct needle
needle_of(const char *text, size_t len)
{
	struct needle needle = {text, len, true};

	for (size_t i = 0; i < len; i++)
		if (lower(text[i]) != text[i])
			needle.any_case = false;
	return needle;
}

static bool
needle_matches(const struct needle *needle, const char *s)
{
	if (!needle->any_case)
		return memcmp(needle->text, s, needle->len) == 0;
	for (size_t i = 0; i < needle->len; i++)
		if (lower(s[i]) != needle->text[i])
			return false;
	return true;
}

size_t
needle_find(const struct needle *needle, const char *s, size_t len, size_t from)
{
	if (needle->len > len)
		return NOWHERE;
	for (size_t i = from; i <= len - needle->len; i++)
		if (needle_matches(needle, s + i))
			return i;
	return NOWHERE;
}

bool
needle_is(const struct needle *needle, const char *s, size_t len)
{
	return needle->len == len && needle_matches(needle, s);
}

void
paint_matches(struct area *a, int y, int x, const char *s, size_t len, int skip,
    const struct needle *needle)
{
	size_t at = 0;

	if (needle->len == 0)
		return;
	while ((at = needle_find(needle, s, len, at)) != NOWHERE) {
		int from = columns(a->screen, s, at) - skip;
		int to = columns(a->screen, s, at + needle->len) - skip;

		if (from >= a->r.w - x)
			return;
		if (from < 0)
			from = 0;
		if (to > from)
			paint(a, y, x + from, to - from, ROLE_MATCH);
		at += needle->len;
	}
}
