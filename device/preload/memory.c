/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mmap(2) of a DRM file. The offset is one that the device gave: object number
 * << 36, beyond all that other files are mapped at. So every other mapping costs
 * a comparison.
 */
#define _GNU_SOURCE 1
#include "device/preload/memory.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/dma_buf.h"
#include "device/preload/perf.h"
#include "device/preload/real.h"
#include "device/wire/mark.h"

#define OFFSET_SHIFT 36
/* Linux 5.14. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

uint64_t
memory_map(const struct call *c)
{
	void *at = real()->mmap(NULL, c->rp.map_size, (int)c->rp.prot,
	    MAP_SHARED, c->fd, (off_t)c->rp.map_offset);

	real_close(c->fd);
	return at == MAP_FAILED ? 0 : (uintptr_t)at;
}

/* Maps len bytes of the reply's object as the program asked. */
static void *
map_object(struct call *c, void *address, size_t len, int prot, int flags)
{
	void *at;
	int e;

	if (c->rp.fd_use != WIRE_FD_MAP || len > c->rp.map_size) {
		if (c->fd >= 0)
			real_close(c->fd);
		errno = EINVAL;
		return MAP_FAILED;
	}
	at = real()->mmap(
	    address, len, prot, flags, c->fd, (off_t)c->rp.map_offset);
	e = errno;
	real_close(c->fd);
	errno = e;
	return at;
}

/* Maps the ring buffer of a perf event: a header, and samples, of which there
 * are none. */
static void *
map_event(void *address, size_t len, int prot, int flags)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *head;
	void *at = real()->mmap(
	    address, len, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return at;
	head = at;
	head->data_offset = page;
	head->data_size = len - page;
	mprotect(at, len, prot);
	return at;
}

void *
mmap(void *address, size_t len, int prot, int flags, int fd, off_t offset)
{
	struct call c = {.rq = {.kind = WIRE_MMAP,
			     .number = (uint64_t)offset,
			     .pointer = len,
			     .flags = (uint32_t)prot,
			     .aux = (uint32_t)fd}};
	struct wire_mark mark;
	int result;

	if (offset == 0 && (flags & MAP_ANONYMOUS) == 0 && perf_is_event(fd) &&
	    len >= (size_t)sysconf(_SC_PAGESIZE))
		return map_event(address, len, prot, flags);
	if ((flags & MAP_ANONYMOUS) == 0 &&
	    dma_buf_ends_before(fd, len, offset)) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	if ((uint64_t)offset >> OFFSET_SHIFT == 0 ||
	    (flags & MAP_ANONYMOUS) != 0 || !wire_mark_of(fd, &mark))
		return real()->mmap(address, len, prot, flags, fd, offset);
	c.rq.token = mark.token;
	result = connection_call(&c);
	if (result >= 0)
		return map_object(&c, address, len, prot, flags);
	errno = result == WIRE_NOT_MINE ? ENODEV : -result;
	return MAP_FAILED;
}

static _Atomic bool is_shared, has_faults;

void
memory_is_shared(void)
{
	is_shared = true;
}

void
memory_has_faults(void)
{
	has_faults = true;
}

/* Has the kernel get the pages, without changing them: for writing as for a GPU,
 * or for reading where they are read only. */
static void
touch_pages(uint64_t address, uint64_t size)
{
	void *at = (void *)(uintptr_t)address;

	if (madvise(at, size, MADV_POPULATE_WRITE) != 0)
		madvise(at, size, MADV_POPULATE_READ);
}

void
memory_touch(uint64_t token, const void *arg)
{
	int result = 0, e = errno;

	if (!is_shared || !has_faults)
		return;
	do {
		struct call c = {.rq = {.kind = WIRE_MEMORY,
				     .token = token,
				     .pointer = (uintptr_t)arg,
				     .number = (uint64_t)result}};

		result = connection_call(&c);
		if (result > 0)
			touch_pages(c.rp.map_offset, c.rp.map_size);
	} while (result > 0);
	errno = e;
}

/* The GPU may still use memory of the program: the device says when not. */
int
munmap(void *address, size_t len)
{
	struct call c = {.rq = {.kind = WIRE_UNMAP,
			     .number = (uintptr_t)address,
			     .pointer = len}};

	if (is_shared)
		connection_call(&c);
	return real()->munmap(address, len);
}

void *mmap64(void *address, size_t len, int prot, int flags, int fd,
    off64_t offset) __attribute__((alias("mmap")));
