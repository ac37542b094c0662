/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders of the tree: listing, and as the current one; what ls(1) asks of each
 * file besides. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "device/preload/paths.h"
#include "device/preload/real.h"

DIR *
opendir(const char *path)
{
	char buf[PATH_MAX];
	const char *turned = path_turned(path, buf);

	if (turned != path)
		path_tree_opened();
	return real()->opendir(turned);
}

int
scandir(const char *path, struct dirent ***names,
    int (*wanted)(const struct dirent *),
    int (*compare)(const struct dirent **, const struct dirent **))
{
	char buf[PATH_MAX];

	return real()->scandir(path_turned(path, buf), names, wanted, compare);
}

int scandir64(const char *path, struct dirent64 ***names,
    int (*wanted)(const struct dirent64 *),
    int (*compare)(const struct dirent64 **, const struct dirent64 **))
    __attribute__((alias("scandir")));

int
chdir(const char *path)
{
	char buf[PATH_MAX];
	int result = real()->chdir(path_turned(path, buf));

	if (result == 0)
		path_folder_changed();
	return result;
}

int
fchdir(int fd)
{
	int result = real()->fchdir(fd);

	if (result == 0)
		path_folder_changed();
	return result;
}

char *
getcwd(char *buf, size_t size)
{
	char *path = real()->getcwd(buf, size);

	if (path != NULL)
		path[path_strip(path, strlen(path))] = 0;
	return path;
}

ssize_t
getxattr(const char *path, const char *name, void *value, size_t size)
{
	char buf[PATH_MAX];

	return real()->getxattr(path_turned(path, buf), name, value, size);
}

ssize_t
lgetxattr(const char *path, const char *name, void *value, size_t size)
{
	char buf[PATH_MAX];

	return real()->lgetxattr(path_turned(path, buf), name, value, size);
}

ssize_t
llistxattr(const char *path, char *list, size_t size)
{
	char buf[PATH_MAX];

	return real()->llistxattr(path_turned(path, buf), list, size);
}
