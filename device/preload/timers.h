/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads of timers that the device has, in virtual time. */
#ifndef DEVICE_PRELOAD_TIMERS_H
#define DEVICE_PRELOAD_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads a timer; *n is what read(2) returns, with errno. False: fd is no timer of
 * the device. */
bool timers_read(int fd, void *buf, size_t size, ssize_t *n);

#endif
