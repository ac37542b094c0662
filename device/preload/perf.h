/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Perf events and control files: descriptors whose reads and writes the device
 * answers. */
#ifndef DEVICE_PRELOAD_PERF_H
#define DEVICE_PRELOAD_PERF_H

#include <stdbool.h>

/* Looks at a new descriptor of the device. Reads and writes of a program that
 * never had one of these kinds cost nothing. */
void perf_watch(int fd);

/* True if fd is an event of the device. */
bool perf_is_event(int fd);

#endif
