/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From msm's own events to jobs (doc/model/import.md "Requests"): the only ones
 * with times of the GPU's clock, of 19.2 MHz. When a job is handed over, both
 * clocks are known.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "trace/import/import_private.h"

/* By which the GPU's times may be outside the kernel's. */
#define MSM_TOLERANCE NSEC_PER_MSEC

static const char msm_ids[1];

static uint64_t
msm_id(const struct read_event *e)
{
	return (uint32_t)e->numbers[KFIELD_ID];
}

static struct job *
find_msm_job(struct import *im, const struct read_event *e)
{
	struct chain_node *node = chains_find(&im->by_id, msm_ids, msm_id(e));

	im->counts.n_unknown += node == NULL;
	return node != NULL ? container_of(node, struct job, id_node) : NULL;
}

/* Rings are priorities: all have the one engine of the GPU, unless a rule of the
 * user's says otherwise. */
static uint8_t
msm_engine(struct import *im, const struct read_event *e)
{
	char ring[32];

	snprintf(ring, sizeof(ring), "gpu-ring-%" PRIu32,
	    (uint32_t)e->numbers[READ_RING_NUMBER]);
	return rings_engine(im, im->device, (struct slice){ring, strlen(ring)});
}

static void
submit_msm(struct import *im, const struct read_event *e)
{
	struct job_client *client = assemble_client(im, e);
	uint64_t number = (uint64_t)client->index << 32 |
	    (uint32_t)e->numbers[READ_RING_NUMBER];
	struct job_line *line = import_job_line(im, FAMILY_MSM, number, true);
	struct chain_node *node = chains_find(&im->by_id, msm_ids, msm_id(e));
	struct job *job;

	if (node != NULL) {
		im->counts.n_recycled++;
		import_job_forget(im, container_of(node, struct job, id_node));
	}
	line->client = client;
	job = import_job_new(im, line, ++line->last_seqno);
	job->id_node.p = msm_ids;
	job->id_node.n = msm_id(e);
	job->id_listed = true;
	chains_add(&im->by_id, &job->id_node);
	import_job_on(im, job, msm_engine(im, e));
	job->added = true;
	job->added_ns = e->time;
}

static nsec
msm_ticks(const struct read_event *e, unsigned number)
{
	uint64_t ticks = e->numbers[number];

	return ticks / 192 * 10000 + ticks % 192 * 10000 / 192;
}

/* Takes the GPU's times, if they are between the kernel's. in_ns is how far
 * ahead of the GPU's clock the trace's is. */
static bool
take_msm_times(struct job *job, const struct read_event *e)
{
	nsec start = job->in_ns + msm_ticks(e, READ_START_TICKS);
	nsec end = job->in_ns + msm_ticks(e, READ_END_TICKS);

	if (job->in_ns == 0 || !event_has(e, READ_START_TICKS) ||
	    !event_has(e, READ_END_TICKS) || end < start ||
	    start + MSM_TOLERANCE < job->ready_ns ||
	    end > e->time + MSM_TOLERANCE)
		return false;
	job->start_ns = nsec_later(start, job->added_ns);
	job->end_ns = nsec_later(end, job->start_ns);
	job->run_ns = job->end_ns - job->start_ns;
	return true;
}

static void
retire_msm(struct import *im, struct job *job, const struct read_event *e)
{
	nsec run = e->numbers[READ_ELAPSED];

	if (job->start_ns == NSEC_NEVER)
		job->start_ns = job->added_ns;
	if (!take_msm_times(job, e)) {
		job->end_ns = nsec_later(e->time, job->start_ns);
		if (run > 0 && run <= job->end_ns - job->start_ns)
			job->start_ns = job->end_ns - run;
	}
	job->ended = true;
	import_job_forget(im, job);
}

bool
assemble_msm(struct import *im, const struct read_event *e)
{
	struct job *job;

	if (e->kind == READ_MSM_SUBMIT) {
		submit_msm(im, e);
		return true;
	}
	if (e->kind != READ_MSM_FLUSH && e->kind != READ_MSM_RETIRED)
		return false;
	job = find_msm_job(im, e);
	if (job == NULL)
		return true;
	if (e->kind == READ_MSM_RETIRED) {
		retire_msm(im, job, e);
		return true;
	}
	assemble_run_job(im, job, e->time);
	if (event_has(e, READ_TICKS) && e->numbers[READ_TICKS] != 0)
		job->in_ns = e->time - msm_ticks(e, READ_TICKS);
	return true;
}
