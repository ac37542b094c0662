/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From events of the DRM scheduler, of both ages, and of amdgpu to jobs
 * (doc/model/import.md "Requests"). Before Linux 6.17 a job is known by the
 * address of its fence, which is used again after its end; since then by its
 * fence's context and seqno.
 */
#include <string.h>

#include "base/util.h"
#include "trace/import/import_private.h"

static const char client_ids[1];

static void
take_ring(struct import *im, struct job *job, struct slice ring, bool runs)
{
	if (ring.len > 0 && !assemble_xe_ring(im, job, ring, runs))
		import_job_on(
		    im, job, rings_engine(im, job->line->device, ring));
}

void
assemble_list_number(struct import *im, struct job *job)
{
	job->node.p = job->line;
	job->node.n = job->seqno;
	job->listed = true;
	chains_add(&im->by_number, &job->node);
}

/* A job by its number that is told of before it is queued, or is queued now. */
static struct job *
numbered_job(struct import *im, enum family family, const struct read_event *e)
{
	uint64_t number = e->numbers[KFIELD_CONTEXT];
	uint64_t seqno = e->numbers[KFIELD_SEQNO];
	struct job_line *line = import_job_line(im, family, number, true);
	struct job *job = import_job_find(im, family, number, seqno);

	if (job != NULL && !job->added)
		return job;
	if (job != NULL) {
		im->counts.n_recycled++;
		chains_remove(&im->lines_by_number, &line->node);
		line = import_job_line(im, family, number, true);
	}
	job = import_job_new(im, line, seqno);
	assemble_list_number(im, job);
	return job;
}

/* drm-client-id is of a file that a process opened; 0: the kernel's. */
static struct job_client *
client_of_job(struct import *im, const struct read_event *e)
{
	struct job_client *task = assemble_client(im, e), *c;

	if (!event_has(e, KFIELD_CLIENT) || e->numbers[KFIELD_CLIENT] == 0)
		return task;
	c = import_job_client(im, client_ids, e->numbers[KFIELD_CLIENT]);
	if (c->comm == NULL) {
		c->comm = task->comm;
		c->pid = task->pid;
	}
	return c;
}

static void
queue_job(struct import *im, struct job *job, const struct read_event *e,
    struct slice ring)
{
	if (job->line->client == NULL)
		job->line->client = client_of_job(im, e);
	if (job->line->device == 0)
		job->line->device = im->device;
	job->asked_unnamed = job->line->device == 0;
	take_ring(im, job, ring, false);
	job->added = true;
	job->added_ns = e->time;
}

void
assemble_run_job(struct import *im, struct job *job, nsec now)
{
	im->counts.n_unknown += job == NULL;
	if (job == NULL)
		return;
	job->start_ns = nsec_earlier(job->start_ns, now);
	job->ready_ns = job->start_ns;
}

/* A GPU may be named when a job runs, and not before. */
static void
learn_device(struct import *im, struct job *job, struct slice ring)
{
	if (!job->asked_unnamed || im->device == 0)
		return;
	if (job->line->device == 0)
		job->line->device = im->device;
	if (job->asked != NO_ENGINE && job->asked == rings_engine(im, 0, ring))
		job->asked = rings_engine(im, job->line->device, ring);
	job->asked_unnamed = false;
}

static void
run_on_ring(struct import *im, struct job *job, const struct read_event *e,
    struct slice ring)
{
	assemble_run_job(im, job, e->time);
	if (job == NULL)
		return;
	learn_device(im, job, ring);
	take_ring(im, job, ring, true);
}

void
assemble_done_job(struct import *im, struct job *job, nsec now)
{
	im->counts.n_unknown += job == NULL;
	if (job == NULL || job->ended)
		return;
	job->ended = true;
	job->end_ns = now;
}

static struct job *
find_numbered(struct import *im, enum family family, const struct read_event *e)
{
	return import_job_find(
	    im, family, e->numbers[KFIELD_CONTEXT], e->numbers[KFIELD_SEQNO]);
}

/* A job has two fences: the one that it was handed over has the number before that
 * of its end. */
static void
add_dep_617(struct import *im, const struct read_event *e)
{
	uint64_t context = e->numbers[KFIELD_DEP_CONTEXT];
	uint64_t seqno = e->numbers[KFIELD_DEP_SEQNO];
	const struct job *on = import_job_find(im, FAMILY_617, context, seqno);
	enum infer_dep_kind kind = INFER_DATA;
	struct job *job = numbered_job(im, FAMILY_617, e);

	im->any_dep_617 = true;
	if (on == NULL) {
		on = import_job_find(im, FAMILY_617, context + 1, seqno);
		kind = INFER_SUBMIT;
	}
	if (on != NULL && on != job)
		import_job_add_dep(im, job, on, kind);
}

