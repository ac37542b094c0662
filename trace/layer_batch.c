/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A batch in flight: the stages of what it executes, and how they share the
 * time that it runs. Before that, the draws of passes that several batches are
 * parts of.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/gpu/pace.h"
#include "trace/layer_private.h"

/* The entry of a pass. Tags and submitIDs count up, and few submissions have
 * several passes in parts. */
static struct pass_sum *
pass_sum_of(const struct pass_sums *s, uint64_t tag, uint64_t submit)
{
	return &s->list[(submit != 0 ? submit : tag) % PASS_SUMS];
}

void
pass_sums_free(struct pass_sums *s)
{
	free(s->list);
	s->list = NULL;
}

void
pass_sums_set(struct pass_sums *s, uint64_t tag, uint64_t submit, int64_t draws)
{
	if (s->list == NULL)
		s->list = mem_calloc(PASS_SUMS, sizeof(*s->list));
	*pass_sum_of(s, tag, submit) = (struct pass_sum){tag, submit, draws};
}

int64_t
pass_sums_get(
    const struct pass_sums *s, uint64_t tag, uint64_t submit, int64_t otherwise)
{
	const struct pass_sum *sum;

	if (s->list == NULL)
		return otherwise;
	sum = pass_sum_of(s, tag, submit);
	if (sum->tag != tag || sum->submit != submit)
		return otherwise;
	return sum->draws;
}

/* Shares of a workload's weight; binning and main of a pass divide them. */
#define SHARES         4
#define BINNING_SHARES 1

/* Most batches have one stage, or two. */
static void
grow_stages(struct layer_batch *b)
{
	b->cap_stages = b->cap_stages > 0 ? b->cap_stages * 2 : 2;
	b->stages = mem_realloc(b->stages, b->cap_stages, sizeof(*b->stages));
}

static void
add_stage(struct layer_batch *b, const struct execution *e,
    enum workload_stage stage, uint32_t labels, uint64_t shares)
{
	if (b->n_stages == b->cap_stages)
		grow_stages(b);
	b->stages[b->n_stages++] = (struct batch_stage){
	    .workload = e->workload,
	    .tag = e->workload->tag,
	    .submit = e->submit,
	    .execution = e->number,
	    .before = b->weight,
	    .labels = labels,
	    .stage = (uint8_t)stage,
	};
	b->weight += shares * e->part->info.weight;
}

void
layer_batch_add(struct layer_batch *b, const struct execution *e)
{
	uint32_t labels = (uint32_t)b->texts.len;

	text_add(&b->texts, e->labels, e->labels_len);
	text_addc(&b->texts, '\0');
	if (e->workload->info.type == WORKLOAD_RENDERPASS) {
		add_stage(b, e, STAGE_BINNING, labels, BINNING_SHARES);
		add_stage(b, e, STAGE_MAIN, labels, SHARES - BINNING_SHARES);
	} else {
		add_stage(b, e, STAGE_WHOLE, labels, SHARES);
	}
}

int64_t
layer_batch_draws(const struct layer_batch *b, const struct batch_stage *stage)
{
	return pass_sums_get(
	    b->sums, stage->tag, stage->submit, stage->workload->info.draws);
}

void
layer_batch_describe(const struct layer_batch *b,
    const struct batch_stage *stage, struct workload_slice *s)
{
	s->request = b->rq;
	s->stage = stage != NULL ? stage->stage : STAGE_NONE;
	if (stage == NULL)
		return;
	s->tag = stage->tag;
	s->submit = stage->submit;
	s->execution = stage->execution;
	s->workload = stage->workload;
	s->draws = layer_batch_draws(b, stage);
	s->labels = text_str(&b->texts) + stage->labels;
}

/* The work after which stage i begins, of total. */
static nsec
stage_begin(const struct layer_batch *b, size_t i, nsec total)
{
	if (i >= b->n_stages)
		return total;
	return (
	    nsec)((unsigned __int128)total * b->stages[i].before / b->weight);
}

/* The index of the stage after that much work. The last stage goes on as long
 * as the batch does. */
static size_t
find_stage(const struct layer_batch *b, nsec at, nsec total)
{
	return lower_bound(i, 1, b->n_stages, stage_begin(b, i, total) <= at) -
	    1;
}

const struct batch_stage *
layer_batch_at(const struct layer_batch *b, nsec done)
{
	if (b->n_stages == 0)
		return NULL;
	if (b->total == NSEC_NEVER)
		return b->stages;
	return &b->stages[find_stage(b, done, b->total)];
}

void
workload_slice_describe(const struct workload_slice *s, struct text *out)
{
	struct workload_info info;

	if (s->stage == STAGE_NONE)
		return;
	info = s->workload->info;
	info.draws = s->draws;
	workload_describe(&info, s->labels, out);
	if (s->stage == STAGE_BINNING)
		text_adds(out, ", binning");
}

static void
report_slice(struct layer_listener *l, const struct workload_slice *s)
{
	for (; l != NULL; l = l->next)
		if (l->slice != NULL)
			l->slice(l, s);
}

/* Work done, from one amount to another, and the time that it took. */
struct advance {
	nsec from, to;
	nsec start, end; /* as long as the work, or longer */
};

/* The time at which that much of the work was done, at an even pace. */
static nsec
time_of_work(const struct advance *a, nsec work)
{
	return a->start +
	    (nsec)((unsigned __int128)(work - a->from) * (a->end - a->start) /
		(a->to - a->from));
}

/* Divides the time among the stages. Time without work done is the stage's that
 * was to go on. */
static void
share_advance(struct layer_batch *b, struct workload_slice *s,
    const struct advance *a, nsec total, struct layer_listener *listeners)
{
	size_t k = find_stage(b, a->from, total);
	nsec from = a->from;

	s->end = s->start = a->start;
	while (s->end < a->end) {
		bool last = k + 1 >= b->n_stages || a->from == a->to;
		nsec end = last ? a->to : stage_begin(b, k + 1, total);

		if (end > a->to)
			end = a->to;
		if (end > from || a->from == a->to) {
			layer_batch_describe(b, &b->stages[k], s);
			s->end = end == a->to ? a->end : time_of_work(a, end);
			report_slice(listeners, s);
			s->start = s->end;
			from = end;
		}
		k++;
	}
}

void
layer_batch_settle(struct layer_batch *b, const struct hw_engine *engine,
    nsec now, struct layer_listener *listeners)
{
	const struct request *rq = b->rq;
	nsec ran = rq->run_ns, done = pace_done(rq, now);
	struct workload_slice s = {.engine = engine, .end = now};
	struct advance a = {.from = b->done, .to = done, .end = now};

	if (rq->piece_ns != NSEC_NEVER)
		ran += now - rq->piece_ns;
	if (ran == b->ran)
		return;
	s.start = a.start = now - (ran - b->ran);
	if (b->n_stages == 0) {
		layer_batch_describe(b, NULL, &s);
		report_slice(listeners, &s);
	} else if (b->total == NSEC_NEVER) {
		a.from = 0;
		a.to = ran - b->ran;
		share_advance(b, &s, &a, a.to, listeners);
	} else {
		share_advance(b, &s, &a, b->total, listeners);
	}
	b->ran = ran;
	b->done = done;
}
