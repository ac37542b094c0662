/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Connections to the device. Each thread makes its own at its first call, so
 * that a call that blocks holds up no other; a signal handler that interrupts a
 * call of its thread makes one for its own call. A child of fork(2) makes its
 * own.
 */
#include "device/preload/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "device/preload/message.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"

static const char GONE[] = "the virtual GPU has gone";

struct connection {
	int fd;                        /* 0: not connected */
	pid_t pid;                     /* process that connected */
	unsigned generation;           /* of connections when it was made */
	bool busy;                     /* a call waits for its reply */
	struct connection *next, **at; /* in the list of the process */
};

static _Thread_local struct connection own
    __attribute__((tls_model("initial-exec")));

/* Connections of all threads, so that a child of fork can close them. */
static struct connection *connections;
static pthread_mutex_t connections_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t thread_end;
/* Counts how often the program may have closed every connection. */
static _Atomic unsigned generation;
/* The process that has connected. */
static _Atomic pid_t connected;
static _Atomic int lowest = 1 << 30;

/* How a thread can be cancelled. */
struct cancelling {
	int state, type;
};

static void
hold_cancelling(struct cancelling *before)
{
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before->type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before->state);
}

/* The type comes last, and ends a thread that was cancelled meanwhile: the C library
 * (2.36) loses PTHREAD_CANCELED where the state does. */
static void
resume_cancelling(const struct cancelling *before)
{
	pthread_setcancelstate(before->state, NULL);
	pthread_setcanceltype(before->type, NULL);
}

/* State of a thread before it locked the list. */
struct before_lock {
	sigset_t mask;
	struct cancelling cancelling;
};

/* Blocks signals while the list is locked, so that a handler does not wait for
 * its own thread, and cancellation, which no mask blocks, so that the lock is
 * given back. */
static void
lock_connections(struct before_lock *before)
{
	sigset_t all;

	hold_cancelling(&before->cancelling);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before->mask);
	real()->pthread_mutex_lock(&connections_lock);
}

static void
unlock_connections(const struct before_lock *before)
{
	real()->pthread_mutex_unlock(&connections_lock);
	pthread_sigmask(SIG_SETMASK, &before->mask, NULL);
	resume_cancelling(&before->cancelling);
}

static bool
usable(const struct connection *c)
{
	return c->fd > 0 && c->generation == generation && c->pid == getpid();
}

static void
drop_connection(struct connection *c)
{
	/* The number may be another file's by now. */
	if (usable(c))
		real_close(c->fd);
	c->fd = 0;
}

static void
end_of_thread(void *data)
{
	struct connection *c = data;
	struct before_lock before;

	if (turn_taking && turn_leaves()) {
		/* Other destructors may take turns yet. */
		pthread_setspecific(thread_end, c);
		return;
	}
	lock_connections(&before);
	drop_connection(c);
	if (c->at != NULL) {
		*c->at = c->next;
		if (c->next != NULL)
			c->next->at = c->at;
		c->at = NULL;
	}
	unlock_connections(&before);
}

static struct before_lock before_fork;

static void
fork_begins(void)
{
	struct before_lock before;

	lock_connections(&before);
	before_fork = before;
}

static void
fork_parent(void)
{
	struct before_lock before = before_fork;

	unlock_connections(&before);
}

/* The parent's connections are the parent's, its threads are not here. */
static void
fork_child(void)
{
	struct before_lock before = before_fork;

	for (struct connection *c = connections; c != NULL; c = c->next) {
		if (c->fd > 0 && c->generation == generation)
			real_close(c->fd);
	}
	connections = NULL;
	memset(&own, 0, sizeof own);
	turn_forked();
	unlock_connections(&before);
}

void
connection_prepare(void)
{
	pthread_key_create(&thread_end, end_of_thread);
	pthread_atfork(fork_begins, fork_parent, fork_child);
}

/* Lets the device read and write this process's memory where the system asks
 * for it (Yama); elsewhere the call fails, which is as good. */
static void
admit_device(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0)
		prctl(PR_SET_PTRACER, (unsigned long)peer.pid, 0, 0, 0);
}

