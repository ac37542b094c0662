/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Connections and descriptors of the preload library over the life of a program:
 * exec, messages, forks, threads, signals, cancellation, programs that close what
 * is not theirs, a device that starts anew. The program serves itself, as
 * test_preload_files does.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/wire/mark.h"
#include "tests/device/devices.h"
#include "tests/runner/test.h"
#include "tests/support/fake_i915.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED_BY_CLANG 1
#endif
#endif

/* More than any descriptor here. */
#define MANY 1300

static bool
echoes(int fd)
{
	struct fake_bytes bytes = {{1}};

	return ioctl(fd, FAKE_ECHO, &bytes) == 0 && bytes.at[0] == 2;
}

static void
expect_success(pid_t child)
{
	int status;

	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Hangups come after the process that causes them has ended. */
static void
await_connections(uint32_t n)
{
	while (fake_counts(fake_card).connections != n)
		sched_yield();
}

TEST(mark_by_exec)
{
	char number[16];
	int copy = fcntl(fake_card, F_DUPFD, 50);
	pid_t child;

	snprintf(number, sizeof number, "%d", copy);
	child = fork();
	if (child == 0) {
		execl("/proc/self/exe", "run", ":echo", number, (char *)NULL);
		_exit(99);
	}
	expect_success(child);
	close(copy);
	while (fake_counts(fake_card).files != 1)
		sched_yield();
}

static void
pass_message(int socket, struct msghdr *msg, int *fd, bool out)
{
	_Alignas(struct cmsghdr) static char room[CMSG_SPACE(sizeof *fd)];
	static char byte;
	static struct iovec part = {&byte, 1};
	struct cmsghdr *head;

	*msg = (struct msghdr){.msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = room,
	    .msg_controllen = sizeof room};
	if (out) {
		head = CMSG_FIRSTHDR(msg);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(sizeof *fd);
		memcpy(CMSG_DATA(head), fd, sizeof *fd);
		assert_int_equal(sendmsg(socket, msg, 0), 1);
	} else if (recvmsg(socket, msg, 0) == 1) {
		memcpy(fd, CMSG_DATA(CMSG_FIRSTHDR(msg)), sizeof *fd);
	}
}

TEST(mark_by_message)
{
	struct msghdr msg;
	int ends[2], fd;
	pid_t child;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	child = fork();
	if (child == 0) {
		close(fake_card);
		fd = -1;
		pass_message(ends[1], &msg, &fd, false);
		_exit(fd >= 0 && echoes(fd) ? 0 : 1);
	}
	pass_message(ends[0], &msg, &fake_card, true);
	expect_success(child);
	close(ends[0]);
	close(ends[1]);
}

static bool
has_connection(void)
{
	for (int fd = 0; fd < MANY; fd++) {
		if (connection_is(fd))
			return true;
	}
	return false;
}

TEST(child_has_its_own_connection)
{
	pid_t child;

	assert_true(echoes(fake_card));
	await_connections(1);
	child = fork();
	if (child == 0) {
		/* None is inherited; both use the file. */
		bool ok = !has_connection() && echoes(fake_card) &&
		    fake_counts(fake_card).connections == 2;

		_exit(ok ? 0 : 1);
	}
	expect_success(child);
	assert_true(echoes(fake_card));
	await_connections(1);
}

struct blocker {
	pthread_t thread;
	int result, error;
};

static void *
block(void *data)
{
	struct blocker *b = data;

	b->result = ioctl(fake_card, FAKE_BLOCK);
	b->error = errno;
	return NULL;
}

/* Starts a thread and waits until its call has come to the device. */
static void
start_blocker(struct blocker *b)
{
	assert_int_equal(pthread_create(&b->thread, NULL, block, b), 0);
	while (fake_counts(fake_card).blocked == 0)
		sched_yield();
}

static void
expect_poked(struct blocker *b)
{
	assert_int_equal(ioctl(fake_card, FAKE_POKE), 1);
	assert_int_equal(pthread_join(b->thread, NULL), 0);
	assert_int_equal(b->result, 7);
}

TEST(a_call_that_blocks_holds_up_no_other)
{
	struct blocker b;

	start_blocker(&b);
	assert_true(echoes(fake_card));
	assert_int_equal(fake_counts(fake_card).connections, 2);
	expect_poked(&b);
	/* The thread's connection ends with it. */
	await_connections(1);
}

TEST(fork_while_a_thread_blocks)
{
	struct blocker b;
	pid_t child;

	start_blocker(&b);
	child = fork();
	if (child == 0)
		_exit(!has_connection() && echoes(fake_card) ? 0 : 1);
	expect_success(child);
	expect_poked(&b);
}

static void *
echo_often(void *data)
{
	bool *ok = data;

	for (int i = 0; i < 200; i++)
		*ok = *ok && echoes(fake_card);
	return NULL;
}

TEST(many_threads)
{
	pthread_t threads[8];
	bool ok[8];

	for (size_t i = 0; i < 8; i++) {
		ok[i] = true;
		assert_int_equal(
		    pthread_create(&threads[i], NULL, echo_often, &ok[i]), 0);
	}
	for (size_t i = 0; i < 8; i++) {
		pthread_join(threads[i], NULL);
		assert_true(ok[i]);
	}
	await_connections(1);
}

static volatile sig_atomic_t handled, handler_ok;

static void
on_signal(int number)
{
	(void)number;
	handled++;
}

/* Counts what the program allocates. Sanitizers have functions of their own. */
static size_t n_allocated;

#if !defined(__SANITIZE_ADDRESS__) && !defined(SANITIZED_BY_CLANG)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);

void *
malloc(size_t size)
{
	n_allocated++;
	return __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
	n_allocated++;
	return __libc_calloc(n, size);
}
#endif

TEST(calls_allocate_nothing)
{
	size_t before;

	assert_true(echoes(fake_card));
	before = n_allocated;
	for (int i = 0; i < 100; i++)
		if (!echoes(fake_card))
			break;
	assert_int_equal(n_allocated, before);
}

/* A handler's call must not take the reply of the call that it interrupts. */
static void
on_signal_call(int number)
{
	int e = errno;

	(void)number;
	handler_ok = echoes(fake_card);
	handled++;
	errno = e;
}

static void
handle(void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	handled = handler_ok = 0;
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
}

TEST(signal_ends_a_call)
{
	uint32_t cancels = fake_counts(fake_card).cancels;
	struct blocker b;

	handle(on_signal, 0);
	start_blocker(&b);
	/* The signal may come before the thread waits: again until it ends. */
	while (fake_counts(fake_card).blocked != 0) {
		pthread_kill(b.thread, SIGUSR1);
		sched_yield();
	}
	assert_int_equal(pthread_join(b.thread, NULL), 0);
	assert_int_equal(b.result, -1);
	assert_int_equal(b.error, EINTR);
	assert_int_equal(fake_counts(fake_card).cancels, cancels + 1);
}

TEST(call_goes_on_after_a_restarting_signal)
{
	uint32_t cancels = fake_counts(fake_card).cancels;
	struct blocker b;

	handle(on_signal, SA_RESTART);
	start_blocker(&b);
	pthread_kill(b.thread, SIGUSR1);
	while (handled == 0)
		sched_yield();
	expect_poked(&b);
	assert_int_equal(fake_counts(fake_card).cancels, cancels);
}

static volatile sig_atomic_t in_call, met;

static void
on_signal_in_call(int number)
{
	(void)number;
	met += in_call;
}

/* A call that does not wait is none that a signal ends, though its library does
 * between request and reply, and errno stays. */
TEST(signals_between_request_and_reply)
{
	static const struct itimerval often = {{0, 50}, {0, 50}}, never;
	struct sigaction action = {.sa_handler = on_signal_in_call};

	met = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	errno = ENOTTY;
	while (met < 1000) {
		bool ok;

		in_call = 1;
		ok = echoes(fake_card);
		in_call = 0;
		if (!ok || errno != ENOTTY)
			break;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	assert_int_equal(errno, ENOTTY);
	assert_true(met >= 1000);
	assert_true(echoes(fake_card));
	await_connections(1);
}

TEST(handler_makes_a_call)
{
	struct blocker b;

	handle(on_signal_call, SA_RESTART);
	start_blocker(&b);
	pthread_kill(b.thread, SIGUSR1);
	while (handled == 0)
		sched_yield();
	assert_true(handler_ok);
	expect_poked(&b);
	await_connections(1);
}

TEST(call_is_no_cancellation_point)
{
	struct blocker b;

	start_blocker(&b);
	assert_int_equal(pthread_cancel(b.thread), 0);
	expect_poked(&b);
}

/* An ioctl ends at once for a thread that asks for it. */
static void *
block_cancelled(void *data)
{
	int before;

	(void)data;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
	ioctl(fake_card, FAKE_BLOCK);
	return NULL;
}

TEST(asynchronous_cancellation_ends_a_call)
{
	pthread_t thread;
	void *result;

	assert_int_equal(
	    pthread_create(&thread, NULL, block_cancelled, NULL), 0);
	while (fake_counts(fake_card).blocked == 0)
		sched_yield();
	assert_int_equal(pthread_cancel(thread), 0);
	assert_int_equal(pthread_join(thread, &result), 0);
	assert_ptr_equal(result, PTHREAD_CANCELED);
	assert_true(echoes(fake_card));
	await_connections(1);
}

static void *
echo_cancelled(void *data)
{
	struct fake_bytes bytes = {{1}};
	int before;

	(void)data;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
	for (;;)
		ioctl(fake_card, FAKE_ECHO, &bytes);
	return NULL;
}

/* At any instant of a call, the first ones among them, which connect. */
TEST(asynchronous_cancellation_at_any_instant)
{
	for (int i = 0; i < 300; i++) {
		pthread_t thread;
		void *result;

		assert_int_equal(
		    pthread_create(&thread, NULL, echo_cancelled, NULL), 0);
		for (int k = 0; k < i % 30; k++)
			sched_yield();
		assert_int_equal(pthread_cancel(thread), 0);
		assert_int_equal(pthread_join(thread, &result), 0);
		assert_ptr_equal(result, PTHREAD_CANCELED);
	}
	assert_true(echoes(fake_card));
	await_connections(1);
}

TEST(closing_each_descriptor)
{
	uint32_t hellos = fake_counts(fake_card).hellos;

	for (int fd = fake_card + 1; fd < MANY; fd++)
		close(fd);
	assert_true(echoes(fake_card));
	assert_int_equal(fake_counts(fake_card).hellos, hellos);
}

TEST(close_range)
{
	uint32_t hellos = fake_counts(fake_card).hellos;
	int p[2];

	assert_int_equal(close_range((unsigned)fake_card + 1, ~0u, 0), 0);
	/* Files that have the numbers now get nothing. */
	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	for (int fd = 990; fd < 1010; fd++)
		assert_int_equal(dup2(p[1], fd), fd);
	assert_true(echoes(fake_card));
	assert_int_equal(fake_counts(fake_card).hellos, hellos + 1);
	assert_int_equal(read(p[0], &hellos, 1), -1);
	assert_int_equal(errno, EAGAIN);
	for (int fd = 990; fd < 1010; fd++)
		close(fd);
	close(p[0]);
	close(p[1]);
	await_connections(1);
}

/* As shells and interpreters start programs. */
TEST(close_range_of_a_vfork_child)
{
	uint32_t hellos = fake_counts(fake_card).hellos;
	pid_t child;

	child = vfork();
	if (child == 0) {
		close_range((unsigned)fake_card + 1, ~0u, 0);
		_exit(0);
	}
	expect_success(child);
	assert_true(echoes(fake_card));
	assert_int_equal(fake_counts(fake_card).hellos, hellos);
}

TEST(number_of_a_connection_is_taken)
{
	int p[2], fd = 0;
	char byte;

	assert_true(echoes(fake_card));
	while (!connection_is(fd))
		fd++;
	assert_int_equal(close(fd), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	assert_int_equal(dup2(p[1], fd), fd);
	assert_true(echoes(fake_card));
	assert_int_equal(read(p[0], &byte, 1), -1);
	assert_int_equal(close(fd), 0);
	close(p[0]);
	close(p[1]);
}

TEST(device_starts_anew)
{
	struct fake_bytes bytes;
	int old = fake_card;

	assert_int_equal(ioctl(fake_card, FAKE_RESTART), 0);
	assert_int_equal(ioctl(fake_card, FAKE_ECHO, &bytes), -1);
	assert_int_equal(errno, ENODEV);
	assert_int_equal(fake_open_card(state), 0);
	assert_true(echoes(fake_card));
	close(old);
}

ROLE(echo)
{
	return echoes(atoi(argv[1])) ? 0 : 1;
}

FIXTURES(fake_open_card, fake_close_card);
