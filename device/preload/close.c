/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that close all descriptors, or take a number for their own: the
 * library's connections are not theirs to close, and a number that another file
 * has now must not get a message. Files of the device need nothing: the last
 * close anywhere hangs up.
 */
#include <errno.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/real.h"

/* To the program a connection is a number that is not open. */
int
close(int fd)
{
	if (fd >= connection_floor() && connection_is(fd)) {
		errno = EBADF;
		return -1;
	}
	return real()->close(fd);
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
