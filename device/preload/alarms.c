/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timers that send signals, or call functions, in virtual time: the device has
 * them, and sends the signals. Timers of the CPU's time stay real.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/real.h"
#include "device/preload/timers.h"
#include "device/preload/turn.h"

#define NS_PER_US     1000
#define US_PER_SECOND 1000000

/* The alarm of the process. */

static struct timespec
of_timeval(const struct timeval *tv)
{
	return (struct timespec){tv->tv_sec, tv->tv_usec * NS_PER_US};
}

/* A timer that has not expired has a microsecond left. */
static struct timeval
to_timeval(const struct timespec *t)
{
	struct timeval tv = {t->tv_sec, t->tv_nsec / NS_PER_US};

	if (t->tv_sec == 0 && t->tv_nsec > 0 && tv.tv_usec == 0)
		tv.tv_usec = 1;
	return tv;
}

static void
to_itimerval(const struct itimerspec *t, struct itimerval *to)
{
	to->it_interval = to_timeval(&t->it_interval);
	to->it_value = to_timeval(&t->it_value);
}

int
setitimer(__itimer_which_t which, const struct itimerval *restrict t,
    struct itimerval *restrict old)
{
	struct itimerspec set = {0}, was;
	int rc;

	if (!turn_taking || which != ITIMER_REAL)
		return real()->setitimer(which, t, old);
	if (t != NULL) {
		set.it_value = of_timeval(&t->it_value);
		set.it_interval = of_timeval(&t->it_interval);
	}
	rc = timers_set(WIRE_ALARM, false, &set, &was);
	if (rc == 0 && old != NULL)
		to_itimerval(&was, old);
	return timers_result(rc);
}

int
getitimer(__itimer_which_t which, struct itimerval *t)
{
	struct itimerspec is;
	int rc;

	if (!turn_taking || which != ITIMER_REAL)
		return real()->getitimer(which, t);
	rc = timers_get(WIRE_ALARM, &is);
	if (rc == 0)
		to_itimerval(&is, t);
	return timers_result(rc);
}

unsigned
alarm(unsigned seconds)
{
	struct itimerval set = {.it_value = {.tv_sec = seconds}}, old;

	if (!turn_taking)
		return real()->alarm(seconds);
	if (setitimer(ITIMER_REAL, &set, &old) != 0)
		return 0;
	/* To the nearest second, but not to none. */
	return (unsigned)old.it_value.tv_sec +
	    (old.it_value.tv_usec >= US_PER_SECOND / 2 ||
		(old.it_value.tv_sec == 0 && old.it_value.tv_usec > 0));
}

useconds_t
ualarm(useconds_t us, useconds_t interval)
{
	struct itimerval old,
	    set = {.it_value = {us / US_PER_SECOND, us % US_PER_SECOND},
		.it_interval = {
		    interval / US_PER_SECOND, interval % US_PER_SECOND}};

	if (!turn_taking)
		return real()->ualarm(us, interval);
	if (setitimer(ITIMER_REAL, &set, &old) != 0)
		return (useconds_t)-1;
	return (useconds_t)(old.it_value.tv_sec * US_PER_SECOND +
	    old.it_value.tv_usec);
}

/* Timers of timer_create(3). */

/* A timer_t of the device's has its token, and this bit but not the one above it,
 * as no timer_t of the C library has. */
#define OURS (UINT64_C(1) << 62)

static timer_t
timer_of_token(uint64_t token)
{
	return (timer_t)(uintptr_t)(OURS | token);
}

/* False: not a timer of the device. */
static bool
is_ours(timer_t timer, uint64_t *token)
{
	uint64_t bits = (uintptr_t)timer;

	*token = bits & ~OURS;
	return turn_taking && bits >> 62 == 1;
}

/* Timers that call a function (SIGEV_THREAD): each has a thread, which waits for
 * it to expire. */
static struct caller {
	_Atomic pid_t owner; /* process whose timer it is; 0: none */
	uint64_t token;
	void (*call)(union sigval);
	union sigval value;
} callers[32];

static void *
call_again_and_again(void *data)
{
	struct caller *c = data;
	uint64_t count;

	for (;;) {
		struct call read = {
		    .rq = {.kind = WIRE_TIMER_READ, .token = c->token},
		    .back = &count,
		    .back_size = sizeof count};

		if (connection_call(&read) < 0)
			break;
		c->call(c->value);
	}
	c->owner = 0;
	return NULL;
}

