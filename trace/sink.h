/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sink: bytes on their way to a file. They are gathered and written in large
 * pieces; the first error is kept, and nothing is written after it.
 *
 * A sink can have a tail, with which the file ends after each write; the next
 * write begins over it. A file that can't seek (a pipe) gets its tail when the
 * sink is closed. If the program is killed, the system can cut a write between
 * two pages. So bytes that are added together are put on one page, if they fit,
 * with blanks in front that fill the page before, and a file that was cut lacks
 * no more than its tail.
 *
 * A pipe with O_NONBLOCK that does not take all gets the rest later. It is an
 * error, ENOBUFS, if too much waits for its reader.
 */
#ifndef TRACE_SINK_H
#define TRACE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

struct sink {
	int fd;           /* closed by the caller */
	int error;        /* errno of the first write that failed; 0 */
	const char *tail; /* NULL: none */
	bool seeks;       /* it has a tail that can be written over */
	off_t end;      /* of what is written, without the tail, if it seeks */
	uint64_t total; /* bytes that were added */
	struct text pending;
};

/* tail (NULL: none) outlives the sink. Nothing is written. */
void sink_init(struct sink *s, int fd, const char *tail);
/* Adds bytes; writes what is pending once there is enough. */
void sink_add(struct sink *s, const void *bytes, size_t len);
/* Writes bytes at once, after what is pending: for large pieces. */
void sink_put(struct sink *s, const void *bytes, size_t len);
/* Writes all that is pending. */
void sink_flush(struct sink *s);
/* Writes the rest and the tail, waiting for a slow reader for a second. Returns
 * the error, 0 if there was none. */
int sink_close(struct sink *s);

#endif
