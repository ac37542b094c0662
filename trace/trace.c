/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --trace and --trace-json: engines with the requests that run on them, what
 * they switch and poll for, and the workloads; contexts with their requests from
 * submission to end, and what those wait for; periods of clients; counters of
 * the engines' load and queues; preemptions, missed periods and hangs.
 * Perfetto's format also gets the render stages that Arm's viewer joins with the
 * metadata file.
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

/* Adds a flow from each request that rq waits for, the one before it on its
 * ring aside. The rows of a parallel step wait as one. */
static void
trace_on_submitted(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);

	trace_update_loads(t);
	trace_period_submitted(t, rq);
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
	trace_update_loads(trace_of(o));
}

static void
trace_on_took(struct observer *o, const struct hw_engine *e, struct request *rq,
    const struct switching *cost)
{
	struct trace *t = trace_of(o);

	(void)rq;
	trace_update_loads(t);
	trace_load_took(t, e, cost->completion);
}

/* Writes how the engine spends time on rq without running it. arrows: those
 * of the slice; NULL: none. */
static void
put_held_slice(struct trace *t, const struct request *rq, const char *name,
    const struct hw_engine *e, nsec from, nsec to, const struct arrows *arrows)
{
	const struct step_words *words = trace_words(t, rq);
	struct trace_args args = {.n = 0};
	struct trace_slice s = {
	    .place = trace_engine_row(e),
	    .name = name,
	    .start_ns = from,
	    .end_ns = to,
	    .args = args.list,
	};

	if (from >= to)
		return;
	trace_add_number(&args, "request", (int64_t)rq->seq);
	trace_add_text(&args, "for", words->name);
	s.n_args = args.n;
	if (arrows != NULL) {
		s.from = arrows->from;
		s.n_from = arrows->n_from;
		s.n_from_start = arrows->n_from_start;
		s.to = arrows->to;
		s.n_to = arrows->n_to;
	}
	trace_put_slice(t, &s);
}

/* Writes what rq did on e before its batch begins or it leaves, now. */
static void
put_held(struct trace *t, const struct hw_engine *e, const struct request *rq)
{
	const struct engine_row *row = &t->engines[e->index];
	nsec now = t->sim->now, polled = trace_polls_since(t, e);
	nsec ready = polled < now ? polled : now;

	if (row->held == NSEC_NEVER || row->began != NSEC_NEVER)
		return;
	put_held_slice(t, rq, "switches", e, row->held, ready, NULL);
	put_held_slice(t, rq, "polls", e, ready, now, NULL);
}

static void
trace_on_began(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);

	trace_update_loads(t);
	put_held(t, rq->engine, rq);
	trace_load_began(t, rq->engine);
	if (t->engines[rq->engine->index].waits == NSEC_NEVER)
		t->engines[rq->engine->index].rq = rq;
	arrows_runs(&t->arrows, rq->seq, t->sim->now);
}

/* Writes the slice that ends now on e. */
static void
put_engine_slice(struct trace *t, const struct hw_engine *e, bool last)
{
	struct engine_row *row = &t->engines[e->index];
	const struct request *rq = row->rq;
	struct trace_args args = {.n = 0};
	struct trace_slice s = {
	    .place = trace_engine_row(e),
	    .start_ns = row->began,
	    .end_ns = t->sim->now,
	    .args = args.list,
	};

	row->rq = NULL;
	if (rq == NULL)
		return;
	arrows_slice(&t->arrows, rq->seq, s.start_ns, s.end_ns, last);
	if (s.start_ns == s.end_ns)
		return;
	s.from = t->arrows.from;
	s.n_from = t->arrows.n_from;
	s.n_from_start = t->arrows.n_from_start;
	s.to = t->arrows.to;
	s.n_to = t->arrows.n_to;
	s.name = trace_words(t, rq)->name;
	trace_add_request(&args, rq, trace_words(t, rq));
	trace_add_times(t, &args, rq, last);
	s.n_args = args.n;
	trace_put_slice(t, &s);
}

/* Writes the time in which the batch of rq polled memory. ends: rq ends now. */
static void
put_memory_poll(struct trace *t, const struct hw_engine *e,
    const struct request *rq, bool ends)
{
	struct engine_row *row = &t->engines[e->index];
	nsec from = row->poll_from, to = row->poll_to, now = t->sim->now;

	if (row->waits != NSEC_NEVER) {
		from = row->waits;
		to = now;
	}
	if (from == NSEC_NEVER)
		return;
	arrows_slice(&t->arrows, rq->seq, from, to, ends && to == now);
	put_held_slice(t, rq, "polls", e, from, to, &t->arrows);
	row->poll_from = NSEC_NEVER;
}

