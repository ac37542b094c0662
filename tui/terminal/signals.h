/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals, and the promise that the terminal is given back whatever comes.
 *
 * A signal that asks the program to end or to stop goes through a pipe into
 * the loop. One that can't wait (a crash) gives the terminal back from its
 * handler, with calls that are safe there. Either way the program then dies
 * of that very signal, so that its parent sees it (128 + n in a shell).
 */
#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

struct signals_seen {
	int death;   /* the signal to die of; 0: none */
	bool stop;   /* SIGTSTP */
	bool resume; /* SIGCONT */
	bool resize; /* SIGWINCH */
};

/* False: no pipe to be had (errno says why). */
bool signals_install(void);
int signals_fd(void); /* readable when something came */
/* What came since the last call. */
struct signals_seen signals_take(void);
/* The signal to die of, 0: none. What else came is kept for signals_take. */
int signals_death(void);

/*
 * From now on the terminal at fd is ours: it is given back with these bytes
 * (at most SIGNALS_MAX_RESET) and modes.
 */
void signals_hold_terminal(
    int fd, const struct termios *modes, const char *reset, size_t len);
#define SIGNALS_MAX_RESET 512
/* Gives it back; safe in handlers, and to be called twice. */
void signals_give_back(void);

/* While another program has the terminal, what its keys send (Ctrl-C, Ctrl-\,
 * Ctrl-Z) is not for us; a stop stops us as well. */
void signals_lend(void);
void signals_reclaim(void);

/* Stops as SIGTSTP does by itself; returns when continued. */
void signals_stop(void);
/* Dies of the signal. */
void signals_die(int sig) __attribute__((noreturn));

#endif
