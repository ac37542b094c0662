/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch mode: outputs are opened first, then the plan runs in slices, so
 * that signals, progress and the wall clock (--speed) come to their right;
 * in the end everything asked for is told, however the run ended.
 */
#include "cli/batch.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/batch_outputs.h"
#include "cli/hang_log.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/report_requests.h"
#include "engine/hang/hang.h"
#include "engine/sim.h"
#include "run/file_uses.h"
#include "run/hang_dump/error_files.h"
#include "run/options.h"
#include "run/record.h"
#include "run/replay.h"

#define SLICE_EVENTS 50000 /* a few milliseconds */
#define MAX_SLEEP    (50 * NSEC_PER_MSEC)
#define PATIENCE     (30 * NSEC_PER_MSEC) /* with an instant, after a signal */
#define MAX_TOLD     20                   /* hangs; the rest is counted */
#define HURRY_MS     1000

struct batch {
	const struct options *o;
	const struct plan *plan;
	struct file_uses uses;
	struct batch_files files;
	struct run run;
	FILE *json;   /* NULL: none */
	int requests; /* file descriptor; -1: none */
	struct batch_outputs outputs;
	FILE *lines; /* where the closing lines go; NULL: nowhere */
	struct request_log *log;
	struct recording *recording; /* --record; NULL */
	struct replay *replay;       /* --replay; NULL */
	struct error_files *errors;  /* --error-state; NULL */
	struct hang_log hangs;
	struct observer observer;
	struct progress progress;
	uint64_t *missed; /* periods known of, by client (-vv) */
	size_t n_missed, cap_missed;
	nsec caught_at;  /* by the wall, when a signal was first seen; 0 */
	bool json_begun; /* something of the report is written */
};

static volatile sig_atomic_t caught;
/* Nothing has run yet, or all is reported: a signal ends the program. */
static volatile sig_atomic_t ends_at_once;

static void
on_signal(int signal)
{
	caught = signal;
	if (ends_at_once)
		raise(signal); /* SA_RESETHAND: the default */
}

/* The first one ends the run, a second one what is told after it. */
static void
catch_signals(void)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	struct sigaction old;
	struct sigaction stop = {
	    .sa_handler = on_signal,
	    .sa_flags = (int)SA_RESETHAND,
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &stop, NULL);
	}
	/* A reader that went away is a failed write, which is told. */
	signal(SIGPIPE, SIG_IGN);
}

static bool
open_recording(struct batch *b)
{
	int fd;

	if (b->o->record == NULL)
		return true;
	fd = batch_create(&b->files, "--record", b->o->record);
	if (fd >= 0)
		b->recording = recording_new(fd);
	return fd >= 0;
}

static bool
open_errors(struct batch *b)
{
	struct text err = {0};

	if (b->o->error_state == NULL)
		return true;
	b->errors = error_files_new(b->o->error_state, &err);
	if (b->errors == NULL)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&err);
	return b->errors != NULL;
}

/* Standard output is an output's, and not for the closing lines. */
static bool
takes_stdout(const struct options *o)
{
	bool takes = batch_is_stdout(o->json) || batch_is_stdout(o->requests);

	for (unsigned i = 0; i < N_OUTPUT_FILES; i++)
		takes |= batch_is_stdout(options_output(o, i));
	return takes;
}

/* Whatever is read, and each that is written, is a file of its own. False, and
 * a line: two are one. */
static bool
check_files(struct batch *b)
{
	struct text err = {0};
	bool ok;

	file_uses_add_options(&b->uses, b->o, true);
	file_uses_add_workloads(&b->uses, b->plan);
	file_uses_add_named(&b->uses, b->plan);
	file_uses_add_stream(
	    &b->uses, FILE_READ, "standard input", STDIN_FILENO);
	if (b->lines == stdout || takes_stdout(b->o))
		file_uses_add_stream(
		    &b->uses, FILE_WRITTEN, "standard output", STDOUT_FILENO);
	file_uses_add_stream(
	    &b->uses, FILE_WRITTEN, "standard error", STDERR_FILENO);
	ok = file_uses_are_apart(&b->uses, &err);
	if (!ok)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&err);
	return ok;
}

