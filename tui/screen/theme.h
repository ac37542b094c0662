/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roles: what a cell means. A theme gives each role a look with 256, 16, 8 or
 * no colours; views name roles only. The background is the terminal's.
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
	ROLE_SORTED, /* title of the column that a table is sorted by */
	ROLE_SELECTED,
	ROLE_SELECTED_FOCUS,
	ROLE_GOOD,
	ROLE_WARN,
	ROLE_BAD,
	ROLE_RUNNING,   /* the uses of an engine: a batch runs, */
	ROLE_SWITCHING, /* it switches context or slices, */
	ROLE_POLLING,   /* its request polls a semaphore, */
	ROLE_BLOCKED,   /* it is free, and requests for it are not ready */
	ROLE_BRACKET,   /* of meters */
	ROLE_HISTORY,
	ROLE_COMMENT,
	ROLE_ANNOTATION,
	ROLE_RELATED, /* related to the selection in another view */
	ROLE_TAGGED,
	ROLE_MATCH, /* text that a search found */
	ROLE_KEY,   /* in the footer */
	ROLE_KEY_LABEL,
	ROLE_PROMPT,
	ROLE_CONTEXT_0, /* the colours of contexts: theme_context_role() */
	ROLE_CONTEXT_1,
	ROLE_CONTEXT_2,
	ROLE_CONTEXT_3,
	ROLE_CONTEXT_4,
	ROLE_CONTEXT_5,
	ROLE_CONTEXT_6,
	ROLE_CONTEXT_7,
	ROLE_CONTEXT_8,
	ROLE_CONTEXT_9,
	ROLE_CONTEXT_10,
	ROLE_CONTEXT_11,
	N_ROLES,
	/* two uses of an engine in one cell: theme_stack_role() */
	N_CELL_ROLES = N_ROLES + 16,
};

/* Attributes, independent of curses. */
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

/* The theme in use: one of the table, and the user's own looks. */
struct theme {
	unsigned base; /* index of the theme: theme_find() */
	bool own[N_ROLES];
	struct look looks[N_ROLES]; /* of roles that are own */
};

/* Returns the look of a role with n_colours colours. Below 8 it has attributes
 * only, whatever the theme. */
struct look theme_look(const struct theme *t, enum role role, int n_colours);

/* Returns the role of a block whose lower part is of one use of an engine
 * (ROLE_RUNNING to ROLE_BLOCKED), and whose rest is of another one. Without colours
 * it looks like the lower one. */
enum role theme_stack_role(enum role lower, enum role upper);

/* How a cell uses the look of its role. A filled cell is never reversed, as it
 * would look empty; text on a block is, so that its ground is the block. */
enum cell_style { CELL_TEXT, CELL_BLOCK, CELL_ON_BLOCK, N_CELL_STYLES };

struct look look_styled(struct look look, enum cell_style style);

#define N_CONTEXT_COLOURS 12

/* Returns the role of a colour that contexts are given
 * (tui/views/context_colours.h): of their blocks, and of their names wherever they
 * have a swatch. More contexts share roles, and without colours some roles look
 * alike: mark contexts in another way too. */
enum role theme_context_role(unsigned colour);

/* Return name and description of the i-th theme; NULL after the last. */
const char *theme_name(unsigned i);
const char *theme_help(unsigned i);
/* Sets *number to the index of a theme. False: no theme has the name. */
bool theme_find(const char *name, unsigned *number);

const char *role_name(enum role role);
/* Returns the role with this name, or N_ROLES. */
enum role role_find(const char *name);

/* Parses "fg [bg] [attributes]"; colours are names or numbers. False: err says
 * what is expected. */
bool look_parse(const char *s, struct look *look, struct text *err);
/* Prints a look as look_parse() takes it. */
void look_print(const struct look *look, struct text *out);

#endif
