/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that wait for a descriptor, in virtual time: the thread waits until they
 * do not. */
#include <poll.h>
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

int
recvmmsg(
    int fd, struct mmsghdr *msgs, unsigned n, int flags, struct timespec *t)
{
	uint64_t deadline_ns;
	int got = 0, more = 1;

	if (!turn_taking || (flags & MSG_DONTWAIT) != 0)
		return real()->recvmmsg(fd, msgs, n, flags, t);
	deadline_ns = t != NULL ? turn_after(t) : WIRE_NEVER;
	/* The time is looked at after each message only, as the kernel does. */
	while (
	    more > 0 && (unsigned)got < n && look_at_descriptor(fd, POLLIN)) {
		more = real()->recvmmsg(fd, msgs + got, n - (unsigned)got,
		    flags | MSG_DONTWAIT, NULL);
		if (more > 0)
			got += more;
		if ((flags & MSG_WAITFORONE) != 0 || turn_now() >= deadline_ns)
			break;
	}
	return got > 0 || n == 0 ? got : -1;
}
