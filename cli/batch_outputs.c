/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outputs of batch mode: files are checked against each other and opened
 * before anything runs, written while the plan runs, completed when it has
 * ended, and closed last, so that each failure is reported.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "base/util.h"
#include "cli/batch.h"
#include "engine/explain/trail.h"
#include "engine/sim.h"
#include "report/page.h"
#include "run/capture.h"
#include "run/digest/digest.h"
#include "run/hang_dump/hang_dump.h"
#include "run/options.h"
#include "run/plan.h"
#include "run/recording.h"
#include "trace/layer.h"

#define READER_LOOK_NS 20000000 /* between two looks for a pipe's reader */

/* True for "-". path may be NULL. */
static bool
is_stdout(const char *path)
{
	return path != NULL && strcmp(path, "-") == 0;
}

/* Prints why path could not be written, unless it is standard output and its
 * reader has had enough. Returns false. */
static bool
output_failed(const struct batch_outputs *out, const char *path, int error)
{
	const char *who = options_caller(out->o);

	if (!is_stdout(path))
		output_textf(
		    stderr, "%s: %s: %s\n", who, path, strerror(error));
	else if (error != EPIPE)
		fprintf(
		    stderr, "%s: standard output: %s\n", who, strerror(error));
	return false;
}

/* Prints a line. */
static void
print_words(const struct batch_outputs *out, const char *words)
{
	output_textf(stderr, "%s: %s\n", options_caller(out->o), words);
}

/* Prints a message, if there is one, and frees it. */
static void
print_message(const struct batch_outputs *out, struct text *message)
{
	if (message->len > 0)
		print_words(out, text_str(message));
	text_free(message);
}

static bool
is_pipe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Opens a file; waits for the reader of a pipe. Does not block in open(), which
 * would miss a signal that arrives just before it. */
static int
open_or_wait(const struct batch_outputs *out, const char *option,
    const char *path, struct text *err)
{
	const struct timespec pause = {.tv_nsec = READER_LOOK_NS};
	int fd;

	for (;;) {
		text_clear(err);
		fd = file_uses_open(
		    &out->uses, option, path, O_CREAT | O_NONBLOCK, err);
		if (fd >= 0 || errno != ENXIO || *out->stop != 0 ||
		    !is_pipe(path))
			return fd;
		nanosleep(&pause, NULL);
	}
}

/* Makes or opens the file of an option, which empty_files() empties; "-" is
 * standard output. -1, after a line unless a signal stopped it: it cannot be
 * written. */
static int
create_output(struct batch_outputs *out, const char *option, const char *path)
{
	struct text err = {0};
	int fd;

	if (is_stdout(path))
		return STDOUT_FILENO;
	fd = open_or_wait(out, option, path, &err);
	if (fd >= 0) {
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
		out->created = mem_grow(out->created, out->n_created,
		    &out->cap_created, sizeof(*out->created));
		out->created[out->n_created++] = (struct created_output){
		    path, fd};
	} else if (*out->stop == 0)
		print_words(out, text_str(&err));
	text_free(&err);
	return fd;
}

/* True if an output uses standard output, so that the closing lines do not. */
static bool
takes_stdout(const struct options *o)
{
	bool takes = is_stdout(o->json) || is_stdout(o->requests) ||
	    is_stdout(o->report);

	for (unsigned i = 0; i < N_OUTPUT_FILES; i++)
		takes |= is_stdout(options_output(o, i));
	return takes;
}

/* Refuses to write a file that is read, or is another output too. */
static bool
check_file_uses(struct batch_outputs *out)
{
	struct text err = {0};
	bool ok;

	file_uses_add_options(&out->uses, out->o, true);
	file_uses_add_workloads(&out->uses, out->plan);
	file_uses_add_named(&out->uses, out->plan);
	file_uses_add_stream(
	    &out->uses, FILE_READ, "standard input", STDIN_FILENO);
	if (out->lines == stdout || takes_stdout(out->o))
		file_uses_add_stream(
		    &out->uses, FILE_WRITTEN, "standard output", STDOUT_FILENO);
	file_uses_add_stream(
	    &out->uses, FILE_WRITTEN, "standard error", STDERR_FILENO);
	ok = file_uses_are_apart(&out->uses, &err);
	print_message(out, &err);
	return ok;
}

