/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers that the device has, in virtual time. */
#ifndef DEVICE_PRELOAD_TIMERS_H
#define DEVICE_PRELOAD_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Sets *left to the time until the timer expires, and to its interval. Returns 0 or
 * -errno. */
int timers_get(uint64_t token, struct itimerspec *left);
/* Sets a timer, relative to now or at that time; *old (NULL: not asked for) as
 * timers_get() before. Returns 0 or -errno. */
int timers_set(uint64_t token, bool absolute, const struct itimerspec *t,
    struct itimerspec *old);
/* Returns rc, or -1 with errno. */
int timers_result(int rc);

/* Reads a timer; *n is what read(2) returns, with errno. False: fd is not a timer of
 * the device. */
bool timers_read(int fd, void *buf, size_t size, ssize_t *n);

#endif
