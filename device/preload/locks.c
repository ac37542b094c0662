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
#include <string.h>

#include "device/preload/locks.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"

/* Threads of this process that wait for a key, or have waited in a process
 * whose memory this one copied. */
static _Atomic unsigned waiting;

bool
lock_wait(const void *key, bool shared, uint64_t deadline_ns)
{
	int rc;

	if (shared)
		return turn_wait_news(true, deadline_ns, NULL) != -ETIMEDOUT;
	waiting++;
	rc = turn_wait(WIRE_WAIT_KEY, (uint64_t)(uintptr_t)key, deadline_ns);
	waiting--;
	return rc != -ETIMEDOUT;
}

uint32_t
lock_wake(const void *key, uint32_t n)
{
	return waiting > 0 ? turn_wake((uint64_t)(uintptr_t)key, n) : 0;
}

/* Mutexes. */

/* Processes share a mutex of that kind (pthread_mutexattr_setpshared(3)), as the
 * C library keeps it. */
#define SHARED_MUTEX 128
/* The same of a condition variable. */
#define SHARED_CONDITION 1

static int
lock_in_turn(pthread_mutex_t *m, uint64_t deadline_ns)
{
	int rc;

	while ((rc = pthread_mutex_trylock(m)) == EBUSY && turn_taking)
		if (!lock_wait(
			m, (m->__data.__kind & SHARED_MUTEX) != 0, deadline_ns))
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
pthread_mutex_clocklock(pthread_mutex_t *restrict m, clockid_t clock,
    const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->pthread_mutex_clocklock(m, clock, t);
	return lock_in_turn(m, turn_at(clock, t));
}

int
pthread_mutex_unlock(pthread_mutex_t *m)
{
	int rc = real()->pthread_mutex_unlock(m);

	if (turn_taking && rc == 0)
		lock_wake(m, 1);
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
	woken = lock_wait(
	    c, (c->__data.__wrefs & SHARED_CONDITION) != 0, deadline_ns);
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
	lock_wake(c, 1);
	return 0;
}

int
pthread_cond_broadcast(pthread_cond_t *c)
{
	if (!turn_taking)
		return real()->pthread_cond_broadcast(c);
	lock_wake(c, UINT32_MAX);
	return 0;
}

/* Semaphores. */

/* True if processes may share a semaphore, as the C library keeps it. */
static bool
is_between_processes(const sem_t *s)
{
	int private;

	memcpy(&private, (const char *)s + sizeof(uint64_t), sizeof private);
	return private != 0;
}

static int
take_in_turn(sem_t *s, uint64_t deadline_ns)
{
	while (sem_trywait(s) != 0) {
		if (errno != EAGAIN || !turn_taking)
			return -1;
		if (!lock_wait(s, is_between_processes(s), deadline_ns)) {
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
sem_clockwait(
    sem_t *restrict s, clockid_t clock, const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->sem_clockwait(s, clock, t);
	return take_in_turn(s, turn_at(clock, t));
}

int
sem_post(sem_t *s)
{
	int rc = real()->sem_post(s);

	if (turn_taking && rc == 0)
		lock_wake(s, 1);
	return rc;
}
