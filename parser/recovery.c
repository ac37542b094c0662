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
#define UNNAMED "unnamed-" /* and the pid */

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

/*
 * In the state folder: the whole path is the name, with its slashes as '%'.
 * Unnamed documents have a file for each process.
 */
static char *
path_in_state(const char *path)
{
	struct text t = {0};
	char *real;
	size_t begin;

	add_state_folder(&t);
	if (is_unnamed(path)) {
		text_addf(&t, UNNAMED "%ld" SUFFIX, (long)getpid());
		return t.data;
	}
	real = realpath(path, NULL);
	begin = t.len;
	text_adds(&t, real ? real : path);
	for (size_t i = begin; i < t.len; i++)
		if (t.data[i] == '/')
			t.data[i] = '%';
	if (t.len - begin > NAME_MAX - 32) {
		memmove(t.data + begin, t.data + t.len - (NAME_MAX - 32),
		    NAME_MAX - 32);
		t.len = begin + NAME_MAX - 32;
		t.data[t.len] = '\0';
	}
	text_adds(&t, SUFFIX);
	free(real);
	return t.data;
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

/* Reads a recovery file: its owner, and how long the header is; 0: none. */
static size_t
read_header(const char *path, struct text *t, long *pid, uint64_t *start)
{
	struct stat st;

	if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (st.st_uid != geteuid() && st.st_uid != 0) ||
	    !file_read(path, t, NULL, NULL))
		return 0;
	return parse_header(text_str(t), t->len, pid, start);
}

/* Does another process that runs hold it? */
static bool
is_held(const char *path)
{
	struct text t = {0};
	uint64_t start;
	long pid;
	bool held = read_header(path, &t, &pid, &start) &&
	    pid != (long)getpid() && is_alive(pid, start);

	text_free(&t);
	return held;
}

static bool
write_to(const char *path, const struct text *contents, struct text *err)
{
	struct text t = {0};
	struct stat st;
	bool done;

	if (is_held(path)) {
		if (err)
			text_adds(err, "another process edits this file");
		return false;
	}
	text_addf(
	    &t, MAGIC "%ld %" PRIu64 "\n", (long)getpid(), start_of(getpid()));
	text_add(&t, text_str(contents), contents->len);
	/* Unsaved text is nobody else's to read. A link in the way is replaced,
	 * not followed. */
	done = file_replace(path, &t, NULL, 0600, &st, err);
	text_free(&t);
	return done;
}

bool
recovery_write(const char *path, const struct text *contents, struct text *err)
{
	char *beside = is_unnamed(path) ? NULL : path_beside(path);
	bool done = beside && write_to(beside, contents, NULL);
	char *state;

	free(beside);
	if (done)
		return true;
	/* In a folder that can't be written, or held by another process. */
	state = path_in_state(path);
	make_folders(state);
	done = write_to(state, contents, err);
	free(state);
	return done;
}

static bool
find_in(const char *path, struct text *contents)
{
	struct text t = {0};
	uint64_t start;
	long pid;
	size_t header = read_header(path, &t, &pid, &start);
	bool found = header && pid != (long)getpid() && !is_alive(pid, start);

	if (found) {
		text_clear(contents);
		text_add(contents, t.data + header, t.len - header);
	}
	text_free(&t);
	return found;
}

/*
 * One of the unnamed documents that dead processes left. It becomes this
 * process's own file, so that it is offered once and removed with it.
 */
static bool
find_unnamed(struct text *contents)
{
	struct text folder = {0};
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	add_state_folder(&folder);
	dir = opendir(folder.data);
	while (dir && !found && (entry = readdir(dir))) {
		struct text path = {0};
		char *own;

		if (strncmp(entry->d_name, UNNAMED, strlen(UNNAMED)))
			continue;
		text_addf(&path, "%s%s", folder.data, entry->d_name);
		found = find_in(path.data, contents);
		own = path_in_state(NULL);
		if (found)
			rename(path.data, own);
		free(own);
		text_free(&path);
	}
	if (dir)
		closedir(dir);
	text_free(&folder);
	return found;
}

bool
recovery_find(const char *path, struct text *contents)
{
	char *beside, *state;
	bool found;

	if (is_unnamed(path))
		return find_unnamed(contents);
	beside = path_beside(path);
	state = path_in_state(path);
	found = find_in(beside, contents) || find_in(state, contents);
	free(beside);
	free(state);
	return found;
}

/* Another live process's file stays. */
static void
remove_ours(const char *path)
{
	struct text t = {0};
	uint64_t start;
	long pid;

	if (read_header(path, &t, &pid, &start) &&
	    (pid == (long)getpid() || !is_alive(pid, start)))
		unlink(path);
	text_free(&t);
}

void
recovery_remove(const char *path)
{
	char *beside = is_unnamed(path) ? NULL : path_beside(path);
	char *state = path_in_state(path);

	if (beside)
		remove_ours(beside);
	remove_ours(state);
	free(beside);
	free(state);
}
