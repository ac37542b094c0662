/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/batch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "run/file_uses.h"

#define LOOK_EVERY_NS 20000000 /* for the reader of a pipe */

bool
batch_is_stdout(const char *path)
{
	return path != NULL && strcmp(path, "-") == 0;
}

bool
batch_can_not(const char *path, int error)
{
	output_textf(stderr, "gpuwl-top: %s: %s\n", path, strerror(error));
	return false;
}

static bool
is_pipe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* A blocking open() would miss the signal that comes just before it. */
static int
open_output(const struct batch_files *files, const char *option,
    const char *path, struct text *err)
{
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};
	int fd;

	for (;;) {
		text_clear(err);
		fd = file_uses_open(files->uses, option, path,
		    O_CREAT | O_TRUNC | O_NONBLOCK, err);
		if (fd >= 0 || errno != ENXIO || *files->stop != 0 ||
		    !is_pipe(path))
			return fd;
		nanosleep(&pause, NULL);
	}
}

int
batch_create(
    const struct batch_files *files, const char *option, const char *path)
{
	struct text err = {0};
	int fd;

	if (batch_is_stdout(path))
		return STDOUT_FILENO;
	fd = open_output(files, option, path, &err);
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	else if (*files->stop == 0)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&err);
	return fd;
}
