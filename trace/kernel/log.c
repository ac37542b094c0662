/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs a run as a kernel does: doc/model/traces.md "A run as events". */
#include "trace/kernel/log.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "engine/client/client.h"
#include "engine/client/walker.h"
#include "engine/gpu/request.h"
#include "engine/sched/sched.h"
#include "engine/sim.h"
#include "trace/kernel/log_private.h"

static struct kernel_log *
kernel_log_of(struct observer *o)
{
	return container_of(o, struct kernel_log, observer);
}

static void
kernel_on_submitted(struct observer *o, struct request *rq)
{
	struct kernel_log *log = kernel_log_of(o);
	const struct kernel_task *task;
	struct kernel_job *job;

	/* A call that failed was for a request without a ring. */
	if (rq->ring == NULL)
		return;
	task = kernel_task_of(log, rq->client);
	job = kernel_job_add(log, rq);
	kernel_put_fence(log, KERNEL_FENCE_INIT, task, job, rq, false);
	kernel_put_request(log, KERNEL_REQUEST_QUEUE, task, job, rq);
	kernel_put_request(log, KERNEL_REQUEST_ADD, task, job, rq);
	kernel_put_dependencies(log, KERNEL_JOB_ADD_DEP, task, job, rq);
	kernel_put_job(log, KERNEL_SCHED_JOB, KERNEL_JOB_QUEUE, task, job, rq);
	kernel_put_dependencies(log, KERNEL_JOB_WAIT_DEP, NULL, job, rq);
	kernel_put_dependencies(log, KERNEL_JOB_UNSCHEDULABLE, NULL, job, rq);
	kernel_put_fence(log, KERNEL_FENCE_ENABLE_SIGNAL, task, job, rq, false);
	job->timeline->queued++;
}

static void
kernel_on_ready(
    struct observer *o, struct request *rq, const struct fence *last)
{
	struct kernel_log *log = kernel_log_of(o);

	(void)last;
	for (; rq != NULL; rq = rq->next_row) {
		const struct kernel_job *job = kernel_job_of(log, rq);

		if (job == NULL)
			continue;
		kernel_put_request(log, KERNEL_REQUEST_SUBMIT, NULL, job, rq);
		if (!log->guc)
			continue;
		kernel_put_request(
		    log, KERNEL_REQUEST_GUC_SUBMIT, NULL, job, rq);
		if (!rq->is_virtual)
			kernel_put_request(
			    log, KERNEL_REQUEST_IN, NULL, job, rq);
	}
}

/* The batch of rq begins for the first time. */
static void
begin_job(
    struct kernel_log *log, struct kernel_job *job, const struct request *rq)
{
	job->engine = rq->engine->index;
	job->timeline->queued -= job->timeline->queued > 0;
	kernel_put_job(log, KERNEL_RUN_JOB, KERNEL_JOB_RUN, NULL, job, rq);
	log->running[job->engine]++;
	if (!kernel_logs(log, KERNEL_I915))
		kernel_put_fence(
		    log, KERNEL_FENCE_SIGNALED, NULL, job, rq, true);
}

static void
kernel_on_began(struct observer *o, struct request *rq)
{
	struct kernel_log *log = kernel_log_of(o);
	struct kernel_job *job = kernel_job_of(log, rq);
	bool first = job != NULL && job->engine < 0;

	if (job == NULL)
		return;
	if (first)
		begin_job(log, job, rq);
	job->running = true;
	if (!log->guc || (first && rq->is_virtual))
		kernel_put_request(log, KERNEL_REQUEST_IN, NULL, job, rq);
}

static void
kernel_on_left(struct observer *o, const struct hw_engine *e,
    struct request *rq, enum leaving why, const struct request *by)
{
	struct kernel_log *log = kernel_log_of(o);
	struct kernel_job *job = kernel_job_of(log, rq);

	(void)e;
	(void)by;
	if (job == NULL || !job->running)
		return;
	job->running = why != LEAVING_ENDED;
	if (!log->guc)
		kernel_put_request(log, KERNEL_REQUEST_OUT, NULL, job, rq);
	job->running = false;
}

static void
kernel_on_ended(struct observer *o, struct request *rq)
{
	struct kernel_log *log = kernel_log_of(o);
	struct kernel_job *job = kernel_job_of(log, rq);

	if (job == NULL)
		return;
	if (job->engine >= 0)
		log->running[job->engine]--;
	else
		job->timeline->queued -= job->timeline->queued > 0;
	kernel_put_fence(log, KERNEL_FENCE_SIGNALED, NULL, job, rq, false);
	kernel_put_job(log, KERNEL_PROCESS_JOB, KERNEL_JOB_DONE, NULL, job, rq);
	kernel_put_request(log, KERNEL_REQUEST_RETIRE, NULL, job, rq);
	chains_remove(&log->jobs, &job->node);
	free(job);
}

/* Returns the request that was submitted last of those that the client waits
 * for; NULL: none. */
