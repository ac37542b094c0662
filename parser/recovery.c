/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unsaved edits in a file beside the document:
 *
 *     gpuwl-recover 1 PID START
 *     the text, byte for byte
 *
 * START is when that process began, so that another one which got the same
 * pid later is not taken for it.
 */
#include "parser/file.h"

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

#include "parser/file_private.h"
#include "parser/mem.h"
#include "parser/text.h"

#define MAGIC   "gpuwl-recover 1 "
#define SUFFIX  ".gpuwl-recover"
#define UNNAMED "unnamed-" /* and the pid and a number */

/* A place that a recovery file may have, the first one best. */
enum place { BESIDE, IN_STATE, OF_PROCESS, N_PLACES };

static void
add_state_folder(struct text *t)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (state && state[0] == '/')
		text_adds(t, state);
	else
		text_addf(t, "%s/.local/state", home ? home : "/tmp");
	text_adds(t, "/gpuwl/");
}

/* Makes the folders of a path, as far as that is allowed. */
static void
make_folders(const char *path)
{
	char *copy = mem_strdup(path);

	for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(copy, 0700);
		*p = '/';
	}
	free(copy);
}

static bool
is_unnamed(const char *path)
{
	return !path || !path[0];
}

/* Beside the file that the path means in the end. */
static char *
path_beside(const char *path)
{
	char *real = realpath(path, NULL);
	const char *file = real ? real : path;
	const char *slash = strrchr(file, '/');
	size_t folder = slash ? (size_t)(slash - file) + 1 : 0;
	struct text t = {0};

	text_add(&t, file, folder);
	text_addf(&t, ".%s" SUFFIX, file + folder);
	free(real);
	return t.data;
}

/* The file name of a path in the state folder: all of it, as far as there is
 * room, with its slashes as '%'. */
static void
add_flattened(struct text *t, const char *path)
{
	char *real = realpath(path, NULL);
	const char *name = real ? real : path;
	size_t len = strlen(name), begin = t->len;

	if (len > NAME_MAX - 64)
		name += len - (NAME_MAX - 64);
	text_adds(t, name);
	for (size_t i = begin; i < t->len; i++)
		if (t->data[i] == '/')
			t->data[i] = '%';
	free(real);
}

/* In the state folder; of_process: this process's own. */
static char *
path_in_state(const char *path, bool of_process)
{
	struct text t = {0};

	add_state_folder(&t);
	add_flattened(&t, path);
	if (of_process)
		text_addf(&t, "+%ld", (long)getpid());
	text_adds(&t, SUFFIX);
	return t.data;
}

static char *
path_unnamed(unsigned number)
{
	struct text t = {0};

	add_state_folder(&t);
	text_addf(&t, UNNAMED "%ld-%u" SUFFIX, (long)getpid(), number);
	return t.data;
}

/* NULL: the document has no such place. */
static char *
path_of(const char *path, unsigned number, enum place place)
{
	if (is_unnamed(path))
		return place == OF_PROCESS ? path_unnamed(number) : NULL;
	return place == BESIDE ? path_beside(path)
			       : path_in_state(path, place == OF_PROCESS);
}

