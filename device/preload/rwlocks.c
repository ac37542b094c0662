/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read-write locks, spin locks and barriers between threads in virtual time, and
 * what is built on futex(2). */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "device/preload/futex.h"
#include "device/preload/locks.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"

/* Read-write locks. */

typedef int try_lock_fn(pthread_rwlock_t *lock);

/* EAGAIN: there are too many readers, as one that can't wait sees. */
static int
rwlock_in_turn(
    pthread_rwlock_t *lock, try_lock_fn *try_lock, uint64_t deadline_ns)
{
	int rc;

	while ((rc = try_lock(lock)) == EBUSY && turn_taking)
		if (!lock_wait(lock, lock->__data.__shared != 0, deadline_ns))
			return ETIMEDOUT;
	return rc;
}

int
pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	if (!turn_taking)
		return real()->pthread_rwlock_rdlock(lock);
	return rwlock_in_turn(lock, pthread_rwlock_tryrdlock, WIRE_NEVER);
}

int
pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	if (!turn_taking)
		return real()->pthread_rwlock_wrlock(lock);
	return rwlock_in_turn(lock, pthread_rwlock_trywrlock, WIRE_NEVER);
}

int
pthread_rwlock_timedrdlock(
    pthread_rwlock_t *restrict lock, const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->pthread_rwlock_timedrdlock(lock, t);
	return rwlock_in_turn(
	    lock, pthread_rwlock_tryrdlock, turn_at(CLOCK_REALTIME, t));
}

int
pthread_rwlock_timedwrlock(
    pthread_rwlock_t *restrict lock, const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->pthread_rwlock_timedwrlock(lock, t);
	return rwlock_in_turn(
	    lock, pthread_rwlock_trywrlock, turn_at(CLOCK_REALTIME, t));
}

int
pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	int rc = real()->pthread_rwlock_unlock(lock);

	if (turn_taking && rc == 0)
		lock_wake(lock, UINT32_MAX);
	return rc;
}

/* Spin locks. */

int
pthread_spin_lock(pthread_spinlock_t *lock)
{
	int rc;

	if (!turn_taking)
		return real()->pthread_spin_lock(lock);
	while ((rc = pthread_spin_trylock(lock)) == EBUSY)
		lock_wait((const void *)(uintptr_t)lock, false, WIRE_NEVER);
	return rc;
}

int
pthread_spin_unlock(pthread_spinlock_t *lock)
{
	int rc = real()->pthread_spin_unlock(lock);

	if (turn_taking && rc == 0)
		lock_wake((const void *)(uintptr_t)lock, 1);
	return rc;
}

/* Barriers: in virtual time they are ours, in the memory of the C library's. */

#define OUR_BARRIER UINT32_C(0x74757262)

struct turn_barrier {
	uint32_t ours; /* OUR_BARRIER */
	uint32_t shared;
	uint32_t count, arrived, generation;
};

_Static_assert(sizeof(struct turn_barrier) <= sizeof(pthread_barrier_t),
    "a barrier has room");

int
pthread_barrier_init(pthread_barrier_t *restrict b,
    const pthread_barrierattr_t *restrict how, unsigned count)
{
	struct turn_barrier own = {.ours = OUR_BARRIER, .count = count};
	int shared = PTHREAD_PROCESS_PRIVATE;

	if (!turn_taking || count == 0)
		return real()->pthread_barrier_init(b, how, count);
	if (how != NULL)
		pthread_barrierattr_getpshared(how, &shared);
	own.shared = shared == PTHREAD_PROCESS_SHARED;
	memcpy(b, &own, sizeof own);
	return 0;
}

int
pthread_barrier_wait(pthread_barrier_t *b)
{
	struct turn_barrier *own = (struct turn_barrier *)(void *)b;
	uint32_t generation = own->generation;

	if (!turn_taking || own->ours != OUR_BARRIER)
		return real()->pthread_barrier_wait(b);
	if (++own->arrived == own->count) {
		own->arrived = 0;
		own->generation++;
		lock_wake(b, UINT32_MAX);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	while (turn_taking && own->generation == generation)
		lock_wait(b, own->shared != 0, WIRE_NEVER);
	return 0;
}

int
pthread_barrier_destroy(pthread_barrier_t *b)
{
	struct turn_barrier *own = (struct turn_barrier *)(void *)b;

	if (own->ours != OUR_BARRIER)
		return real()->pthread_barrier_destroy(b);
	own->ours = 0;
	return 0;
}

/* futex(2). */

static int
futex_wait(const long a[6], uint64_t deadline_ns)
{
	const _Atomic uint32_t *word = (const _Atomic uint32_t *)a[0];

	if (atomic_load(word) != (uint32_t)a[2]) {
		errno = EAGAIN;
		return -1;
	}
	if (lock_wait((const void *)a[0], false, deadline_ns))
		return 0;
	errno = ETIMEDOUT;
	return -1;
}

bool
futex_in_turn(const long a[6], int *result)
{
	const struct timespec *t = (const struct timespec *)a[3];
	bool wall = ((int)a[1] & FUTEX_CLOCK_REALTIME) != 0;

	if (!turn_taking)
		return false;
	switch ((int)a[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
		*result = futex_wait(a, t != NULL ? turn_after(t) : WIRE_NEVER);
		return true;
	case FUTEX_WAIT_BITSET:
		*result = futex_wait(a,
		    t == NULL
			? WIRE_NEVER
			: turn_at(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, t));
		return true;
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		*result = (int)lock_wake((const void *)a[0], (uint32_t)a[2]);
		return true;
	default: return false;
	}
}
