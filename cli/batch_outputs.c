/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What batch mode writes beside its reports: opens the files of options, and
 * the outputs that watch the run; they are closed when the run is over, before
 * results are printed, but for the server, which may take its time.
 */
#include "cli/batch_outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "cli/progress.h"
#include "run/file_uses.h"
#include "run/options.h"
#include "trace/layer.h"

#define LOOK_EVERY_NS 20000000 /* for the reader of a pipe */
#define MAX_REPORTS   20       /* mistakes in annotations that are printed */

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

/* Polls for the reader of a pipe: a blocking open() would miss a signal that
 * comes just before it. */
static int
open_file_of(const struct batch_files *files, const char *option,
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
	fd = open_file_of(files, option, path, &err);
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	else if (*files->stop == 0)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&err);
	return fd;
}

static bool
open_output_of(struct batch_outputs *b, enum output_kind kind,
    const struct batch_files *files)
{
	struct output_target target = {
	    .path = options_output(b->options, kind),
	    .fd = -1,
	    .remote = b->options->layer_connect_remote,
	};
	struct text err = {0};
	bool ok;

	if (target.path == NULL)
		return true;
	if (kind < N_OUTPUT_FILES) {
		target.fd = batch_create(
		    files, output_option(kind), target.path);
		if (target.fd < 0)
			return false;
	}
	ok = outputs_open(&b->outputs, kind, &target, &err);
	if (!ok)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&err);
	return ok;
}

bool
batch_outputs_open(struct batch_outputs *b, const struct options *o,
    const struct batch_files *files, struct progress *progress)
{
	bool ok = true;

	b->options = o;
	b->progress = progress;
	for (unsigned i = 0; i < N_OUTPUTS && ok; i++)
		ok = open_output_of(b, i, files);
	return ok;
}

static void
print_report(struct report *r, const char *text)
{
	struct batch_outputs *b = (struct batch_outputs *)((char *)r -
	    offsetof(struct batch_outputs, report));

	if (b->options->verbose < 0 || ++b->n_reports > MAX_REPORTS)
		return;
	progress_erase(b->progress);
	output_textf(stderr, "gpuwl-top: layer: %s\n", text);
}

void
batch_outputs_watch(struct batch_outputs *b, struct sim *sim)
{
	b->report.say = print_report;
	if (outputs_need_layer(&b->outputs))
		b->layer = layer_begin(sim, &b->report);
	if (outputs_any(&b->outputs))
		outputs_watch(&b->outputs, sim, b->layer);
}

void
batch_outputs_work(struct batch_outputs *b)
{
	struct text news = {0};

	if (outputs_work(&b->outputs, &news) && b->options->verbose >= 0) {
		progress_erase(b->progress);
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&news));
	}
	text_free(&news);
}

static bool
close_output_files(struct batch_outputs *b)
{
	bool ok = true;

	for (unsigned i = 0; i < N_OUTPUT_FILES; i++) {
		int error = outputs_close(&b->outputs, i, NULL);

		if (error != 0)
			ok = batch_can_not(
			    options_output(b->options, i), error);
	}
	return ok;
}

bool
batch_outputs_end(struct batch_outputs *b)
{
	outputs_leave(&b->outputs);
	layer_end(b->layer);
	b->layer = NULL;
	return close_output_files(b);
}

static void
print_waiting(const char *line)
{
	if (isatty(STDERR_FILENO))
		output_textf(stderr, "gpuwl-top: %s\n", line);
}

bool
batch_outputs_finish(struct batch_outputs *b, int limit_ms)
{
	struct text err = {0};
	bool ok = outputs_finish(&b->outputs, limit_ms, print_waiting, &err);

	if (err.len > 0 && (!ok || b->options->verbose >= 0))
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&err);
	return ok;
}

bool
batch_outputs_close(struct batch_outputs *b)
{
	outputs_close(&b->outputs, OUTPUT_SERVER, NULL);
	return close_output_files(b);
}
