/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roles: what a cell means, and how each looks with 256, 16, 8 or no colours
 * in each theme. Views only name roles. The terminal's own background shines
 * through.
 */
#ifndef TUI_SCREEN_THEME_H
#define TUI_SCREEN_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

enum role {
	ROLE_NORMAL,
	ROLE_DIM,
	ROLE_STRONG,
	ROLE_LABEL, /* names of figures */
	ROLE_TITLE, /* of a pane */
	ROLE_TITLE_FOCUS,
	ROLE_SORTED, /* the column that is sorted by, in a title */
	ROLE_SELECTED,
	ROLE_SELECTED_FOCUS,
	ROLE_GOOD,
	ROLE_WARN,
	ROLE_BAD,
	ROLE_BUSY,
	ROLE_WAITING,
	ROLE_BRACKET, /* of meters */
	ROLE_HISTORY,
	ROLE_COMMENT,
	ROLE_ANNOTATION,
	ROLE_RELATED, /* belongs to what is selected elsewhere */
	ROLE_TAGGED,
	ROLE_MATCH, /* what was looked for */
	ROLE_KEY,   /* in the footer */
	ROLE_KEY_LABEL,
	ROLE_PROMPT,
	ROLE_CONTEXT_0, /* contexts in turn: theme_context_role() */
	ROLE_CONTEXT_1,
	ROLE_CONTEXT_2,
	ROLE_CONTEXT_3,
	ROLE_CONTEXT_4,
	ROLE_CONTEXT_5,
	ROLE_CONTEXT_6,
	ROLE_CONTEXT_7,
	N_ROLES,
};

/* Attributes, apart from curses so that views do without it. */
enum {
	LOOK_BOLD = 1,
	LOOK_DIM = 2,
	LOOK_UNDERLINE = 4,
	LOOK_REVERSE = 8,
};

struct look {
	int16_t fg, bg; /* -1: the terminal's own */
	uint8_t attrs;
};

/* A theme as the person has it: one of the table, and roles of their own. */
struct theme {
	unsigned base; /* its number: theme_find() */
	bool own[N_ROLES];
	struct look looks[N_ROLES]; /* of those that are own */
};

/* n_colours: what the terminal has; below 8: none, and the look is one of
 * attributes only, whatever the theme. */
struct look theme_look(const struct theme *t, enum role role, int n_colours);

/* One of eight colours for the i-th context. There are more contexts than
 * colours, and not every terminal has any: have another sign too. */
enum role theme_context_role(size_t i);

/* The i-th theme; NULL after the last. */
const char *theme_name(unsigned i);
const char *theme_help(unsigned i);
bool theme_find(const char *name, unsigned *number);

const char *role_name(enum role role);
/* N_ROLES: there is none of that name. */
enum role role_find(const char *name);

/* "fg [bg] [attributes]", colours by name or number. False: err says what
 * would be right. */
bool look_parse(const char *s, struct look *look, struct text *err);
/* As look_parse() takes it. */
void look_print(const struct look *look, struct text *out);

#endif
