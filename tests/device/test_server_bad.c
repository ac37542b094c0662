/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The server of a virtual i915 and bad programs: of another user, with any
 * messages, stopped, interrupted, and killed.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/wire/mark.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/server_lab.h"

#define NOBODY 65534

/* A program of another user may connect here, since the folder is open to it; what
 * it says is answered with a refusal. */
static void
is_of_another_user(void)
{
	int fd = program_connect();

	must(program_hello(fd, 4711) == -EACCES);
	must(memmem(program_reply_bytes, program_reply.size,
		 "only programs of the same user", 30) != NULL);
	must(recv(fd, program_reply_bytes, 1, 0) == 0);
}

static void
becomes_another_user(void)
{
	must(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
	is_of_another_user();
}

TEST(another_user)
{
	if (geteuid() != 0)
		skip_test("only root can be two users");
	assert_int_equal(chmod(server_path(served), 0666), 0);
	assert_int_equal(chmod(test_path("gpuwl"), 0755), 0);
	assert_int_equal(chmod(test_path("."), 0755), 0);
	serve_program(becomes_another_user);
	assert_non_null(
	    strstr(text_str(&served_problems), "it is of user 65534"));
	assert_int_equal(chmod(test_path("gpuwl"), 0700), 0);
	text_clear(&served_problems);
}

/* Random messages: see test_any_messages(). */

static uint64_t seed;

static unsigned
any_number(unsigned below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 32) % below;
}

/* A number that may mean something. */
static uint64_t
any_word(uint64_t token)
{
	static uint64_t memory[512];
	const uint64_t words[] = {0, 1, 2, 3, token, token + 1,
	    (uintptr_t)memory, (uintptr_t)memory + 4, 4096, UINT64_MAX,
	    1ull << any_number(64), seed};

	return words[any_number(sizeof(words) / sizeof(words[0]))];
}

/* Sends a message of any kind but those that are answered later; fds: with
 * descriptors, which no request has. False: the device has hung up. */
static bool
send_any(int fd, uint64_t token, bool fds)
{
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(2 * sizeof(int))] = {0};
	static uint64_t bytes[20000 / 8];
	struct wire_request rq = {.version = WIRE_VERSION,
	    .kind = (uint16_t)any_number(N_WIRE_KINDS + 2),
	    .size = any_number(3) ? any_number(128) : any_number(20000),
	    .token = any_word(token),
	    .number = any_number(2)
		? _IOC(3u, 'd', any_number(256), any_number(128))
		: any_word(token),
	    .pointer = any_word(token),
	    .flags = any_number(8),
	    .aux = any_number(16)};
	struct iovec parts[] = {{&rq, sizeof(rq)}, {bytes, rq.size}};
	struct msghdr msg = {.msg_iov = parts, .msg_iovlen = 2};
	struct cmsghdr *head = (struct cmsghdr *)(void *)room;

	for (unsigned i = 0; i < 64; i++)
		bytes[i] = any_word(token);
	if (any_number(16) == 0)
		parts[1].iov_len = any_number(sizeof(bytes));
	if (any_number(64) == 0)
		parts[0].iov_len = any_number(sizeof(rq));
	if (any_number(64) == 0)
		rq.version = (uint16_t)any_number(9);
	if (fds) {
		msg.msg_control = room;
		msg.msg_controllen = sizeof(room);
		head->cmsg_len = CMSG_LEN(2 * sizeof(int));
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
	}
	return sendmsg(fd, &msg, MSG_NOSIGNAL) >= 0;
}

/* Talks until the device hangs up, or enough was said. Messages that wait are
 * followed by others, which ends the connection. */
static void
sends_anything(void)
{
	for (unsigned connections = 0; connections < 40; connections++) {
		int fd = program_connect(), card = -1;
		uint64_t token = 1;

		seed = connections * 0x9e3779b97f4a7c15ull + 1;
		if (connections % 4 != 0) {
			must(program_hello(fd, 4711) == 0);
			token = program_open(fd, &card);
		}
		for (unsigned i = 0; i < 100; i++) {
			if (!send_any(fd, token, any_number(32) == 0))
				break;
			while (
			    recv(fd, program_reply_bytes,
				sizeof(program_reply_bytes), MSG_DONTWAIT) > 0)
				;
		}
		close(fd);
		close(card);
	}
	program_asks();
}

/* Whatever is sent in whatever order, the device goes on; descriptors that came
 * with a message are not kept. */
TEST(any_messages)
{
	int before, after;

	before = dup(0);
	serve_program(sends_anything);
	uapi_end_all(&served_lab);
	text_clear(&served_problems);
	serve_program(program_asks);
	assert_string_equal(text_str(&served_problems), "");
	close(before);
	after = dup(0);
	assert_int_equal(after, before);
	close(after);
}

/* A program that is stopped in the middle of its calls stops no other. */
static void
stops_itself(void)
{
	int fd = program_connect(), card;

	must(program_hello(fd, 4711) == 0);
	program_open(fd, &card);
	raise(SIGSTOP);
}

TEST(stopped)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		alarm(MAX_MS / 1000);
		stops_itself();
		_exit(0);
	}
	do
		server_work(served, 64);
	while (waitpid(pid, &status, WUNTRACED | WNOHANG) == 0);
	assert_true(WIFSTOPPED(status));
	serve_program_beside(program_asks, 1);
	kill(pid, SIGCONT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	serve_until(server_connections(served) == 0);
	assert_string_equal(text_str(&served_problems), "");
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

TEST(interrupted_and_killed)
{
	pid_t pid = fork();

	if (pid == 0) {
		alarm(MAX_MS / 1000);
		waits();
		_exit(1);
	}
	serve_until(served_lab.n_requests == 1);
	/* Until the second wait has come: CREATE, EXEC, two waits and more
	 * were served, and nothing is to be read. */
	for (int quiet = 0; quiet < 3;) {
		struct pollfd p = {.fd = server_fd(served), .events = POLLIN};

		if (poll(&p, 1, 20) == 1)
			server_work(served, 64);
		else
			quiet++;
	}
	assert_int_equal(server_connections(served), 1);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	serve_until(server_connections(served) == 0);
	uapi_end_all(&served_lab);
}

/* As the server has it. */
#define MOST_THREADS 16384

static void
is_hung_up_on(void)
{
	int fd = program_connect();

	must(recv(fd, program_reply_bytes, 1, 0) == 0);
	close(fd);
}

static void
connects_too_often(void)
{
	static int fds[MOST_THREADS];

	for (unsigned i = 0; i < MOST_THREADS; i++)
		fds[i] = program_connect();
	is_hung_up_on();
	/* Connected threads are served, and one that goes makes room. */
	close(fds[0]);
	must(program_hello(fds[MOST_THREADS - 1], 4711) == 0);
	program_asks();
	must(program_hello(fds[1], 4711) == 0);
}

/* One thread more than a device serves is refused. */
TEST(most_threads)
{
	struct rlimit files;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	if (files.rlim_max < MOST_THREADS + 100)
		skip_test("needs 16,484 descriptors");
	files.rlim_cur = files.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	serve_program(connects_too_often);
	assert_non_null(strstr(text_str(&served_problems),
	    "is refused: at most 16384 threads of programs are served\n"));
	text_clear(&served_problems);
}

FIXTURES(serve_lab, end_serve_lab);
