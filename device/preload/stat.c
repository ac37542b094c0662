/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stat family: nodes of the tree and open files of the device are character
 * devices 226:N, in this process and, below /proc, in others.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "device/preload/connection.h"
#include "device/preload/paths.h"
#include "device/preload/real.h"
#include "device/wire/live.h"
#include "device/wire/mark.h"

#define DRM_MAJOR 226u
/* The file system of /dev, wherever the tree is and whatever a descriptor is. */
#define DEV_DEVICE makedev(0, 6)

/* The part of a stat or statx that differs for files of the device. */
struct looks {
	mode_t mode;
	dev_t dev, rdev;
	ino_t ino;
	uint64_t size;
};

static void
look_like_node(struct looks *l, dev_t rdev)
{
	l->mode = S_IFCHR | 0660;
	l->dev = DEV_DEVICE;
	l->ino = 0x10000 + rdev;
	l->rdev = rdev;
	l->size = 0;
}

/* A file of the tree: its marks are not for programs. */
static void
look_at_tree(struct looks *l)
{
	if (!wire_is_live(l->mode) || l->dev != real_place()->root_dev)
		return;
	if (wire_is_node(l->mode))
		look_like_node(l, (dev_t)l->size);
	else
		l->mode &= ~(mode_t)WIRE_NODE;
}

static void
look_at_open_file(struct looks *l, int fd)
{
	struct wire_mark mark;

	if (!S_ISSOCK(l->mode) || !wire_mark_of(fd, &mark))
		look_at_tree(l);
	else if (mark.kind == MARK_DRM)
		look_like_node(l, makedev(DRM_MAJOR, mark.minor));
	else if (mark.kind == MARK_CONTROL)
		l->mode = S_IFREG | 0644;
}

/* A socket of another process, which cannot be asked for its name: the device
 * knows the inodes of its own. */
static void
look_at_foreign(struct looks *l, ino_t inode)
{
	struct call c = {.rq = {.kind = WIRE_STAT, .number = inode}};
	int node = connection_call(&c);

	if (node >= 0)
		look_like_node(l, makedev(DRM_MAJOR, (unsigned)node));
}

/* A file as the program named it, (dir, path): its kind. */
static void
look_at_path(struct looks *l, int dir, const char *path, ino_t inode)
{
	pid_t pid;
	int fd;

	if (real_place()->root_len == 0)
		return;
	if (!S_ISSOCK(l->mode)) {
		look_at_tree(l);
		return;
	}
	if (path_descriptor(dir, path, &pid, &fd) != PATH_PROC_FD)
		return;
	if (pid == 0)
		look_at_open_file(l, fd);
	else
		look_at_foreign(l, inode);
}

static struct looks
looks_of(const struct stat *st)
{
	return (struct looks){st->st_mode, st->st_dev, st->st_rdev, st->st_ino,
	    (uint64_t)st->st_size};
}

static void
show(struct stat *st, const struct looks *l)
{
	st->st_mode = l->mode;
	st->st_dev = l->dev;
	st->st_ino = l->ino;
	st->st_rdev = l->rdev;
	st->st_size = (off_t)l->size;
}

static int
path_result(int result, int dir, const char *path, bool follow, struct stat *st)
{
	struct looks l;

	if (result != 0)
		return result;
	/* A link itself is not a file of the device. */
	if (!follow && S_ISLNK(st->st_mode))
		return 0;
	l = looks_of(st);
	look_at_path(&l, dir, path, st->st_ino);
	show(st, &l);
	return 0;
}

int
stat(const char *path, struct stat *st)
{
	char buf[PATH_MAX];

	return path_result(
	    real()->stat(path_turned(path, buf), st), AT_FDCWD, path, true, st);
}

int
lstat(const char *path, struct stat *st)
{
	char buf[PATH_MAX];

	return path_result(real()->lstat(path_turned(path, buf), st), AT_FDCWD,
	    path, false, st);
}

int
fstat(int fd, struct stat *st)
{
	struct looks l;

	if (real()->fstat(fd, st) != 0)
		return -1;
	l = looks_of(st);
	look_at_open_file(&l, fd);
	show(st, &l);
	return 0;
}

