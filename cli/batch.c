/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch mode: opens the outputs, then runs the plan in slices, so that signals,
 * the progress line and the pace of --speed are served between them. Reports
 * are written however the run ended.
 */
#include "cli/batch.h"

#include <inttypes.h>
#include <limits.h>
#include <time.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/modes.h"
#include "device/hardware/busyness.h"
#include "engine/sim.h"
#include "run/options.h"
#include "run/plan.h"
#include "run/recording.h"

#define SLICE_EVENTS  50000 /* a few milliseconds */
#define MAX_SLEEP     (50 * NSEC_PER_MSEC)
#define INSTANT_LIMIT (30 * NSEC_PER_MSEC)
#define HURRY_MS      1000 /* for the layer's server, after a signal */

struct batch {
	const struct options *o;
	const struct plan *plan;
	struct run run;
	struct replay *replay; /* --replay; NULL: none */
	struct batch_outputs outputs;
	struct batch_news news;
	bool held;      /* the simulation was, by a signal */
	nsec caught_at; /* wall clock, when a signal was first seen; 0 */
};

/* Number of the signal that asked the run to end; 0: none. */
static volatile sig_atomic_t caught;
/* True while no results exist: a signal ends the program at once. */
static volatile sig_atomic_t ends_at_once;

/* Signals that come together are one: timeout(1) sends its own to the program, and
 * then to the group of it. */
#define TOGETHER_NS (100 * NSEC_PER_MSEC)

static void
on_signal(int number)
{
	static nsec first;
	nsec now = clock_wall();

	if (ends_at_once || (caught != 0 && now - first > TOGETHER_NS)) {
		signal(number, SIG_DFL);
		raise(number); /* once this has returned */
	}
	if (caught != 0)
		return;
	caught = number;
	first = now;
}

/* The first signal ends the run, a second one the program. */
static void
catch_signals(void)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	struct sigaction old;
	struct sigaction stop = {.sa_handler = on_signal};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &stop, NULL);
	}
	/* Writing to a closed pipe fails with EPIPE. */
	signal(SIGPIPE, SIG_IGN);
}

/* Returns the virtual time that the wall clock allows. */
static nsec
allowed_time(const struct batch *b)
{
	double wall = (double)(clock_wall() - b->news.progress.begun);

	if (b->o->speed == 0 || wall * b->o->speed >= 1e18)
		return b->o->duration;
	return nsec_earlier((nsec)(wall * b->o->speed), b->o->duration);
}

/* Sleeps until the next event is due, MAX_SLEEP at most. */
static void
wait_for_wall(const struct batch *b)
{
	nsec end = nsec_earlier(sim_next_event(b->run.sim), b->o->duration);
	double due = (double)end / b->o->speed -
	    (double)(clock_wall() - b->news.progress.begun);
	struct timespec t = {0};

	if (due <= 0)
		return;
	t.tv_nsec = due < MAX_SLEEP ? (long)due + 1 : (long)MAX_SLEEP;
	nanosleep(&t, NULL);
}

/* After a signal lets the current instant finish, for INSTANT_LIMIT, so that
 * the run ends as if it had been paused. */
static enum sim_poll
batch_poll(void *data)
{
	struct batch *b = data;

	if (caught == 0)
		return SIM_GO_ON;
	if (b->caught_at == 0)
		b->caught_at = clock_wall();
	return clock_wall() - b->caught_at < INSTANT_LIMIT ? SIM_PAUSE
							   : SIM_STOP;
}

/* A replay may go on after all clients have ended. */
static bool
run_is_over(const struct batch *b)
{
	if (b->replay != NULL && b->run.sim->state != SIM_STOPPED)
		return b->replay->is_over;
	return b->run.sim->state != SIM_RUNNING;
}

/* Runs until that time, SLICE_EVENTS at most. False, after a line: the
 * recording is of another run. */
static bool
run_slice(struct batch *b, nsec until)
{
	struct text err = {0};
	bool ok;

	if (b->replay == NULL) {
		b->held = sim_go(b->run.sim, until, SLICE_EVENTS) == SIM_HELD;
		return true;
	}
	ok = replay_run(b->replay, &b->run, until, SLICE_EVENTS, &err);
	if (!ok) {
		progress_erase(&b->news.progress);
		output_textf(stderr, "%s\n", text_str(&err));
	}
	text_free(&err);
	return ok;
}

