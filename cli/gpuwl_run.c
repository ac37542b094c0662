/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs on a virtual i915 of this process: gpuwl-run with a device of its
 * own, and batch mode with --serve, where descriptors run beside them. The model
 * is their GPU, in real time; in the end a line per process says what it did,
 * and the reports are written.
 */
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/output.h"
#include "base/text.h"
#include "cli/batch.h"
#include "cli/modes.h"
#include "device/i915/i915.h"
#include "device/model/virtual.h"
#include "device/serve/join.h"
#include "device/serve/program.h"
#include "device/service/service.h"
#include "device/service/summary.h"
#include "engine/backend.h"
#include "engine/sim.h"
#include "run/options.h"
#include "run/plan.h"

#define REQUESTS_AT_A_TIME 256
/* The longest sleep while a server of the layer stream is written to. */
#define LAYER_SLEEP (50 * NSEC_PER_MSEC)
/* The simulation's turn between two looks at sockets and signals. */
#define TURN_NS (50 * NSEC_PER_MSEC)

struct program_run {
	const struct options *o;
	const char *who; /* the program's name, for lines */
	struct plan plan;
	struct run run;
	struct batch_outputs outputs;
	struct batch_news news;
	struct service *service;
	struct launched program; /* pid 0: none, or it has ended */
	nsec end;                /* wall clock, of --duration; NSEC_NEVER */
	nsec turn_end;           /* wall clock, of the simulation's turn */
	bool failed;             /* an output did */
	int status;              /* of the program; without one 0 */
};

/* Signals that came, a bit for each. */
static volatile sig_atomic_t noted;
/* The outputs ask whether a signal ends the run: never, the program does. */
static const volatile sig_atomic_t never_stopped;

static void
note_signal(int signal)
{
	noted |= 1 << signal;
}

/* Notes signals while the loop waits, in which they are unblocked. The terminal
 * sends INT and QUIT to a program too, whose end is waited for. Without one INT
 * ends the run even where a shell ignored it for what runs in the background. */
static void
take_signals(bool has_program, sigset_t *unblocked)
{
	static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
	struct sigaction note = {.sa_handler = note_signal}, old;
	sigset_t mask;

	sigemptyset(&mask);
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		sigaction(signals[i], NULL, &old);
		if (has_program &&
		    (signals[i] == SIGINT || signals[i] == SIGQUIT))
			signal(signals[i], SIG_IGN);
		else if (signals[i] == SIGTERM || signals[i] == SIGINT ||
		    has_program || old.sa_handler != SIG_IGN)
			sigaction(signals[i], &note, NULL);
		sigaddset(&mask, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &mask, unblocked);
}

/* Passes signals on to the program. */
static void
pass_signals(const struct program_run *r)
{
	static const int signals[] = {SIGTERM, SIGHUP};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if ((noted & 1 << signals[i]) != 0)
			launch_signal(&r->program, signals[i]);
	noted = 0;
}

static void
print_problem(void *data, const char *line)
{
	const struct program_run *r = data;

	if (r->o->verbose >= 0)
		output_textf(stderr, "%s: %s\n", r->who, line);
}

/* Waits until the device, the program or a signal has work. */
static void
wait_for_work(const struct program_run *r, const sigset_t *unblocked)
{
	struct pollfd fds[] = {
	    {.fd = service_fd(r->service), .events = POLLIN},
	    {.fd = r->program.pidfd, .events = POLLIN},
	};
	nsec next = nsec_earlier(service_next(r->service), r->end);
	nsec now = clock_wall();
	struct timespec t = {0};

	if (r->o->layer_connect != NULL)
		next = nsec_earlier(next, now + LAYER_SLEEP);
	if (next != NSEC_NEVER && next > now) {
		t.tv_sec = (time_t)((next - now) / NSEC_PER_SEC);
		t.tv_nsec = (long)((next - now) % NSEC_PER_SEC);
	}
	ppoll(fds, r->program.pid != 0 ? 2 : 1, next == NSEC_NEVER ? NULL : &t,
	    unblocked);
}

