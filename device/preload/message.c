/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages on a connection, at the program's end. */
#include "device/preload/message.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"

static void
complain(const char *text, size_t len)
{
	static _Atomic bool done;
	char head[] = "gpuwl: ", end[] = "\n";
	struct iovec parts[] = {
	    {head, sizeof head - 1},
	    {(void *)(uintptr_t)text, len},
	    {end, 1},
	};

	if (!atomic_exchange(&done, true))
		real()->syscall(SYS_writev, 2, parts, 3);
}

void
message_complain(const char *text)
{
	complain(text, strlen(text));
}

/* Waits for a reply, with those signals blocked. False, with errno. */
static bool
await_reply(int fd, const sigset_t *mask)
{
	struct pollfd poll = {.fd = fd, .events = POLLIN};

	return real()->ppoll(&poll, 1, NULL, mask) >= 0;
}

/* Receives one reply into c. Returns the bytes of the message; 0: the device
 * has gone; -1, with errno. Not a point of cancellation, as ioctl(2). */
static ssize_t
receive(int fd, struct call *c)
{
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof c->fd)];
	struct iovec parts[2] = {
	    {&c->rp, sizeof c->rp},
	    {c->back, c->back_size},
	};
	struct msghdr msg = {.msg_iov = parts,
	    .msg_iovlen = c->back_size > 0 ? 2 : 1,
	    .msg_control = room,
	    .msg_controllen = sizeof room};
	struct cmsghdr *head;
	ssize_t n;

	c->fd = -1;
	if (c->mask != NULL && !await_reply(fd, c->mask))
		return -1;
	n = real()->syscall(SYS_recvmsg, fd, &msg, MSG_CMSG_CLOEXEC);
	if (n < (ssize_t)sizeof c->rp)
		return n > 0 ? 0 : n;
	if (c->rp.now_ns != 0)
		turn_set_now(c->rp.now_ns);
	head = CMSG_FIRSTHDR(&msg);
	if (head != NULL && head->cmsg_type == SCM_RIGHTS)
		memcpy(&c->fd, CMSG_DATA(head), sizeof c->fd);
	/* The kernel had no number for the descriptor. */
	if (c->rp.fd_use != WIRE_FD_NONE && c->fd < 0) {
		c->rp.result = -EMFILE;
		c->rp.fd_use = WIRE_FD_NONE;
	}
	return n;
}

bool
message_send(int fd, struct call *c)
{
	struct iovec parts[2] = {
	    {&c->rq, sizeof c->rq},
	    {(void *)(uintptr_t)c->arg, c->rq.size},
	};
	struct msghdr msg = {
	    .msg_iov = parts, .msg_iovlen = c->rq.size > 0 ? 2 : 1};

	c->rq.version = WIRE_VERSION;
	return real()->syscall(SYS_sendmsg, fd, &msg, MSG_NOSIGNAL) >= 0;
}

bool
message_await(int fd, struct call *c)
{
	struct wire_request cancel = {
	    .version = WIRE_VERSION, .kind = WIRE_CANCEL};
	bool cancelled = false;
	ssize_t n;

	while ((n = receive(fd, c)) < 0 && errno == EINTR) {
		if (!cancelled)
			real()->syscall(SYS_sendto, fd, &cancel, sizeof cancel,
			    MSG_NOSIGNAL, NULL, 0);
		cancelled = true;
	}
	c->interrupted = cancelled;
	/* The reply has been taken from the socket nevertheless. */
	if (n < 0 && errno == EFAULT) {
		c->rp = (struct wire_reply){.result = -EFAULT};
		return true;
	}
	return n > 0;
}

bool
message_greet(int fd)
{
	static const uint64_t probe = 0x6770757769393135;
	struct wire_hello hello = {
	    .pid = (uint32_t)getpid(),
	    .tid = (uint32_t)gettid(),
	    .address = (uintptr_t)&probe,
	    .value = probe,
	    .thread = (uint64_t)pthread_self(),
	};
	union {
		struct wire_welcome welcome;
		char text[512];
	} answer;
	struct call c = {.rq = {.kind = WIRE_HELLO, .size = sizeof hello},
	    .arg = &hello,
	    .back = &answer,
	    .back_size = sizeof answer};

	turn_introduce(&hello);
	strncpy(
	    hello.name, program_invocation_short_name, sizeof hello.name - 1);
	if (!message_send(fd, &c) || !message_await(fd, &c))
		return false;
	if (c.rp.result == 0) {
		turn_welcome(&answer.welcome);
		return true;
	}
	if (c.rp.result < 0 && c.rp.size <= sizeof answer.text)
		complain(answer.text, c.rp.size);
	return false;
}
