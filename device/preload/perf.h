/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Perf events and control files: descriptors whose reads and writes the device
 * answers. */
#ifndef DEVICE_PRELOAD_PERF_H
#define DEVICE_PRELOAD_PERF_H

/* Looks at a new descriptor of the device. Reads and writes of a program that
 * never had one of these kinds cost nothing. */
void perf_watch(int fd);

#endif
