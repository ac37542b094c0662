/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --compare-device: runs workloads on a GPU and then on the model, with the same
 * seed, and prints the figures of both side by side.
 */
#include "cli/modes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/decide_outputs.h"
#include "engine/explain/trail.h"
#include "engine/sim.h"
#include "report/page.h"
#include "report/report.h"
#include "run/digest/digest.h"
#include "run/options.h"
#include "run/plan.h"

/* Differences above it are marked, percent. */
#define MARKED 2.0
/* Times that differ by less are not: what the loop of a run adds. */
#define LATE_US 5.0
/* Clients with lines of their own. */
#define MAX_SHOWN 8

enum compared_side { ON_GPU, ON_MODEL, N_SIDES };

struct comparison {
	struct plan plan[N_SIDES];
	struct run run[N_SIDES];
	struct result result[N_SIDES];
	struct digest *digest[N_SIDES]; /* for a page; NULL: none */
	struct trail *trail[N_SIDES];
	struct compared_figure *figures;
	size_t n, cap;
	unsigned n_apart; /* figures that differ */
	bool has_page;
};

/* Opens both plans. False, after lines: they can't run; *status is the
 * program's. */
static bool
open_both(struct comparison *c, const struct options *o, int *status)
{
	struct options gpu = *o, model;
	struct text err = {0};
	bool ok;

	gpu.mode = MODE_BATCH;
	model = gpu;
	model.device = NULL;
	ok = plan_open(&c->plan[ON_GPU], &gpu, status, &err);
	if (ok) {
		text_clear(&err);
		ok = plan_open(&c->plan[ON_MODEL], &model, status, &err);
		/* One thread submits for all clients on the GPU, and sleeps
		 * until times, not for times. */
		c->plan[ON_MODEL].profile.cpus = 1;
		c->plan[ON_MODEL].profile.timer_slack_ns = 0;
	}
	output_text(stderr, text_str(&err));
	text_free(&err);
	return ok;
}

static enum run_end
end_of_side(const struct sim *sim)
{
	return sim->state == SIM_DONE    ? RUN_DONE
	    : sim->state == SIM_DEADLOCK ? RUN_DEADLOCK
					 : RUN_DURATION;
}

/* Runs on the GPU. False, after a line: its driver has refused something. */
static bool
run_gpu_side(struct run *run, nsec end)
{
	struct sim *sim = run->sim;
	nsec now = 0;

	while (sim->state == SIM_RUNNING && now < end) {
		run_wait_for_gpu(run, now, end);
		now = run_look_at_gpu(run);
		sim_run(sim, nsec_earlier(now, end), 0);
		if (*run_gpu_failure(run) == '\0')
			continue;
		output_textf(stderr, "gpuwl-top: %s\n", run_gpu_failure(run));
		return false;
	}
	return true;
}

/* Launches and runs one side. False, after lines: it did not run. */
static bool
run_side(struct comparison *c, enum compared_side side, nsec end)
{
	struct run *run = &c->run[side];
	struct text err = {0};
	bool ok = plan_launch(&c->plan[side], run, &err);

	output_text(stderr, text_str(&err));
	text_free(&err);
	if (!ok)
		return false;
	if (c->has_page) {
		c->digest[side] = digest_begin(run);
		c->trail[side] = trail_begin(run->sim, TRAIL_DEFAULT_SIZE);
		digest_follow(c->digest[side], c->trail[side]);
	}
	sim_run(run->sim, side == ON_GPU ? 0 : end, 0);
	ok = side == ON_MODEL || run_gpu_side(run, end);
	result_init(&c->result[side], &c->plan[side], run->sim, NULL,
	    end_of_side(run->sim));
	return ok;
}

/* Prints a figure of both sides; it is marked if they differ by more than least,
 * too. */