static bool
open_record_file(struct batch_outputs *out)
{
	int fd;

	if (out->o->record == NULL)
		return true;
	fd = create_output(out, "--record", out->o->record);
	if (fd >= 0)
		out->recorder = recorder_new(fd);
	return fd >= 0;
}

static bool
open_error_state(struct batch_outputs *out)
{
	struct text err = {0};

	if (out->o->error_state == NULL)
		return true;
	out->errors = hang_dump_new(out->o->error_state, &err);
	print_message(out, &err);
	return out->errors != NULL;
}

static bool
open_json(struct batch_outputs *out)
{
	int fd;

	if (out->o->json == NULL)
		return true;
	fd = create_output(out, "--json", out->o->json);
	out->json = fd == STDOUT_FILENO ? stdout
	    : fd >= 0                   ? fdopen(fd, "w")
					: NULL;
	return out->json != NULL;
}

static bool
open_requests(struct batch_outputs *out)
{
	if (out->o->requests == NULL)
		return true;
	out->requests = create_output(out, "--requests", out->o->requests);
	return out->requests >= 0;
}

static bool
open_page(struct batch_outputs *out)
{
	if (out->o->report == NULL)
		return true;
	out->page = create_output(out, "--report", out->o->report);
	return out->page >= 0;
}

static bool
open_watching(struct batch_outputs *out, enum output_kind kind)
{
	struct output_target target = {
	    .path = options_output(out->o, kind),
	    .fd = -1,
	    .remote = out->o->layer_connect_remote,
	    .stop = out->stop,
	    .events = out->o->trace_events,
	};
	struct text err = {0};
	bool ok;

	if (target.path == NULL)
		return true;
	if (kind < N_OUTPUT_FILES) {
		target.fd = create_output(
		    out, output_option(kind), target.path);
		if (target.fd < 0)
			return false;
	}
	ok = outputs_open(&out->watching, kind, &target, &err);
	print_message(out, &err);
	return ok;
}

/* Empties all files, once everything that a run needs is open: what cannot be
 * opened costs no earlier results. */
static bool
empty_files(struct batch_outputs *out)
{
	struct text err = {0};
	bool ok = true;

	for (size_t i = 0; i < out->n_created && ok; i++)
		ok = file_uses_empty(
		    out->created[i].path, out->created[i].fd, &err);
	print_message(out, &err);
	return ok;
}

bool
batch_outputs_open(struct batch_outputs *out)
{
	bool runs = out->o->mode == MODE_BATCH && out->plan->n_sources > 0;
	bool ok;

	out->requests = out->page = -1;
	if (out->o->verbose >= 0 && runs)
		out->lines = takes_stdout(out->o) || out->o->program != NULL
		    ? stderr
		    : stdout;
	ok = check_file_uses(out) && open_record_file(out) &&
	    open_error_state(out) && open_json(out) && open_requests(out) &&
	    open_page(out);
	for (unsigned i = 0; i < N_OUTPUTS && ok; i++)
		ok = open_watching(out, i);
	return ok && empty_files(out);
}

/* Prints what annotations do wrong. */
static void
layer_report(struct debug_report *r, const char *text)
{
	struct batch_outputs *out = container_of(
	    r, struct batch_outputs, report);

	if (out->o->verbose < 0 || ++out->n_reports > BATCH_MAX_LINES)
		return;
	progress_erase(out->progress);
	output_textf(stderr, "%s: layer: %s\n", options_caller(out->o), text);
}

static struct capture *
new_capture(const struct batch_outputs *out, struct run *run)
{
	return capture_new(run->sim,
	    &(struct capture_options){.profile = out->o->profile,
		.scheduler = out->plan->sched->name,
		.exact = out->o->virtual_time,
		.frame_on = out->o->frame_on});
}

