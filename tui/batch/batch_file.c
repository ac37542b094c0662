/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/batch/batch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tui/output.h"
#include "tui/plan.h"
#include "tui/plan_files.h"

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

int
batch_create(const struct plan *plan, const char *path)
{
	int fd;

	if (batch_is_stdout(path))
		return STDOUT_FILENO;
	/* A slip of the hand that would cost the descriptor. */
	if (plan_has_file(plan, path)) {
		output_textf(stderr,
		    "gpuwl-top: %s is a workload: not overwritten\n", path);
		return -1;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		batch_can_not(path, errno);
	return fd;
}
