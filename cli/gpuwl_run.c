/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpuwl-run: a program on a virtual i915 of its own. The model is its GPU, in
 * real time; when the program has ended, a line per process says what it did,
 * and the reports are written.
 */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "cli/batch.h"
#include "cli/modes.h"
#include "device/model/virtual.h"
#include "device/serve/program.h"
#include "device/service/service.h"
#include "engine/sim.h"
#include "run/options.h"
#include "run/plan.h"

#define REQUESTS_AT_A_TIME 256

struct program_run {
	const struct options *o;
	struct plan plan;
	struct run run;
	struct batch_outputs outputs;
	struct batch_news news;
	struct service *service;
	struct launched program;
	int status; /* of the program */
};

/* Signals that came for the program, to be passed on; a bit for each. */
static volatile sig_atomic_t passed_on;
/* The outputs ask whether a signal ends the run: never, the program does. */
static const volatile sig_atomic_t never_stopped;

static void
note_signal(int signal)
{
	passed_on |= 1 << signal;
}

/* The terminal sends INT and QUIT to the program too, whose end is waited
 * for. */
static void
take_signals(void)
{
	struct sigaction note = {.sa_handler = note_signal};

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGTERM, &note, NULL);
	sigaction(SIGHUP, &note, NULL);
}

static void
pass_signals(const struct program_run *r)
{
	static const int signals[] = {SIGTERM, SIGHUP};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		if ((passed_on & 1 << signals[i]) == 0)
			continue;
		passed_on &= ~(1 << signals[i]);
		launch_signal(&r->program, signals[i]);
	}
}

static void
print_problem(void *data, const char *line)
{
	const struct program_run *r = data;

	if (r->o->verbose >= 0)
		output_textf(stderr, "gpuwl-run: %s\n", line);
}

/* Waits until the device, the program or a signal has work. */
static void
wait_for_work(const struct program_run *r)
{
	struct pollfd fds[] = {
	    {.fd = service_fd(r->service), .events = POLLIN},
	    {.fd = r->program.pidfd, .events = POLLIN},
	};
	nsec next = service_next(r->service);
	nsec now = clock_wall();
	struct timespec t = {0};

	if (next != NSEC_NEVER && next > now) {
		t.tv_sec = (time_t)((next - now) / NSEC_PER_SEC);
		t.tv_nsec = (long)((next - now) % NSEC_PER_SEC);
	}
	ppoll(fds, 2, next == NSEC_NEVER ? NULL : &t, NULL);
}

static void
serve_program(struct program_run *r)
{
	while (!launch_ended(&r->program, &r->status)) {
		wait_for_work(r);
		pass_signals(r);
		service_work(r->service, REQUESTS_AT_A_TIME);
	}
	/* Its descriptors were closed with it. */
	service_settle(r->service);
}

/* Appends the percent of t that a client's batches have run on each engine it
 * used. */
static void
add_engine_shares(
    const struct sim *sim, const struct client *c, nsec t, struct text *out)
{
	nsec run[DEVICE_MAX_ENGINES] = {0};

	for (uint32_t i = 0; i < c->n_contexts; i++) {
		struct sim_times times;

		sim_context_times(sim, c->contexts[i], &times);
		for (unsigned e = 0; e < sim->device.n_engines; e++)
			run[e] += times.run_ns[e];
	}
	for (unsigned e = 0, n = 0; e < sim->device.n_engines; e++)
		if (run[e] > 0)
			text_addf(out, "%s %s %.1f %%", n++ == 0 ? ";" : ",",
			    sim->device.engines[e].name,
			    t > 0 ? 100.0 * (double)run[e] / (double)t : 0.0);
}

static uint64_t
hangs_of(const struct program_run *r, const struct client *c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->news.hangs.n; i++)
		n += r->news.hangs.list[i].client == c->id;
	return n;
}

static void
print_summary(const struct program_run *r)
{
	const struct sim *sim = r->run.sim;
	struct text out = {0};

	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		nsec t = client_elapsed(sim, c);
		uint64_t hangs = hangs_of(r, c);

		if (c->batches == 0)
			continue;
		text_addf(&out,
		    "%s (pid %" PRId64 "): %" PRIu64 " batch%s in %.3f s",
		    c->name, c->pid, c->batches, c->batches == 1 ? "" : "es",
		    (double)t / 1e9);
		add_engine_shares(sim, c, t, &out);
		text_addf(&out, "; %" PRIu64 " hang%s\n", hangs,
		    hangs == 1 ? "" : "s");
	}
	output_text(stderr, text_str(&out));
	text_free(&out);
}

static bool
report_program(struct program_run *r)
{
	struct result result;
	bool ok = batch_outputs_finish(&r->outputs, RUN_DONE);

	result_init(&result, &r->plan, r->run.sim, &r->news.hangs, RUN_DONE);
	result.commands = virtual_counts(service_device(r->service));
	ok &= batch_outputs_report(&r->outputs, &result);
	if (r->o->verbose >= 0)
		print_summary(r);
	return ok;
}

/* Runs the program at path on a new device. Returns its status, or 125. */
static int
run_on_device(struct program_run *r, const char *path, struct text *err)
{
	const struct service_settings settings = {
	    .privileged = r->o->privileged,
	    .problem = print_problem,
	    .data = r,
	};
	struct launch how = {.path = path, .argv = r->o->program, .output = -1};
	int status = PROGRAM_RUN_FAILED;

	batch_news_begin(&r->news, r->o, &r->plan, &r->run);
	batch_outputs_begin(&r->outputs, &r->run);
	r->service = service_open(r->run.sim, &settings, err);
	if (r->service != NULL)
		batch_outputs_device(
		    &r->outputs, virtual_i915(service_device(r->service)));
	if (r->service != NULL &&
	    service_launch(r->service, &r->program, &how, err)) {
		serve_program(r);
		status = report_program(r) ? r->status : PROGRAM_RUN_FAILED;
	}
	service_close(r->service);
	batch_news_end(&r->news);
	batch_outputs_leave(&r->outputs);
	return status;
}

int
program_run(const struct options *o)
{
	struct program_run r = {
	    .o = o,
	    .outputs = {.o = o, .plan = &r.plan, .stop = &never_stopped},
	};
	struct text err = {0};
	char *path = NULL;
	int status = program_find(o->program[0], &path, &err), ignored;

	take_signals();
	r.outputs.progress = &r.news.progress;
	if (status == 0) {
		status = PROGRAM_RUN_FAILED;
		if (plan_open(&r.plan, o, &ignored, &err) &&
		    batch_outputs_open(&r.outputs) &&
		    plan_launch(&r.plan, &r.run, &err))
			status = run_on_device(&r, path, &err);
		run_free(&r.run);
		if (!batch_outputs_close(&r.outputs) && status == 0)
			status = PROGRAM_RUN_FAILED;
		plan_close(&r.plan);
	}
	if (err.len > 0)
		output_textf(stderr, "gpuwl-run: %s\n", text_str(&err));
	free(path);
	text_free(&err);
	return status;
}
