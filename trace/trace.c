/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --trace and --trace-json: engines with the requests and the workloads that
 * run on them; contexts with their requests from submission to end, and what
 * those wait for; counters of queued requests and of busy engines; preemptions,
 * missed periods and hangs. Perfetto's format also gets the render stages that
 * Arm's viewer joins with the metadata file.
 *
 * Several launches can follow each other in one trace: each has groups of
 * tracks of its own.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/batch_name.h"
#include "engine/hang/hang.h"
#include "engine/sched/sched.h"
#include "layerstream/workload.h"
#include "trace/trace_private.h"

static struct trace *
trace_of(struct observer *o)
{
	return container_of(o, struct trace, observer);
}

/* To be called first by every event: before anything changes in an instant the
 * counters are still those of the instant before. */
static void
update_counters(struct trace *t)
{
	if (t->counted != t->sim->now)
		trace_put_counters(t);
	t->counted = t->sim->now;
}

static void
put_request(struct trace *t, const struct request *rq, struct trace_slice *s)
{
	const struct trace_arg args[] = {
	    {"client", NULL, rq->client->id},
	    {"context", NULL, rq->context->def->number},
	    {"step", NULL, rq->step},
	    {"iteration", NULL, (int64_t)rq->iteration},
	    {"request", NULL, (int64_t)rq->seq},
	    {"priority", NULL, rq->priority},
	    {"error", NULL, rq->error},
	};
	struct batch_name name = batch_name_of(rq);

	text_clear(&t->text);
	batch_name_long(&name, NULL, &t->text);
	s->name = text_str(&t->text);
	s->args = args;
	s->n_args = sizeof(args) / sizeof(*args);
	trace_put_slice(t, s);
}

/* Adds a flow from each request that rq waits for, the one before it on its
 * ring aside. The rows of a parallel step wait as one. */
static void
trace_on_submitted(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);

	update_counters(t);
	for (size_t i = 0; rq->row == 0 && i < t->sim->n_deps; i++) {
		const struct dependency *d = &t->sim->deps[i];
		bool for_start = d->cause == WAIT_SUBMIT;

		if (d->cause != WAIT_TIMELINE &&
		    !(for_start && fence_signalled(&d->signaler->scheduled)))
			arrows_add(
			    &t->arrows, rq->seq, d->signaler->seq, for_start);
	}
}

static void
trace_on_ready(struct observer *o, struct request *rq, const struct fence *last)
{
	(void)rq;
	(void)last;
	update_counters(trace_of(o));
}

static void
trace_on_took(struct observer *o, const struct hw_engine *e, struct request *rq,
    const struct switching *cost)
{
	(void)rq;
	(void)cost;
	update_counters(trace_of(o));
	trace_of(o)->engines[e->index].held = true;
}

static void
trace_on_began(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);

	update_counters(t);
	t->engines[rq->engine->index].rq = rq;
	t->engines[rq->engine->index].began = t->sim->now;
	arrows_runs(&t->arrows, rq->seq, t->sim->now);
}

/* Writes the slice that ends now on e. */
static void
put_engine_slice(struct trace *t, const struct hw_engine *e, bool last)
{
	struct engine_row *row = &t->engines[e->index];
	struct trace_slice s = {
	    .place = trace_engine_row(e),
	    .start_ns = row->began,
	    .end_ns = t->sim->now,
	};

	if (row->rq == NULL)
		return;
	arrows_slice(&t->arrows, row->rq->seq, row->began, t->sim->now, last);
	if (s.start_ns < s.end_ns) {
		s.from = t->arrows.from;
		s.n_from = t->arrows.n_from;
		s.to = t->arrows.to;
		s.n_to = t->arrows.n_to;
		put_request(t, row->rq, &s);
	}
	row->rq = NULL;
}

static void
trace_on_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct trace *t = trace_of(o);
	const struct trace_arg args[] = {
	    {"request", NULL, (int64_t)rq->seq},
	    {"by", NULL, by != NULL ? (int64_t)by->seq : 0},
	};

	update_counters(t);
	t->engines[e->index].held = false;
	put_engine_slice(t, e, why == LEAVING_ENDED);
	if (why == LEAVING_PREEMPTED)
		trace_put_instant(t, trace_engine_row(e), "preempted", args,
		    1 + (by != NULL));
}

