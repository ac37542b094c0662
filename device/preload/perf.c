/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf_event_open(2), which programs call by syscall(2), reads of its events,
 * and reads and writes of control files. Other calls that programs make by
 * syscall(2) take the way of their wrapper.
 */
#define _GNU_SOURCE 1
#include "device/preload/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/files.h"
#include "device/preload/futex.h"
#include "device/preload/looks.h"
#include "device/preload/memory.h"
#include "device/preload/real.h"
#include "device/preload/timers.h"
#include "device/preload/turn.h"
#include "device/wire/mark.h"

static _Atomic bool watched;

void
perf_watch(int fd)
{
	struct wire_mark mark;

	if (wire_mark_of(fd, &mark) &&
	    (mark.kind == MARK_PERF || mark.kind == MARK_CONTROL))
		watched = true;
}

/* Reads type and size of the program's attribute; false: bad pointer. */
static bool
read_head(const void *attr, uint32_t head[2])
{
	struct iovec here = {head, 2 * sizeof *head};
	struct iovec there = {(void *)(uintptr_t)attr, 2 * sizeof *head};

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) ==
	    (ssize_t)here.iov_len;
}

/* Opens an event of the device; false: it is one of the kernel's. */
static bool
open_event(const long a[6], int *fd)
{
	struct call c = {.rq = {.kind = WIRE_PERF_OPEN,
			     .pointer = (uint64_t)(int64_t)(pid_t)a[1],
			     .number = (uint64_t)(int64_t)(int)a[2],
			     .flags = (uint32_t)a[4],
			     .aux = (uint32_t)a[3]},
	    .arg = (const void *)(uintptr_t)a[0]};
	struct wire_mark leader;
	uint32_t head[2];
	int e = errno;

	if (real_place()->root_len == 0 || !read_head(c.arg, head) ||
	    head[0] != WIRE_PERF_TYPE) {
		errno = e;
		return false;
	}
	c.rq.size = head[1] != 0 ? head[1] : PERF_ATTR_SIZE_VER0;
	if (c.rq.size > WIRE_MAX_BYTES) {
		errno = E2BIG;
		*fd = -1;
		return true;
	}
	if (wire_mark_of((int)a[3], &leader))
		c.rq.token = leader.token;
	*fd = files_result(&c, connection_call(&c));
	return true;
}

/* Takes six arguments, as libc's function does, however many there are: the
 * last may be a word of the caller's frame. */
__attribute__((no_sanitize_address)) static void
take_arguments(va_list ap, long a[6])
{
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
}

/* openat2(2) without restrictions is openat(2); with them no path of the device
 * is meant. False: the kernel's. */
static bool
open_as_openat(const long a[6], int *fd)
{
	struct open_how how;
	struct iovec here = {&how, sizeof how};
	struct iovec there = {(void *)a[2], sizeof how};
	int e = errno;

	if ((size_t)a[3] != sizeof how ||
	    process_vm_readv(getpid(), &here, 1, &there, 1, 0) !=
		(ssize_t)sizeof how ||
	    how.resolve != 0) {
		errno = e;
		return false;
	}
	*fd = openat(
	    (int)a[0], (const char *)a[1], (int)how.flags, (mode_t)how.mode);
	return true;
}

long
syscall(long number, ...)
{
	long a[6];
	va_list ap;
	int fd;

	va_start(ap, number);
	take_arguments(ap, a);
	va_end(ap);
	switch (number) {
	case SYS_userfaultfd: memory_has_faults(); break;
	case SYS_perf_event_open:
		if (open_event(a, &fd))
			return fd;
		break;
	case SYS_futex:
		if (futex_in_turn(a, &fd))
			return fd;
		break;
	case SYS_ioctl: return ioctl((int)a[0], (unsigned long)a[1], a[2]);
	case SYS_openat:
		return openat(
		    (int)a[0], (const char *)a[1], (int)a[2], (mode_t)a[3]);
	case SYS_openat2:
		if (open_as_openat(a, &fd))
			return fd;
		break;
	case SYS_mmap:
		return (long)mmap((void *)a[0], (size_t)a[1], (int)a[2],
		    (int)a[3], (int)a[4], a[5]);
	case SYS_close: return close((int)a[0]);
	case SYS_close_range:
		return close_range((unsigned)a[0], (unsigned)a[1], (int)a[2]);
	default: break;
	}
	return real()->syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* True if the device reads or writes fd. */
static bool
is_watched(int fd, struct wire_mark *mark)
{
	return watched && wire_mark_of(fd, mark) &&
	    (mark->kind == MARK_PERF || mark->kind == MARK_CONTROL);
}

bool
perf_is_event(int fd)
{
	struct wire_mark mark;

	return is_watched(fd, &mark) && mark.kind == MARK_PERF;
}

static ssize_t
transfer(struct call *c)
{
	int result = connection_call(c);

	if (result >= 0)
		return result;
	errno = result == WIRE_NOT_MINE ? EINVAL : -result;
	return -1;
}

static size_t
message_part(size_t size)
{
	return size < WIRE_MAX_BYTES ? size : WIRE_MAX_BYTES;
}

ssize_t
read(int fd, void *buf, size_t size)
{
	struct call c = {
	    .rq = {.kind = WIRE_READ, .number = message_part(size)},
	    .back = buf,
	    .back_size = message_part(size)};
	struct wire_mark mark;
	ssize_t n;

	if (turn_taking && timers_read(fd, buf, size, &n))
		return n;
	if (!is_watched(fd, &mark)) {
		if (turn_taking && !look_at_descriptor(fd, POLLIN))
			return -1;
		return real()->read(fd, buf, size);
	}
	c.rq.token = mark.token;
	return transfer(&c);
}

ssize_t
write(int fd, const void *buf, size_t size)
{
	struct call c = {
	    .rq = {.kind = WIRE_WRITE, .size = (uint32_t)message_part(size)},
	    .arg = buf};
	struct wire_mark mark;

	if (!is_watched(fd, &mark))
		return real()->write(fd, buf, size);
	c.rq.token = mark.token;
	return transfer(&c);
}

ssize_t __read_chk(int fd, void *buf, size_t size, size_t room);

ssize_t
__read_chk(int fd, void *buf, size_t size, size_t room)
{
	return read(fd, buf, size < room ? size : room);
}
