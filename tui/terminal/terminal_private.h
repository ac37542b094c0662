/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the terminal, for its own files. */
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

/* Keys that were read ahead, first to last. */
struct keys_ahead {
	struct key_press *list; /* owns the pasted text of keys */
	size_t first, n, cap;
	char *given; /* pasted text of the key delivered last */
};

struct terminal {
	int fd; /* opened here, unless own_fd is false: then standard input */
	bool own_fd;
	FILE *in, *out; /* curses' terminal: copies of fd and of the frame */
	int frame_fd;   /* a file in memory, or the reading end of a pipe */
	int frame_room; /* bytes that the pipe holds; 0: it is a file */
	SCREEN *curses;
	WINDOW *keys;     /* a pad: reading from it draws nothing */
	int n_colours;    /* 0: none, or not wanted */
	bool own_default; /* default foreground and background are available */
	attr_t attrs[N_CELL_STYLES][N_CELL_ROLES];
	short pairs[N_CELL_ROLES];
	struct screen front; /* the frame drawn last */
	cchar_t *line;       /* room for one row */
	/* bytes that the terminal has not taken, from `sent` on */
	struct text pending;
	size_t sent;
	struct termios modes; /* as they were found */
	struct text reset;
	int cursor; /* the last curs_set(); -1: none */
	bool has_mouse, mouse_on, paste_on;
	struct mouse_reader mouse;
	struct paste_reader paste;
	struct keys_ahead ahead;
	/* wall time of the last byte if the paste is silent; 0: it is not */
	nsec paste_silent;
};

/* Frees the keys that were read ahead. */
void terminal_forget_ahead(struct terminal *t);

/* Moves the bytes that curses has written to pending, or drops them. */
void terminal_take_frame(struct terminal *t, bool keep);

/* Defines key sequences that terminfo lacks (terminal_input.c). */
void curses_keys_define(void);

#endif
