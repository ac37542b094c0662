/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The looks of an engine's uses as a table, and the meter, graph and legend made
 * of them. */
#include "tui/views/uses.h"

#include <string.h>

static const struct {
	const char *name;
	enum role role;
	wchar_t unicode, ascii;
} uses[N_USES] = {
    [USE_RUNNING] = {"run", ROLE_RUNNING, L'█', L'#'},
    [USE_SWITCHING] = {"switch", ROLE_SWITCHING, L'▓', L'%'},
    [USE_POLLING] = {"poll", ROLE_POLLING, L'▒', L'='},
    [USE_BLOCKED] = {"blocked", ROLE_BLOCKED, L'░', L':'},
};

const char *
use_name(enum engine_use use)
{
	return uses[use].name;
}

enum role
use_role(enum engine_use use)
{
	return uses[use].role;
}

wchar_t
use_glyph(enum engine_use use, bool unicode)
{
	return unicode ? uses[use].unicode : uses[use].ascii;
}

void
put_uses(struct area *a, int y, int x, int width, const float shares[N_USES])
{
	struct meter_part parts[N_USES];

	for (int use = 0; use < N_USES; use++)
		parts[use] = (struct meter_part){
		    .share = (double)shares[use],
		    .role = uses[use].role,
		    .glyph = use_glyph(
			(enum engine_use)use, a->screen->unicode),
		};
	put_meter(a, y, x, width, parts, N_USES);
}

#define EIGHTHS    8 /* units of a cell that can be divided */
#define SMALL_REST 2

/* A column of a graph while it is drawn: uses stacked, from the lowest row up. */
struct stack {
	int left[N_USES + 1];  /* units of each use; of idle */
	int debt;              /* units drawn too many */
	enum engine_use below; /* the use at the top of the cell below */
};

/* Takes units of the lowest use that is left. */
static enum engine_use
lowest_use(const struct stack *s)
{
	int use = 0;

	while (use < N_USES && s->left[use] == 0)
		use++;
	return (enum engine_use)use;
}

/* Takes back units drawn too many from what is above, but for the last unit of a
 * use. */
static void
repay(struct stack *s)
{
	for (int use = lowest_use(s); use <= N_USES && s->debt > 0; use++) {
		int most = s->left[use] - (use < N_USES);
		int n = most < s->debt ? most : s->debt;

		if (n > 0) {
			s->left[use] -= n;
			s->debt -= n;
		}
	}
}

/* Leaves out what a use has in its last cell, if that is less than what the cell
 * would have too many. */
static void
drop_rest(struct stack *s)
{
	enum engine_use low = lowest_use(s), high;
	int n = low < N_USES ? s->left[low] : 0;

	if (low != s->below || n >= EIGHTHS)
		return;
	s->left[low] = 0;
	high = lowest_use(s);
	if (high < N_USES && n <= EIGHTHS - n - s->left[high])
		s->left[N_USES] += n;
	else if (low < N_USES)
		s->left[low] = n;
}

/* Draws a cell of two uses at most: one with eighths on the colour of the next one.
 * Where a third would begin, the larger one of both takes a small rest of the cell;
 * a larger one stays free, if the window has as much idle time. */
static void
draw_divided_cell(struct area *a, int y, int x, struct stack *s)
{
	static const wchar_t bars[] = L"▁▂▃▄▅▆▇█";
	enum engine_use low, high;
	enum role role;
	int n, rest;

	drop_rest(s);
	low = lowest_use(s);
	if (low == N_USES)
		return;
	n = s->left[low] < EIGHTHS ? s->left[low] : EIGHTHS;
	s->left[low] -= n;
	high = lowest_use(s);
	role = use_role(low);
	rest = EIGHTHS - n - s->left[high];
	if (n < EIGHTHS &&
	    (high == N_USES ||
		(rest > SMALL_REST && s->left[N_USES] >= EIGHTHS - n))) {
		s->left[N_USES] -= EIGHTHS - n;
	} else if (n < EIGHTHS) {
		role = theme_stack_role(role, use_role(high));
		if (rest > 0) {
			n += s->left[high] <= n ? rest : 0;
			s->debt += rest;
			s->left[high] = 0;
		} else {
			s->left[high] -= EIGHTHS - n;
		}
	}
	s->below = n < EIGHTHS && role != use_role(low) ? high : low;
	put_block(a, y, x, role,
	    n < EIGHTHS ? bars[n - 1] : use_glyph(low, a->screen->unicode));
}

/* Leaves two uses for the highest cell: polling, and the one with most of it. */
static void
leave_two(struct stack *s)
{
	int most = -1;

	for (int use = 0; use < N_USES; use++)
		if (use != USE_POLLING &&
		    (most < 0 || s->left[use] > s->left[most]))
			most = use;
	for (int use = 0; use < N_USES && s->left[USE_POLLING] > 0; use++)
		if (use != USE_POLLING && use != most)
			s->left[use] = 0;
}

/* Draws a cell of one use, where cells cannot be divided. */
static void
draw_whole_cell(struct area *a, int y, int x, struct stack *s)
{
	enum engine_use use = lowest_use(s);

	if (use == N_USES)
		return;
	s->left[use]--;
	put_block(a, y, x, use_role(use), use_glyph(use, a->screen->unicode));
}

void
put_stack(struct area *a, int y, int x, int rows, const double shares[N_USES])
{
	bool several = shares[USE_SWITCHING] + shares[USE_POLLING] +
		shares[USE_BLOCKED] >
	    0;
	bool divided = a->screen->unicode && (a->screen->coloured || !several);
	int room = rows * (divided ? EIGHTHS : 1);
	struct stack s = {.left[N_USES] = room, .below = N_USES};

	apportion(shares, N_USES, room, s.left);
	for (int use = 0; use < N_USES; use++)
		s.left[N_USES] -= s.left[use];
	for (int row = rows - 1; row >= 0; row--) {
		if (row == 0)
			leave_two(&s);
		if (divided)
			draw_divided_cell(a, y + row, x, &s);
		else
			draw_whole_cell(a, y + row, x, &s);
		repay(&s);
	}
}

int
put_uses_legend(struct area *a, int y, int x, int width)
{
	int at = 0;

	for (int use = 0; use < N_USES; use++) {
		int len = (int)strlen(uses[use].name);

		if (at + 2 + len > width)
			break;
		put_char(a, y, x + at, uses[use].role,
		    use_glyph((enum engine_use)use, a->screen->unicode));
		put(a, y, x + at + 2, len, ROLE_DIM, uses[use].name);
		at += 2 + len + (use + 1 < N_USES);
	}
	return at;
}