static bool
open_outputs(struct batch *b)
{
	const struct options *o = b->o;

	if (o->verbose >= 0)
		b->lines = takes_stdout(o) ? stderr : stdout;
	if (!check_files(b) || !open_recording(b) || !open_errors(b))
		return false;
	if (o->json != NULL) {
		int fd = batch_create(&b->files, "--json", o->json);

		b->json = fd == STDOUT_FILENO ? stdout
		    : fd >= 0                 ? fdopen(fd, "w")
					      : NULL;
		if (b->json == NULL)
			return false;
	}
	if (o->requests != NULL) {
		b->requests = batch_create(
		    &b->files, "--requests", o->requests);
		if (b->requests < 0)
			return false;
	}
	return batch_outputs_open(&b->outputs, o, &b->files, &b->progress);
}

/* False, and a line, if something that was written did not arrive. */
static bool
close_outputs(struct batch *b)
{
	bool ok = true;
	int error = b->recording != NULL ? recording_close(b->recording) : 0;

	if (error != 0)
		ok = batch_can_not(b->o->record, error);
	if (b->json != NULL && b->json != stdout && fclose(b->json) != 0)
		ok = batch_can_not(b->o->json, errno);
	if (b->requests >= 0 && b->requests != STDOUT_FILENO &&
	    close(b->requests) != 0)
		ok = batch_can_not(b->o->requests, errno);
	return batch_outputs_close(&b->outputs) && ok;
}

static struct batch *
batch_of(struct observer *o)
{
	return (struct batch *)((char *)o - offsetof(struct batch, observer));
}

/* Where in its file a request's step stands. */
static void
print_place(const struct batch *b, const struct request *rq)
{
	const struct document *doc = NULL;
	const struct line *line = run_line(&b->run, b->plan, rq, &doc);
	size_t row, column, index;

	if (!document_line_index(doc, line, &index))
		return;
	document_position(doc, index, 0, &row, &column);
	output_textf(stderr, "%s:%zu:%zu: ", document_name(doc), row, column);
}

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct batch *b = batch_of(o);
	const struct request *rq = hang->rq;

	hang_log_add(&b->hangs, hang);
	if (b->run.sim->n_hangs > MAX_TOLD)
		return;
	progress_erase(&b->progress);
	print_place(b, rq);
	fprintf(stderr,
	    "hang: step %" PRIu32 " of client %" PRIu32 ", context %" PRIu32
	    ", iteration %" PRIu64 ", on %s, given up at %.3f s: %s%s%s\n",
	    rq->step, rq->client->id, rq->context->def->number, rq->iteration,
	    hang->engine->name, (double)hang->time / 1e9,
	    hang_cause_name(hang->cause),
	    hang->context_banned ? "; the context is banned" : "",
	    hang->client_banned ? "; the client is banned" : "");
}

static void
on_timed_out(struct observer *o, const struct request *rq)
{
	struct batch *b = batch_of(o);
	const struct sim *sim = b->run.sim;

	if (sim->n_timed_out > MAX_TOLD)
		return;
	progress_erase(&b->progress);
	print_place(b, rq);
	fprintf(stderr,
	    "cancelled: step %" PRIu32 " of client %" PRIu32
	    ", context %" PRIu32 ", iteration %" PRIu64
	    ", was not over after the request timeout, at %.3f s\n",
	    rq->step, rq->client->id, rq->context->def->number, rq->iteration,
	    (double)sim->now / 1e9);
}

static void
on_iterated(struct observer *o, struct client *c)
{
	struct batch *b = batch_of(o);

	for (; b->n_missed <= c->id; b->n_missed++) {
		b->missed = mem_grow(
		    b->missed, b->n_missed, &b->cap_missed, sizeof(*b->missed));
		b->missed[b->n_missed] = 0;
	}
	if (c->period.missed == b->missed[c->id])
		return;
	b->missed[c->id] = c->period.missed;
	progress_erase(&b->progress);
	fprintf(stderr,
	    "%.6f s: client %" PRIu32 " missed its period in iteration %" PRIu64
	    " (%" PRIu64 " so far)\n",
	    (double)b->run.sim->now / 1e9, c->id, c->iteration - 1,
	    c->period.missed);
}

