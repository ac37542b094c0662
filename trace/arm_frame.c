/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/arm_frame.h"

#include <stdlib.h>

#include "base/mem.h"

void
arm_frame_free(struct arm_frame *f)
{
	free(f->submits);
	free(f->workloads);
	text_free(&f->labels);
	*f = (struct arm_frame){0};
}

void
arm_frame_submit(struct arm_frame *f, uint64_t queue, uint64_t now_ns)
{
	f->submits = mem_grow(
	    f->submits, f->n_submits, &f->cap_submits, sizeof(*f->submits));
	f->submits[f->n_submits++] = (struct arm_submit){
	    queue, now_ns, f->n_workloads};
}

uint64_t
arm_frame_newest(const struct arm_frame *f)
{
	return f->n_workloads > 0 ? f->workloads[f->n_workloads - 1].newest : 0;
}

void
arm_frame_workload(struct arm_frame *f, const struct arm_workload *w)
{
	size_t n = f->n_workloads;
	uint64_t before = arm_frame_newest(f);

	f->workloads = mem_grow(
	    f->workloads, n, &f->cap_workloads, sizeof(*f->workloads));
	f->workloads[f->n_workloads++] = (struct arm_kept){
	    .tag = w->tag,
	    .submit = w->submit,
	    .newest = w->submit > before ? w->submit : before,
	    .info = w->info,
	    .labels = f->labels.len,
	    .labels_len = w->labels_len,
	    .waits = w->waits,
	};
	f->n_waiting += w->waits;
	text_add(&f->labels, w->labels, w->labels_len);
}

void
arm_frame_clear(struct arm_frame *f)
{
	f->n_submits = f->n_workloads = f->n_waiting = 0;
	text_clear(&f->labels);
}

/* How many were there before anything newer than this. */
static size_t
count_up_to(const struct arm_frame *f, uint64_t submit)
{
	size_t low = 0, high = f->n_workloads;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->workloads[middle].newest <= submit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct workload_info *
arm_frame_known(struct arm_frame *f, uint64_t tag, uint64_t submit)
{
	size_t i = count_up_to(f, submit);

	for (; i > 0 && f->workloads[i - 1].newest == submit; i--) {
		struct arm_kept *w = &f->workloads[i - 1];

		if (w->tag != tag || w->submit != submit || !w->waits)
			continue;
		w->waits = false;
		f->n_waiting--;
		return &w->info;
	}
	return NULL;
}

size_t
arm_submit_end(const struct arm_frame *f, size_t submit)
{
	return submit + 1 < f->n_submits ? f->submits[submit + 1].first
					 : f->n_workloads;
}
