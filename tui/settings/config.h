/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The config file: INI, written by hand. [console] has settings, [keys] an
 * action's keys, [colours] how a thing looks. Nothing here ever writes it;
 * config_print() makes one for the person to keep.
 */
#ifndef TUI_SETTINGS_CONFIG_H
#define TUI_SETTINGS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/settings/settings.h"

struct text;

#define CONFIG_MAX_BYTES (1u << 20) /* refused above, with a text */

/*
 * Reads a file: what is right in it counts, what is wrong goes to s->problems,
 * as "path:line: error: what, and what would be right". False: it could not be
 * read, and err says why.
 */
bool config_load(struct settings *s, const char *path, struct text *err);
/* The same with the contents at hand; path is for the problems. */
void config_read(
    struct settings *s, const char *path, const char *data, size_t len);

/* A config file with all that can be said, as it is by default, in comments. */
void config_print(struct text *out);
/* The same to a file that is not there yet, in folders made for it. */
bool config_write(const char *path, struct text *err);

/* For gpuwl-top(1): the settings, and the names in [colours]. */
void config_print_man_settings(struct text *out);
void config_print_man_roles(struct text *out);

#endif
