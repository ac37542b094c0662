/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Engines and contexts of queues: a queue whose jobs ran on several engines of a class is
 * a virtual one, unless nearly all ran on one, its home (doc/model/import.md "Contexts").
 */
#include <stdlib.h>
#include <string.h>

#include "trace/import/import_private.h"

/* Contexts of a client that a queue may join. */
#define MAX_JOINED 64
/* Smallest share of a queue's jobs on one engine with which that is its only engine:
 * drivers choose an engine where a queue is idle, and may leave it once in a run. */
#define LEAST_AT_HOME 0.98

uint64_t
homes_engines(const struct job_line *line)
{
	uint64_t set = line->engines;

	for (unsigned c = 0; c < N_CLASSES; c++)
		if ((line->moved >> c & 1) == 0)
			set &= ~(((1ull << INFER_MAX_INSTANCES) - 1)
			    << c * INFER_MAX_INSTANCES);
	return set;
}

/* The engine of a class that nearly all jobs of a queue ran on; NO_ENGINE: there is
 * none. */
static uint8_t
home_of_line(const struct job_line *line, unsigned class)
{
	const uint32_t *n = &line->n_on[(size_t) class * INFER_MAX_INSTANCES];
	uint32_t sum = 0, best = 0;

	for (uint32_t i = 0; i < INFER_MAX_INSTANCES; i++) {
		sum += n[i];
		best = n[i] > n[best] ? i : best;
	}
	return n[best] >= LEAST_AT_HOME * (double)sum
	    ? (uint8_t)(class * INFER_MAX_INSTANCES + best)
	    : NO_ENGINE;
}

/* set: the engines of that class that its jobs ran on. */
static void
stay_at_home(struct job_line *line, uint64_t set, uint8_t home)
{
	line->engines = (line->engines & ~set) | 1ull << home;
	line->left |= set;
}

/* A queue whose jobs ran on several engines of a class is a virtual one, unless
 * nearly all ran on one that they were submitted to. */
static void
note_moved(struct job_line *line)
{
	for (unsigned c = 0; c < N_CLASSES; c++) {
		unsigned shift = c * INFER_MAX_INSTANCES;
		uint64_t of_class = ((1ull << INFER_MAX_INSTANCES) - 1)
		    << shift;
		uint64_t set = line->engines & of_class;
		uint8_t home;

		if ((set & (set - 1)) == 0)
			continue;
		home = (line->moved >> c & 1) == 0 ? home_of_line(line, c)
						   : NO_ENGINE;
		if (home == NO_ENGINE)
			line->moved |= 1u << c;
		else
			stay_at_home(line, set, home);
	}
}

/* Counts the jobs on each engine for queues that have several. */
static void
count_line_engines(struct import *im)
{
	for (size_t i = 0; i < im->n_jobs; i++) {
		struct job *job = im->jobs[i];
		struct job_line *line = job->line;

		if (job->is_spare || job->engine == NO_ENGINE ||
		    (line->engines & (line->engines - 1)) == 0)
			continue;
		if (line->n_on == NULL) {
			line->n_on = arena_alloc(&im->arena,
			    (size_t)N_CLASSES * INFER_MAX_INSTANCES *
				sizeof(*line->n_on));
			memset(line->n_on, 0,
			    (size_t)N_CLASSES * INFER_MAX_INSTANCES *
				sizeof(*line->n_on));
		}
		line->n_on[job->engine]++;
	}
}

void
homes_settle(struct import *im)
{
	count_line_engines(im);
	for (size_t i = 0; i < im->n_lines; i++)
		if (im->lines[i]->n_on != NULL)
			note_moved(im->lines[i]);
}

/* Contexts of one client. */
struct joined_contexts {
	uint64_t engines[MAX_JOINED];
	int16_t priorities[MAX_JOINED];
	unsigned n;
	uint32_t next; /* number of a context */
};

static void
place_line(struct joined_contexts *j, struct job_line *line)
{
	unsigned i = 0;

	if (line->moved != 0 || j->n == MAX_JOINED) {
		line->context = (1u << 30) + j->next++;
		return;
	}
	while (i < j->n &&
	    ((j->engines[i] & line->engines) != 0 ||
		j->priorities[i] != line->priority))
		i++;
	if (i == j->n) {
		j->priorities[j->n] = line->priority;
		j->engines[j->n++] = 0;
	}
	j->engines[i] |= line->engines;
	line->context = i;
}

/* Queues of a client to different engines are one context, which is how a program
 * has them; those of one engine are several. */
void
homes_place_lines(struct import *im)
{
	struct joined_contexts *all = mem_calloc(im->n_clients, sizeof(*all));

	for (size_t i = 0; i < im->n_lines && !im->from_table; i++)
		if (im->lines[i]->n_jobs > 0)
			place_line(
			    &all[im->lines[i]->client->index], im->lines[i]);
	free(all);
}

static bool
is_on_moved(const struct job *job)
{
	return (job->line->moved >> (job->engine / INFER_MAX_INSTANCES) & 1) !=
	    0;
}

/* The engine that a job counts as one of: that of its queue, if the job alone ran
 * elsewhere. */
static uint8_t
home_of(const struct job *job)
{
	unsigned first = job->engine - job->engine % INFER_MAX_INSTANCES;
	uint64_t of_class = ((1ull << INFER_MAX_INSTANCES) - 1) << first;

	if ((job->line->engines >> job->engine & 1) != 0 ||
	    (job->line->engines & of_class) == 0)
		return job->engine;
	return (uint8_t)__builtin_ctzll(job->line->engines & of_class);
}

/* All engines of a class that a virtual queue's job ran on. */
static uint64_t
allowed_engines(const struct import *im, const struct job *job)
{
	unsigned first = job->engine - job->engine % INFER_MAX_INSTANCES;
	uint64_t of_class = ((1ull << INFER_MAX_INSTANCES) - 1) << first;

	return is_on_moved(job)
	    ? im->devices[job->line->device]->known_engines & of_class
	    : 1ull << home_of(job);
}

void
homes_take_engine(struct job *job)
{
	if (job->engine == NO_ENGINE)
		job->engine = (uint8_t)__builtin_ctzll(
		    homes_engines(job->line));
}

void
homes_place(
    const struct import *im, const struct job *job, struct infer_request *r)
{
	r->context = job->line->context;
	r->slot = is_on_moved(job) ? 0 : home_of(job) + 1u;
	r->allowed = allowed_engines(im, job);
}

/* Makes queues that have a home virtual ones. False: none has. */
static bool
leave_homes(struct import *im)
{
	bool any = false;

	for (size_t i = 0; i < im->n_lines; i++) {
		struct job_line *line = im->lines[i];

		any |= line->left != 0;
		line->engines |= line->left;
		for (unsigned c = 0; c < N_CLASSES; c++)
			if ((line->left >> c * INFER_MAX_INSTANCES &
				((1ull << INFER_MAX_INSTANCES) - 1)) != 0)
				line->moved |= 1u << c;
	}
	return any;
}

void
homes_roam(struct import *im)
{
	if (!leave_homes(im))
		return;
	homes_place_lines(im);
	im->roaming = mem_calloc(im->n_requests + 1, sizeof(*im->roaming));
	memcpy(
	    im->roaming, im->requests, im->n_requests * sizeof(*im->roaming));
	for (size_t i = 0; i < im->n_jobs; i++) {
		const struct job *job = im->jobs[i];

		if (!job->is_spare)
			homes_place(im, job, &im->roaming[job->record]);
	}
}