/* A number where programs rarely open, dup or select. */
static int
move_up(int fd)
{
	struct rlimit limit;
	int least = 1000, moved;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= 1024)
		least = (int)(limit.rlim_cur - limit.rlim_cur / 8);
	moved = fcntl(fd, F_DUPFD_CLOEXEC, least);
	if (moved >= 0) {
		real_close(fd);
		fd = moved;
	}
	for (int l = lowest; fd < l;) {
		if (atomic_compare_exchange_weak(&lowest, &l, fd))
			break;
	}
	return fd;
}

/* Connects c; false: there is no device, or it refused. */
static bool
connect_device(struct connection *c)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd;

	if (real_place()->root_len == 0)
		return false;
	strcpy(address.sun_path, real_place()->socket);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	fd = move_up(fd);
	/* connect(2) itself is a point of cancellation. */
	while (
	    real()->syscall(SYS_connect, fd, &address, sizeof address) != 0) {
		if (errno == EINTR)
			continue;
		message_complain(GONE);
		real_close(fd);
		return false;
	}
	admit_device(fd);
	if (!message_greet(fd)) {
		message_complain("the virtual GPU does not answer");
		real_close(fd);
		return false;
	}
	c->fd = fd;
	c->pid = getpid();
	connected = c->pid;
	c->generation = generation;
	return true;
}

/* A thread that is cancelled (PTHREAD_CANCEL_ASYNCHRONOUS) has no connection yet, or
 * one that ends with it. */
static bool
connect_thread(struct connection *c)
{
	struct before_lock before;
	struct cancelling cancelling;
	bool ok;

	hold_cancelling(&cancelling);
	ok = connect_device(c);
	if (ok && c == &own && c->at == NULL) {
		lock_connections(&before);
		c->next = connections;
		if (c->next != NULL)
			c->next->at = &c->next;
		connections = c;
		c->at = &connections;
		unlock_connections(&before);
		pthread_setspecific(thread_end, c);
	}
	resume_cancelling(&cancelling);
	return ok;
}

/* One call on c. A connection that was cut before the call is made anew. */
static int
call_on(struct connection *c, struct call *call)
{
	for (int attempt = 0; attempt < 2; attempt++) {
		if (!usable(c) && !connect_thread(c))
			return -ENODEV;
		if (!message_send(c->fd, call)) {
			if (errno == EFAULT)
				return -EFAULT;
			drop_connection(c);
			continue;
		}
		if (message_await(c->fd, call))
			return call->rp.result;
		drop_connection(c);
		message_complain(GONE);
		return -EIO;
	}
	return -ENODEV;
}

int
connection_call(struct call *c)
{
	struct connection extra = {0};
	int e = errno, result;

	c->fd = -1;
	c->rp = (struct wire_reply){0};
	if (own.busy) {
		/* A handler has interrupted a call of this thread. */
		result = call_on(&extra, c);
		drop_connection(&extra);
	} else {
		own.busy = true;
		atomic_signal_fence(memory_order_seq_cst);
		result = call_on(&own, c);
		atomic_signal_fence(memory_order_seq_cst);
		own.busy = false;
	}
	errno = e;
	return result;
}

bool
connection_is_busy(void)
{
	return own.busy;
}

void
connection_settle(uint64_t token)
{
	struct call c = {.rq = {.kind = WIRE_STAT, .token = token}};

	if (usable(&own) && !own.busy)
		connection_call(&c);
}

void
connection_rights(void)
{
	struct call c = {.rq = {.kind = WIRE_RIGHTS}};

	/* A process that never called the device has nothing to lose. */
	if (connected != 0)
		connection_call(&c);
}

bool
connection_begin(void)
{
	return usable(&own) || connect_thread(&own);
}

void
connection_tell(const struct wire_request *rq)
{
	struct call c = {.rq = *rq};

	if (usable(&own))
		message_send(own.fd, &c);
}

int
connection_floor(void)
{
	return lowest;
}

void
connection_forget_all(void)
{
	/* A child of vfork(2) closes its own descriptors, in our memory. */
	if (connected == getpid())
		generation++;
}

bool
connection_is(int fd)
{
	struct sockaddr_un address;
	socklen_t len = sizeof address;
	int e = errno;
	bool is;

	if (fd < lowest)
		return false;
	is = getpeername(fd, (struct sockaddr *)&address, &len) == 0 &&
	    len > offsetof(struct sockaddr_un, sun_path) &&
	    address.sun_family == AF_UNIX &&
	    strncmp(address.sun_path, real_place()->socket,
		sizeof address.sun_path) == 0;
	errno = e;
	return is;
}
