/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library that is preloaded before that of the virtual i915, and lets calls fail,
 * as environment variables say:
 *
 *   FAULT="KIND INDEX ERRNO N"  of that kind, N calls from the one of that index
 *                               (from 0) on
 *   FAULT_LOG=FILE              at the end, a line "KIND CALLS" for each kind that
 *                               was called is appended
 *
 * A kind is the type and the number of an ioctl, type * 256 + number; 0: mmap() of a
 * file; 1: epoll_ctl(). Numbers are decimal.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define N_KINDS 65536

enum { KIND_MMAP, KIND_EPOLL };

typedef int ioctl_fn(int fd, unsigned long request, ...);
typedef void *mmap_fn(
    void *at, size_t size, int prot, int flags, int fd, off_t offset);
typedef int epoll_ctl_fn(int epoll, int op, int fd, struct epoll_event *event);

static unsigned fault_calls[N_KINDS];

/* Returns true if the call, which is counted, is to fail. */
static bool
call_fails(unsigned kind)
{
	const char *fault = getenv("FAULT");
	unsigned index = fault_calls[kind]++, at = 0, n = 0, its = N_KINDS;
	int error = 0;

	if (fault == NULL ||
	    sscanf(fault, "%u %u %d %u", &its, &at, &error, &n) != 4 ||
	    its != kind || index < at || index - at >= n)
		return false;
	errno = error;
	return true;
}

int
ioctl(int fd, unsigned long request, ...)
{
	ioctl_fn *next = (ioctl_fn *)dlsym(RTLD_NEXT, "ioctl");
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (call_fails((unsigned)(_IOC_TYPE(request) << 8 | _IOC_NR(request))))
		return -1;
	return next(fd, request, arg);
}

static void *
map_or_fail(const char *name, void *at, size_t size, int prot, int flags,
    int fd, off_t offset)
{
	mmap_fn *next = (mmap_fn *)dlsym(RTLD_NEXT, name);

	if (fd >= 0 && call_fails(KIND_MMAP))
		return MAP_FAILED;
	return next(at, size, prot, flags, fd, offset);
}

void *
mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	return map_or_fail("mmap", at, size, prot, flags, fd, offset);
}

void *
mmap64(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	return map_or_fail("mmap64", at, size, prot, flags, fd, offset);
}

int
epoll_ctl(int epoll, int op, int fd, struct epoll_event *event)
{
	epoll_ctl_fn *next = (epoll_ctl_fn *)dlsym(RTLD_NEXT, "epoll_ctl");

	return op == EPOLL_CTL_ADD && call_fails(KIND_EPOLL)
	    ? -1
	    : next(epoll, op, fd, event);
}

__attribute__((destructor)) static void
log_faults(void)
{
	const char *path = getenv("FAULT_LOG");
	FILE *f = path != NULL ? fopen(path, "ae") : NULL;

	if (f == NULL)
		return;
	for (unsigned kind = 0; kind < N_KINDS; kind++)
		if (fault_calls[kind] > 0)
			fprintf(f, "%u %u\n", kind, fault_calls[kind]);
	fclose(f);
}
