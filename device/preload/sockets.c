/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that wait for a descriptor, in virtual time: the thread waits until they
 * do not. */
#include <errno.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "device/preload/looks.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"

/* Waits until a call with those flags does not. False, with errno. */
static bool
is_ready(int fd, int flags)
{
	return !turn_taking || (flags & MSG_DONTWAIT) != 0 ||
	    look_at_descriptor(fd, POLLIN);
}

ssize_t
readv(int fd, const struct iovec *parts, int n)
{
	return is_ready(fd, 0) ? real()->readv(fd, parts, n) : -1;
}

ssize_t
recv(int fd, void *buf, size_t size, int flags)
{
	return is_ready(fd, flags) ? real()->recv(fd, buf, size, flags) : -1;
}

ssize_t
recvfrom(int fd, void *restrict buf, size_t size, int flags,
    struct sockaddr *restrict from, socklen_t *restrict len)
{
	return is_ready(fd, flags)
	    ? real()->recvfrom(fd, buf, size, flags, from, len)
	    : -1;
}

ssize_t
recvmsg(int fd, struct msghdr *msg, int flags)
{
	return is_ready(fd, flags) ? real()->recvmsg(fd, msg, flags) : -1;
}

int
accept(int fd, struct sockaddr *restrict from, socklen_t *restrict len)
{
	return is_ready(fd, 0) ? real()->accept(fd, from, len) : -1;
}

int
accept4(
    int fd, struct sockaddr *restrict from, socklen_t *restrict len, int flags)
{
	return is_ready(fd, 0) ? real()->accept4(fd, from, len, flags) : -1;
}

/* Locks of files, messages and semaphores between processes. */

struct process_look {
	int id, flags;
	void *data;
	size_t size; /* bytes, or operations */
	long type;
	ssize_t result;
};

/* Returns 1 unless the call would wait: its result is known then. */
static int
look_result(struct process_look *l, ssize_t result, int would_wait)
{
	l->result = result;
	return result >= 0 || errno != would_wait;
}

static int
look_flock(void *data, const sigset_t *mask)
{
	struct process_look *l = data;

	(void)mask;
	return look_result(
	    l, real()->flock(l->id, l->flags | LOCK_NB), EWOULDBLOCK);
}

int
flock(int fd, int operation)
{
	struct process_look l = {.id = fd, .flags = operation};

	if (!turn_taking || (operation & LOCK_NB) != 0)
		return real()->flock(fd, operation);
	if (look_until(WIRE_NEVER, NULL, look_flock, &l) < 0)
		return -1;
	return (int)l.result;
}

static int
look_msgrcv(void *data, const sigset_t *mask)
{
	struct process_look *l = data;

	(void)mask;
	return look_result(l,
	    real()->msgrcv(
		l->id, l->data, l->size, l->type, l->flags | IPC_NOWAIT),
	    ENOMSG);
}

ssize_t
msgrcv(int id, void *msg, size_t size, long type, int flags)
{
	struct process_look l = {id, flags, msg, size, type, 0};

	if (!turn_taking || (flags & IPC_NOWAIT) != 0)
		return real()->msgrcv(id, msg, size, type, flags);
	if (look_until(WIRE_NEVER, NULL, look_msgrcv, &l) < 0)
		return -1;
	return l.result;
}

static int
look_msgsnd(void *data, const sigset_t *mask)
{
	struct process_look *l = data;

	(void)mask;
	return look_result(l,
	    real()->msgsnd(l->id, l->data, l->size, l->flags | IPC_NOWAIT),
	    EAGAIN);
}

int
msgsnd(int id, const void *msg, size_t size, int flags)
{
	struct process_look l = {id, flags, (void *)(uintptr_t)msg, size, 0, 0};

	if (!turn_taking || (flags & IPC_NOWAIT) != 0)
		return real()->msgsnd(id, msg, size, flags);
	if (look_until(WIRE_NEVER, NULL, look_msgsnd, &l) < 0)
		return -1;
	return (int)l.result;
}
