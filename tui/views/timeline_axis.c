/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See timeline_axis.h. */
#include "tui/views/timeline_axis.h"

int
axis_column(const struct axis *a, nsec time)
{
	nsec col;

	if (time < a->left)
		return -1;
	col = (time - a->left) / a->column;
	return col < (nsec)a->cols ? (int)col : a->cols;
}

/* 1, 2, 5, 10 ... */
static nsec
next_length(nsec ns)
{
	nsec ten = 1;

	while (ten <= ns / 10)
		ten *= 10;
	return ns < 2 * ten ? 2 * ten : ns < 5 * ten ? 5 * ten : 10 * ten;
}

static nsec
length_before(nsec ns)
{
	nsec at = 1;

	while (next_length(at) < ns)
		at = next_length(at);
	return at;
}

/* The column at which time is seen becomes col again. */
static void
keep_at(struct axis *a, nsec time, int col)
{
	nsec before = (nsec)(col > 0 ? col : 0) * a->column;
	nsec at = time - time % a->column;

	a->left = at > before ? at - before : 0;
}

void
axis_zoom(struct axis *a, bool in, nsec keep)
{
	int col = axis_column(a, keep);

	if (col >= a->cols)
		col = a->cols - 1;
	if (in && a->column > AXIS_MIN_NS)
		a->column = length_before(a->column);
	else if (!in && a->column < AXIS_MAX_NS)
		a->column = next_length(a->column);
	keep_at(a, keep, col);
}

void
axis_follow(struct axis *a, nsec now)
{
	keep_at(a, now, a->cols - 1);
}

void
axis_show(struct axis *a, nsec time)
{
	int col = axis_column(a, time);

	if (col < 0)
		keep_at(a, time, a->cols / 4);
	else if (col >= a->cols)
		keep_at(a, time, a->cols - 1 - a->cols / 4);
}

int
axis_tick(const struct axis *a, int width)
{
	nsec length = a->column;

	while (length / a->column < (nsec)width)
		length = next_length(length);
	return (int)(length / a->column);
}
