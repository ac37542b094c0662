/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console's loop: waits for keys, signals and the time of the next frame;
 * lets the simulation follow the clock in slices so short that a key never
 * waits; draws.
 */
#include "tui/console.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/text.h"
#include "tui/execute.h"
#include "tui/options.h"
#include "tui/prompt.h"
#include "tui/script.h"
#include "tui/session.h"
#include "tui/signals.h"
#include "tui/terminal.h"
#include "tui/ui.h"

/* The simulation works for so long at a time, */
#define SLICE_NS (8 * NSEC_PER_MSEC)
/* and rests so long when there is more to do, so as not to take a whole CPU. */
#define REST_MS 2
/* A frame's worth of work that takes longer is spread over the time. */
#define HEAVY_NS (10 * NSEC_PER_MSEC)
#define SPREAD_NS (30 * NSEC_PER_MSEC)
/* The first frame with figures comes soon after the start. */
#define FIRST_FRAME_NS (100 * NSEC_PER_MSEC)
/* Ticks that a script's `wait` lets pass. */
#define WAIT_TICKS 600

#define EXIT_INPUT  1
#define EXIT_USAGE  2
#define EXIT_FAILED 3

struct console {
	const struct options *options;
	struct session session;
	struct ui ui;
	struct terminal *terminal; /* NULL: a script without one */
	struct script script;
	bool scripted;	 /* the script is not over */
	nsec script_wall; /* its clock */
	nsec next_frame;
	nsec advanced_at; /* wall time of the last slice */
	double load;	  /* of the CPU by the simulation: 1 is all */
	bool dirty;	  /* the screen does not show what is */
	bool redraw;	  /* all of it */
	int death;	  /* the signal to die of */
	int status;
};

static nsec
wall_now(const struct console *c)
{
	return c->scripted ? c->script_wall : clock_wall();
}

static nsec
delay_ns(const struct console *c)
{
	return (nsec)(c->ui.delay * 1e9);
}

static void
draw(struct console *c)
{
	struct ui_prompt prompt = {0};

	if (prompt_is_open())
		prompt = prompt_look();
	ui_draw(&c->ui, prompt_is_open() ? &prompt : NULL);
	c->redraw |= c->ui.wants_redraw;
	c->ui.wants_redraw = false;
	if (c->terminal != NULL)
		terminal_draw(c->terminal, &c->ui.screen, c->redraw);
	c->dirty = c->redraw = false;
}

/* Views that watch a deadlock want to know who waits for what. */
static void
report_end(struct console *c)
{
	struct text why = {0};

	if (session_state(&c->session) != SESSION_DEADLOCK)
		return;
	sim_explain_deadlock(c->session.run.sim, &why);
	ui_say_error(&c->ui, "Deadlock: nothing can go on", &why);
	text_free(&why);
}

static void
tick(struct console *c)
{
	bool moved = session_moves(&c->session);

	ui_tick(&c->ui, wall_now(c));
	c->dirty = true;
	if (!moved)
		report_end(c);
}

/* --- keys --- */

static void
key_at_prompt(struct console *c, const struct key_press *key)
{
	char *line = NULL;

	if (prompt_feed(key, &line) == PROMPT_ACCEPTED)
		execute(&c->ui, line, wall_now(c));
	free(line);
}

static void
key_pressed(struct console *c, const struct key_press *key)
{
	c->dirty = true;
	if (prompt_is_open()) {
		key_at_prompt(c, key);
		return;
	}
	ui_key(&c->ui, key->code, wall_now(c));
	if (c->ui.wants_prompt && !c->ui.layout.too_small)
		prompt_open(c->options->script == NULL);
	c->ui.wants_prompt = false;
}

