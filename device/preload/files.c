/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening: files of the tree as they are, live ones by the device. */
#define _GNU_SOURCE 1
#include "device/preload/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/preload/connection.h"
#include "device/preload/paths.h"
#include "device/preload/perf.h"
#include "device/preload/real.h"
#include "device/preload/streams.h"
#include "device/preload/udev.h"
#include "device/wire/live.h"
#include "device/wire/mark.h"

int
files_result(const struct call *c, int result)
{
	if (result < 0) {
		errno = result == WIRE_NOT_MINE ? ENODEV : -result;
		return -1;
	}
	if (c->fd < 0) {
		errno = EIO;
		return -1;
	}
	if (!c->rp.cloexec)
		fcntl(c->fd, F_SETFD, 0);
	perf_watch(c->fd);
	return c->fd;
}

/* Has the device open name, or the file of token anew. False: the device leaves
 * an ordinary file to us. */
static bool
open_live(const char *name, uint64_t token, int flags, int *fd)
{
	int result;
	struct call c = {
	    .rq = {.kind = WIRE_OPEN,
		.size = (uint32_t)strlen(name),
		.token = token,
		.flags = (uint32_t)flags},
	    .arg = name,
	};

	result = connection_call(&c);
	if (result == WIRE_NOT_MINE)
		return false;
	*fd = files_result(&c, result);
	return true;
}

int
udev_open_uevents(void)
{
	int fd, e = errno;

	if (!open_live(WIRE_UEVENTS, 0, O_CLOEXEC, &fd))
		fd = -1;
	errno = e;
	return fd;
}

/* Opens /proc/PID/fdinfo/N of an open file of the device. */
static bool
open_fdinfo(pid_t pid, int fd, int *opened)
{
	struct call c = {.rq = {.kind = WIRE_FDINFO,
			     .number = (uint64_t)(pid > 0 ? pid : getpid()),
			     .aux = (uint32_t)fd},
	    .fd = -1};
	struct wire_mark mark;
	struct stat st;
	char path[64];
	int e = errno, result;

	snprintf(
	    path, sizeof path, "/proc/%d/fd/%d", pid > 0 ? pid : getpid(), fd);
	if (pid == 0 ? !wire_mark_of(fd, &mark)
		     : real()->stat(path, &st) != 0 || !S_ISSOCK(st.st_mode)) {
		errno = e;
		return false;
	}
	result = connection_call(&c);
	/* Without a device the kernel's file is better than none. */
	if (result < 0)
		return false;
	*opened = files_result(&c, result);
	return true;
}

/* Opens anew what a descriptor of this program has: a file of the device, or the
 * text of a live file. */
static bool
open_again(int number, int flags, int *fd)
{
	static const char text[] = "/memfd:" WIRE_TEXT;
	char link[PATH_MAX], *end;
	struct wire_mark mark;

	if (wire_mark_of(number, &mark))
		return open_live("", mark.token, flags, fd);
	if (!path_of_descriptor(number, link) ||
	    strncmp(link, text, sizeof text - 1) != 0)
		return false;
	end = strrchr(link, ' '); /* " (deleted)" */
	if (end != NULL)
		*end = 0;
	return open_live(link + sizeof text - 1, 0, flags, fd);
}

void
files_renew(int fd)
{
	char text[4096];
	ssize_t n;
	off_t at = 0;
	int e = errno, now;

	/* Only memory has seals: one call of the kernel for other files. */
	if (real_place()->root_len != 0 && fcntl(fd, F_GET_SEALS) >= 0 &&
	    open_again(fd, O_RDONLY | O_CLOEXEC, &now) && now >= 0) {
		if (ftruncate(fd, 0) == 0)
			while ((n = pread(now, text, sizeof text, at)) > 0 &&
			    pwrite(fd, text, (size_t)n, at) == n)
				at += n;
		real_close(now);
	}
	errno = e;
}

/* Opens a path that the kernel cannot open for us. False: it can, at the path
 * that *path is then. */
static bool
open_here(int dir, const char **path, char buf[PATH_MAX], int flags, int *fd)
{
	char name[PATH_MAX];
	pid_t pid;
	int number;

	switch (path_descriptor(dir, *path, &pid, &number)) {
	case PATH_PROC_FDINFO: return open_fdinfo(pid, number, fd);
	case PATH_PROC_FD: return pid == 0 && open_again(number, flags, fd);
	case PATH_PROC_NONE: break;
	}
	*path = path_turned(*path, buf);
	if (!path_in_tree(dir, *path))
		return false;
	path_tree_opened();
	if ((flags & O_PATH) != 0)
		return false;
	if ((flags & O_ACCMODE) != O_RDONLY && path_is_read_only(dir, *path)) {
		errno = EACCES;
		*fd = -1;
		return true;
	}
	if (!path_is_live(dir, *path, name))
		return false;
	if (open_live(name, 0, flags, fd))
		return true;
	if (path_is_node(dir, *path)) {
		errno = ENODEV;
		*fd = -1;
		return true;
	}
	return false;
}

static mode_t
mode_of(int flags, va_list ap)
{
	return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(ap, mode_t) : 0;
}

int
open(const char *path, int flags, ...)
{
	char buf[PATH_MAX];
	mode_t mode;
	va_list ap;
	int fd;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	if (open_here(AT_FDCWD, &path, buf, flags, &fd))
		return fd;
	return real()->open(path, flags, mode);
}

int
openat(int dir, const char *path, int flags, ...)
{
	char buf[PATH_MAX];
	mode_t mode;
	va_list ap;
	int fd;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	if (open_here(dir, &path, buf, flags, &fd))
		return fd;
	return real()->openat(dir, path, flags, mode);
}

/* Files are large and modes are not missing: the other spellings are the same
 * functions. */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int dir, const char *path, int flags, ...)
    __attribute__((alias("openat")));
int __open_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));
int __openat64_2(int dir, const char *path, int flags)
    __attribute__((alias("__openat_2")));

int
__open_2(const char *path, int flags)
{
	return open(path, flags);
}

int
__openat_2(int dir, const char *path, int flags)
{
	return openat(dir, path, flags);
}

int
creat(const char *path, mode_t mode)
{
	return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int creat64(const char *path, mode_t mode) __attribute__((alias("creat")));

/* Flags of open(2) for a mode of fopen(3). */
static int
open_flags(const char *mode)
{
	int flags = strchr(mode, '+') != NULL ? O_RDWR
	    : mode[0] == 'r'                  ? O_RDONLY
					      : O_WRONLY;

	if (mode[0] != 'r')
		flags |= O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC);
	return flags | (strchr(mode, 'e') != NULL ? O_CLOEXEC : 0);
}

FILE *
fopen(const char *path, const char *mode)
{
	const char *named = path;
	char buf[PATH_MAX];
	FILE *f;
	int fd;

	if (!open_here(AT_FDCWD, &path, buf, open_flags(mode), &fd))
		return real()->fopen(path, mode);
	if (fd < 0)
		return NULL;
	if (stream_is_needed(fd))
		return stream_of_control(fd, named, mode);
	f = real()->fdopen(fd, mode);
	if (f == NULL)
		real_close(fd);
	return f;
}

FILE *
fdopen(int fd, const char *mode)
{
	char path[32];

	if (!stream_is_needed(fd))
		return real()->fdopen(fd, mode);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return stream_of_control(fd, path, mode);
}

FILE *fopen64(const char *path, const char *mode)
    __attribute__((alias("fopen")));
