/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits in virtual time for what other threads, processes or the device may do:
 * a look that does not wait, again whenever anything has happened.
 */
#ifndef DEVICE_PRELOAD_LOOKS_H
#define DEVICE_PRELOAD_LOOKS_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A look that does not wait, with those signals blocked (NULL: no others than
 * now); data is its own. Returns 0 if there is nothing to see; -1, with errno. */
typedef int look_fn(void *data, const sigset_t *mask);

/* Looks until there is something to see, a signal comes, or the deadline. Returns
 * what the last look returned; -1, with errno EINTR, after a signal. */
int look_until(
    uint64_t deadline_ns, const sigset_t *mask, look_fn *look, void *data);

/* Waits until the descriptor has one of those events, unless calls on it do not
 * wait (O_NONBLOCK). False, with errno: EINTR after a signal, EAGAIN at the end of
 * a socket's time (SO_RCVTIMEO). */
bool look_at_descriptor(int fd, short events);

#endif