/* The slice of a batch ends where it begins to poll memory, and goes on after
 * that. The event may come before its first one. */
static void
trace_on_polls(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);
	const struct hw_engine *e = rq->engine;
	struct engine_row *row = &t->engines[e->index];
	bool polls = e->poll_since != NSEC_NEVER;

	if (polls == (row->waits != NSEC_NEVER))
		return;
	trace_update_loads(t);
	if (polls) {
		put_memory_poll(t, e, rq, false);
		put_engine_slice(t, e, false);
	} else {
		row->poll_from = row->waits;
		row->poll_to = t->sim->now;
		row->rq = rq;
		row->began = t->sim->now;
	}
	trace_load_polls(t, e, polls);
}

static void
trace_on_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct trace *t = trace_of(o);
	struct trace_args args = {.n = 0};

	trace_update_loads(t);
	put_held(t, e, rq);
	put_memory_poll(t, e, rq, why == LEAVING_ENDED);
	put_engine_slice(t, e, why == LEAVING_ENDED);
	trace_load_left(t, e);
	if (why != LEAVING_PREEMPTED)
		return;
	trace_add_number(&args, "request", (int64_t)rq->seq);
	if (by != NULL) {
		trace_add_number(&args, "by", (int64_t)by->seq);
		trace_add_text(&args, "for", trace_words(t, by)->name);
	}
	trace_put_instant(
	    t, trace_engine_row(e), "preempted", args.list, args.n);
}

/* Writes the request, from its submission to now, and its wait. */
static void
put_request(struct trace *t, const struct request *rq)
{
	const struct step_words *words = trace_words(t, rq);
	nsec ready = fence_time(&rq->queued);
	struct trace_args args = {.n = 0};
	struct trace_slice s = {
	    .name = words->name,
	    .start_ns = rq->submit_ns,
	    .end_ns = ready,
	    .args = args.list,
	};

	trace_add_request(&args, rq, words);
	s.n_args = args.n;
	if (ready != NSEC_NEVER && ready > rq->submit_ns) {
		trace_choose_row(t, rq, ROW_WAITS, &s);
		trace_put_slice(t, &s);
	}
	trace_add_times(t, &args, rq, true);
	trace_add_number(&args, "run_ns", (int64_t)rq->run_ns);
	s.n_args = args.n;
	s.start_ns = rq->submit_ns;
	s.end_ns = t->sim->now;
	trace_choose_row(t, rq, ROW_REQUESTS, &s);
	trace_put_slice(t, &s);
}

static void
trace_on_ended(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);

	trace_update_loads(t);
	arrows_gone(&t->arrows, rq->seq);
	if (rq->submit_ns < t->sim->now)
		put_request(t, rq);
}

static void
trace_on_missed(struct observer *o, struct client *c, nsec due)
{
	struct trace *t = trace_of(o);

	trace_update_loads(t);
	trace_period_missed(t, c, due);
}

static void
trace_on_iterated(struct observer *o, struct client *c)
{
	struct trace *t = trace_of(o);

	trace_update_loads(t);
	trace_period_over(t, c);
}

static void
trace_on_hung(struct observer *o, const struct hang *hang)
{
	struct trace *t = trace_of(o);
	struct trace_args args = {.n = 0};

	trace_update_loads(t);
	trace_add_number(&args, "request", (int64_t)hang->rq->seq);
	trace_add_text(&args, "for", trace_words(t, hang->rq)->name);
	trace_add_number(&args, "guilty", hang->guilty);
	trace_add_text(&args, "reset", reset_scope_name(hang->scope));
	text_clear(&t->text);
	text_addf(&t->text, "hang: %s", hang_cause_name(hang->cause));
	trace_put_instant(t, trace_engine_row(hang->engine), text_str(&t->text),
	    args.list, args.n);
}

static const enum stage_stream workload_streams[N_WORKLOAD_TYPES] = {
    [WORKLOAD_DISPATCH] = STREAM_COMPUTE,
    [WORKLOAD_TRACERAYS] = STREAM_COMPUTE,
    [WORKLOAD_BUFFER_TRANSFER] = STREAM_TRANSFER,
    [WORKLOAD_IMAGE_TRANSFER] = STREAM_TRANSFER,
    [WORKLOAD_STRUCTURE_BUILD] = STREAM_COMPUTE,
    [WORKLOAD_STRUCTURE_TRANSFER] = STREAM_TRANSFER,
    [WORKLOAD_DATA_GRAPH] = STREAM_COMPUTE,
};

