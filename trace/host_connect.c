/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/host_connect.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/nsec.h"
#include "base/text.h"
#include "trace/host_address.h"
#include "trace/host_client.h"
#include "trace/host_protocol.h"

#define START_SERVER "start it with `lgl_host_server.py -A PORT -T FILE`"

static int64_t
clock_ms(void)
{
	return (int64_t)(clock_wall() / NSEC_PER_MSEC);
}

struct deadline
deadline_in(int ms)
{
	return (struct deadline){clock_ms() + ms};
}

int
deadline_left(const struct deadline *d)
{
	int64_t left = d->at_ms - clock_ms();

	return left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/* 0, or an errno. */
static int
wait_for(int fd, short events, const struct deadline *d)
{
	struct pollfd p = {.fd = fd, .events = events};
	int n;

	do
		n = poll(&p, 1, deadline_left(d));
	while (n < 0 && errno == EINTR && deadline_left(d) > 0);
	return n > 0 ? 0 : n == 0 ? ETIMEDOUT : errno;
}

/* A connected socket, or -1 and *error. */
static int
connect_one(const struct sockaddr_storage *to, socklen_t len,
    const struct deadline *d, int *error)
{
	int fd = socket(
	    to->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof(*error);

	if (fd < 0) {
		*error = errno;
		return -1;
	}
	*error = connect(fd, (const void *)to, len) == 0 ? 0 : errno;
	if (*error == EINPROGRESS || *error == EINTR) {
		*error = wait_for(fd, POLLOUT, d);
		if (*error == 0 &&
		    getsockopt(fd, SOL_SOCKET, SO_ERROR, error, &size) != 0)
			*error = errno;
	}
	if (*error == 0)
		return fd;
	close(fd);
	return -1;
}

/* The first error counts: localhost is 127.0.0.1 before it is ::1. */
static int
connect_any(
    const struct host_endpoints *to, const struct deadline *d, int *error)
{
	int fd = -1, first = 0;

	for (unsigned i = 0; i < to->n && fd < 0; i++) {
		fd = connect_one(&to->list[i], to->lens[i], d, error);
		if (first == 0)
			first = *error;
	}
	*error = first != 0 ? first : EADDRNOTAVAIL;
	return fd;
}

/* Its answer to an empty question of the registry, as a text of bytes. NULL,
 * or what is wrong. */
static const char *
ask_registry(int fd, const struct deadline *d, struct text *in,
    const uint8_t **list, size_t *len)
{
	uint8_t question[HOST_HEADER];
	char bytes[4096];
	size_t used = 0;

	/* A new connection has room for this. */
	host_put_header(question, HOST_ASK, HOST_REGISTRY, HOST_CONNECT_ID, 0);
	if (send(fd, question, sizeof(question), MSG_NOSIGNAL) !=
	    sizeof(question))
		return strerror(errno);
	while (used == 0) {
		int error = wait_for(fd, POLLIN, d);
		ssize_t n;
		const char *wrong;

		if (error == ETIMEDOUT)
			return "it does not answer: is it Arm's host server, "
			       "and has it no other client?";
		n = error == 0 ? recv(fd, bytes, sizeof(bytes), 0) : -1;
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n <= 0)
			return n < 0 ? strerror(errno)
				     : "the server closed the connection";
		text_add(in, bytes, (size_t)n);
		wrong = host_read_answer((const uint8_t *)in->data, in->len,
		    HOST_CONNECT_ID, &used, list);
		if (wrong != NULL)
			return wrong;
	}
	if (used != in->len)
		return "it answers what nobody asked";
	*len = used - HOST_HEADER;
	return NULL;
}

bool
host_greet(int fd, const struct host_options *options, const struct deadline *d,
    uint8_t *endpoint, struct text *err)
{
	struct text in = {0}, names = {0};
	const uint8_t *list = NULL;
	size_t len = 0;
	const char *wrong = ask_registry(fd, d, &in, &list, &len);

	if (wrong == NULL)
		wrong = host_find_service(
		    list, len, options->service, endpoint, &names);
	if (wrong != NULL)
		text_adds(err, wrong);
	else if (*endpoint == HOST_REGISTRY)
		text_addf(err, "it has no service %s (it has: %s): %s",
		    options->service, text_str(&names), START_SERVER);
	text_free(&in);
	text_free(&names);
	return wrong == NULL && *endpoint != HOST_REGISTRY;
}

int
host_connect(
    const struct host_options *options, uint8_t *endpoint, struct text *err)
{
	struct deadline d = deadline_in(options->limit_ms);
	struct host_address address;
	struct host_endpoints to;
	int fd, error;

	if (!host_address_parse(&address, options->address)) {
		text_adds(err, "not HOST:PORT, like localhost:62142");
		return -1;
	}
	if (!options->remote && !host_address_is_local(&address)) {
		text_adds(err, "not this machine");
		return -1;
	}
	if (!host_address_resolve(&address, &to, err))
		return -1;
	fd = connect_any(&to, &d, &error);
	if (fd < 0) {
		text_adds(err, strerror(error));
		if (error == ECONNREFUSED)
			text_adds(err, ": no server is there: " START_SERVER);
		return -1;
	}
	if (host_greet(fd, options, &d, endpoint, err))
		return fd;
	close(fd);
	return -1;
}
