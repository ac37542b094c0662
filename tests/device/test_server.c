/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The server of a virtual i915: programs in processes of their own, which speak
 * the protocol themselves, with the real device on a GPU of the test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "device/serve/server.h"
#include "device/wire/mark.h"
#include "device/wire/wire.h"
#include "tests/support/folder.h"
#include "tests/support/i915_lab.h"

#define MAX_MS 20000 /* a test that takes longer hangs */

static struct i915_lab lab;
static struct server *server;
static struct text problems;

static uint64_t
advance(void *data)
{
	(void)data;
	return lab.now += 1000;
}

static void
take_problem(void *data, const char *line)
{
	(void)data;
	text_addf(&problems, "%s\n", line);
}

static const struct server_ops ops = {
    .advance = advance, .problem = take_problem};

static int
open_server(void **state)
{
	struct text err = {0};

	(void)state;
	enter_test_folder();
	setenv("XDG_RUNTIME_DIR", test_folder(), 1);
	i915_lab_init(&lab);
	server = server_open("test", false, &ops, NULL, &err);
	assert_non_null(server);
	lab.dev = i915_new(&lab.config, server_host(server), &lab.gpu, lab.now);
	server_attach(server, lab.dev);
	return 0;
}

static int
close_server(void **state)
{
	(void)state;
	i915_lab_free(&lab);
	server_close(server);
	text_free(&problems);
	return 0;
}

/* Serves until the condition, an expression, is true. */
#define serve_until(condition)                                                 \
	do {                                                                   \
		struct pollfd p_ = {                                           \
		    .fd = server_fd(server), .events = POLLIN};                \
                                                                               \
		while (!(condition)) {                                         \
			assert_int_equal(poll(&p_, 1, MAX_MS), 1);             \
			server_work(server, 64);                               \
		}                                                              \
	} while (0)

/* The rest runs in the program. What is not as expected ends it with the line
 * as its status. */
#define must(condition)                                                        \
	do {                                                                   \
		if (!(condition))                                              \
			program_fails(__LINE__, #condition);                   \
	} while (0)

static void
program_fails(int line, const char *what)
{
	fprintf(stderr, "line %d: %s, errno %d\n", line, what, errno);
	_exit(1);
}

static struct wire_reply reply;
static char reply_bytes[WIRE_MAX_BYTES];
static int reply_fd;

static int
program_connect(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, server_path(server));
	must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	return fd;
}

static void
program_send(int fd, struct wire_request rq, const void *arg)
{
	struct iovec parts[] = {
	    {&rq, sizeof(rq)}, {(void *)(uintptr_t)arg, rq.size}};
	struct msghdr msg = {.msg_iov = parts, .msg_iovlen = 2};

	if (rq.version == 0)
		rq.version = WIRE_VERSION;
	must(sendmsg(fd, &msg, 0) == (ssize_t)(sizeof(rq) + rq.size));
}

/* Returns the result of the reply. */
static int
program_receive(int fd)
{
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];
	struct iovec parts[] = {
	    {&reply, sizeof(reply)}, {reply_bytes, sizeof(reply_bytes)}};
	struct msghdr msg = {.msg_iov = parts,
	    .msg_iovlen = 2,
	    .msg_control = room,
	    .msg_controllen = sizeof(room)};
	struct cmsghdr *head;

	must(recvmsg(fd, &msg, MSG_CMSG_CLOEXEC) >= (ssize_t)sizeof(reply));
	head = CMSG_FIRSTHDR(&msg);
	reply_fd = -1;
	if (head != NULL)
		memcpy(&reply_fd, CMSG_DATA(head), sizeof(reply_fd));
	return reply.result;
}

static int
program_call(int fd, struct wire_request rq, const void *arg)
{
	program_send(fd, rq, arg);
	return program_receive(fd);
}

static int
program_hello(int fd, uint64_t value)
{
	static uint64_t word = 4711;
	struct wire_hello hello = {.pid = (uint32_t)getpid(),
	    .address = (uintptr_t)&word,
	    .value = value,
	    .name = "program"};

	return program_call(fd,
	    (struct wire_request){.kind = WIRE_HELLO, .size = sizeof(hello)},
	    &hello);
}

