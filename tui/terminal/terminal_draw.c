/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawing frames: the cells that changed go through curses, and the bytes that
 * curses writes are sent to the terminal as it takes them.
 */
#include "tui/terminal/terminal_private.h"

#include <errno.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "base/mem.h"

/* Most bytes of a cell: attributes, colours, cursor movement. */
#define MAX_CELL_BYTES 64

bool
terminal_is_behind(const struct terminal *t)
{
	return t->sent < t->pending.len;
}

void
terminal_flush(struct terminal *t)
{
	while (terminal_is_behind(t)) {
		ssize_t n = write(
		    t->fd, t->pending.data + t->sent, t->pending.len - t->sent);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			/* flushed later; poll() reports a terminal that is
			 * gone */
			break;
		t->sent += (size_t)n;
	}
	if (terminal_is_behind(t))
		return;
	text_clear(&t->pending);
	t->sent = 0;
}

static void
take_pipe(struct terminal *t, bool keep)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(t->frame_fd, buf, sizeof(buf))) > 0)
		if (keep)
			text_add(&t->pending, buf, (size_t)n);
}

static void
take_memory(struct terminal *t, bool keep)
{
	off_t len = lseek(t->frame_fd, 0, SEEK_CUR);
	char buf[4096];

	for (off_t at = 0; keep && at < len;) {
		size_t want = sizeof(buf);
		ssize_t n;

		if ((off_t)want > len - at)
			want = (size_t)(len - at);
		n = pread(t->frame_fd, buf, want, at);
		if (n <= 0)
			break;
		text_add(&t->pending, buf, (size_t)n);
		at += n;
	}
	lseek(t->frame_fd, 0, SEEK_SET);
}

void
terminal_take_frame(struct terminal *t, bool keep)
{
	if (t->frame_room > 0)
		take_pipe(t, keep);
	else
		take_memory(t, keep);
}

static bool
same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->mark == b->mark && a->role == b->role &&
	    a->style == b->style;
}

static void
make_cell(const struct terminal *t, const struct cell *cell, cchar_t *out)
{
	wchar_t chars[3] = {cell->ch, cell->mark, 0};

	setcchar(out, chars, t->attrs[cell->style][cell->role],
	    t->pairs[cell->role], NULL);
}

/* Gives the cells [from, to) of a row to curses. */
static void
send_run(struct terminal *t, const struct cell *row, int y, int from, int to)
{
	int n = 0;

	for (int x = from; x < to; x++)
		if (row[x].ch != 0) /* a right half needs no output */
			make_cell(t, &row[x], &t->line[n++]);
	mvwadd_wchnstr(stdscr, y, from, t->line, n);
}

static void
send_row(struct terminal *t, const struct screen *s, int y, bool all)
{
	const struct cell *row = s->cells + (size_t)y * s->cols;
	struct cell *old = t->front.cells + (size_t)y * s->cols;

	for (int x = 0; x < s->cols; x++) {
		int from = x;

		while (x < s->cols && (all || !same_cell(&row[x], &old[x])))
			x++;
		/* Both halves of a wide character are drawn. */
		if (from > 0 && from < x && row[from].ch == 0)
			from--;
		if (from < x)
			send_run(t, row, y, from, x);
	}
	memcpy(old, row, (size_t)s->cols * sizeof(*row));
}

static void
send_cursor(struct terminal *t, const struct screen *s)
{
	int wanted = s->cursor_y >= 0;

	if (t->cursor != wanted) {
		curs_set(wanted);
		t->cursor = wanted;
	}
	if (wanted)
		wmove(stdscr, s->cursor_y, s->cursor_x);
}

/* curses knew no size at the start and assumes that 24 rows scroll; set the
 * region to all rows. */
static void
scroll_all(struct terminal *t, int rows)
{
	const char *region = tigetstr("csr");

	doupdate(); /* sends curses' own setup first */
	terminal_take_frame(t, true);
	if (region != NULL && region != (char *)-1)
		text_adds(&t->pending, tparm(region, 0, rows - 1));
}

/* Returns the number of rows whose bytes fit the pipe for certain. */
static int
rows_at_once(const struct terminal *t, const struct screen *s)
{
	int rows = t->frame_room / (s->cols * MAX_CELL_BYTES);

	if (t->frame_room == 0)
		return s->rows;
	return rows > 0 ? rows : 1;
}

static void
send_drawn(struct terminal *t)
{
	wnoutrefresh(stdscr);
	doupdate();
	terminal_take_frame(t, true);
}

static void
send_rows(struct terminal *t, const struct screen *s, bool all)
{
	int at_once = rows_at_once(t, s);

	for (int y = 0; y < s->rows; y++) {
		if (y > 0 && y % at_once == 0)
			send_drawn(t);
		send_row(t, s, y, all);
	}
}

void
terminal_draw(struct terminal *t, const struct screen *s, bool all)
{
	if (s->cols != t->front.cols || s->rows != t->front.rows) {
		screen_resize(&t->front, s->cols, s->rows);
		t->line = mem_realloc(
		    t->line, (size_t)s->cols + 1, sizeof(*t->line));
		resizeterm(s->rows, s->cols);
		all = true;
	}
	if (all) {
		scroll_all(t, s->rows);
		werase(stdscr);
		clearok(curscr, TRUE);
	}
	send_rows(t, s, all);
	send_cursor(t, s);
	leaveok(stdscr, s->cursor_y < 0);
	send_drawn(t);
	terminal_flush(t);
}
