/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/host_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* 1 to 65535, and nothing else. */
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
	/* Without brackets nobody knows where an address ends. */
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

static void
keep(struct host_endpoints *e, const char *host, const char *port, int flags,
    int *error)
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

bool
host_address_resolve(const struct host_address *a,
    struct host_endpoints *endpoints, struct text *err)
{
	int error = 0;

	endpoints->n = 0;
	if (strcasecmp(a->host, "localhost") == 0) {
		/* The server listens on the first of them. */
		keep(endpoints, "127.0.0.1", a->port, AI_NUMERICHOST, &error);
		keep(endpoints, "::1", a->port, AI_NUMERICHOST, &error);
		return true;
	}
	keep(endpoints, a->host, a->port,
	    host_address_is_local(a) ? AI_NUMERICHOST : 0, &error);
	if (error != 0)
		text_adds(err, gai_strerror(error));
	return error == 0;
}
