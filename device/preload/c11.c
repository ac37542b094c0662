/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of the C standard in virtual time: those of POSIX, by other names. In
 * the C library their types are the same. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <threads.h>
#include <time.h>

#include "device/preload/real.h"
#include "device/preload/threads.h"
#include "device/preload/turn.h"

static int
result_of(int error)
{
	switch (error) {
	case 0: return thrd_success;
	case ENOMEM: return thrd_nomem;
	case EBUSY: return thrd_busy;
	case ETIMEDOUT: return thrd_timedout;
	default: return thrd_error;
	}
}

int
thrd_create(thrd_t *thread, thrd_start_t run, void *arg)
{
	const struct thread_start start = {.run_int = run, .arg = arg};

	if (!turn_taking)
		return real()->thrd_create(thread, run, arg);
	return result_of(thread_create_in_turn(thread, NULL, &start));
}

int
thrd_join(thrd_t thread, int *result)
{
	void *returned = NULL;
	int rc;

	if (!turn_taking)
		return real()->thrd_join(thread, result);
	rc = pthread_join(thread, &returned);
	if (rc == 0 && result != NULL)
		*result = (int)(intptr_t)returned;
	return result_of(rc);
}

int
thrd_sleep(const struct timespec *t, struct timespec *left)
{
	int rc;

	if (!turn_taking)
		return real()->thrd_sleep(t, left);
	rc = clock_nanosleep(CLOCK_REALTIME, 0, t, left);
	return rc == 0 ? 0 : rc == EINTR ? -1 : -2;
}

void
thrd_yield(void)
{
	sched_yield();
}

int
mtx_lock(mtx_t *m)
{
	if (!turn_taking)
		return real()->mtx_lock(m);
	return result_of(pthread_mutex_lock((pthread_mutex_t *)(void *)m));
}

int
mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->mtx_timedlock(m, t);
	return result_of(
	    pthread_mutex_timedlock((pthread_mutex_t *)(void *)m, t));
}

int
mtx_unlock(mtx_t *m)
{
	if (!turn_taking)
		return real()->mtx_unlock(m);
	return result_of(pthread_mutex_unlock((pthread_mutex_t *)(void *)m));
}

int
cnd_wait(cnd_t *c, mtx_t *m)
{
	if (!turn_taking)
		return real()->cnd_wait(c, m);
	return result_of(pthread_cond_wait(
	    (pthread_cond_t *)(void *)c, (pthread_mutex_t *)(void *)m));
}

int
cnd_timedwait(
    cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict t)
{
	if (!turn_taking)
		return real()->cnd_timedwait(c, m, t);
	return result_of(pthread_cond_timedwait(
	    (pthread_cond_t *)(void *)c, (pthread_mutex_t *)(void *)m, t));
}

int
cnd_signal(cnd_t *c)
{
	if (!turn_taking)
		return real()->cnd_signal(c);
	return result_of(pthread_cond_signal((pthread_cond_t *)(void *)c));
}

int
cnd_broadcast(cnd_t *c)
{
	if (!turn_taking)
		return real()->cnd_broadcast(c);
	return result_of(pthread_cond_broadcast((pthread_cond_t *)(void *)c));
}
