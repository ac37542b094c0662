/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console's events, whether a user or a script drives it: a key, a
 * signal, a frame. While a key is handled or the simulation advances, a watch
 * looks for the key that stops work that takes long.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "base/units.h"
#include "run/hang_dump/hang_dump.h"
#include "run/live/saving.h"
#include "tui/console/loop.h"
#include "tui/console/ui.h"
#include "tui/terminal/signals.h"

bool
console_leaving(const struct console *c)
{
	return c->death != 0 || c->ui.leave != UI_STAY || c->status != 0;
}

/* Returns the time now: of the script, or of the wall. */
static nsec
console_wall(const struct console *c)
{
	return c->scripted ? c->script_wall : clock_wall();
}

nsec
console_delay(const struct console *c)
{
	return c->ui.delay;
}

void
console_draw(struct console *c)
{
	do
		ui_draw(&c->ui);
	while (c->scripted && c->ui.unfinished);
	c->redraw |= c->ui.wants_redraw || c->ui.wants_theme;
	if (c->terminal != NULL && c->ui.wants_theme)
		terminal_set_theme(c->terminal, &c->settings->theme);
	c->ui.wants_redraw = c->ui.wants_theme = false;
	if (c->terminal != NULL) {
		terminal_set_mouse(c->terminal, c->ui.mouse);
		terminal_want_pastes(c->terminal);
		terminal_draw(c->terminal, &c->ui.screen, c->redraw);
	}
	c->redraw = false;
	c->dirty = c->ui.unfinished;
}

/* Says why the simulation has ended, if that needs a word. */
static void
report_end(struct console *c)
{
	const struct sim *sim = c->session.run.sim;
	struct text why = {0};

	switch (session_state(&c->session)) {
	case SESSION_DEADLOCK:
		sim_explain_deadlock(sim, &why);
		ui_say_error(&c->ui, "Deadlock: no client can continue", &why);
		break;
	case SESSION_REFUSED:
		ui_say(
		    &c->ui, ROLE_BAD, "%s", run_gpu_failure(&c->session.run));
		break;
	case SESSION_TIME_OVER:
		sim_explain_time_over(sim, &why);
		ui_say(&c->ui, ROLE_BAD, "%s", text_str(&why));
		break;
	default: break;
	}
	text_free(&why);
}

/* Says which output file has failed, and what of hangs cannot be had. The run
 * continues. */
static void
report_files(struct console *c)
{
	struct text why = {0};

	if (session_outputs_check(&c->session, &why) ||
	    (c->errors != NULL && hang_dump_note(c->errors, &why)))
		ui_say(&c->ui, ROLE_BAD, "%s", text_str(&why));
	text_free(&why);
}

void
console_serve(struct console *c)
{
	struct text said = {0};

	if (session_server_work(&c->session, &said)) {
		ui_say(&c->ui, ROLE_BAD, "%s", text_str(&said));
		c->dirty = true;
	}
	text_free(&said);
}

void
console_work_on_device(struct console *c)
{
	bool news, moved = session_moves(&c->session);

	/* The simulation may be slower than the clock. */
	console_begin_work(c, true);
	news = session_device_work(&c->session);
	console_end_work(c);
	if (moved && !session_moves(&c->session))
		console_tick(c);
	if (!news)
		return;
	programs_say_news(&c->ui);
	c->dirty = true;
}

/* Records that are taken over before keys are looked at. */
#define RECORDS_AT_A_TIME 64

void
console_work_on_decision(struct console *c)
{
	for (int i = 0; i < RECORDS_AT_A_TIME && decision_work(&c->ui); i++)
		c->dirty = true;
}

void
console_tick(struct console *c)
{
	bool moved = session_moves(&c->session);

	c->ui.now = console_wall(c);
	ui_tick(&c->ui);
	files_watch(&c->ui);
	report_files(c);
	console_serve(c);
	c->dirty = true;
	if (!moved)
		report_end(c);
}

static bool
is_mouse(const struct key_press *key)
{
	return key->code == KEY_CLICK || key->code == KEY_WHEEL_UP ||
	    key->code == KEY_WHEEL_DOWN;
}

/* Draws before a key that comes faster than frames. Keys act on the lists and
 * rows drawn last, which an earlier key may have made stale by emptying the text
 * or ending the run. Clicks depend on places too, which any key may change.
 * Typing at a prompt depends on neither. */
