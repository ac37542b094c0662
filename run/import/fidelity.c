/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the comparison, and their verdicts. */
#include "run/import/fidelity.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* doc/model/import.md "Fidelity" has the sources. */
#define MOST_BUSY     2.0  /* points */
#define MOST_RATE     1.0  /* percent */
#define MOST_FRAME    2.0  /* percent, of the median */
#define MOST_MISSED   2.0  /* points */
#define MOST_TAIL     10.0 /* percent, of the 99th percentile */
#define MOST_WAIT     10.0 /* percent, of the median */
#define NEAR_US       50.0 /* times that differ by less are near */
#define LEAST_ORDER   95.0 /* percent of pairs */
#define LEAST_EXPLAIN 95.0 /* percent of requests */
#define SHOWN_BUSY    0.05 /* percent: engines that did less are left out */

/* A percent of ends, and starts, in another order counts as that many points of busyness: chance
 * does more where durations are drawn. */
#define WEIGHT_UNLIKE 0.001

static struct fidelity_row *
add_fidelity(struct fidelity *f, const char *what, const char *of)
{
	struct text name = {0};

	text_addf(&name, "%s.%s", what, of);
	f->rows = mem_grow(f->rows, f->n, &f->cap, sizeof(*f->rows));
	f->rows[f->n] = (struct fidelity_row){.what = name.data};
	return &f->rows[f->n++];
}

static void
judge_figure(struct fidelity *f, struct fidelity_row *r, bool ok, double weight)
{
	r->ok = ok;
	f->n_poor += !ok;
	f->badness += weight * fabs(r->difference);
}

static double
percent_apart(double trace, double model)
{
	return trace != 0 ? 100 * (model - trace) / trace
	    : model != 0  ? 100
			  : 0;
}

static void
compare_relative(struct fidelity *f, const char *what, const char *of,
    double trace, double model, double most, double near, double weight)
{
	struct fidelity_row *r = add_fidelity(f, what, of);

	r->trace = trace;
	r->model = model;
	r->has_model = true;
	r->difference = percent_apart(trace, model);
	judge_figure(f, r,
	    fabs(r->difference) <= most || fabs(model - trace) <= near, weight);
}

static void
print_engine_bit(unsigned engine, struct text *out)
{
	engine_name_print(out,
	    (struct engine_name){
		.class = (uint8_t)(engine / INFER_MAX_INSTANCES),
		.gt = -1,
		.instance = (int32_t)(engine % INFER_MAX_INSTANCES) + 1});
}

/* True if engines of the class beside the first one did something. */
static bool
has_several(
    const struct side_figures *a, const struct side_figures *b, unsigned engine)
{
	unsigned first = engine - engine % INFER_MAX_INSTANCES;

	for (unsigned i = first + 1; i < first + INFER_MAX_INSTANCES; i++)
		if (a->batches[i] > 0 || b->batches[i] > 0)
			return true;
	return false;
}

static void
compare_busyness(struct fidelity *f, const struct side_figures *trace,
    const struct side_figures *model, unsigned engine)
{
	struct text name = {0};
	struct fidelity_row *r;

	if (trace->busy[engine] < SHOWN_BUSY &&
	    model->busy[engine] < SHOWN_BUSY)
		return;
	if (has_several(trace, model, engine))
		print_engine_bit(engine, &name);
	else
		text_adds(
		    &name, engine_class_names[engine / INFER_MAX_INSTANCES]);
	r = add_fidelity(f, "busy", text_str(&name));
	r->trace = trace->busy[engine];
	r->model = model->busy[engine];
	r->has_model = true;
	r->difference = r->model - r->trace;
	judge_figure(f, r, fabs(r->difference) <= MOST_BUSY, 1);
	compare_relative(f, "batches", text_str(&name), trace->batches[engine],
	    model->batches[engine], MOST_RATE, 0.5, 0);
	r = add_fidelity(f, "order", text_str(&name));
	r->trace = 100;
	r->model = side_same_order(trace, model, engine);
	r->has_model = true;
	r->difference = r->model - 100;
	judge_figure(f, r, r->model >= LEAST_ORDER, 0.02);
	text_free(&name);
}

static double
explained_percent(const struct infer_client *c)
{
	return c->n_requests > 0
	    ? 100 * (double)c->n_explained / (double)c->n_requests
	    : 100;
}

/* Iterations that took longer than the period, percent. */
static void
compare_missed(struct fidelity *f, const struct side_client *trace,
    const struct side_client *model, const char *name)
{
	struct fidelity_row *r = add_fidelity(f, "missed", name);

	r->trace = trace->missed;
	r->model = model->missed;
	r->has_model = true;
	r->difference = r->model - r->trace;
	judge_figure(f, r, fabs(r->difference) <= MOST_MISSED, 0.02);
}

static void
compare_descriptor(struct fidelity *f, const struct side_client *trace,
    const struct side_client *model, const struct infer_client *client,
    const char *name)
{
	double explained = explained_percent(client);
	struct fidelity_row *r;

	compare_relative(
	    f, "rate", name, trace->rate, model->rate, MOST_RATE, 0, 1);
	compare_relative(f, "frame_p50_us", name, trace->frame_p50_us,
	    model->frame_p50_us, MOST_FRAME, NEAR_US, 0.1);
	compare_relative(f, "frame_p99_us", name, trace->frame_p99_us,
	    model->frame_p99_us, MOST_TAIL, NEAR_US, 0.02);
	if (client->period_ns > 0)
		compare_missed(f, trace, model, name);
	compare_relative(f, "critical_p50_us", name, trace->critical_p50_us,
	    model->critical_p50_us, MOST_FRAME, NEAR_US, 0);
	compare_relative(f, "queue_wait_p50_us", name, trace->wait_p50_us,
	    model->wait_p50_us, MOST_WAIT,
	    fmax(NEAR_US, trace->frame_p50_us * MOST_FRAME / 100), 0);
	r = add_fidelity(f, "explained", name);
	r->trace = explained;
	judge_figure(f, r, explained >= LEAST_EXPLAIN, 0);
	f->badness += (100 - explained) * 0.1;
}

void
fidelity_compare(struct fidelity *f, const struct side_figures *trace,
    const struct side_figures *model, const struct infer_client *clients,
    const char *const *names)
{
	*f = (struct fidelity){0};
	for (unsigned e = 0; e < SIDE_ENGINES; e++)
		compare_busyness(f, trace, model, e);
	for (size_t i = 0; i < trace->n_clients; i++)
		compare_descriptor(f, &trace->clients[i], &model->clients[i],
		    &clients[i], names[i]);
	f->unlike = side_unlike_order(trace, model);
}

bool
fidelity_is_nearer(const struct fidelity *a, const struct fidelity *b)
{
	return a->badness + WEIGHT_UNLIKE * a->unlike <
	    b->badness + WEIGHT_UNLIKE * b->unlike;
}

void
fidelity_free(struct fidelity *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->rows[i].what);
	free(f->rows);
	*f = (struct fidelity){0};
}

void
fidelity_print(const struct fidelity *f, struct text *out)
{
	text_adds(out, "what\ttrace\tmodel\tdifference\tverdict\n");
	for (size_t i = 0; i < f->n; i++) {
		const struct fidelity_row *r = &f->rows[i];

		text_addf(out, "%s\t%.2f\t", r->what, r->trace);
		if (r->has_model)
			text_addf(
			    out, "%.2f\t%.2f", r->model, r->difference + 0.0);
		else
			text_adds(out, "-\t-");
		text_addf(out, "\t%s\n", r->ok ? "ok" : "poor");
	}
}
