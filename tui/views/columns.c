/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables: which columns fit, their titles, and a row's cells. Fixed columns are
 * chosen by importance; flexible ones share the columns that are left.
 */
#include "tui/views/columns.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

#define MAX_IMPORTANCE COLUMNS_MAX

static int
asked_width(const struct column *column, const struct columns_room *room)
{
	return column->measure != NULL
	    ? column->measure(room->table, room->width)
	    : column->width;
}

static bool
is_wanted(const struct column *column, const struct columns_room *room)
{
	if (room->width < column->from ||
	    (column->flags & COL_COMPARED && !room->compared))
		return false;
	return column->percent > 0 || asked_width(column, room) > 0;
}

/* Sets shown[i] for the columns that fit; returns the columns that fixed ones
 * take. */
static int
choose_columns(
    struct columns *c, const struct columns_room *room, bool shown[COLUMNS_MAX])
{
	int used = 0, fixed = 0;

	for (int level = 0; level < MAX_IMPORTANCE; level++)
		for (int i = 0; i < c->n; i++) {
			const struct column *column = &c->list[i];
			int importance = i == room->keep ? 0
							 : column->importance;
			int width = asked_width(column, room);

			if (importance != level || !is_wanted(column, room) ||
			    (column->importance > 0 &&
				used + width > room->width))
				continue;
			shown[i] = true;
			c->widths[i] = column->percent > 0 ? 0 : width;
			used += width;
			fixed += c->widths[i];
		}
	return fixed;
}

/* The flexible column without a width that has the lowest percent; -1: all
 * have one. *last: no other one is left. */
static int
next_flexible(const struct columns *c, const bool shown[COLUMNS_MAX],
    const bool done[COLUMNS_MAX], bool *last)
{
	int found = -1, left = 0;

	for (int i = 0; i < c->n; i++) {
		if (!shown[i] || done[i] || c->list[i].percent == 0)
			continue;
		left++;
		if (found < 0 || c->list[i].percent < c->list[found].percent)
			found = i;
	}
	*last = left == 1;
	return found;
}

static void
share_rest(struct columns *c, const bool shown[COLUMNS_MAX], int rest)
{
	bool done[COLUMNS_MAX] = {false}, last;
	int i;

	while ((i = next_flexible(c, shown, done, &last)) >= 0) {
		int w = last ? rest : rest * c->list[i].percent / 100;

		if (w < c->list[i].least)
			w = c->list[i].least;
		c->widths[i] = w > 0 ? w : 0;
		rest -= w;
		done[i] = true;
	}
}

void
columns_fit(struct columns *c, const struct column *list, int n,
    const struct columns_room *room)
{
	bool shown[COLUMNS_MAX] = {false};

	c->list = list;
	c->n = n;
	memset(c->widths, 0, sizeof(c->widths));
	share_rest(c, shown, room->width - choose_columns(c, room, shown));
}

static void
put_cell(struct area *a, int y, int x, int width, const struct column *column,
    enum role role, const char *text)
{
	int gap = column->flags & COL_LEFT ? column->gap : x > 0;

	if (column->flags & COL_LEFT)
		put_cut(a, y, x + gap, width - gap, role, text);
	else
		put_right(a, y, x + gap, width - gap, role, text);
}

/* Puts a title as put_cell() does, but cut without a sign. The sign of the order
 * may take the blank before a name that fills the column. */
static void
put_title(struct area *a, int x, int width, const struct column *column,
    enum role role, const char *title)
{
	if (column->flags & COL_LEFT)
		put(a, 0, x + column->gap, width - column->gap, role, title);
	else if (columns(a->screen, title, strlen(title)) == width)
		put(a, 0, x, width, role, title);
	else
		put_cell(a, 0, x, width, column, role, title);
}

static bool
is_last(const struct columns *c, int i)
{
	while (++i < c->n)
		if (c->widths[i] > 0)
			return false;
	return true;
}

static const char *
order_sign(const struct screen *s, bool descends)
{
	if (s->unicode)
		return descends ? "▾" : "▴";
	return descends ? "v" : "^";
}

static void
print_title(const struct columns *c, int i, int width, const char *sign,
    const void *table, struct text *out)
{
	const struct column *column = &c->list[i];
	bool left = column->flags & COL_LEFT;

	if (!left)
		text_adds(out, sign);
	if (column->heading != NULL)
		column->heading(out, column, width, table);
	else if (column->title != NULL)
		text_adds(out, column->title);
	if (left)
		text_adds(out, sign);
}

void
columns_draw_titles(const struct columns *c, struct area *a, enum role role,
    const struct columns_order *order, const void *table)
{
	struct text title = {0};
	int x = 0;

	fill(a, 0, 0, a->r.w, role);
	for (int i = 0; i < c->n; x += c->widths[i], i++) {
		bool sorted = order->column == i;
		int width = c->widths[i];

		if (width == 0)
			continue;
		if (c->list[i].flags & COL_LEFT && is_last(c, i))
			width = a->r.w - x;
		text_clear(&title);
		print_title(c, i, width - c->list[i].gap,
		    sorted && order->sign
			? order_sign(a->screen, order->descends)
			: "",
		    table, &title);
		put_title(a, x, width, &c->list[i], sorted ? ROLE_SORTED : role,
		    text_str(&title));
	}
	text_free(&title);
}

void
columns_print(const struct column *column, enum row_kind kind, const void *row,
    struct text *out)
{
	if (kind == ROW_GROUP) {
		if (column->print_group != NULL)
			column->print_group(out, row);
		return;
	}
	if (column->print == NULL ||
	    (kind == ROW_IN_GROUP && column->flags & COL_OF_GROUP) ||
	    (kind == ROW_CROWD && !(column->flags & COL_OF_CROWD)))
		return;
	column->print(out, row);
}

void
columns_draw_row(const struct columns *c, struct area *a, int y, enum role role,
    enum row_kind kind, const void *row)
{
	struct text text = {0};
	int x = 0;

	for (int i = 0; i < c->n; x += c->widths[i], i++) {
		const struct column *column = &c->list[i];

		if (c->widths[i] == 0)
			continue;
		if (column->draw != NULL) {
			column->draw(a, y, x, c->widths[i], row);
			continue;
		}
		text_clear(&text);
		columns_print(column, kind, row, &text);
		put_cell(a, y, x, c->widths[i], column,
		    column->role != NULL ? column->role(row) : role,
		    text_str(&text));
	}
	text_free(&text);
}

int
columns_at(const struct columns *c, int x)
{
	int i = 0;

	for (int end = 0; i < c->n; i++)
		if (x < (end += c->widths[i]))
			break;
	return i;
}

static bool
is_alias(const struct column *column, const char *name, size_t len)
{
	return column->alias != NULL && strlen(column->alias) == len &&
	    strncasecmp(column->alias, name, len) == 0;
}

int
columns_find(const struct column *list, int n, const char *name, size_t len)
{
	int found = -1, matches = 0;

	for (int i = 0; i < n && len > 0; i++) {
		const char *title = list[i].title;

		if (is_alias(&list[i], name, len))
			return i;
		if (title == NULL || strncasecmp(title, name, len) != 0)
			continue;
		/* "run" is the whole title of RUN%. */
		if (len >= strcspn(title, "%"))
			return i;
		found = i;
		matches++;
	}
	return matches == 1 ? found : -1;
}
