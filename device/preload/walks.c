/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of libc that look into folders themselves: glob(3), nftw(3) and
 * ftw(3) look below the root, and programs get names without it; readdir(3)
 * says that nodes are character devices.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "device/preload/paths.h"
#include "device/preload/real.h"

int
glob(const char *pattern, int flags, int (*failed)(const char *, int),
    glob_t *found)
{
	char buf[PATH_MAX];
	const char *turned = path_turned(pattern, buf);
	size_t before = (flags & GLOB_APPEND) != 0 ? found->gl_pathc : 0;
	size_t hidden = (flags & GLOB_DOOFFS) != 0 ? found->gl_offs : 0;
	int result = real()->glob(turned, flags, failed, found);

	for (size_t i = before;
	     result == 0 && turned != pattern && i < found->gl_pathc; i++) {
		char *path = found->gl_pathv[hidden + i];

		path[path_strip(path, strlen(path))] = 0;
	}
	return result;
}

int glob64(const char *pattern, int flags, int (*failed)(const char *, int),
    glob64_t *found) __attribute__((alias("glob")));

/* The walk of this thread: a walk in a walk has its own. */
static _Thread_local struct {
	__nftw_func_t visit;
	__ftw_func_t visit_plainly;
} walk __attribute__((tls_model("initial-exec")));

/* Calls the program's function with the path that it knows, and what stat(2)
 * says of it. */
static int
visit_node(
    const char *path, const struct stat *found, int type, struct FTW *where)
{
	struct stat st = *found;
	struct FTW shown = {0};
	char name[PATH_MAX];
	size_t len = strlen(path), left;

	if (len >= sizeof name)
		return 0;
	memcpy(name, path, len + 1);
	left = path_strip(name, len);
	name[left] = 0;
	if (type != FTW_NS)
		fstatat(AT_FDCWD, name, &st,
		    type == FTW_SL ? AT_SYMLINK_NOFOLLOW : 0);
	if (where == NULL)
		return walk.visit_plainly(name, &st, type);
	shown = *where;
	if (left < len)
		shown.base -= (int)(len - left);
	return walk.visit(name, &st, type, &shown);
}

static int
visit_plain_node(const char *path, const struct stat *found, int type)
{
	return visit_node(path, found, type, NULL);
}

int
nftw(const char *path, __nftw_func_t visit, int descriptors, int flags)
{
	__nftw_func_t before = walk.visit;
	char buf[PATH_MAX];
	const char *turned = path_turned(path, buf);
	int result;

	if (turned == path)
		return real()->nftw(path, visit, descriptors, flags);
	walk.visit = visit;
	result = real()->nftw(turned, visit_node, descriptors, flags);
	walk.visit = before;
	return result;
}

int
ftw(const char *path, __ftw_func_t visit, int descriptors)
{
	__ftw_func_t before = walk.visit_plainly;
	char buf[PATH_MAX];
	const char *turned = path_turned(path, buf);
	int result;

	if (turned == path)
		return real()->ftw(path, visit, descriptors);
	walk.visit_plainly = visit;
	result = real()->ftw(turned, visit_plain_node, descriptors);
	walk.visit_plainly = before;
	return result;
}

/* On 64-bit machines all structures are one. */
int nftw64(const char *path, __nftw64_func_t visit, int descriptors, int flags)
    __attribute__((alias("nftw")));
int ftw64(const char *path, __ftw64_func_t visit, int descriptors)
    __attribute__((alias("ftw")));

/* True for names that nodes have. */
static bool
may_be_node(const struct dirent *e)
{
	return e->d_type == DT_REG &&
	    (strncmp(e->d_name, "card", 4) == 0 ||
		strncmp(e->d_name, "renderD", 7) == 0 ||
		strcmp(e->d_name, "sw_sync") == 0);
}

struct dirent *
readdir(DIR *dir)
{
	struct dirent *e = real()->readdir(dir);
	int before = errno;

	if (e == NULL || !may_be_node(e) || real_place()->root_len == 0)
		return e;
	if (path_is_node(dirfd(dir), e->d_name))
		e->d_type = DT_CHR;
	errno = before;
	return e;
}

struct dirent64 *readdir64(DIR *dir) __attribute__((alias("readdir")));
