/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by pty.c (the program and its terminal) and pty_screen.c (the terminal's
 * screen). */
#ifndef TESTS_SUPPORT_PTY_PRIVATE_H
#define TESTS_SUPPORT_PTY_PRIVATE_H

#include <time.h>

#include <vterm.h>

#include "base/text.h"
#include "tests/support/pty.h"

/* Longest wait for a text, in seconds. A text that is there is seen at once; the
 * rest is for a loaded machine. */
#define WAIT_SECONDS 30

struct pty {
	int master, slave; /* we keep the slave open to ask for its modes */
	pid_t leader, pid;
	int report; /* from the leader: the pid, then each status */
	VTerm *vt;
	VTermScreen *screen;
	int cols, rows;
	bool alternate, cursor;
	int mouse;
	struct text stream; /* all that came */
	bool keypad, paste;
	struct pty_modes first;
	bool deaf;
};

/* Until then, for poll(); -1: it has passed. */
int pty_left_ms(time_t end);

#endif
