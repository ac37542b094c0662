/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Esc or Ctrl-C stops what takes long: a look at the terminal now and then,
 * and a word about it on the last line. */
#include "base/units.h"
#include "tui/console/loop.h"
#include "tui/terminal/signals.h"

/* Work shorter than this is not worth a look at the terminal, */
#define QUIET_NS (50 * NSEC_PER_MSEC)
/* and looks come at this distance. */
#define LOOK_NS (20 * NSEC_PER_MSEC)
/* Then the screen says which key stops it. */
#define SHOW_NS (200 * NSEC_PER_MSEC)
/* The simulation pauses between two instants: a key may wait. */
#define PAUSE_NS (20 * NSEC_PER_MSEC)

static bool
is_stop(const struct key_press *key)
{
	return key->code == KEY_ESC || key->code == KEY_C_C;
}

/* A run that takes long keeps nobody from leaving. */
static bool
is_stop_of_run(const struct key_press *key)
{
	return is_stop(key) || key->code == 'q';
}

static void
add_words(const struct console *c, struct text *out)
{
	const struct ui_work *work = &c->ui.work;

	if (c->watch.runs)
		text_adds(
		    out, "much happens at one instant: Esc ends the run there");
	else if (work->what.len > 0)
		text_addf(out, "%s, Esc stops", text_str(&work->what));
	else
		text_adds(out, "this takes long, Esc stops");
}

/* Over the last frame: what views would show is in the making. */
static void
show(struct console *c)
{
	struct screen *s = &c->ui.screen;
	struct area a = screen_area(
	    s, (struct rect){0, s->rows - 1, s->cols, 1});
	struct text words = {0};

	add_words(c, &words);
	fill(&a, 0, 0, a.r.w, ROLE_NORMAL);
	put_cut(&a, 0, 0, a.r.w, ROLE_WARN, text_str(&words));
	if (!terminal_is_behind(c->terminal))
		terminal_draw(c->terminal, s, false);
	c->watch.shown = c->dirty = true;
	text_free(&words);
}

/* A script means the same whatever is typed meanwhile. */
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
	if (now - w->began >= SHOW_NS && !w->shown && c->terminal != NULL)
		show(c);
	w->wanted = signals_death() != 0 || finds_key(c);
	return w->wanted;
}

enum sim_wish
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
	    "the run was stopped within the instant at %s: R begins it anew",
	    format_time(at, c->session.run.sim->now));
}

void
console_end_work(struct console *c)
{
	const struct ui_work *work = &c->ui.work;
	bool runs = c->watch.runs, wanted = c->watch.wanted;
	bool ended = session_state(&c->session) == SESSION_STOPPED;

	c->watch = (struct watch){0};
	/* Between two instants there is nothing to be stopped: then the key
	 * means what it always does. */
	if (!wanted || (runs && !ended))
		return;
	if (c->terminal != NULL)
		terminal_drop_key(c->terminal, is_stop);
	c->dirty = true;
	if (ended)
		say_run_stopped(c);
	else if (work->reverts)
		ui_say(&c->ui, ROLE_WARN, "%s stopped: as it was before",
		    text_str(&work->what));
}
