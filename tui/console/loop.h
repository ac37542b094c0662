/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console's loop: its state, and what keys, signals and frames do to it,
 * whether they come from a user (interact.c) or from a script (play.c).
 */
#ifndef TUI_CONSOLE_LOOP_H
#define TUI_CONSOLE_LOOP_H

#include <stdbool.h>

#include "base/output.h"
#include "base/stop.h"
#include "run/live/session.h"
#include "tui/console/ui.h"
#include "tui/input/script.h"
#include "tui/terminal/terminal.h"

struct options;
struct replay;

/* Watches work that may take long, so that a key can stop it. */
struct watch {
	nsec began;  /* wall time; 0: no work */
	nsec looked; /* for a key, last */
	bool runs;  /* the simulation advances: it can pause between instants */
	bool shown; /* the screen says which key stops it */
	int percent; /* that the screen shows; -1: none */
	bool wanted; /* the user wants to stop it */
};

/* Files of options that are written: those of outputs, then --record's. */
#define N_CONSOLE_FILES (N_OUTPUT_FILES + 1)

struct console {
	const struct options *options;
	struct settings *settings;
	struct run_recorder *recorder; /* --record; NULL: none */
	struct replay *replay;         /* --replay; NULL: none */
	struct hang_dump *errors;      /* --error-state; NULL: none */
	/* Opened, and not in use yet; -1: none. */
	int files[N_CONSOLE_FILES];
	struct outputs server; /* the same, --layer-connect's */
	struct session session;
	struct ui ui;
	struct terminal *terminal; /* NULL: none, for a script */
	struct script script;
	bool scripted;    /* the script is being played */
	nsec script_wall; /* its clock, instead of the wall's */
	struct watch watch;
	struct stop stop; /* asks the watch */
	nsec next_frame;
	nsec advanced_at; /* wall time of the last slice */
	nsec keep_at;     /* when recovery files are due; NSEC_NEVER */
	double load;      /* share of a CPU that the simulation takes, 0 to 1 */
	bool dirty;       /* a frame is due */
	bool redraw;      /* all of the screen */
	bool keys_left;   /* some were not read, to draw a frame first */
	int death;        /* the signal to die of; 0: none */
	int status;
};

/* interact.c: a user at a terminal. */
void interact(struct console *c);

/* play.c: a script. */
void play_script(struct console *c);

/* events.c */

/* Returns the time between frames. */
nsec console_delay(const struct console *c);
/* True if the loop has to end. */
bool console_leaving(const struct console *c);
/* Draws a frame. */
void console_draw(struct console *c);
/* Brings views and figures to now: a tick of the screen. */
void console_tick(struct console *c);
/* Exchanges data with --layer-connect's server. */
void console_serve(struct console *c);
/* Lets the device work, if it is not the model: that of programs, or a GPU. */
void console_work_on_device(struct console *c);
/* Takes over what a decision has found. */
void console_work_on_decision(struct console *c);
/* Handles a key, a click or a paste. */
void console_key(struct console *c, const struct key_press *key);
/* Handles the signals that have arrived. */
void console_signals(struct console *c);
/* Takes over the terminal's size. */
void console_resize(struct console *c);
/* Writes the recovery files that are due, or all. */
void console_keep(struct console *c, bool all);
/* Lends the terminal to another program, and takes it back. Virtual time does
 * not advance meanwhile. */
void console_give_terminal(struct console *c);
void console_take_terminal(struct console *c);

/* Begins and ends the watch over work. runs: the simulation advances. */
void console_begin_work(struct console *c, bool runs);
void console_end_work(struct console *c);
/* True if the user has pressed a key that stops the work. */
bool console_is_stopped(void *console);
/* The same for the simulation, which may also pause for other keys. */
enum sim_poll console_wish(void *console);

/* Prints why on standard error, with the terminal given back, and ends the
 * console with this status. */
void console_fail(struct console *c, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* files.c */

/* Opens what the options name for writing, connects to the server, then empties
 * the files. False: the console ends. */
bool console_open_files(struct console *c, const struct plan *plan);
/* Gives them to the session, which has begun. */
bool console_begin_outputs(struct console *c);
/* Waits until the server has all frames, and disconnects. Before
 * session_end(). */
void console_leave_server(struct console *c);
/* Closes the rest, after session_end(), and reports what was not written. */
void console_close_files(struct console *c);

/* editor.c: edits the shown descriptor in the user's editor. */
void console_edit_text(struct console *c);

#endif
