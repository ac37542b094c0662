/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * poll(2), select(2), epoll_wait(2) and sigsuspend(2) in virtual time: the thread looks at its
 * descriptors without waiting, and waits for its next turn, which comes when
 * something has happened that it may see, or at its deadline.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/preload/dma_buf.h"
#include "device/preload/looks.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"

#define NS_PER_US     1000
#define NS_PER_MS     1000000
#define MS_PER_SECOND 1000

int
look_until(
    uint64_t deadline_ns, const sigset_t *mask, look_fn *look, void *data)
{
	int n = look(data, mask), rc = 0;

	if (n != 0 || !turn_taking || deadline_ns <= turn_now())
		return n;
	for (bool again = false; n == 0 && rc == 0 && turn_taking;
	     again = true) {
		rc = turn_wait_news(again, deadline_ns, mask);
		if (rc != -EINTR)
			n = look(data, mask);
	}
	turn_wakes_up();
	if (rc == -EINTR) {
		errno = EINTR;
		return -1;
	}
	return n;
}

/* Looks once, or as long as the time says. */
static int
look_for(
    const struct timespec *t, const sigset_t *mask, look_fn *look, void *data)
{
	if (t == NULL)
		return look_until(WIRE_NEVER, mask, look, data);
	if (t->tv_sec == 0 && t->tv_nsec == 0) {
		turn_idle();
		return look(data, mask);
	}
	return look_until(turn_after(t), mask, look, data);
}

static int
look_for_ms(int ms, const sigset_t *mask, look_fn *look, void *data)
{
	struct timespec t = {
	    ms / MS_PER_SECOND, (long)(ms % MS_PER_SECOND) * NS_PER_MS};

	return look_for(ms < 0 ? NULL : &t, mask, look, data);
}

/* poll(2). */

struct poll_look {
	struct pollfd *fds;
	nfds_t n;
};

static int
look_poll(void *data, const sigset_t *mask)
{
	const struct poll_look *p = data;
	const struct timespec none = {0};

	return real()->ppoll(p->fds, p->n, &none, mask);
}

/* Returns when a read of the socket ends without data (SO_RCVTIMEO). */
static uint64_t
end_of_read(int fd)
{
	struct timeval tv = {0};
	socklen_t len = sizeof tv;
	struct timespec t;
	int e = errno;

	getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, &len);
	errno = e;
	t = (struct timespec){tv.tv_sec, tv.tv_usec * NS_PER_US};
	return tv.tv_sec == 0 && tv.tv_usec == 0 ? WIRE_NEVER : turn_after(&t);
}

bool
look_at_descriptor(int fd, short events)
{
	struct pollfd one = {.fd = fd, .events = events};
	struct poll_look look = {&one, 1};
	int n;

	if (look_poll(&look, NULL) != 0 ||
	    (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0)
		return true;
	n = look_until(end_of_read(fd), NULL, look_poll, &look);
	if (n == 0)
		errno = EAGAIN;
	return n > 0;
}

int
poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct poll_look look = {fds, n};
	struct dma_buf_poll p;
	int result;

	if (!turn_taking) {
		result = real()->poll(dma_buf_poll(&p, fds, n), n, ms);
		dma_buf_polled(&p);
		return result;
	}
	return look_for_ms(ms, NULL, look_poll, &look);
}

int
ppoll(struct pollfd *fds, nfds_t n, const struct timespec *t,
    const sigset_t *mask)
{
	struct poll_look look = {fds, n};
	struct dma_buf_poll p;
	int result;

	if (!turn_taking) {
		result = real()->ppoll(dma_buf_poll(&p, fds, n), n, t, mask);
		dma_buf_polled(&p);
		return result;
	}
	return look_for(t, mask, look_poll, &look);
}

int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *t,
    const sigset_t *mask, size_t room);

int
__poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room)
{
	(void)room;
	return poll(fds, n, ms);
}

int
__ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *t,
    const sigset_t *mask, size_t room)
{
	(void)room;
	return ppoll(fds, n, t, mask);
}

/* Signals. */

int
sigsuspend(const sigset_t *mask)
{
	struct poll_look look = {NULL, 0};

	if (!turn_taking)
		return real()->sigsuspend(mask);
	return look_until(WIRE_NEVER, mask, look_poll, &look);
}

int
pause(void)
{
	struct poll_look look = {NULL, 0};

	if (!turn_taking)
		return real()->pause();
	return look_until(WIRE_NEVER, NULL, look_poll, &look);
}

/* select(2). */

struct select_look {
	int n;
	fd_set *sets[3]; /* the caller's */
	fd_set asked[3];
};

static int
look_select(void *data, const sigset_t *mask)
{
	struct select_look *s = data;
	const struct timespec none = {0};

	for (int i = 0; i < 3; i++)
		if (s->sets[i] != NULL)
			*s->sets[i] = s->asked[i];
	return real()->pselect(
	    s->n, s->sets[0], s->sets[1], s->sets[2], &none, mask);
}

int
pselect(int n, fd_set *restrict in, fd_set *restrict out,
    fd_set *restrict other, const struct timespec *restrict t,
    const sigset_t *restrict mask)
{
	struct select_look look = {n, {in, out, other}, {{{0}}}};

	if (!turn_taking)
		return real()->pselect(n, in, out, other, t, mask);
	for (int i = 0; i < 3; i++)
		if (look.sets[i] != NULL)
			look.asked[i] = *look.sets[i];
	return look_for(t, mask, look_select, &look);
}

int
select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
    struct timeval *restrict tv)
{
	struct timespec t = {0};

	if (!turn_taking)
		return real()->select(n, in, out, other, tv);
	if (tv != NULL)
		t = (struct timespec){tv->tv_sec, tv->tv_usec * 1000};
	return pselect(n, in, out, other, tv != NULL ? &t : NULL, NULL);
}

/* epoll_wait(2). */

struct epoll_look {
	struct epoll_event *events;
	int fd, max;
};

static int
look_epoll(void *data, const sigset_t *mask)
{
	const struct epoll_look *e = data;

	return real()->epoll_pwait(e->fd, e->events, e->max, 0, mask);
}

int
epoll_pwait(
    int fd, struct epoll_event *events, int max, int ms, const sigset_t *mask)
{
	struct epoll_look look = {events, fd, max};

	if (!turn_taking)
		return real()->epoll_pwait(fd, events, max, ms, mask);
	return look_for_ms(ms, mask, look_epoll, &look);
}

int
epoll_wait(int fd, struct epoll_event *events, int max, int ms)
{
	if (!turn_taking)
		return real()->epoll_wait(fd, events, max, ms);
	return epoll_pwait(fd, events, max, ms, NULL);
}

int
epoll_pwait2(int fd, struct epoll_event *events, int max,
    const struct timespec *t, const sigset_t *mask)
{
	struct epoll_look look = {events, fd, max};

	if (!turn_taking)
		return real()->epoll_pwait2(fd, events, max, t, mask);
	return look_for(t, mask, look_epoll, &look);
}
