/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that options name for writing, and --layer-connect's server, when
 * the console starts and ends. All are opened before any file is emptied: what
 * cannot be opened costs no earlier results.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "run/file_uses.h"
#include "run/options.h"
#include "run/plan.h"
#include "run/recording.h"
#include "tui/console/loop.h"

/* Longest that the end waits for --layer-connect's server. */
#define SERVER_MS 5000
#define HURRY_MS  1000 /* after a signal */

/* Ends the console with err, which it frees, unless ok. Returns ok. */
static bool
fail_files(struct console *c, bool ok, struct text *err)
{
	if (!ok)
		console_fail(c, EXIT_STATUS_OPTIONS, "%s", text_str(err));
	text_free(err);
	return ok;
}

/* The option's file is not open: --record's is behind those of outputs. */
static const char *
file_to_open(const struct options *o, unsigned i, const char **option)
{
	*option = i < N_OUTPUT_FILES ? output_option(i) : "--record";
	return i < N_OUTPUT_FILES ? options_output(o, i) : o->record;
}

/* Opens without blocking: a pipe must have a reader now. Later writes to
 * --record block. */
static bool
open_files(struct console *c, const struct file_uses *uses, struct text *err)
{
	for (unsigned i = 0; i < N_CONSOLE_FILES; i++) {
		const char *option;
		const char *path = file_to_open(c->options, i, &option);

		if (path == NULL)
			continue;
		c->files[i] = i < N_OUTPUT_FILES
		    ? session_output_file(uses, i, path, err)
		    : file_uses_open(
			  uses, option, path, O_CREAT | O_NONBLOCK, err);
		if (c->files[i] < 0)
			return false;
	}
	return true;
}

static bool
empty_opened(const struct console *c, struct text *err)
{
	bool ok = true;

	for (unsigned i = 0; i < N_CONSOLE_FILES && ok; i++) {
		const char *option;
		const char *path = file_to_open(c->options, i, &option);

		ok = path == NULL || file_uses_empty(path, c->files[i], err);
	}
	return ok;
}

static bool
connect_server(struct console *c, struct text *err)
{
	const struct output_target target = {
	    .path = c->options->layer_connect,
	    .fd = -1,
	    .remote = c->options->layer_connect_remote,
	};

	return target.path == NULL ||
	    outputs_open(&c->server, OUTPUT_SERVER, &target, err);
}

/* Takes the file of --record. */
static void
begin_recording(struct console *c)
{
	int *fd = &c->files[N_OUTPUT_FILES];

	if (*fd < 0)
		return;
	fcntl(*fd, F_SETFL, fcntl(*fd, F_GETFL) & ~O_NONBLOCK);
	c->recorder = recorder_new(*fd);
	*fd = -1;
}

/* Refuses a file that is written and also read or written elsewhere. */
bool
console_open_files(struct console *c, const struct plan *plan)
{
	struct file_uses uses = {0};
	struct text err = {0};
	bool ok;

	for (unsigned i = 0; i < N_CONSOLE_FILES; i++)
		c->files[i] = -1;
	file_uses_add_options(&uses, c->options, true);
	file_uses_add_workloads(&uses, plan);
	file_uses_add_named(&uses, plan);
	ok = file_uses_are_apart(&uses, &err) && open_files(c, &uses, &err) &&
	    connect_server(c, &err) && empty_opened(c, &err);
	if (ok)
		begin_recording(c);
	file_uses_free(&uses);
	return fail_files(c, ok, &err);
}

bool
console_begin_outputs(struct console *c)
{
	struct text err = {0};
	bool ok = true;

	session_server_take(&c->session, &c->server);
	for (enum output_kind i = 0; i < N_OUTPUT_FILES && ok; i++) {
		int fd = c->files[i];

		c->files[i] = -1;
		ok = fd < 0 ||
		    session_output_begin(&c->session, i,
			options_output(c->options, i), fd, &err);
	}
	return fail_files(c, ok, &err);
}

static void
say_waiting(const char *line)
{
	if (isatty(STDERR_FILENO))
		output_textf(stderr, "gpuwl-top: %s\n", line);
}

void
console_leave_server(struct console *c)
{
	struct text err = {0};
	bool ok;

	/* Still here if nothing has run. */
	outputs_close(&c->server, OUTPUT_SERVER, NULL);
	ok = session_server_close(&c->session,
	    c->death != 0 ? HURRY_MS : SERVER_MS, say_waiting, &err);
	if (!ok)
		console_fail(c, EXIT_STATUS_FAILED, "%s", text_str(&err));
	text_free(&err);
}

/* Repeats the errors of output files, which may have been missed on screen. */
static void
report_problems(struct console *c)
{
	struct text problems = {0};

	session_layer_problems(&c->session, &problems);
	if (problems.len > 0) {
		problems.data[--problems.len] = '\0';
		console_fail(c, EXIT_STATUS_FAILED, "%s", text_str(&problems));
	}
	text_free(&problems);
}

void
console_close_files(struct console *c)
{
	int error = c->recorder != NULL ? recorder_close(c->recorder) : 0;

	report_problems(c);
	if (error != 0)
		console_fail(c, EXIT_STATUS_FAILED, "%s: %s",
		    c->options->record, strerror(error));
	for (unsigned i = 0; i < N_CONSOLE_FILES; i++)
		if (c->files[i] >= 0)
			close(c->files[i]);
}
