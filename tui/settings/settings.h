/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the person has chosen, and where they said so: one table of settings,
 * the theme with their own colours, and their keys. What a setting does when
 * it changes is the console's matter (console/apply.c).
 */
#ifndef TUI_SETTINGS_SETTINGS_H
#define TUI_SETTINGS_SETTINGS_H

#include <stdbool.h>

#include "base/nsec.h"
#include "base/text.h"
#include "tui/input/keymap.h"
#include "tui/screen/layout.h"
#include "tui/screen/theme.h"

enum setting {
	SET_THEME,
	SET_ASCII,
	SET_VIEWS,
	SET_SORT,
	SET_TREE,
	SET_HIDE_IDLE,
	SET_DELAY,
	SET_SPEED,
	SET_SCHEDULER,
	SET_PROFILE,
	SET_HISTORY,
	SET_MOUSE,
	N_SETTINGS,
};

struct setting_info {
	const char *name, *syntax;
	const char *fallback; /* its value if nobody says anything */
	const char *option;   /* the long option that says the same; NULL */
	const char *help;
	/* False: err says what would be right. */
	bool (*check)(const char *value, struct text *err);
	/* The i-th value worth offering, good until the next call; NULL after
	 * the last, or where there are none. */
	const char *(*value)(unsigned i);
};

extern const struct setting_info setting_infos[N_SETTINGS];

enum origin_kind { FROM_DEFAULT, FROM_FILE, FROM_OPTION, FROM_TYPED };

struct origin {
	enum origin_kind kind;
	unsigned line; /* FROM_FILE */
};

struct settings {
	char *values[N_SETTINGS]; /* NULL: the fallback */
	struct origin origins[N_SETTINGS];
	char *shown[N_SETTINGS]; /* as the console showed it when it was set */
	struct theme theme;      /* its base follows SET_THEME */
	struct origin look_origins[N_ROLES];
	struct keymap keymap;
	struct origin *key_origins; /* of each row of key_rows */
	char *path;                 /* the file that was read; NULL: none */
	struct text problems;       /* what is wrong in it, a line each */
	unsigned n_problems;
};

void settings_init(struct settings *s);
void settings_free(struct settings *s);

/* N_SETTINGS: there is none of that name, exact or shortened. */
enum setting setting_find(const char *name);

const char *settings_value(const struct settings *s, enum setting which);
/* Checks and keeps a value. False: err says what would be right. */
bool settings_set(struct settings *s, enum setting which, const char *value,
    struct origin origin, struct text *err);

/* Of a value that says yes or no. */
bool setting_is_yes(const char *value);
/* Of a value of SET_VIEWS: PANE() of each, and which is named first; none with
 * "default". */
bool settings_parse_views(const char *value, unsigned *shown, enum part *first);

/* A role's own look, as in [colours]. */
bool settings_set_look(struct settings *s, const char *role, const char *look,
    struct origin origin, struct text *err);

/* Settings and the command line, brought together when the console starts. */

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
