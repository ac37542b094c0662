/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line that is typed: commands, values, lines of the descriptor. readline
 * through its callback interface, so that the views go on meanwhile. readline has one
 * line per process, and so has this.
 */
#ifndef TUI_INPUT_PROMPT_H
#define TUI_INPUT_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/input/keys.h"

struct text;

/* What a prompt is for. */
struct prompt_kind {
	const char *prompt; /* before the line: ":" */
	/* A history of its own name, of lines kept in
	 * $XDG_STATE_HOME/gpuwl/NAME; NULL: none. */
	const char *history;
	/* The i-th completion of word, the argument-th word (0: the first) of
	 * line; NULL after the last. Good until the next call. NULL: none. */
	const char *(*complete)(
	    const char *line, const char *word, size_t argument, unsigned i);
	/* May the argument-th word of line be a file's name? NULL: never. */
	bool (*is_file)(const char *line, size_t argument);
	/* What is typed first takes the place of the text in it; keys that
	 * move or delete keep that. */
	bool replaces;
	const char *breaks; /* characters between words; NULL: blanks */
	char line_end; /* what the end of a pasted line becomes; 0: a blank */
	/* Instead of complete, for who must know more: adds a row "WORD\n" or
	 * "WORD\tMEANING\n" for each completion of word, which begins at byte
	 * start of line; returns what goes on after the only one, 0: nothing.
	 * arg is that of prompt_set_arg. */
	char (*offer)(const void *arg, const char *line, size_t start,
	    const char *word, struct text *rows);
};

/* A line that is being typed, as it is shown. */
struct ui_prompt {
	const char *prompt, *line;
	size_t point;        /* byte in line where the cursor is */
	bool marked;         /* the next character takes the line's place */
	const char *choices; /* completions, a row each as offer has it; NULL */
	size_t chosen; /* the one that Tab has taken; beyond the last: none */
};

enum prompt_result {
	PROMPT_OPEN,     /* goes on */
	PROMPT_ACCEPTED, /* *line is what was typed, to be freed */
	PROMPT_CANCELLED,
};

/* Reads the inputrc, if no prompt has been open yet: appends a line for each of
 * the first that do not count, and returns how many there are. */
unsigned prompt_prepare(struct text *problems);
/* kind must last until the prompt is closed. text stands in the line already,
 * the cursor behind it. persistent: histories are read from files and kept
 * there. */
void prompt_open(const struct prompt_kind *kind, const char *text,
    bool persistent, const void *arg);
bool prompt_is_open(void);
/* Esc must come as one key press: alone in bytes it cancels. */
enum prompt_result prompt_feed(const struct key_press *key, char **line);
/* Puts a piece of a paste into the line, as text whatever it is: ends of lines
 * become what the kind says, other control characters and what is no text go,
 * and what is too long. first: the paste begins with it. */
void prompt_paste(const char *text, size_t len, bool first);
void prompt_cancel(void);
/* What to show; pointers are good until the next call. */
struct ui_prompt prompt_look(void);
void prompt_free(void);

#endif
