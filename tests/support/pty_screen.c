/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See pty.h: what the screen shows, and waiting until it does. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h needs these before it. */
#include <stdint.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tests/support/pty_private.h"

void
pty_screen(struct pty *p, struct text *out)
{
	char *row = mem_calloc((size_t)p->cols * 8 + 8, 1);

	for (int y = 0; y < p->rows; y++) {
		VTermRect r = {y, y + 1, 0, p->cols};
		size_t n = vterm_screen_get_text(
		    p->screen, row, (size_t)p->cols * 8 + 8, r);

		while (n > 0 && row[n - 1] == ' ')
			n--;
		text_add(out, row, n);
		text_addc(out, '\n');
	}
	free(row);
}

bool
pty_shows(struct pty *p, const char *text)
{
	struct text screen = {0};
	bool shows;

	pty_screen(p, &screen);
	shows = strstr(text_str(&screen), text) != NULL;
	text_free(&screen);
	return shows;
}

struct wanted {
	const char *text; /* NULL: the cursor */
	bool shown, reverse;
	int x, y;
	uint32_t character; /* that is to look so; 0 */
	struct pty_look look;
};

static bool
shows_reverse(struct pty *p, const char *text)
{
	char row[4096];

	for (int y = 0; y < p->rows; y++) {
		VTermRect r = {y, y + 1, 0, p->cols};
		VTermScreenCell cell;
		size_t n = vterm_screen_get_text(
		    p->screen, row, sizeof(row) - 1, r);

		row[n < sizeof(row) ? n : sizeof(row) - 1] = 0;
		vterm_screen_get_cell(p->screen, (VTermPos){y, 0}, &cell);
		if (cell.attrs.reverse && strstr(row, text) != NULL)
			return true;
	}
	return false;
}

static int
colour_number(VTermColor c, bool is_default)
{
	return is_default                ? -1
	    : VTERM_COLOR_IS_INDEXED(&c) ? c.indexed.idx
					 : -2;
}

static struct pty_look
look_of(const VTermScreenCell *cell)
{
	return (struct pty_look){
	    .fg = colour_number(cell->fg, VTERM_COLOR_IS_DEFAULT_FG(&cell->fg)),
	    .bg = colour_number(cell->bg, VTERM_COLOR_IS_DEFAULT_BG(&cell->bg)),
	    .bold = cell->attrs.bold,
	    .underline = cell->attrs.underline != 0,
	    .reverse = cell->attrs.reverse,
	};
}

struct pty_look
pty_cell(struct pty *p, int x, int y, uint32_t *character)
{
	VTermScreenCell cell;

	vterm_screen_get_cell(p->screen, (VTermPos){y, x}, &cell);
	*character = cell.chars[0];
	return look_of(&cell);
}

/* Sets look to that of the first cell with the character. */
static bool
find_look(struct pty *p, uint32_t character, struct pty_look *look)
{
	VTermScreenCell cell;

	for (int y = 0; y < p->rows; y++)
		for (int x = 0; x < p->cols; x++) {
			vterm_screen_get_cell(
			    p->screen, (VTermPos){y, x}, &cell);
			if (cell.chars[0] != character)
				continue;
			*look = look_of(&cell);
			return true;
		}
	return false;
}

static bool
looks_so(struct pty *p, const struct wanted *w)
{
	struct pty_look look;

	return find_look(p, w->character, &look) && look.fg == w->look.fg &&
	    look.bg == w->look.bg && look.bold == w->look.bold &&
	    look.underline == w->look.underline &&
	    look.reverse == w->look.reverse;
}

static void
fail_look(struct pty *p, const struct wanted *w)
{
	struct pty_look l = {-3, -3, false, false, false};

	find_look(p, w->character, &l);
	fail_msg(
	    "U+%04X looks %d %d, bold %d, underline %d, reverse %d; wanted "
	    "%d %d %d %d %d",
	    (unsigned)w->character, l.fg, l.bg, l.bold, l.underline, l.reverse,
	    w->look.fg, w->look.bg, w->look.bold, w->look.underline,
	    w->look.reverse);
}

static bool
is_there(struct pty *p, const struct wanted *w)
{
	VTermPos pos;

	if (w->character != 0)
		return looks_so(p, w);
	if (w->reverse)
		return shows_reverse(p, w->text);
	if (w->text != NULL)
		return pty_shows(p, w->text) == w->shown;
	vterm_state_get_cursorpos(vterm_obtain_state(p->vt), &pos);
	return pos.col == w->x && pos.row == w->y;
}

static void
wait_for(struct pty *p, const struct wanted *w)
{
	time_t end = time(NULL) + WAIT_SECONDS;
	struct text screen = {0};
	int ms;

	for (;;) {
		struct pollfd fd = {.fd = p->master, .events = POLLIN};

		pty_drain(p);
		if (is_there(p, w))
			return;
		ms = pty_left_ms(end);
		if (ms < 0 || poll(&fd, 1, ms) <= 0)
			break;
	}
	pty_screen(p, &screen);
	fputs(text_str(&screen), stderr);
	if (w->character != 0)
		fail_look(p, w);
	if (w->text == NULL)
		fail_msg("the cursor never was at %d, %d", w->x, w->y);
	fail_msg("the screen %s \"%s\"",
	    w->shown ? "never showed" : "still shows", w->text);
}

void
pty_wait_text(struct pty *p, const char *text)
{
	wait_for(p, &(struct wanted){.text = text, .shown = true});
}

void
pty_wait_gone(struct pty *p, const char *text)
{
	wait_for(p, &(struct wanted){.text = text});
}

void
pty_wait_reverse(struct pty *p, const char *text)
{
	wait_for(
	    p, &(struct wanted){.text = text, .shown = true, .reverse = true});
}

void
pty_wait_look(struct pty *p, uint32_t character, struct pty_look look)
{
	wait_for(p, &(struct wanted){.character = character, .look = look});
}

void
pty_wait_cursor(struct pty *p, int x, int y)
{
	wait_for(p, &(struct wanted){.x = x, .y = y});
}

bool
pty_has_colour(struct pty *p)
{
	for (int y = 0; y < p->rows; y++)
		for (int x = 0; x < p->cols; x++) {
			VTermScreenCell cell;

			vterm_screen_get_cell(
			    p->screen, (VTermPos){y, x}, &cell);
			if (!VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) ||
			    !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg))
				return true;
		}
	return false;
}