static enum run_end
end_of_run(const struct sim *sim)
{
	switch (sim->state) {
	case SIM_DONE: return RUN_DONE;
	case SIM_DEADLOCK: return RUN_DEADLOCK;
	/* Without a signal by a GPU, or its recording. */
	case SIM_STOPPED: return caught != 0 ? RUN_SIGNAL : RUN_REFUSED;
	case SIM_TIME_OVER: return RUN_TIME_OVER;
	default: return RUN_DURATION; /* where the recording ended */
	}
}

static enum run_end
run_batch_to_end(struct batch *b)
{
	struct sim *sim = b->run.sim;

	while (!run_is_over(b)) {
		nsec until = allowed_time(b);

		if (caught != 0 || b->held)
			return RUN_SIGNAL;
		if (batch_outputs_failed(&b->outputs))
			return RUN_UNWRITABLE;
		if (!run_slice(b, until))
			return RUN_UNPLAYABLE;
		progress_update(&b->news.progress, sim);
		batch_outputs_work(&b->outputs);
		if (run_is_over(b) || sim->now < until)
			continue;
		if (until == b->o->duration)
			return RUN_DURATION;
		wait_for_wall(b);
	}
	return end_of_run(sim);
}

/* On a GPU, whose time is the wall clock's. */
static enum run_end
run_gpu_to_end(struct batch *b)
{
	struct sim *sim = b->run.sim;
	nsec now = 0, end = b->o->duration;

	while (sim->state == SIM_RUNNING) {
		if (caught != 0 || b->held)
			return RUN_SIGNAL;
		if (batch_outputs_failed(&b->outputs))
			return RUN_UNWRITABLE;
		b->held = sim_go(sim, nsec_earlier(now, end), 0) == SIM_HELD;
		if (*run_gpu_failure(&b->run) != '\0')
			return RUN_REFUSED;
		progress_update(&b->news.progress, sim);
		batch_outputs_work(&b->outputs);
		if (sim->state != SIM_RUNNING)
			break;
		if (now >= end)
			return RUN_DURATION;
		run_wait_for_gpu(&b->run, now, end);
		now = run_look_at_gpu(&b->run);
		if (*run_gpu_failure(&b->run) != '\0')
			return RUN_REFUSED;
	}
	return end_of_run(sim);
}

/* No batch runs on while the results are written. */
static enum run_end
run_on_gpu(struct batch *b)
{
	enum run_end end = run_gpu_to_end(b);

	if (b->run.busyness != NULL)
		busyness_look_whole(b->run.busyness, b->run.sim->now);
	run_finish_gpu(&b->run);
	return end;
}

static void
print_beginning(const struct batch *b)
{
	const struct sim *sim = b->run.sim;
	const struct replay *replay = b->replay;

	if (replay != NULL && replay->is_unfinished && b->o->verbose >= 0)
		output_textf(stderr,
		    "gpuwl-top: %s: the recording has no end: it was cut off "
		    "after line %zu\n",
		    replay->path, replay->n_lines);
	if (b->o->verbose > 0 && plan_is_of_gpu(b->plan))
		output_textf(stderr, "GPU %s, seed %" PRIu32 ", %zu %s\n",
		    sim->config.profile.description, sim->config.seed,
		    sim->n_clients, sim->n_clients == 1 ? "client" : "clients");
	else if (b->o->verbose > 0)
		output_textf(stderr,
		    "profile %s, scheduler %s, seed %" PRIu32 ", %zu %s\n",
		    sim->config.profile.name, sim->config.sched->name,
		    sim->config.seed, sim->n_clients,
		    sim->n_clients == 1 ? "client" : "clients");
}

/* Prints the reason of a run that ended with EXIT_STATUS_FAILED. */
static void
print_trouble(const struct sim *sim, enum run_end end)
{
	struct text why = {0};

	if (sim->n_hangs > BATCH_MAX_LINES)
		fprintf(stderr, "gpuwl-top: %" PRIu64 " hangs in all\n",
		    sim->n_hangs);
	if (sim->n_timed_out > BATCH_MAX_LINES)
		fprintf(stderr, "gpuwl-top: %" PRIu64 " cancelled in all\n",
		    sim->n_timed_out);
	if (end == RUN_TIME_OVER) {
		sim_explain_time_over(sim, &why);
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&why));
	} else if (end == RUN_DEADLOCK) {
		fprintf(stderr, "gpuwl-top: deadlock at %.6f s:\n",
		    (double)sim->now / 1e9);
		sim_explain_deadlock(sim, &why);
		output_text(stderr, text_str(&why));
	}
	text_free(&why);
}

/* Completes the outputs and writes the reports. Waits for the layer's server
 * last; a second signal ends the program meanwhile. */
