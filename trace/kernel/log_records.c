/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The records of a log: timelines get contexts of fences, requests their seqnos
 * and jobs of the DRM scheduler, clients tasks.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "engine/client/client.h"
#include "engine/gpu/request.h"
#include "engine/sched/sched.h"
#include "engine/sim.h"
#include "trace/kernel/log_private.h"

#define FIRST_PID     2000
#define FIRST_CONTEXT 102 /* a job's scheduled fence has the one before */

/* Pointers that a kernel would print. */
#define ENTITY_BASE UINT64_C(0xffff888000000000)
#define ENTITY_SIZE 12 /* bits */
#define FENCE_BASE  UINT64_C(0xffff888100000000)
#define FENCE_SIZE  6 /* bits */

static const struct {
	uint16_t class;
	const char *name;
} kernel_classes[N_CLASSES] = {
    [CLASS_RCS] = {KERNEL_CLASS_RENDER, "rcs"},
    [CLASS_BCS] = {KERNEL_CLASS_COPY, "bcs"},
    [CLASS_VCS] = {KERNEL_CLASS_VIDEO, "vcs"},
    [CLASS_VECS] = {KERNEL_CLASS_VIDEO_ENHANCE, "vecs"},
    [CLASS_CCS] = {KERNEL_CLASS_COMPUTE, "ccs"},
};

/* Tasks. */

/* Takes the letters of name that a task's name may have here. */
static void
set_comm(char *comm, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *end;
	size_t len = 0;

	name = slash != NULL && slash[1] != '\0' ? slash + 1 : name;
	end = strstr(name, ".wsim");
	for (; name != end && *name != '\0' && len < COMM_LEN; name++)
		comm[len++] = isalnum((unsigned char)*name) ||
			strchr("._+-", *name) != NULL
		    ? *name
		    : '_';
	comm[len] = '\0';
}

static void
name_task(
    struct kernel_log *log, struct kernel_task *task, const struct client *c)
{
	const struct output_texts *texts = log->launch.texts;

	text_clear(&log->name);
	if (texts != NULL && texts->title != NULL)
		texts->title(texts, c, &log->name);
	if (log->name.len == 0)
		text_adds(&log->name, c->name);
	set_comm(task->comm, text_str(&log->name));
	/* A text of the command line has no name of its own: "-w". */
	if (task->comm[0] == '\0' || task->comm[0] == '-')
		snprintf(task->comm, sizeof(task->comm), "client");
}

struct kernel_task *
kernel_task_of(struct kernel_log *log, const struct client *c)
{
	struct chain_node *node = chains_find(&log->tasks, c, c->id);
	struct kernel_task *task;

	if (node != NULL)
		return (struct kernel_task *)(void *)node;
	task = mem_calloc(1, sizeof(*task));
	task->node.p = c;
	task->node.n = c->id;
	task->pid = c->pid > 0 && c->pid <= INT32_MAX
	    ? (int32_t)c->pid
	    : FIRST_PID + log->n_tasks++;
	name_task(log, task, c);
	chains_add(&log->tasks, &task->node);
	if (log->task != NULL)
		log->task(log, task->pid, task->comm);
	return task;
}

/* Timelines and jobs. */

static struct kernel_timeline *
timeline_of(struct kernel_log *log, const struct request *rq)
{
	const struct ring *ring = rq->ring;
	struct chain_node *node = chains_find(&log->timelines, ring, rq->row);
	struct kernel_timeline *t = (struct kernel_timeline *)(void *)node;
	uint32_t client = ring->context->client->id;

	if (t == NULL) {
		t = mem_calloc(1, sizeof(*t));
		t->node.p = ring;
		t->node.n = rq->row;
		chains_add(&log->timelines, &t->node);
	} else if (t->client == client && t->serial == ring->context->serial) {
		return t;
	}
	t->client = client;
	t->serial = ring->context->serial;
	t->context = FIRST_CONTEXT + 2 * log->n_timelines++;
	t->n = t->queued = 0;
	return t;
}