/* Starts the thread of a timer. Returns 0 or an errno. */
static int
start_caller(struct caller *c, const pthread_attr_t *attr)
{
	sigset_t all, before;
	pthread_t thread;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	rc = pthread_create(&thread, attr, call_again_and_again, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc == 0)
		pthread_detach(thread);
	return rc;
}

/* Returns one that no timer of this process has; a child of fork(2) has none of its
 * parent's. NULL: all are taken. */
static struct caller *
take_caller(void)
{
	pid_t self = getpid();

	for (size_t i = 0; i < sizeof callers / sizeof *callers; i++) {
		pid_t owner = callers[i].owner;

		if (owner != self &&
		    atomic_compare_exchange_strong(
			&callers[i].owner, &owner, self))
			return &callers[i];
	}
	return NULL;
}

static void
end_timer(uint64_t token)
{
	struct call c = {.rq = {.kind = WIRE_TIMER_END, .token = token}};

	connection_call(&c);
}

static int
create_caller(const struct sigevent *event, uint64_t token)
{
	struct caller *c = take_caller();
	int rc = EAGAIN;

	if (c != NULL) {
		c->token = token;
		c->call = event->sigev_notify_function;
		c->value = event->sigev_value;
		rc = start_caller(c, event->sigev_notify_attributes);
		if (rc != 0)
			c->owner = 0;
	}
	if (rc != 0)
		end_timer(token);
	return -rc;
}

/* Returns the token of a new timer, or -errno. */
static int
create_timer(const struct sigevent *event)
{
	struct call c = {.rq = {.kind = WIRE_TIMER_SIGNAL}};

	switch (event->sigev_notify) {
	case SIGEV_THREAD:
	case SIGEV_NONE: break;
	case SIGEV_THREAD_ID:
		c.rq.pointer = (uint64_t)event->_sigev_un._tid;
		/* fallthrough */
	case SIGEV_SIGNAL:
		if (event->sigev_signo < 1 || event->sigev_signo > SIGRTMAX)
			return -EINVAL;
		c.rq.aux = (uint32_t)event->sigev_signo;
		c.rq.number = (uintptr_t)event->sigev_value.sival_ptr;
		break;
	default: return -EINVAL;
	}
	return connection_call(&c);
}

int
timer_create(
    clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer)
{
	struct sigevent alarm = {
	    .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	struct timespec now;
	int token, rc = 0;

	if (!turn_taking || !turn_clock(clock, &now))
		return real()->timer_create(clock, event, timer);
	token = create_timer(event != NULL ? event : &alarm);
	if (token > 0 && event != NULL && event->sigev_notify == SIGEV_THREAD)
		rc = create_caller(event, (uint64_t)token);
	if (token < 0 || rc < 0)
		return timers_result(token < 0 ? token : rc);
	*timer = timer_of_token((uint64_t)token);
	return 0;
}

/* A timer that is not known is invalid here. */
static int
posix_result(int rc)
{
	return timers_result(rc == -EBADF ? -EINVAL : rc);
}

int
timer_settime(timer_t timer, int flags, const struct itimerspec *restrict t,
    struct itimerspec *restrict old)
{
	uint64_t token;

	if (!is_ours(timer, &token))
		return real()->timer_settime(timer, flags, t, old);
	return posix_result(
	    timers_set(token, (flags & TIMER_ABSTIME) != 0, t, old));
}

int
timer_gettime(timer_t timer, struct itimerspec *t)
{
	uint64_t token;

	if (!is_ours(timer, &token))
		return real()->timer_gettime(timer, t);
	return posix_result(timers_get(token, t));
}

int
timer_delete(timer_t timer)
{
	struct call c = {.rq = {.kind = WIRE_TIMER_END}};

	if (!is_ours(timer, &c.rq.token))
		return real()->timer_delete(timer);
	return posix_result(connection_call(&c));
}

int
timer_getoverrun(timer_t timer)
{
	uint64_t token;

	/* Time goes from one expiration to the next. */
	return is_ours(timer, &token) ? 0 : real()->timer_getoverrun(timer);
}
