/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descriptors that are waited for together, whatever their number: one
 * descriptor, for the poll(2) of a loop, is readable when any of them is ready.
 */
#ifndef BASE_WATCH_H
#define BASE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct fd_watch;
struct fd_watches;

/* Called with EPOLLIN, EPOLLOUT, EPOLLHUP and EPOLLERR bits of epoll(7). May
 * remove any watch, its own too, and free what it is part of. */
typedef void watch_ready(struct fd_watch *w, uint32_t events);

/* A descriptor that is watched. Part of its owner's struct; must not move. */
struct fd_watch {
	int fd;
	watch_ready *ready;
	uint32_t slot; /* private; 0: not watched */
};

/* The caller frees it with watches_free(). NULL, with errno. */
struct fd_watches *watches_new(void);
/* Closes the one descriptor; watches are the caller's. NULL is allowed. */
void watches_free(struct fd_watches *ws);
/* Returns the one descriptor: do nothing with it but wait for it to be
 * readable. */
int watches_fd(const struct fd_watches *ws);

/* Begins to watch w->fd for events (hangups and errors come in any case). False,
 * with errno. */
bool watches_add(struct fd_watches *ws, struct fd_watch *w, uint32_t events);
/* Changes what is waited for. */
void watches_change(struct fd_watches *ws, struct fd_watch *w, uint32_t events);
/* Does nothing if w is not watched. To be called before w->fd is closed. */
void watches_remove(struct fd_watches *ws, struct fd_watch *w);

/* Calls ready of those that are, at most max of them, without waiting. Returns
 * their number. */
unsigned watches_work(struct fd_watches *ws, unsigned max);
/* Waits for any that is ready, ms milliseconds at most, and calls ready of some.
 * Returns their number. */
unsigned watches_wait(struct fd_watches *ws, int ms);

#endif
