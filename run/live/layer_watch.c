/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches the layer of a session's runs, and describes in words what a request
 * executes. */
#include "run/live/layer_watch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/client/origin.h"
#include "layerstream/workload.h"
#include "trace/layer_trail.h"

/* Limit of the spans of a request that are added up to find its progress. */
#define MOST_SPANS 4096

static bool
has_annotations(const struct program *p)
{
	for (uint32_t i = 0; i < p->n_ops; i++)
		if (p->annotations[i] != NULL)
			return true;
	return false;
}

static bool
any_annotations(const struct versions *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (has_annotations(v->list[i]->program))
			return true;
	return false;
}

static void
on_layer_report(struct debug_report *r, const char *text)
{
	struct layer_watch *w = container_of(r, struct layer_watch, report);

	w->n_problems++;
	text_clear(&w->problem);
	text_adds(&w->problem, text);
}

static void
begin_layer(struct layer_watch *w, const struct run *run)
{
	w->report.say = on_layer_report;
	w->layer = layer_begin(run->sim, &w->report);
	layer_go_on(w->layer, &w->numbers);
	if (w->trail == NULL)
		w->trail = mem_calloc(1, sizeof(*w->trail));
	layer_trail_begin(w->trail, w->layer);
	message_log_listen(&w->messages, w->layer);
	if (!w->held)
		outputs_watch(&w->outputs, run->sim, w->layer);
}

static void
look_for_annotations(struct layer_watch *w, const struct run *run)
{
	if (w->layer != NULL ||
	    (!w->wanted && w->generation == run->versions.generation))
		return;
	w->generation = run->versions.generation;
	if (w->wanted || any_annotations(&run->versions))
		begin_layer(w, run);
}

void
layer_watch_begin(struct layer_watch *w, const struct run *run)
{
	w->generation = UINT64_MAX;
	look_for_annotations(w, run);
}

void
layer_watch_want(struct layer_watch *w, const struct run *run)
{
	w->wanted = true;
	look_for_annotations(w, run);
}

void
layer_watch_tick(struct layer_watch *w, const struct run *run)
{
	look_for_annotations(w, run);
	if (w->layer == NULL)
		return;
	layer_flush(w->layer);
	if (!w->held)
		outputs_flush(&w->outputs);
}

struct layer_numbers
layer_watch_numbers(const struct layer_watch *w)
{
	struct layer_numbers numbers = w->numbers;

	if (w->layer != NULL)
		layer_numbers(w->layer, &numbers);
	return numbers;
}

/* The time in output files continues over launches; elsewhere it is the
 * run's. */
void
layer_watch_leave(struct layer_watch *w)
{
	if (w->layer == NULL)
		return;
	if (!w->held)
		outputs_leave(&w->outputs);
	layer_trail_end(w->trail);
	layer_numbers(w->layer, &w->numbers);
	if (!w->held)
		w->numbers.past = w->outputs.past;
	layer_end(w->layer);
	w->layer = NULL;
	text_clear(&w->problem);
	w->n_problems = 0;
}

void
layer_watch_end(struct layer_watch *w)
{
	message_log_free(&w->messages);
	text_free(&w->problem);
	free(w->trail);
	*w = (struct layer_watch){0};
}

bool
layer_watch_now(
    const struct layer_watch *w, const struct request *rq, struct text *out)
{
	return request_annotations(rq) != NULL &&
	    layer_watch_workload(w, rq, out);
}

bool
layer_watch_workload(
    const struct layer_watch *w, const struct request *rq, struct text *out)
{
	struct workload_slice slice;
	struct text line = {0};

	if (w->layer == NULL || !layer_now(w->layer, rq, &slice))
		return false;
	workload_slice_describe(&slice, &line);
	text_add_visible(out, text_str(&line), line.len);
	text_free(&line);
	return true;
}

static void
add_piece(const struct trail_workload *p, struct text *out)
{
	struct text line = {0};

	workload_describe(&p->info, p->labels, &line);
	text_add_visible(out, text_str(&line), line.len);
	text_free(&line);
}

static void
add_numbers(const struct trail_workload *p, struct text *out)
{
	text_addf(out, ", tag %" PRIu64, p->tag);
	if (p->submit != 0)
		text_addf(out, ", submit %" PRIu64, p->submit);
}

static bool
is_annotated(const struct trail_workload *p)
{
	return strcmp(p->labels, "[]") != 0 || p->info.size[0] >= 0 ||
	    p->info.draws >= 0 || p->info.amount != WORKLOAD_UNKNOWN;
}

void
layer_watch_brief(
    const struct layer_watch *w, uint64_t request, struct text *out)
{
	struct trail_workload p;
	uint32_t more;
	size_t n = w->layer != NULL
	    ? layer_trail_count(w->trail, request, &more)
	    : 0;

	if (n == 0)
		return;
	p = layer_trail_workload(w->trail, request, 0);
	if (n == 1 && !is_annotated(&p))
		return;
	add_piece(&p, out);
	if (n > 1)
		text_addf(out, " and %zu more", n - 1 + more);
}

size_t
layer_watch_pieces(const struct layer_watch *w, uint64_t request)
{
	uint32_t more;
	size_t n = w->layer != NULL
	    ? layer_trail_count(w->trail, request, &more)
	    : 0;

	return n > 0 ? n + more : 0;
}

bool
layer_watch_piece(const struct layer_watch *w, uint64_t request, size_t i,
    struct text *out, double *share)
{
	struct trail_workload p;

	if (w->layer == NULL || i >= layer_trail_count(w->trail, request, NULL))
		return false;
	p = layer_trail_workload(w->trail, request, i);
	add_piece(&p, out);
	add_numbers(&p, out);
	*share = (double)(p.to - p.from) / (double)p.of;
	return true;
}

/* Run time of the span's request up to at, without that before a reset. */
static nsec
ran_until(const struct trail *trail, const struct trail_span *span, nsec at)
{
	nsec ran = at > span->begin_ns ? at - span->begin_ns : 0;

	for (unsigned n = 0; span->before != 0 && n < MOST_SPANS; n++) {
		span = trail_span(trail, span->before_engine, span->before);
		if (span == NULL || span->leaving == LEAVING_RESET)
			break;
		if (span->begin_ns < span->end_ns)
			ran += span->end_ns - span->begin_ns;
	}
	return ran;
}

bool
layer_watch_at(const struct layer_watch *w, const struct trail *trail,
    const struct trail_span *span, nsec at, struct text *out)
{
	struct trail_workload p;
	enum workload_stage stage;
	size_t i;

	if (w->layer == NULL ||
	    layer_trail_count(w->trail, span->request, NULL) == 0)
		return false;
	i = layer_trail_at(
	    w->trail, span->request, ran_until(trail, span, at), &stage);
	p = layer_trail_workload(w->trail, span->request, i);
	add_piece(&p, out);
	if (stage == STAGE_BINNING)
		text_adds(out, ", binning");
	add_numbers(&p, out);
	return true;
}
