/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns paths of the device to its tree and back. */
#include "device/preload/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "device/preload/real.h"
#include "device/wire/live.h"

enum match {
	FOLDER, /* the path and all below it */
	BEGIN,  /* all paths that begin so */
	ALONE,  /* the path only */
};

/* Paths that are the device's. A real card of the machine is hidden. IGT asks
 * whether debugfs is mounted: its root alone is ours. */
static const struct {
	const char *path;
	enum match match;
} turned_paths[] = {
    {"/dev/dri", FOLDER},
    {"/dev/sw_sync", ALONE},
    {"/sys/bus/event_source/devices/i915", FOLDER},
    {"/sys/bus/pci/devices", FOLDER},
    {"/sys/bus/pci/drivers/i915", FOLDER},
    {"/sys/class/drm", FOLDER},
    {"/sys/dev/char/226:", BEGIN},
    {"/sys/devices/i915", FOLDER},
    {"/sys/devices/pci0000:00/0000:00:02.0", FOLDER},
    {"/sys/kernel/debug", ALONE},
    {"/sys/kernel/debug/", ALONE},
    {"/sys/kernel/debug/.", ALONE},
    {"/sys/kernel/debug/dri", FOLDER},
    {"/sys/kernel/debug/sync", FOLDER},
    {"/sys/module/i915", FOLDER},
};

static bool
is_turned(const char *path)
{
	for (size_t i = 0; i < sizeof turned_paths / sizeof *turned_paths;
	     i++) {
		size_t len = strlen(turned_paths[i].path);
		enum match match = turned_paths[i].match;

		if (strncmp(path, turned_paths[i].path, len) != 0)
			continue;
		if (match == BEGIN || path[len] == 0 ||
		    (match == FOLDER && path[len] == '/'))
			return true;
	}
	return false;
}

/* Returns the folder above debugfs as IGT spells it: where nothing is mounted at
 * /sys, as in a plain chroot, another file system's that is never the tree's. */
static const char *
path_ordinary(const char *path)
{
	int e = errno;
	bool lacks = strcmp(path, "/sys/kernel/debug/..") == 0 &&
	    real()->access("/sys/kernel/debug", F_OK) != 0;

	errno = e;
	return lacks ? "/proc" : path;
}

const char *
path_turned(const char *path, char buf[PATH_MAX])
{
	const struct real_place *p = real_place();
	size_t len;

	if (path == NULL || path[0] != '/' || p->root_len == 0 ||
	    (path[1] != 'd' && path[1] != 's'))
		return path;
	if (!is_turned(path))
		return path_ordinary(path);
	len = strlen(path);
	if (p->root_len + len >= PATH_MAX)
		return path;
	memcpy(buf, p->root, p->root_len);
	memcpy(buf + p->root_len, path, len + 1);
	return buf;
}

static _Atomic bool tree_opened, folder_in_tree;

void
path_tree_opened(void)
{
	tree_opened = true;
}

static bool
below_root(const char *path)
{
	const struct real_place *p = real_place();

	return p->root_len > 0 && strncmp(path, p->root, p->root_len) == 0 &&
	    (path[p->root_len] == '/' || path[p->root_len] == 0);
}

bool
path_in_tree(int dir, const char *path)
{
	if (path == NULL)
		return false;
	if (path[0] == '/')
		return below_root(path);
	return dir >= 0 ? tree_opened : folder_in_tree;
}

void
path_folder_changed(void)
{
	char folder[PATH_MAX];
	int e = errno;
	ssize_t n = real()->readlink(
	    "/proc/self/cwd", folder, sizeof folder - 1);

	folder[n > 0 ? n : 0] = 0;
	folder_in_tree = below_root(folder);
	errno = e;
}

