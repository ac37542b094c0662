/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of the program: which are in the device's tree, which are live files of
 * it, which name a descriptor of a process. */
#ifndef DEVICE_PRELOAD_PATHS_H
#define DEVICE_PRELOAD_PATHS_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* Returns path, or, for a path of the device, the same below the root, which is
 * written to buf. NULL is returned as it is. */
const char *path_turned(const char *path, char buf[PATH_MAX]);

/* True if path, as turned, may be in the tree: it is below the root, or relative
 * to a folder after the program has opened one of the tree's, or to the current
 * one if that is the tree's. */
bool path_in_tree(int dir, const char *path);
/* The program may have a folder of the tree open. */
void path_tree_opened(void);

/* The current folder is another one. */
void path_folder_changed(void);

/* True if path, as turned, is a live file of the tree; name gets its path below
 * the root, without links. */
bool path_is_live(int dir, const char *path, char name[PATH_MAX]);

/* True if path, as turned, is a file of the tree that not even root may write to, as
 * in sysfs. */
bool path_is_read_only(int dir, const char *path);

/* True if path, as turned, is a node of the tree. */
bool path_is_node(int dir, const char *path);

/* Reads what /proc/self/fd/N is a link to. False: nothing is there. */
bool path_of_descriptor(int fd, char buf[PATH_MAX]);

/* Takes the root off a path that the program is given; returns its new
 * length. */
size_t path_strip(char *path, size_t len);

enum path_proc {
	PATH_PROC_NONE,
	PATH_PROC_FD,     /* /proc/PID/fd/N, /dev/fd/N */
	PATH_PROC_FDINFO, /* /proc/PID/fdinfo/N */
};

/* Finds process (0: this one) and descriptor that path means; relative to dir
 * it is a bare number. */
enum path_proc path_descriptor(int dir, const char *path, pid_t *pid, int *fd);

#endif