static void
trace_on_ended(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);
	struct trace_slice s = {
	    .start_ns = rq->submit_ns, .end_ns = t->sim->now};
	nsec ready = fence_time(&rq->queued);

	update_counters(t);
	arrows_gone(&t->arrows, rq->seq);
	if (s.start_ns == s.end_ns)
		return;
	if (ready != NSEC_NEVER && ready > rq->submit_ns) {
		struct trace_slice wait = {
		    .start_ns = rq->submit_ns, .end_ns = ready};

		wait.place = trace_free_row(
		    t, rq, ROW_WAITS, wait.start_ns, wait.end_ns);
		put_request(t, rq, &wait);
	}
	s.place = trace_free_row(t, rq, ROW_REQUESTS, s.start_ns, s.end_ns);
	put_request(t, rq, &s);
}

static void
trace_on_missed(struct observer *o, struct client *c, nsec due)
{
	struct trace *t = trace_of(o);
	const struct trace_arg args[] = {
	    {"iteration", NULL, (int64_t)c->iteration},
	    {"late_ns", NULL, (int64_t)(t->sim->now - due)},
	};

	update_counters(t);
	trace_put_instant(t, (struct trace_place){trace_client_group(t, c), 0},
	    "period missed", args, 2);
}

static void
trace_on_hung(struct observer *o, const struct hang *hang)
{
	struct trace *t = trace_of(o);
	const struct trace_arg args[] = {
	    {"request", NULL, (int64_t)hang->rq->seq},
	    {"guilty", NULL, hang->guilty},
	    {"reset", reset_scope_name(hang->scope), 0},
	};

	update_counters(t);
	text_clear(&t->text);
	text_addf(&t->text, "hang: %s", hang_cause_name(hang->cause));
	trace_put_instant(
	    t, trace_engine_row(hang->engine), text_str(&t->text), args, 3);
}

static const struct {
	enum stage_stream stream;
	enum render_stage_kind stage;
} workload_stages[N_WORKLOAD_TYPES] = {
    [WORKLOAD_DISPATCH] = {STREAM_COMPUTE, RENDER_STAGE_COMPUTE},
    [WORKLOAD_TRACERAYS] = {STREAM_COMPUTE, RENDER_STAGE_TRACE_RAYS},
    [WORKLOAD_BUFFER_TRANSFER] = {STREAM_TRANSFER, RENDER_STAGE_COPY_BUFFER},
    [WORKLOAD_IMAGE_TRANSFER] = {STREAM_TRANSFER, RENDER_STAGE_COPY_IMAGE},
};

static void
choose_stage(const struct workload_slice *w, struct render_stage *s)
{
	const struct workload_info *info = &w->workload->info;

	s->stream = workload_stages[info->type].stream;
	s->stage = workload_stages[info->type].stage;
	if (w->stage == STAGE_BINNING) {
		s->stream = STREAM_BINNING;
		s->stage = RENDER_STAGE_BINNING;
	} else if (w->stage == STAGE_MAIN) {
		s->stream = STREAM_MAIN;
		s->stage = RENDER_STAGE_MAIN;
	} else if (info->transfer == TRANSFER_FILL_BUFFER) {
		s->stage = RENDER_STAGE_FILL_BUFFER;
	} else if (info->transfer == TRANSFER_CLEAR_IMAGE) {
		s->stage = RENDER_STAGE_CLEAR_IMAGE;
	}
}

static void
put_stage(struct trace *t, const struct workload_slice *w)
{
	struct render_stage s = {
	    .instance = w->engine->index,
	    .start_ns = t->past + w->start,
	    .end_ns = t->past + w->end,
	    .tag = w->execution,
	    .submission = (uint32_t)w->submit,
	    .context = w->request->context->def->number,
	};

	choose_stage(w, &s);
	t->writer->ops->stage(t->writer, &s);
}

