/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layer_files.h. */
#include "run/live/layer_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/units.h"
#include "run/file_uses.h"
#include "run/live/session.h"
#include "run/live/uses.h"
#include "trace/layer_outputs.h"

static bool
refuse(struct text *err, const char *path, const char *why)
{
	text_add_visible(err, path, strlen(path));
	text_addf(err, ": %s", why);
	return false;
}

static bool
is_same(int fd, const struct stat *wanted)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_dev == wanted->st_dev &&
	    st.st_ino == wanted->st_ino;
}

/* May fd be written to, as output i? */
static bool
may_write(const struct session *s, enum layer_output i, int fd,
    const char *path, bool over, struct text *err)
{
	struct stat st;

	if (isatty(fd))
		return refuse(err, path, "is a terminal");
	if (fstat(fd, &st) != 0)
		return refuse(err, path, strerror(errno));
	for (unsigned k = 0; k < N_LAYER_OUTPUTS; k++)
		if (s->files.list[k].path != NULL && S_ISREG(st.st_mode) &&
		    is_same(s->files.list[k].fd, &st) && (k != i || !over))
			return refuse(err, path, "is being written already");
	if (S_ISREG(st.st_mode) && st.st_size > 0 && !over)
		return refuse(err, path,
		    "there is something in it (a ! after the command writes "
		    "over it)");
	return true;
}

/* Whoever reads a pipe can't make the console wait for him. */
static int
open_file(const struct session *s, enum layer_output i, const char *path,
    struct text *err)
{
	struct file_uses uses = {0};
	int fd;

	if (strcmp(path, "-") == 0) {
		refuse(err, path, "standard output is the screen's");
		return -1;
	}
	session_add_uses(s, &uses);
	fd = file_uses_open(
	    &uses, layer_output_option(i), path, O_CREAT | O_NONBLOCK, err);
	file_uses_free(&uses);
	return fd;
}

bool
session_layer_open(struct session *s, enum layer_output i, const char *path,
    bool over, struct text *said, struct text *err)
{
	int fd = open_file(s, i, path, err);

	if (fd < 0)
		return false;
	if (!may_write(s, i, fd, path, over, err)) {
		close(fd);
		return false;
	}
	session_layer_close(s, i, said);
	/* What is no file is as it is. */
	if (ftruncate(fd, 0) != 0)
		errno = 0;
	s->files.list[i].path = mem_strdup(path);
	s->files.list[i].fd = fd;
	layer_watch_want(&s->layer, &s->run);
	layer_outputs_open(layer_watch_outputs(&s->layer), i, fd);
	return true;
}

static const char *
reason(int error)
{
	return error == ENOBUFS ? "its reader is too slow" : strerror(error);
}

static void
add_size(struct text *out, uint64_t bytes)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
	double n = (double)bytes / 1024;
	size_t i = 0;

	if (bytes < 1024) {
		text_addf(out, "%u bytes", (unsigned)bytes);
		return;
	}
	for (; n >= 1024 && i < 3; i++)
		n /= 1024;
	text_addf(out, "%.1f %s", n, units[i]);
}

bool
session_layer_close(struct session *s, enum layer_output i, struct text *said)
{
	const char *path = s->files.list[i].path;
	size_t before = said->len;
	uint64_t bytes;
	struct stat st;
	int error;

	if (path == NULL)
		return false;
	bytes = layer_outputs_bytes(layer_watch_outputs(&s->layer), i);
	error = layer_outputs_close(layer_watch_outputs(&s->layer), i);
	if (fstat(s->files.list[i].fd, &st) == 0 && S_ISREG(st.st_mode))
		bytes = (uint64_t)st.st_size;
	if (close(s->files.list[i].fd) != 0 && error == 0)
		error = errno;
	if (error != 0) {
		refuse(said, path, reason(error));
		text_add(&s->files.problems, said->data + before,
		    said->len - before);
		text_addc(&s->files.problems, '\n');
	} else {
		text_add_visible(said, path, strlen(path));
		text_adds(said, ": ");
		add_size(said, bytes);
		text_adds(said, " written");
	}
	free(s->files.list[i].path);
	s->files.list[i].path = NULL;
	return error == 0;
}

bool
session_layer_trouble(struct session *s, struct text *why)
{
	bool any = false;

	if (s->layer.outputs == NULL)
		return false;
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++) {
		if (layer_outputs_error(layer_watch_outputs(&s->layer), i) == 0)
			continue;
		text_adds(why, any ? "; " : "no longer written: ");
		session_layer_close(s, i, why);
		any = true;
	}
	return any;
}

uint64_t
session_layer_bytes(const struct session *s, enum layer_output i)
{
	return s->files.list[i].path != NULL
	    ? layer_outputs_bytes(s->layer.outputs, i)
	    : 0;
}

const char *
session_layer_path(const struct session *s, enum layer_output i)
{
	return s->files.list[i].path;
}
