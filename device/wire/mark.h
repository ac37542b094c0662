/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks of descriptors. Each file of the virtual i915 that a program holds is
 * one end of a pair of stream sockets, the device keeps the other. So dup(2),
 * fork(2), exec, SCM_RIGHTS and poll(2) need nothing, and the last close
 * anywhere is a hangup at the device. The program's end is bound to an abstract
 * address that says what it is: getsockname(2) tells so in every process.
 *
 * A fence becomes readable when the device writes one byte, which is never
 * read. A control file (a debugfs or sysfs file that is written) passes what is
 * written to it as WIRE_WRITE; bytes that come through the socket itself are of
 * a program whose writes the library does not see, such as those of stdio.
 */
#ifndef DEVICE_WIRE_MARK_H
#define DEVICE_WIRE_MARK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

/* The letter in the address. */
enum wire_mark_kind {
	MARK_DRM = 'd',      /* an open card or render node */
	MARK_FENCE = 'f',    /* a sync_file */
	MARK_SYNCOBJ = 's',  /* an opaque descriptor of a syncobj */
	MARK_TIMELINE = 't', /* of sw_sync */
	MARK_PERF = 'p',     /* a perf event */
	MARK_TIMER = 'T',    /* a timerfd in virtual time */
	MARK_CONTROL = 'c',  /* a file of sysfs or debugfs opened for writing */
	MARK_UEVENTS = 'u',  /* uevents, which are read */
};

struct wire_mark {
	/* Cookie of the device; another one's after it was restarted. */
	uint64_t cookie;
	uint64_t token; /* random, not 0: names the object at the device */
	uint32_t minor; /* of the node, 0 where there is none */
	char kind;      /* enum wire_mark_kind */
};

/* False, with *mark unchanged: not an address of a mark. */
bool wire_mark_parse(
    const struct sockaddr_un *address, socklen_t len, struct wire_mark *mark);
/* False, with *mark and errno unchanged: fd has no mark. */
bool wire_mark_of(int fd, struct wire_mark *mark);

/* Makes a pair of sockets that close on exec and do not block at the device:
 * ends[0] is the device's, ends[1] has the mark. False, with errno. */
bool wire_marked_pair(const struct wire_mark *mark, int ends[2]);

#endif