static void
trace_on_slice(struct layer_listener *l, const struct workload_slice *w)
{
	struct trace *t = container_of(l, struct trace, listener);
	const struct trace_arg args[] = {
	    {"tag", NULL, (int64_t)w->tag},
	    {"submit", NULL, (int64_t)w->submit},
	    {"execution", NULL, (int64_t)w->execution},
	    {"request", NULL, (int64_t)w->request->seq},
	    {"labels", w->labels, 0},
	};
	struct trace_slice s = {
	    .place = {GROUP_WORKLOADS, w->engine->index + 1u},
	    .start_ns = w->start,
	    .end_ns = w->end,
	    .args = args,
	    .n_args = sizeof(args) / sizeof(*args),
	};

	if (w->stage == STAGE_NONE)
		return;
	text_clear(&t->text);
	workload_slice_describe(w, &t->text);
	s.name = text_str(&t->text);
	trace_put_slice(t, &s);
	if (t->writer->ops->stage != NULL)
		put_stage(t, w);
}

static struct output *
trace_new(int fd, struct trace_writer *(*new_writer)(int fd, uint64_t now_ns))
{
	struct trace *t = mem_calloc(1, sizeof(*t));

	t->fd = fd;
	t->new_writer = new_writer;
	t->observer.submitted = trace_on_submitted;
	t->observer.ready = trace_on_ready;
	t->observer.took = trace_on_took;
	t->observer.began = trace_on_began;
	t->observer.left = trace_on_left;
	t->observer.ended = trace_on_ended;
	t->observer.missed = trace_on_missed;
	t->observer.hung = trace_on_hung;
	t->listener.slice = trace_on_slice;
	return &t->output;
}

static struct output *
open_perfetto(const struct output_target *target, struct text *err)
{
	(void)err;
	return trace_new(target->fd, perfetto_writer_new);
}

static struct output *
open_chrome(const struct output_target *target, struct text *err)
{
	(void)err;
	return trace_new(target->fd, chrome_writer_new);
}

/* Requests that run already have slices from now on. */
static void
see_engines(struct trace *t)
{
	for (unsigned i = 0; i < t->sim->device.n_engines; i++) {
		const struct hw_engine *e = &t->sim->device.engines[i];
		struct request *rq = e->running;
		bool runs = rq != NULL && rq->piece_ns != NSEC_NEVER;

		t->engines[i] = (struct engine_row){
		    .rq = runs ? rq : NULL,
		    .began = t->sim->now,
		    .held = rq != NULL,
		};
	}
}

static void
trace_watch(struct output *o, const struct output_launch *launch)
{
	struct trace *t = (struct trace *)o;

	if (t->writer == NULL) {
		t->writer = t->new_writer(
		    t->fd, launch->past + launch->sim->now);
		o->sink = &t->writer->out;
	}
	t->sim = launch->sim;
	t->layer = launch->layer;
	t->past = launch->past;
	t->launch++;
	t->counted = t->sim->now;
	trace_begin_rows(t);
	see_engines(t);
	sim_add_observer(t->sim, &t->observer);
	layer_listen(t->layer, &t->listener);
}

static void
trace_leave(struct output *o)
{
	struct trace *t = (struct trace *)o;

	sim_remove_observer(t->sim, &t->observer);
	layer_unlisten(t->layer, &t->listener);
	trace_put_counters(t);
	for (unsigned i = 0; i < t->sim->device.n_engines; i++)
		put_engine_slice(t, &t->sim->device.engines[i], false);
	trace_forget_rows(t);
	arrows_forget(&t->arrows);
	t->sim = NULL;
}

static int
trace_close(struct output *o)
{
	struct trace *t = (struct trace *)o;
	int error = 0;

	if (t->sim != NULL)
		trace_leave(o);
	if (t->writer != NULL)
		error = t->writer->ops->close(t->writer);
	chains_free(&t->rows);
	arrows_free(&t->arrows);
	text_free(&t->text);
	free(t->next);
	free(t);
	return error;
}

const struct output_ops output_trace = {
    .option = "--trace",
    .needs_layer = true,
    .open = open_perfetto,
    .watch = trace_watch,
    .leave = trace_leave,
    .close = trace_close,
};

const struct output_ops output_trace_json = {
    .option = "--trace-json",
    .needs_layer = true,
    .open = open_chrome,
    .watch = trace_watch,
    .leave = trace_leave,
    .close = trace_close,
};
