/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another program in the foreground, such as an editor, while this one waits
 * for its end. It has a process group of its own, so that keys that send
 * signals are for it alone and nothing of it is left when we are asked to end.
 */
#ifndef TUI_TERMINAL_CHILD_H
#define TUI_TERMINAL_CHILD_H

struct text;

struct child_end {
	int status; /* as of waitpid(); -1: it was not started */
	int death;  /* a signal that asked us to end meanwhile: all of the
		       child's group has ended, and the terminal is as we found
		       it; 0: none */
};

/*
 * Runs the shell command with the argument after it. The terminal tty must have
 * been given back; -1: there is none. When the child stops, so do we, and it is
 * continued when we are. err: why it was not started.
 */
struct child_end child_run(
    int tty, const char *command, const char *argument, struct text *err);

#endif