static const struct request *
waited_for(const struct client *c)
{
	const struct request *last = NULL;

	for (const struct waiter *w = client_waits(c); w != NULL;
	     w = w->next_of_owner) {
		const struct request *rq = w->fence != NULL &&
			!fence_signalled(w->fence)
		    ? fence_request(w->fence)
		    : NULL;

		if (rq != NULL && (last == NULL || rq->seq > last->seq))
			last = rq;
	}
	return last;
}

/* A thread begins to wait for rq: i915's event, or dma_fence's. */
static void
kernel_on_blocked(struct observer *o, struct client *c)
{
	struct kernel_log *log = kernel_log_of(o);
	const struct request *rq = c->state == CLIENT_WAITING ||
		c->state == CLIENT_RING_FULL
	    ? waited_for(c)
	    : NULL;
	const struct kernel_job *job = rq != NULL ? kernel_job_of(log, rq)
						  : NULL;
	struct kernel_task *task;
	struct kernel_ring_name ring;

	if (job == NULL)
		return;
	task = kernel_task_of(log, c);
	task->wait = kernel_record_new(log,
	    kernel_logs(log, KERNEL_I915) && !log->fence_waits
		? KERNEL_REQUEST_WAIT_BEGIN
		: KERNEL_FENCE_WAIT_START,
	    task);
	ring = kernel_ring_name(log, rq, job);
	kernel_set_engine(log, &task->wait, job, rq);
	kernel_set_fence(&task->wait, job);
	kernel_set_number(&task->wait, KFIELD_FLAGS, 1);
	kernel_set_text(&task->wait, KFIELD_DRIVER, "drm_sched");
	kernel_set_text(&task->wait, KFIELD_TIMELINE, ring.text);
	log->put(log, &task->wait);
	/* The ring's name does not live on. */
	kernel_set_text(&task->wait, KFIELD_TIMELINE, "signaled");
}

static void
kernel_on_resumed(struct observer *o, struct client *c)
{
	struct kernel_log *log = kernel_log_of(o);
	struct kernel_task *task = (struct kernel_task *)(void *)chains_find(
	    &log->tasks, c, c->id);

	if (task == NULL || task->wait.numbers[KFIELD_SEQNO] == 0)
		return;
	task->wait.event = task->wait.event == KERNEL_REQUEST_WAIT_BEGIN
	    ? KERNEL_REQUEST_WAIT_END
	    : KERNEL_FENCE_WAIT_END;
	task->wait.time_ns = log->launch.past + log->launch.sim->now;
	log->put(log, &task->wait);
	task->wait.numbers[KFIELD_SEQNO] = 0;
}

void
kernel_log_watch(struct kernel_log *log, const struct output_launch *launch)
{
	log->launch = *launch;
	log->guc = launch->sim->config.sched == &sched_guc;
	memset(log->running, 0, sizeof(log->running));
	log->observer = (struct observer){
	    .submitted = kernel_on_submitted,
	    .ready = kernel_on_ready,
	    .began = kernel_on_began,
	    .left = kernel_on_left,
	    .ended = kernel_on_ended,
	    .blocked = kernel_on_blocked,
	    .resumed = kernel_on_resumed,
	};
	sim_add_observer(launch->sim, &log->observer);
}

static void
free_node(struct chain_node *node)
{
	free(node);
}

void
kernel_log_leave(struct kernel_log *log)
{
	if (log->launch.sim == NULL)
		return;
	sim_remove_observer(log->launch.sim, &log->observer);
	chains_sweep(&log->jobs, NULL, NULL, free_node);
	chains_sweep(&log->timelines, NULL, NULL, free_node);
	chains_sweep(&log->tasks, NULL, NULL, free_node);
	log->launch.sim = NULL;
}

void
kernel_log_free(struct kernel_log *log)
{
	chains_free(&log->jobs);
	chains_free(&log->timelines);
	chains_free(&log->tasks);
	text_free(&log->name);
}

bool
kernel_sets_read(const char *list, unsigned *sets, struct text *err)
{
	static const struct {
		const char *name;
		enum kernel_set set;
	} names[] = {
	    {"i915", KERNEL_I915},
	    {"drm", KERNEL_DRM},
	    {"drm617", KERNEL_DRM_617},
	};

	*sets = 1u << KERNEL_FENCE;
	for (const char *at = list;; at += strcspn(at, ",") + 1) {
		size_t len = strcspn(at, ","), i = 0;

		while (i < 3 &&
		    (strlen(names[i].name) != len ||
			memcmp(names[i].name, at, len) != 0))
			i++;
		if (i == 3) {
			text_adds(err, "invalid events '");
			text_add_visible(err, at, len);
			text_adds(err,
			    "': expected a list of i915, drm and drm617, e.g. "
			    "i915,drm617");
			return false;
		}
		*sets |= 1u << names[i].set;
		if (at[len] == '\0')
			return true;
	}
}
