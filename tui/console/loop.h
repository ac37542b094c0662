/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the console's files share: its state, and what a person's keys and a
 * script's do alike.
 */
#ifndef TUI_CONSOLE_LOOP_H
#define TUI_CONSOLE_LOOP_H

#include <stdbool.h>

#include "base/stop.h"
#include "run/live/session.h"
#include "tui/console/ui.h"
#include "tui/input/script.h"
#include "tui/terminal/terminal.h"

struct options;

/* Over what takes long. */
struct watch {
	nsec began, looked;
	bool runs;   /* the simulation goes on: it may pause between instants */
	bool shown;  /* which key stops it */
	bool wanted; /* to stop */
};

struct console {
	const struct options *options;
	struct settings *settings;
	struct run_recorder *recorder; /* --record; NULL */
	struct hang_dump *errors;      /* --error-state; NULL */
	struct session session;
	struct ui ui;
	struct terminal *terminal; /* NULL: a script without one */
	struct script script;
	bool scripted;    /* the script is not over */
	nsec script_wall; /* its clock */
	struct watch watch;
	struct stop stop; /* that asks it */
	nsec next_frame;
	nsec advanced_at; /* wall time of the last slice */
	nsec keep_at;     /* recovery files are due; NSEC_NEVER */
	double load;      /* of the CPU by the simulation: 1 is all */
	bool dirty;       /* the screen does not show what is */
	bool redraw;      /* all of it */
	bool keys_left;   /* reading them was broken off */
	int death;        /* the signal to die of */
	int status;
};

/* interact.c: a person at a terminal. */
void interact(struct console *c);

/* play.c: a script. */
void play_script(struct console *c);

/* events.c: what happens to both. */
nsec console_wall(const struct console *c);  /* the clock that counts */
nsec console_delay(const struct console *c); /* between frames */
bool console_leaving(const struct console *c);
void console_draw(struct console *c);
void console_tick(struct console *c);
void console_serve(struct console *c); /* --layer-connect's server */
void console_key(struct console *c, const struct key_press *key);
void console_signals(struct console *c);
void console_resize(struct console *c); /* to what the terminal is now */
/* Writes the recovery files that are due, or all. */
void console_keep(struct console *c, bool all);
/* The terminal is another program's; what passes until it is ours again is no
 * time. */
void console_give_terminal(struct console *c);
void console_take_terminal(struct console *c);
/* stopping.c: a key stops what takes long. Between begin and end, stop and wish
 * look for one; runs: the simulation goes on by itself. */
bool console_is_stopped(void *console);
enum sim_poll console_wish(void *console);
void console_begin_work(struct console *c, bool runs);
void console_end_work(struct console *c);
/* editor.c: the descriptor that is shown, in the person's editor. */
void console_edit_text(struct console *c);
/* Ends the console with an exit status (base/output.h), after a message on
 * standard error. */
void console_fail(struct console *c, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
