/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals, and the promise that the terminal is given back whatever comes.
 *
 * A signal that asks the program to end or to stop goes through a pipe into
 * the loop. One that can't wait (a crash) gives the terminal back from its
 * handler, with calls that are safe there. Either way the program then dies
 * of that very signal, so that its parent sees it (128 + n in a shell).
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

/* False: no pipe to be had (errno says why). */
bool signals_install(void);
int signals_fd(void); /* readable when something came */
/* What came since the last call. */
struct signals_seen signals_take(void);
/* The signal to die of, 0: none. What else came is kept for signals_take. */
int signals_death(void);

/*
 * From now on the terminal at fd is ours: it is given back with these bytes
 * (at most SIGNALS_MAX_RESET) and modes. rescue: a constant that ends what
 * other programs may have asked the terminal for; NULL: nothing.
 */
void signals_hold_terminal(int fd, const struct termios *modes,
    const char *reset, size_t len, const char *rescue);
#define SIGNALS_MAX_RESET 512
/* Gives it back; safe in handlers, and to be called twice. */
void signals_give_back(void);

/*
 * While a child has the terminal (child.h). Its stops and its end wake the loop
 * once it is expected. Once it is lent the terminal, whatever ends us ends it
 * and its process group first; where it was the foreground group, the terminal
 * is put back then as it was found.
 */
void signals_expect_child(void);
void signals_lend(pid_t child, bool foreground);
void signals_reclaim(void); /* it has ended */
/* Ends it now. Safe in handlers. */
void signals_end_child(void);
/* Makes the group the foreground group of the terminal at fd. */
void signals_foreground(int fd, pid_t group);
/* Makes ours that again, if the child's is, or one that has no process left. */
void signals_take_foreground(int fd, pid_t child);

/* Stops as SIGTSTP does by itself; returns when continued. */
void signals_stop(void);
/* The same for all of our process group, as the terminal's own key does it. */
void signals_stop_all(void);
/* Dies of the signal. */
void signals_die(int sig) __attribute__((noreturn));

#endif
