/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The new file of a save: making, locking and renaming it, removing those of
 * killed processes, and giving it the attributes of the file that it replaces.
 * The names are explained in file_private.h.
 */
#include "base/file_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

#define PREFIX "gpuwl-save-"
#define N_ANY  6  /* letters that mkostemp() chooses */
#define TRIES  16 /* for names that other processes are removing */

static void
add_folder_of(struct text *out, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash)
		text_add(out, path, (size_t)(slash - path) + 1);
	else
		text_adds(out, "./");
}

/* True if the file is locked and still exists: file_remove_dead() of another
 * process may have been quicker than the lock. */
static bool
is_still_ours(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return false;
	return !fstat(fd, &st) && st.st_nlink > 0;
}

bool
temporary_open(struct temporary *t, const char *path)
{
	*t = (struct temporary){.fd = -1};
	for (int i = 0; i < TRIES; i++) {
		text_clear(&t->path);
		add_folder_of(&t->path, path);
		text_adds(&t->path, "." PREFIX "XXXXXX");
		t->fd = mkostemp(t->path.data, O_CLOEXEC);
		if (t->fd < 0)
			break;
		if (is_still_ours(t->fd))
			return true;
		unlink(t->path.data);
		close(t->fd);
		t->fd = -1;
		errno = EBUSY;
	}
	text_free(&t->path);
	return false;
}

bool
temporary_announce(struct temporary *t, uint64_t hash)
{
	struct text name = {0};
	struct stat st = {0};
	bool done = !fstat(t->fd, &st);

	text_addf(&name, "%s-%" PRIx64 "-%" PRIx64, t->path.data,
	    (uint64_t)st.st_ino, hash);
	done = done && !rename(t->path.data, name.data);
	if (done) {
		text_free(&t->path);
		t->path = name;
	} else {
		text_free(&name);
	}
	return done;
}

void
temporary_close(struct temporary *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	text_free(&t->path);
}

void
temporary_remove(struct temporary *t)
{
	int number = errno;

	if (t->path.len)
		unlink(t->path.data);
	temporary_close(t);
	errno = number;
}

/* Renames without flags, by a link. On a file system without links (FAT) another
 * program may make path between lstat() and rename(). */
static bool
move_plainly(const char *from, const char *path)
{
	struct stat st;

	if (!link(from, path)) {
		unlink(from);
		return true;
	}
	if (errno == EEXIST)
		return false;
	if (!lstat(path, &st)) {
		errno = EEXIST;
		return false;
	}
	return !rename(from, path);
}

bool
temporary_move_new(struct temporary *t, const char *path, bool plain)
{
	bool done = !plain &&
	    !renameat2(
		AT_FDCWD, t->path.data, AT_FDCWD, path, RENAME_NOREPLACE);

	if (!done && (plain || errno == EINVAL || errno == ENOSYS))
		done = move_plainly(t->path.data, path);
	if (done)
		text_clear(&t->path);
	return done;
}

bool
temporary_move_over(struct temporary *t, const char *path)
{
	if (rename(t->path.data, path) < 0)
		return false;
	text_clear(&t->path);
	return true;
}