void
batch_outputs_begin(struct batch_outputs *out, struct run *run)
{
	if (out->errors != NULL)
		hang_dump_watch(out->errors, run, out->plan);
	if (out->requests >= 0)
		out->log = request_log_new(
		    run->sim, out->requests, out->o->program != NULL);
	if (out->page >= 0) {
		out->digest = digest_begin(run);
		out->trail = trail_begin(run->sim, TRAIL_DEFAULT_SIZE);
		digest_follow(out->digest, out->trail);
	}
	if (out->o->capture != NULL)
		out->capture = new_capture(out, run);
	out->report.say = layer_report;
	if (outputs_need_layer(&out->watching))
		out->layer = layer_begin(run->sim, &out->report);
	run_texts_init(&out->texts, run, out->plan, out->o->command);
	out->watching.texts = &out->texts.texts;
	if (outputs_any(&out->watching))
		outputs_watch(&out->watching, run->sim, out->layer);
}

void
batch_outputs_device(struct batch_outputs *out, struct i915 *dev)
{
	if (out->capture != NULL)
		capture_watch(out->capture, dev);
}

/* Writes the states of hangs. */
static void
write_errors(struct batch_outputs *out)
{
	struct text note = {0};

	if (out->errors == NULL)
		return;
	hang_dump_write(out->errors);
	if (hang_dump_note(out->errors, &note) && out->o->verbose >= 0) {
		progress_erase(out->progress);
		print_message(out, &note);
	}
	text_free(&note);
}

void
batch_outputs_work(struct batch_outputs *out)
{
	struct text message = {0};

	write_errors(out);
	if (outputs_work(&out->watching, &message) && out->o->verbose >= 0) {
		progress_erase(out->progress);
		print_message(out, &message);
	}
	text_free(&message);
}

/* True if rows are written to a pipe that nothing reads any more. */
static bool
has_no_reader(const struct batch_outputs *out)
{
	return is_stdout(out->o->requests) && output_reader_is_gone();
}

bool
batch_outputs_failed(const struct batch_outputs *out)
{
	return (out->log != NULL && request_log_error(out->log) != 0) ||
	    has_no_reader(out) || outputs_failed(&out->watching) ||
	    (out->recorder != NULL && recorder_error(out->recorder) != 0);
}

static void
end_recording(struct batch_outputs *out, enum run_end end)
{
	static const enum recording_end ends[] = {
	    [RUN_DONE] = RECORDING_DONE,
	    [RUN_DURATION] = RECORDING_DURATION,
	    [RUN_SIGNAL] = RECORDING_QUIT,
	    [RUN_DEADLOCK] = RECORDING_DEADLOCK,
	    [RUN_TIME_OVER] = RECORDING_DURATION,
	    [RUN_UNWRITABLE] = RECORDING_QUIT,
	    [RUN_UNPLAYABLE] = RECORDING_QUIT,
	    [RUN_REFUSED] = RECORDING_QUIT,
	};

	if (out->recorder != NULL)
		recorder_end(out->recorder, ends[end]);
}

static bool
close_watching(struct batch_outputs *out)
{
	bool ok = true;

	for (unsigned i = 0; i < N_OUTPUT_FILES; i++) {
		int error = outputs_close(&out->watching, i, NULL);

		if (error != 0)
			ok = output_failed(
			    out, options_output(out->o, i), error);
	}
	return ok;
}

/* Writes the descriptors of programs, and says how they are run. */
static bool
write_capture(struct batch_outputs *out)
{
	struct text said = {0}, err = {0};
	bool ok = true;

	if (out->capture != NULL)
		ok = capture_write(out->capture, CAPTURE_ALL, out->o->capture,
		    true, &said, &err);
	if (!ok)
		print_message(out, &err);
	else if (said.len > 0 && out->o->verbose >= 0)
		output_textf(stderr, "captured: %s\n", text_str(&said));
	capture_free(out->capture);
	out->capture = NULL;
	text_free(&said);
	text_free(&err);
	return ok;
}

