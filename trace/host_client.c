/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/host_client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "trace/host_connect.h"
#include "trace/host_protocol.h"

/* A question that waits for its answer; ids are in order. */
struct question {
	uint64_t told; /* batches before it */
};

struct host_client {
	int fd; /* -1: broken */
	uint8_t endpoint;
	size_t queue, ask_after;
	struct text out; /* from sent on it waits */
	size_t sent;
	struct text in;         /* answers, from their beginning */
	struct question *asked; /* from first_asked on they wait */
	size_t first_asked, n_asked, cap_asked;
	uint64_t next_id, next_answer;
	size_t unasked; /* bytes since the last question */
	uint64_t told, handled;
	uint64_t asked_of; /* told before the last question */
	struct text problem;
};

static void
broken(struct host_client *c, const char *why)
{
	text_adds(&c->problem, why);
	close(c->fd);
	c->fd = -1;
	text_free(&c->out);
	c->sent = 0;
}

/* No more questions wait than this: a server that takes all
 * and answers nothing would have us remember ever more of them. */
#define MAX_ASKED 1024

static void
ask(struct host_client *c)
{
	uint8_t header[HOST_HEADER];

	if (c->n_asked - c->first_asked >= MAX_ASKED)
		return;

	host_put_header(header, HOST_ASK, HOST_REGISTRY, c->next_id++, 0);
	text_add(&c->out, (const char *)header, sizeof(header));
	if (c->first_asked >= MAX_ASKED / 2) {
		c->n_asked -= c->first_asked;
		memmove(c->asked, c->asked + c->first_asked,
		    c->n_asked * sizeof(*c->asked));
		c->first_asked = 0;
	}
	c->asked = mem_grow(
	    c->asked, c->n_asked, &c->cap_asked, sizeof(*c->asked));
	c->asked[c->n_asked++] = (struct question){c->told};
	c->unasked = 0;
	c->asked_of = c->told;
}

struct host_client *
host_client_on(int fd, uint8_t endpoint, const struct host_options *options)
{
	struct host_client *c = mem_calloc(1, sizeof(*c));

	c->fd = fd;
	c->endpoint = endpoint;
	c->queue = options->queue;
	c->ask_after = options->ask_after;
	/* The first was the one of host_connect(). */
	c->next_id = c->next_answer = HOST_CONNECT_ID + 1;
	return c;
}

struct host_client *
host_client_open(const struct host_options *options, struct text *err)
{
	uint8_t endpoint;
	int fd = host_connect(options, &endpoint, err);

	return fd >= 0 ? host_client_on(fd, endpoint, options) : NULL;
}

void
host_client_close(struct host_client *c)
{
	if (c == NULL)
		return;
	if (c->fd >= 0)
		close(c->fd);
	text_free(&c->out);
	text_free(&c->in);
	text_free(&c->problem);
	free(c->asked);
	free(c);
}

uint8_t
host_client_endpoint(const struct host_client *c)
{
	return c->endpoint;
}

/* What was sent goes, once that is no more work than what is left. */
static void
forget_sent(struct host_client *c)
{
	if (c->sent < c->out.len - c->sent)
		return;
	memmove(c->out.data, c->out.data + c->sent, c->out.len - c->sent);
	c->out.len -= c->sent;
	c->sent = 0;
}

/* The number of bytes that went. */
static size_t
send_some(struct host_client *c)
{
	size_t before = c->sent;

	while (c->fd >= 0 && c->sent < c->out.len) {
		ssize_t n = send(c->fd, c->out.data + c->sent,
		    c->out.len - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n >= 0)
			c->sent += (size_t)n;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			break;
		else if (errno == EPIPE || errno == ECONNRESET)
			broken(c, "the server closed the connection");
		else if (errno != EINTR)
			broken(c, strerror(errno));
	}
	if (c->fd < 0)
		return 0;
	before = c->sent - before;
	forget_sent(c);
	return before;
}

/* Whole answers at the beginning of what was received. */
static void
take_answers(struct host_client *c)
{
	size_t at = 0, used = 1;

	while (at < c->in.len && used > 0) {
		const uint8_t *payload;
		const char *wrong = host_read_answer(
		    (const uint8_t *)c->in.data + at, c->in.len - at,
		    c->next_answer, &used, &payload);

		if (wrong == NULL && c->first_asked == c->n_asked)
			wrong = "it answers what nobody asked";
		if (wrong != NULL) {
			broken(c, wrong);
			return;
		}
		if (used == 0)
			break;
		c->handled = c->asked[c->first_asked++].told;
		c->next_answer++;
		at += used;
	}
	memmove(c->in.data, c->in.data + at, c->in.len - at);
	c->in.len -= at;
}

/* Has anything come? */
static bool
receive_some(struct host_client *c)
{
	char bytes[4096];
	bool any = false;

	while (c->fd >= 0) {
		ssize_t n = recv(c->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			break;
		if (n <= 0) {
			broken(c,
			    n == 0 || errno == ECONNRESET
				? "the server closed the connection"
				: strerror(errno));
			break;
		}
		any = true;
		text_add(&c->in, bytes, (size_t)n);
		take_answers(c);
	}
	return any;
}

/* Has anything moved? */
static bool
work(struct host_client *c)
{
	bool sent = send_some(c) > 0;

	return receive_some(c) || sent;
}

void
host_client_work(struct host_client *c)
{
	if (c->fd >= 0)
		work(c);
}

bool
host_client_has_room(const struct host_client *c, size_t len)
{
	size_t waiting = c->out.len - c->sent;

	return waiting == 0 ||
	    (waiting <= c->queue && len <= c->queue - waiting);
}

bool
host_client_tell(struct host_client *c, const void *messages, size_t len)
{
	if (!host_client_has_room(c, len))
		return false;
	c->told++;
	if (c->fd < 0)
		return true;
	text_add(&c->out, messages, len);
	c->unasked += len;
	if (c->unasked >= c->ask_after)
		ask(c);
	return true;
}

int
host_client_poll(const struct host_client *c, short *events)
{
	*events = POLLIN;
	if (c->sent < c->out.len)
		*events |= POLLOUT;
	return c->fd;
}

/* Waits until something can move: 0 if that took too long, or a signal came. */
static bool
wait_to_move(const struct host_client *c, int ms)
{
	struct pollfd p;

	p.fd = host_client_poll(c, &p.events);
	return poll(&p, 1, ms) > 0;
}

bool
host_client_finish(struct host_client *c, int stall_ms, int limit_ms)
{
	struct deadline all = deadline_in(limit_ms);
	struct deadline stall = deadline_in(stall_ms);

	if (c->fd >= 0)
		ask(c);
	while (c->fd >= 0 && c->handled < c->told) {
		int left = deadline_left(&all), moving = deadline_left(&stall);

		if (c->asked_of < c->told)
			ask(c);
		if (!wait_to_move(c, left < moving ? left : moving))
			return false;
		if (work(c))
			stall = deadline_in(stall_ms);
	}
	return c->fd >= 0;
}

const char *
host_client_problem(const struct host_client *c)
{
	return c->fd < 0 ? text_str(&c->problem) : NULL;
}

uint64_t
host_client_told(const struct host_client *c)
{
	return c->told;
}

uint64_t
host_client_handled(const struct host_client *c)
{
	return c->handled;
}
