/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches in flight, reported to a listener that begins late: their render
 * stages come later, and belong to submissions that it has not seen.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trace/layer_private.h"

void
in_flight_add(struct in_flight *f, const struct flying *one)
{
	f->list = mem_grow(f->list, f->n, &f->cap, sizeof(*f->list));
	f->list[f->n++] = *one;
}

/* By device, then in the order of submission. */
static int
compare_flying(const void *a, const void *b)
{
	const struct flying *x = a, *y = b;
	uint64_t p = x->device, q = y->device;

	if (p == q) {
		p = x->batch->rq->seq;
		q = y->batch->rq->seq;
	}
	return p < q ? -1 : p > q;
}

/* True for the first stage of an execution that is in flight: a render pass has
 * two stages, and parts in later batches. */
static bool
is_first_stage(const struct in_flight *f, size_t i, size_t k)
{
	uint64_t execution = f->list[i].batch->stages[k].execution;

	for (size_t n = i + 1; n > 0; n--) {
		const struct layer_batch *b = f->list[n - 1].batch;
		size_t end = n - 1 < i ? b->n_stages : k;

		if (f->list[n - 1].device != f->list[i].device)
			break;
		for (size_t m = 0; m < end; m++)
			if (b->stages[m].execution == execution)
				return false;
	}
	return true;
}

/* The draws of a pass in parts that has ended are not reported again. */
static void
report_draws(const struct flying *one, const struct batch_stage *stage,
    struct layer_listener *listener)
{
	const struct queue_pass *open = one->open;

	if (!stage->workload->split ||
	    (open != NULL && open->workload == stage->workload &&
		open->submit == stage->submit))
		return;
	listener->known(listener, one->device, stage->workload, stage->submit,
	    layer_batch_draws(one->batch, stage));
}

static void
report_flying(
    const struct in_flight *f, size_t i, struct layer_listener *listener)
{
	const struct flying *one = &f->list[i];
	const struct layer_batch *b = one->batch;

	listener->submitted(listener, one->device, b->queue, one->at);
	for (size_t k = 0; k < b->n_stages; k++) {
		const struct batch_stage *stage = &b->stages[k];
		const char *labels = text_str(&b->texts) + stage->labels;
		const struct execution e = {
		    .workload = stage->workload,
		    .part = stage->workload,
		    .submit = stage->submit,
		    .in = stage->submit,
		    .number = stage->execution,
		    .labels = labels,
		    .labels_len = (uint32_t)strlen(labels),
		};

		if (!is_first_stage(f, i, k))
			continue;
		listener->executed(listener, one->device, &e);
		report_draws(one, stage, listener);
	}
}

void
in_flight_report(struct in_flight *f, struct layer_listener *listener)
{
	if (f->n > 1)
		qsort(f->list, f->n, sizeof(*f->list), compare_flying);
	for (size_t i = 0; i < f->n; i++) {
		const struct flying *one = &f->list[i];
		bool last = i + 1 == f->n || one[1].device != one->device;
		uint64_t next = last ? one->current : one[1].frame;

		report_flying(f, i, listener);
		if (next > one->frame)
			listener->framed(listener, one->device, one->frame + 1);
	}
	free(f->list);
	*f = (struct in_flight){0};
}
