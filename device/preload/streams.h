/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of stdio on control files of the device. They use the heap, as
 * fopen(3) does, and have no descriptor (fileno(3) is -1). */
#ifndef DEVICE_PRELOAD_STREAMS_H
#define DEVICE_PRELOAD_STREAMS_H

#include <stdbool.h>
#include <stdio.h>

/* True if fd is a control file. */
bool stream_is_needed(int fd);
/* Returns a stream that owns the control file fd, which path names; NULL, with
 * errno: fd is closed. */
FILE *stream_of_control(int fd, const char *path, const char *mode);

#endif
