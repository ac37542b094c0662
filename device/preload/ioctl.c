/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ioctl(2) on descriptors of the device, and what a reply does besides copying:
 * descriptors and mappings. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "device/preload/connection.h"
#include "device/preload/dma_buf.h"
#include "device/preload/memory.h"
#include "device/preload/real.h"
#include "device/preload/turn.h"
#include "device/wire/mark.h"

/* Letters of requests (_IOC_TYPE) that files of the device know. */
#define TYPE_DRM     'd'
#define TYPE_FENCE   '>'
#define TYPE_SW_SYNC 'W'
#define TYPE_PERF    '$'
#define TYPE_DMA_BUF 'b'

/* _IOC_NR of the one request that asks whether its file may block. */
#define NR_EXECBUFFER2 0x69
/* Number of the ioctl that makes the program's memory an object. */
#define NR_USERPTR 0x73
/* Numbers of ioctls that export and import dma-bufs. */
#define NR_HANDLE_TO_FD 0x2d
#define NR_FD_TO_HANDLE 0x2e
/* Numbers of ioctls that programs repeat as they wait. */
#define NR_GEM_BUSY       0x57
#define NR_GEM_WAIT       0x6c
#define NR_REG_READ       0x71
#define NR_SYNCOBJ_WAIT   0xc3
#define NR_TIMELINE_WAIT  0xca
#define NR_TIMELINE_QUERY 0xcb

/* An exported object is its memory: no mark, but sealed as a memfd is. */
static bool
is_memory(int fd)
{
	int e = errno;
	bool is = fcntl(fd, F_GET_SEALS) >= 0;

	errno = e;
	return is;
}

/* Does what the reply says with its descriptor; returns the result then. */
static int
use_descriptor(struct call *c, int result)
{
	char *arg = c->back;
	uint64_t address;
	size_t bytes = c->rp.fd_use == WIRE_FD_MAP ? 8 : 4;

	if (c->fd < 0)
		return result;
	if (result < 0 || c->rp.fd_offset + bytes > c->rp.size ||
	    c->rp.size > c->back_size) {
		real_close(c->fd);
		return result < 0 ? result : -EIO;
	}
	if (c->rp.fd_use == WIRE_FD_MAP) {
		address = memory_map(c);
		if (address == 0)
			return -ENOMEM;
		memcpy(arg + c->rp.fd_offset, &address, sizeof address);
		return result;
	}
	if (!c->rp.cloexec)
		fcntl(c->fd, F_SETFD, 0);
	memcpy(arg + c->rp.fd_offset, &c->fd, sizeof c->fd);
	return result;
}

/* Takes the time that a request costs, in virtual time. */
static void
take_time(unsigned request)
{
	if (_IOC_TYPE(request) != TYPE_DRM)
		return;
	switch (_IOC_NR(request)) {
	case NR_EXECBUFFER2: turn_submits(); break;
	case NR_GEM_BUSY:
	case NR_GEM_WAIT:
	case NR_REG_READ:
	case NR_SYNCOBJ_WAIT:
	case NR_TIMELINE_WAIT:
	case NR_TIMELINE_QUERY: turn_idle(); break;
	default: break;
	}
}

/* Notes that the program shares memory with the device. */
static void
note_memory(unsigned number)
{
	if (number == NR_USERPTR)
		memory_is_shared();
	if (number == NR_HANDLE_TO_FD || number == NR_FD_TO_HANDLE)
		dma_buf_seen();
}

/* Sends the request; false: it is for the real function. */
static bool
ioctl_here(int fd, unsigned request, void *arg, uint64_t token, int *returned)
{
	struct call c = {.rq = {.kind = WIRE_IOCTL,
			     .token = token,
			     .number = request,
			     .pointer = (uintptr_t)arg,
			     .aux = (uint32_t)fd}};
	int result;

	if ((_IOC_DIR(request) & _IOC_WRITE) != 0) {
		c.rq.size = _IOC_SIZE(request);
		c.arg = arg;
	}
	if ((_IOC_DIR(request) & _IOC_READ) != 0) {
		c.back = arg;
		c.back_size = _IOC_SIZE(request);
	}
	if (_IOC_TYPE(request) == TYPE_DRM &&
	    _IOC_NR(request) == NR_EXECBUFFER2) {
		c.rq.flags = (uint32_t)fcntl(fd, F_GETFL) & O_NONBLOCK;
		if (turn_restarts())
			c.rq.flags |= WIRE_RESTARTS;
		memory_touch(token, arg);
	}
	result = use_descriptor(&c, connection_call(&c));
	if (_IOC_TYPE(request) == TYPE_DRM)
		note_memory(_IOC_NR(request));
	if (result == WIRE_NOT_MINE)
		return false;
	if (result < 0)
		errno = -result;
	*returned = result < 0 ? -1 : result;
	return true;
}

int
ioctl(int fd, unsigned long request, ...)
{
	struct wire_mark mark = {0};
	va_list ap;
	void *arg;
	int returned;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	switch (_IOC_TYPE((unsigned)request)) {
	case TYPE_DRM:
	case TYPE_FENCE:
	case TYPE_SW_SYNC:
	case TYPE_PERF:
		if (wire_mark_of(fd, &mark))
			break;
		return real()->ioctl(fd, request, arg);
	case TYPE_DMA_BUF:
		if (real_place()->root_len > 0 && is_memory(fd))
			break;
		return real()->ioctl(fd, request, arg);
	default: return real()->ioctl(fd, request, arg);
	}
	do {
		if (turn_taking)
			take_time((unsigned)request);
		if (!ioctl_here(
			fd, (unsigned)request, arg, mark.token, &returned))
			return real()->ioctl(fd, request, arg);
	} while (returned < 0 && errno == ERESTART);
	return returned;
}
