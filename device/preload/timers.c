/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers (timerfd_create(2)) in virtual time: the device has them. */
#include "device/preload/timers.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include "device/preload/connection.h"
#include "device/preload/files.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"
#include "device/wire/mark.h"

static _Atomic bool made;

static bool
is_timer(int fd, struct wire_mark *mark)
{
	return made && wire_mark_of(fd, mark) && mark->kind == MARK_TIMER;
}

int
timerfd_create(int clock, int flags)
{
	struct call c = {.rq = {.kind = WIRE_TIMER_NEW}};
	int fd;

	/* The kernel knows which clocks and flags there are. */
	fd = real()->timerfd_create(clock, flags);
	if (!turn_taking || fd < 0)
		return fd;
	real_close(fd);
	fd = files_result(&c, connection_call(&c));
	if (fd < 0)
		return fd;
	made = true;
	if ((flags & TFD_NONBLOCK) != 0)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	if ((flags & TFD_CLOEXEC) == 0)
		fcntl(fd, F_SETFD, 0);
	return fd;
}

/* Converts to what is left of a timer. */
static struct itimerspec
timer_left(const struct wire_timer *t)
{
	uint64_t now = turn_now();
	struct itimerspec left = {.it_interval = turn_timespec(t->interval_ns)};

	if (t->at_ns != 0)
		left.it_value = turn_timespec(
		    t->at_ns > now ? t->at_ns - now : 1);
	return left;
}

/* Converts to a timer that is to be set. */
static struct wire_timer
timer_to_set(bool absolute, const struct itimerspec *t)
{
	uint64_t interval = turn_after(&t->it_interval) - turn_now();
	struct wire_timer set = {.interval_ns = interval};

	if (t->it_value.tv_sec == 0 && t->it_value.tv_nsec == 0)
		return set;
	set.at_ns = absolute ? turn_at_any(&t->it_value)
			     : turn_after(&t->it_value);
	if (set.at_ns == 0)
		set.at_ns = 1;
	return set;
}

int
timers_get(uint64_t token, struct itimerspec *left)
{
	struct wire_timer is = {0};
	struct call c = {.rq = {.kind = WIRE_TIMER, .token = token},
	    .back = &is,
	    .back_size = sizeof is};
	int rc = connection_call(&c);

	if (rc == 0)
		*left = timer_left(&is);
	return rc;
}

int
timers_set(uint64_t token, bool absolute, const struct itimerspec *t,
    struct itimerspec *old)
{
	struct wire_timer set, was = {0};
	struct call c = {
	    .rq = {.kind = WIRE_TIMER, .token = token, .size = sizeof set},
	    .arg = &set,
	    .back = &was,
	    .back_size = sizeof was};
	int rc;

	if (!turn_is_time(&t->it_value) || !turn_is_time(&t->it_interval))
		return -EINVAL;
	set = timer_to_set(absolute, t);
	rc = connection_call(&c);
	if (rc == 0 && old != NULL)
		*old = timer_left(&was);
	return rc;
}

int
timers_result(int rc)
{
	if (rc >= 0)
		return rc;
	errno = -rc;
	return -1;
}

int
timerfd_settime(
    int fd, int flags, const struct itimerspec *t, struct itimerspec *old)
{
	struct wire_mark mark;
	char byte;
	int rc;

	if (!turn_taking || !is_timer(fd, &mark))
		return real()->timerfd_settime(fd, flags, t, old);
	rc = timers_set(mark.token, (flags & TFD_TIMER_ABSTIME) != 0, t, old);
	/* Forgets expirations of before. */
	if (rc == 0)
		recv(fd, &byte, 1, MSG_DONTWAIT);
	return timers_result(rc);
}

int
timerfd_gettime(int fd, struct itimerspec *t)
{
	struct wire_mark mark;

	if (!turn_taking || !is_timer(fd, &mark))
		return real()->timerfd_gettime(fd, t);
	return timers_result(timers_get(mark.token, t));
}

bool
timers_read(int fd, void *buf, size_t size, ssize_t *n)
{
	struct call c = {.rq = {.kind = WIRE_TIMER_READ}};
	struct wire_mark mark;
	uint64_t count = 0;
	char byte;
	int rc;

	if (!is_timer(fd, &mark))
		return false;
	c.rq.token = mark.token;
	c.rq.flags = (uint32_t)fcntl(fd, F_GETFL) & O_NONBLOCK;
	c.back = &count;
	c.back_size = sizeof count;
	rc = size < sizeof count ? -EINVAL : connection_call(&c);
	*n = -1;
	if (rc < 0) {
		errno = -rc;
		return true;
	}
	/* The byte by which poll(2) saw it. */
	recv(fd, &byte, 1, MSG_DONTWAIT);
	memcpy(buf, &count, sizeof count);
	*n = sizeof count;
	return true;
}