/* True when the program has ended, or what ends a run without one has come. */
static bool
serving_is_over(struct program_run *r)
{
	if (r->o->program != NULL)
		return launch_ended(&r->program, &r->status);
	return noted != 0 || r->failed || clock_wall() >= r->end;
}

/* Virtual time: the same, without waiting for the time to pass. False: the
 * programs could not go on; they are killed. */
static bool
serve_in_turns(struct program_run *r, const sigset_t *unblocked)
{
	struct text why = {0};
	bool ok = true;

	sigprocmask(SIG_SETMASK, unblocked, NULL);
	for (;;) {
		enum service_turned turned = service_turn(r->service, &why);

		pass_signals(r);
		if (turned == TURN_GOES_ON)
			continue;
		if (launch_ended(&r->program, &r->status))
			break;
		if (turned == TURN_PAUSES || !ok)
			continue;
		output_textf(stderr, "gpuwl-run: virtual time stops: %s\n",
		    text_str(&why));
		service_kill(r->service);
		launch_signal(&r->program, SIGKILL);
		ok = false;
	}
	service_settle(r->service);
	text_free(&why);
	return ok;
}

/* A simulation that is slower than the clock loses time of the GPU, so that
 * programs and signals are served. */
static enum sim_poll
is_turn_over(void *data)
{
	const struct program_run *r = data;

	return clock_wall() > r->turn_end ? SIM_PAUSE : SIM_GO_ON;
}

static void
serve_programs(struct program_run *r, const sigset_t *unblocked)
{
	r->run.sim->poll = is_turn_over;
	r->run.sim->poll_data = r;
	while (!serving_is_over(r)) {
		wait_for_work(r, unblocked);
		r->turn_end = clock_wall() + TURN_NS;
		if (r->o->program != NULL)
			pass_signals(r);
		service_work(r->service, REQUESTS_AT_A_TIME);
		batch_outputs_work(&r->outputs);
		r->failed = batch_outputs_failed(&r->outputs);
	}
	/* The program's descriptors were closed with it. */
	r->run.sim->poll = NULL;
	service_settle(r->service);
}

static void
print_summary(const struct program_run *r)
{
	const struct sim *sim = r->run.sim;
	struct text out = {0};

	summary_add_past(sim, &out);
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		uint64_t hangs = 0;

		for (size_t h = 0; h < r->news.hangs.n; h++)
			hangs += r->news.hangs.list[h].client == c->id;
		if (c->walker == NULL)
			summary_add(sim, c, hangs, &out);
	}
	output_text(stderr, text_str(&out));
	text_free(&out);
}

static bool
report_programs(struct program_run *r)
{
	/* Descriptors end with the programs, wherever they are. */
	enum run_end end = r->plan.n_sources > 0 ? RUN_DURATION : RUN_DONE;
	struct result result;
	bool ok = batch_outputs_finish(&r->outputs, end);

	result_init(&result, &r->plan, r->run.sim, &r->news.hangs, end);
	result.served = true;
	result.commands = virtual_counts(service_device(r->service));
	ok &= batch_outputs_report(&r->outputs, &result);
	if (r->o->verbose >= 0)
		print_summary(r);
	return batch_outputs_disconnect(&r->outputs, INT_MAX) && ok;
}

static void
watch_device(struct program_run *r, struct i915 *dev)
{
	batch_outputs_device(&r->outputs, dev);
	i915_set_no_display(dev, print_problem, r);
}

/* Serves a device, and starts the program at path on it; NULL: none. Returns the
 * program's status, or failed. */
