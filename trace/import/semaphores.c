/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts of negative priorities, whose requests have that of others which wait for them
 * whenever a trace names it: i915 without GuC lets them wait for the end of requests on
 * other engines, where others poll semaphores (doc/model/import.md "Semaphores").
 */
#include <stdlib.h>

#include "trace/import/import_private.h"

/* Requests with more dependencies are not looked at. */
#define MAX_LOOKED_AT 64

/* Requests of a queue that waited for one on another engine. */
struct awaits {
	const struct job *last; /* that was submitted */
	uint32_t n_polled;      /* ready before it had ended */
	uint32_t n_held;        /* ready at its end */
	bool is_negative;       /* so that its priority is */
};

/* The job that counts for the one that a dependency names. */
static const struct job *
signaler_of(const struct import *im, uint32_t dep)
{
	const struct job *on = im->jobs[im->deps[dep].on];

	return on->same_as != NO_JOB ? im->jobs[on->same_as] : on;
}

/* True if a dependency of a job may be a semaphore. */
static bool
is_elsewhere(const struct job *job, const struct job *on)
{
	return on->line->moved == 0 && on->engine != job->engine;
}

/* True if a job depends on one that was submitted earlier to the same engine: there is
 * one semaphore for each. */
static bool
has_earlier(
    const struct import *im, const struct job *job, const struct job *on)
{
	for (uint32_t d = job->first_dep; d != NO_JOB; d = im->deps[d].next) {
		const struct job *other = signaler_of(im, d);

		if (other->engine == on->engine && other->index < on->index)
			return true;
	}
	return false;
}

/* When a job would be over with a dependency if it polled. */
static nsec
polls_from(const struct import *im, const struct job *job, const struct job *on)
{
	if (on->line->moved != 0)
		return on->end_ns;
	if (on->engine == job->engine)
		return on->ready_ns;
	return has_earlier(im, job, on) ? on->end_ns : on->start_ns;
}

/* before: the one before it in its queue; NULL: none. */
static void
count_awaits(const struct import *im, const struct job *job,
    const struct job *before, struct awaits *awaits)
{
	nsec polls = job->added_ns, last = 0;
	unsigned n = 0;

	if (before != NULL)
		polls = nsec_later(polls, before->ready_ns);
	for (uint32_t d = job->first_dep; d != NO_JOB; d = im->deps[d].next) {
		const struct job *on = signaler_of(im, d);

		if (on->is_spare || on->is_open || on->engine == NO_ENGINE ||
		    n++ == MAX_LOOKED_AT)
			return;
		polls = nsec_later(polls, polls_from(im, job, on));
		if (is_elsewhere(job, on))
			last = nsec_later(last, on->end_ns);
	}
	awaits->n_polled += job->ready_ns < last;
	awaits->n_held += job->ready_ns == last && polls < last;
}

/* Lowers the priorities of queues that never poll, but have some with which they would.
 * Any negative one explains it. */
static void
lower_priorities(struct import *im, struct awaits *awaits)
{
	for (size_t i = 0; i < im->n_lines; i++) {
		struct job_line *line = im->lines[i];

		awaits[i].is_negative = awaits[i].n_held > 0 &&
		    awaits[i].n_polled == 0 && line->moved == 0 &&
		    line->priority >= 0;
		if (awaits[i].is_negative)
			line->priority = -1;
	}
	for (size_t i = 0; i < im->n_jobs; i++)
		if (awaits[im->jobs[i]->line->index].is_negative)
			im->jobs[i]->priority = -1;
}

void
semaphores_settle(struct import *im)
{
	struct awaits *awaits;
	bool any = false;

	if (im->from_table || !im->any_out)
		return;
	awaits = mem_calloc(im->n_lines + 1, sizeof(*awaits));
	for (size_t i = 0; i < im->n_jobs; i++) {
		const struct job *job = im->jobs[i];
		struct awaits *of_line = &awaits[job->line->index];

		if (job->is_spare || job->is_open ||
		    job->ready_ns == NSEC_NEVER)
			continue;
		count_awaits(im, job, of_line->last, of_line);
		of_line->last = job;
	}
	for (size_t i = 0; i < im->n_lines; i++)
		any |= awaits[i].n_polled > 0;
	if (any)
		lower_priorities(im, awaits);
	free(awaits);
}
