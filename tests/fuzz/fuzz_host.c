/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers of Arm's host server: any bytes are answers or a reason to leave, in the
 * beginning and later, in whatever pieces they come. An answer never handles more
 * messages than were asked about.
 *
 * The first byte is the length of the answer in the beginning; then come pieces
 * with their length in a byte.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "trace/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A piece with its length in front of it is sent. */
static void
send_piece(int fd, const uint8_t **data, size_t *size)
{
	size_t n = **data;

	++*data;
	if (n > --*size)
		n = *size;
	/* The other side may have gone. */
	if (n > 0)
		send(fd, *data, n, MSG_NOSIGNAL);
	*data += n;
	*size -= n;
}

static void
talk(int fd, struct host_client *c, const uint8_t *data, size_t size)
{
	while (size > 0) {
		uint64_t before = host_client_handled(c);
		bool broken = host_client_problem(c) != NULL;

		if (!host_client_send(c, "message", 7) && broken)
			abort();
		send_piece(fd, &data, &size);
		host_client_work(c);
		if (host_client_handled(c) < before ||
		    host_client_handled(c) > host_client_sent(c) ||
		    (broken && host_client_problem(c) == NULL))
			abort();
	}
	shutdown(fd, SHUT_WR);
	if (host_client_finish(c, 0, 0) == HOST_DONE &&
	    host_client_handled(c) != host_client_sent(c))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct host_options options = {
	    .service = "GPUTimeline", .queue = 100, .ask_after = 20};
	struct deadline now = deadline_in(0);
	struct text err = {0};
	uint8_t endpoint;
	int fds[2];

	if (size == 0)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) != 0)
		abort();
	send_piece(fds[1], &data, &size);
	if (host_greet(fds[0], &options, &now, &endpoint, &err)) {
		struct host_client *c = host_client_on(
		    fds[0], endpoint, &options);

		if (err.len > 0 || endpoint == 0)
			abort();
		talk(fds[1], c, data, size);
		host_client_close(c);
	} else {
		if (err.len == 0)
			abort();
		close(fds[0]);
	}
	close(fds[1]);
	text_free(&err);
	return 0;
}