static void
observe(struct batch *b)
{
	struct sim *sim = b->run.sim;

	b->observer.hung = on_hung;
	b->observer.timed_out = on_timed_out;
	if (b->o->verbose > 1)
		b->observer.iterated = on_iterated;
	sim_add_observer(sim, &b->observer);
	if (b->errors != NULL)
		error_files_watch(b->errors, &b->run, b->plan);
	if (b->requests >= 0)
		b->log = request_log_new(sim, b->requests);
	batch_outputs_watch(&b->outputs, sim);
}

/* Virtual time that the wall clock allows. */
static nsec
allowed(const struct batch *b)
{
	double wall = (double)(clock_wall() - b->progress.begun);

	if (b->o->speed == 0 || wall * b->o->speed >= 1e18)
		return b->o->duration;
	nsec t = (nsec)(wall * b->o->speed);
	return t < b->o->duration ? t : b->o->duration;
}

/* Sleeps until the next event is due, with a look around now and then. */
static void
wait_for_wall(const struct batch *b)
{
	nsec next = sim_next_event(b->run.sim);
	nsec end = next < b->o->duration ? next : b->o->duration;
	double due = (double)end / b->o->speed -
	    (double)(clock_wall() - b->progress.begun);
	struct timespec t = {0};

	if (due <= 0)
		return;
	t.tv_nsec = due < MAX_SLEEP ? (long)due + 1 : (long)MAX_SLEEP;
	nanosleep(&t, NULL);
}

/* An instant is let come to its end, for a moment: then the run is as if it had
 * been paused there. */
static enum sim_poll
wish(void *data)
{
	struct batch *b = data;

	if (caught == 0)
		return SIM_GO_ON;
	if (b->caught_at == 0)
		b->caught_at = clock_wall();
	return clock_wall() - b->caught_at < PATIENCE ? SIM_PAUSE : SIM_STOP;
}

/* What is replayed may go on after all clients have ended. */
static bool
is_over(const struct batch *b)
{
	if (b->replay != NULL && b->run.sim->state != SIM_STOPPED)
		return b->replay->is_over;
	return b->run.sim->state != SIM_RUNNING;
}

/* False, and a line, if the recording is of something else. */
static bool
run_slice(struct batch *b, nsec until)
{
	struct text err = {0};
	bool ok;

	if (b->replay == NULL) {
		sim_run(b->run.sim, until, SLICE_EVENTS);
		return true;
	}
	ok = replay_run(b->replay, &b->run, until, SLICE_EVENTS, &err) ||
	    b->run.sim->state == SIM_STOPPED;
	if (!ok) {
		progress_erase(&b->progress);
		output_textf(stderr, "%s\n", text_str(&err));
	}
	text_free(&err);
	return ok;
}

static bool
is_unwritable(const struct batch *b)
{
	return (b->log != NULL && request_log_error(b->log) != 0) ||
	    outputs_failed(&b->outputs.outputs) ||
	    (b->recording != NULL && recording_error(b->recording) != 0);
}

static enum run_end
end_of(const struct sim *sim)
{
	switch (sim->state) {
	case SIM_DONE: return RUN_DONE;
	case SIM_DEADLOCK: return RUN_DEADLOCK;
	case SIM_STOPPED: return RUN_SIGNAL;
	case SIM_TIME_OVER: return RUN_TIME_OVER;
	default: return RUN_DURATION; /* as long as it was recorded */
	}
}

static enum run_end
simulate(struct batch *b)
{
	struct sim *sim = b->run.sim;

	while (!is_over(b)) {
		nsec until = allowed(b);

		if (caught != 0)
			return RUN_SIGNAL;
		if (is_unwritable(b))
			return RUN_UNWRITABLE;
		if (!run_slice(b, until))
			return RUN_UNPLAYABLE;
		progress_update(&b->progress, sim);
		batch_outputs_work(&b->outputs);
		if (is_over(b) || sim->now < until)
			continue;
		if (until == b->o->duration)
			return RUN_DURATION;
		wait_for_wall(b);
	}
	return end_of(sim);
}