/* By its fence's address */

static struct job *
fence_job(struct import *im, const struct read_event *e)
{
	struct chain_node *node = chains_find(
	    &im->by_fence, NULL, e->numbers[KFIELD_FENCE]);

	return node != NULL ? container_of(node, struct job, node) : NULL;
}

/* The name of a ring, the same for equal names. */
static const void *
ring_key(struct import *im, struct slice ring)
{
	uint8_t engine = rings_engine(im, im->device, ring);

	return &im->devices[im->device]
		    ->engines[engine < N_CLASSES * INFER_MAX_INSTANCES ? engine
								       : 0];
}

static void
list_fence(struct import *im, struct job *job, const struct read_event *e)
{
	const void *ring = ring_key(im, e->texts[READ_RING]);
	uint64_t id = e->numbers[KFIELD_ID];
	struct chain_node *same = chains_find(&im->by_id, ring, id);

	job->fence = e->numbers[KFIELD_FENCE];
	job->node.n = job->fence;
	job->listed = true;
	chains_add(&im->by_fence, &job->node);
	if (same != NULL)
		import_job_forget(im, container_of(same, struct job, id_node));
	if (!event_has(e, KFIELD_ID))
		return;
	job->id_node.p = ring;
	job->id_node.n = id;
	job->id_listed = true;
	chains_add(&im->by_id, &job->id_node);
}

static void
queue_old(struct import *im, const struct read_event *e)
{
	struct job_line *line = import_job_line(
	    im, FAMILY_OLD, e->numbers[KFIELD_ENTITY], true);
	struct job *live = fence_job(im, e), *job;

	if (live != NULL) {
		im->counts.n_recycled++;
		import_job_forget(im, live);
	}
	if (line->client != NULL && line->client != assemble_client(im, e)) {
		chains_remove(&im->lines_by_number, &line->node);
		line = import_job_line(
		    im, FAMILY_OLD, e->numbers[KFIELD_ENTITY], true);
	}
	job = import_job_new(im, line, ++line->last_seqno);
	list_fence(im, job, e);
	queue_job(im, job, e, e->texts[READ_RING]);
}

static void
done_old(struct import *im, const struct read_event *e)
{
	struct job *job = fence_job(im, e);

	assemble_done_job(im, job, e->time);
	if (job != NULL)
		import_job_forget(im, job);
}

static void
add_dep_old(struct import *im, const struct read_event *e)
{
	struct chain_node *node = chains_find(&im->by_id,
	    ring_key(im, e->texts[READ_RING]), e->numbers[KFIELD_ID]);
	const struct job *on = fence_job(im, e);

	if (node != NULL && on != NULL)
		import_job_add_dep(im, container_of(node, struct job, id_node),
		    on, INFER_DATA);
}

bool
assemble_sched(struct import *im, const struct read_event *e)
{
	struct slice ring = e->texts[READ_RING];
	struct slice timeline = e->texts[READ_TIMELINE];

	switch (e->kind) {
	case KERNEL_JOB_QUEUE:
		queue_job(im, numbered_job(im, FAMILY_617, e), e, ring);
		break;
	case KERNEL_JOB_RUN:
		run_on_ring(im, find_numbered(im, FAMILY_617, e), e, ring);
		break;
	case KERNEL_JOB_DONE:
		assemble_done_job(
		    im, find_numbered(im, FAMILY_617, e), e->time);
		break;
	case KERNEL_JOB_ADD_DEP: add_dep_617(im, e); break;
	case KERNEL_SCHED_JOB: queue_old(im, e); break;
	case KERNEL_RUN_JOB: run_on_ring(im, fence_job(im, e), e, ring); break;
	case KERNEL_PROCESS_JOB: done_old(im, e); break;
	case KERNEL_JOB_WAIT_DEP: add_dep_old(im, e); break;
	case READ_AMDGPU_CS:
		queue_job(im, numbered_job(im, FAMILY_AMDGPU, e), e, timeline);
		break;
	case READ_AMDGPU_RUN:
		run_on_ring(
		    im, find_numbered(im, FAMILY_AMDGPU, e), e, timeline);
		break;
	default: return false;
	}
	return true;
}