/* When a process began, in clock ticks since boot; 0 if it doesn't run. */
static uint64_t
start_of(long pid)
{
	struct text contents = {0};
	char name[64], buffer[1024];
	const char *p;
	uint64_t start = 0;
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "/proc/%ld/stat", pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	while ((n = read(fd, buffer, sizeof(buffer))) > 0)
		text_add(&contents, buffer, (size_t)n);
	close(fd);
	/* Field 22; the name, field 2, may hold blanks and brackets. */
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

/* Does the process that wrote it still run? */
static bool
is_alive(long pid, uint64_t start)
{
	if (pid <= 0 || (kill((pid_t)pid, 0) < 0 && errno == ESRCH))
		return false;
	/* Without /proc the pid must do. */
	return !start || access("/proc/self/stat", R_OK) < 0 ||
	    start_of(pid) == start;
}

/* The header's owner; the length of the header, 0 if it is none. */
static size_t
parse_header(const char *s, size_t len, long *pid, uint64_t *start)
{
	const char *end = memchr(s, '\n', len);
	char *p;

	if (!end || strncmp(s, MAGIC, strlen(MAGIC)))
		return 0;
	*pid = strtol(s + strlen(MAGIC), &p, 10);
	*start = strtoull(p, &p, 10);
	return p == end ? (size_t)(end - s) + 1 : 0;
}

/* Nobody else's file, and no link or pipe in its place. */
static bool
is_trusted(const char *path, struct stat *st)
{
	return !lstat(path, st) && S_ISREG(st->st_mode) &&
	    (st->st_uid == geteuid() || st->st_uid == 0);
}

/* Who wrote it; false: it is no recovery file. */
static bool
read_owner(const char *path, long *pid, uint64_t *start)
{
	char header[64];
	struct stat st;
	ssize_t n;
	int fd;

	if (!is_trusted(path, &st))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	n = read(fd, header, sizeof(header));
	close(fd);
	return n > 0 && parse_header(header, (size_t)n, pid, start);
}

static bool
is_ours(const char *path)
{
	uint64_t start;
	long pid;

	return read_owner(path, &pid, &start) && pid == (long)getpid() &&
	    start == start_of(pid);
}

/* Of another process, live or dead: its edits are not for us to lose. */
static bool
is_taken(const char *path)
{
	uint64_t start;
	long pid;

	return read_owner(path, &pid, &start) && !is_ours(path);
}

static bool
write_to(const char *path, const struct text *contents, struct text *err)
{
	struct text t = {0};
	struct stat st;
	bool done;

	if (is_taken(path)) {
		if (err)
			text_adds(err, "unsaved edits of another are there");
		return false;
	}
	text_addf(
	    &t, MAGIC "%ld %" PRIu64 "\n", (long)getpid(), start_of(getpid()));
	text_add(&t, text_str(contents), contents->len);
	/* Unsaved text is nobody else's to read. A link in the way is replaced,
	 * not followed. It is for when the program is killed: waiting for the
	 * disk, it would hold up the screen. */
	done = file_replace(path, &t, NULL, 0600, false, &st, err);
	text_free(&t);
	return done;
}

/* All of ours but the one at kept. */
static void
remove_ours(const char *path, unsigned number, enum place kept)
{
	for (enum place p = BESIDE; p < N_PLACES; p++) {
		char *file = p != kept ? path_of(path, number, p) : NULL;

		if (file && is_ours(file))
			unlink(file);
		free(file);
	}
}

bool
recovery_write(const char *path, unsigned number, const struct text *contents,
    struct text *err)
{
	for (enum place p = BESIDE; p < N_PLACES; p++) {
		char *file = path_of(path, number, p);
		bool done;

		if (!file)
			continue;
		if (p != BESIDE)
			make_folders(file);
		done = write_to(file, contents, p == OF_PROCESS ? err : NULL);
		free(file);
		if (!done)
			continue;
		remove_ours(path, number, p);
		return true;
	}
	return false;
}

void
recovery_remove(const char *path, unsigned number)
{
	remove_ours(path, number, N_PLACES);
}

/* Reads what a dead process left in the file, unless that is to be skipped. */
static bool
take(const char *file, unsigned *skip, struct recovered *found)
{
	uint64_t start;
	struct stat st;
	size_t header;
	long pid;

	if (!read_owner(file, &pid, &start) || is_alive(pid, start) ||
	    (*skip && (*skip)--) || !is_trusted(file, &st) ||
	    !file_read(file, &found->contents, NULL, NULL))
		return false;
	header = parse_header(
	    text_str(&found->contents), found->contents.len, &pid, &start);
	found->contents.len -= header;
	memmove(found->contents.data, found->contents.data + header,
	    found->contents.len + 1);
	found->file = mem_strdup(file);
	found->when = st.st_mtim;
	return true;
}

/* Among the files of the state folder whose names begin so. */
static bool
find_in_state(const char *prefix, unsigned *skip, struct recovered *found)
{
	struct text folder = {0};
	struct dirent *entry;
	bool done = false;
	DIR *dir;

	add_state_folder(&folder);
	dir = opendir(folder.data);
	while (dir && !done && (entry = readdir(dir))) {
		struct text path = {0};

		if (strncmp(entry->d_name, prefix, strlen(prefix)))
			continue;
		text_addf(&path, "%s%s", folder.data, entry->d_name);
		done = take(path.data, skip, found);
		text_free(&path);
	}
	if (dir)
		closedir(dir);
	text_free(&folder);
	return done;
}

static bool
find_named(const char *path, unsigned *skip, struct recovered *found)
{
	char *beside = path_beside(path);
	char *state = path_in_state(path, false);
	struct text of_process = {0};
	bool done;

	add_flattened(&of_process, path);
	text_addc(&of_process, '+');
	done = take(beside, skip, found) || take(state, skip, found) ||
	    find_in_state(of_process.data, skip, found);
	free(beside);
	free(state);
	text_free(&of_process);
	return done;
}

bool
recovery_find(const char *path, unsigned skip, struct recovered *found)
{
	*found = (struct recovered){0};
	return is_unnamed(path) ? find_in_state(UNNAMED, &skip, found)
				: find_named(path, &skip, found);
}

void
recovered_remove(const struct recovered *found)
{
	if (is_taken(found->file))
		unlink(found->file);
}

void
recovered_free(struct recovered *found)
{
	free(found->file);
	text_free(&found->contents);
	*found = (struct recovered){0};
}
