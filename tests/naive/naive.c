/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The naive model's run: from one instant to the next. */
#include "tests/naive/naive.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/naive/world.h"

const char *const naive_scheduler_names[N_NAIVE_SCHEDULERS] = {
    "fifo", "execlists", "drm", "drm:rr", "guc"};

static const struct naive_rules *const rules[N_NAIVE_SCHEDULERS] = {
    &naive_fifo, &naive_execlists, &naive_drm, &naive_drm, &naive_guc};

/* Common: one engine of each class, two of VCS and VECS, every cost zero,
 * rings of 65,536 requests; 1,000 ns for an empty iteration. */
void
naive_config_ideal(struct naive_config *config)
{
	*config = (struct naive_config){
	    .n_engines =
		{
		    [CLASS_RCS] = 1,
		    [CLASS_BCS] = 1,
		    [CLASS_VCS] = 2,
		    [CLASS_VECS] = 2,
		    [CLASS_CCS] = 1,
		},
	    .ring_requests = 65536,
	    .iteration_min_ns = 1000,
	    .duration_scale = 1,
	    .delay_scale = 1,
	};
}

void
naive_workload_init(struct naive_workload *workload,
    const struct document *const *docs, unsigned n_docs)
{
	unsigned n = 0;

	*workload = (struct naive_workload){0};
	for (unsigned d = 0; d < n_docs; d++)
		workload->n_steps += (unsigned)document_n_steps(docs[d]);
	workload->steps = mem_calloc(
	    workload->n_steps + 1, sizeof *workload->steps);
	for (unsigned d = 0; d < n_docs; d++) {
		for (size_t l = 0; l < document_n_lines(docs[d]); l++) {
			if (document_line_kind(docs[d], l) == LINE_STEP)
				workload->steps[n++] = document_line_step(
				    docs[d], l);
		}
	}
}

void
naive_workload_clear(struct naive_workload *workload)
{
	free(workload->steps);
	*workload = (struct naive_workload){0};
}

static struct naive_object *
new_objects(unsigned n)
{
	struct naive_object *objects = mem_calloc(n, sizeof *objects);

	for (unsigned i = 0; i < n; i++)
		objects[i].writer = NONE;
	return objects;
}

static void
free_objects(struct naive_object *objects, unsigned n)
{
	for (unsigned i = 0; objects != NULL && i < n; i++)
		free(objects[i].readers.items);
	free(objects);
}

/* The working sets of a kind (w or W), at their steps. */
static struct naive_object **
new_sets(const struct naive_workload *workload, enum step_kind kind)
{
	struct naive_object **sets = mem_calloc(
	    workload->n_steps + 1, sizeof *sets);

	for (unsigned s = 0; s < workload->n_steps; s++) {
		if (workload->steps[s]->kind == kind)
			sets[s] = new_objects(
			    workload->steps[s]->set.n_objects);
	}
	return sets;
}

static void
free_sets(const struct naive_workload *workload, struct naive_object **sets)
{
	for (unsigned s = 0; s < workload->n_steps; s++) {
		if (sets[s] != NULL)
			free_objects(
			    sets[s], workload->steps[s]->set.n_objects);
	}
	free(sets);
}

static bool
init_workloads(struct naive_world *w)
{
	bool good = true;

	for (unsigned i = 0; i < w->config->n_workloads; i++) {
		const struct naive_workload *workload =
		    &w->config->workloads[i];

		w->shared[i] = new_sets(workload, STEP_SHARED_SET);
		w->targets[i] = mem_calloc(
		    workload->n_steps + 1, sizeof *w->targets[i]);
		for (unsigned s = 0; s < workload->n_steps; s++) {
			if (workload->steps[s]->kind == STEP_BATCH &&
			    !naive_find_target(
				w, workload, s, &w->targets[i][s]))
				good = false;
		}
	}
	return good;
}

/* Tool: the C library's rand() seeded with N; the first value is the master
 * seed; then for each client in order two more: durations and sizes. With -S
 * both are the master seed. */
static void
seed_clients(struct naive_world *w)
{
	struct random_data data = {0};
	char state[128] = {0};
	int32_t master, value;

	initstate_r(w->config->seed, state, sizeof state, &data);
	random_r(&data, &master);
	for (unsigned i = 0; i < w->config->n_jobs; i++) {
		random_r(&data, &value);
		if (w->config->same_random)
			value = master;
		w->clients[i].random = (uint32_t)value;
		random_r(&data, &value); /* the sizes are not used */
	}
}