static void
print_figure(struct comparison *c, const char *name,
    const double value[N_SIDES], double least)
{
	double gpu = value[ON_GPU], model = value[ON_MODEL];
	double apart = gpu != 0 ? 100 * (model - gpu) / gpu : 0;
	bool marked = fabs(model - gpu) > fmax(least, gpu * MARKED / 100);

	c->figures = mem_grow(c->figures, c->n, &c->cap, sizeof *c->figures);
	c->figures[c->n] = (struct compared_figure){
	    .value = {gpu, model}, .marked = marked};
	snprintf(
	    c->figures[c->n].name, sizeof c->figures[c->n].name, "%s", name);
	c->n++;
	c->n_apart += marked;
	printf("%-28s %14.3f %14.3f", name, gpu, model);
	if (gpu != 0 || model == 0)
		printf(" %+9.1f%%%s\n", apart, marked ? " *" : "");
	else
		printf(" %10s%s\n", "", marked ? " *" : "");
}

static double
share_of(nsec part, nsec whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static void
compare_run(struct comparison *c)
{
	double value[3][N_SIDES];

	for (int side = 0; side < N_SIDES; side++) {
		const struct result *r = &c->result[side];

		value[0][side] = (double)r->sim->n_iterations;
		value[1][side] = (double)r->elapsed_ns / 1e6;
		value[2][side] = r->rate;
	}
	print_figure(c, "iterations", value[0], 0);
	print_figure(c, "elapsed, ms", value[1], LATE_US / 1000);
	print_figure(c, "workloads/s", value[2], 0);
}

static void
compare_engine(struct comparison *c, unsigned i)
{
	static const char *const names[] = {
	    "busy, %", "batches", "switches", "preemptions"};
	double value[4][N_SIDES];
	char name[64];
	const char *engine = "";

	for (int side = 0; side < N_SIDES; side++) {
		const struct sim *sim = c->run[side].sim;
		const struct hw_engine *e = &sim->device.engines[i];
		struct engine_times times = hw_engine_times(e, sim->now);

		engine = e->name;
		value[0][side] = share_of(times.ns[USE_RUNNING], sim->now);
		value[1][side] = (double)e->batches;
		value[2][side] = (double)e->switches;
		value[3][side] = (double)e->preemptions;
	}
	if (value[1][ON_GPU] + value[1][ON_MODEL] == 0)
		return;
	for (unsigned n = 0; n < 4; n++) {
		snprintf(name, sizeof name, "%s %s", engine, names[n]);
		print_figure(c, name, value[n], 0.1);
	}
}

static void
compare_times(struct comparison *c, const char *client,
    const struct histogram times[N_SIDES])
{
	static const struct {
		const char *name;
		enum measure measure;
		unsigned per_mille; /* 0: the mean */
	} rows[] = {
	    {"latency mean, us", LATENCY, 0},
	    {"latency p99, us", LATENCY, 990},
	    {"queue wait mean, us", QUEUE_WAIT, 0},
	};
	char name[64];

	for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
		double value[N_SIDES];

		for (int side = 0; side < N_SIDES; side++) {
			const struct histogram *h = &times[side];

			value[side] =
			    (double)(rows[n].per_mille == 0
				    ? histogram_mean(h, rows[n].measure)
				    : histogram_percentile(h, rows[n].measure,
					  rows[n].per_mille)) /
			    1000;
		}
		snprintf(name, sizeof name, "%s %s", client, rows[n].name);
		/* Percentiles are wrong by up to a part in 32, on both. */
		print_figure(c, name, value,
		    rows[n].per_mille == 0 ? LATE_US
					   : fmax(LATE_US, value[ON_GPU] / 16));
	}
}

static void
compare_client(struct comparison *c, size_t i)
{
	struct histogram times[N_SIDES] = {{0}, {0}};
	double done[N_SIDES];
	char name[32];

	for (int side = 0; side < N_SIDES; side++) {
		const struct client *client = c->run[side].sim->clients[i];

		client_add_times(client, &times[side]);
		done[side] = (double)client->completed;
	}
	snprintf(name, sizeof name, "client %zu", i);
	compare_times(c, name, times);
	snprintf(name, sizeof name, "client %zu iterations", i);
	print_figure(c, name, done, 0);
	for (int side = 0; side < N_SIDES; side++)
		histogram_free(&times[side]);
}

