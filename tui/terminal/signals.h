/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals, and the promise that the terminal is given back whatever ends the
 * program.
 *
 * A signal that asks for an end or a stop wakes the loop through a pipe. A
 * crash gives the terminal back from its handler. In both cases the program
 * then dies of that signal, so that its parent sees it (128 + n in a shell).
 */
#ifndef TUI_TERMINAL_SIGNALS_H
#define TUI_TERMINAL_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct signals_seen {
	int death;   /* the signal to die of; 0: none */
	bool stop;   /* SIGTSTP */
	bool resume; /* SIGCONT */
	bool resize; /* SIGWINCH */
};

/* Returns false if there is no pipe; errno says why. */
bool signals_install(void);
int signals_fd(void); /* readable when a signal came */
/* Returns the signals that came since the last call. */
struct signals_seen signals_take(void);
/* Returns the signal to die of, or 0. Others are kept for signals_take(). */
int signals_death(void);

/*
 * Takes over the terminal at fd: it is given back with these modes and bytes
 * (at most SIGNALS_MAX_RESET). rescue: a constant string that undoes what a
 * child may have requested of the terminal; NULL: nothing.
 */
void signals_hold_terminal(int fd, const struct termios *modes,
    const char *reset, size_t len, const char *rescue);
#define SIGNALS_MAX_RESET 512
/* Gives the terminal back. Safe in handlers; a second call does nothing. */
void signals_give_back(void);

/*
 * While a child has the terminal (child.h). signals_expect_child() makes stops
 * and the end of a child wake the loop. After signals_lend(), a signal that
 * ends this program ends the child's process group first, and the terminal is
 * then restored if it was lent.
 */
void signals_expect_child(void);
void signals_lend(pid_t child, bool foreground);
void signals_reclaim(void); /* the child has ended */
/* Ends the child now. Safe in handlers. */
void signals_end_child(void);
/* Makes a process group the foreground group of the terminal at fd. */
void signals_foreground(int fd, pid_t group);
/* Makes this program's group the foreground group if the child's is, or one
 * without processes. */
void signals_take_foreground(int fd, pid_t child);

/* Stops this program as SIGTSTP does by default; returns when continued. */
void signals_stop(void);
/* Stops its process group, as the terminal's suspend key does. */
void signals_stop_all(void);
/* Ends the program by the signal. */
void signals_die(int sig) __attribute__((noreturn));

#endif
