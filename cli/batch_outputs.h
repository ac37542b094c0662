/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that batch mode writes, and the outputs (trace/outputs.h) that its
 * options ask for. All errors are lines on standard error. */
#ifndef CLI_BATCH_OUTPUTS_H
#define CLI_BATCH_OUTPUTS_H

#include <signal.h>
#include <stdbool.h>

#include "layerstream/report.h"
#include "trace/outputs.h"

struct file_uses;
struct options;
struct progress;

/* Needed for opening a file. */
struct batch_files {
	const struct file_uses *uses; /* files of the options and the plan */
	const volatile sig_atomic_t *stop; /* not 0: a signal came */
};

/* True for "-"; path may be NULL. */
bool batch_is_stdout(const char *path);
/* Prints "PATH: strerror(error)" and returns false. */
bool batch_can_not(const char *path, int error);
/* Creates or empties the file of an option and returns its descriptor; "-" is
 * standard output. Waits for the reader of a pipe, until a signal comes. -1,
 * with a line unless a signal came, if it can't be written. */
int batch_create(
    const struct batch_files *files, const char *option, const char *path);

struct batch_outputs {
	const struct options *options;
	struct progress *progress; /* erased before a line is printed */
	struct outputs outputs;
	struct layer *layer; /* NULL: no output needs one */
	struct report report;
	unsigned n_reports;
};

/* Opens all outputs that the options name. False if one can't be opened. */
bool batch_outputs_open(struct batch_outputs *b, const struct options *o,
    const struct batch_files *files, struct progress *progress);
/* Writes what happens to sim from now on. */
void batch_outputs_watch(struct batch_outputs *b, struct sim *sim);
/* Sends to the server without blocking; reports a lost connection once. */
void batch_outputs_work(struct batch_outputs *b);
/* Ends the run's outputs and closes the files. False if a write failed. */
bool batch_outputs_end(struct batch_outputs *b);
/* Waits until the server has all, for limit_ms at most or until a signal comes,
 * and closes the connection. False if not all is known to have arrived. */
bool batch_outputs_finish(struct batch_outputs *b, int limit_ms);
/* Closes what is still open because nothing ran. */
bool batch_outputs_close(struct batch_outputs *b);

#endif
