/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop for a user at a terminal: waits for keys, signals and the next frame,
 * and lets the simulation follow the clock in slices that are short enough for
 * keys to be answered at once.
 */
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "tui/console/loop.h"
#include "tui/console/ui.h"
#include "tui/input/prompt.h"
#include "tui/terminal/signals.h"

/* Longest slice of simulation between looks at the keys. */
#define SLICE_NS (8 * NSEC_PER_MSEC)
/* Pause between slices while the simulation lags, so as not to fill a CPU. */
#define REST_MS 2
/* If the simulation of one frame takes longer than HEAVY_NS, it is done in parts,
 * SPREAD_NS apart. */
#define HEAVY_NS  (10 * NSEC_PER_MSEC)
#define SPREAD_NS (30 * NSEC_PER_MSEC)
/* Longest that a due frame waits for the simulation to catch up. */
#define LATE_NS (100 * NSEC_PER_MSEC)
/* Longest time from the start to the first frame with figures. */
#define FIRST_FRAME_NS (100 * NSEC_PER_MSEC)

/* Reads a key. At a prompt, Esc and a key that follows at once are one key press:
 * Meta and that key. */
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

/* Longest time that keys are read before a frame is drawn and time passes, even
 * in a flood of keys or an endless paste. */
#define READ_NS (50 * NSEC_PER_MSEC)

static void
advance_to(struct console *c, nsec wall)
{
	console_begin_work(c, true);
	session_advance(&c->session, wall, SLICE_NS);
	console_end_work(c);
}

/* Handles the pending keys. First virtual time catches up, unless it lags anyway,
 * so that a pause stops where the user saw it. */
static void
read_keys(struct console *c)
{
	struct key_press key, next;
	enum terminal_read got = read_key(c, &key), then;
	nsec began = clock_wall();

	c->keys_left = false;
	if (got == READ_KEY && !c->session.behind)
		advance_to(c, clock_wall());
	for (; got == READ_KEY; got = then, key = next) {
		bool asked = c->ui.question.answers != NULL;

		/* A size that came before a key counts for it, also where
		 * other keys came before. */
		console_signals(c);
		if (console_leaving(c))
			return;
		/* Only a key that comes alone is an answer. */
		then = asked ? read_key(c, &next) : READ_NONE;
		c->ui.more_keys = then == READ_KEY;
		console_key(c, &key);
		if (c->ui.leave != UI_STAY)
			return;
		if (asked)
			continue;
		c->keys_left = clock_wall() - began > READ_NS;
		if (c->keys_left)
			return;
		then = read_key(c, &next);
	}
	if (got == READ_END)
		c->death = SIGHUP; /* the terminal is gone */
}

/* Returns when the simulation advances next: at the next frame, or earlier if a
 * frame would be too much work at once. */
static nsec
next_slice(const struct console *c)
{
	if (c->load * (double)c->ui.delay > (double)HEAVY_NS &&
	    c->advanced_at + SPREAD_NS < c->next_frame)
		return c->advanced_at + SPREAD_NS;
	return c->next_frame;
}

static void
advance_now(struct console *c)
{
	nsec before = clock_wall(), covered = before - c->advanced_at;
	nsec after;

	advance_to(c, before);
	after = clock_wall();
	if (c->session.behind) /* how much is left is unknown */
		c->load = 1;
	else if (covered > 0)
		c->load = (double)(after - before) / (double)covered;
	c->advanced_at = before;
}

/* True if the due frame may wait for the simulation to catch up. At full speed
 * it never does. */
static bool
frame_may_wait(const struct console *c, nsec now)
{
	nsec late = console_delay(c) / 4;

	if (late > LATE_NS)
		late = LATE_NS;
	return c->session.behind && c->session.clock.speed != 0 &&
	    now < c->next_frame + late;
}

