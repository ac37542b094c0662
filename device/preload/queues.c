/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of files, messages and semaphores between processes, in virtual time: a
 * call that would wait is made again whenever anything has happened. */
#include <errno.h>
#include <mqueue.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "device/preload/looks.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"

struct process_look {
	int id, flags;
	void *data;
	size_t size; /* bytes, or operations */
	long type;
	ssize_t result;
};

/* Returns 1 unless the call would wait: its result is known then. */
static int
look_result(struct process_look *l, ssize_t result, int would_wait)
{
	l->result = result;
	return result >= 0 || errno != would_wait;
}

static int
look_flock(void *data, const sigset_t *mask)
{
	struct process_look *l = data;

	(void)mask;
	return look_result(
	    l, real()->flock(l->id, l->flags | LOCK_NB), EWOULDBLOCK);
}

int
flock(int fd, int operation)
{
	struct process_look l = {.id = fd, .flags = operation};

	if (!turn_taking || (operation & LOCK_NB) != 0)
		return real()->flock(fd, operation);
	if (look_until(WIRE_NEVER, NULL, look_flock, &l) < 0)
		return -1;
	return (int)l.result;
}

static int
look_msgrcv(void *data, const sigset_t *mask)
{
	struct process_look *l = data;

	(void)mask;
	return look_result(l,
	    real()->msgrcv(
		l->id, l->data, l->size, l->type, l->flags | IPC_NOWAIT),
	    ENOMSG);
}

ssize_t
msgrcv(int id, void *msg, size_t size, long type, int flags)
{
	struct process_look l = {id, flags, msg, size, type, 0};

	if (!turn_taking || (flags & IPC_NOWAIT) != 0)
		return real()->msgrcv(id, msg, size, type, flags);
	if (look_until(WIRE_NEVER, NULL, look_msgrcv, &l) < 0)
		return -1;
	return l.result;
}

static int
look_msgsnd(void *data, const sigset_t *mask)
{
	struct process_look *l = data;

	(void)mask;
	return look_result(l,
	    real()->msgsnd(l->id, l->data, l->size, l->flags | IPC_NOWAIT),
	    EAGAIN);
}

int
msgsnd(int id, const void *msg, size_t size, int flags)
{
	struct process_look l = {id, flags, (void *)(uintptr_t)msg, size, 0, 0};

	if (!turn_taking || (flags & IPC_NOWAIT) != 0)
		return real()->msgsnd(id, msg, size, flags);
	if (look_until(WIRE_NEVER, NULL, look_msgsnd, &l) < 0)
		return -1;
	return (int)l.result;
}

/* Semaphores of System V. */

/* Operations of one call, at most (semop(2), SEMOPM). */
#define OPERATIONS 500

static int
look_semop(void *data, const sigset_t *mask)
{
	struct process_look *l = data;

	(void)mask;
	return look_result(
	    l, real()->semtimedop(l->id, l->data, l->size, NULL), EAGAIN);
}

static bool
waits_not(const struct sembuf *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((ops[i].sem_flg & IPC_NOWAIT) != 0)
			return true;
	return n == 0 || n > OPERATIONS;
}

int
semtimedop(int id, struct sembuf *ops, size_t n, const struct timespec *t)
{
	struct sembuf tried[OPERATIONS];
	struct process_look l = {.id = id, .data = tried, .size = n};
	int rc;

	if (!turn_taking || waits_not(ops, n))
		return real()->semtimedop(id, ops, n, t);
	memcpy(tried, ops, n * sizeof *ops);
	for (size_t i = 0; i < n; i++)
		tried[i].sem_flg |= IPC_NOWAIT;
	rc = look_until(
	    t != NULL ? turn_after(t) : WIRE_NEVER, NULL, look_semop, &l);
	if (rc == 0)
		errno = EAGAIN;
	return rc > 0 ? (int)l.result : -1;
}

int
semop(int id, struct sembuf *ops, size_t n)
{
	return turn_taking ? semtimedop(id, ops, n, NULL)
			   : real()->semop(id, ops, n);
}

/* POSIX queues. A timeout in the past lets a call return at once. */

static const struct timespec past;

struct queue_look {
	mqd_t q;
	char *to;
	const char *from;
	size_t size;
	unsigned *priority;
	ssize_t result;
};

static int
look_receive(void *data, const sigset_t *mask)
{
	struct queue_look *l = data;

	(void)mask;
	l->result = real()->mq_timedreceive(
	    l->q, l->to, l->size, l->priority, &past);
	return l->result >= 0 || errno != ETIMEDOUT;
}

static int
look_send(void *data, const sigset_t *mask)
{
	struct queue_look *l = data;

	(void)mask;
	l->result = real()->mq_timedsend(
	    l->q, l->from, l->size, *l->priority, &past);
	return l->result >= 0 || errno != ETIMEDOUT;
}

/* Waits until the time on the wall; NULL: without end. */
static ssize_t
await_queue(struct queue_look *l, look_fn *look, const struct timespec *t)
{
	uint64_t deadline_ns = WIRE_NEVER;

	if (look(l, NULL) != 0)
		return l->result;
	if (t != NULL && !turn_is_time(t)) {
		errno = EINVAL;
		return -1;
	}
	if (t != NULL)
		deadline_ns = turn_at(CLOCK_REALTIME, t);
	return look_until(deadline_ns, NULL, look, l) < 0 ? -1 : l->result;
}

static ssize_t
receive_until(mqd_t q, char *to, size_t size, unsigned *priority,
    const struct timespec *t)
{
	struct queue_look l = {
	    .q = q, .to = to, .size = size, .priority = priority};

	return await_queue(&l, look_receive, t);
}

ssize_t
mq_timedreceive(mqd_t q, char *restrict to, size_t size,
    unsigned *restrict priority, const struct timespec *restrict t)
{
	return turn_taking ? receive_until(q, to, size, priority, t)
			   : real()->mq_timedreceive(q, to, size, priority, t);
}

ssize_t
mq_receive(mqd_t q, char *to, size_t size, unsigned *priority)
{
	return turn_taking ? receive_until(q, to, size, priority, NULL)
			   : real()->mq_receive(q, to, size, priority);
}

static int
send_until(mqd_t q, const char *from, size_t size, unsigned priority,
    const struct timespec *t)
{
	struct queue_look l = {
	    .q = q, .from = from, .size = size, .priority = &priority};

	return (int)await_queue(&l, look_send, t);
}

int
mq_timedsend(mqd_t q, const char *from, size_t size, unsigned priority,
    const struct timespec *t)
{
	return turn_taking ? send_until(q, from, size, priority, t)
			   : real()->mq_timedsend(q, from, size, priority, t);
}

int
mq_send(mqd_t q, const char *from, size_t size, unsigned priority)
{
	return turn_taking ? send_until(q, from, size, priority, NULL)
			   : real()->mq_send(q, from, size, priority);
}
