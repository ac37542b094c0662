/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a file whole, noticing that it changed, saving it atomically. */
#include "parser/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parser/file_private.h"
#include "parser/mem.h"
#include "parser/text.h"

#define READ_AT_ONCE ((size_t)1 << 16)

/* The text of errno, as the reason of what failed. False. */
static bool
failed(struct text *err, const char *what, const char *path)
{
	int number = errno;

	if (err) {
		text_adds(err, what);
		text_addc(err, ' ');
		text_add_visible(err, path, strlen(path));
		text_addf(err, ": %s", strerror(number));
	}
	return false;
}

static bool
refused(struct text *err, const char *path, const char *why)
{
	if (err) {
		text_add_visible(err, path, strlen(path));
		text_addf(err, " %s", why);
	}
	return false;
}

/* FNV-1a, 64 bits. */
static uint64_t
hash(const char *s, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001b3u;
	return h;
}

static struct file_stamp
stamp_of(const struct stat *st, const char *contents, size_t len)
{
	return (struct file_stamp){
	    .exists = true,
	    .dev = st->st_dev,
	    .ino = st->st_ino,
	    .size = (off_t)len,
	    .mtime = st->st_mtim,
	    .hash = hash(contents, len),
	};
}

/* All of fd; false with errno, EFBIG if it is above the limit. */
static bool
read_all(int fd, struct text *out)
{
	char *buffer = mem_calloc(READ_AT_ONCE, 1);
	bool done = false;

	while (!done) {
		ssize_t n = read(fd, buffer, READ_AT_ONCE);

		if (n < 0 && errno == EINTR)
			continue;
		if (n > 0 && out->len + (size_t)n > FILE_MAX_BYTES) {
			errno = EFBIG;
			n = -1;
		}
		if (n < 0)
			break;
		if (n > 0)
			text_add(out, buffer, (size_t)n);
		done = n == 0;
	}
	free(buffer);
	return done;
}

bool
file_read(const char *path, struct text *out, struct file_stamp *stamp,
    struct text *err)
{
	struct stat st;
	int fd;
	bool done;