struct kernel_job *
kernel_job_of(const struct kernel_log *log, const struct request *rq)
{
	return (struct kernel_job *)(void *)chains_find(
	    &log->jobs, NULL, rq->seq);
}

struct kernel_job *
kernel_job_add(struct kernel_log *log, const struct request *rq)
{
	struct kernel_job *job = mem_calloc(1, sizeof(*job));

	job->node.n = rq->seq;
	job->timeline = timeline_of(log, rq);
	job->id = ++log->n_jobs;
	job->seqno = ++job->timeline->n;
	job->engine = -1;
	chains_add(&log->jobs, &job->node);
	return job;
}

static uint64_t
fence_pointer(const struct kernel_job *job)
{
	return FENCE_BASE | (uint32_t)(job->id << FENCE_SIZE);
}

/* Records. */

struct kernel_record
kernel_record_new(const struct kernel_log *log, enum kernel_event_kind kind,
    const struct kernel_task *task)
{
	return (struct kernel_record){
	    .event = kind,
	    .time_ns = log->launch.past + log->launch.sim->now,
	    .pid = task != NULL ? task->pid : 0,
	    .comm = task != NULL ? task->comm : "<idle>",
	};
}

void
kernel_set_fence(struct kernel_record *r, const struct kernel_job *job)
{
	kernel_set_number(r, KFIELD_CONTEXT, job->timeline->context);
	kernel_set_number(r, KFIELD_SEQNO, job->seqno);
}

/* Returns the engine that rq runs on, or is to run on; NULL: not known yet. */
static const struct hw_engine *
engine_of_job(const struct kernel_log *log, const struct request *rq,
    const struct kernel_job *job)
{
	const struct hw_engine *engines = log->launch.sim->device.engines;

	if (rq->is_virtual && job->engine < 0)
		return (rq->allowed & (rq->allowed - 1)) == 0
		    ? &engines[__builtin_ctzll(rq->allowed)]
		    : NULL;
	if (rq->engine != NULL)
		return rq->engine;
	/* A call that fails ends without an engine. */
	return &engines[rq->is_virtual ? (unsigned)job->engine
				       : rq->ring->def->engine];
}

/* Returns the class of the first engine that rq may run on. */
static unsigned
sibling_class(const struct kernel_log *log, const struct request *rq)
{
	const struct hw_engine *engines = log->launch.sim->device.engines;

	return engines[__builtin_ctzll(rq->allowed)].class;
}

void
kernel_set_engine(const struct kernel_log *log, struct kernel_record *r,
    const struct kernel_job *job, const struct request *rq)
{
	const struct hw_engine *e = engine_of_job(log, rq, job);
	unsigned class = e != NULL ? e->class : sibling_class(log, rq);

	kernel_set_number(r, KFIELD_DEV, 0);
	kernel_set_number(r, KFIELD_CLASS, kernel_classes[class].class);
	kernel_set_number(r, KFIELD_INSTANCE,
	    e != NULL ? e->instance : KERNEL_INSTANCE_VIRTUAL);
}

void
kernel_put_request(struct kernel_log *log, enum kernel_event_kind kind,
    const struct kernel_task *task, const struct kernel_job *job,
    const struct request *rq)
{
	struct kernel_record r = kernel_record_new(log, kind, task);

	if (!kernel_logs(log, KERNEL_I915))
		return;
	kernel_set_engine(log, &r, job, rq);
	kernel_set_fence(&r, job);
	kernel_set_number(&r, KFIELD_TAIL, 0);
	kernel_set_number(&r, KFIELD_FLAGS, 0);
	kernel_set_number(&r, KFIELD_PORT, 0);
	kernel_set_number(&r, KFIELD_PRIORITY, (uint64_t)(int64_t)rq->priority);
	kernel_set_number(
	    &r, KFIELD_COMPLETED, kind == KERNEL_REQUEST_OUT && !job->running);
	log->put(log, &r);
}

struct kernel_ring_name
kernel_ring_name(const struct kernel_log *log, const struct request *rq,
    const struct kernel_job *job)
{
	const struct hw_engine *e = engine_of_job(log, rq, job);
	struct kernel_ring_name name;

	if (e != NULL)
		snprintf(name.text, sizeof(name.text), "%s%u",
		    kernel_classes[e->class].name, e->instance);
	else
		snprintf(name.text, sizeof(name.text), "%s",
		    kernel_classes[sibling_class(log, rq)].name);
	return name;
}

