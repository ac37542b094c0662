/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access and links of the tree; names that the program is given are without the
 * root. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/preload/paths.h"
#include "device/preload/real.h"
#include "device/wire/mark.h"

int
access(const char *path, int mode)
{
	char buf[PATH_MAX];

	return real()->access(path_turned(path, buf), mode);
}

int
faccessat(int dir, const char *path, int mode, int flags)
{
	char buf[PATH_MAX];

	return real()->faccessat(dir, path_turned(path, buf), mode, flags);
}

/* Copies the name of an open file of the device, as readlink(2) does; 0: fd is
 * none. */
static ssize_t
name_of_descriptor(int fd, char *buf, size_t size)
{
	struct wire_mark mark;
	char name[64];
	size_t len;

	if (!wire_mark_of(fd, &mark))
		return 0;
	switch (mark.kind) {
	case MARK_DRM:
		snprintf(name, sizeof name, "/dev/dri/%s%u",
		    mark.minor < 64 ? "card" : "renderD", mark.minor);
		break;
	case MARK_FENCE: strcpy(name, "anon_inode:sync_file"); break;
	case MARK_SYNCOBJ: strcpy(name, "anon_inode:syncobj_file"); break;
	case MARK_TIMELINE: strcpy(name, "/dev/sw_sync"); break;
	case MARK_PERF: strcpy(name, "anon_inode:[perf_event]"); break;
	default: return 0;
	}
	len = strlen(name);
	if (len > size)
		len = size;
	memcpy(buf, name, len);
	return (ssize_t)len;
}

/* Reads a link below /proc/PID/fd, whose text may begin with the root. 0: path
 * is none. */
static ssize_t
read_proc_link(int dir, const char *path, char *buf, size_t size)
{
	char text[PATH_MAX];
	ssize_t n;
	size_t len;
	pid_t pid;
	int fd;

	if (path_descriptor(dir, path, &pid, &fd) != PATH_PROC_FD)
		return 0;
	n = pid == 0 ? name_of_descriptor(fd, buf, size) : 0;
	if (n > 0)
		return n;
	n = real()->readlinkat(dir, path, text, sizeof text);
	if (n <= 0)
		return n;
	len = path_strip(text, (size_t)n);
	if (len > size)
		len = size;
	memcpy(buf, text, len);
	return (ssize_t)len;
}

ssize_t
readlink(const char *path, char *buf, size_t size)
{
	char turned[PATH_MAX];
	ssize_t n = read_proc_link(AT_FDCWD, path, buf, size);

	return n != 0 ? n
		      : real()->readlink(path_turned(path, turned), buf, size);
}

ssize_t
readlinkat(int dir, const char *path, char *buf, size_t size)
{
	char turned[PATH_MAX];
	ssize_t n = read_proc_link(dir, path, buf, size);

	return n != 0
	    ? n
	    : real()->readlinkat(dir, path_turned(path, turned), buf, size);
}

char *
realpath(const char *path, char *resolved)
{
	char buf[PATH_MAX];
	char *result = real()->realpath(path_turned(path, buf), resolved);

	if (result != NULL)
		result[path_strip(result, strlen(result))] = 0;
	return result;
}

char *__realpath_chk(const char *path, char *resolved, size_t room);
ssize_t __readlink_chk(const char *path, char *buf, size_t size, size_t room);
ssize_t __readlinkat_chk(
    int dir, const char *path, char *buf, size_t size, size_t room);

/* A buffer that is too small is a fault of the program, as it is for glibc. */
static void
require(bool fits)
{
	if (!fits)
		abort();
}

char *
__realpath_chk(const char *path, char *resolved, size_t room)
{
	require(room >= PATH_MAX);
	return realpath(path, resolved);
}

ssize_t
__readlink_chk(const char *path, char *buf, size_t size, size_t room)
{
	require(size <= room);
	return readlink(path, buf, size);
}

ssize_t
__readlinkat_chk(int dir, const char *path, char *buf, size_t size, size_t room)
{
	require(size <= room);
	return readlinkat(dir, path, buf, size);
}

char *
canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}