	/* Without waiting for the writer of a FIFO, which is refused. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return failed(err, "can't read", path);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return refused(err, path, "is no regular file");
	}
	if (st.st_size > (off_t)FILE_MAX_BYTES) {
		close(fd);
		return refused(err, path, "is above 256 MiB");
	}
	text_clear(out);
	done = read_all(fd, out);
	if (!done)
		failed(err, "can't read", path);
	close(fd);
	if (done && stamp)
		*stamp = stamp_of(&st, text_str(out), out->len);
	return done;
}

bool
file_changed(const char *path, const struct file_stamp *stamp)
{
	struct text contents = {0};
	struct file_stamp now;
	struct stat st;
	bool changed;

	if (stat(path, &st) < 0)
		return stamp->exists;
	if (!stamp->exists)
		return true;
	if (st.st_dev == stamp->dev && st.st_ino == stamp->ino &&
	    st.st_size == stamp->size &&
	    st.st_mtim.tv_sec == stamp->mtime.tv_sec &&
	    st.st_mtim.tv_nsec == stamp->mtime.tv_nsec)
		return false;
	if (st.st_size != stamp->size)
		return true;
	changed = !file_read(path, &contents, &now, NULL) ||
	    now.size != stamp->size || now.hash != stamp->hash;
	text_free(&contents);
	return changed;
}

/* Where saving takes place: what a symbolic link names in the end. */
static char *
real_target(const char *path)
{
	char target[PATH_MAX], *folder;
	struct text joined = {0};
	char *real = realpath(path, NULL);
	ssize_t n;

	if (real || errno != ENOENT)
		return real;
	/* A link to nothing yet: the file is made where it points. */
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return mem_strdup(path);
	target[n] = '\0';
	if (target[0] == '/')
		return mem_strdup(target);
	folder = strrchr(path, '/');
	if (folder)
		text_add(&joined, path, (size_t)(folder - path) + 1);
	text_adds(&joined, target);
	return joined.data;
}

static bool
write_all(int fd, const char *s, size_t len)
{
	while (len) {
		ssize_t n = write(fd, s, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s += n;
		len -= (size_t)n;
	}
	return true;
}

static mode_t
default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* The new file is what the old one was: mode, and owner where allowed. */
static bool
keep_mode(int fd, const struct stat *old)
{
	/* Not the owner's any more: then what he alone might do isn't kept. */
	if (fchown(fd, old->st_uid, old->st_gid) < 0 &&
	    fchown(fd, (uid_t)-1, old->st_gid) < 0)
		return !fchmod(fd, old->st_mode & 0777);
	return !fchmod(fd, old->st_mode & 07777);
}

/* The folder's entry is on disk too. Not every file system can. */
static void
sync_folder(const char *path)
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

/* Writes and syncs the temporary file; its status in st. */
static bool
fill(int fd, const struct text *contents, const struct stat *old, mode_t mode,
    bool sync, struct stat *st)
{
	if (old ? !keep_mode(fd, old) : fchmod(fd, mode) < 0)
		return false;
	return write_all(fd, text_str(contents), contents->len) &&
	    (!sync || !fsync(fd)) && !fstat(fd, st);
}

/* Saving makes a new file beside the old one. */
static bool
failed_in_folder(struct text *err, const char *path)
{
	bool denied = errno == EACCES || errno == EPERM;

	if (!denied && errno != ENOENT)
		return failed(err, "can't save", path);
	if (err) {
		text_adds(err, "can't save ");
		text_add_visible(err, path, strlen(path));
		text_addf(err, ": its folder %s",
		    denied ? "may not be written to" : "is not there");
	}
	return false;
}

bool
file_replace(const char *path, const char *name, const struct text *contents,
    const struct stat *old, mode_t mode, bool sync, struct stat *st,
    struct text *err)
{
	struct text temporary = {0};
	const char *slash = strrchr(path, '/');
	bool done = false;
	int fd, number;

	text_add(&temporary, path, slash ? (size_t)(slash - path) + 1 : 0);
	text_adds(&temporary, ".gpuwl-save-XXXXXX");
	fd = mkostemp(temporary.data, O_CLOEXEC);
	if (fd >= 0) {
		done = fill(fd, contents, old, mode, sync, st);
		number = errno;
		if (close(fd) < 0 && done) {
			number = errno;
			done = false;
		}
		if (done && rename(temporary.data, path) < 0) {
			number = errno;
			done = false;
		}
		if (!done)
			unlink(temporary.data);
		errno = number;
	}
	if (done && sync)
		sync_folder(path);
	else if (!done && fd < 0)
		failed_in_folder(err, name);
	else if (!done)
		failed(err, "can't save", name);
	text_free(&temporary);
	return done;
}

static bool
is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

static void
refuse_locked(struct text *err, const char *path, const struct stat *st)
{
	if (errno != EACCES)
		failed(err, "can't save", path);
	else if (st->st_uid == geteuid())
		refused(
		    err, path, "is read-only (chmod u+w makes it writable)");
	else
		refused(err, path, "is read-only, and somebody else's");
}

enum save_result
file_save(const char *path, const struct text *contents,
    struct file_stamp *stamp, bool force, struct text *err)
{
	struct stat old, new;
	bool exists, done;
	char *target;

	if (!force && file_changed(path, stamp)) {
		refused(err, path, "was changed by somebody else");
		return SAVE_CONFLICT;
	}
	target = real_target(path);
	if (!target) {
		failed(err, "can't save", path);
		return SAVE_FAILED;
	}
	exists = !stat(target, &old);
	if (exists && !S_ISREG(old.st_mode)) {
		refused(err, path, "is no regular file");
		free(target);
		return SAVE_FAILED;
	}
	/* A file that can't be written stays so, though its folder can. */
	if (exists && access(target, W_OK) < 0) {
		refuse_locked(err, path, &old);
		free(target);
		return SAVE_FAILED;
	}
	done = file_replace(target, is_link(path) ? target : path, contents,
	    exists ? &old : NULL, default_mode(), true, &new, err);
	free(target);
	if (!done)
		return SAVE_FAILED;
	*stamp = stamp_of(&new, text_str(contents), contents->len);
	return SAVE_DONE;
}