static void
init_clients(struct naive_world *w)
{
	for (unsigned i = 0; i < w->config->n_jobs; i++) {
		struct naive_client *c = &w->clients[i];

		c->id = i;
		c->job = &w->config->jobs[i];
		c->workload = &w->config->workloads[c->job->workload];
		c->full_ring = NONE;
		c->outputs = new_objects(c->workload->n_steps + 1);
		c->sets = new_sets(c->workload, STEP_SET);
		c->latest = mem_calloc(c->workload->n_steps + 1, sizeof(int));
		c->figures = &w->result->clients[i];
	}
	seed_clients(w);
}

static void
free_world(struct naive_world *w)
{
	for (unsigned i = 0; i < w->config->n_jobs; i++) {
		struct naive_client *c = &w->clients[i];

		free_objects(c->outputs, c->workload->n_steps + 1);
		free_sets(c->workload, c->sets);
		free(c->latest);
		free(c->waits.items);
		free(c->priorities.items);
		for (unsigned e = 0; e < NAIVE_MAX_ENGINES; e++)
			free(c->queues[e].items);
	}
	for (unsigned i = 0; i < w->config->n_workloads; i++) {
		free_sets(&w->config->workloads[i], w->shared[i]);
		free(w->targets[i]);
	}
	for (unsigned i = 0; i < w->n_requests; i++) {
		free(w->requests[i].waits);
		free(w->requests[i].submit_fences.items);
		free(w->requests[i].semaphores.items);
	}
	for (unsigned i = 0; i < w->n_rings; i++)
		free(w->rings[i].handed.items);
	free(w->requests);
	free(w->fences);
	free(w->rings);
}

/* Common: then the clients go on, lowest id first. One that a later one
 * made able to go on does so in the next pass. */
static void
run_clients(struct naive_world *w)
{
	bool any;

	do {
		any = false;
		for (unsigned i = 0; i < w->config->n_jobs; i++) {
			if (w->stopped ||
			    naive_client_blocked(w, &w->clients[i]))
				continue;
			naive_client_go_on(w, &w->clients[i]);
			any = true;
		}
	} while (any);
}

/* When something happens next: a batch ends, a sleeper wakes, the scheduler
 * has something to do. */
static nsec
next_instant(const struct naive_world *w)
{
	nsec next = NSEC_NEVER;

	for (unsigned e = 0; e < w->n_engines; e++) {
		int row = w->engines[e].running;

		if (row != NONE && w->requests[row].due < next)
			next = w->requests[row].due;
	}
	for (unsigned i = 0; i < w->config->n_jobs; i++) {
		const struct naive_client *c = &w->clients[i];

		if (c->wake > w->now && c->wake < next)
			next = c->wake;
	}
	if (w->rules->next != NULL && w->rules->next(w) < next)
		next = w->rules->next(w);
	return next;
}

static void
run(struct naive_world *w)
{
	size_t max = 10 * w->config->max_rows;

	for (size_t instants = 1;; instants++) {
		w->rules->settle(w);
		run_clients(w);
		if (w->rules->instant_over != NULL)
			w->rules->instant_over(w);
		if (instants == max)
			w->result->gave_up = true;
		if (w->stopped || w->result->gave_up)
			return;
		if (next_instant(w) == NSEC_NEVER) {
			w->result->deadlock = true;
			return;
		}
		w->now = next_instant(w);
	}
}

/* Guc: a row for each batch, in the order of the rows of G. */
static void
add_rows(struct naive_result *result, const struct naive_request *rq)
{
	for (unsigned i = 0; i < rq->target->width; i++) {
		struct naive_row *row = &result->rows[result->n_rows++];

		*row = rq->row;
		if (rq->set != NONE)
			row->engine = rq->target->sets[rq->set][i];
	}
}

static void
sum_up(struct naive_world *w)
{
	struct naive_result *result = w->result;
	size_t n = 0;

	result->elapsed = w->now;
	w->rules->sum_up(w);
	for (unsigned i = 0; i < w->n_requests; i++)
		n += w->requests[i].target->width;
	result->rows = mem_calloc(n + 1, sizeof *result->rows);
	for (unsigned i = 0; i < w->n_requests; i++)
		add_rows(result, &w->requests[i]);
	for (unsigned i = 0; i < w->config->n_jobs; i++) {
		if (!result->clients[i].ended)
			result->clients[i].elapsed = w->now;
	}
}

bool
naive_run(const struct naive_config *config, struct naive_result *result)
{
	struct naive_world *w = mem_calloc(1, sizeof *w);
	bool good;

	memset(result, 0, sizeof *result);
	w->config = config;
	w->rules = rules[config->scheduler];
	w->result = result;
	naive_device_init(w);
	good = init_workloads(w);
	init_clients(w);
	if (good) {
		run(w);
		sum_up(w);
	}
	free_world(w);
	free(w);
	return good;
}

void
naive_result_clear(struct naive_result *result)
{
	free(result->rows);
	memset(result, 0, sizeof *result);
}
