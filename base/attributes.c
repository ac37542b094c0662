/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See attributes.h. */
#include "base/attributes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

#define ACCESS_LIST "system.posix_acl_access"

/* Made by the kernel from the contents: the old text's are wrong. */
static const char *const of_contents[] = {"security.ima", "security.evm"};

static void
note_lost(struct text *lost, const char *what, int number)
{
	text_adds(lost, lost->len ? ", " : "");
	text_add_visible(lost, what, strlen(what));
	if (number)
		text_addf(lost, " (%s)", strerror(number));
}

/* A value, to be freed; NULL with errno: none can be had. */
static char *
read_value(const char *path, const char *name, size_t *len)
{
	ssize_t n = lgetxattr(path, name, NULL, 0);
	char *value;

	if (n < 0)
		return NULL;
	value = mem_calloc((size_t)n + 1, 1);
	n = lgetxattr(path, name, value, (size_t)n);
	if (n < 0) {
		free(value);
		return NULL;
	}
	*len = (size_t)n;
	return value;
}

static bool
is_none(int number)
{
	return number == ENODATA || number == EOPNOTSUPP;
}

/* Has the new file, by itself, that value already? (A label of the system.) */
static bool
has_value(int fd, const char *name, const char *value, size_t len)
{
	char *own = mem_calloc(len + 1, 1);
	ssize_t n = fgetxattr(fd, name, own, len + 1);
	bool same = n == (ssize_t)len && memcmp(own, value, len) == 0;

	free(own);
	return same;
}

/* False: it is lost. */
static bool
keep_value(int fd, const char *path, const char *name, struct text *lost)
{
	size_t len = 0;
	char *value = read_value(path, name, &len);
	bool kept = !value && is_none(errno); /* it has gone meanwhile */

	if (value)
		kept = has_value(fd, name, value, len) ||
		    !fsetxattr(fd, name, value, len, 0);
	if (!kept)
		note_lost(lost, name, errno);
	free(value);
	return kept;
}

/* The attributes that mode and owner belong to have their own order. */
static bool
is_apart(const char *name)
{
	for (size_t i = 0; i < sizeof(of_contents) / sizeof(*of_contents); i++)
		if (!strcmp(name, of_contents[i]))
			return true;
	return !strcmp(name, ACCESS_LIST);
}

/* Says who may do what, in a way of the file system (system.nfs4_acl). */
static bool
gives_access(const char *name)
{
	return !strncmp(name, "system.", strlen("system."));
}

/* False: one that gives access, or takes it, is lost. */
static bool
keep_values(int fd, const char *path, struct text *lost)
{
	ssize_t n = llistxattr(path, NULL, 0);
	bool safe = n >= 0 || errno == EOPNOTSUPP;
	char *names;

	if (!safe)
		note_lost(lost, "extended attributes", errno);
	if (n <= 0)
		return safe;
	names = mem_calloc((size_t)n + 1, 1);
	n = llistxattr(path, names, (size_t)n);
	for (ssize_t i = 0; i < n; i += (ssize_t)strlen(names + i) + 1)
		if (!is_apart(names + i) &&
		    !keep_value(fd, path, names + i, lost) &&
		    gives_access(names + i))
			safe = false;
	free(names);
	return safe;
}

enum list { LIST_KEPT, LIST_NONE, LIST_LOST };

/* Sets the group's bits too, which are its mask. A list that the folder has
 * given to the new file goes: a mode would open it. */
static enum list
keep_list(int fd, const char *path, bool same_group, struct text *lost)
{
	size_t len = 0;
	char *value = read_value(path, ACCESS_LIST, &len);
	enum list list = LIST_LOST;

	if (!value && is_none(errno)) {
		if (fremovexattr(fd, ACCESS_LIST) == 0 || is_none(errno))
			list = LIST_NONE;
	} else if (value && !same_group) {
		errno = EPERM;
	} else if (value && fsetxattr(fd, ACCESS_LIST, value, len, 0) == 0) {
		list = LIST_KEPT;
	}
	if (list == LIST_LOST)
		note_lost(lost, "access control list", errno);
	free(value);
	return list;
}

/* The group is another one: its members get what all others have. */
static mode_t
without_group(mode_t mode)
{
	return (mode & ~(mode_t)070) | (mode & 070 & ((mode & 07) << 3));
}

bool
attributes_keep(
    int fd, const char *path, const struct stat *old, struct text *lost)
{
	bool owner = !fchown(fd, old->st_uid, old->st_gid);
	bool group = owner || !fchown(fd, (uid_t)-1, old->st_gid);
	/* Not the owner's any more: then what he alone might do isn't kept. */
	mode_t mode = old->st_mode & (owner ? 07777 : 0777);

	if (!owner && old->st_uid != geteuid())
		note_lost(lost, "owner", 0);
	if (!group)
		note_lost(lost, "group", 0);
	if (!group)
		mode = without_group(mode);
	if (keep_list(fd, path, group, lost) == LIST_LOST)
		mode &= 0700;
	if (fchmod(fd, mode) < 0)
		return false;
	return keep_values(fd, path, lost) || !fchmod(fd, mode & 0700);
}
