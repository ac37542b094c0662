/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recovery files: unsaved edits beside the document, or in a state folder.
 *
 *     gpuwl-recover 1 PID START
 *     the text, byte for byte
 *
 * START is when the process began, in clock ticks since boot, so that a later
 * process with the same pid is not taken for it. Both are 0 in a file that the
 * user keeps for later. Links, pipes and other users' files under such a name
 * are neither read nor followed.
 */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_private.h"
#include "base/mem.h"
#include "base/state_folder.h"
#include "base/text.h"

#define MAGIC   "gpuwl-recover 1 "
#define SUFFIX  ".gpuwl-recover"
#define UNNAMED "unnamed-" /* and the pid and a number */

/* Places of a recovery file, best first. */
enum recovery_place {
	BESIDE,     /* the document */
	IN_STATE,   /* in the state folder, for the path */
	OF_PROCESS, /* the same, for the path and this process */
	IN_TMP,     /* the same, in /tmp */
	N_PLACES
};

static bool
is_unnamed(const char *path)
{
	return !path || !path[0];
}

/* Returns the path beside the file that path leads to. The caller frees it. */
static char *
path_beside(const char *path)
{
	char *file = file_absolute_path(path);
	size_t folder = (size_t)(strrchr(file, '/') - file) + 1;
	struct text t = {0};

	text_add(&t, file, folder);
	text_addf(&t, ".%s" SUFFIX, file + folder);
	free(file);
	return t.data;
}

/* Appends the name that path has in the state folder: its end, as far as a file
 * name has room, with '%' for each slash. */
static void
add_flattened(struct text *t, const char *path)
{
	char *file = file_absolute_path(path);
	const char *name = file;
	size_t len = strlen(name), begin = t->len;

	if (len > NAME_MAX - 64)
		name += len - (NAME_MAX - 64);
	text_adds(t, name);
	for (size_t i = begin; i < t->len; i++)
		if (t->data[i] == '/')
			t->data[i] = '%';
	free(file);
}

/* Returns the path in a state folder; of_process: of this process only. The
 * caller frees it. NULL: the folder cannot be used. */
static char *
path_in_folder(enum state_place folder, bool make, const char *path,
    unsigned number, bool of_process)
{
	struct text t = {0};

	if (!state_folder(folder, make, &t)) {
		text_free(&t);
		return NULL;
	}
	if (is_unnamed(path))
		text_addf(&t, UNNAMED "%ld-%u", (long)getpid(), number);
	else
		add_flattened(&t, path);
	if (!is_unnamed(path) && of_process)
		text_addf(&t, "+%ld", (long)getpid());
	text_adds(&t, SUFFIX);
	return t.data;
}

/* Returns the path in that place; make: makes its folder. The caller frees it.
 * NULL: the document has no such place. */
static char *
path_of(const char *path, unsigned number, enum recovery_place place, bool make)
{
	if (is_unnamed(path) && place < OF_PROCESS)
		return NULL;
	if (place == BESIDE)
		return path_beside(path);
	return path_in_folder(place == IN_TMP ? STATE_IN_TMP : STATE_OF_USER,
	    make, path, number, place != IN_STATE);
}

