/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of the device: one connection per thread, one request at a time. */
#ifndef DEVICE_PRELOAD_CONNECTION_H
#define DEVICE_PRELOAD_CONNECTION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "device/wire/wire.h"

struct call {
	struct wire_request rq; /* version and size are filled in */
	const void *arg;        /* rq.size bytes, read by the kernel */
	void *back;             /* where the reply's bytes go, by the kernel */
	size_t back_size;
	/* Signals that are blocked while it waits; NULL: those that are. */
	const sigset_t *mask;
	struct wire_reply rp;
	int fd;           /* of the reply, close on exec; -1: none */
	bool interrupted; /* a signal was handled before the reply */
};

/*
 * Sends the request and waits for its reply. Returns its result: >= 0, -errno or
 * WIRE_NOT_MINE; the caller closes c->fd. -EFAULT: arg or back is not memory of
 * the program. -ENODEV: there is no device; -EIO: it went during the call.
 */
int connection_call(struct call *c);

/* Connects this thread, if it is not; false: there is no device. */
bool connection_begin(void);
/* True in a signal handler that has interrupted a call of this thread. */
bool connection_is_busy(void);
/* Sends a request that has no reply, on the connection of this thread if there
 * is one. */
void connection_tell(const struct wire_request *rq);

/* Sets what a fork does. Called once. */
void connection_prepare(void);

/* True if fd is a connection of this process. */
bool connection_is(int fd);
/* Descriptors from here on may be connections. */
int connection_floor(void);
/* The thread waits until the device has heard that it has closed a descriptor with
 * that token, if it has called the device before. */
void connection_settle(uint64_t token);
/* The process is about to have another user, or has it: its connection is made
 * while the device knows the user, and the device asks for its rights anew. */
void connection_rights(void);
/* Every connection may have been closed by the program: none is used again. */
void connection_forget_all(void);

#endif