/* Advances the simulation to now and, if a frame is due, the figures. */
static void
follow_time(struct console *c)
{
	nsec now = clock_wall();

	if (!session_moves(&c->session)) {
		c->advanced_at = now;
		return;
	}
	if (c->session.behind || now >= next_slice(c))
		advance_now(c);
	now = clock_wall();
	if (session_moves(&c->session) &&
	    (now < c->next_frame || frame_may_wait(c, now)))
		return;
	console_tick(c);
	c->next_frame += console_delay(c);
	if (c->next_frame <= now)
		c->next_frame = now + console_delay(c);
}

/* Returns when the simulation or a frame is due; NSEC_NEVER. */
static nsec
next_move(const struct console *c, nsec now)
{
	if (!session_moves(&c->session))
		return NSEC_NEVER;
	if (c->session.behind)
		return now + REST_MS * NSEC_PER_MSEC;
	return next_slice(c);
}

/* Returns how long to wait for events, at most an hour; NSEC_NEVER: until one
 * comes. device: when the device of programs has work, NSEC_NEVER: not known. */
static nsec
time_to_wait(const struct console *c, nsec device)
{
	nsec now = clock_wall();
	nsec then = nsec_earlier(next_move(c, now), device);

	if (c->keys_left || terminal_has_keys(c->terminal) ||
	    (c->dirty && !terminal_is_behind(c->terminal)))
		return 0; /* the frame is not finished */
	if (c->keep_at < then)
		then = c->keep_at;
	if (then == NSEC_NEVER)
		return NSEC_NEVER;
	return then <= now ? 0 : nsec_earlier(then - now, 3600 * NSEC_PER_SEC);
}

static int
poll_for(struct pollfd *fds, unsigned n, nsec wait)
{
	struct timespec t = {.tv_sec = (time_t)(wait / NSEC_PER_SEC),
	    .tv_nsec = (long)(wait % NSEC_PER_SEC)};

	return ppoll(fds, n, wait == NSEC_NEVER ? NULL : &t, NULL);
}

static void
wait_for_something(struct console *c)
{
	bool behind = terminal_is_behind(c->terminal);
	struct pollfd fds[4 + PROGRAMS_FDS] = {
	    {.fd = signals_fd(), .events = POLLIN},
	    {.fd = terminal_fd(c->terminal),
		.events = (short)(POLLIN | (behind ? POLLOUT : 0))},
	    {.fd = -1},
	    {.fd = decision_fd(&c->ui), .events = POLLIN},
	};
	nsec device;
	unsigned n = 4 + session_device_poll(&c->session, fds + 4, &device);

	fds[2].fd = session_server_poll(&c->session, &fds[2].events);
	if (poll_for(fds, n, time_to_wait(c, device)) < 0)
		return; /* EINTR: the signal is in the pipe */
	if (n > 4)
		console_work_on_device(c);
	if (fds[3].revents != 0)
		console_work_on_decision(c);
	if (fds[2].revents != 0)
		console_serve(c);
	if (fds[1].revents & POLLOUT)
		terminal_flush(c->terminal);
	if (c->keys_left || terminal_has_keys(c->terminal) ||
	    fds[1].revents & (POLLIN | POLLHUP | POLLERR))
		read_keys(c);
	if (fds[1].revents & (POLLHUP | POLLERR | POLLNVAL))
		c->death = SIGHUP;
}

void
interact(struct console *c)
{
	c->advanced_at = clock_wall();
	c->next_frame = c->advanced_at +
	    (console_delay(c) < FIRST_FRAME_NS ? console_delay(c)
					       : FIRST_FRAME_NS);
	session_continue(&c->session, c->advanced_at);
	c->dirty = true;
	c->ui.now = c->advanced_at;
	recovery_offer_from(&c->ui, 0);
	while (!console_leaving(c)) {
		/* Not while the terminal is still taking the last frame. */
		if (c->dirty && !terminal_is_behind(c->terminal))
			console_draw(c);
		wait_for_something(c);
		console_signals(c);
		if (console_leaving(c))
			return;
		follow_time(c);
		console_keep(c, false);
	}
}
