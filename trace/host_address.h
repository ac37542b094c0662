/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HOST:PORT, and what it stands for. */
#ifndef TRACE_HOST_ADDRESS_H
#define TRACE_HOST_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

struct text;

#define HOST_NAME_MAX_LEN 255
#define HOST_ADDRESSES    4 /* of a name, that are tried */

struct host_address {
	char host[HOST_NAME_MAX_LEN + 1];
	char port[6];
};

/* "localhost:62142", "127.0.0.1:62142", "[::1]:62142". False: it is not. */
bool host_address_parse(struct host_address *a, const char *text);
/* Is it this machine itself: localhost, 127.x.x.x or ::1? Asks nobody. */
bool host_address_is_local(const struct host_address *a);

struct host_endpoints {
	struct sockaddr_storage list[HOST_ADDRESSES];
	socklen_t lens[HOST_ADDRESSES];
	unsigned n;
};

/* Asks the resolver for a name that is not local. False and a text: there is
 * no such host. */
bool host_address_resolve(const struct host_address *a,
    struct host_endpoints *endpoints, struct text *err);

#endif
