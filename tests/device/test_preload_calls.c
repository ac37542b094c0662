/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls through the preload library's functions: ioctl, mmap, perf events. The
 * program serves itself, as test_preload_files does.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device/wire/mark.h"
#include "tests/device/devices.h"
#include "tests/runner/test.h"
#include "tests/support/fake_i915.h"

/* GEM_CREATE's number, which the device does not know as its own. */
#define UNKNOWN _IOWR('d', 0x5b, struct fake_value)

static struct wire_request
last(int fd)
{
	struct wire_request rq;

	assert_int_equal(ioctl(fd, FAKE_LAST, &rq), 0);
	return rq;
}

static void
expect_echo(int fd)
{
	struct fake_bytes bytes = {{1, 2, 3, [63] = 9}};

	assert_int_equal(ioctl(fd, FAKE_ECHO, &bytes), 0);
	assert_int_equal(bytes.at[0], 2);
	assert_int_equal(bytes.at[63], 10);
}

TEST(argument_goes_and_comes)
{
	struct wire_request rq;
	struct fake_value v = {.value = 1};

	expect_echo(fake_card);
	rq = last(fake_card);
	assert_int_equal(rq.kind, WIRE_IOCTL);
	assert_int_equal(rq.number, FAKE_ECHO);
	assert_int_equal(rq.size, sizeof(struct fake_bytes));
	assert_int_equal(rq.aux, fake_card);
	/* An ioctl number may come sign-extended. */
	assert_int_equal(ioctl(fake_card, (unsigned long)(int)UNKNOWN, &v), 5);
	rq = last(fake_card);
	assert_int_equal(rq.number, UNKNOWN);
	assert_true(rq.pointer == (uintptr_t)&v);
}

TEST(errors_set_errno_and_copy_back)
{
	struct fake_value v = {.value = ENOSPC};

	assert_int_equal(ioctl(fake_card, FAKE_FAIL, &v), -1);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(v.pad, 0xabcd);
	/* A call that works leaves errno. */
	errno = 4711;
	expect_echo(fake_card);
	assert_int_equal(errno, 4711);
}

TEST(bad_pointers)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct fake_value *v = mmap(NULL, page, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_int_equal(ioctl(fake_card, FAKE_ECHO, NULL), -1);
	assert_int_equal(errno, EFAULT);
	assert_int_equal(ioctl(fake_card, FAKE_COUNT, (void *)8), -1);
	assert_int_equal(errno, EFAULT);
	/* A descriptor whose place cannot be written is closed. */
	assert_int_equal(mprotect(v, page, PROT_READ), 0);
	assert_int_equal(ioctl(fake_card, FAKE_FENCE, v), -1);
	assert_int_equal(errno, EFAULT);
	expect_echo(fake_card);
	assert_int_equal(fake_counts(fake_card).files, 1);
	munmap(v, page);
}

TEST(fence_is_a_descriptor)
{
	struct fake_value v = {0};
	struct wire_mark mark;
	struct pollfd p;
	int fd;

	assert_int_equal(ioctl(fake_card, FAKE_FENCE, &v), 0);
	fd = (int)v.result;
	assert_true(wire_mark_of(fd, &mark) && mark.kind == MARK_FENCE);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	p = (struct pollfd){fd, POLLIN, 0};
	assert_int_equal(poll(&p, 1, 0), 0);
	assert_int_equal(ioctl(fake_card, FAKE_SIGNAL), 0);
	assert_int_equal(poll(&p, 1, -1), 1);
	/* Its own requests go to the device. */
	assert_int_equal(ioctl(fd, _IO('>', 9)), 5);
	assert_true(last(fake_card).token == mark.token);
	assert_int_equal(fake_counts(fake_card).files, 2);
	close(fd);
	assert_int_equal(fake_counts(fake_card).files, 1);
}

TEST(reply_that_does_not_fit)
{
	struct fake_value v = {0};

	assert_int_equal(ioctl(fake_card, FAKE_BAD_REPLY, &v), -1);
	assert_int_equal(errno, EIO);
}

TEST(no_number_for_a_descriptor)
{
	struct fake_value v = {0};
	struct rlimit before, limit;
	int fds[2048];
	size_t n = 0;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	limit = before;
	limit.rlim_cur = 1100;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	while ((fds[n] = dup(fake_card)) >= 0)
		n++;
	assert_int_equal(ioctl(fake_card, FAKE_FENCE, &v), -1);
	assert_int_equal(errno, EMFILE);
	while (n > 0)
		close(fds[--n]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(ioctl(fake_card, FAKE_FENCE, &v), 0);
	close((int)v.result);
}

TEST(objects_are_mapped)
{
	struct fake_value v = {.value = 33};
	uint64_t *at;

	assert_int_equal(ioctl(fake_card, FAKE_MAP, &v), 0);
	at = (uint64_t *)(uintptr_t)v.result;
	assert_int_equal(*at, 33);
	at[FAKE_OBJECT_BYTES / 8 - 1] = 1;
	munmap(at, FAKE_OBJECT_BYTES);

	at = mmap(NULL, FAKE_OBJECT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
	    fake_card, (off_t)(44ull << 36));
	assert_true(at != MAP_FAILED);
	assert_int_equal(*at, 44);
	assert_int_equal(last(fake_card).pointer, FAKE_OBJECT_BYTES);
	munmap(at, FAKE_OBJECT_BYTES);
	at = mmap64(NULL, FAKE_OBJECT_BYTES + 1, PROT_READ, MAP_SHARED,
	    fake_card, (off_t)(44ull << 36));
	assert_true(at == MAP_FAILED);
	assert_int_equal(errno, EINVAL);
	/* Another file at such an offset is the kernel's. */
	at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, -1, (off_t)(44ull << 36));
	assert_true(at == MAP_FAILED);
	assert_int_equal(errno, EBADF);
}

