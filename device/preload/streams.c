/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams of stdio on control files: libc's own reads and writes of them would
 * be on the socket. Reading is of the file's text, opened anew after a seek to
 * the beginning; writes go to the device, and so do their errors.
 */
#define _GNU_SOURCE 1
#include "device/preload/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/preload/files.h"
#include "device/preload/real.h"
#include "device/wire/mark.h"

struct control_stream {
	int control, text; /* text: -1: not open */
	char *path;
};

static ssize_t
stream_read(void *data, char *buf, size_t size)
{
	struct control_stream *s = data;

	if (s->text < 0)
		s->text = open(s->path, O_RDONLY | O_CLOEXEC);
	return s->text < 0 ? -1 : real()->read(s->text, buf, size);
}

/* 0 is the error of a write here. */
static ssize_t
stream_write(void *data, const char *buf, size_t size)
{
	struct control_stream *s = data;
	ssize_t n = write(s->control, buf, size);

	return n < 0 ? 0 : n;
}

static int
stream_seek(void *data, off64_t *offset, int whence)
{
	struct control_stream *s = data;

	if (whence == SEEK_SET && *offset == 0) {
		if (s->text >= 0)
			real_close(s->text);
		s->text = -1;
		return 0;
	}
	if (s->text < 0) {
		errno = ESPIPE;
		return -1;
	}
	*offset = lseek(s->text, *offset, whence);
	return *offset < 0 ? -1 : 0;
}

static int
stream_close(void *data)
{
	struct control_stream *s = data;

	if (s->text >= 0)
		real_close(s->text);
	real_close(s->control);
	free(s->path);
	free(s);
	return 0;
}

bool
stream_is_needed(int fd)
{
	struct wire_mark mark;

	return wire_mark_of(fd, &mark) && mark.kind == MARK_CONTROL;
}

FILE *
stream_of_control(int fd, const char *path, const char *mode)
{
	static const cookie_io_functions_t functions = {
	    stream_read, stream_write, stream_seek, stream_close};
	struct control_stream *s = malloc(sizeof *s);
	FILE *f = NULL;

	if (s != NULL) {
		*s = (struct control_stream){fd, -1, strdup(path)};
		f = fopencookie(s, mode, functions);
	}
	if (f == NULL) {
		if (s != NULL)
			free(s->path);
		free(s);
		real_close(fd);
	}
	return f;
}

/* Streams on the text of a live file have its descriptor: after a seek to the
 * beginning, what is not in their buffer is read anew. */

static void
stream_renew(FILE *f)
{
	int e = errno, fd = fileno(f);

	if (fd >= 0)
		files_renew(fd);
	errno = e;
}

void
rewind(FILE *f)
{
	stream_renew(f);
	real()->rewind(f);
}

int
fseeko(FILE *f, off_t offset, int whence)
{
	if (whence == SEEK_SET && offset == 0)
		stream_renew(f);
	return real()->fseeko(f, offset, whence);
}

int
fseek(FILE *f, long offset, int whence)
{
	return fseeko(f, offset, whence);
}

int fseeko64(FILE *f, off64_t offset, int whence)
    __attribute__((alias("fseeko")));
