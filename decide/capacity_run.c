/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the counts of a search: all seeds of one count, and, while processes are
 * free, those of the counts that come next if it holds and if it fails. What was
 * run and is not asked for is dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "decide/capacity.h"
#include "decide/jobs.h"
#include "decide/variant.h"
#include "engine/sim.h"
#include "run/plan.h"

/* A count and the runs of its seeds. */
struct count_runs {
	unsigned count;
	unsigned started, ended; /* seeds */
	struct answer *answers;  /* by seed */
};

struct capacity_run {
	struct capacity *c;
	struct plan *plan;
	struct jobs *jobs;
	struct count_runs *counts; /* not taken over yet */
	size_t n_counts, cap_counts;
};

struct capacity_run *
capacity_begin(struct capacity *c, struct plan *plan, unsigned n_jobs)
{
	struct capacity_run *run = mem_calloc(1, sizeof *run);

	run->c = c;
	run->plan = plan;
	c->media_estimates = plan_has_estimates(plan);
	run->jobs = jobs_new(n_jobs);
	return run;
}

static void
free_count(struct count_runs *r, unsigned seeds)
{
	for (unsigned i = 0; i < seeds; i++)
		answer_free(&r->answers[i]);
	free(r->answers);
}

void
capacity_end(struct capacity_run *run)
{
	if (run == NULL)
		return;
	jobs_free(run->jobs);
	for (size_t i = 0; i < run->n_counts; i++)
		free_count(&run->counts[i], run->c->question.seeds);
	free(run->counts);
	free(run);
}

bool
capacity_is_done(const struct capacity_run *run)
{
	return run->c->error != NULL || capacity_next(run->c) == 0;
}

/* The number of a job: a count, and a seed. */
static size_t
job_number(const struct capacity_run *run, unsigned count, unsigned seed)
{
	return (size_t)count * run->c->question.seeds + seed;
}

static void
work_on_count(void *data, size_t job, struct text *out)
{
	const struct capacity_run *run = data;
	const struct capacity_question *q = &run->c->question;
	unsigned count = (unsigned)(job / q->seeds);
	unsigned *clones = mem_calloc(run->plan->n_sources + 1, sizeof *clones);
	struct variant variant = {
	    .clones = clones,
	    .seed_offset = (uint32_t)(job % q->seeds),
	    .warmup = q->warmup,
	    .end = q->end,
	};
	struct answer a;

	for (size_t i = 0; i < run->plan->n_sources; i++)
		clones[i] = q->mix[i].fixed > 0 ? q->mix[i].fixed
						: count * q->mix[i].factor;
	variant_run(run->plan, &variant, &a);
	answer_pack(&a, out);
	answer_free(&a);
	free(clones);
}

/* Returns the runs of a count, which are new if there are none. */
static struct count_runs *
runs_of(struct capacity_run *run, unsigned count)
{
	unsigned seeds = run->c->question.seeds;
	struct count_runs *r;

	for (size_t i = 0; i < run->n_counts; i++)
		if (run->counts[i].count == count)
			return &run->counts[i];
	run->counts = mem_grow(
	    run->counts, run->n_counts, &run->cap_counts, sizeof *run->counts);
	r = &run->counts[run->n_counts++];
	*r = (struct count_runs){
	    .count = count,
	    .answers = mem_calloc(seeds, sizeof *r->answers),
	};
	return r;
}

/* Returns the count that is next if count holds, or fails; 0: none. */
static unsigned
next_if(const struct capacity *c, unsigned count, bool holds)
{
	struct capacity then = *c;
	struct tried t = {.count = count, .holds = holds};
	unsigned next;

	then.tried = mem_calloc(c->n_tried + 1, sizeof *then.tried);
	if (c->n_tried > 0)
		memcpy(then.tried, c->tried, c->n_tried * sizeof *then.tried);
	then.cap_tried = c->n_tried + 1;
	capacity_add(&then, &t);
	next = capacity_next(&then);
	free(then.tried);
	return next;
}

static bool
start_seeds(struct capacity_run *run, unsigned count, struct text *err)
{
	unsigned seeds = run->c->question.seeds;
	struct count_runs *r;

	if (count == 0)
		return true;
	r = runs_of(run, count);
	while (r->started < seeds && jobs_room(run->jobs) > 0) {
		if (!jobs_start(run->jobs, job_number(run, count, r->started),
			work_on_count, run, err))
			return false;
		r->started++;
	}
	return true;
}

/* Starts what is wanted first, then what may be wanted. */
static bool
start_counts(struct capacity_run *run, struct text *err)
{
	unsigned wanted = capacity_next(run->c);

	return start_seeds(run, wanted, err) &&
	    start_seeds(run, next_if(run->c, wanted, false), err) &&
	    start_seeds(run, next_if(run->c, wanted, true), err);
}

static void
take_answer(struct capacity_run *run, struct job_end *end)
{
	unsigned seeds = run->c->question.seeds;
	struct count_runs *r = runs_of(run, (unsigned)(end->job / seeds));
	struct answer *a = &r->answers[end->job % seeds];

	if (end->died[0] != '\0')
		answer_fail(a, end->died);
	else if (!answer_unpack(a, text_str(&end->out), end->out.len))
		answer_fail(a, "its process sent no figures");
	r->ended++;
	text_free(&end->out);
}

/* Ends the search with the failure of a run. */
static void
fail_search(struct capacity_run *run, const struct count_runs *r, unsigned seed)
{
	struct text error = {0};

	text_addf(&error, "%u %s, seed %u: %s", r->count,
	    r->count == 1 ? "client" : "clients", run->plan->seed + seed,
	    r->answers[seed].error);
	run->c->error = mem_strdup(text_str(&error));
	text_free(&error);
}

/* Adds a count of which all seeds have ended to the search. */
static void
add_count_runs(struct capacity_run *run, const struct count_runs *r)
{
	const struct capacity_question *q = &run->c->question;
	struct violation worst = {0}, v;
	struct tried tried = {.count = r->count};

	for (unsigned i = 0; i < q->seeds; i++) {
		if (r->answers[i].failed) {
			fail_search(run, r, i);
			return;
		}
		v = goal_violation(q->goal, &r->answers[i].figures);
		if (i > 0 && violation_compare(v, worst) <= 0)
			continue;
		worst = v;
		tried.worst = r->answers[i].figures;
	}
	tried.holds = worst.n == 0;
	capacity_add(run->c, &tried);
}

/* Takes over all counts that are wanted and have been run. */
static void
take_over(struct capacity_run *run)
{
	unsigned seeds = run->c->question.seeds;

	while (!capacity_is_done(run)) {
		struct count_runs *r = runs_of(run, capacity_next(run->c));
		size_t i = (size_t)(r - run->counts);

		if (r->ended < seeds)
			return;
		add_count_runs(run, r);
		free_count(r, seeds);
		memmove(r, r + 1, (run->n_counts - i - 1) * sizeof *r);
		run->n_counts--;
	}
}

bool
capacity_step(struct capacity_run *run, int timeout_ms, struct text *err)
{
	struct job_end end;

	if (capacity_is_done(run) || !start_counts(run, err) ||
	    !jobs_next(run->jobs, timeout_ms, &end))
		return false;
	take_answer(run, &end);
	take_over(run);
	return true;
}