/* Reads a link of /proc into buf as a string. */
bool
path_of_descriptor(int fd, char buf[PATH_MAX])
{
	char link[32];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = real()->readlink(link, buf, PATH_MAX - 1);
	buf[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* True if path, as turned, is a regular file of the tree whose mode is wanted; name
 * gets its path below the root, without links. */
static bool
is_file(int dir, const char *path, bool (*is_wanted)(mode_t mode),
    char name[PATH_MAX])
{
	const struct real_place *p = real_place();
	struct stat st;
	bool found = false;
	int e = errno, fd;

	if (real()->fstatat(dir, path, &st, 0) == 0 && S_ISREG(st.st_mode) &&
	    is_wanted(st.st_mode) && st.st_dev == p->root_dev &&
	    (fd = real_open(dir, path, O_PATH)) >= 0) {
		if (path_of_descriptor(fd, name) && below_root(name)) {
			memmove(name, name + p->root_len + 1,
			    strlen(name + p->root_len));
			found = true;
		}
		real_close(fd);
	}
	errno = e;
	return found;
}

bool
path_is_live(int dir, const char *path, char name[PATH_MAX])
{
	return is_file(dir, path, wire_is_live, name);
}

static bool
is_unwritable(mode_t mode)
{
	return (mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
}

bool
path_is_read_only(int dir, const char *path)
{
	char name[PATH_MAX];

	return is_file(dir, path, is_unwritable, name);
}

bool
path_is_node(int dir, const char *path)
{
	struct stat st;

	return real()->fstatat(dir, path, &st, 0) == 0 &&
	    wire_is_node(st.st_mode);
}

size_t
path_strip(char *path, size_t len)
{
	const struct real_place *p = real_place();

	if (p->root_len == 0 || len < p->root_len ||
	    memcmp(path, p->root, p->root_len) != 0 ||
	    (len > p->root_len && path[p->root_len] != '/'))
		return len;
	if (len == p->root_len) {
		path[0] = '/';
		return 1;
	}
	memmove(path, path + p->root_len, len - p->root_len);
	return len - p->root_len;
}

/* Reads a number of at most 9 digits at *at, which moves behind it; -1: there is
 * none. */
static int
path_number(const char **at)
{
	const char *p = *at;
	int n = 0;

	while (*p >= '0' && *p <= '9' && p - *at < 9)
		n = n * 10 + (*p++ - '0');
	if (p == *at)
		return -1;
	*at = p;
	return n;
}

/* True if *at begins with text; *at moves behind it. */
static bool
skip_text(const char **at, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(*at, text, len) != 0)
		return false;
	*at += len;
	return true;
}

/* Reads "/proc/PID/fd" or "/proc/PID/fdinfo", also of a task, up to its end. */
static enum path_proc
proc_folder(const char **at, pid_t *pid)
{
	if (skip_text(at, "/dev/fd")) {
		*pid = 0;
		return PATH_PROC_FD;
	}
	if (!skip_text(at, "/proc/"))
		return PATH_PROC_NONE;
	*pid = 0;
	if (!skip_text(at, "self") && !skip_text(at, "thread-self"))
		*pid = path_number(at);
	if (skip_text(at, "/task/"))
		path_number(at);
	if (*pid == getpid())
		*pid = 0;
	if (*pid < 0)
		return PATH_PROC_NONE;
	if (skip_text(at, "/fdinfo"))
		return PATH_PROC_FDINFO;
	return skip_text(at, "/fd") ? PATH_PROC_FD : PATH_PROC_NONE;
}

enum path_proc
path_descriptor(int dir, const char *path, pid_t *pid, int *fd)
{
	char folder[PATH_MAX];
	enum path_proc kind;
	const char *at = path;
	int e = errno;

	if (path == NULL || real_place()->root_len == 0)
		return PATH_PROC_NONE;
	if (path[0] != '/') {
		*fd = path_number(&at);
		if (*fd < 0 || *at != 0 || dir < 0)
			return PATH_PROC_NONE;
		if (!path_of_descriptor(dir, folder)) {
			errno = e;
			return PATH_PROC_NONE;
		}
		at = folder;
		kind = proc_folder(&at, pid);
		return *at == 0 ? kind : PATH_PROC_NONE;
	}
	kind = proc_folder(&at, pid);
	if (kind == PATH_PROC_NONE || !skip_text(&at, "/"))
		return PATH_PROC_NONE;
	*fd = path_number(&at);
	return *fd >= 0 && *at == 0 ? kind : PATH_PROC_NONE;
}