/* Opens the card; returns the token of its mark. */
static uint64_t
program_open(int fd, int *card)
{
	struct wire_mark mark;

	must(program_call(fd,
		 (struct wire_request){.kind = WIRE_OPEN, .size = 13},
		 "dev/dri/card0") >= 0);
	must(reply.fd_use == WIRE_FD_RETURN && reply_fd >= 0);
	must(wire_mark_of(reply_fd, &mark) && mark.kind == MARK_DRM);
	*card = reply_fd;
	return mark.token;
}

static int
program_ioctl(int fd, uint64_t token, unsigned request, const void *arg)
{
	return program_call(fd,
	    (struct wire_request){.kind = WIRE_IOCTL,
		.token = token,
		.number = request,
		.pointer = (uintptr_t)arg,
		.size = _IOC_SIZE(request)},
	    arg);
}

/* Starts a program, serves it to its end, and expects it to be content. */
static void
run_program(void (*program)(void))
{
	int alive[2], status;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(alive), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(MAX_MS / 1000);
		close(alive[0]);
		program();
		_exit(0);
	}
	close(alive[1]);
	for (;;) {
		struct pollfd p[] = {
		    {.fd = server_fd(server), .events = POLLIN},
		    {.fd = alive[0], .events = POLLIN}};

		assert_true(poll(p, 2, MAX_MS) > 0);
		server_work(server, 64);
		if (p[1].revents != 0 && read(alive[0], &byte, 1) == 0)
			break;
	}
	close(alive[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	serve_until(server_connections(server) == 0);
}

/* Memory that a program may only write is readable, as for a kernel; memory that
 * it may not use is not. */
static void
reads_what_may_be_written(int fd, uint64_t token)
{
	struct drm_i915_query_item *item = mmap(
	    NULL, 4096, PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_i915_query query = {
	    .num_items = 1, .items_ptr = (uintptr_t)item};

	must(item != MAP_FAILED);
	item->query_id = DRM_I915_QUERY_ENGINE_INFO;
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_I915_QUERY, &query) ==
	    0);
	must(mprotect(item, 4096, PROT_NONE) == 0);
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_I915_QUERY, &query) ==
	    -EFAULT);
	munmap(item, 4096);
}

static void
opens_and_asks(void)
{
	char name[8] = "";
	struct drm_version version = {.name = name, .name_len = 8};
	int fd = program_connect(), card;
	uint64_t token;

	must(program_hello(fd, 4711) == 0);
	must(reply.size == sizeof(struct wire_welcome));
	token = program_open(fd, &card);
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_VERSION, &version) ==
	    0);
	/* The device wrote to this process. */
	must(strcmp(name, "i915") == 0);
	version.name = (char *)8;
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_VERSION, &version) ==
	    -EFAULT);
	reads_what_may_be_written(fd, token);
	/* A guessed token is nothing. */
	must(program_ioctl(
		 fd, token + 1, (unsigned)DRM_IOCTL_VERSION, &version) < 0);
	close(card);
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_VERSION, &version) <
	    0);
}