static const enum render_stage_kind transfer_stages[N_TRANSFERS] = {
    [TRANSFER_COPY_BUFFER] = RENDER_STAGE_COPY_BUFFER,
    [TRANSFER_FILL_BUFFER] = RENDER_STAGE_FILL_BUFFER,
    [TRANSFER_COPY_IMAGE] = RENDER_STAGE_COPY_IMAGE,
    [TRANSFER_CLEAR_IMAGE] = RENDER_STAGE_CLEAR_IMAGE,
    [TRANSFER_BUFFER_TO_IMAGE] = RENDER_STAGE_COPY_IMAGE,
    [TRANSFER_IMAGE_TO_BUFFER] = RENDER_STAGE_COPY_BUFFER,
    [TRANSFER_MEMORY_TO_IMAGE] = RENDER_STAGE_COPY_IMAGE,
    [TRANSFER_BLIT_IMAGE] = RENDER_STAGE_BLIT_IMAGE,
    [TRANSFER_RESOLVE_IMAGE] = RENDER_STAGE_RESOLVE_IMAGE,
    [TRANSFER_MIPMAPS] = RENDER_STAGE_MIPMAPS,
    [TRANSFER_COPY_MEMORY] = RENDER_STAGE_COPY_BUFFER,
    [TRANSFER_COPY_TENSOR] = RENDER_STAGE_COPY_BUFFER,
    [TRANSFER_COPY_QUERY] = RENDER_STAGE_COPY_QUERY,
    [TRANSFER_STRUCTURE] = RENDER_STAGE_STRUCTURE_OUT,
    [TRANSFER_STRUCTURE_TO_MEMORY] = RENDER_STAGE_STRUCTURE_OUT,
    [TRANSFER_MEMORY_TO_STRUCTURE] = RENDER_STAGE_STRUCTURE_IN,
    [TRANSFER_MICROMAP] = RENDER_STAGE_STRUCTURE_OUT,
    [TRANSFER_MICROMAP_TO_MEMORY] = RENDER_STAGE_STRUCTURE_OUT,
    [TRANSFER_MEMORY_TO_MICROMAP] = RENDER_STAGE_STRUCTURE_IN,
    [TRANSFER_FAST_BUILD] = RENDER_STAGE_FAST_BUILD,
    [TRANSFER_FAST_TRACE] = RENDER_STAGE_FAST_TRACE,
};

static void
choose_stage(const struct workload_slice *w, struct render_stage *s)
{
	const struct workload_info *info = &w->workload->info;

	s->stream = workload_streams[info->type];
	s->stage = info->type == WORKLOAD_TRACERAYS ? RENDER_STAGE_TRACE_RAYS
						    : RENDER_STAGE_COMPUTE;
	if (w->stage == STAGE_BINNING) {
		s->stream = STREAM_BINNING;
		s->stage = RENDER_STAGE_BINNING;
	} else if (w->stage == STAGE_MAIN) {
		s->stream = STREAM_MAIN;
		s->stage = RENDER_STAGE_MAIN;
	} else if (info->update) {
		s->stage = RENDER_STAGE_STRUCTURE_UPDATE;
	} else if (info->transfer != TRANSFER_NONE) {
		s->stage = transfer_stages[info->transfer];
	} else if (info->type == WORKLOAD_BUFFER_TRANSFER) {
		s->stage = RENDER_STAGE_COPY_BUFFER;
	} else if (info->type == WORKLOAD_IMAGE_TRANSFER) {
		s->stage = RENDER_STAGE_COPY_IMAGE;
	}
}

/* Sets the sizes of a dispatch, as far as they are known. */
static void
set_launch(const struct workload_info *info, struct render_stage *s)
{
	for (unsigned i = 0; i < 3 && info->type == WORKLOAD_DISPATCH; i++) {
		s->grid[i] = info->size[i] > 0 ? (uint32_t)info->size[i] : 0;
		s->local[i] = info->local[i];
	}
}

static void
put_stage(struct trace *t, const struct workload_slice *w, const char *name)
{
	const struct request *rq = w->request;
	struct render_stage s = {
	    .instance = w->engine->index,
	    .start_ns = t->past + w->start,
	    .end_ns = t->past + w->end,
	    .name = name,
	    .tag = w->execution,
	    .submission = (uint32_t)w->submit,
	    .context = ((uint64_t)rq->client->id + 1) << 32 |
		rq->context->def->number,
	    .pid = rq->client->id,
	};

	choose_stage(w, &s);
	set_launch(&w->workload->info, &s);
	/* All parts of a pass have the submitID under which it began. */
	if (w->workload->info.type == WORKLOAD_RENDERPASS)
		s.pass = w->submit != 0 ? w->submit << 32 ^ w->tag
					: w->execution;
	s.waits = arrows_take_stages(&t->arrows, rq->seq, &s.n_waits);
	arrows_stage(&t->arrows, rq->seq, t->writer->ops->stage(t->writer, &s));
}

