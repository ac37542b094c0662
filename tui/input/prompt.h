/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line that is typed: a command, a value, a line of the descriptor. Uses
 * readline through its callback interface, so that the views go on meanwhile.
 * readline has one line per process, and so has this module.
 */
#ifndef TUI_INPUT_PROMPT_H
#define TUI_INPUT_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/input/keys.h"

struct text;

/* A kind of prompt: its history, its completions, how it takes keys. */
struct prompt_kind {
	const char *prompt; /* before the line: ":" */
	/* A history of its own name, of lines kept in
	 * $XDG_STATE_HOME/gpuwl/NAME; NULL: none. */
	const char *history;
	/* Returns the i-th completion of word, the argument-th word (0: the first) of
	 * line; NULL after the last. Valid until the next call. NULL: there are no
	 * completions. */
	const char *(*complete)(
	    const char *line, const char *word, size_t argument, unsigned i);
	/* Returns what a completion of that word is for; NULL: that is not known.
	 * NULL: no completion has a meaning. */
	const char *(*meaning)(
	    const char *line, const char *completion, size_t argument);
	/* True if the argument-th word of line may be a file. NULL: never. */
	bool (*is_file)(const char *line, size_t argument);
	/* The first character typed replaces the text of the line; keys that
	 * move or delete keep it. */
	bool replaces;
	const char *breaks; /* characters between words; NULL: blanks */
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
	bool marked;         /* the next character replaces the line */
	const char *choices; /* completions, a row each as offer has it; NULL */
	size_t chosen;       /* the one in the line; SIZE_MAX: none */
};

enum prompt_result {
	PROMPT_OPEN,
	PROMPT_ACCEPTED, /* *line is what was typed; the caller frees it */
	PROMPT_CANCELLED,
};

/* Reads the inputrc unless a prompt has been opened before. Appends a line for
 * each of its first problems, and returns the number of all. */
unsigned prompt_prepare(struct text *problems);
/* Opens a prompt with text in the line and the cursor at its end. kind, and arg
 * for kind->offer, must last until it is closed. persistent: the history is read
 * from a file and kept there. */
void prompt_open(const struct prompt_kind *kind, const char *text,
    bool persistent, const void *arg);
bool prompt_is_open(void);
/* Passes a key to the open prompt. An Esc that is not followed by other bytes
 * of the same key press cancels. */
enum prompt_result prompt_feed(const struct key_press *key, char **line);
/* Inserts a piece of a paste as text. Ends of lines become a blank; other control
 * characters, invalid UTF-8 and what makes the line too long are left out. first:
 * the paste begins here. */
void prompt_paste(const char *text, size_t len, bool first);
/* Appends the text of a whole paste with its lines: each end of a line becomes a
 * newline, tabs stay; other control characters and invalid UTF-8 are left out. */
void prompt_paste_lines(struct text *out, const char *text, size_t len);
void prompt_cancel(void);
/* Returns what to draw; pointers are valid until the next call. */
struct ui_prompt prompt_look(void);
void prompt_free(void);

#endif
