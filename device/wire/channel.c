/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages at the device's end: requests in, replies with descriptors out. */
#include "device/wire/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

int
wire_receive(int socket, struct wire_request *rq, void *arg, size_t max)
{
	struct iovec parts[2] = {{rq, sizeof *rq}, {arg, max}};
	struct msghdr msg = {.msg_iov = parts, .msg_iovlen = 2};
	ssize_t n = recvmsg(socket, &msg, MSG_CMSG_CLOEXEC);

	if (n <= 0)
		return (int)n;
	if ((size_t)n < sizeof *rq || (msg.msg_flags & MSG_TRUNC) != 0 ||
	    rq->size != (size_t)n - sizeof *rq) {
		errno = EPROTO;
		return -1;
	}
	return 1;
}

/* Puts fd into the control data of msg, which is in room. */
static void
attach(struct msghdr *msg, void *room, size_t bytes, int fd)
{
	struct cmsghdr *head;

	memset(room, 0, bytes);
	msg->msg_control = room;
	msg->msg_controllen = bytes;
	head = CMSG_FIRSTHDR(msg);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(head), &fd, sizeof fd);
}

bool
wire_answer(int socket, const struct wire_reply *rp, const void *data, int fd)
{
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof fd)];
	struct iovec parts[2] = {
	    {(void *)(uintptr_t)rp, sizeof *rp},
	    {(void *)(uintptr_t)data, rp->size},
	};
	struct msghdr msg = {.msg_iov = parts, .msg_iovlen = 2};

	if (fd >= 0)
		attach(&msg, room, sizeof room, fd);
	return sendmsg(socket, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}