/* Esc and what follows at once are one key press: Meta and that key. */
static enum terminal_read
read_key(struct console *c, struct key_press *key)
{
	struct key_press next;
	enum terminal_read got = terminal_read(c->terminal, key);

	if (got != READ_KEY || key->code != KEY_ESC || !prompt_is_open() ||
	    terminal_read(c->terminal, &next) != READ_KEY ||
	    next.len >= sizeof(key->bytes))
		return got;
	memcpy(key->bytes + 1, next.bytes, next.len);
	key->len = next.len + 1;
	return got;
}

/* All keys that are there. Virtual time is brought up to date first, so that
 * a pause stops it where the person saw it; not when it lags anyway. */
static void
read_keys(struct console *c)
{
	struct key_press key;
	enum terminal_read got = read_key(c, &key);

	if (got == READ_KEY && !c->session.behind)
		session_advance(&c->session, clock_wall(), SLICE_NS);
	for (; got == READ_KEY; got = read_key(c, &key)) {
		key_pressed(c, &key);
		if (c->ui.leave != UI_STAY)
			return;
	}
	if (got == READ_END)
		c->death = SIGHUP; /* the terminal is gone */
}

/* --- signals --- */

static void
resize(struct console *c)
{
	int cols, rows;

	if (c->terminal == NULL)
		return;
	terminal_size(c->terminal, &cols, &rows);
	if (cols == c->ui.screen.cols && rows == c->ui.screen.rows)
		return;
	ui_resize(&c->ui, cols, rows);
	c->dirty = true;
}

/* Stopped time is no time: the clock goes on from where it stood. */
static void
come_back(struct console *c)
{
	if (!c->scripted)
		clock_rebase(&c->session.clock, clock_wall(),
		    c->session.run.sim->now);
	resize(c);
	c->dirty = c->redraw = true;
}

static void
stop(struct console *c)
{
	if (c->terminal != NULL)
		terminal_leave(c->terminal);
	signals_stop();
	if (c->terminal != NULL)
		terminal_enter(c->terminal);
	come_back(c);
}

static void
take_signals(struct console *c)
{
	struct signals_seen seen = signals_take();

	if (seen.death != 0)
		c->death = seen.death;
	if (c->death != 0)
		return;
	if (seen.stop) {
		stop(c);
	} else if (seen.resume) {
		if (c->terminal != NULL)
			terminal_reclaim(c->terminal);
		come_back(c);
	}
	if (seen.resize)
		resize(c);
}

/* --- time --- */

/* How often the simulation is let go on: at each frame, unless that would
 * be more work than can be done at once. */
static nsec
next_slice(const struct console *c)
{
	if (c->load * c->ui.delay * 1e9 > (double)HEAVY_NS &&
	    c->advanced_at + SPREAD_NS < c->next_frame)
		return c->advanced_at + SPREAD_NS;
	return c->next_frame;
}

static void
advance(struct console *c)
{
	nsec before = clock_wall(), covered = before - c->advanced_at;
	nsec after;

	session_advance(&c->session, before, SLICE_NS);
	after = clock_wall();
	if (covered > 0)
		c->load = (double)(after - before) / (double)covered;
	c->advanced_at = before;
}

/* Brings the simulation, and at the time of a frame the figures, to now. */
static void
follow_time(struct console *c)
{
	nsec now = clock_wall();

	if (!session_moves(&c->session)) {
		c->advanced_at = now;
		return;
	}
	if (c->session.behind || now >= next_slice(c))
		advance(c);
	now = clock_wall();
	if (now < c->next_frame && session_moves(&c->session))
		return;
	tick(c);
	c->next_frame += delay_ns(c);
	if (c->next_frame <= now)
		c->next_frame = now + delay_ns(c);
}

