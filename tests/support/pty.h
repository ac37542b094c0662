/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a program on a pty of its own, as a shell with job control would, and
 * reads its screen through libvterm. Nothing sleeps: every wait is for
 * something to appear, and fails with the screen printed when it does not.
 */
#ifndef TESTS_SUPPORT_PTY_H
#define TESTS_SUPPORT_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

struct text;

/* Modes of the terminal that a program may leave behind. */
struct pty_modes {
	struct termios termios;
	bool alternate; /* screen */
	bool cursor;    /* is shown */
	int mouse;
	bool keypad; /* application keys, as last asked for */
	bool paste;  /* is not taken for keys */
};

/* The look of a cell: colours by number, -1 the terminal's own. */
struct pty_look {
	int fg, bg;
	bool bold, underline, reverse;
};

struct pty;

/* env: "NAME=value", "NAME" (unset), NULL ends; on top of ours with
 * TERM=xterm-256color, LC_ALL=C.UTF-8, and no config file. argv[0] NULL: see pty_program(). */
struct pty *pty_start(
    int cols, int rows, char *const argv[], char *const env[]);
void pty_free(struct pty *p); /* kills what still runs */

/* The program under test: $GPUWL_TOP, or build/gpuwl-top. */
char *pty_program(void);

pid_t pty_pid(const struct pty *p);
void pty_send(struct pty *p, const char *bytes);
void pty_resize(struct pty *p, int cols, int rows);
/* The terminal says that it has this size; the screen that we read stays. */
void pty_claim_size(struct pty *p, int cols, int rows);
/* Closes our end: the terminal is gone. */
void pty_hang_up(struct pty *p);

/* Until the screen shows text / no longer shows it; fails the test after half a
 * minute. */
void pty_wait_text(struct pty *p, const char *text);
void pty_wait_gone(struct pty *p, const char *text);
void pty_wait_cursor(struct pty *p, int x, int y);
/* Until it has stopped / ended: the status that its parent sees. */
int pty_wait_status(struct pty *p);
/* Types Ctrl-S to a terminal that heeds it: it takes no more output. */
void pty_hold_output(struct pty *p);
/* Reads no more of what the program writes: it has a terminal that
 * stalls. */
void pty_be_deaf(struct pty *p);
/* Sets the descriptors that are readable when something has come, and when the
 * program has stopped or ended. */
void pty_descriptors(const struct pty *p, int fds[2]);
/* Reads what has come by now. */
void pty_drain(struct pty *p);
/* Until something comes, if it does soon. */
void pty_wait_bytes(struct pty *p);

/* The screen as text, ends of rows trimmed. */
void pty_screen(struct pty *p, struct text *out);
bool pty_shows(struct pty *p, const char *text);
/* Has any cell a colour other than the terminal's own? */
bool pty_has_colour(struct pty *p);
/* Waits for a row in reverse video that has the text. */
void pty_wait_reverse(struct pty *p, const char *text);
/* Returns the look of a cell; *character: what is in it, 0 if nothing. */
struct pty_look pty_cell(struct pty *p, int x, int y, uint32_t *character);
/* Waits until the first cell with that character looks so. */
void pty_wait_look(struct pty *p, uint32_t character, struct pty_look look);
struct pty_modes pty_modes(const struct pty *p);
/* As they were before the program began. */
struct pty_modes pty_first_modes(const struct pty *p);
bool pty_same_modes(const struct pty_modes *a, const struct pty_modes *b);
/* Fails if they are not now as they were before the program began. */
void pty_check_given_back(struct pty *p);
/* Bytes that came since the start: how many, and which. */
size_t pty_bytes(const struct pty *p);
const struct text *pty_stream(const struct pty *p);
/* Fails if anything came that may do harm to a terminal: what is not UTF-8,
 * control characters and sequences other than those that draw, characters
 * that are invisible or that turn the order round. */
void pty_check_harmless(const struct pty *p);

/* Waits for the program's end, which must have that status, and frees p. */
void pty_expect_end(struct pty *p, int status);
/* Leaves the console without saving: the terminal must be as it was. */
void pty_quit(struct pty *p);
/* Waits 30 s at most for a process to end. */
void await_process(pid_t pid);

#endif
