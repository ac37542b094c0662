/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What terminal.c (the terminal, from opening it to giving it back) and
 * terminal_draw.c (what is written to it) share. */
#ifndef TUI_TERMINAL_TERMINAL_PRIVATE_H
#define TUI_TERMINAL_TERMINAL_PRIVATE_H

#include <ncurses.h>
#include <stdbool.h>
#include <stdio.h>
#include <termios.h>

#include "base/nsec.h"
#include "base/text.h"
#include "tui/screen/theme.h"
#include "tui/terminal/sequences.h"
#include "tui/terminal/terminal.h"

/* Keys that were read before they were asked for, first to last. */
struct keys_ahead {
	struct key_press *list; /* what was pasted is their own */
	size_t first, n, cap;
	char *given; /* pasted text of the key that was given last */
};

struct terminal {
	int fd; /* our own opening of it, where that can be had */
	bool own_fd;
	FILE *in, *out; /* what curses believes to be a terminal */
	int frame_fd;   /* where out is read: memory, or a pipe */
	int frame_room; /* bytes that the pipe takes; 0: it is memory */
	SCREEN *curses;
	WINDOW *keys;     /* a pad: reading from it draws nothing */
	int n_colours;    /* 0: none, or none wanted */
	bool own_default; /* its own foreground and background can be had */
	attr_t attrs[N_ROLES];
	short pairs[N_ROLES];
	struct screen front; /* what was drawn last */
	cchar_t *line;       /* room for one row */
	struct text pending; /* bytes that the terminal has not taken */
	size_t sent;
	struct termios modes; /* as we found it */
	struct text reset;
	int cursor; /* as curs_set() */
	bool has_mouse, mouse_on, paste_on;
	struct mouse_reader mouse;
	struct paste_reader paste;
	struct keys_ahead ahead;
	nsec paste_silent; /* since when nothing of it comes; 0: it comes */
};

/* terminal_ahead.c: forgets what was read ahead. */
void terminal_forget_ahead(struct terminal *t);

/* What curses has written becomes pending, or is thrown away. */
void terminal_take_frame(struct terminal *t, bool keep);

/* Keys as curses tells them, and as we name them. */

/* Teaches curses the sequences that terminfo leaves out. */
void curses_keys_define(void);

#endif