static int
run_on_device(struct program_run *r, const char *path, int failed,
    const sigset_t *unblocked, struct text *err)
{
	const struct service_settings settings = {
	    .name = r->o->serve,
	    .privileged = r->o->privileged,
	    .in_turns = r->o->virtual_time,
	    .problem = print_problem,
	    .data = r,
	};
	struct launch how = {.path = path, .argv = r->o->program, .output = -1};
	int status = failed;

	batch_news_begin(&r->news, r->o, &r->plan, &r->run);
	batch_outputs_begin(&r->outputs, &r->run);
	r->service = service_open(r->run.sim, &settings, err);
	if (r->service != NULL)
		watch_device(r, virtual_i915(service_device(r->service)));
	if (r->o->speed != 1)
		backend_set_speed(r->run.sim, r->o->speed);
	r->end = nsec_after(clock_wall(), r->o->duration);
	if (r->service != NULL && r->o->serve != NULL)
		output_textf(stderr, "serving %s\n", service_path(r->service));
	if (r->service != NULL &&
	    (path == NULL ||
		service_launch(r->service, &r->program, &how, err))) {
		bool ok = true;

		if (r->o->virtual_time)
			ok = serve_in_turns(r, unblocked);
		else
			serve_programs(r, unblocked);
		ok &= report_programs(r);
		status = ok ? r->status : failed;
	}
	service_close(r->service);
	batch_news_end(&r->news);
	batch_outputs_leave(&r->outputs);
	return status;
}

/* Opens outputs, and runs. failed: the status if the run fails. */
static int
open_outputs_and_run(struct program_run *r, const char *path, int failed,
    const sigset_t *unblocked, struct text *err)
{
	int status;

	if (!batch_outputs_open(&r->outputs))
		status = r->o->is_run ? failed : EXIT_STATUS_OPTIONS;
	else if (!plan_launch(&r->plan, &r->run, err))
		status = r->o->is_run ? failed : EXIT_STATUS_INPUT;
	else
		status = run_on_device(r, path, failed, unblocked, err);
	run_free(&r->run);
	if (!batch_outputs_close(&r->outputs) && status == 0)
		status = failed;
	return status;
}

/* Opens the plan, and runs. failed: the status if the run fails. */
static int
open_and_run(struct program_run *r, const char *path, int failed,
    const sigset_t *unblocked, struct text *err)
{
	int wrong, status = failed;
	bool ok = plan_open(&r->plan, r->o, &wrong, err);

	/* Whole lines, warnings too. */
	output_text(stderr, text_str(err));
	text_clear(err);
	if (ok)
		status = open_outputs_and_run(r, path, failed, unblocked, err);
	else if (!r->o->is_run)
		status = wrong;
	plan_close(&r->plan);
	return status;
}

/* Runs on a device of this process. */
static int
run_here(const struct options *o)
{
	struct program_run r = {
	    .o = o,
	    .who = options_caller(o),
	    .outputs = {.o = o, .plan = &r.plan, .stop = &never_stopped},
	};
	int failed = o->is_run ? PROGRAM_RUN_FAILED : EXIT_STATUS_FAILED;
	struct text err = {0};
	sigset_t unblocked;
	char *path = NULL;
	int status = 0;

	if (o->program != NULL)
		status = program_find(o->program[0], &path, &err);
	take_signals(o->program != NULL, &unblocked);
	r.outputs.progress = &r.news.progress;
	if (status == 0)
		status = open_and_run(&r, path, failed, &unblocked, &err);
	if (err.len > 0)
		output_textf(stderr, "%s: %s\n", r.who, text_str(&err));
	free(path);
	text_free(&err);
	return o->is_run ? status : output_close(status);
}

int
program_run(const struct options *o)
{
	struct text device = {0}, err = {0};
	int status = PROGRAM_RUN_FAILED;

	if (!o->is_run || o->own_device) {
		status = run_here(o);
	} else if (!join_choose(o->connect, &device, &err)) {
		output_textf(stderr, "gpuwl-run: %s\n", text_str(&err));
	} else {
		status = device.len > 0 ? program_run_on(o, text_str(&device))
					: run_here(o);
	}
	text_free(&device);
	text_free(&err);
	return status;
}