TEST(other_descriptors)
{
	int p[2], fd;
	struct fake_value v = {0};

	assert_int_equal(pipe(p), 0);
	assert_int_equal(ioctl(p[0], FAKE_ECHO, &v), -1);
	assert_int_equal(errno, ENOTTY);
	assert_int_equal(ioctl(-1, FAKE_ECHO, &v), -1);
	assert_int_equal(errno, EBADF);
	close(p[0]);
	close(p[1]);
	/* Memory may be an exported object: the device is asked. */
	fd = memfd_create("mine", MFD_ALLOW_SEALING);
	assert_int_equal(ioctl(fd, _IOW('b', 0, uint64_t), &v), -1);
	assert_int_equal(errno, ENOTTY);
	assert_int_equal(last(fake_card).aux, fd);
	close(fd);
}

static long
open_event(uint32_t type, uint64_t config, int leader, unsigned long flags)
{
	struct perf_event_attr attr = {
	    .type = type, .size = sizeof attr, .config = config};

	return syscall(SYS_perf_event_open, &attr, -1, 0, leader, flags);
}

TEST(perf_events)
{
	struct wire_request rq;
	struct wire_mark mark;
	uint64_t values[8];
	volatile uintptr_t page_less = 8;
	struct perf_event_mmap_page *head;
	int leader, member;

	leader = (int)open_event(WIRE_PERF_TYPE, 0x100002, -1, 0);
	assert_true(leader >= 0);
	rq = last(fake_card);
	assert_int_equal(rq.kind, WIRE_PERF_OPEN);
	assert_int_equal((int64_t)rq.pointer, -1);
	assert_int_equal((int)rq.aux, -1);
	assert_int_equal(rq.size, sizeof(struct perf_event_attr));
	member = (int)open_event(WIRE_PERF_TYPE, 0, leader, 0);
	assert_true(wire_mark_of(leader, &mark));
	assert_true(last(fake_card).token == mark.token);
	assert_int_equal(read(leader, values, sizeof values), sizeof values);
	assert_int_equal(values[0], 6);
	assert_true(values[1] > 0);
	assert_int_equal(read(leader, (void *)(uintptr_t)page_less, 16), -1);
	assert_int_equal(errno, EFAULT);
	assert_int_equal(ioctl(leader, PERF_EVENT_IOC_RESET, 1), 5);
	assert_int_equal(last(fake_card).pointer, 1);
	/* The ring buffer has no samples. */
	head = mmap(
	    NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, leader, 0);
	assert_ptr_not_equal(head, MAP_FAILED);
	assert_int_equal(head->data_offset, 4096);
	assert_int_equal(head->data_size, 2 * 4096);
	assert_int_equal(head->data_head, 0);
	munmap(head, 3 * 4096);
	close(leader);
	close(member);
}

TEST(perf_events_of_the_kernel)
{
	/* No such type; a bad pointer; and nothing came to the device. */
	expect_echo(fake_card);
	assert_int_equal(open_event(4711, 0, -1, 0), -1);
	assert_int_equal(syscall(SYS_perf_event_open, NULL, -1, 0, -1, 0), -1);
	assert_int_equal(last(fake_card).kind, WIRE_IOCTL);
}

TEST(raw_system_calls)
{
	struct fake_bytes bytes = {{0}};
	int fd = (int)syscall(
	    SYS_openat, AT_FDCWD, "/dev/dri/renderD128", O_RDWR, 0);

	assert_true(fd >= 0);
	assert_int_equal(syscall(SYS_ioctl, fd, FAKE_ECHO, &bytes), 0);
	assert_int_equal(bytes.at[5], 1);
	assert_int_equal(syscall(SYS_close, fd), 0);
	assert_int_equal(syscall(SYS_getpid), getpid());
}

TEST(blocking_is_asked_for_execbuffer)
{
	struct fake_bytes bytes = {{0}};
	unsigned long execbuffer = _IOW('d', 0x69, struct fake_bytes);

	assert_int_equal(ioctl(fake_card, execbuffer, &bytes), 5);
	assert_int_equal(last(fake_card).flags, 0);
	assert_int_equal(fcntl(fake_card, F_SETFL, O_RDWR | O_NONBLOCK), 0);
	assert_int_equal(ioctl(fake_card, execbuffer, &bytes), 5);
	assert_int_equal(last(fake_card).flags, O_NONBLOCK);
}

FIXTURES(fake_open_card, fake_close_card);
