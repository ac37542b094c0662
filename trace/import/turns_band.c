/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bands of jobs under the GuC (doc/model/guc.md "Bands"): a job raises all that it
 * waits for, directly or through others, to its own band when it is submitted, if
 * they have not ended by then. So when a job was raised follows from the
 * submissions of those that wait for it, without the turns of any engine.
 */
#include <stdlib.h>

#include "trace/import/turns.h"

static int8_t
band_of_number(int priority)
{
	if (priority == INFER_NO_PRIORITY)
		return 0;
	return (int8_t)((priority > 0) - (priority < 0));
}

/* The band that a job had when it was handed over, or is likely to have then. */
static int8_t
handed_band(const struct job *job)
{
	return band_of_number(job->priority != INFER_NO_PRIORITY
		? job->priority
		: job->line->priority);
}

nsec
turns_handed_ns(const struct job *job)
{
	/* A virtual engine's job has its _in when it begins. */
	if (job->line->moved != 0)
		return job->ready_ns;
	return job->run_ns != NSEC_NEVER ? job->in_ns : NSEC_NEVER;
}

uint64_t
turns_allowed(const struct import *im, const struct job *job)
{
	uint64_t set = 0;

	for (unsigned c = 0; c < N_CLASSES; c++)
		if ((job->line->moved >> c & 1) != 0)
			set |= ((1ull << INFER_MAX_INSTANCES) - 1)
			    << c * INFER_MAX_INSTANCES;
	if (set != 0)
		return set & im->devices[job->line->device]->known_engines;
	return job->engine != NO_ENGINE ? 1ull << job->engine : 0;
}

/* Raises a job with one that waits for it, each time that this one was raised and
 * the job had not ended. */
static void
pass_band(const struct job *job, struct turn_bands *bands,
    const struct turn_bands *waiting)
{
	nsec end = job->ended ? job->end_ns : NSEC_NEVER;

	for (unsigned b = 0; b < TURN_BANDS; b++) {
		nsec since = waiting->since_ns[b];

		if (since >= end || since > bands->since_ns[b] ||
		    (since == bands->since_ns[b] &&
			waiting->by[b] >= bands->by[b]))
			continue;
		bands->since_ns[b] = since;
		bands->by[b] = waiting->by[b];
	}
}

/* The band that a job had when it was submitted. That which it had when it was
 * handed over may be another one's: then its own is the lowest of its queue. */
static void
find_own(const struct job *job, struct turn_bands *bands)
{
	int8_t band = handed_band(job);
	int8_t lowest = band_of_number(job->line->priority);
	bool raised = band >= 0 && bands->since_ns[band] != NSEC_NEVER &&
	    (bands->since_ns[band] < job->in_ns ||
		(job->line->moved != 0 && bands->since_ns[band] == job->in_ns));

	bands->own = band > lowest && raised ? lowest : band;
	for (int8_t b = 0; b <= bands->own; b++) {
		bands->since_ns[b] = job->added_ns;
		bands->by[b] = job->index;
	}
}

static void
raise_signalers(
    const struct import *im, const struct job *job, struct turn_bands *all)
{
	for (uint32_t d = job->first_dep; d != NO_JOB; d = im->deps[d].next) {
		const struct job *on = im->jobs[im->deps[d].on];

		if (on->same_as != NO_JOB)
			on = im->jobs[on->same_as];
		if (on->index < job->index)
			pass_band(on, &all[on->index], &all[job->index]);
	}
}

struct turn_bands *
turns_find_bands(const struct import *im)
{
	struct turn_bands *all = mem_calloc(im->n_jobs + 1, sizeof(*all));
	uint32_t *next = mem_calloc(im->n_lines + 1, sizeof(*next));

	for (size_t i = 0; i < im->n_jobs; i++)
		all[i] = (struct turn_bands){
		    {NSEC_NEVER, NSEC_NEVER}, {NO_JOB, NO_JOB}, 0};
	for (size_t i = 0; i < im->n_lines; i++)
		next[i] = NO_JOB;
	/* Jobs that wait come behind those that they wait for. */
	for (size_t i = im->n_jobs; i-- > 0;) {
		const struct job *job = im->jobs[i];
		uint32_t *behind = &next[job->line->index];

		if (job->same_as != NO_JOB || job->added_ns == NSEC_NEVER)
			continue;
		if (*behind != NO_JOB)
			pass_band(job, &all[i], &all[*behind]);
		*behind = job->index;
		find_own(job, &all[i]);
		raise_signalers(im, job, all);
	}
	free(next);
	return all;
}
