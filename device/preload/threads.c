/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads and processes in virtual time: each has its number before it exists,
 * so that their order is that of their creation.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/real.h"
#include "device/preload/threads.h"
#include "device/preload/turn.h"

/* The start of a thread, in the frame of its creator, which waits until it is
 * taken. */
struct beginning {
	struct thread_start start;
	uint32_t number;
	_Atomic int taken;
};

static void *
begin_thread(void *data)
{
	struct beginning *shared = data;
	struct thread_start start = shared->start;
	uint32_t number = shared->number;

	atomic_store(&shared->taken, 1);
	real()->syscall(
	    SYS_futex, &shared->taken, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	turn_begin(number);
	if (start.run != NULL)
		return start.run(start.arg);
	return (void *)(intptr_t)start.run_int(start.arg);
}

static void
wait_until_taken(struct beginning *b)
{
	while (atomic_load(&b->taken) == 0)
		real()->syscall(
		    SYS_futex, &b->taken, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

int
thread_create_in_turn(pthread_t *thread, const pthread_attr_t *attr,
    const struct thread_start *start)
{
	struct beginning b = {.start = *start, .number = turn_expect()};
	int rc = real()->pthread_create(thread, attr, begin_thread, &b);

	if (rc == 0)
		wait_until_taken(&b);
	turn_expected(b.number, 0, rc == 0 ? (uint64_t)*thread : 0);
	return rc;
}

int
pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
    void *(*run)(void *), void *restrict arg)
{
	const struct thread_start start = {.run = run, .arg = arg};
	int e = errno, rc;

	if (!turn_taking)
		return real()->pthread_create(thread, attr, run, arg);
	rc = thread_create_in_turn(thread, attr, &start);
	errno = e;
	return rc;
}

int
pthread_join(pthread_t thread, void **result)
{
	if (turn_taking)
		while (turn_wait(WIRE_WAIT_END, (uint64_t)thread, WIRE_NEVER) ==
		    -EINTR)
			continue;
	/* Its last steps need no turn. */
	return real()->pthread_join(thread, result);
}

pid_t
fork(void)
{
	uint32_t number;
	pid_t pid;
	int e;

	if (!turn_taking)
		return real()->fork();
	number = turn_expect();
	pid = real()->fork();
	e = errno;
	if (pid == 0)
		turn_begin(number);
	else
		turn_expected(number, pid > 0 ? pid : 0, 0);
	errno = e;
	return pid;
}

pid_t
wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	if (!turn_taking || (options & WNOHANG) != 0)
		return real()->wait4(pid, status, options, usage);
	for (bool again = false;; again = true) {
		pid_t ended = real()->wait4(
		    pid, status, options | WNOHANG, usage);

		if (ended != 0) {
			if (again)
				turn_wakes_up();
			return ended;
		}
		if (turn_wait(WIRE_WAIT_CHILD, again, WIRE_NEVER) == -EINTR) {
			turn_wakes_up();
			errno = EINTR;
			return -1;
		}
		if (!turn_taking)
			return real()->wait4(pid, status, options, usage);
	}
}

/* Looks whether a child has changed as waitid(2) asks. */
static int
look_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t seen = {0};
	int rc = real()->waitid(type, id, &seen, options | WNOHANG);

	if (rc == 0 && seen.si_pid == 0)
		return 1;
	if (rc == 0 && info != NULL)
		*info = seen;
	return rc;
}

int
waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	int rc;

	if (!turn_taking || (options & WNOHANG) != 0)
		return real()->waitid(type, id, info, options);
	for (bool again = false;; again = true) {
		rc = look_waitid(type, id, info, options);
		if (rc <= 0) {
			if (again)
				turn_wakes_up();
			return rc;
		}
		if (turn_wait(WIRE_WAIT_CHILD, again, WIRE_NEVER) == -EINTR) {
			turn_wakes_up();
			errno = EINTR;
			return -1;
		}
		if (!turn_taking)
			return real()->waitid(type, id, info, options);
	}
}

pid_t
wait3(int *status, int options, struct rusage *usage)
{
	return wait4(-1, status, options, usage);
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	return wait4(pid, status, options, NULL);
}

pid_t
wait(int *status)
{
	return wait4(-1, status, 0, NULL);
}
