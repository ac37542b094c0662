/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/trace_witness.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/hang/hang.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

void
pieces_add(
    struct pieces *p, uint32_t row, uint64_t start, uint64_t end, int64_t what)
{
	p->list = mem_grow(p->list, p->n, &p->cap, sizeof(*p->list));
	p->list[p->n++] = (struct piece){row, start, end, what};
}

/* The instant goes on: loads are those that it leaves. */
static void
look_again(struct witness *w)
{
	while (w->loads.n > 0 &&
	    w->loads.list[w->loads.n - 1].start == w->sim->now)
		w->loads.n--;
}

static void
on_ready(struct observer *o, struct request *rq, const struct fence *last)
{
	(void)rq;
	(void)last;
	look_again((struct witness *)o);
}

static void
on_took(struct observer *o, const struct hw_engine *e, struct request *rq,
    const struct switching *cost)
{
	(void)e;
	(void)rq;
	(void)cost;
	look_again((struct witness *)o);
}

static void
on_controlled(struct observer *o, const struct control *control)
{
	(void)control;
	look_again((struct witness *)o);
}

static void
on_began(struct observer *o, struct request *rq)
{
	struct witness *w = (struct witness *)o;

	w->open[rq->engine->index] = (struct piece){
	    .start = w->sim->now, .what = (int64_t)rq->seq};
}

static void
piece_over(struct witness *w, unsigned engine)
{
	struct piece *p = &w->open[engine];

	if (p->what != 0 && p->start < w->sim->now)
		pieces_add(&w->ran, engine, p->start, w->sim->now, p->what);
	p->what = 0;
}

static void
on_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct witness *w = (struct witness *)o;

	(void)rq;
	(void)by;
	look_again(w);
	piece_over(w, e->index);
	if (why == LEAVING_PREEMPTED)
		pieces_add(&w->instants, e->index, w->sim->now, 0, 0);
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct witness *w = (struct witness *)o;
	uint64_t ready = fence_time(&rq->queued);

	look_again(w);
	if (rq->submit_ns < w->sim->now)
		pieces_add(&w->lived, rq->client->id, rq->submit_ns,
		    w->sim->now, (int64_t)rq->seq);
	if (rq->submit_ns < ready && rq->submit_ns < w->sim->now)
		pieces_add(&w->waited, rq->client->id, rq->submit_ns, ready,
		    (int64_t)rq->seq);
}

static void
on_missed(struct observer *o, struct client *c, nsec due)
{
	struct witness *w = (struct witness *)o;

	pieces_add(&w->instants, c->id, w->sim->now, 0, 1);
	(void)due;
}

static void
on_iterated(struct observer *o, struct client *c)
{
	struct witness *w = (struct witness *)o;

	if (c->walker->started_ns < w->sim->now)
		pieces_add(&w->periods, c->id, c->walker->started_ns,
		    w->sim->now, (int64_t)c->walker->iteration - 1);
}

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct witness *w = (struct witness *)o;

	pieces_add(&w->instants, hang->engine->index, w->sim->now, 0, 2);
}

void
witness_look(struct witness *w)
{
	for (unsigned i = 0; i < w->sim->device.n_engines; i++) {
		const struct hw_engine *e = &w->sim->device.engines[i];

		pieces_add(&w->loads, i, w->sim->now, 0, (int64_t)e->queued);
	}
}

static const struct {
	enum output_kind output;
	const char *name;
} files[] = {
    {OUTPUT_TRACE, "perfetto"},
    {OUTPUT_TRACE_JSON, "chrome"},
    {OUTPUT_ARM, "arm"},
};

/* Adds what engines have spent so far, once before and once after. */
static void
note_spent(struct witness *w)
{
	const struct sim *sim = w->sim;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		w->spent[i].busy = hw_engine_busy(e, sim->now) -
		    w->spent[i].busy;
		w->spent[i].sema = hw_engine_sema(e, sim->now) -
		    w->spent[i].sema;
	}
}

void
witness_begin(struct witness *w, struct sim *sim)
{
	*w = (struct witness){
	    .observer = {.controlled = on_controlled,
		.ready = on_ready,
		.took = on_took,
		.began = on_began,
		.left = on_left,
		.ended = on_ended,
		.missed = on_missed,
		.iterated = on_iterated,
		.hung = on_hung},
	    .sim = sim,
	};
	for (size_t i = 0; i < 3; i++) {
		int fd = open(test_path(files[i].name),
		    O_WRONLY | O_CREAT | O_TRUNC, 0666);
		outputs_open(&w->outputs, files[i].output,
		    &(struct output_target){
			test_path(files[i].name), fd, false, NULL, 0},
		    NULL);
	}
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct request *rq = sim->device.engines[i].running;

		if (rq != NULL && rq->piece_ns != NSEC_NEVER)
			w->open[i] = (struct piece){
			    .start = sim->now, .what = (int64_t)rq->seq};
	}
	w->began = sim->now;
	w->n_engines = sim->device.n_engines;
	note_spent(w);
	sim_add_observer(sim, &w->observer);
	w->layer = layer_begin(sim, NULL);
	outputs_watch(&w->outputs, sim, w->layer);
}

void
witness_end(struct witness *w)
{
	witness_look(w);
	note_spent(w);
	w->ended = w->sim->now;
	for (unsigned i = 0; i < w->sim->device.n_engines; i++)
		piece_over(w, i);
	outputs_leave(&w->outputs);
	layer_end(w->layer);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(
		    outputs_close(&w->outputs, files[i].output, NULL), 0);
	}
}

void
witness_free(struct witness *w)
{
	free(w->ran.list);
	free(w->waited.list);
	free(w->lived.list);
	free(w->instants.list);
	free(w->loads.list);
	free(w->periods.list);
}

int
piece_compare(const void *a, const void *b)
{
	const struct piece *p = a, *q = b;

#define ORDER(member)                                                          \
	if (p->member != q->member)                                            \
	return p->member < q->member ? -1 : 1
	ORDER(row);
	ORDER(start);
	ORDER(end);
	ORDER(what);
#undef ORDER
	return 0;
}

void
pieces_sort(struct pieces *p)
{
	if (p->n > 0)
		qsort(p->list, p->n, sizeof(*p->list), piece_compare);
}
