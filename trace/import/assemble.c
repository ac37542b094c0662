/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From events to jobs: those of i915 and of fences here, those of the DRM
 * scheduler in assemble_sched.c (doc/model/import.md "Requests").
 */
#include <string.h>

#include "trace/import/import_private.h"

/* A clock that goes back or on by more is another boot, or was set. */
#define MOST_BACK (50 * NSEC_PER_MSEC)
#define MOST_ON   (600 * NSEC_PER_SEC)

static const char pids[1];

static bool
begins_with(struct slice s, const char *prefix)
{
	size_t len = strlen(prefix);

	return s.len >= len && memcmp(s.s, prefix, len) == 0;
}

struct job_client *
assemble_client(struct import *im, const struct read_event *e)
{
	int64_t pid = e->tgid > 0 ? e->tgid : e->pid;
	struct job_client *c = import_job_client(im, pids, (uint64_t)pid);

	if (c->comm != NULL)
		return c;
	c->pid = pid;
	c->comm = arena_copy(&im->arena, e->comm.s, e->comm.len);
	c->is_kernel = pid == 0 || begins_with(e->comm, "kworker/");
	return c;
}

/* Classes of the uAPI, and numbers of engines before Linux 4.17. */
static uint8_t
i915_engine(const struct read_event *e)
{
	static const uint8_t classes[] = {
	    CLASS_RCS, CLASS_BCS, CLASS_VCS, CLASS_VECS, CLASS_CCS};
	static const uint8_t numbers[] = {
	    [0] = CLASS_RCS * INFER_MAX_INSTANCES,
	    [1] = CLASS_BCS * INFER_MAX_INSTANCES,
	    [2] = CLASS_VCS * INFER_MAX_INSTANCES,
	    [3] = CLASS_VCS * INFER_MAX_INSTANCES + 1,
	    [4] = CLASS_VECS * INFER_MAX_INSTANCES,
	};
	uint64_t n;

	if (event_has(e, KFIELD_CLASS)) {
		n = e->numbers[KFIELD_INSTANCE];
		if (e->numbers[KFIELD_CLASS] >= sizeof(classes) ||
		    n >= INFER_MAX_INSTANCES)
			return NO_ENGINE;
		return (uint8_t)(classes[e->numbers[KFIELD_CLASS]] *
			INFER_MAX_INSTANCES +
		    n);
	}
	n = e->numbers[READ_RING_NUMBER];
	return event_has(e, READ_RING_NUMBER) && n < sizeof(numbers)
	    ? numbers[n]
	    : NO_ENGINE;
}

/* A job that is queued or added under a number. The number of one that was added
 * already, or of another client's queue, is used again. */
static void
begin_i915_job(struct import *im, const struct read_event *e, bool is_add)
{
	uint64_t number = import_i915_number(
	    im->device, e->numbers[KFIELD_CONTEXT]);
	uint64_t seqno = e->numbers[KFIELD_SEQNO];
	struct job_line *line = import_job_line(im, FAMILY_I915, number, true);
	struct job *job = import_job_find(im, FAMILY_I915, number, seqno);

	if (job != NULL && job->added) {
		im->counts.n_recycled++;
		chains_remove(&im->lines_by_number, &line->node);
		line = import_job_line(im, FAMILY_I915, number, true);
		job = NULL;
	}
	if (line->client == NULL)
		line->client = assemble_client(im, e);
	if (job == NULL) {
		job = import_job_new(im, line, seqno);
		job->node.p = line;
		job->node.n = seqno;
		job->listed = true;
		chains_add(&im->by_number, &job->node);
	}
	import_job_on(im, job, i915_engine(e));
	job->added = is_add;
	job->added_ns = e->time;
}

static struct job *
find_i915_job(struct import *im, const struct read_event *e)
{
	struct job *job = import_job_find(im, FAMILY_I915,
	    import_i915_number(im->device, e->numbers[KFIELD_CONTEXT]),
	    e->numbers[KFIELD_SEQNO]);

	im->counts.n_unknown += job == NULL;
	return job;
}

static void
take_i915_in(struct import *im, struct job *job, const struct read_event *e)
{
	int64_t priority = (int64_t)e->numbers[KFIELD_PRIORITY];

	im->any_in = true;
	if (job->on_engine && i915_engine(e) != job->engine)
		on_engine_out(im, job, e->time, false);
	import_job_on(im, job, i915_engine(e));
	if (event_has(e, KFIELD_PRIORITY) && priority >= -1023 &&
	    priority <= 1023) {
		/* Others that wait for a job raise its priority. */
		if (job->priority == INFER_NO_PRIORITY ||
		    priority < job->priority)
			job->priority = (int16_t)priority;
		if (job->line->priority == INFER_NO_PRIORITY ||
		    priority < job->line->priority)
			job->line->priority = (int16_t)priority;
	}
	if (job->ready_ns == NSEC_NEVER)
		job->ready_ns = e->time;
	if (!job->ended && job->engine != NO_ENGINE)
		on_engine_in(im, job, e->time);
}

static void
end_traced_job(struct import *im, struct job *job, nsec now)
{
	if (job->ended)
		return;
	if (job->on_engine)
		on_engine_out(im, job, now, true);
	job->ended = true;
	job->end_ns = now;
}

