/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays a script of keys (input/script.h). Each key comes when everything before
 * it is done and drawn, and time passes only as the script says, so that a
 * script behaves the same on every machine.
 */
#include <poll.h>
#include <string.h>
#include <time.h>

#include "base/output.h"
#include "base/text.h"
#include "tui/console/loop.h"
#include "tui/input/prompt.h"
#include "tui/terminal/signals.h"

/* Limits of `wait`: ticks, and events of the simulation. */
#define WAIT_TICKS  600
#define WAIT_EVENTS 20000000

/* Programs and a GPU live in real time, in scripts too. */
static void
work_for(struct console *c, nsec duration)
{
	nsec end = clock_wall() + duration;

	for (nsec now = clock_wall(); now < end && !console_leaving(c);
	     now = clock_wall()) {
		struct pollfd fds[PROGRAMS_FDS];
		nsec next;
		unsigned n = session_device_poll(&c->session, fds, &next);
		nsec until = nsec_earlier(next, end);
		struct timespec t = {0};

		if (until > now) {
			t.tv_sec = (time_t)((until - now) / NSEC_PER_SEC);
			t.tv_nsec = (long)((until - now) % NSEC_PER_SEC);
		}
		ppoll(fds, n, &t, NULL);
		console_work_on_device(c);
		console_signals(c);
	}
}

static void
script_tick(struct console *c, nsec passed)
{
	c->script_wall += passed;
	if (session_is_served(&c->session) || session_is_on_gpu(&c->session))
		work_for(c, passed);
	if (session_moves(&c->session)) {
		session_advance(&c->session, c->script_wall, 0);
		console_tick(c);
	}
	console_signals(c);
}

/* Lets time pass frame by frame, as in front of a user. */
static void
script_advance(struct console *c, nsec duration)
{
	while (duration > 0 && !console_leaving(c)) {
		nsec part = console_delay(c) < duration ? console_delay(c)
							: duration;

		script_tick(c, part);
		duration -= part;
	}
}

static bool
screen_shows(struct console *c, const char *what)
{
	struct text dump = {0};
	bool shows;

	console_draw(c);
	screen_dump(&c->ui.screen, screen_rect(&c->ui.screen), &dump);
	shows = strstr(text_str(&dump), what) != NULL;
	text_free(&dump);
	return shows;
}

/* Waits for what a decision finds, record by record. */
static void
wait_for_decision(struct console *c, const char *what)
{
	while (!console_leaving(c) && !screen_shows(c, what)) {
		struct pollfd fds[2] = {
		    {.fd = signals_fd(), .events = POLLIN},
		    {.fd = decision_fd(&c->ui), .events = POLLIN},
		};

		if (fds[1].fd < 0)
			return;
		if (!decision_work(&c->ui))
			poll(fds, 2, -1);
		console_signals(c);
	}
}

static void
script_wait(struct console *c, const char *what)
{
	uint64_t last = c->session.run.sim->n_events + WAIT_EVENTS;

	wait_for_decision(c, what);
	for (int i = 0; i < WAIT_TICKS && !console_leaving(c); i++) {
		if (screen_shows(c, what))
			return;
		if (!session_moves(&c->session) ||
		    c->session.run.sim->n_events > last)
			break;
		script_tick(c, console_delay(c));
	}
	if (!console_leaving(c) && !screen_shows(c, what))
		console_fail(c, EXIT_STATUS_FAILED,
		    "%s:%zu: the screen never showed \"%s\"", c->script.path,
		    c->script.line_no, what);
}

static void
script_dump(struct console *c, const char *arg)
{
	struct text path = {0}, err = {0};

	if (!ui_dump(&c->ui, arg, &path, &err))
		console_fail(c, EXIT_STATUS_FAILED, "%s:%zu: %s",
		    c->script.path, c->script.line_no, text_str(&err));
	text_free(&path);
	text_free(&err);
}

static void
script_type(struct console *c, const char *line)
{
	struct key_press key = script_key(':');

	console_key(c, &key);
	for (; *line != 0 && prompt_is_open(); line++) {
		key = (struct key_press){.code = KEY_UNKNOWN, .len = 1};
		key.bytes[0] = *line;
		console_key(c, &key);
	}
	key = script_key(KEY_ENTER_CODE);
	if (prompt_is_open())
		console_key(c, &key);
}

static void
play(struct console *c, const struct script_item *item)
{
	switch (item->kind) {
	case SCRIPT_KEY: console_key(c, &item->key); break;
	case SCRIPT_COMMAND: script_type(c, text_str(&item->text)); break;
	case SCRIPT_ADVANCE: script_advance(c, item->duration); break;
	case SCRIPT_WAIT: script_wait(c, text_str(&item->text)); break;
	case SCRIPT_DUMP: script_dump(c, text_str(&item->text)); break;
	case SCRIPT_SIZE:
		if (c->terminal == NULL)
			ui_resize(&c->ui, item->cols, item->rows);
		break;
	case SCRIPT_ERROR:
		console_fail(c, EXIT_STATUS_INPUT, "%s", text_str(&item->text));
		break;
	case SCRIPT_END: break;
	}
}

void
play_script(struct console *c)
{
	struct script_item item = {0};

	console_draw(c);
	do {
		script_next(&c->script, &item);
		play(c, &item);
		if (!console_leaving(c))
			console_draw(c);
		console_signals(c);
	} while (item.kind != SCRIPT_END && !console_leaving(c));
	text_free(&item.text);
	c->scripted = false;
}
