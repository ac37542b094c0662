/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console: one loop, one screen, several views. */
#ifndef TUI_CONSOLE_CONSOLE_H
#define TUI_CONSOLE_CONSOLE_H

struct options;
struct plan;
struct replay;
struct settings;

/* Runs the console until the user quits; returns the exit status, with the
 * terminal given back. startup_settings() must have prepared o and settings.
 * replay: the recording of the plan, to be played; NULL: none. */
int console_run(const struct options *o, struct plan *plan,
    struct replay *replay, struct settings *settings);

#endif