static void
record_end(struct batch *b, enum run_end end)
{
	static const enum recording_end ends[] = {
	    [RUN_DONE] = RECORDING_DONE,
	    [RUN_DURATION] = RECORDING_DURATION,
	    [RUN_SIGNAL] = RECORDING_QUIT,
	    [RUN_DEADLOCK] = RECORDING_DEADLOCK,
	    [RUN_TIME_OVER] = RECORDING_DURATION,
	    [RUN_UNWRITABLE] = RECORDING_QUIT,
	    [RUN_UNPLAYABLE] = RECORDING_QUIT,
	};

	if (b->recording != NULL)
		recording_end(b->recording, ends[end]);
}

static void
tell_time_over(const struct batch *b)
{
	const struct sim *sim = b->run.sim;
	struct text words = {0};

	sim_explain_time_over(sim, &words);
	output_textf(stderr, "gpuwl-top: %s\n", text_str(&words));
	text_free(&words);
}

static void
tell_trouble(const struct batch *b, enum run_end end)
{
	const struct sim *sim = b->run.sim;
	struct text text = {0};

	if (sim->n_hangs > MAX_TOLD)
		fprintf(stderr, "gpuwl-top: %" PRIu64 " hangs in all\n",
		    sim->n_hangs);
	if (sim->n_timed_out > MAX_TOLD)
		fprintf(stderr, "gpuwl-top: %" PRIu64 " cancelled in all\n",
		    sim->n_timed_out);
	if (end == RUN_TIME_OVER)
		tell_time_over(b);
	if (end != RUN_DEADLOCK)
		return;
	fprintf(
	    stderr, "gpuwl-top: deadlock at %.6f s:\n", (double)sim->now / 1e9);
	sim_explain_deadlock(sim, &text);
	output_text(stderr, text_str(&text));
	text_free(&text);
}

/* False, and a line, if a report could not be written. */
static bool
tell_results(struct batch *b, enum run_end end)
{
	struct result result;
	bool ok = true;
	int error = b->log != NULL ? request_log_finish(b->log) : 0;

	b->log = NULL;
	if (error != 0)
		ok = batch_can_not(b->o->requests, error);
	ok &= batch_outputs_end(&b->outputs);
	result_init(&result, b->plan, b->run.sim, &b->hangs, end);
	if (b->o->verbose > 1) {
		report_engines(&result, stderr);
		report_times(&result, stderr);
	}
	if (b->lines != NULL)
		report_text(&result, b->o->verbose, b->lines);
	errno = 0;
	/* Standard output is looked at later, once for all. */
	if (b->json != NULL && !report_json(&result, b->json, &b->json_begun) &&
	    b->json != stdout)
		ok = batch_can_not(b->o->json, errno != 0 ? errno : EIO);
	if (b->errors != NULL && error_files_problem(b->errors) != NULL) {
		output_textf(
		    stderr, "gpuwl-top: %s\n", error_files_problem(b->errors));
		ok = false;
	}
	return ok;
}

/* All has been told before: this may take its time. False, and a line, if the
 * server is not known to have all that was sent. Of two signals the second
 * ends all. */
static bool
disconnect(struct batch *b, enum run_end end)
{
	if (output_close(0) != 0)
		return false;
	return batch_outputs_finish(
	    &b->outputs, end == RUN_SIGNAL ? HURRY_MS : INT_MAX);
}

static void
tell_beginning(const struct batch *b)
{
	const struct sim *sim = b->run.sim;
	const struct replay *replay = b->replay;

	if (replay != NULL && replay->is_unfinished && b->o->verbose >= 0)
		output_textf(stderr,
		    "gpuwl-top: %s: no line tells of its end: it was cut off "
		    "after line %zu\n",
		    replay->path, replay->n_lines);
	if (b->o->device != NULL && b->o->verbose >= 0)
		fputs("gpuwl-top: -D: this version has no hardware backend; "
		      "the model runs\n",
		    stderr);
	if (b->o->verbose > 1)
		output_textf(stderr,
		    "profile %s, scheduler %s, seed %" PRIu32 ", %zu %s\n",
		    sim->config.profile.name, sim->config.sched->name,
		    sim->config.seed, sim->n_clients,
		    sim->n_clients == 1 ? "client" : "clients");
}

