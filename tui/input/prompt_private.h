/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of the prompt (prompt.h): completions, histories, the
 * user's inputrc, and fixes of readline 8.2. All of it is one per process, as
 * readline is.
 */
#ifndef TUI_INPUT_PROMPT_PRIVATE_H
#define TUI_INPUT_PROMPT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/input/prompt.h"

/* completions.c: what Tab offers. */

/* Sets readline's hooks for completion, once. */
void completions_install(void);
/* Begins a line of that kind. arg is for kind->offer; both must last until the
 * next call. */
void completions_begin(const struct prompt_kind *kind, const void *arg);
/* Takes a key while completions are shown: Tab puts the next one into the line,
 * S-Tab the previous one. False: the key is not for completions. */
bool completions_feed(const struct key_press *key);
/* Forgets the completions that are shown. */
void completions_clear(void);
/* Returns the byte where the word begins whose rows with meanings are shown; -1:
 * none. */
int completions_shown(void);
/* Shows the rows for that word again, after a key that changed it. Nothing if it
 * is not at the cursor any more, or begin is -1. */
void completions_follow(int begin);
/* Sets the choices of a prompt that is drawn. */
void completions_look(struct ui_prompt *prompt);
void completions_free(void);

/*
 * histories.c: the lines that were typed, one list per name, kept in files.
 * readline has one list per process and keeps undo lists in its entries. So
 * each line that is typed begins with a fresh copy of the list, and nothing
 * that readline did to the copy outlives the line.
 */

/* Gives readline the lines of the history called name, which must last; NULL:
 * none. persistent: they are read from $XDG_STATE_HOME/gpuwl/NAME, and new
 * lines are appended there. */
void histories_show(const char *name, bool persistent);
/* Adds an accepted line to the history that is shown. */
void histories_keep(const char *line);
/* Drops, after each key, the undo lists of entries that are not being typed.
 * readline 8.2 would keep them and free them a second time later. */
void histories_tidy(void);
/* Gives readline an empty history. Call it when the line is closed. */
void histories_hide(void);
void histories_free(void);

/*
 * inputrc.c: the user's inputrc, read here and passed to readline line by line.
 * readline 8.2 itself follows a file that includes itself until its stack ends,
 * blocks in opening a FIFO, and prints diagnostics over the screen.
 */

#define INPUTRC_MAX_DEPTH 8
#define INPUTRC_MAX_FILES 32
#define INPUTRC_MAX_BYTES (1 << 20) /* of all files */
#define INPUTRC_MAX_LINE  4096      /* bytes */

/* Initialises readline as if there were no inputrc. */
void inputrc_initialize_without(void);
/*
 * Reads $INPUTRC, ~/.inputrc or /etc/inputrc, the first that exists; only
 * regular files. readline must be initialised. Appends a line "FILE:LINE: why"
 * for each of the first problems, and returns the number of all.
 */
unsigned inputrc_read(struct text *problems);

/*
 * readline_fixes.c: commands of readline 8.2 that crash, leak or never end are
 * replaced or unbound.
 */

/* Replaces the vi commands that loop or free twice, wherever they are bound.
 * readline must be initialised. */
void vi_fixes_install(void);

/*
 * Replaces macros of the inputrc ("\C-o": "some keys"). readline plays a macro
 * within one call of rl_callback_read_char(), jumps to a frame that has
 * returned if its keys are unbound, and never ends one that calls itself. Here
 * macros are played key by key, as if typed, up to a limit.
 *
 * Unbinds keyboard macros, which readline plays in the same way, re-reading the
 * inputrc, and do-lowercase-version on keys other than A to Z, where it never
 * ends. Returns how many keys had the latter.
 */
unsigned macros_install(void);
/* True if macros have left keys to be typed. */
bool macros_have_byte(void);
/* Takes the next byte of these. */
unsigned char macros_take_byte(void);
/* Forgets what is left: a key was typed, or the line is over. */
void macros_end(void);

/* prompt.c: a paste as text of one line. */

/* State of a paste that arrives in pieces; {0} at first. */
struct pasted {
	bool any;     /* text has arrived */
	bool between; /* and then the end of a line */
};

/*
 * Appends the text of a piece of a paste: characters that the locale has. Ends
 * of lines, however many, become one blank between text. A tab becomes a blank;
 * other control characters and invalid UTF-8 are left out.
 */
void pasted_add(
    struct text *out, struct pasted *p, const char *text, size_t len);

#endif
