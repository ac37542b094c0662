/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program in the foreground, such as an editor, which this program waits for.
 * It has a process group of its own: signals from keys reach only that, and all
 * of it ends when this program is asked to end.
 */
#ifndef TUI_TERMINAL_CHILD_H
#define TUI_TERMINAL_CHILD_H

struct text;

struct child_end {
	int status; /* as of waitpid(); -1: it was not started */
	/* The signal that asked this program to end meanwhile, 0: none. Then
	 * the child's group has ended and the terminal is as it was found. */
	int death;
};

/*
 * Runs a shell command with an argument. tty: the terminal, which must have
 * been given back; -1: none. When the child stops, so does this program, and
 * both continue together. A command that was not started leaves the reason in
 * err.
 */
struct child_end child_run(
    int tty, const char *command, const char *argument, struct text *err);

#endif
