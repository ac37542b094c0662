/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that close all descriptors, or take a number for their own: the
 * library's connections are not theirs to close, and a number that another file
 * has now must not get a message. The last close of a file of the device
 * anywhere hangs up; a close waits until the device has heard it.
 */
#include <errno.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/real.h"
#include "device/wire/mark.h"

/* Returns the token of files whose last close does something that the program may
 * look at: contexts and timelines end. 0: it does not. */
static uint64_t
ends_something(int fd)
{
	struct wire_mark mark;

	return wire_mark_of(fd, &mark) &&
		(mark.kind == MARK_DRM || mark.kind == MARK_TIMELINE)
	    ? mark.token
	    : 0;
}

/* To the program a connection is a number that is not open. */
int
close(int fd)
{
	uint64_t ends = 0;
	int result;

	if (fd >= connection_floor() && connection_is(fd)) {
		errno = EBADF;
		return -1;
	}
	if (real_place()->root_len > 0)
		ends = ends_something(fd);
	result = real()->close(fd);
	if (ends != 0 && result == 0)
		connection_settle(ends);
	return result;
}

int
close_range(unsigned first, unsigned last, int flags)
{
	/* Connections close on exec already. */
	if (last >= (unsigned)connection_floor() &&
	    ((unsigned)flags & CLOSE_RANGE_CLOEXEC) == 0)
		connection_forget_all();
	return real()->close_range(first, last, flags);
}

void
closefrom(int first)
{
	connection_forget_all();
	real()->closefrom(first);
}

/* The number is the program's from now on. */
static void
give_number(int fd)
{
	if (fd >= connection_floor() && connection_is(fd))
		connection_forget_all();
}

int
dup2(int from, int to)
{
	give_number(to);
	return real()->dup2(from, to);
}

int
dup3(int from, int to, int flags)
{
	give_number(to);
	return real()->dup3(from, to, flags);
}
