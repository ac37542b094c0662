/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A batch of a program: what the command streamer makes of it, on the memory of
 * its address space.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "device/model/model.h"

struct model_batch {
	struct gpu_batch batch; /* first */
	struct model *model;
	struct streamer_context *context;
	struct i915_space *space;
	uint64_t address;
	struct streamer_batch *streamer;
	struct streamer_answer answer; /* the last one */
	bool waits;    /* the last answer before a fault waited */
	bool orphaned; /* it faults at memory of a program that has ended */
};

static struct model_batch *
batch_of(const struct gpu_batch *batch)
{
	return (struct model_batch *)(uintptr_t)batch;
}

/* Memory. */

static void *
space_span(void *data, uint64_t address, size_t *len, bool write)
{
	uint64_t size = 0;
	void *at = i915_space_map(data, address, &size);

	(void)write;
	*len = (size_t)size;
	return at;
}

static bool
space_read(void *data, uint64_t address, void *buf, size_t len)
{
	return i915_space_read(data, address, buf, len);
}

static bool
space_write(void *data, uint64_t address, const void *buf, size_t len)
{
	return i915_space_write(data, address, buf, len);
}

/* Execution. */

static void
begin_streamer(struct model_batch *b)
{
	struct streamer_memory memory = {
	    space_span, space_read, space_write, b->space};

	b->streamer = streamer_begin(
	    &b->model->streamer, b->context, &memory, b->address);
}

/* Returns a step that runs on for ns, with the next preemption point. */
static struct gpu_step
step_of(const struct model_batch *b, enum gpu_step_kind kind, nsec running_ns)
{
	return (struct gpu_step){
	    .kind = kind,
	    .ns = kind == GPU_STEP_RUN ? b->answer.run_ns : 0,
	    .point_ns = streamer_preemptible_after(b->streamer, running_ns),
	    .stored = b->answer.stored,
	};
}

/* The driver has the memory of a program that has ended until the request ends: a
 * wait lasts for ever then, and can be preempted (doc/model/virtual.md "Faults"). */
static struct gpu_step
step_of_fault(struct model_batch *b)
{
	b->orphaned = i915_space_is_gone(b->space, b->answer.address);
	if (!b->orphaned)
		return (struct gpu_step){.kind = GPU_STEP_FAULT};
	return (struct gpu_step){
	    .kind = b->waits ? GPU_STEP_POLL : GPU_STEP_END};
}

static struct gpu_step
streamer_next(struct gpu_batch *batch, const struct gpu_instant *at)
{
	struct model_batch *b = batch_of(batch);

	if (b->answer.verdict <= STREAMER_WAITS)
		b->waits = b->answer.verdict == STREAMER_WAITS;
	b->answer = streamer_run(b->streamer, b->model->engines[at->engine],
	    (struct streamer_time){at->now_ns, at->context_ns},
	    STREAMER_BUDGET);
	switch (b->answer.verdict) {
	case STREAMER_RUNS: return step_of(b, GPU_STEP_RUN, at->context_ns);
	case STREAMER_WAITS:
		return step_of(b,
		    b->answer.wait == STREAMER_SEMAPHORE ? GPU_STEP_WAIT
							 : GPU_STEP_POLL,
		    at->context_ns);
	case STREAMER_ENDED:
		return (struct gpu_step){
		    .kind = GPU_STEP_END, .stored = b->answer.stored};
	case STREAMER_ERROR: return (struct gpu_step){.kind = GPU_STEP_ERROR};
	default: return step_of_fault(b);
	}
}

static bool
streamer_rests_on(struct gpu_batch *batch, const struct gpu_instant *at)
{
	const struct model_batch *b = batch_of(batch);

	return streamer_rests(b->streamer, b->model->engines[at->engine],
	    (struct streamer_time){at->now_ns, at->context_ns});
}

static bool
streamer_is_released_on(struct gpu_batch *batch, const struct gpu_instant *at)
{
	const struct model_batch *b = batch_of(batch);

	return streamer_is_released(b->streamer, b->model->engines[at->engine],
	    (struct streamer_time){at->now_ns, at->context_ns});
}

static void
streamer_waits_for(const struct gpu_batch *batch, struct gpu_wait *wait)
{
	const struct model_batch *b = batch_of(batch);
	const struct streamer_answer *answer = &b->answer;
	struct i915_where where;

	*wait = (struct gpu_wait){
	    .address = answer->address,
	    .found = answer->value,
	    .wanted = answer->wanted,
	    .compare = answer->compare,
	    .is_register = answer->is_register,
	    .never_ends = answer->never_ends,
	};
	if (wait->is_register)
		return;
	where = i915_space_where(b->space, wait->address);
	wait->object = where.object;
	wait->pid = where.pid;
	wait->offset = where.offset;
}

static void
streamer_restart(struct gpu_batch *batch)
{
	struct model_batch *b = batch_of(batch);

	streamer_end(b->streamer);
	b->answer = (struct streamer_answer){.verdict = STREAMER_RUNS};
	b->orphaned = false;
	begin_streamer(b);
}

static void
streamer_words(const struct gpu_batch *batch, char *label, size_t size)
{
	const struct model_batch *b = batch_of(batch);
	const struct streamer_counts *counts = streamer_counts(b->streamer);
	struct text text = {0};
	size_t n;

	if (!b->orphaned &&
	    (b->answer.verdict == STREAMER_FAULT ||
		b->answer.verdict == STREAMER_ERROR))
		streamer_explain(&b->answer, &text);
	else if (!b->orphaned && b->answer.verdict == STREAMER_ENDED &&
	    counts->commands == 1)
		text_adds(&text, VIRTUAL_EMPTY);
	else
		streamer_label(counts, &text);
	n = text.len < size ? text.len : size - 1;
	memcpy(label, text_str(&text), n);
	label[n] = '\0';
	text_free(&text);
}

static void
streamer_media(const struct gpu_batch *batch, struct gpu_media *media)
{
	const struct streamer_counts *counts = streamer_counts(
	    batch_of(batch)->streamer);

	*media = (struct gpu_media){.decoded = counts->frames - counts->coded,
	    .coded = counts->coded,
	    .filtered = counts->filters};
}

static void
streamer_free(struct gpu_batch *batch)
{
	struct model_batch *b = batch_of(batch);

	streamer_counts_add(&b->model->counts, streamer_counts(b->streamer));
	streamer_end(b->streamer);
	free(b);
}

static const struct gpu_batch_ops streamer_ops = {
    .next = streamer_next,
    .rests = streamer_rests_on,
    .is_released = streamer_is_released_on,
    .waits_for = streamer_waits_for,
    .restart = streamer_restart,
    .label = streamer_words,
    .media = streamer_media,
    .free = streamer_free,
};

struct i915_space *
model_batch_space(const struct gpu_batch *batch, uint64_t *address)
{
	const struct model_batch *b = batch_of(batch);

	*address = b->address;
	return b->space;
}

struct gpu_batch *
model_batch(struct gpu *gpu, struct gpu_timeline *t, unsigned row,
    struct i915_space *space, uint64_t address)
{
	struct model_batch *b = mem_calloc(1, sizeof *b);

	b->batch.ops = &streamer_ops;
	b->model = model_of(gpu);
	b->context = t->streamers[row];
	b->space = space;
	b->address = address;
	begin_streamer(b);
	return &b->batch;
}