static void
print_comparison(struct comparison *c)
{
	const struct sim *model = c->run[ON_MODEL].sim;
	size_t n = c->run[ON_GPU].sim->n_clients;

	output_textf(stdout, "%-28s %14s %14s %10s\n", "",
	    plan_gpu_name(&c->plan[ON_GPU]), model->config.profile.name,
	    "model is");
	compare_run(c);
	for (unsigned i = 0; i < model->device.n_engines; i++)
		compare_engine(c, i);
	for (size_t i = 0; i < n && i < MAX_SHOWN; i++)
		compare_client(c, i);
	if (n > MAX_SHOWN)
		printf("%zu more clients\n", n - MAX_SHOWN);
	printf("%u of %zu figures differ by more than %.0f %% (*)\n",
	    c->n_apart, c->n, MARKED);
}

/* Returns true if the profile has the engines of the GPU; else prints how they
 * differ. */
static bool
are_engines_the_same(const struct comparison *c)
{
	const struct profile *gpu = &c->plan[ON_GPU].profile;
	const struct profile *model = &c->plan[ON_MODEL].profile;

	for (unsigned class = 0; class < N_CLASSES; class ++) {
		if (gpu->n_engines[class] == model->n_engines[class])
			continue;
		output_textf(stderr,
		    "gpuwl-top: profile %s has %u %s, the GPU has %u: expected a "
		    "profile of that GPU, e.g. one that --calibrate has "
		    "written\n",
		    model->name, model->n_engines[class],
		    engine_class_names[class], gpu->n_engines[class]);
		return false;
	}
	return true;
}

/* Adds the page of --report. */
static void
add_comparison_page(
    struct comparison *c, const struct options *o, struct text *out)
{
	struct compared_page page = {
	    .names = {plan_gpu_name(&c->plan[ON_GPU]),
		c->plan[ON_MODEL].profile.name},
	    .figures = c->figures,
	    .n = c->n,
	    .n_apart = c->n_apart,
	    .percent = MARKED,
	    .command = o->command,
	};

	for (int side = 0; side < N_SIDES; side++) {
		digest_settle(c->digest[side]);
		page.sides[side] = (struct run_page){
		    .result = &c->result[side], .digest = c->digest[side]};
	}
	page_of_comparison(&page, out);
}

/* Runs both sides, and prints how they differ. Returns the exit status. */
static int
compare_sides(struct comparison *c, const struct options *o)
{
	struct decision_outputs outputs;
	struct text html = {0};
	int status = EXIT_STATUS_FAILED;

	if (!decision_outputs_open(&outputs, o, &c->plan[ON_MODEL]))
		return EXIT_STATUS_OPTIONS;
	c->has_page = outputs.page >= 0;
	if (run_side(c, ON_GPU, o->duration) &&
	    run_side(c, ON_MODEL, o->duration)) {
		print_comparison(c);
		if (c->has_page)
			add_comparison_page(c, o, &html);
		status = EXIT_STATUS_OK;
	}
	if (!decision_outputs_close(&outputs, html.len > 0 ? &html : NULL))
		status = EXIT_STATUS_FAILED;
	return status;
}

int
compare_run_device(const struct options *o)
{
	struct comparison c = {.n = 0};
	int status = EXIT_STATUS_INPUT;

	if (!open_both(&c, o, &status)) {
	} else if (!are_engines_the_same(&c)) {
		status = EXIT_STATUS_OPTIONS;
	} else {
		status = compare_sides(&c, o);
	}
	free(c.figures);
	for (int side = 0; side < N_SIDES; side++) {
		digest_end(c.digest[side]);
		trail_end(c.trail[side]);
		run_free(&c.run[side]);
		plan_close(&c.plan[side]);
	}
	return output_close(status);
}
