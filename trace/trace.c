/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See trace.h. */
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "engine/hang/hang.h"
#include "engine/sched/sched.h"
#include "trace/trace_part.h"

static struct trace *
trace_of(struct observer *o)
{
	return (struct trace *)((char *)o - offsetof(struct trace, observer));
}

/* First of all in an instant: loads are still as the last one left them. Nothing
 * changes between instants. */
static void
count(struct trace *t)
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
	char name[64];

	snprintf(name, sizeof(name), "client %u context %u step %u",
	    rq->client->id, rq->context->def->number, rq->step);
	s->name = name;
	s->args = args;
	s->n_args = sizeof(args) / sizeof(*args);
	trace_put_slice(t, s);
}

/* What it waits for beyond its turn on its ring. Rows of a parallel step wait
 * as one. */
static void
on_submitted(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);

	count(t);
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
on_ready(struct observer *o, struct request *rq, const struct fence *last)
{
	(void)rq;
	(void)last;
	count(trace_of(o));
}

static void
on_took(struct observer *o, const struct hw_engine *e, struct request *rq,
    const struct switching *cost)
{
	(void)rq;
	(void)cost;
	count(trace_of(o));
	trace_of(o)->engines[e->index].held = true;
}

static void
on_began(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);

	count(t);
	t->engines[rq->engine->index].rq = rq;
	t->engines[rq->engine->index].began = t->sim->now;
	arrows_runs(&t->arrows, rq->seq, t->sim->now);
}

/* What has run on e since it began. */
static void
put_piece(struct trace *t, const struct hw_engine *e, bool last)
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
on_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct trace *t = trace_of(o);
	const struct trace_arg args[] = {
	    {"request", NULL, (int64_t)rq->seq},
	    {"by", NULL, by != NULL ? (int64_t)by->seq : 0},
	};

	count(t);
	t->engines[e->index].held = false;
	put_piece(t, e, why == LEAVING_ENDED);
	if (why == LEAVING_PREEMPTED)
		trace_put_instant(t, trace_engine_row(e), "preempted", args,
		    1 + (by != NULL));
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct trace *t = trace_of(o);
	struct trace_slice s = {
	    .start_ns = rq->submit_ns, .end_ns = t->sim->now};
	nsec ready = fence_time(&rq->queued);

	count(t);
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
on_missed(struct observer *o, struct client *c, nsec due)
{
	struct trace *t = trace_of(o);
	const struct trace_arg args[] = {
	    {"iteration", NULL, (int64_t)c->iteration},
	    {"late_ns", NULL, (int64_t)(t->sim->now - due)},
	};

	count(t);
	trace_put_instant(t, (struct trace_place){trace_client_group(t, c), 0},
	    "period missed", args, 2);
}

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct trace *t = trace_of(o);
	const struct trace_arg args[] = {
	    {"request", NULL, (int64_t)hang->rq->seq},
	    {"guilty", NULL, hang->guilty},
	    {"reset", reset_scope_name(hang->scope), 0},
	};

	count(t);
	text_clear(&t->text);
	text_addf(&t->text, "hang: %s", hang_cause_name(hang->cause));
	trace_put_instant(
	    t, trace_engine_row(hang->engine), text_str(&t->text), args, 3);
}

struct trace *
trace_new(int fd, enum trace_format format, nsec now)
{
	struct trace *t = mem_calloc(1, sizeof(*t));

	if (format == TRACE_PERFETTO)
		t->perfetto = perfetto_new(fd, now);
	else
		t->chrome = chrome_trace_new(fd);
	t->observer.submitted = on_submitted;
	t->observer.ready = on_ready;
	t->observer.took = on_took;
	t->observer.began = on_began;
	t->observer.left = on_left;
	t->observer.ended = on_ended;
	t->observer.missed = on_missed;
	t->observer.hung = on_hung;
	t->listener.interval = trace_interval;
	return t;
}

/* What runs already does so from now on. */
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

void
trace_watch(struct trace *t, struct sim *sim, struct layer *l)
{
	t->sim = sim;
	t->layer = l;
	t->past = layer_past(l);
	t->launch++;
	t->counted = sim->now;
	trace_begin_rows(t);
	see_engines(t);
	sim_add_observer(sim, &t->observer);
	layer_listen(l, &t->listener);
}

void
trace_flush(struct trace *t)
{
	if (t->perfetto != NULL)
		perfetto_flush(t->perfetto);
	else
		chrome_trace_flush(t->chrome);
}

uint64_t
trace_bytes(const struct trace *t)
{
	return t->perfetto != NULL ? perfetto_bytes(t->perfetto)
				   : chrome_trace_bytes(t->chrome);
}

int
trace_error(const struct trace *t)
{
	return t->perfetto != NULL ? perfetto_error(t->perfetto)
				   : chrome_trace_error(t->chrome);
}

void
trace_leave(struct trace *t)
{
	sim_remove_observer(t->sim, &t->observer);
	layer_unlisten(t->layer, &t->listener);
	trace_put_counters(t);
	for (unsigned i = 0; i < t->sim->device.n_engines; i++)
		put_piece(t, &t->sim->device.engines[i], false);
	trace_forget_rows(t);
	arrows_forget(&t->arrows);
	t->sim = NULL;
}

int
trace_end(struct trace *t)
{
	int error = t->perfetto != NULL ? perfetto_free(t->perfetto)
					: chrome_trace_free(t->chrome);

	chains_free(&t->rows);
	arrows_free(&t->arrows);
	text_free(&t->text);
	free(t->next);
	free(t);
	return error;
}