static void
test_calls(void **state)
{
	(void)state;
	run_program(opens_and_asks);
	assert_string_equal(text_str(&problems), "");
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

static void
test_forks(void **state)
{
	(void)state;
	run_program(forks_and_closes);
}

static void
sends_another_version(void)
{
	int fd = program_connect();

	must(program_call(fd, (struct wire_request){.version = 99}, NULL) ==
	    -EPROTO);
	must(memmem(reply_bytes, reply.size, "of one release", 14) != NULL);
	must(recv(fd, reply_bytes, 1, 0) == 0);
}

static void
lies_about_its_memory(void)
{
	int fd = program_connect();

	must(program_hello(fd, 4712) == -EPERM);
	must(memmem(reply_bytes, reply.size, "can't read the memory", 21) !=
	    NULL);
	must(recv(fd, reply_bytes, 1, 0) == 0);
}

static void
says_no_hello(void)
{
	int fd = program_connect();

	must(program_call(fd, (struct wire_request){.kind = WIRE_STAT}, NULL) ==
	    -ENODEV);
	must(recv(fd, reply_bytes, 1, 0) == 0);
}

static void
sends_half_a_message(void)
{
	int fd = program_connect();

	must(send(fd, "hello", 5, 0) == 5);
	must(recv(fd, reply_bytes, 1, 0) == 0);
}

static void
test_refused(void **state)
{
	(void)state;
	run_program(sends_another_version);
	assert_non_null(strstr(text_str(&problems), "speaks version 99"));
	text_clear(&problems);
	run_program(lies_about_its_memory);
	assert_non_null(strstr(text_str(&problems), "can't read the memory"));
	text_clear(&problems);
	run_program(says_no_hello);
	assert_non_null(strstr(text_str(&problems), "its first message"));
	text_clear(&problems);
	run_program(sends_half_a_message);
	assert_non_null(strstr(text_str(&problems), "a message is cut off"));
	text_clear(&problems);
}

static void
comes_too_late(void)
{
	int fd = program_connect();

	must(program_hello(fd, 4711) == -ENODEV);
	must(memmem(reply_bytes, reply.size, "is ending", 9) != NULL);
}

static void
test_without_device(void **state)
{
	(void)state;
	server_attach(server, NULL);
	run_program(comes_too_late);
	server_attach(server, lab.dev);
	text_clear(&problems);
}

/* Waits for a request that the test's GPU does not end. */
static void
waits(void)
{
	struct drm_i915_gem_exec_object2 object = {.handle = 1};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object, .buffer_count = 1};
	struct drm_i915_gem_create create = {.size = 4096};
	struct drm_i915_gem_wait wait = {.bo_handle = 1, .timeout_ns = -1};
	int fd = program_connect(), card;
	uint64_t token;

	must(program_hello(fd, 4711) == 0);
	token = program_open(fd, &card);
	must(program_ioctl(
		 fd, token, (unsigned)DRM_IOCTL_I915_GEM_CREATE, &create) == 0);
	must(program_ioctl(fd, token, (unsigned)DRM_IOCTL_I915_GEM_EXECBUFFER2,
		 &exec) == 0);
	program_send(fd,
	    (struct wire_request){.kind = WIRE_IOCTL,
		.token = token,
		.number = (unsigned)DRM_IOCTL_I915_GEM_WAIT,
		.pointer = (uintptr_t)&wait,
		.size = sizeof(wait)},
	    &wait);
	program_send(fd, (struct wire_request){.kind = WIRE_CANCEL}, NULL);
	must(program_receive(fd) == -EINTR);
	must(program_call(
		 fd, (struct wire_request){.kind = WIRE_RIGHTS}, NULL) == 0);
	/* The next wait is ended by SIGKILL. */
	program_ioctl(fd, token, (unsigned)DRM_IOCTL_I915_GEM_WAIT, &wait);
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

static void
test_second_call(void **state)
{
	(void)state;
	run_program(calls_while_it_waits);
	uapi_end_all(&lab);
	assert_non_null(
	    strstr(text_str(&problems), "a second call while one waits"));
	text_clear(&problems);
}

/* An eventfd of a program has no path, but the device gets it all the same. */
static void
test_eventfd_is_passed(void **state)
{
	struct i915_host *host = server_host(server);
	struct i915_passed passed;
	eventfd_t count = 0;
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	(void)state;
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

static void
test_interrupted_and_killed(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		alarm(MAX_MS / 1000);
		waits();
		_exit(1);
	}
	serve_until(lab.n_requests == 1);
	/* Until the second wait has come: CREATE, EXEC, two waits and more
	 * were served, and nothing is to be read. */
	for (int quiet = 0; quiet < 3;) {
		struct pollfd p = {.fd = server_fd(server), .events = POLLIN};

		if (poll(&p, 1, 20) == 1)
			server_work(server, 64);
		else
			quiet++;
	}
	assert_int_equal(server_connections(server), 1);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	serve_until(server_connections(server) == 0);
	uapi_end_all(&lab);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_calls),
	    cmocka_unit_test(test_forks),
	    cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_without_device),
	    cmocka_unit_test(test_second_call),
	    cmocka_unit_test(test_eventfd_is_passed),
	    cmocka_unit_test(test_interrupted_and_killed),
	};

	return cmocka_run_group_tests(tests, open_server, close_server);
}
