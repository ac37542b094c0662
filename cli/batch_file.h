/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that batch mode writes. */
#ifndef CLI_BATCH_FILE_H
#define CLI_BATCH_FILE_H

#include <signal.h>
#include <stdbool.h>

struct file_uses;

/* The facts that opening an output needs. */
struct batch_files {
	const struct file_uses *uses;      /* the options' and the plan's */
	const volatile sig_atomic_t *stop; /* not 0: to be ended */
};

/* "-"; path may be NULL. */
bool batch_is_stdout(const char *path);
/* A line on standard error; false. */
bool batch_can_not(const char *path, int error);
/* Standard output, or the file, made or emptied, that the option names; waits
 * for the reader of a pipe, until it is stopped. -1, and a line unless it was
 * stopped: it can't be written. */
int batch_create(
    const struct batch_files *files, const char *option, const char *path);

#endif
