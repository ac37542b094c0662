/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The beginning of a connection to Arm's host server, within a time limit:
 * reads HOST:PORT, resolves and connects, and asks for the service's endpoint.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/nsec.h"
#include "trace/host.h"

#define HOST_ADDRESSES 4 /* of a name, that are tried */

struct host_endpoints {
	struct sockaddr_storage list[HOST_ADDRESSES];
	socklen_t lens[HOST_ADDRESSES];
	unsigned n;
};

#define START_SERVER "start it with `lgl_host_server.py -A PORT -T FILE`"

/* True for 1 to 65535, in digits only. */
static bool
is_port(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n > 0 && n <= 5 && s[n] == '\0' && *s != '0' &&
	    strtoul(s, NULL, 10) <= 65535;
}

bool
host_address_parse(struct host_address *a, const char *text)
{
	const char *colon = strrchr(text, ':');
	size_t len;
	bool brackets;

	if (colon == NULL || !is_port(colon + 1))
		return false;
	len = (size_t)(colon - text);
	brackets = len > 2 && text[0] == '[' && text[len - 1] == ']';
	if (brackets) {
		text++;
		len -= 2;
	}
	if (len == 0 || len > HOST_NAME_MAX_LEN)
		return false;
	memcpy(a->host, text, len);
	a->host[len] = '\0';
	strcpy(a->port, colon + 1);
	/* Only in brackets is it clear where an IPv6 address ends. */
	return brackets == (strchr(a->host, ':') != NULL) &&
	    strpbrk(a->host, "[]/ ") == NULL;
}

bool
host_address_is_local(const struct host_address *a)
{
	struct in_addr v4;
	struct in6_addr v6;

	if (strcasecmp(a->host, "localhost") == 0)
		return true;
	if (inet_pton(AF_INET, a->host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return inet_pton(AF_INET6, a->host, &v6) == 1 &&
	    IN6_IS_ADDR_LOOPBACK(&v6);
}

/* Adds the addresses of a host; *error is that of getaddrinfo(). */
static void
add_endpoints(struct host_endpoints *e, const char *host, const char *port,
    int flags, int *error)
{
	const struct addrinfo hints = {
	    .ai_flags = AI_NUMERICSERV | flags, .ai_socktype = SOCK_STREAM};
	struct addrinfo *list, *i;

	*error = getaddrinfo(host, port, &hints, &list);
	if (*error != 0)
		return;
	for (i = list; i != NULL && e->n < HOST_ADDRESSES; i = i->ai_next) {
		if (i->ai_addrlen > sizeof(e->list[0]))
			continue;
		memcpy(&e->list[e->n], i->ai_addr, i->ai_addrlen);
		e->lens[e->n++] = i->ai_addrlen;
	}
	freeaddrinfo(list);
}

/* Asks the resolver, unless the host is local. False with a text in err: there
 * is no such host. */
static bool
host_address_resolve(const struct host_address *a,
    struct host_endpoints *endpoints, struct text *err)
{
	int error = 0;

	endpoints->n = 0;
	if (strcasecmp(a->host, "localhost") == 0) {
		/* The server listens on the first one. */
		add_endpoints(
		    endpoints, "127.0.0.1", a->port, AI_NUMERICHOST, &error);
		add_endpoints(
		    endpoints, "::1", a->port, AI_NUMERICHOST, &error);
		return true;
	}
	add_endpoints(endpoints, a->host, a->port,
	    host_address_is_local(a) ? AI_NUMERICHOST : 0, &error);
	if (error != 0)
		text_adds(err, gai_strerror(error));
	return error == 0;
}

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

/* Waits for events on fd. Returns 0 or an errno. */
static int
wait_for_socket(int fd, short events, const struct deadline *d)
{
	struct pollfd p = {.fd = fd, .events = events};
	int n;

	do
		n = poll(&p, 1, deadline_left(d));
	while (n < 0 && errno == EINTR && deadline_left(d) > 0);
	return n > 0 ? 0 : n == 0 ? ETIMEDOUT : errno;
}

/* Returns a connected socket, or -1 with an errno in *error. */
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
		*error = wait_for_socket(fd, POLLOUT, d);
		if (*error == 0 &&
		    getsockopt(fd, SOL_SOCKET, SO_ERROR, error, &size) != 0)
			*error = errno;
	}
	if (*error == 0)
		return fd;
	close(fd);
	return -1;
}

/* Tries one address after the other. Reports the first error: localhost is
 * 127.0.0.1 before it is ::1. */
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

/* Asks the registry for its list of services. NULL: *list (*len bytes) points
 * into in. Else what is wrong. */
static const char *
ask_registry(int fd, const struct deadline *d, struct text *in,
    const uint8_t **list, size_t *len)
{
	uint8_t question[HOST_HEADER];
	char bytes[4096];
	size_t used = 0;

	/* The buffer of a new connection has room for this. */
	host_put_header(question, HOST_ASK, HOST_REGISTRY, HOST_CONNECT_ID, 0);
	if (send(fd, question, sizeof(question), MSG_NOSIGNAL) !=
	    sizeof(question))
		return strerror(errno);
	while (used == 0) {
		int error = wait_for_socket(fd, POLLIN, d);
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
		return "the server sends answers without a question";
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