bool
batch_outputs_finish(struct batch_outputs *out, enum run_end end)
{
	int error = out->log != NULL ? request_log_finish(out->log) : 0;
	const char *problem = NULL;
	bool ok = true;

	if (out->errors != NULL) {
		write_errors(out);
		problem = hang_dump_problem(out->errors);
	}
	out->log = NULL;
	end_recording(out, end);
	if (error != 0)
		ok = output_failed(out, out->o->requests, error);
	outputs_leave(&out->watching);
	layer_end(out->layer);
	out->layer = NULL;
	ok &= write_capture(out);
	ok &= close_watching(out);
	if (problem != NULL) {
		print_words(out, problem);
		ok = false;
	}
	return ok;
}

/* Writes the page of --report. */
static bool
write_page(struct batch_outputs *out, const struct result *result)
{
	struct run_page page = {
	    .result = result,
	    .digest = out->digest,
	    .command = out->o->command,
	};
	struct text html = {0};
	bool ok = true;

	if (out->digest == NULL)
		return true;
	digest_settle(out->digest);
	page_of_run(&page, &html);
	if (!file_write_all(out->page, html.data, html.len))
		ok = output_failed(out, out->o->report, errno);
	text_free(&html);
	return ok;
}

/* Writes the object of --json. output_close() reports failures of standard output,
 * once. */
static bool
write_json(struct batch_outputs *out, const struct result *result)
{
	int error;

	errno = 0;
	if (out->json == NULL ||
	    report_json(result, out->json, &out->json_begun) ||
	    out->json == stdout)
		return true;
	error = errno != 0 ? errno : EIO;
	fclose(out->json); /* would fail again, with a second line */
	out->json = NULL;
	return output_failed(out, out->o->json, error);
}

bool
batch_outputs_report(struct batch_outputs *out, const struct result *result)
{
	bool ok;

	if (has_no_reader(out))
		return false;
	if (out->o->verbose > 1) {
		report_engines(result, stderr);
		report_times(result, stderr);
	}
	if (out->lines != NULL)
		report_text(result, out->o->verbose, out->lines);
	ok = write_json(out, result);
	return write_page(out, result) && ok;
}

static void
print_waiting(const char *line)
{
	if (isatty(STDERR_FILENO))
		output_textf(stderr, "gpuwl-top: %s\n", line);
}

bool
batch_outputs_disconnect(struct batch_outputs *out, int limit_ms)
{
	struct text err = {0};
	bool ok = outputs_finish(&out->watching, limit_ms, print_waiting, &err);

	print_message(out, &err);
	return ok;
}

void
batch_outputs_leave(struct batch_outputs *out)
{
	if (out->errors != NULL)
		hang_dump_leave(out->errors);
	digest_end(out->digest);
	trail_end(out->trail);
	out->digest = NULL;
	out->trail = NULL;
}

void
batch_outputs_rescue(struct batch_outputs *out)
{
	if (out->log != NULL)
		request_log_flush(out->log);
	outputs_flush(&out->watching);
	if (out->json != NULL && !out->json_begun)
		fputs("{\"out_of_memory\": true}\n", out->json);
}

bool
batch_outputs_close(struct batch_outputs *out)
{
	int error = out->recorder != NULL ? recorder_close(out->recorder) : 0;
	bool ok = true;

	if (error != 0)
		ok = output_failed(out, out->o->record, error);
	if (out->json != NULL && out->json != stdout && fclose(out->json) != 0)
		ok = output_failed(out, out->o->json, errno);
	if (out->requests >= 0 && out->requests != STDOUT_FILENO &&
	    close(out->requests) != 0)
		ok = output_failed(out, out->o->requests, errno);
	if (out->page >= 0 && out->page != STDOUT_FILENO &&
	    close(out->page) != 0)
		ok = output_failed(out, out->o->report, errno);
	/* Still open if nothing has run. */
	outputs_close(&out->watching, OUTPUT_SERVER, NULL);
	ok &= close_watching(out);
	hang_dump_free(out->errors);
	file_uses_free(&out->uses);
	free(out->created);
	return ok;
}
