/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roles: what a cell means, and how each looks with 256, 16, 8 or no colours.
 * Views only name roles. The terminal's own background shines through, and
 * no foreground is one that vanishes on white or on black.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdint.h>

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
	ROLE_KEY,     /* in the footer */
	ROLE_KEY_LABEL,
	ROLE_PROMPT,
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

/* n_colours: what the terminal has; below 8: none. */
struct look theme_look(enum role role, int n_colours);

#endif
