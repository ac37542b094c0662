/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes on their way to a file: gathered, written in large pieces, the first
 * error kept. With a tail, what a file has to end with: it stands at the end
 * after each write, and the next one begins over it; where that is not possible
 * (a pipe) it is written when the sink is closed. The system may cut a write
 * short between two pages if the program is killed: so what is added at a time
 * is on one page, if it fits, with blanks in front that fill the one before,
 * and a file that was cut lacks no more than its tail.
 *
 * What does not take all at once (a pipe with O_NONBLOCK) gets the rest later;
 * if it takes too little for too long that is an error: ENOBUFS.
 */
#ifndef TRACE_SINK_H
#define TRACE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

struct sink {
	int fd;           /* the caller's, who closes it */
	int error;        /* errno of the first write that failed; 0 */
	const char *tail; /* NULL: none */
	bool seeks;
	off_t end;      /* of what is written, without the tail (if it seeks) */
	uint64_t total; /* bytes that were added */
	struct text pending;
};

void sink_init(struct sink *s, int fd, const char *tail);
/* Writes what is pending once it is much. */
void sink_add(struct sink *s, const void *bytes, size_t len);
/* What is much already: goes out at once, behind what is pending. */
void sink_put(struct sink *s, const void *bytes, size_t len);
/* Writes all that is pending. */
void sink_flush(struct sink *s);
/* The last flush. Returns the error, 0 if there was none. */
int sink_close(struct sink *s);

#endif
