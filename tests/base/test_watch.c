/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watching descriptors: who is called, and who no longer after a removal. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/watch.h"
#include "tests/runner/test.h"

#define N 200

struct end {
	struct fd_watch watch;
	struct fd_watches *ws;
	struct end *victim; /* removed when this one is ready */
	unsigned calls;
	uint32_t events;
	int other;
};

static void
on_ready(struct fd_watch *w, uint32_t events)
{
	struct end *e = (struct end *)w; /* its first member */
	char byte;

	e->calls++;
	e->events = events;
	if (events & EPOLLIN)
		assert_true(read(w->fd, &byte, 1) >= 0);
	if (e->victim != NULL)
		watches_remove(e->ws, &e->victim->watch);
}

static void
open_end(struct fd_watches *ws, struct end *e)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	*e = (struct end){.watch = {.fd = pair[0], .ready = on_ready},
	    .ws = ws,
	    .other = pair[1]};
	assert_true(watches_add(ws, &e->watch, EPOLLIN));
}

static void
close_end(struct end *e)
{
	watches_remove(e->ws, &e->watch);
	close(e->watch.fd);
	close(e->other);
}

static bool
is_readable(const struct fd_watches *ws)
{
	struct pollfd p = {.fd = watches_fd(ws), .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

TEST(ready)
{
	struct fd_watches *ws = watches_new();
	struct end ends[N];

	for (int i = 0; i < N; i++)
		open_end(ws, &ends[i]);
	assert_false(is_readable(ws));
	assert_int_equal(watches_work(ws, 1000), 0);
	for (int i = 0; i < N; i++)
		assert_int_equal(write(ends[i].other, "x", 1), 1);
	assert_true(is_readable(ws));
	assert_int_equal(watches_work(ws, 70), 70);
	assert_int_equal(watches_work(ws, 1000), N - 70);
	for (int i = 0; i < N; i++)
		assert_int_equal(ends[i].calls, 1);
	/* A hangup is reported until its watch is removed. */
	close(ends[7].other);
	assert_int_equal(watches_work(ws, 2), 2);
	assert_true((ends[7].events & EPOLLHUP) != 0);
	ends[7].other = dup(ends[8].other);
	for (int i = 0; i < N; i++)
		close_end(&ends[i]);
	watches_free(ws);
}

/* An event that was read before its watch was removed reaches no watch, and not
 * the watch that took the slot since. */
TEST(removed)
{
	struct fd_watches *ws = watches_new();
	struct end a, b, c;

	open_end(ws, &a);
	open_end(ws, &b);
	a.victim = &b;
	b.victim = &a;
	assert_int_equal(write(a.other, "x", 1), 1);
	assert_int_equal(write(b.other, "x", 1), 1);
	watches_work(ws, 10);
	assert_int_equal(a.calls + b.calls, 1);
	open_end(ws, &c);
	assert_int_equal(watches_work(ws, 10), 0);
	assert_int_equal(write(c.other, "x", 1), 1);
	watches_work(ws, 10);
	assert_int_equal(c.calls, 1);
	close_end(&a);
	close_end(&b);
	close_end(&c);
	watches_free(ws);
}

TEST(change)
{
	struct fd_watches *ws = watches_new();
	struct end a;

	open_end(ws, &a);
	watches_change(ws, &a.watch, EPOLLOUT);
	assert_int_equal(watches_work(ws, 1), 1);
	assert_int_equal(a.events, EPOLLOUT);
	watches_change(ws, &a.watch, 0);
	assert_int_equal(watches_work(ws, 1), 0);
	close_end(&a);
	watches_free(ws);
}

/* A regular file cannot be waited for. */
TEST(refused)
{
	struct fd_watches *ws = watches_new();
	struct fd_watch w = {.fd = -1, .ready = on_ready};
	struct end a;

	assert_false(watches_add(ws, &w, EPOLLIN));
	assert_int_equal(errno, EBADF);
	watches_remove(ws, &w);
	open_end(ws, &a);
	close_end(&a);
	watches_free(ws);
}