/* Returns when a process began, in clock ticks since boot; 0: not running. */
static uint64_t
start_of(long pid)
{
	struct text contents = {0};
	char name[64];
	const char *p;
	uint64_t start = 0;
	int fd;

	snprintf(name, sizeof(name), "/proc/%ld/stat", pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	file_read_all(fd, FILE_MAX_BYTES, &contents);
	close(fd);
	/* Field 22. Field 2, the name, may contain blanks and brackets. */
	p = strrchr(text_str(&contents), ')');
	for (int field = 2; p && field < 22; field++) {
		p = strchr(p, ' ');
		p = p ? p + 1 : NULL;
	}
	if (p)
		start = strtoull(p, NULL, 10);
	text_free(&contents);
	return start;
}

/* True if the process that wrote the file still runs. */
static bool
is_writer_alive(long pid, uint64_t start)
{
	if (pid <= 0 || (kill((pid_t)pid, 0) < 0 && errno == ESRCH))
		return false;
	/* Without /proc the pid alone decides. */
	return !start || access("/proc/self/stat", R_OK) < 0 ||
	    start_of(pid) == start;
}

/* Parses digits that end with the byte follows, and moves *s after that. */
static bool
take_count(const char **s, const char *end, char follows, uint64_t *n)
{
	const char *p = *s;

	for (*n = 0; p < end && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(*n, 10u, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(*p - '0'), n))
			return false;
	if (p == *s || p == end || *p != follows)
		return false;
	*s = p + 1;
	return true;
}

/* Parses the header. Returns its length; 0: not a header. */
static size_t
parse_header(const char *s, size_t len, long *pid, uint64_t *start)
{
	const char *p = s + strlen(MAGIC), *end = s + len;
	uint64_t n;

	if (len < strlen(MAGIC) || memcmp(s, MAGIC, strlen(MAGIC)) ||
	    !take_count(&p, end, ' ', &n) || n > INT_MAX ||
	    !take_count(&p, end, '\n', start))
		return 0;
	*pid = (long)n;
	return (size_t)(p - s);
}

/* Opens a regular file of this user, or root's, for reading; follows no link.
 * -1: there is none. */
static int
open_trusted(const char *path, struct stat *st)
{
	int fd;

	/* Opening a device or a pipe may have effects. */
	if (lstat(path, st) < 0 || !S_ISREG(st->st_mode))
		return -1;
	fd = open(
	    path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 &&
	    (fstat(fd, st) < 0 || !S_ISREG(st->st_mode) ||
		(st->st_uid != geteuid() && st->st_uid != 0))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Reads the process that wrote the file. False: not a recovery file. */
static bool
read_owner(const char *path, long *pid, uint64_t *start)
{
	char header[64];
	struct stat st;
	ssize_t n;
	int fd = open_trusted(path, &st);

	if (fd < 0)
		return false;
	n = read(fd, header, sizeof(header));
	close(fd);
	return n > 0 && parse_header(header, (size_t)n, pid, start);
}

static bool
is_own_recovery(const char *path)
{
	uint64_t start;
	long pid;

	return read_owner(path, &pid, &start) && pid == (long)getpid() &&
	    start == start_of(pid);
}

/* True if the file is of another process, live or dead: it must be kept. */
static bool
is_taken(const char *path)
{
	uint64_t start;
	long pid;

	return read_owner(path, &pid, &start) && !is_own_recovery(path);
}

/* Removes a link, a pipe or another user's file at path, but not a recovery file
 * that another process has put there meanwhile. */
static void
clear_away(const char *path)
{
	struct text aside = {0};

	text_addf(&aside, "%s+%ld", path, (long)getpid());
	if (!rename(path, aside.data) &&
	    (is_taken(aside.data) || unlink(aside.data) < 0))
		renameat2(
		    AT_FDCWD, aside.data, AT_FDCWD, path, RENAME_NOREPLACE);
	text_free(&aside);
}

/* Writes the file, readable for its owner only. sync: waits for the disk, which
 * would hold up the screen and is not needed against a killed process. */
static bool
recovery_write_to(
    const char *path, const struct text *contents, bool sync, struct text *err)
{
	struct stat st;
	bool there = !lstat(path, &st), own = is_own_recovery(path), done;
	struct text t = {0};

	if (is_taken(path)) {
		if (err)
			text_adds(
			    err, "it has unsaved edits of another process");
		return false;
	}
	/* A file that appears there after this is another process's. */
	if (there && !own)
		clear_away(path);
	text_addf(
	    &t, MAGIC "%ld %" PRIu64 "\n", (long)getpid(), start_of(getpid()));
	text_add(&t, text_str(contents), contents->len);
	done = file_make_private(path, &t, own, sync, err);
	text_free(&t);
	return done;
}

/* Removes this process's files in all places but kept. */
static void
remove_ours(const char *path, unsigned number, enum recovery_place kept)
{
	for (enum recovery_place p = BESIDE; p < N_PLACES; p++) {
		char *file = p != kept ? path_of(path, number, p, false) : NULL;

		if (file && is_own_recovery(file))
			unlink(file);
		free(file);
	}
}

/* Returns the places in the order to try. Beside the file is last if the file is
 * gone: its folder may be the empty mount point of a removed disk. */
static const enum recovery_place *
order_of(const char *path)
{
	static const enum recovery_place here[] = {
	    BESIDE, IN_STATE, OF_PROCESS, IN_TMP};
	static const enum recovery_place gone[] = {
	    IN_STATE, OF_PROCESS, IN_TMP, BESIDE};

	return is_unnamed(path) || access(path, F_OK) == 0 ? here : gone;
}

/* Writes to the first place that works. where, unless NULL, gets the path. */
static bool
write_somewhere(const char *path, unsigned number, const struct text *contents,
    bool sync, struct text *where, struct text *err)
{
	const enum recovery_place *order = order_of(path);
	struct text why = {0};
	bool done = false;

	for (unsigned i = 0; i < N_PLACES && !done; i++) {
		enum recovery_place p = order[i];
		char *file = path_of(path, number, p, true);

		if (file == NULL)
			continue;
		text_clear(&why);
		done = recovery_write_to(file, contents, sync, &why);
		if (done && where != NULL)
			text_adds(where, file);
		free(file);
		if (done)
			remove_ours(path, number, p);
	}
	if (!done && why.len == 0)
		text_adds(&why, "no folder of yours can hold it");
	if (!done && err != NULL)
		text_adds(err, text_str(&why));
	text_free(&why);
	return done;
}

bool
recovery_write(const char *path, unsigned number, const struct text *contents,
    struct text *err)
{
	return write_somewhere(path, number, contents, false, NULL, err);
}

bool
recovery_write_synced(const char *path, const struct text *contents,
    struct text *where, struct text *err)
{
	return write_somewhere(path, 0, contents, true, where, err);
}

void
recovery_remove(const char *path, unsigned number)
{
	remove_ours(path, number, N_PLACES);
}

/* Reads the file of a dead process; skips it while *skip is not 0. */
static bool
take_recovery(const char *file, unsigned *skip, struct recovered *found)
{
	size_t header = 0;
	uint64_t start;
	struct stat st;
	long pid;
	int fd;

	if (!read_owner(file, &pid, &start) || is_writer_alive(pid, start) ||
	    (*skip && (*skip)--))
		return false;
	fd = open_trusted(file, &st);
	if (fd < 0)
		return false;
	if (file_read_open(fd, file, &found->contents, NULL, NULL))
		header = parse_header(text_str(&found->contents),
		    found->contents.len, &pid, &start);
	close(fd);
	/* Another file may have replaced it meanwhile. */
	if (header == 0 || is_writer_alive(pid, start)) {
		text_free(&found->contents);
		return false;
	}
	found->contents.len -= header;
	memmove(found->contents.data, found->contents.data + header,
	    found->contents.len + 1);
	found->file = mem_strdup(file);
	found->when = st.st_mtim;
	found->put_off = pid == 0;
	return true;
}

/* True for prefix, digits and '-', suffix: another document's name may begin
 * with the prefix too. */
static bool
is_name_of(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	if (strncmp(name, prefix, len))
		return false;
	name += len;
	name += strspn(name, "0123456789-");
	return !strcmp(name, SUFFIX);
}

/* Looks for a file of a dead process among those of a folder with that prefix. */
static bool
find_in_folder(enum state_place place, const char *prefix, unsigned *skip,
    struct recovered *found)
{
	struct text folder = {0};
	struct dirent *entry;
	bool done = false;
	DIR *dir;

	dir = state_folder(place, false, &folder) ? opendir(folder.data) : NULL;
	while (dir && !done && (entry = readdir(dir))) {
		struct text path = {0};

		if (!is_name_of(entry->d_name, prefix))
			continue;
		text_addf(&path, "%s%s", folder.data, entry->d_name);
		done = take_recovery(path.data, skip, found);
		text_free(&path);
	}
	if (dir)
		closedir(dir);
	text_free(&folder);
	return done;
}

static bool
find_prefix(const char *prefix, unsigned *skip, struct recovered *found)
{
	return find_in_folder(STATE_OF_USER, prefix, skip, found) ||
	    find_in_folder(STATE_IN_TMP, prefix, skip, found);
}

static bool
find_named(const char *path, unsigned *skip, struct recovered *found)
{
	char *beside = path_beside(path);
	char *state = path_of(path, 0, IN_STATE, false);
	struct text of_process = {0};
	bool done;

	add_flattened(&of_process, path);
	text_addc(&of_process, '+');
	done = take_recovery(beside, skip, found) ||
	    (state != NULL && take_recovery(state, skip, found)) ||
	    find_prefix(of_process.data, skip, found);
	free(beside);
	free(state);
	text_free(&of_process);
	return done;
}

bool
recovery_find(const char *path, unsigned skip, struct recovered *found)
{
	*found = (struct recovered){0};
	return is_unnamed(path) ? find_prefix(UNNAMED, &skip, found)
				: find_named(path, &skip, found);
}

void
recovered_remove(const struct recovered *found)
{
	if (is_taken(found->file))
		unlink(found->file);
}

/* Overwrites the digits of the header with zeros, so that the length stays, and
 * restores the times. */
void
recovered_put_off(const struct recovered *found)
{
	const struct timespec times[2] = {found->when, found->when};
	char header[64];
	ssize_t n = 0;
	int fd;

	if (!is_taken(found->file))
		return;
	fd = open(found->file, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return;
	n = read(fd, header, sizeof(header));
	for (ssize_t i = (ssize_t)strlen(MAGIC); i < n && header[i] != '\n';
	     i++)
		if (header[i] != ' ')
			header[i] = '0';
	if (n > 0 && pwrite(fd, header, (size_t)n, 0) == n)
		futimens(fd, times);
	close(fd);
}

void
recovered_free(struct recovered *found)
{
	free(found->file);
	text_free(&found->contents);
	*found = (struct recovered){0};
}
