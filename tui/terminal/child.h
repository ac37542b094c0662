/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another program in the foreground, such as an editor, while this one waits
 * for its end. */
#ifndef TUI_CHILD_H
#define TUI_CHILD_H

struct text;

struct child_end {
	int status; /* as of waitpid(); -1: it was not started */
	int death;  /* a signal that asked us to end meanwhile: the child has
		       got it as well, and may run on; 0: none */
};

/*
 * Runs the shell command with the argument after it. The terminal must have
 * been given back. Ctrl-C and the like are the child's own meanwhile; a stop
 * stops both. err: why it was not started.
 */
struct child_end child_run(
    const char *command, const char *argument, struct text *err);

#endif
