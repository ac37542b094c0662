/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks between threads in virtual time. One thread runs at a time, so that a
 * lock is held by another only if that waits for its turn: a thread that finds
 * it held waits for its address as a key.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "device/preload/real.h"
#include "device/preload/turn.h"

/* Threads of this process that wait for a key, or have waited in a process
 * whose memory this one copied. */
static _Atomic unsigned waiting;

/* Waits for a key. Returns false at the deadline. */
static bool
wait_for_key(const void *key, uint64_t deadline_ns)
{
	int rc;

	waiting++;
	rc = turn_wait(WIRE_WAIT_KEY, (uint64_t)(uintptr_t)key, deadline_ns);
	waiting--;
	return rc != -ETIMEDOUT;
}

static void
wake_key(const void *key, uint32_t n)
{
	if (waiting > 0)
		turn_wake((uint64_t)(uintptr_t)key, n);
}

/* Mutexes. */

static int
lock_in_turn(pthread_mutex_t *m, uint64_t deadline_ns)
{
	int rc;

	while ((rc = pthread_mutex_trylock(m)) == EBUSY && turn_taking)
		if (!wait_for_key(m, deadline_ns))
			return ETIMEDOUT;
	return rc == EBUSY ? real()->pthread_mutex_lock(m) : rc;
}

int
pthread_mutex_lock(pthread_mutex_t *m)
{
	if (!turn_taking)
		return real()->pthread_mutex_lock(m);
	return lock_in_turn(m, WIRE_NEVER);
}

int
pthread_mutex_timedlock(
    pthread_mutex_t *restrict m, const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->pthread_mutex_timedlock(m, t);
	return lock_in_turn(m, turn_at(CLOCK_REALTIME, t));
}

int
pthread_mutex_unlock(pthread_mutex_t *m)
{
	int rc = real()->pthread_mutex_unlock(m);

	if (turn_taking && rc == 0)
		wake_key(m, 1);
	return rc;
}

/* Condition variables. */

static int
await_condition(pthread_cond_t *c, pthread_mutex_t *m, uint64_t deadline_ns)
{
	int rc = pthread_mutex_unlock(m);
	bool woken;

	if (rc != 0)
		return rc;
	woken = wait_for_key(c, deadline_ns);
	rc = pthread_mutex_lock(m);
	return rc == 0 && !woken ? ETIMEDOUT : rc;
}

int
pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m)
{
	if (!turn_taking)
		return real()->pthread_cond_wait(c, m);
	return await_condition(c, m, WIRE_NEVER);
}

int
pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
    const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->pthread_cond_timedwait(c, m, t);
	return await_condition(c, m, turn_at_any(t));
}

int
pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
    clockid_t clock, const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->pthread_cond_clockwait(c, m, clock, t);
	return await_condition(c, m, turn_at(clock, t));
}

int
pthread_cond_signal(pthread_cond_t *c)
{
	if (!turn_taking)
		return real()->pthread_cond_signal(c);
	wake_key(c, 1);
	return 0;
}

int
pthread_cond_broadcast(pthread_cond_t *c)
{
	if (!turn_taking)
		return real()->pthread_cond_broadcast(c);
	wake_key(c, UINT32_MAX);
	return 0;
}

/* Semaphores. */

static int
take_in_turn(sem_t *s, uint64_t deadline_ns)
{
	while (sem_trywait(s) != 0) {
		if (errno != EAGAIN || !turn_taking)
			return -1;
		if (!wait_for_key(s, deadline_ns)) {
			errno = ETIMEDOUT;
			return -1;
		}
	}
	return 0;
}

int
sem_wait(sem_t *s)
{
	return turn_taking ? take_in_turn(s, WIRE_NEVER) : real()->sem_wait(s);
}

int
sem_timedwait(sem_t *restrict s, const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->sem_timedwait(s, t);
	return take_in_turn(s, turn_at(CLOCK_REALTIME, t));
}

int
sem_post(sem_t *s)
{
	int rc = real()->sem_post(s);

	if (turn_taking && rc == 0)
		wake_key(s, 1);
	return rc;
}
