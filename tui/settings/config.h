/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The config file, in INI format. [console] has settings, [keys] the keys of
 * actions, [colours] looks of roles. The program never changes it;
 * config_print() makes one to start from.
 */
#ifndef TUI_SETTINGS_CONFIG_H
#define TUI_SETTINGS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/settings/settings.h"

struct text;

#define CONFIG_MAX_BYTES (1u << 20) /* larger files are refused */

/*
 * Reads the file. Valid lines take effect; others are added to s->problems as
 * "path:line: error: what, and what was expected". False: the file can't be
 * read, err says why.
 */
bool config_load(struct settings *s, const char *path, struct text *err);
/* The same for contents in memory; path is for messages. */
void config_read(
    struct settings *s, const char *path, const char *data, size_t len);

/* Prints a config file with every setting, key and colour commented out. */
void config_print(const struct action_table *actions, struct text *out);
/* Writes that to a file that does not exist yet, and makes its folders. */
bool config_write(
    const char *path, const struct action_table *actions, struct text *err);

/* Print lists for gpuwl-top(1): settings, and names in [colours]. */
void config_print_man_settings(struct text *out);
void config_print_man_roles(struct text *out);

#endif
