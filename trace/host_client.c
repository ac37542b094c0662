/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client of Arm's host server: its wire protocol, then a queue of messages
 * and the questions whose answers tell how much the server has handled.
 */
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "trace/host.h"

#define ENTRY 5 /* bytes of a service in the list, before its name */

static uint32_t
get_u32(const uint8_t *at)
{
	uint32_t n;

	memcpy(&n, at, sizeof(n));
	return le32toh(n);
}

static uint64_t
get_u64(const uint8_t *at)
{
	uint64_t n;

	memcpy(&n, at, sizeof(n));
	return le64toh(n);
}

void
host_put_header(uint8_t at[HOST_HEADER], enum host_type type, uint8_t endpoint,
    uint64_t id, uint32_t size)
{
	at[0] = (uint8_t)type;
	at[1] = endpoint;
	id = htole64(id);
	memcpy(at + 2, &id, sizeof(id));
	size = htole32(size);
	memcpy(at + 10, &size, sizeof(size));
}

/* Checks as much of a header as there is, so that what is no answer shows at
 * its first byte. */
static const char *
check_header(const uint8_t *data, size_t len, uint64_t id)
{
	if (len > 0 && data[0] != HOST_ASK)
		return "invalid answer from the server";
	if (len > 1 && data[1] != HOST_REGISTRY)
		return "the server's answer names another endpoint";
	if (len >= 10 && get_u64(data + 2) != id)
		return "the server's answer is to another question";
	if (len >= HOST_HEADER && get_u32(data + 10) > HOST_ANSWER_MAX)
		return "the server's answer is too long";
	return NULL;
}

const char *
host_read_answer(const uint8_t *data, size_t len, uint64_t id, size_t *used,
    const uint8_t **payload)
{
	const char *wrong = check_header(data, len, id);
	size_t size;

	*used = 0;
	*payload = NULL;
	if (wrong != NULL || len < HOST_HEADER)
		return wrong;
	size = get_u32(data + 10);
	if (len - HOST_HEADER < size)
		return NULL;
	*used = HOST_HEADER + size;
	*payload = data + HOST_HEADER;
	return NULL;
}

const char *
host_find_service(const uint8_t *list, size_t len, const char *name,
    uint8_t *endpoint, struct text *names)
{
	size_t wanted = strlen(name);

	*endpoint = HOST_REGISTRY;
	while (len > 0) {
		const char *at = (const char *)list + ENTRY;
		size_t n;

		if (len < ENTRY)
			return "the server's list of services ends in an entry";
		n = get_u32(list + 1);
		if (len - ENTRY < n)
			return "the server's list of services ends in a name";
		if (n == wanted && memcmp(at, name, n) == 0)
			*endpoint = list[0];
		if (names->len > 0)
			text_adds(names, ", ");
		text_add_visible(names, at, n);
		list += ENTRY + n;
		len -= ENTRY + n;
	}
	return NULL;
}

/* A question without an answer yet; ids are in order. */
struct question {
	uint64_t n_sent; /* batches before it */
};

struct host_client {
	int fd; /* -1: the connection broke */
	uint8_t endpoint;
	size_t queue, ask_after;
	struct text out;        /* the queue */
	size_t out_sent;        /* bytes of it that were sent */
	struct text in;         /* received, from the start of an answer */
	struct question *asked; /* those from first_asked on wait */
	size_t first_asked, n_asked, cap_asked;
	uint64_t next_id, next_answer;
	size_t unasked;           /* bytes since the last question */
	uint64_t n_sent, handled; /* batches */
	uint64_t asked_of;        /* n_sent at the last question */
	struct text problem;
};

/* Closes a connection that failed; why is part of a sentence. */
static void
break_connection(struct host_client *c, const char *why)
{
	text_adds(&c->problem, why);
	close(c->fd);
	c->fd = -1;
	text_free(&c->out);
	c->out_sent = 0;
}

