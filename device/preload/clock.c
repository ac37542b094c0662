/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks and sleeps in virtual time. */
#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "device/preload/real.h"
#include "device/preload/turn.h"

#define NS_PER_US     1000
#define US_PER_SECOND 1000000

int
clock_gettime(clockid_t clock, struct timespec *t)
{
	if (turn_taking && turn_clock(clock, t))
		return 0;
	return real()->clock_gettime(clock, t);
}

int
gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec t;

	if (!turn_taking)
		return real()->gettimeofday(tv, zone);
	turn_clock(CLOCK_REALTIME, &t);
	*tv = (struct timeval){t.tv_sec, t.tv_nsec / NS_PER_US};
	return 0;
}

time_t
time(time_t *to)
{
	struct timespec t;

	if (!turn_taking)
		return real()->time(to);
	turn_clock(CLOCK_REALTIME, &t);
	if (to != NULL)
		*to = t.tv_sec;
	return t.tv_sec;
}

int
timespec_get(struct timespec *t, int base)
{
	if (turn_taking && base == TIME_UTC && turn_clock(CLOCK_REALTIME, t))
		return base;
	return real()->timespec_get(t, base);
}

/* Sleeps until that time of the device. Returns 0 or EINTR, and the time that is
 * left then. */
static int
sleep_to(uint64_t deadline_ns, struct timespec *left)
{
	if (turn_sleep(deadline_ns) != -EINTR)
		return 0;
	if (left == NULL)
		return EINTR;
	*left = turn_timespec(
	    deadline_ns > turn_now() ? deadline_ns - turn_now() : 0);
	return EINTR;
}

int
clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
	struct timespec now;

	if (!turn_taking || !turn_clock(clock, &now))
		return real()->clock_nanosleep(clock, flags, t, left);
	if (!turn_is_time(t))
		return EINVAL;
	if ((flags & TIMER_ABSTIME) != 0)
		return sleep_to(turn_at(clock, t), NULL);
	return sleep_to(turn_after(t), left);
}

int
nanosleep(const struct timespec *t, struct timespec *left)
{
	int rc;

	if (!turn_taking)
		return real()->nanosleep(t, left);
	rc = turn_is_time(t) ? sleep_to(turn_after(t), left) : EINVAL;
	if (rc == 0)
		return 0;
	errno = rc;
	return -1;
}

int
usleep(useconds_t us)
{
	struct timespec t = {
	    us / US_PER_SECOND, (long)(us % US_PER_SECOND) * NS_PER_US};

	return turn_taking ? nanosleep(&t, NULL) : real()->usleep(us);
}

unsigned
sleep(unsigned seconds)
{
	struct timespec t = {.tv_sec = seconds}, left = {0};

	if (!turn_taking)
		return real()->sleep(seconds);
	if (sleep_to(turn_after(&t), &left) == 0)
		return 0;
	return (unsigned)left.tv_sec + (left.tv_nsec > 0);
}

int
sched_yield(void)
{
	if (!turn_taking)
		return real()->sched_yield();
	/* Gives threads that can run their turns in this instant. */
	turn_idle();
	turn_wait(WIRE_WAIT_CPU, 0, turn_now());
	return 0;
}
