/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The server of a virtual i915: programs in processes of their own, which speak
 * the protocol themselves, with the real device on a GPU of the test.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/i915/uapi.h"
#include "device/wire/mark.h"
#include "tests/runner/test.h"
#include "tests/support/server_lab.h"

TEST(calls)
{
	serve_program(program_asks);
	assert_string_equal(text_str(&served_problems), "");
}

/* The copies of a descriptor are one open file, whoever has them. */
static void
forks_and_closes(void)
{
	struct drm_gem_close handle = {.handle = 1};
	int fd = program_connect(), card;
	uint64_t token;
	pid_t pid;

	must(program_hello(fd, 4711) == 0);
	token = program_open(fd, &card);
	pid = fork();
	if (pid == 0) {
		close(fd);
		fd = program_connect();
		must(program_hello(fd, 4711) == 0);
		must(program_ioctl(fd, token, DRM_IOCTL_GEM_CLOSE, &handle) ==
		    -EINVAL);
		_exit(0);
	}
	close(card);
	must(waitpid(pid, NULL, 0) == pid);
}

TEST(forks)
{
	serve_program(forks_and_closes);
}

static void
sends_another_version(void)
{
	int fd = program_connect();

	must(program_call(fd, (struct wire_request){.version = 99}, NULL) ==
	    -EPROTO);
	must(memmem(program_reply_bytes, program_reply.size, "of one release",
		 14) != NULL);
	must(recv(fd, program_reply_bytes, 1, 0) == 0);
}

static void
lies_about_its_memory(void)
{
	int fd = program_connect();

	must(program_hello(fd, 4712) == -EPERM);
	must(memmem(program_reply_bytes, program_reply.size,
		 "can't read the memory", 21) != NULL);
	must(recv(fd, program_reply_bytes, 1, 0) == 0);
}

static void
says_no_hello(void)
{
	int fd = program_connect();

	must(program_call(fd, (struct wire_request){.kind = WIRE_STAT}, NULL) ==
	    -ENODEV);
	must(recv(fd, program_reply_bytes, 1, 0) == 0);
}

static void
sends_half_a_message(void)
{
	int fd = program_connect();

	must(send(fd, "hello", 5, 0) == 5);
	must(recv(fd, program_reply_bytes, 1, 0) == 0);
}

TEST(refused)
{
	serve_program(sends_another_version);
	assert_non_null(
	    strstr(text_str(&served_problems), "speaks version 99"));
	text_clear(&served_problems);
	serve_program(lies_about_its_memory);
	assert_non_null(
	    strstr(text_str(&served_problems), "can't read the memory"));
	text_clear(&served_problems);
	serve_program(says_no_hello);
	assert_non_null(
	    strstr(text_str(&served_problems), "its first message"));
	text_clear(&served_problems);
	serve_program(sends_half_a_message);
	assert_non_null(
	    strstr(text_str(&served_problems), "a message is cut off"));
	text_clear(&served_problems);
}

static void
comes_too_late(void)
{
	int fd = program_connect();

	must(program_hello(fd, 4711) == -ENODEV);
	must(memmem(program_reply_bytes, program_reply.size, "is ending", 9) !=
	    NULL);
}

TEST(without_device)
{
	server_attach(served, NULL);
	serve_program(comes_too_late);
	server_attach(served, served_lab.dev);
	text_clear(&served_problems);
}

/* A thread has one call at a time: one that makes a second is dropped. */
static void
calls_while_it_waits(void)
{
	struct drm_i915_gem_exec_object2 object = {.handle = 1};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object, .buffer_count = 1};
	struct drm_i915_gem_create create = {.size = 4096};
	struct drm_i915_gem_wait wait = {.bo_handle = 1, .timeout_ns = -1};
	struct wire_request rq = {.kind = WIRE_IOCTL,
	    .number = (unsigned)DRM_IOCTL_I915_GEM_WAIT,
	    .pointer = (uintptr_t)&wait,
	    .size = sizeof(wait)};
	int fd = program_connect(), card;
	char byte;

	must(program_hello(fd, 4711) == 0);
	rq.token = program_open(fd, &card);
	must(program_ioctl(fd, rq.token, (unsigned)DRM_IOCTL_I915_GEM_CREATE,
		 &create) == 0);
	must(program_ioctl(fd, rq.token,
		 (unsigned)DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) == 0);
	program_send(fd, rq, &wait);
	program_send(fd, rq, &wait);
	must(recv(fd, &byte, 1, 0) <= 0);
}

TEST(second_call)
{
	serve_program(calls_while_it_waits);
	uapi_end_all(&served_lab);
	assert_non_null(strstr(
	    text_str(&served_problems), "a second call while one waits"));
	text_clear(&served_problems);
}

/* Makes a timeline of software fences with one fence; returns the token of its mark. */
static uint64_t
makes_a_fence(int fd, int *timeline, int *fence)
{
	struct sw_sync_create_fence create = {.value = 1, .fence = -1};
	struct wire_mark mark;

	must(program_call(fd,
		 (struct wire_request){.kind = WIRE_OPEN, .size = 11},
		 "dev/sw_sync") >= 0);
	*timeline = program_reply_fd;
	must(wire_mark_of(*timeline, &mark));
	must(program_ioctl(fd, mark.token,
		 _IOWR(SW_SYNC_MAGIC, 0, struct sw_sync_create_fence),
		 &create) == 0);
	*fence = program_reply_fd;
	return mark.token;
}

/* The device may see the message before the hangup that precedes it. */
static void
closes_timelines(void)
{
	int fd = program_connect(), timeline, fence;

	must(program_hello(fd, 4711) == 0);
	for (int i = 0; i < 100; i++) {
		uint64_t token = makes_a_fence(fd, &timeline, &fence);
		struct pollfd over = {.fd = fence, .events = POLLIN};

		close(timeline);
		program_call(fd,
		    (struct wire_request){.kind = WIRE_STAT, .token = token},
		    NULL);
		must(poll(&over, 1, 0) == 1);
		close(fence);
	}
}

TEST(close_is_known)
{
	serve_program(closes_timelines);
}

/* An eventfd of a program has no path, but the device gets it all the same. */
TEST(eventfd_is_passed)
{
	struct i915_host *host = server_host(served);
	struct i915_passed passed;
	eventfd_t count = 0;
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	assert_int_equal(
	    host->ops->passed(host, (uint32_t)getpid(), fd, &passed), 0);
	assert_int_equal(passed.token, 0);
	assert_true(passed.fd >= 0);
	assert_int_equal(eventfd_write(passed.fd, 3), 0);
	assert_int_equal(eventfd_read(fd, &count), 0);
	assert_int_equal(count, 3);
	close(passed.fd);
	close(fd);
	/* Other files without a path are not taken. */
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	assert_int_equal(
	    host->ops->passed(host, (uint32_t)getpid(), fd, &passed), 0);
	assert_int_equal(passed.fd, -1);
	close(fd);
}

FIXTURES(serve_lab, end_serve_lab);