void
folder_sync(const char *path)
{
	struct text folder = {0};
	const char *slash = strrchr(path, '/');
	int fd;

	if (slash)
		text_add(
		    &folder, path, slash == path ? 1 : (size_t)(slash - path));
	else
		text_addc(&folder, '.');
	fd = open(folder.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	text_free(&folder);
}

bool
file_make_private(const char *path, const struct text *contents, bool own,
    bool sync, struct text *err)
{
	struct temporary t;
	bool done;

	if (!temporary_open(&t, path))
		return file_failed(err, "can't save", path);
	done = file_write_all(t.fd, text_str(contents), contents->len) &&
	    (!sync || !fsync(t.fd)) &&
	    (own ? temporary_move_over(&t, path)
		 : temporary_move_new(&t, path, false));
	if (!done)
		file_failed(err, "can't save", path);
	temporary_remove(&t);
	if (done && sync)
		folder_sync(path);
	return done;
}

/* Parses '-' and hexadecimal digits, and moves *s after them. */
static bool
take_hex(const char **s, uint64_t *number)
{
	char *end;

	if (**s != '-' || !strchr("0123456789abcdef", (*s)[1]) || !(*s)[1])
		return false;
	*number = strtoull(*s + 1, &end, 16);
	*s = end;
	return true;
}

struct name {
	bool announced;
	uint64_t ino, hash;
};

static bool
parse_name(const char *s, struct name *name)
{
	const size_t len = strlen("." PREFIX);

	*name = (struct name){0};
	if (strncmp(s, "." PREFIX, len) || strlen(s) < len + N_ANY)
		return false;
	s += len;
	for (int i = 0; i < N_ANY; i++, s++)
		if (*s == '-' || *s == '.')
			return false;
	if (*s == '\0')
		return true;
	name->announced = true;
	return take_hex(&s, &name->ino) && take_hex(&s, &name->hash) &&
	    *s == '\0';
}

/* True if removing the file loses no text: it is the new file, or has the
 * replaced contents. */
static bool
is_expendable(int fd, const struct stat *st, const struct name *name)
{
	const struct file_stamp stamp = {
	    .size = st->st_size,
	    .hash = name->hash,
	};

	return !name->announced || name->ino == (uint64_t)st->st_ino ||
	    file_has_contents(fd, &stamp);
}

/* Removes an entry of an open folder if it is a regular file of this user that
 * no process has locked, and whose text is not lost with it. */
static void
remove_if_dead(int folder, const char *entry, const struct name *name)
{
	struct stat st, now;
	int fd = openat(folder, entry,
	    O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
	    st.st_uid == geteuid() && !flock(fd, LOCK_EX | LOCK_NB) &&
	    !fstatat(folder, entry, &now, AT_SYMLINK_NOFOLLOW) &&
	    now.st_dev == st.st_dev && now.st_ino == st.st_ino &&
	    is_expendable(fd, &st, name))
		unlinkat(folder, entry, 0);
	close(fd);
}

void
file_remove_dead(const char *path)
{
	struct text folder = {0};
	struct dirent *entry;
	struct name name;
	DIR *dir;

	add_folder_of(&folder, path);
	dir = opendir(folder.data);
	while (dir && (entry = readdir(dir)))
		if (parse_name(entry->d_name, &name))
			remove_if_dead(dirfd(dir), entry->d_name, &name);
	if (dir)
		closedir(dir);
	text_free(&folder);
}

#define ACCESS_LIST "system.posix_acl_access"

/* The kernel computes these from the contents: the old values are wrong. */
static const char *const of_contents[] = {"security.ima", "security.evm"};

static void
note_lost(struct text *lost, const char *what, int number)
{
	text_adds(lost, lost->len ? ", " : "");
	text_add_visible(lost, what, strlen(what));
	if (number)
		text_addf(lost, " (%s)", strerror(number));
}

/* Returns the value of an attribute, which the caller frees. NULL, with errno. */
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

/* True if the new file already has that value, e.g. a security label. */
static bool
has_value(int fd, const char *name, const char *value, size_t len)
{
	char *own = mem_calloc(len + 1, 1);
	ssize_t n = fgetxattr(fd, name, own, len + 1);
	bool same = n == (ssize_t)len && memcmp(own, value, len) == 0;

	free(own);
	return same;
}

/* Copies one attribute. False: it is lost. */
static bool
keep_value(int fd, const char *path, const char *name, struct text *lost)
{
	size_t len = 0;
	char *value = read_value(path, name, &len);
	bool kept = !value && is_none(errno); /* removed meanwhile */

	if (value)
		kept = has_value(fd, name, value, len) ||
		    !fsetxattr(fd, name, value, len, 0);
	if (!kept)
		note_lost(lost, name, errno);
	free(value);
	return kept;
}

/* True for attributes that keep_values() skips: the access control list, which
 * keep_list() copies, and those that the kernel computes. */
static bool
is_apart(const char *name)
{
	for (size_t i = 0; i < sizeof(of_contents) / sizeof(*of_contents); i++)
		if (!strcmp(name, of_contents[i]))
			return true;
	return !strcmp(name, ACCESS_LIST);
}

/* True for access rules of a file system (system.nfs4_acl). */
static bool
gives_access(const char *name)
{
	return !strncmp(name, "system.", strlen("system."));
}

/* Copies the other attributes. False: access rules are lost. */
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

/* Copies the access control list, which also sets the group's mode bits, its
 * mask. Removes a list that the new file has from its folder's default. */
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

/* Gives the group, which is another one, only what all others have. */
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
	/* Without the owner set-id bits are not kept. */
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
