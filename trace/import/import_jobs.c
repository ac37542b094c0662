/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs, the queues that they are in, and the clients of these, by the numbers
 * that events have for them. Kernels use numbers again: a job that is submitted
 * under the number of another one replaces it (doc/model/import.md "Numbers").
 */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "trace/import/import_private.h"

static const char family_keys[N_FAMILIES];

struct job_client *
import_job_client(struct import *im, const char *kind, uint64_t number)
{
	struct chain_node *node = chains_find(
	    &im->clients_by_number, kind, number);
	struct job_client *c;

	if (node != NULL)
		return container_of(node, struct job_client, node);
	c = arena_alloc(&im->arena, sizeof(*c));
	*c = (struct job_client){.index = (uint32_t)im->n_clients, .pid = -1};
	c->node.p = kind;
	c->node.n = number;
	chains_add(&im->clients_by_number, &c->node);
	im->clients = mem_grow(im->clients, im->n_clients, &im->cap_clients,
	    sizeof(struct job_client *));
	im->clients[im->n_clients++] = c;
	return c;
}

struct job_line *
import_job_line(
    struct import *im, enum family family, uint64_t number, bool make)
{
	const char *key = &family_keys[family];
	struct chain_node *node = chains_find(
	    &im->lines_by_number, key, number);
	struct job_line *line;

	if (node != NULL)
		return container_of(node, struct job_line, node);
	if (!make)
		return NULL;
	line = arena_alloc(&im->arena, sizeof(*line));
	*line = (struct job_line){.family = family,
	    .device = im->device,
	    .index = (uint32_t)im->n_lines,
	    .priority = INFER_NO_PRIORITY};
	line->node.p = key;
	line->node.n = number;
	chains_add(&im->lines_by_number, &line->node);
	im->lines = mem_grow(
	    im->lines, im->n_lines, &im->cap_lines, sizeof(struct job_line *));
	im->lines[im->n_lines++] = line;
	return line;
}

struct job *
import_job_new(struct import *im, struct job_line *line, uint64_t seqno)
{
	struct job *job = arena_alloc(&im->arena, sizeof(*job));

	*job = (struct job){.line = line,
	    .seqno = seqno,
	    .added_ns = NSEC_NEVER,
	    .ready_ns = NSEC_NEVER,
	    .start_ns = NSEC_NEVER,
	    .end_ns = NSEC_NEVER,
	    .retired_ns = NSEC_NEVER,
	    .run_ns = NSEC_NEVER,
	    .index = (uint32_t)im->n_jobs,
	    .part = im->part,
	    .first_dep = NO_JOB,
	    .same_as = NO_JOB,
	    .record = NO_JOB,
	    .priority = INFER_NO_PRIORITY,
	    .engine = NO_ENGINE,
	    .asked = NO_ENGINE};
	im->jobs = mem_grow(
	    im->jobs, im->n_jobs, &im->cap_jobs, sizeof(struct job *));
	im->jobs[im->n_jobs++] = job;
	return job;
}

struct job *
import_job_find(const struct import *im, enum family family, uint64_t number,
    uint64_t seqno)
{
	struct chain_node *node = chains_find(
	    &im->lines_by_number, &family_keys[family], number);

	if (node == NULL)
		return NULL;
	node = chains_find(
	    &im->by_number, container_of(node, struct job_line, node), seqno);
	return node != NULL ? container_of(node, struct job, node) : NULL;
}

uint64_t
import_i915_number(uint8_t device, uint64_t context)
{
	return context ^ (uint64_t)device << 56;
}

struct job *
import_job_find_i915(const struct import *im, uint64_t context, uint64_t seqno)
{
	struct job *found = NULL;

	for (uint8_t d = 0; d < im->n_devices; d++) {
		struct job *job = import_job_find(
		    im, FAMILY_I915, import_i915_number(d, context), seqno);

		if (job != NULL && (found == NULL || found->ended))
			found = job;
	}
	return found;
}

void
import_job_on(struct import *im, struct job *job, uint8_t engine)
{
	if (engine == NO_ENGINE)
		return;
	if (!job->added)
		job->asked = engine;
	else if (job->asked != engine)
		job->line->moved |= 1u << (engine / INFER_MAX_INSTANCES);
	job->engine = engine;
	im->devices[job->line->device]->known_engines |= 1ull << engine;
}

void
import_job_forget(struct import *im, struct job *job)
{
	bool by_fence = job->line->family == FAMILY_OLD;

	if (job->listed)
		chains_remove(
		    by_fence ? &im->by_fence : &im->by_number, &job->node);
	if (job->id_listed)
		chains_remove(&im->by_id, &job->id_node);
	job->listed = job->id_listed = false;
}

static void
number_gone(struct chain_node *node)
{
	(void)node;
}

static void
job_gone(struct chain_node *node)
{
	container_of(node, struct job, node)->listed = false;
}

static void
id_gone(struct chain_node *node)
{
	container_of(node, struct job, id_node)->id_listed = false;
}

void
import_job_begin_part(struct import *im)
{
	chains_sweep(&im->by_number, NULL, NULL, job_gone);
	chains_sweep(&im->by_fence, NULL, NULL, job_gone);
	chains_sweep(&im->by_id, NULL, NULL, id_gone);
	chains_sweep(&im->lines_by_number, NULL, NULL, number_gone);
	chains_sweep(&im->clients_by_number, NULL, NULL, number_gone);
	chains_sweep(&im->xe_queues, NULL, NULL, number_gone);
	chains_sweep(&im->xe_fences, NULL, NULL, number_gone);
	for (uint8_t d = 0; d < im->n_devices; d++)
		memset(im->devices[d]->xe_running, 0,
		    sizeof(im->devices[d]->xe_running));
	on_engine_clear(im);
	im->first_open_wait = im->n_waits;
	im->part++;
}

void
import_job_add_dep(struct import *im, struct job *job, const struct job *on,
    enum infer_dep_kind kind)
{
	im->deps = mem_grow(
	    im->deps, im->n_deps, &im->cap_deps, sizeof(*im->deps));
	im->deps[im->n_deps] = (struct job_dep){
	    .on = on->index, .next = job->first_dep, .kind = (uint8_t)kind};
	job->first_dep = (uint32_t)im->n_deps++;
}
