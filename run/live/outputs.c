/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens and closes a session's outputs: checks that their files may be written,
 * and reports their errors.
 */
#include "run/live/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/file_uses.h"
#include "run/live/saving.h"
#include "run/live/session.h"
#include "run/options.h"

/* Appends "PATH: why" and returns false. */
static bool
refuse_file(struct text *err, const char *path, const char *why)
{
	text_add_visible(err, path, strlen(path));
	text_addf(err, ": %s", why);
	return false;
}

/* True if the file is open as an output. */
static bool
is_written(
    const struct outputs *o, enum output_kind kind, const struct stat *wanted)
{
	struct stat st;

	return o->open[kind] != NULL && fstat(o->open[kind]->fd, &st) == 0 &&
	    st.st_dev == wanted->st_dev && st.st_ino == wanted->st_ino;
}

/* True if fd may be written to as this kind of output. */
static bool
may_write(const struct outputs *o, enum output_kind kind, int fd,
    const char *path, bool over, struct text *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return refuse_file(err, path, strerror(errno));
	for (unsigned k = 0; k < N_OUTPUT_FILES; k++)
		if (S_ISREG(st.st_mode) && is_written(o, k, &st) &&
		    (k != kind || !over))
			return refuse_file(
			    err, path, "is being written already");
	if (S_ISREG(st.st_mode) && st.st_size > 0 && !over)
		return refuse_file(err, path,
		    "there is something in it (a ! after the command writes "
		    "over it)");
	return true;
}

/* Opens without blocking: the reader of a pipe must not hold up the console. */
int
session_output_file(const struct file_uses *uses, enum output_kind kind,
    const char *path, struct text *err)
{
	int fd;

	if (strcmp(path, "-") == 0) {
		refuse_file(err, path, "standard output is the screen's");
		return -1;
	}
	fd = file_uses_open(
	    uses, output_option(kind), path, O_CREAT | O_NONBLOCK, err);
	if (fd >= 0 && isatty(fd)) {
		refuse_file(err, path, "is a terminal");
		close(fd);
		return -1;
	}
	return fd;
}

bool
session_output_begin(struct session *s, enum output_kind kind, const char *path,
    int fd, struct text *err)
{
	const struct output_target target = {
	    .path = path,
	    .fd = fd,
	    .events = s->options != NULL ? s->options->trace_events : 0,
	};

	if (s->options != NULL)
		s->texts.texts.command = s->options->command;
	layer_watch_want(&s->layer, &s->run);
	if (outputs_open(&s->layer.outputs, kind, &target, err))
		return true;
	close(fd);
	return false;
}

bool
session_output_open(struct session *s, enum output_kind kind, const char *path,
    bool over, struct text *said, struct text *err)
{
	struct file_uses uses = {0};
	int fd;

	session_add_uses(s, &uses);
	fd = session_output_file(&uses, kind, path, err);
	file_uses_free(&uses);
	if (fd < 0)
		return false;
	if (!may_write(&s->layer.outputs, kind, fd, path, over, err)) {
		close(fd);
		return false;
	}
	session_output_close(s, kind, said);
	if (!file_uses_empty(path, fd, err)) {
		close(fd);
		return false;
	}
	return session_output_begin(s, kind, path, fd, err);
}

static const char *
output_reason(int error)
{
	return error == ENOBUFS ? "its reader is too slow" : strerror(error);
}

static void
add_file_size(struct text *out, uint64_t bytes)
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
session_output_close(
    struct session *s, enum output_kind kind, struct text *said)
{
	struct outputs *o = &s->layer.outputs;
	size_t before = said->len;
	struct text path = {0};
	uint64_t bytes;
	int error;

	if (outputs_path(o, kind) == NULL)
		return false;
	text_adds(&path, outputs_path(o, kind));
	error = outputs_close(o, kind, &bytes);
	if (error != 0) {
		refuse_file(said, text_str(&path), output_reason(error));
		text_add(&s->output_problems, said->data + before,
		    said->len - before);
		text_addc(&s->output_problems, '\n');
	} else {
		text_add_visible(said, text_str(&path), path.len);
		text_adds(said, ": ");
		add_file_size(said, bytes);
		text_adds(said, " written");
	}
	text_free(&path);
	return error == 0;
}

bool
session_outputs_check(struct session *s, struct text *why)
{
	bool any = false;

	for (unsigned i = 0; i < N_OUTPUT_FILES; i++) {
		if (outputs_error(&s->layer.outputs, i) == 0)
			continue;
		text_adds(why, any ? "; " : "no longer written: ");
		session_output_close(s, i, why);
		any = true;
	}
	return any;
}

uint64_t
session_output_bytes(const struct session *s, enum output_kind kind)
{
	return outputs_bytes(&s->layer.outputs, kind);
}

const char *
session_output_path(const struct session *s, enum output_kind kind)
{
	return outputs_path(&s->layer.outputs, kind);
}

void
session_server_take(struct session *s, struct outputs *server)
{
	if (server->open[OUTPUT_SERVER] == NULL)
		return;
	layer_watch_want(&s->layer, &s->run);
	outputs_move(&s->layer.outputs, server, OUTPUT_SERVER);
}

bool
session_server_work(struct session *s, struct text *news)
{
	return outputs_work(&s->layer.outputs, news);
}

int
session_server_poll(const struct session *s, short *events)
{
	return outputs_poll(&s->layer.outputs, events);
}

bool
session_server_close(struct session *s, int limit_ms,
    void (*waiting)(const char *line), struct text *err)
{
	return outputs_finish(&s->layer.outputs, limit_ms, waiting, err);
}
