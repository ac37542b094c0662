/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings and the command line, brought together when the console starts. */
#ifndef TUI_SETTINGS_STARTUP_H
#define TUI_SETTINGS_STARTUP_H

#include <stdbool.h>

#include "tui/settings/settings.h"

struct options;
struct text;

/*
 * Reads the config file that the options want. What the command line says goes
 * before it, and what only the file says becomes an option; strings of o are
 * then those of s. s is to be freed in any case. False: --config names a file
 * that can't be read. A file that nobody named is only complained of, in
 * s->problems.
 */
bool startup_settings(struct settings *s, struct options *o, struct text *err);

#endif