/* Most questions that wait. A server that reads all and answers nothing must
 * not make the list grow. */
#define MAX_ASKED 1024

static void
ask_server(struct host_client *c)
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
	c->asked[c->n_asked++] = (struct question){c->n_sent};
	c->unasked = 0;
	c->asked_of = c->n_sent;
}

struct host_client *
host_client_on(int fd, uint8_t endpoint, const struct host_options *options)
{
	struct host_client *c = mem_calloc(1, sizeof(*c));

	c->fd = fd;
	c->endpoint = endpoint;
	c->queue = options->queue;
	c->ask_after = options->ask_after;
	/* host_connect() has asked the first one. */
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

/* Drops what was sent from the queue, once as much was sent as is left: moving
 * it is amortized then. */
static void
forget_sent(struct host_client *c)
{
	if (c->out_sent < c->out.len - c->out_sent)
		return;
	memmove(
	    c->out.data, c->out.data + c->out_sent, c->out.len - c->out_sent);
	c->out.len -= c->out_sent;
	c->out_sent = 0;
}

/* Returns the number of bytes sent. */
static size_t
send_some(struct host_client *c)
{
	size_t before = c->out_sent;

	while (c->fd >= 0 && c->out_sent < c->out.len) {
		ssize_t n = send(c->fd, c->out.data + c->out_sent,
		    c->out.len - c->out_sent, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n >= 0)
			c->out_sent += (size_t)n;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			break;
		else if (errno == EPIPE || errno == ECONNRESET)
			break_connection(c, "the server closed the connection");
		else if (errno != EINTR)
			break_connection(c, strerror(errno));
	}
	if (c->fd < 0)
		return 0;
	before = c->out_sent - before;
	forget_sent(c);
	return before;
}

/* Takes the complete answers from what was received. */
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
			wrong = "the server sends answers without a question";
		if (wrong != NULL) {
			break_connection(c, wrong);
			return;
		}
		if (used == 0)
			break;
		c->handled = c->asked[c->first_asked++].n_sent;
		c->next_answer++;
		at += used;
	}
	memmove(c->in.data, c->in.data + at, c->in.len - at);
	c->in.len -= at;
}

/* Returns true if anything was received. */
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
			break_connection(c,
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

/* Returns true if anything was sent or received. */
static bool
host_exchange(struct host_client *c)
{
	bool sent = send_some(c) > 0;

	return receive_some(c) || sent;
}

void
host_client_work(struct host_client *c)
{
	if (c->fd >= 0)
		host_exchange(c);
}

bool
host_client_has_room(const struct host_client *c, size_t len)
{
	size_t waiting = c->out.len - c->out_sent;

	return waiting == 0 ||
	    (waiting <= c->queue && len <= c->queue - waiting);
}

bool
host_client_send(struct host_client *c, const void *messages, size_t len)
{
	if (!host_client_has_room(c, len))
		return false;
	c->n_sent++;
	if (c->fd < 0)
		return true;
	text_add(&c->out, messages, len);
	c->unasked += len;
	if (c->unasked >= c->ask_after)
		ask_server(c);
	return true;
}

int
host_client_poll(const struct host_client *c, short *events)
{
	*events = POLLIN;
	if (c->out_sent < c->out.len)
		*events |= POLLOUT;
	return c->fd;
}

/* Waits until something can be sent or read. False after ms, or if a signal
 * came. */
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
		ask_server(c);
	while (c->fd >= 0 && c->handled < c->n_sent) {
		int left = deadline_left(&all), moving = deadline_left(&stall);

		if (c->asked_of < c->n_sent)
			ask_server(c);
		if (!wait_to_move(c, left < moving ? left : moving))
			return false;
		if (host_exchange(c))
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
host_client_sent(const struct host_client *c)
{
	return c->n_sent;
}

uint64_t
host_client_handled(const struct host_client *c)
{
	return c->handled;
}