static bool
report_all(struct batch *b, enum run_end end)
{
	struct result result;
	bool ok = batch_outputs_finish(&b->outputs, end);

	result_init(&result, b->plan, b->run.sim, &b->news.hangs, end);
	result.busyness = b->run.busyness;
	ok &= batch_outputs_report(&b->outputs, &result);
	return output_close(EXIT_STATUS_OK) == EXIT_STATUS_OK &&
	    batch_outputs_disconnect(
		&b->outputs, end == RUN_SIGNAL ? HURRY_MS : INT_MAX) &&
	    ok;
}

static int
run_launched(struct batch *b)
{
	struct sim *sim = b->run.sim;
	int status = EXIT_STATUS_OK;
	enum run_end end;
	bool ok;

	print_beginning(b);
	batch_news_begin(&b->news, b->o, b->plan, &b->run);
	batch_outputs_begin(&b->outputs, &b->run);
	sim->poll = batch_poll;
	sim->poll_data = b;
	progress_begin(&b->news.progress, b->o, sim);
	if (b->replay != NULL)
		progress_until(&b->news.progress, replay_duration(b->replay));
	end = b->run.record != NULL ? run_on_gpu(b) : run_batch_to_end(b);
	progress_erase(&b->news.progress);
	if (end == RUN_REFUSED)
		output_textf(stderr, "gpuwl-top: %s\n",
		    b->run.record != NULL ? run_gpu_failure(&b->run)
					  : "the GPU took no more batches");
	print_trouble(sim, end);
	ok = report_all(b, end);
	if (!ok || end == RUN_DEADLOCK || end == RUN_TIME_OVER ||
	    end == RUN_REFUSED || sim->n_hangs > 0 || sim->n_timed_out > 0)
		status = EXIT_STATUS_FAILED;
	else if (end == RUN_UNPLAYABLE)
		status = EXIT_STATUS_INPUT;
	batch_news_end(&b->news);
	batch_outputs_leave(&b->outputs);
	return end == RUN_SIGNAL ? EXIT_STATUS_SIGNAL + caught : status;
}

/* Launches the plan. A signal ends the program meanwhile: compiling, and making
 * very many clients, may take long. */
static bool
batch_launch(struct batch *b, struct plan *plan, struct text *err)
{
	bool ok;

	ends_at_once = true;
	plan->counts_busyness = b->o->json != NULL;
	ok = caught == 0 && plan_launch(plan, &b->run, err);
	ends_at_once = false;
	if (ok && b->outputs.recorder != NULL)
		recorder_launch(
		    b->outputs.recorder, plan, &b->run, b->o->duration);
	return ok;
}

/* Without memory no results can be made. The outputs are whole up to here: the
 * row or event that was begun is not in their buffers yet. */
static void
close_exhausted(void *data)
{
	mem_tell_exhausted();
	batch_outputs_rescue(data);
}

/* Frees the run. After a signal leaves that to the end of the process: the
 * memory of many clients would be freed piece by piece. */
static void
drop_run(struct run *run, int status)
{
	static struct run abandoned __attribute__((used));

	if (status <= EXIT_STATUS_SIGNAL || run->record != NULL) {
		run_free(run);
		return;
	}
	abandoned = *run;
	*run = (struct run){0};
	(void)abandoned; /* so that leak checkers still find it */
}

int
batch_run(const struct options *o, struct plan *plan, struct replay *replay)
{
	struct batch b = {
	    .o = o,
	    .plan = plan,
	    .replay = replay,
	    .outputs = {.o = o, .plan = plan, .stop = &caught},
	};
	struct text err = {0};
	int status;
	bool ok;

	b.outputs.progress = &b.news.progress;
	catch_signals();
	mem_on_exhausted(close_exhausted, &b.outputs);
	ok = batch_outputs_open(&b.outputs);
	if (ok && batch_launch(&b, plan, &err)) {
		status = run_launched(&b);
	} else if (caught != 0) {
		status = EXIT_STATUS_SIGNAL + caught;
	} else {
		output_text(stderr, text_str(&err));
		status = ok ? EXIT_STATUS_INPUT : EXIT_STATUS_OPTIONS;
	}
	text_free(&err);
	mem_on_exhausted(NULL, NULL);
	drop_run(&b.run, status);
	if (!batch_outputs_close(&b.outputs) && status == EXIT_STATUS_OK)
		status = EXIT_STATUS_FAILED;
	return status > EXIT_STATUS_SIGNAL ? status : output_close(status);
}
