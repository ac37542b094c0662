/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file a path means, reading a file whole, noticing changes of it. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_private.h"
#include "base/mem.h"

#define READ_AT_ONCE ((size_t)1 << 16)
#define HASH_BEGIN   0xcbf29ce484222325u

bool
file_failed(struct text *err, const char *what, const char *path)
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

bool
file_refused(struct text *err, const char *path, const char *why)
{
	if (err) {
		text_add_visible(err, path, strlen(path));
		text_addf(err, " %s", why);
	}
	return false;
}

/* Continues a hash (FNV-1a, 64 bits) that began with HASH_BEGIN. */
static uint64_t
hash(uint64_t h, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001b3u;
	return h;
}

struct file_stamp
file_stamp_of(const struct stat *st, const struct text *contents)
{
	return (struct file_stamp){
	    .exists = true,
	    .dev = st->st_dev,
	    .ino = st->st_ino,
	    .size = (off_t)contents->len,
	    .mtime = st->st_mtim,
	    .ctime = st->st_ctim,
	    .hash = hash(HASH_BEGIN, text_str(contents), contents->len),
	};
}

/* Reads like read(); repeats after a signal. */
static ssize_t
read_some(int fd, char *buffer)
{
	ssize_t n;

	do
		n = read(fd, buffer, READ_AT_ONCE);
	while (n < 0 && errno == EINTR);
	return n;
}

bool
file_read_all(int fd, size_t max, struct text *out)
{
	char *buffer = mem_calloc(READ_AT_ONCE, 1);
	ssize_t n;

	while ((n = read_some(fd, buffer)) > 0) {
		if (out->len + (size_t)n > max) {
			errno = EFBIG;
			n = -1;
			break;
		}
		text_add(out, buffer, (size_t)n);
	}
	free(buffer);
	return n == 0;
}

bool
file_read_open(int fd, const char *name, struct text *out,
    struct file_stamp *stamp, struct text *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return file_refused(err, name, "is not a regular file");
	if (st.st_size > (off_t)FILE_MAX_BYTES)
		return file_refused(err, name, "is above 256 MiB");
	text_clear(out);
	if (!file_read_all(fd, FILE_MAX_BYTES, out))
		return file_failed(err, "can't read", name);
	if (stamp)
		*stamp = file_stamp_of(&st, out);
	return true;
}

bool
file_read(const char *path, struct text *out, struct file_stamp *stamp,
    struct text *err)
{
	bool done;
	int fd;

	/* O_NONBLOCK: does not wait for the writer of a FIFO, to refuse it. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return file_failed(err, "can't read", path);
	done = file_read_open(fd, path, out, stamp, err);
	close(fd);
	return done;
}

bool
file_has_contents(int fd, const struct file_stamp *stamp)
{
	char *buffer;
	uint64_t h = HASH_BEGIN;
	off_t size = 0;
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0 || st.st_size != stamp->size ||
	    lseek(fd, 0, SEEK_SET) < 0)
		return false;
	buffer = mem_calloc(READ_AT_ONCE, 1);
	while ((n = read_some(fd, buffer)) > 0 && size <= stamp->size) {
		h = hash(h, buffer, (size_t)n);
		size += n;
	}
	free(buffer);
	return n == 0 && size == stamp->size && h == stamp->hash;
}

static bool
is_same_timespec(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool
file_changed(const char *path, const struct file_stamp *stamp)
{
	struct stat st;
	bool changed;
	int fd;

	if (stat(path, &st) < 0)
		return stamp->exists;
	if (!stamp->exists)
		return true;
	if (st.st_dev == stamp->dev && st.st_ino == stamp->ino &&
	    st.st_size == stamp->size &&
	    is_same_timespec(st.st_mtim, stamp->mtime) &&
	    is_same_timespec(st.st_ctim, stamp->ctime))
		return false;
	if (!S_ISREG(st.st_mode) || st.st_size != stamp->size)
		return true;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	changed = fd < 0 || !file_has_contents(fd, stamp);
	if (fd >= 0)
		close(fd);
	return changed;
}

size_t
file_write_some(int fd, const char *bytes, size_t len)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = write(fd, bytes + done, len - done);

		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			done += (size_t)n;
	}
	return done;
}

bool
file_write_all(int fd, const char *bytes, size_t len)
{
	return file_write_some(fd, bytes, len) == len;
}

bool
file_write(
    const char *path, bool over, const struct text *text, struct text *err)
{
	int how = over ? O_TRUNC : O_EXCL;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666);
	bool ok = fd >= 0 && file_write_all(fd, text->data, text->len);

	if (fd >= 0 && close(fd) != 0)
		ok = false;
	if (!ok && err != NULL)
		text_addf(err, "%s: %s", path, strerror(errno));
	return ok;
}

#define MAX_LINKS 40 /* followed in a row; the kernel's limit */

/* Length of the folder in path, with its slash; 0: the current folder. */
static size_t
folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Returns the real path of the folder plus the last name, which does not exist.
 * NULL, with errno. */
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

/* Replaces path by the target of the link there. False, with errno. */
static bool
follow_link(struct text *path)
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
		/* Follow links to a file that does not exist yet. */
		if (!follow_link(&at)) {
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
