/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread's turns: what it says to the device about itself, and its waits. */
#include "device/preload/turn.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/preload/connection.h"

/* Calls in a row that cost nothing, and the cost of each further one. */
#define FREE_CALLS 100
#define CALL_NS    1000
/* Destructors of a thread's data run at most 4 times (limits.h). */
#define LEAVES 3

#define NS_PER_SECOND UINT64_C(1000000000)
/* Seconds that no deadline reaches. */
#define FOREVER (INT64_MAX / (int64_t)NS_PER_SECOND / 2)

bool turn_taking;

static _Thread_local struct {
	uint64_t now_ns; /* 0: not connected yet */
	uint32_t number;
	uint16_t idle; /* calls in a row */
	uint8_t leaves;
} mine __attribute__((tls_model("initial-exec")));

static _Atomic bool introduced;
static uint64_t submit_ns, wakeup_ns;

void
turn_prepare(void)
{
	const char *value = getenv(WIRE_VIRTUAL_VARIABLE);

	turn_taking = value != NULL && strcmp(value, "1") == 0;
}

void
turn_introduce(struct wire_hello *hello)
{
	hello->number = mine.number;
	hello->first = !atomic_exchange(&introduced, true);
}

void
turn_welcome(const struct wire_welcome *welcome)
{
	submit_ns = welcome->submit_ns;
	wakeup_ns = welcome->wakeup_ns;
}

void
turn_set_now(uint64_t ns)
{
	if (ns != mine.now_ns)
		mine.idle = 0;
	mine.now_ns = ns;
}

/* Without a device time is real. */
static int
turn_call(struct call *c)
{
	int result = connection_call(c);

	if (result == -ENODEV || result == -EIO)
		turn_taking = false;
	return result;
}

void
turn_first(void)
{
	int e = errno;

	if (turn_taking)
		turn_taking = connection_begin();
	errno = e;
}

void
turn_begin(uint32_t number)
{
	mine.number = number;
	turn_first();
}

uint32_t
turn_expect(void)
{
	struct call c = {.rq = {.kind = WIRE_EXPECT}};
	int number = turn_call(&c);

	return number > 0 ? (uint32_t)number : 0;
}

void
turn_expected(uint32_t number, pid_t pid, uint64_t thread)
{
	struct call c = {.rq = {.kind = WIRE_EXPECTED,
			     .aux = number,
			     .number = (uint64_t)pid,
			     .pointer = thread}};

	if (number != 0)
		turn_call(&c);
}

void
turn_signals(void)
{
	struct call c = {.rq = {.kind = WIRE_SIGNALS}};

	turn_call(&c);
}

void
turn_forked(void)
{
	memset(&mine, 0, sizeof mine);
}

bool
turn_leaves(void)
{
	const struct wire_request leave = {
	    .version = WIRE_VERSION, .kind = WIRE_LEAVE};

	if (mine.leaves++ < LEAVES)
		return true;
	connection_tell(&leave);
	return false;
}

/* Waits. */

/* Waits, with those signals blocked (NULL: no others than now). */
static int
wait_with_mask(enum wire_wait kind, uint64_t key, uint64_t deadline_ns,
    const sigset_t *mask)
{
	struct call c = {.rq = {.kind = WIRE_WAIT,
			     .flags = kind,
			     .number = key,
			     .pointer = deadline_ns},
	    .mask = mask};
	int result = turn_call(&c);

	/* News may come while a handler runs: the signal was seen all the same,
	 * and is not said again. */
	return mask != NULL && c.interrupted ? -EINTR : result;
}

/* Waits so that a signal comes while the thread waits, or stays; also one whose
 * handler lets other calls go on (SA_RESTART). */
static int
wait_for_signals(enum wire_wait kind, uint64_t key, uint64_t deadline_ns,
    const sigset_t *mask)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	rc = wait_with_mask(
	    kind, key, deadline_ns, mask != NULL ? mask : &before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

int
turn_sleep(uint64_t deadline_ns)
{
	return wait_for_signals(WIRE_WAIT_TIME, 0, deadline_ns, NULL);
}

int
turn_wait(enum wire_wait kind, uint64_t key, uint64_t deadline_ns)
{
	return wait_with_mask(kind, key, deadline_ns, NULL);
}

int
turn_wait_news(bool again, uint64_t deadline_ns, const sigset_t *mask)
{
	return wait_for_signals(WIRE_WAIT_NEWS, again, deadline_ns, mask);
}

uint32_t
turn_wake(uint64_t key, uint32_t n)
{
	struct call c = {.rq = {.kind = WIRE_WAKE, .number = key, .aux = n}};
	int woken = turn_call(&c);

	return woken > 0 ? (uint32_t)woken : 0;
}

/* Time. */

uint64_t
turn_now(void)
{
	if (mine.now_ns == 0)
		turn_first();
	else if (connection_is_busy())
		/* A signal handler: time has gone on since the last reply. */
		turn_wait(WIRE_WAIT_CPU, 0, 0);
	return mine.now_ns;
}

static void
take_cpu(uint64_t ns)
{
	if (ns > 0)
		turn_wait(WIRE_WAIT_CPU, 0, turn_now() + ns);
}

void
turn_idle(void)
{
	if (mine.idle < FREE_CALLS) {
		mine.idle++;
		return;
	}
	take_cpu(CALL_NS);
	mine.idle = FREE_CALLS;
}

void
turn_submits(void)
{
	mine.idle = 0;
	take_cpu(submit_ns);
}

bool
turn_restarts(void)
{
	return turn_taking && (submit_ns > 0 || wakeup_ns > 0);
}

void
turn_wakes_up(void)
{
	take_cpu(wakeup_ns);
}

static uint64_t
nanoseconds(const struct timespec *t)
{
	if (t->tv_sec < 0)
		return 0;
	if (t->tv_sec >= FOREVER)
		return (uint64_t)FOREVER * NS_PER_SECOND;
	return (uint64_t)t->tv_sec * NS_PER_SECOND + (uint64_t)t->tv_nsec;
}

struct timespec
turn_timespec(uint64_t ns)
{
	return (struct timespec){
	    (time_t)(ns / NS_PER_SECOND), (long)(ns % NS_PER_SECOND)};
}

bool
turn_is_time(const struct timespec *t)
{
	return t->tv_sec >= 0 && t->tv_nsec >= 0 &&
	    t->tv_nsec < (long)NS_PER_SECOND;
}

uint64_t
turn_after(const struct timespec *t)
{
	if (t->tv_sec >= FOREVER)
		return WIRE_NEVER;
	return turn_now() + nanoseconds(t);
}

static bool
is_wall(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ||
	    clock == CLOCK_TAI;
}

uint64_t
turn_at(clockid_t clock, const struct timespec *t)
{
	uint64_t ns = nanoseconds(t);

	if (!is_wall(clock))
		return ns;
	return ns > WIRE_REALTIME_NS ? ns - WIRE_REALTIME_NS : 0;
}

uint64_t
turn_at_any(const struct timespec *t)
{
	bool wall = nanoseconds(t) >= WIRE_REALTIME_NS / 2;

	return turn_at(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, t);
}

bool
turn_clock(clockid_t clock, struct timespec *t)
{
	uint64_t ns;

	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_BOOTTIME: break;
	default: return false;
	}
	turn_idle();
	ns = turn_now() + (is_wall(clock) ? WIRE_REALTIME_NS : 0);
	*t = turn_timespec(ns);
	return true;
}