static void
draw_if_stale(struct console *c, bool mouse)
{
	if (c->ui.line != NULL || !c->dirty)
		return;
	if (mouse || ui_is_outdated(&c->ui))
		ui_draw(&c->ui);
}

void
console_key(struct console *c, const struct key_press *key)
{
	bool moved = session_moves(&c->session);

	draw_if_stale(c, is_mouse(key));
	c->dirty = true;
	c->ui.now = console_wall(c);
	console_begin_work(c, false);
	if (key->code == KEY_PASTE) {
		ui_paste(&c->ui, key);
	} else if (is_mouse(key)) {
		if (c->ui.line == NULL)
			ui_mouse(&c->ui, key);
	} else if (c->ui.line != NULL)
		ui_line_key(&c->ui, key);
	else
		ui_key(&c->ui, key->code);
	console_end_work(c);
	c->ui.now = console_wall(c); /* the work may have taken long */
	ui_follow_page(&c->ui);
	if (c->ui.wants_editor)
		console_edit_text(c);
	/* The first clients to run begin now, not when the last ones ended. */
	if (!moved && session_moves(&c->session))
		session_continue(&c->session, console_wall(c));
	files_watch(&c->ui);
}

/* Does nothing in scripts, which must behave the same everywhere. */
void
console_keep(struct console *c, bool all)
{
	struct text err = {0};
	bool failed;

	c->keep_at = NSEC_NEVER;
	if (!c->ui.for_a_person)
		return;
	/* Edits are in the present. */
	if (all)
		session_return(&c->session, clock_wall());
	if (session_is_past(&c->session))
		return;
	/* An error of what the user asked for is more important. */
	failed = c->ui.message.len > 0 && c->ui.message_role == ROLE_BAD;
	c->keep_at = saving_keep(
	    c->session.plan, clock_wall(), all, failed ? NULL : &err);
	if (err.len > 0) {
		ui_say(&c->ui, ROLE_WARN, "%s", text_str(&err));
		c->dirty = true;
	}
	text_free(&err);
}

void
console_resize(struct console *c)
{
	int cols, rows;

	if (c->terminal == NULL)
		return;
	terminal_size(c->terminal, &cols, &rows);
	if (cols == c->ui.screen.cols && rows == c->ui.screen.rows)
		return;
	ui_resize(&c->ui, cols, rows);
	/* Keys may come before the next frame, and need the layout. */
	ui_follow_launches(&c->ui);
	arrange(&c->ui);
	c->dirty = true;
}

void
console_give_terminal(struct console *c)
{
	console_keep(c, true);
	session_settle_gpu(&c->session);
	if (c->terminal != NULL)
		terminal_leave(c->terminal);
}

/* Continues from the virtual time at which the console was stopped. */
static void
come_back(struct console *c)
{
	if (!c->scripted)
		session_continue(&c->session, clock_wall());
	session_device_skip(&c->session);
	console_resize(c);
	c->dirty = c->redraw = true;
}

void
console_take_terminal(struct console *c)
{
	if (c->terminal != NULL)
		terminal_enter(c->terminal);
	come_back(c);
}

static void
stop_until_continued(struct console *c)
{
	console_give_terminal(c);
	signals_stop();
	console_take_terminal(c);
}

void
console_signals(struct console *c)
{
	struct signals_seen seen = signals_take();

	if (seen.death != 0)
		c->death = seen.death;
	if (c->death != 0)
		return;
	if (seen.stop) {
		stop_until_continued(c);
	} else if (seen.resume) {
		if (c->terminal != NULL)
			terminal_reclaim(c->terminal);
		come_back(c);
	}
	/* A terminal that was smaller meanwhile has lost what it showed. */
	if (seen.resize) {
		console_resize(c);
		c->dirty = c->redraw = true;
	}
}

void
console_fail(struct console *c, int status, const char *fmt, ...)
{
	struct text why = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&why, fmt, ap);
	va_end(ap);
	terminal_close(c->terminal);
	c->terminal = NULL;
	output_last_words("gpuwl-top: %s\n", text_str(&why));
	text_free(&why);
	c->status = status;
}

/* The watch. Work that takes less time is not interrupted. */
#define QUIET_NS (50 * NSEC_PER_MSEC)
/* Time between looks at the terminal. */
#define LOOK_NS (20 * NSEC_PER_MSEC)
/* After this time the last row says which key stops the work. */
#define SHOW_NS (200 * NSEC_PER_MSEC)
/* After this time the simulation pauses between two instants: keys may be
 * pending. */
