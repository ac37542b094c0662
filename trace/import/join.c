/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs of which two families of events tell count once (doc/model/import.md
 * "Told twice"): the one of the more trusted family stays, and gets what only
 * the other has, dependencies above all.
 */
#include <stdlib.h>

#include "base/util.h"
#include "trace/import/import_private.h"

/* Between two events of the same submission, and of the same end. */
#define SAME_SUBMISSION (50 * NSEC_PER_USEC)
#define SAME_END        (200 * NSEC_PER_USEC)
/* Neighbours in time that are looked at. */
#define MAX_NEIGHBOURS 512

static nsec
apart(nsec a, nsec b)
{
	return a > b ? a - b : b - a;
}

static int
compare_added(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a;
	const struct job *y = *(struct job *const *)b;

	if (x->added_ns != y->added_ns)
		return x->added_ns < y->added_ns ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static bool
are_same_job(
    const struct import *im, const struct job *job, const struct job *other)
{
	const struct job_line *a = job->line, *b = other->line;

	return b->family < a->family && job->part == other->part &&
	    devices_may_be_same(im, a->device, b->device) &&
	    a->client != NULL && b->client != NULL &&
	    a->client->pid == b->client->pid &&
	    (job->engine == NO_ENGINE || other->engine == NO_ENGINE ||
		job->engine / INFER_MAX_INSTANCES ==
		    other->engine / INFER_MAX_INSTANCES) &&
	    job->ended == other->ended &&
	    (!job->ended || apart(job->end_ns, other->end_ns) <= SAME_END) &&
	    apart(job->added_ns, other->added_ns) <= SAME_SUBMISSION;
}

/* taken[i]: job i has one of that family. */
struct joiner {
	const struct import *im;
	struct job **sorted;
	size_t n;
	uint8_t *taken; /* by index: a bit for each family */
};

static struct job *
find_same_job(const struct joiner *j, size_t at)
{
	const struct job *job = j->sorted[at];
	unsigned bit = 1u << job->line->family;

	for (size_t d = 1; d < MAX_NEIGHBOURS; d++) {
		struct job *before = at >= d ? j->sorted[at - d] : NULL;
		struct job *behind = at + d < j->n ? j->sorted[at + d] : NULL;
		bool near = false;

		for (unsigned i = 0; i < 2; i++) {
			struct job *other = i == 0 ? before : behind;

			if (other == NULL ||
			    apart(other->added_ns, job->added_ns) >
				SAME_SUBMISSION)
				continue;
			near = true;
			if ((j->taken[other->index] & bit) == 0 &&
			    are_same_job(j->im, job, other))
				return other;
		}
		if (!near)
			break;
	}
	return NULL;
}

static void
fill_from(struct job *job, const struct job *other)
{
	job->ready_ns = nsec_earlier(job->ready_ns, other->ready_ns);
	if (job->start_ns == NSEC_NEVER)
		job->start_ns = other->start_ns;
	if (job->engine == NO_ENGINE)
		job->engine = other->engine;
}

static void
join_one(struct import *im, struct joiner *j, size_t at)
{
	struct job *job = j->sorted[at];
	/* The same context and seqno, of fences that both have. */
	struct job *other = job->line->family == FAMILY_617
	    ? import_job_find_i915(im, job->line->node.n, job->seqno)
	    : NULL;

	if (other == NULL || !are_same_job(im, job, other))
		other = find_same_job(j, at);
	if (other == NULL)
		return;
	j->taken[other->index] |= (uint8_t)(1u << job->line->family);
	job->same_as = other->same_as != NO_JOB ? other->same_as : other->index;
	fill_from(im->jobs[job->same_as], job);
	im->counts.n_twice++;
}

void
join_families(struct import *im)
{
	struct joiner j = {.im = im};
	unsigned families = 0;

	for (size_t i = 0; i < im->n_lines; i++)
		families |= 1u << im->lines[i]->family;
	if ((families & (families - 1)) == 0)
		return;
	j.sorted = mem_calloc(im->n_jobs, sizeof(struct job *));
	j.taken = mem_calloc(im->n_jobs, 1);
	for (size_t i = 0; i < im->n_jobs; i++)
		if (im->jobs[i]->added_ns != NSEC_NEVER)
			j.sorted[j.n++] = im->jobs[i];
	qsort(j.sorted, j.n, sizeof(struct job *), compare_added);
	for (unsigned family = FAMILY_I915 + 1; family < N_FAMILIES; family++)
		for (size_t i = 0; i < j.n; i++)
			if (j.sorted[i]->line->family == family)
				join_one(im, &j, i);
	free(j.sorted);
	free(j.taken);
}
