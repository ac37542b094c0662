/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console: one loop, one screen, many views. Returns the exit status with
 * the terminal given back.
 */
#ifndef TUI_CONSOLE_CONSOLE_H
#define TUI_CONSOLE_CONSOLE_H

struct options;
struct plan;
struct settings;

/* o has been brought together with the settings (settings/startup.h). */
int console_run(
    const struct options *o, struct plan *plan, struct settings *settings);

#endif