/* In milliseconds for poll(); -1: nothing will happen by itself. */
static int
time_to_wait(const struct console *c)
{
	nsec now = clock_wall(), then;

	if (!session_moves(&c->session))
		return -1;
	if (c->session.behind)
		return REST_MS;
	then = next_slice(c);
	if (then <= now)
		return 0;
	then = (then - now + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC;
	return then < 3600000 ? (int)then : 3600000;
}

static void
wait_for_something(struct console *c)
{
	bool behind = terminal_is_behind(c->terminal);
	struct pollfd fds[] = {
	    {.fd = signals_fd(), .events = POLLIN},
	    {.fd = terminal_fd(c->terminal),
		.events = (short)(POLLIN | (behind ? POLLOUT : 0))},
	};

	if (poll(fds, 2, time_to_wait(c)) < 0)
		return; /* EINTR: the signal is in the pipe */
	if (fds[1].revents & POLLOUT)
		terminal_flush(c->terminal);
	if (fds[1].revents & (POLLIN | POLLHUP | POLLERR))
		read_keys(c);
	if (fds[1].revents & (POLLHUP | POLLERR | POLLNVAL))
		c->death = SIGHUP;
}

static bool
leaving(const struct console *c)
{
	return c->death != 0 || c->ui.leave != UI_STAY || c->status != 0;
}

static void
loop(struct console *c)
{
	c->advanced_at = clock_wall();
	c->next_frame = c->advanced_at + (delay_ns(c) < FIRST_FRAME_NS ?
						 delay_ns(c) :
						 FIRST_FRAME_NS);
	clock_rebase(&c->session.clock, c->advanced_at,
	    c->session.run.sim->now);
	c->dirty = true;
	while (!leaving(c)) {
		/* A terminal that has not taken a frame gets no other. */
		if (c->dirty && !terminal_is_behind(c->terminal))
			draw(c);
		wait_for_something(c);
		take_signals(c);
		if (!leaving(c))
			follow_time(c);
	}
}

/* --- scripts --- */

static void
script_tick(struct console *c, nsec passed)
{
	c->script_wall += passed;
	if (session_moves(&c->session)) {
		session_advance(&c->session, c->script_wall, 0);
		tick(c);
	}
	take_signals(c);
}

/* Time passes frame by frame, as for a person who watches. */
static void
script_advance(struct console *c, nsec duration)
{
	while (duration > 0 && !leaving(c)) {
		nsec part = delay_ns(c) < duration ? delay_ns(c) : duration;

		script_tick(c, part);
		duration -= part;
	}
}

static bool
screen_shows(struct console *c, const char *what)
{
	struct text dump = {0};
	bool shows;

	draw(c);
	screen_dump(&c->ui.screen, &dump);
	shows = strstr(text_str(&dump), what) != NULL;
	text_free(&dump);
	return shows;
}

static void
fail(struct console *c, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Says why on standard error, once the terminal is given back. */
static void
fail(struct console *c, int status, const char *fmt, ...)
{
	struct text why = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&why, fmt, ap);
	va_end(ap);
	terminal_close(c->terminal);
	c->terminal = NULL;
	fprintf(stderr, "gpuwl-top: %s\n", text_str(&why));
	text_free(&why);
	c->status = status;
}

static void
script_wait(struct console *c, const char *what)
{
	for (int i = 0; i < WAIT_TICKS && !leaving(c); i++) {
		if (screen_shows(c, what))
			return;
		if (!session_moves(&c->session))
			break;
		script_tick(c, delay_ns(c));
	}
	if (!leaving(c) && !screen_shows(c, what))
		fail(c, EXIT_FAILED, "%s:%zu: the screen never showed \"%s\"",
		    c->script.path, c->script.line_no, what);
}

static void
script_type(struct console *c, const char *line)
{
	struct key_press key = script_key(':');

	key_pressed(c, &key);
	for (; *line != 0 && prompt_is_open(); line++) {
		key = (struct key_press){.code = KEY_UNKNOWN, .len = 1};
		key.bytes[0] = *line;
		key_pressed(c, &key);
	}
	key = script_key(KEY_ENTER_CODE);
	if (prompt_is_open())
		key_pressed(c, &key);
}

static void
play(struct console *c, const struct script_item *item)
{
	switch (item->kind) {
	case SCRIPT_KEY: key_pressed(c, &item->key); break;
	case SCRIPT_COMMAND: script_type(c, text_str(&item->text)); break;
	case SCRIPT_ADVANCE: script_advance(c, item->duration); break;
	case SCRIPT_WAIT: script_wait(c, text_str(&item->text)); break;
	case SCRIPT_SIZE:
		if (c->terminal == NULL)
			ui_resize(&c->ui, item->cols, item->rows);
		break;
	case SCRIPT_ERROR:
		fail(c, EXIT_INPUT, "%s", text_str(&item->text));
		break;
	case SCRIPT_END: break;
	}
}

/* Each key comes when all before it is done and drawn. */
static void
play_script(struct console *c)
{
	struct script_item item = {0};

	draw(c);
	do {
		script_next(&c->script, &item);
		play(c, &item);
		if (!leaving(c))
			draw(c);
		take_signals(c);
	} while (item.kind != SCRIPT_END && !leaving(c));
	text_free(&item.text);
	c->scripted = false;
}

/* --- coming and going --- */

/* Without a terminal: the size of LINES and COLUMNS, or 80x24. */
static int
size_from(const char *name, int otherwise)
{
	const char *s = getenv(name);
	long n = s != NULL ? strtol(s, NULL, 10) : 0;

	return n >= 1 && n <= 1000 ? (int)n : otherwise;
}

static bool
open_terminal(struct console *c)
{
	const char *no_color = getenv("NO_COLOR");
	struct text err = {0};

	if (!terminal_present()) {
		if (c->scripted) {
			ui_resize(&c->ui, size_from("COLUMNS", 80),
			    size_from("LINES", 24));
			return true;
		}
		fail(c, EXIT_USAGE, "%s",
		    "standard input and output must be a terminal "
		    "(-b runs without one)");
		return false;
	}
	c->terminal =
	    terminal_open(no_color != NULL && *no_color != 0, &err);
	if (c->terminal == NULL)
		fail(c, EXIT_USAGE, "%s", text_str(&err));
	text_free(&err);
	resize(c);
	return c->terminal != NULL;
}

static bool
open_script(struct console *c)
{
	struct text err = {0};

	if (c->options->script == NULL)
		return true;
	c->scripted = script_open(&c->script, c->options->script, &err);
	if (!c->scripted)
		fail(c, EXIT_INPUT, "%s", text_str(&err));
	/* A script means the same for everybody. */
	setenv("INPUTRC", "/dev/null", 1);
	text_free(&err);
	return c->scripted;
}

static bool
begin_session(struct console *c, struct plan *plan)
{
	struct text err = {0};
	bool ok = session_begin(&c->session, plan, c->options->speed,
	    c->options->duration, &err);

	if (!ok)
		fail(c, EXIT_INPUT, "%s", text_str(&err));
	text_free(&err);
	return ok;
}

static void
run(struct console *c)
{
	bool unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;

	ui_init(&c->ui, &c->session, unicode && !c->options->ascii);
	if (c->options->delay > 0)
		c->ui.delay = c->options->delay;
	if (open_script(c) && open_terminal(c)) {
		if (c->scripted)
			play_script(c);
		if (c->terminal != NULL && !leaving(c))
			loop(c);
	}
	terminal_close(c->terminal);
	prompt_free();
	script_close(&c->script);
	ui_free(&c->ui);
}

int
console_run(const struct options *o, struct plan *plan)
{
	struct console c = {.options = o};

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C"); /* figures are not the locale's */
	if (!signals_install()) {
		fprintf(stderr, "gpuwl-top: no pipe: %s\n", strerror(errno));
		return EXIT_FAILED;
	}
	if (begin_session(&c, plan))
		run(&c);
	session_end(&c.session);
	if (c.death == 0 && c.ui.leave == UI_INTERRUPTED)
		c.death = SIGINT;
	if (c.death != 0)
		signals_die(c.death);
	return c.status;
}
