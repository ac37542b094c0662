/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client of Arm's host server: a queue of messages, and the questions whose
 * answers tell how much the server has handled. A server gives no other sign of
 * progress, as the kernel takes megabytes for it: so there are many questions.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/nsec.h"
#include "base/util.h"
#include "trace/host.h"

#define LOOK_MS 100 /* between two looks for a signal */

/* A question without an answer yet; ids are in order. */
struct question {
	uint64_t n_sent; /* batches that end before it */
};

struct host_client {
	int fd; /* -1: the connection broke */
	uint8_t endpoint;
	size_t queue, ask_after;
	nsec ask_ns;
	struct text out;        /* the queue */
	size_t out_sent;        /* bytes of it that were sent */
	struct text in;         /* received, from the start of an answer */
	struct question *asked; /* those from first_asked on wait */
	size_t first_asked, n_asked, cap_asked;
	uint64_t next_id, next_answer;
	size_t unasked;           /* bytes since the last question, */
	nsec asked_ns;            /* and its time */
	uint64_t n_sent, handled; /* batches */
	bool gone;                /* nothing more can be sent */
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

/* A server that reads all and answers nothing must not make the list grow. */
static void
ask_server(struct host_client *c)
{
	uint8_t header[HOST_HEADER];

	if (c->n_asked - c->first_asked >= HOST_MOST_ASKED)
		return;
	host_put_header(header, HOST_ASK, HOST_REGISTRY, c->next_id++, 0);
	text_add(&c->out, (const char *)header, sizeof(header));
	if (c->first_asked >= HOST_MOST_ASKED / 2) {
		c->n_asked -= c->first_asked;
		memmove(c->asked, c->asked + c->first_asked,
		    c->n_asked * sizeof(*c->asked));
		c->first_asked = 0;
	}
	c->asked = mem_grow(
	    c->asked, c->n_asked, &c->cap_asked, sizeof(*c->asked));
	c->asked[c->n_asked++] = (struct question){c->n_sent};
	c->unasked = 0;
	c->asked_ns = clock_wall();
}

struct host_client *
host_client_on(int fd, uint8_t endpoint, const struct host_options *options)
{
	struct host_client *c = mem_calloc(1, sizeof(*c));

	c->fd = fd;
	c->endpoint = endpoint;
	c->queue = options->queue;
	c->ask_after = options->ask_after;
	c->ask_ns = options->ask_ms * NSEC_PER_MSEC;
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

	while (c->fd >= 0 && !c->gone && c->out_sent < c->out.len) {
		ssize_t n = send(c->fd, c->out.data + c->out_sent,
		    c->out.len - c->out_sent, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n >= 0)
			c->out_sent += (size_t)n;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			break;
		else if (errno == EPIPE || errno == ECONNRESET)
			c->gone = true;
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
			    n == 0 || errno == ECONNRESET ? HOST_CLOSED
							  : strerror(errno));
			break;
		}
		any = true;
		text_add(&c->in, bytes, (size_t)n);
		take_answers(c);
	}
	return any;
}

/* Returns true if anything was sent or received. A server that has gone may
 * have answered before. */
static bool
host_exchange(struct host_client *c)
{
	bool sent = send_some(c) > 0, received = receive_some(c);

	if (c->gone && c->fd >= 0)
		break_connection(c, HOST_CLOSED);
	return received || sent;
}

void
host_client_work(struct host_client *c)
{
	if (c->fd < 0)
		return;
	if (c->unasked > 0 && clock_wall() - c->asked_ns >= c->ask_ns)
		ask_server(c);
	host_exchange(c);
}

bool
host_client_has_room(const struct host_client *c, size_t len)
{
	size_t waiting = c->out.len - c->out_sent;

	return waiting == 0 ||
	    (waiting <= c->queue && len <= c->queue - waiting);
}

/* Bytes of the message at the start; at most len. */
static size_t
message_size(const char *bytes, size_t len)
{
	uint32_t payload;

	if (len < HOST_HEADER)
		return len;
	payload = host_payload_size((const uint8_t *)bytes);
	return len - HOST_HEADER < payload ? len : HOST_HEADER + payload;
}

/* Queues messages, with questions between them. n_batches is added to n_sent
 * with the last one. */
static void
queue_messages(
    struct host_client *c, const char *bytes, size_t len, unsigned n_batches)
{
	for (size_t at = 0, size; at < len; at += size) {
		size = message_size(bytes + at, len - at);
		text_add(&c->out, bytes + at, size);
		c->unasked += size;
		if (at + size == len)
			c->n_sent += n_batches;
		if (c->unasked >= c->ask_after)
			ask_server(c);
	}
}

void
host_client_say(struct host_client *c, const void *messages, size_t len)
{
	if (c->fd >= 0)
		queue_messages(c, messages, len, 0);
}

void
host_client_push(struct host_client *c, const void *messages, size_t len)
{
	if (c->fd >= 0)
		queue_messages(c, messages, len, 1);
	else
		c->n_sent++;
}

bool
host_client_send(struct host_client *c, const void *messages, size_t len)
{
	if (!host_client_has_room(c, len))
		return false;
	host_client_push(c, messages, len);
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

/* Waits until something can be sent or read. Returns 0 after ms, -1 if a signal
 * came. */
static int
wait_to_move(const struct host_client *c, int ms)
{
	struct pollfd p;

	p.fd = host_client_poll(c, &p.events);
	return poll(&p, 1, ms);
}

enum host_wait
host_client_wait(struct host_client *c, size_t len, int stall_ms,
    const volatile sig_atomic_t *stop)
{
	struct deadline stall = deadline_in(stall_ms);

	while (c->fd >= 0 && !host_client_has_room(c, len)) {
		int left = deadline_left(&stall);

		if (*stop != 0)
			return HOST_SIGNALLED;
		if (left == 0)
			return HOST_STALLED;
		if (wait_to_move(c, left < LOOK_MS ? left : LOOK_MS) > 0 &&
		    host_exchange(c))
			stall = deadline_in(stall_ms);
	}
	return c->fd < 0 ? HOST_BROKEN : HOST_DONE;
}

enum host_wait
host_client_finish(struct host_client *c, int stall_ms, int limit_ms)
{
	struct deadline all = deadline_in(limit_ms);
	struct deadline stall = deadline_in(stall_ms);

	while (c->fd >= 0 && (c->unasked > 0 || c->first_asked < c->n_asked)) {
		int left = deadline_left(&all), moving = deadline_left(&stall);
		int moves;

		if (c->unasked > 0)
			ask_server(c);
		moves = wait_to_move(c, left < moving ? left : moving);
		if (moves < 0)
			return HOST_SIGNALLED;
		if (moves == 0)
			return left < moving ? HOST_TIMED_OUT : HOST_STALLED;
		if (host_exchange(c))
			stall = deadline_in(stall_ms);
	}
	return c->fd < 0 ? HOST_BROKEN : HOST_DONE;
}

void
host_client_break(struct host_client *c, const char *why)
{
	if (c->fd >= 0)
		break_connection(c, why);
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
