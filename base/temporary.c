/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See temporary.h. */
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_private.h"

#define PREFIX "gpuwl-save-"
#define N_ANY  6  /* letters that mkostemp chooses */
#define TRIES  16 /* of names that are being looked at by others */

static void
add_folder(struct text *out, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash)
		text_add(out, path, (size_t)(slash - path) + 1);
	else
		text_adds(out, "./");
}

/* Is it still there? Who cleans up may have been quicker than our lock. */
static bool
is_ours(int fd)
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
		add_folder(&t->path, path);
		text_adds(&t->path, "." PREFIX "XXXXXX");
		t->fd = mkostemp(t->path.data, O_CLOEXEC);
		if (t->fd < 0)
			break;
		if (is_ours(t->fd))
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

/* Where rename knows no flags. A file system without links either (FAT) has a
 * gap between the look and the rename. */
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

/* Hexadecimal digits after a '-'; s behind them. */
static bool
take_number(const char **s, uint64_t *number)
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
	return take_number(&s, &name->ino) && take_number(&s, &name->hash) &&
	    *s == '\0';
}

/* No text in it is unseen; fd is read from its beginning. */
static bool
is_seen(int fd, const struct stat *st, const struct name *name)
{
	const struct file_stamp stamp = {
	    .size = st->st_size,
	    .hash = name->hash,
	};

	return !name->announced || name->ino == (uint64_t)st->st_ino ||
	    file_has_contents(fd, &stamp);
}

/* folder is open. A link, a pipe, or a file of another user is not ours. */
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
	    is_seen(fd, &st, name))
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

	add_folder(&folder, path);
	dir = opendir(folder.data);
	while (dir && (entry = readdir(dir)))
		if (parse_name(entry->d_name, &name))
			remove_if_dead(dirfd(dir), entry->d_name, &name);
	if (dir)
		closedir(dir);
	text_free(&folder);
}