static int
run_launched(struct batch *b)
{
	const struct sim *sim = b->run.sim;
	enum run_end end;
	int status = 0;
	bool ok;

	tell_beginning(b);
	observe(b);
	b->run.sim->poll = wish;
	b->run.sim->poll_data = b;
	progress_begin(&b->progress, b->o, sim);
	if (b->replay != NULL)
		progress_until(&b->progress, replay_duration(b->replay));
	end = simulate(b);
	record_end(b, end);
	progress_erase(&b->progress);
	tell_trouble(b, end);
	ok = tell_results(b, end);
	ok &= disconnect(b, end);
	if (!ok || end == RUN_DEADLOCK || end == RUN_TIME_OVER ||
	    sim->n_hangs > 0 || sim->n_timed_out > 0)
		status = EXIT_STATUS_FAILED;
	else if (end == RUN_UNPLAYABLE)
		status = EXIT_STATUS_INPUT;
	sim_remove_observer(b->run.sim, &b->observer);
	if (b->errors != NULL)
		error_files_leave(b->errors);
	free(b->missed);
	return end == RUN_SIGNAL ? EXIT_STATUS_SIGNAL + caught : status;
}

/* Compiling, and the first of very many clients, may take long. */
static bool
launch(struct batch *b, struct plan *plan, struct text *err)
{
	bool ok;

	ends_at_once = true;
	ok = caught == 0 && plan_launch(plan, &b->run, err);
	ends_at_once = false;
	return ok;
}

/*
 * There is no memory to tell results with. The outputs are whole up to here:
 * what a row or an event is begun with is not in their buffers yet.
 */
static void
close_exhausted(void *data)
{
	struct batch *b = data;

	mem_tell_exhausted();
	if (b->log != NULL)
		request_log_flush(b->log);
	outputs_flush(&b->outputs.outputs);
	if (b->json != NULL && !b->json_begun)
		fputs("{\"out_of_memory\": true}\n", b->json);
}

/* After a signal the user does not wait for the memory of many clients to be
 * given back piece by piece: the system takes it when the program ends. */
static void
drop_run(struct run *run, int status)
{
	static struct run abandoned __attribute__((used));

	if (status <= EXIT_STATUS_SIGNAL) {
		run_free(run);
		return;
	}
	abandoned = *run;
	*run = (struct run){0};
	(void)abandoned; /* known to the end, so it is no leak */
}

int
batch_run(const struct options *o, struct plan *plan, struct replay *replay)
{
	struct batch b = {
	    .o = o, .plan = plan, .requests = -1, .replay = replay};
	struct text err = {0};
	int status;

	b.files = (struct batch_files){.uses = &b.uses, .stop = &caught};
	catch_signals();
	mem_on_exhausted(close_exhausted, &b);
	if (!open_outputs(&b)) {
		status = caught != 0 ? EXIT_STATUS_SIGNAL + caught
				     : EXIT_STATUS_OPTIONS;
	} else if (launch(&b, plan, &err)) {
		if (b.recording != NULL)
			recording_launch(
			    b.recording, plan, &b.run, o->duration);
		status = run_launched(&b);
	} else if (caught != 0) {
		status = EXIT_STATUS_SIGNAL + caught;
	} else {
		output_text(stderr, text_str(&err));
		status = EXIT_STATUS_INPUT;
	}
	text_free(&err);
	error_files_free(b.errors);
	hang_log_free(&b.hangs);
	mem_on_exhausted(NULL, NULL);
	drop_run(&b.run, status);
	file_uses_free(&b.uses);
	if (!close_outputs(&b) && status == 0)
		status = EXIT_STATUS_FAILED;
	return status > EXIT_STATUS_SIGNAL ? status : output_close(status);
}