/* True if dir itself is meant. */
static bool
means_itself(int dir, const char *path, int flags)
{
	return dir >= 0 && (flags & AT_EMPTY_PATH) != 0 &&
	    (path == NULL || path[0] == 0);
}

int
fstatat(int dir, const char *path, struct stat *st, int flags)
{
	char buf[PATH_MAX];

	if (means_itself(dir, path, flags))
		return fstat(dir, st);
	return path_result(
	    real()->fstatat(dir, path_turned(path, buf), st, flags), dir, path,
	    (flags & AT_SYMLINK_NOFOLLOW) == 0, st);
}

int
statx(int dir, const char *path, int flags, unsigned mask, struct statx *x)
{
	char buf[PATH_MAX];
	struct looks l;

	if (real()->statx(dir, path_turned(path, buf), flags, mask, x) != 0)
		return -1;
	l = (struct looks){x->stx_mode,
	    makedev(x->stx_dev_major, x->stx_dev_minor),
	    makedev(x->stx_rdev_major, x->stx_rdev_minor), x->stx_ino,
	    x->stx_size};
	if (means_itself(dir, path, flags))
		look_at_open_file(&l, dir);
	else
		look_at_path(&l, dir, path, x->stx_ino);
	x->stx_mode = (uint16_t)l.mode;
	x->stx_dev_major = major(l.dev);
	x->stx_dev_minor = minor(l.dev);
	x->stx_ino = l.ino;
	x->stx_rdev_major = major(l.rdev);
	x->stx_rdev_minor = minor(l.rdev);
	x->stx_size = l.size;
	return 0;
}

/* The mode of a node is the tree's mark of it: who may open it is not changed. */
static bool
keeps_mode(int dir, const char *path)
{
	struct stat st;
	int e = errno;
	bool is = real()->fstatat(dir, path, &st, 0) == 0 &&
	    wire_is_live(st.st_mode) && st.st_dev == real_place()->root_dev;

	errno = e;
	return is;
}

int
chmod(const char *path, mode_t mode)
{
	char buf[PATH_MAX];
	const char *turned = path_turned(path, buf);

	if (turned != path && keeps_mode(AT_FDCWD, turned))
		return 0;
	return real()->chmod(turned, mode);
}

int
fchmodat(int dir, const char *path, mode_t mode, int flags)
{
	char buf[PATH_MAX];
	const char *turned = path_turned(path, buf);

	if (turned != path && keeps_mode(dir, turned))
		return 0;
	return real()->fchmodat(dir, turned, mode, flags);
}

/* On 64-bit machines both structures are one. */
int stat64(const char *path, struct stat64 *st) __attribute__((alias("stat")));
int lstat64(const char *path, struct stat64 *st)
    __attribute__((alias("lstat")));
int fstat64(int fd, struct stat64 *st) __attribute__((alias("fstat")));
int fstatat64(int dir, const char *path, struct stat64 *st, int flags)
    __attribute__((alias("fstatat")));

/* Functions for programs built for a glibc before 2.33. */
int __xstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstatat(
    int version, int dir, const char *path, struct stat *st, int flags);
int __xstat64(int version, const char *path, struct stat *st)
    __attribute__((alias("__xstat")));
int __lxstat64(int version, const char *path, struct stat *st)
    __attribute__((alias("__lxstat")));
int __fxstat64(int version, int fd, struct stat *st)
    __attribute__((alias("__fxstat")));
int __fxstatat64(int version, int dir, const char *path, struct stat *st,
    int flags) __attribute__((alias("__fxstatat")));

int
__xstat(int version, const char *path, struct stat *st)
{
	(void)version;
	return stat(path, st);
}

int
__lxstat(int version, const char *path, struct stat *st)
{
	(void)version;
	return lstat(path, st);
}

int
__fxstat(int version, int fd, struct stat *st)
{
	(void)version;
	return fstat(fd, st);
}

int
__fxstatat(int version, int dir, const char *path, struct stat *st, int flags)
{
	(void)version;
	return fstatat(dir, path, st, flags);
}