static void
trace_on_slice(struct layer_listener *l, const struct workload_slice *w)
{
	struct trace *t = container_of(l, struct trace, listener);
	struct trace_args args = {.n = 0};
	struct trace_slice s = {
	    .place = {GROUP_WORKLOADS, NUMBER_WORKLOADS + w->engine->index},
	    .start_ns = w->start,
	    .end_ns = w->end,
	    .args = args.list,
	};

	if (w->stage == STAGE_NONE)
		return;
	trace_add_number(&args, "tag", (int64_t)w->tag);
	trace_add_nonzero(&args, "submit", (int64_t)w->submit);
	trace_add_number(&args, "execution", (int64_t)w->execution);
	trace_add_number(&args, "request", (int64_t)w->request->seq);
	trace_add_text(&args, "labels", w->labels);
	s.n_args = args.n;
	text_clear(&t->text);
	workload_slice_describe(w, &t->text);
	s.name = text_str(&t->text);
	trace_put_slice(t, &s);
	if (t->writer->ops->stage != NULL)
		put_stage(t, w, s.name);
}

static void
trace_put_kernel(struct kernel_log *log, const struct kernel_record *r)
{
	struct trace_writer *w =
	    container_of(log, struct trace, kernel)->writer;

	w->ops->kernel(w, r);
}

static void
trace_put_task(struct kernel_log *log, int32_t pid, const char *comm)
{
	struct trace_writer *w =
	    container_of(log, struct trace, kernel)->writer;

	w->ops->task(w, pid, comm);
}

/* Both ages of the DRM scheduler's events would draw each job twice; waits of
 * dma_fence are drawn, those of i915 are not. */
static void
set_kernel_log(struct kernel_log *log, unsigned events)
{
	log->put = trace_put_kernel;
	log->task = trace_put_task;
	log->fence_waits = true;
	log->sets = events != 0 ? events : KERNEL_ALL_SETS;
	if ((log->sets >> KERNEL_DRM_617 & 1) != 0)
		log->sets &= ~(1u << KERNEL_DRM);
}

static struct output *
trace_new(const struct output_target *target,
    struct trace_writer *(*new_writer)(int fd, uint64_t now_ns))
{
	struct trace *t = mem_calloc(1, sizeof(*t));

	t->fd = target->fd;
	set_kernel_log(&t->kernel, target->events);
	t->new_writer = new_writer;
	t->observer.submitted = trace_on_submitted;
	t->observer.ready = trace_on_ready;
	t->observer.took = trace_on_took;
	t->observer.began = trace_on_began;
	t->observer.polls = trace_on_polls;
	t->observer.left = trace_on_left;
	t->observer.ended = trace_on_ended;
	t->observer.missed = trace_on_missed;
	t->observer.iterated = trace_on_iterated;
	t->observer.hung = trace_on_hung;
	t->listener.slice = trace_on_slice;
	return &t->output;
}

static struct output *
open_perfetto(const struct output_target *target, struct text *err)
{
	(void)err;
	return trace_new(target, perfetto_writer_new);
}

static struct output *
open_chrome(const struct output_target *target, struct text *err)
{
	(void)err;
	return trace_new(target, chrome_writer_new);
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
	t->texts = launch->texts;
	t->launch++;
	trace_begin_rows(t);
	trace_put_origin(t);
	/* Requests that run already have slices from now on. */
	trace_begin_loads(t);
	sim_add_observer(t->sim, &t->observer);
	if (t->writer->ops->kernel != NULL)
		kernel_log_watch(&t->kernel, launch);
	layer_listen(t->layer, &t->listener);
}

static void
trace_leave(struct output *o)
{
	struct trace *t = (struct trace *)o;

	sim_remove_observer(t->sim, &t->observer);
	kernel_log_leave(&t->kernel);
	layer_unlisten(t->layer, &t->listener);
	trace_end_loads(t);
	for (unsigned i = 0; i < t->sim->device.n_engines; i++) {
		const struct hw_engine *e = &t->sim->device.engines[i];

		if (e->running != NULL) {
			put_held(t, e, e->running);
			put_memory_poll(t, e, e->running, false);
		}
		put_engine_slice(t, e, false);
	}
	trace_end_periods(t);
	trace_forget_rows(t);
	trace_forget_words(t);
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
	kernel_log_free(&t->kernel);
	chains_free(&t->rows);
	chains_free(&t->words);
	arrows_free(&t->arrows);
	text_free(&t->text);
	free(t->clients);
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
