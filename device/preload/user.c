/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes that give up their user, as root's do, or capabilities: the device,
 * which serves programs of its own user and of root, goes on with them as with an
 * open file of a kernel, but with the rights that are left. IGT's tests do so to
 * be refused. Their children that make a connection of their own are refused.
 */
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/real.h"

/* Passes the result of a change on, of which the device hears. */
static int
changed(int result)
{
	if (result == 0)
		connection_rights();
	return result;
}

int
setuid(uid_t user)
{
	connection_rights();
	return changed(real()->setuid(user));
}

int
seteuid(uid_t user)
{
	connection_rights();
	return changed(real()->seteuid(user));
}

int
setreuid(uid_t user, uid_t effective)
{
	connection_rights();
	return changed(real()->setreuid(user, effective));
}

int
setresuid(uid_t user, uid_t effective, uid_t saved)
{
	connection_rights();
	return changed(real()->setresuid(user, effective, saved));
}

/* As the C library has it, which no header of its own says. */
int capset(void *header, const void *data);

int
capset(void *header, const void *data)
{
	connection_rights();
	return changed(real()->capset(header, data));
}