void
kernel_put_fence(struct kernel_log *log, enum kernel_event_kind kind,
    const struct kernel_task *task, const struct kernel_job *job,
    const struct request *rq, bool scheduled)
{
	struct kernel_record r = kernel_record_new(log, kind, task);
	struct kernel_ring_name ring;
	char timeline[COMM_LEN + 16] = "signaled";

	if (!kernel_logs(log, KERNEL_FENCE))
		return;
	kernel_set_fence(&r, job);
	r.numbers[KFIELD_CONTEXT] -= scheduled;
	if (!kernel_logs(log, KERNEL_I915)) {
		ring = kernel_ring_name(log, rq, job);
		kernel_set_text(&r, KFIELD_DRIVER, "drm_sched");
		kernel_set_text(&r, KFIELD_TIMELINE, ring.text);
	} else {
		if (task != NULL)
			snprintf(timeline, sizeof(timeline), "%s[%d]",
			    task->comm, task->pid);
		kernel_set_text(&r, KFIELD_DRIVER, "i915");
		kernel_set_text(&r, KFIELD_TIMELINE, timeline);
	}
	log->put(log, &r);
}

void
kernel_put_job(struct kernel_log *log, enum kernel_event_kind old,
    enum kernel_event_kind new, const struct kernel_task *task,
    const struct kernel_job *job, const struct request *rq)
{
	struct kernel_record r = kernel_record_new(log, old, task);
	struct kernel_ring_name ring = kernel_ring_name(log, rq, job);
	int engine = rq->engine != NULL ? rq->engine->index : -1;

	kernel_set_fence(&r, job);
	kernel_set_text(&r, KFIELD_RING, ring.text);
	kernel_set_text(&r, KFIELD_DEVICE, "0000:00:02.0");
	kernel_set_number(&r, KFIELD_ID, job->id);
	kernel_set_number(&r, KFIELD_FENCE, fence_pointer(job));
	kernel_set_number(&r, KFIELD_ENTITY,
	    ENTITY_BASE | job->timeline->context << ENTITY_SIZE);
	kernel_set_number(&r, KFIELD_JOB_COUNT, job->timeline->queued);
	kernel_set_number(
	    &r, KFIELD_HW_JOB_COUNT, engine >= 0 ? log->running[engine] : 0);
	kernel_set_number(&r, KFIELD_CLIENT, rq->client->id + 1);
	if (kernel_logs(log, KERNEL_DRM))
		log->put(log, &r);
	r.event = new;
	if (kernel_logs(log, KERNEL_DRM_617))
		log->put(log, &r);
}

void
kernel_put_dependencies(struct kernel_log *log, enum kernel_event_kind kind,
    const struct kernel_task *task, const struct kernel_job *job,
    const struct request *rq)
{
	const struct sim *sim = log->launch.sim;
	struct kernel_record r = kernel_record_new(log, kind, task);
	struct kernel_ring_name ring = kernel_ring_name(log, rq, job);

	if (!kernel_logs(log, kernel_events[kind].set))
		return;
	kernel_set_fence(&r, job);
	kernel_set_text(&r, KFIELD_RING, ring.text);
	kernel_set_number(&r, KFIELD_ID, job->id);
	for (size_t i = 0; i < sim->n_deps; i++) {
		const struct dependency *d = &sim->deps[i];
		const struct kernel_job *on = kernel_job_of(log, d->signaler);

		if (on == NULL || d->cause == WAIT_TIMELINE)
			continue;
		kernel_set_number(&r, KFIELD_DEP_CONTEXT,
		    on->timeline->context - (d->cause == WAIT_SUBMIT));
		kernel_set_number(&r, KFIELD_DEP_SEQNO, on->seqno);
		kernel_set_number(&r, KFIELD_DEP_FENCE, fence_pointer(on));
		log->put(log, &r);
	}
}
