/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings: what the user has chosen, and where: values of settings, the theme
 * with the user's colours, and keys. One table, console/settings_table.c, has a
 * row for each setting: the values that it takes and what it does.
 */
#ifndef TUI_SETTINGS_SETTINGS_H
#define TUI_SETTINGS_SETTINGS_H

#include <stdbool.h>

#include "base/nsec.h"
#include "base/text.h"
#include "tui/input/keys.h"
#include "tui/screen/layout.h"
#include "tui/screen/theme.h"

enum setting {
	SET_THEME,
	SET_ASCII,
	SET_VIEWS,
	SET_SORT,
	SET_TREE,
	SET_COLLAPSE,
	SET_HIDE_IDLE,
	SET_DELAY,
	SET_SPEED,
	SET_SCHEDULER,
	SET_PROFILE,
	SET_HISTORY,
	SET_MOUSE,
	N_SETTINGS,
};

struct ui;

/* A setting. Its functions are in console/settings_table.c, as is the table. */
struct setting_info {
	const char *name, *syntax;
	bool is_bool;         /* takes yes and no, also as on and off */
	const char *fallback; /* the default */
	const char *option;   /* the long option for it; NULL: none */
	const char *help;
	/* Returns false if value is invalid; err says what is expected. */
	bool (*check)(const char *value, struct text *err);
	/* Returns the i-th value to offer, valid until the next call. NULL:
	 * there are no more. May be NULL. */
	const char *(*value)(unsigned i);
	/* Returns what a value means, valid until the next call. NULL: its name
	 * says it; as function: all names do. */
	const char *(*meaning)(
	    const struct setting_info *info, const char *value);
	const char *yes, *no; /* meanings of a bool's values */
	/* Applies a valid value in the console. False: err says why not. */
	bool (*apply)(struct ui *ui, const char *value, struct text *err);
	/* Appends the value in force where keys can change it. NULL: they
	 * can't. */
	void (*show)(const struct ui *ui, struct text *out);
	bool at_start; /* applied at the start; else options did it */
};

extern const struct setting_info setting_infos[N_SETTINGS];

enum origin_kind { FROM_DEFAULT, FROM_FILE, FROM_OPTION, FROM_TYPED };

struct origin {
	enum origin_kind kind;
	unsigned line; /* FROM_FILE: its line */
};

struct settings {
	char *values[N_SETTINGS]; /* NULL: the default */
	struct origin origins[N_SETTINGS];
	/* as the console showed the value when it was set */
	char *shown[N_SETTINGS];
	struct theme theme; /* theme.base follows SET_THEME */
	struct origin look_origins[N_ROLES];
	struct keymap keymap;
	struct origin *key_origins; /* of each row of keymap.table */
	char *path;                 /* the config file; NULL: none was read */
	struct text problems;       /* what is wrong in it, a line each */
	unsigned n_problems;
};

/* Sets every value to its default; the caller frees the settings. actions, whose
 * keys [keys] can change, must outlive them. */
void settings_init(struct settings *s, const struct action_table *actions);
void settings_free(struct settings *s);

/* Returns the setting with this name, or the only one whose name begins with
 * it, or N_SETTINGS. */
enum setting setting_find(const char *name);

/* Returns the value in force at the start, or set since. */
const char *settings_value(const struct settings *s, enum setting which);
/* Checks and sets a value. False: nothing has changed, and err says what is
 * expected. */
bool settings_set(struct settings *s, enum setting which, const char *value,
    struct origin origin, struct text *err);

/* True for a value that means yes; the value has been checked. */
bool setting_is_yes(const char *value);

/* Sets the user's look of a role, as [colours] does. */
bool settings_set_look(struct settings *s, const char *role, const char *look,
    struct origin origin, struct text *err);

/* How the command line and the config file are combined at the start. */

struct options;
struct text;

/*
 * Reads the config file that the options ask for. Options have priority; what
 * only the file sets is set in o too, whose strings are then owned by s. The
 * caller frees s in any case. False: --config names a file that can't be read.
 * Errors in the file at its usual place are only added to s->problems.
 */
bool startup_settings(struct settings *s, struct options *o,
    const struct action_table *actions, struct text *err);

#endif
