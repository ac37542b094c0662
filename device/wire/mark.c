/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of descriptors: abstract addresses "gpuwl-i915/COOKIE/KIND/MINOR/TOKEN"
 * with cookie and token as 16 hexadecimal digits each. */
#include "device/wire/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char MARK_PREFIX[] = "gpuwl-i915/";

/* Bytes of an address before its name, with the zero that makes it abstract. */
#define MARK_NAME_AT (offsetof(struct sockaddr_un, sun_path) + 1)

/* Fills the address of mark and returns its length for bind(2). */
static socklen_t
wire_mark_address(const struct wire_mark *mark, struct sockaddr_un *address)
{
	int n;

	memset(address, 0, sizeof *address);
	address->sun_family = AF_UNIX;
	n = snprintf(address->sun_path + 1, sizeof address->sun_path - 1,
	    "%s%016llx/%c/%u/%016llx", MARK_PREFIX,
	    (unsigned long long)mark->cookie, mark->kind, mark->minor,
	    (unsigned long long)mark->token);
	return (socklen_t)MARK_NAME_AT + (socklen_t)n;
}

/* Reads a number in base up to the byte `end`; *at moves behind that byte. */
static bool
mark_number(const char **at, unsigned base, char end, uint64_t *number)
{
	uint64_t n = 0;
	const char *p = *at;

	for (; *p != end; p++) {
		unsigned digit;

		if (*p >= '0' && *p <= '9')
			digit = (unsigned)(*p - '0');
		else if (base == 16 && *p >= 'a' && *p <= 'f')
			digit = (unsigned)(*p - 'a') + 10;
		else
			return false;
		n = n * base + digit;
	}
	if (p == *at)
		return false;
	*number = n;
	*at = p + 1;
	return true;
}

bool
wire_mark_parse(
    const struct sockaddr_un *address, socklen_t len, struct wire_mark *mark)
{
	char name[sizeof address->sun_path];
	size_t prefix = sizeof MARK_PREFIX - 1;
	const char *at = name + prefix;
	struct wire_mark m = {0};
	uint64_t minor;

	if (len <= MARK_NAME_AT || len > sizeof *address ||
	    address->sun_path[0] != 0)
		return false;
	memset(name, 0, sizeof name);
	memcpy(name, address->sun_path + 1, len - MARK_NAME_AT);
	if (strncmp(name, MARK_PREFIX, prefix) != 0 ||
	    !mark_number(&at, 16, '/', &m.cookie))
		return false;
	m.kind = at[0];
	if (m.kind == 0 || at[1] != '/')
		return false;
	at += 2;
	if (!mark_number(&at, 10, '/', &minor) ||
	    !mark_number(&at, 16, 0, &m.token))
		return false;
	m.minor = (uint32_t)minor;
	*mark = m;
	return true;
}

bool
wire_mark_of(int fd, struct wire_mark *mark)
{
	struct sockaddr_un address;
	socklen_t len = sizeof address;
	int e = errno;

	address.sun_family = AF_UNSPEC;
	if (getsockname(fd, (struct sockaddr *)&address, &len) != 0) {
		errno = e;
		return false;
	}
	return address.sun_family == AF_UNIX &&
	    wire_mark_parse(&address, len, mark);
}

bool
wire_marked_pair(const struct wire_mark *mark, int ends[2])
{
	struct sockaddr_un address;
	socklen_t len = wire_mark_address(mark, &address);
	int e;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	if (bind(ends[1], (const struct sockaddr *)&address, len) == 0 &&
	    fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
		return true;
	e = errno;
	close(ends[0]);
	close(ends[1]);
	errno = e;
	return false;
}