#define PAUSE_NS (20 * NSEC_PER_MSEC)

static bool
is_stop(const struct key_press *key)
{
	return key->code == KEY_ESC || key->code == KEY_C_C;
}

/* q works as well while the simulation advances. */
static bool
is_stop_of_run(const struct key_press *key)
{
	return is_stop(key) || key->code == 'q';
}

static void
add_work(const struct console *c, struct text *out)
{
	const struct ui_work *work = &c->ui.work;

	if (c->watch.runs) {
		text_adds(
		    out, "this instant takes long: Esc ends the run here");
		return;
	}
	text_adds(out,
	    work->what.len > 0 ? text_str(&work->what) : "this takes long");
	if (c->watch.percent >= 0)
		text_addf(out, ": %d %%", c->watch.percent);
	text_adds(out, ", Esc stops");
}

/* Draws over the last frame: the views may be in the middle of a change. */
static void
show_stop_key(struct console *c)
{
	struct screen *s = &c->ui.screen;
	struct area a = screen_area(
	    s, (struct rect){0, s->rows - 1, s->cols, 1});
	struct text words = {0};

	add_work(c, &words);
	fill(&a, 0, 0, a.r.w, ROLE_NORMAL);
	put_cut(&a, 0, 0, a.r.w, ROLE_WARN, text_str(&words));
	if (!terminal_is_behind(c->terminal))
		terminal_draw(c->terminal, s, false);
	c->watch.shown = c->dirty = true;
	c->ui.work.is_new = false;
	text_free(&words);
}

/* Shows it once, and again whenever a way has come further. */
static void
show_way(struct console *c)
{
	struct watch *w = &c->watch;
	int percent = w->runs ? -1 : session_way_percent(&c->session);

	if (w->shown && percent == w->percent && !c->ui.work.is_new)
		return;
	w->percent = percent;
	show_stop_key(c);
}

/* Scripts do not depend on keys typed meanwhile. */
static bool
finds_key(struct console *c)
{
	bool may_quit = c->watch.runs && c->ui.line == NULL;

	if (c->terminal == NULL || c->scripted)
		return false;
	return terminal_find_key(
	    c->terminal, may_quit ? is_stop_of_run : is_stop);
}

bool
console_is_stopped(void *console)
{
	struct console *c = console;
	struct watch *w = &c->watch;
	nsec now;

	if (w->began == 0 || w->wanted)
		return w->wanted;
	now = clock_wall();
	if (now - w->began < QUIET_NS || now - w->looked < LOOK_NS)
		return false;
	w->looked = now;
	if (now - w->began >= SHOW_NS && c->terminal != NULL)
		show_way(c);
	w->wanted = signals_death() != 0 || finds_key(c);
	return w->wanted;
}

enum sim_poll
console_wish(void *console)
{
	const struct console *c = console;

	if (console_is_stopped(console))
		return SIM_STOP;
	return c->watch.runs && c->terminal != NULL &&
		clock_wall() - c->watch.began > PAUSE_NS
	    ? SIM_PAUSE
	    : SIM_GO_ON;
}

void
console_begin_work(struct console *c, bool runs)
{
	c->watch = (struct watch){.began = clock_wall(), .runs = runs};
	text_clear(&c->ui.work.what);
	c->ui.work.reverts = false;
}

static void
say_run_stopped(struct console *c)
{
	char at[UNITS_LEN];

	ui_say(&c->ui, ROLE_BAD,
	    "the run was stopped in the middle of an instant at %s (R restarts)",
	    format_time(at, c->session.run.sim->now));
}

void
console_end_work(struct console *c)
{
	const struct ui_work *work = &c->ui.work;
	bool runs = c->watch.runs, wanted = c->watch.wanted;
	bool ended = session_state(&c->session) == SESSION_STOPPED;

	c->watch = (struct watch){0};
	/* Between two instants there is nothing to stop: the key has its usual
	 * meaning. */
	if (!wanted || (runs && !ended))
		return;
	if (c->terminal != NULL)
		terminal_drop_key(c->terminal, is_stop);
	c->dirty = true;
	if (ended)
		say_run_stopped(c);
	else if (work->reverts)
		ui_say(&c->ui, ROLE_WARN, "%s stopped: nothing was changed",
		    text_str(&work->what));
}
