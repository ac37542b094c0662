/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of descriptors and messages between the preload library and a device. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/wire/channel.h"
#include "device/wire/mark.h"
#include "tests/runner/test.h"

static const struct wire_mark MARK = {
    .cookie = 0x0123456789abcdef,
    .token = 0xfedcba9876543210,
    .minor = 128,
    .kind = MARK_DRM,
};

static void
expect_mark(int fd)
{
	struct wire_mark m;

	assert_true(wire_mark_of(fd, &m));
	assert_true(m.cookie == MARK.cookie && m.token == MARK.token);
	assert_int_equal(m.minor, 128);
	assert_int_equal(m.kind, MARK_DRM);
}

TEST(mark_survives_dup_and_fork)
{
	int ends[2], copy, status;
	pid_t child;

	assert_true(wire_marked_pair(&MARK, ends));
	expect_mark(ends[1]);
	copy = fcntl(ends[1], F_DUPFD_CLOEXEC, 100);
	close(ends[1]);
	expect_mark(copy);
	child = fork();
	if (child == 0) {
		struct wire_mark m;

		_exit(wire_mark_of(copy, &m) && m.token == MARK.token ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(copy);
	close(ends[0]);
}

TEST(last_close_is_a_hangup)
{
	char byte;
	int ends[2], copy;

	assert_true(wire_marked_pair(&MARK, ends));
	copy = dup(ends[1]);
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), -1);
	assert_int_equal(errno, EAGAIN);
	close(copy);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

TEST(others_have_no_mark)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	static const char *const others[] = {
	    "gpuwl-i915/0/d/0/",
	    "gpuwl-i915/0/d/0",
	    "gpuwl-i915/0123/dd/0/1",
	    "gpuwl-i915//d/0/1",
	    "gpuwl-i915/0x1/d/0/1",
	    "gpuwl-i915/1/",
	    "gpuwl-i915/1/d",
	    "gpuwl-i91",
	    "",
	};
	struct wire_mark m = MARK;
	int pipe_ends[2];

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		strcpy(address.sun_path + 1, others[i]);
		assert_false(wire_mark_parse(&address,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			strlen(others[i])),
		    &m));
	}
	assert_int_equal(pipe(pipe_ends), 0);
	errno = 4711;
	assert_false(wire_mark_of(pipe_ends[0], &m));
	assert_false(wire_mark_of(-1, &m));
	assert_int_equal(errno, 4711);
	assert_true(m.token == MARK.token);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

TEST(messages_and_a_descriptor)
{
	struct wire_request rq = {
	    .version = WIRE_VERSION, .kind = WIRE_OPEN, .size = 5};
	struct wire_reply rp = {.fd_use = WIRE_FD_RETURN, .size = 3}, got;
	char hello[] = "hello";
	struct iovec out[2] = {{&rq, sizeof rq}, {hello, 5}};
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];
	char arg[16] = "";
	struct iovec in[2] = {{&got, sizeof got}, {arg, sizeof arg}};
	struct msghdr msg = {.msg_iov = out, .msg_iovlen = 2};
	struct stat a, b;
	int ends[2], fd;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
	assert_true(sendmsg(ends[1], &msg, 0) > 0);
	assert_int_equal(wire_receive(ends[0], &rq, arg, sizeof arg), 1);
	assert_memory_equal(arg, "hello", 5);

	assert_true(wire_answer(ends[0], &rp, "abc", ends[0]));
	msg = (struct msghdr){.msg_iov = in,
	    .msg_iovlen = 2,
	    .msg_control = room,
	    .msg_controllen = sizeof room};
	assert_int_equal(recvmsg(ends[1], &msg, 0), sizeof got + 3);
	assert_memory_equal(arg, "abclo", 5);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof fd);
	assert_int_equal(fstat(ends[0], &a), 0);
	assert_int_equal(fstat(fd, &b), 0);
	assert_int_equal(a.st_ino, b.st_ino);
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

TEST(messages_of_a_wrong_size)
{
	struct wire_request rq = {.size = 9};
	char arg[4];
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
	assert_true(send(ends[1], &rq, sizeof rq, 0) > 0);
	assert_int_equal(wire_receive(ends[0], &rq, arg, sizeof arg), -1);
	assert_int_equal(errno, EPROTO);
	assert_true(send(ends[1], &rq, 7, 0) > 0);
	assert_int_equal(wire_receive(ends[0], &rq, arg, sizeof arg), -1);
	assert_int_equal(errno, EPROTO);
	close(ends[1]);
	assert_int_equal(wire_receive(ends[0], &rq, arg, sizeof arg), 0);
	close(ends[0]);
}