static void
take_i915_out(struct import *im, struct job *job, const struct read_event *e)
{
	bool completed = !event_has(e, KFIELD_COMPLETED) ||
	    e->numbers[KFIELD_COMPLETED] != 0;

	im->any_out = true;
	if (completed)
		end_traced_job(im, job, e->time);
	else if (job->on_engine)
		on_engine_out(im, job, e->time, false);
}

/* A fence's event names no GPU. */
static struct job *
find_fence_job(
    const struct import *im, enum family family, const struct read_event *e)
{
	uint64_t context = e->numbers[KFIELD_CONTEXT];
	uint64_t seqno = e->numbers[KFIELD_SEQNO];

	return family == FAMILY_I915
	    ? import_job_find_i915(im, context, seqno)
	    : import_job_find(im, family, context, seqno);
}

/* The fence's context says whose it is: contexts are unique among all drivers.
 * A job of the DRM scheduler's before 6.17 has its own event. */
static void
signal_fence(struct import *im, const struct read_event *e)
{
	static const enum family families[] = {
	    FAMILY_I915, FAMILY_617, FAMILY_AMDGPU};

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		struct job *job = find_fence_job(im, families[i], e);

		if (job != NULL)
			end_traced_job(im, job, e->time);
	}
	if (im->any_xe && !im->any_xe_signal &&
	    begins_with(e->texts[READ_DRIVER], "xe"))
		assemble_xe_fence(im, e);
}

static struct job *
find_waited_job(struct import *im, const struct read_event *e)
{
	static const enum family families[] = {
	    FAMILY_I915, FAMILY_617, FAMILY_AMDGPU};
	struct job *job = NULL;

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (job == NULL)
			job = find_fence_job(im, families[i], e);
	return job;
}

static void
begin_job_wait(struct import *im, const struct read_event *e)
{
	const struct job *job = find_waited_job(im, e);

	if (job == NULL)
		return;
	im->waits = mem_grow(
	    im->waits, im->n_waits, &im->cap_waits, sizeof(*im->waits));
	im->waits[im->n_waits++] = (struct job_wait){.job = job->index,
	    .pid = e->pid,
	    .from_ns = e->time,
	    .to_ns = NSEC_NEVER};
}

/* A task waits for one fence at a time, so its wait is among the latest. */
static void
end_job_wait(struct import *im, const struct read_event *e)
{
	for (size_t i = im->n_waits; i-- > im->first_open_wait;) {
		struct job_wait *w = &im->waits[i];

		if (w->pid != e->pid || w->to_ns != NSEC_NEVER)
			continue;
		w->to_ns = e->time;
		break;
	}
	while (im->first_open_wait < im->n_waits &&
	    (im->waits[im->first_open_wait].to_ns != NSEC_NEVER ||
		im->n_waits - im->first_open_wait > 4096))
		im->first_open_wait++;
}

static void
assemble_i915(struct import *im, const struct read_event *e)
{
	struct job *job = find_i915_job(im, e);

	if (job == NULL)
		return;
	switch (e->kind) {
	case KERNEL_REQUEST_SUBMIT:
		job->ready_ns = nsec_earlier(job->ready_ns, e->time);
		break;
	case KERNEL_REQUEST_IN: take_i915_in(im, job, e); break;
	case KERNEL_REQUEST_OUT: take_i915_out(im, job, e); break;
	case KERNEL_REQUEST_RETIRE:
		job->retired_ns = e->time;
		if (job->on_engine)
			on_engine_out(im, job, e->time, true);
		break;
	default: break;
	}
}

static void
look_at_clock(struct import *im, nsec now)
{
	if (im->any_event &&
	    (now + MOST_BACK < im->last_ns || now > im->last_ns + MOST_ON))
		import_job_begin_part(im);
	else if (now < im->last_ns)
		im->counts.n_backwards++;
	im->any_event = true;
	im->last_ns = now;
}

static void
look_for_mark(struct import *im, const struct read_event *e)
{
	const char *wanted = im->options.frame_on;

	if (wanted == NULL || strlen(wanted) != e->name.len ||
	    memcmp(wanted, e->name.s, e->name.len) != 0)
		return;
	im->marks = mem_grow(
	    im->marks, im->n_marks, &im->cap_marks, sizeof(*im->marks));
	im->marks[im->n_marks++] = (struct frame_mark){e->time, im->part};
}

void
assemble_event(struct import *im, const struct read_event *e)
{
	im->counts.n_events++;
	look_at_clock(im, e->time);
	look_for_mark(im, e);
	others_count(im, e);
	if (!devices_choose(im, e)) {
		im->counts.n_unknown_device++;
		return;
	}
	switch (e->kind) {
	case KERNEL_REQUEST_QUEUE: begin_i915_job(im, e, false); break;
	case KERNEL_REQUEST_ADD: begin_i915_job(im, e, true); break;
	case KERNEL_REQUEST_SUBMIT:
	case KERNEL_REQUEST_IN:
	case KERNEL_REQUEST_OUT:
	case KERNEL_REQUEST_RETIRE: assemble_i915(im, e); break;
	case KERNEL_FENCE_SIGNALED: signal_fence(im, e); break;
	case KERNEL_REQUEST_WAIT_BEGIN:
	case KERNEL_FENCE_WAIT_START: begin_job_wait(im, e); break;
	case KERNEL_REQUEST_WAIT_END:
	case KERNEL_FENCE_WAIT_END: end_job_wait(im, e); break;
	default:
		if (!assemble_sched(im, e) && !assemble_xe(im, e))
			assemble_msm(im, e);
		break;
	}
}
