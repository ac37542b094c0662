/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file a path means, though it may not exist yet. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

#define MAX_LINKS 40 /* one after the other, as in the kernel */

/* Its folder, with the slash; "" is the current one. */
static size_t
folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The folder without links, and the last name, of which nothing is there. */
static char *
in_real_folder(const char *path)
{
	size_t len = folder_length(path);
	struct text t = {0};
	char *folder;

	if (path[len] == '\0') {
		errno = ENOENT;
		return NULL;
	}
	text_add(&t, path, len);
	folder = realpath(len ? text_str(&t) : ".", NULL);
	text_free(&t);
	if (folder)
		text_addf(
		    &t, "%s/%s", strcmp(folder, "/") ? folder : "", path + len);
	free(folder);
	return t.data;
}

/* Reads the link at path, seen from where path is. False: it is none. */
static bool
follow(struct text *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(text_str(path), target, sizeof(target) - 1);

	if (n < 0)
		return false;
	target[n] = '\0';
	path->len = target[0] == '/' ? 0 : folder_length(path->data);
	text_adds(path, target);
	return true;
}

char *
file_final_path(const char *path)
{
	struct text at = {0};
	char *found = NULL;

	if (*path == '\0') {
		errno = ENOENT;
		return NULL;
	}
	text_adds(&at, path);
	for (int i = 0; i < MAX_LINKS && !found; i++) {
		found = realpath(at.data, NULL);
		if (found || errno != ENOENT)
			break;
		/* Links to nothing yet, one or more: it is where they point. */
		if (!follow(&at)) {
			found = in_real_folder(at.data);
			break;
		}
		errno = ELOOP;
	}
	text_free(&at);
	return found;
}

char *
file_absolute_path(const char *path)
{
	char *found = file_final_path(path), *here;
	struct text t = {0};

	if (found || path[0] == '/')
		return found ? found : mem_strdup(path);
	here = getcwd(NULL, 0);
	text_addf(&t, "%s/%s", here && strcmp(here, "/") ? here : "", path);
	free(here);
	return t.data;
}
