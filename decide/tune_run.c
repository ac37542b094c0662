/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the sets that a search wants, each in a process that edits its copy of the
 * documents. When all that was wanted is known the search goes on.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "decide/jobs.h"
#include "decide/tune.h"
#include "decide/variant.h"
#include "run/plan.h"

struct tune_run {
	struct tune *tune;
	struct plan *plan;
	struct jobs *jobs;
	size_t n_started; /* results */
};

struct tune_run *
tune_run_begin(struct tune *t, struct plan *plan, unsigned n_jobs)
{
	struct tune_run *run = mem_calloc(1, sizeof *run);

	run->tune = t;
	run->plan = plan;
	run->jobs = jobs_new(n_jobs);
	return run;
}

void
tune_run_end(struct tune_run *run)
{
	if (run == NULL)
		return;
	jobs_free(run->jobs);
	free(run);
}

/* Compiles the edited documents. False: one cannot run, or the platform refuses a
 * step of a kind that it did not refuse before. */
static bool
prepare_edited(const struct tune *t, struct plan *plan, struct text *err)
{
	for (size_t i = 0; i < plan->n_sources; i++) {
		struct source *s = &plan->sources[i];

		if (s->is_alias || s->waiting)
			continue;
		if (!plan_prepare(plan, s, err))
			return false;
		if ((s->program->refusals & ~t->refusals) != 0) {
			text_adds(err, "the platform refuses it");
			return false;
		}
	}
	return true;
}

static void
work_on_set(void *data, size_t job, struct text *out)
{
	const struct tune_run *run = data;
	const struct tune *t = run->tune;
	const struct tune_result *r = &t->results[job];
	struct variant variant = {
	    .seed_offset = r->seed,
	    .warmup = t->question.warmup,
	    .end = t->question.end,
	};
	struct text err = {0};
	struct answer a;

	plan_drop_programs(run->plan);
	if (tune_apply(t, &r->set, run->plan, &err) &&
	    prepare_edited(t, run->plan, &err))
		variant_run(run->plan, &variant, &a);
	else
		answer_fail(&a, text_str(&err));
	answer_pack(&a, out);
	answer_free(&a);
	text_free(&err);
}

/* True if clients come through much fewer periods than before: one that is stuck
 * misses none. */
static bool
came_to_a_halt(
    const struct trial_figures *f, const struct trial_figures *before)
{
	return (double)f->periods < 0.9 * (double)before->periods;
}

/* Returns how far a result is from the goal. One with more hangs than without edits,
 * or with clients that are stuck, is worse than any other. */
static struct violation
judge(const struct tune *t, const struct tune_result *r)
{
	struct tune_set none = {.n = 0};
	const struct tune_result *before = tune_find(t, &none, r->seed);
	struct violation v = {
	    .n = 2 * GOAL_MAX_CONDITIONS + 2, .sum = INFINITY};

	if (r->failed)
		return v;
	v = goal_violation(t->question.goal, &r->figures);
	if (r->set.n == 0 || before == NULL || before->failed)
		return v;
	if (r->figures.hangs > before->figures.hangs ||
	    came_to_a_halt(&r->figures, &before->figures))
		v.n += GOAL_MAX_CONDITIONS + 1;
	return v;
}

static void
take_result(struct tune *t, struct job_end *end)
{
	struct tune_result *r = &t->results[end->job];
	struct answer a;

	if (end->died[0] != '\0')
		answer_fail(&a, end->died);
	else if (!answer_unpack(&a, text_str(&end->out), end->out.len))
		answer_fail(&a, "its process sent no figures");
	r->failed = a.failed;
	r->figures = a.figures;
	r->violation = judge(t, r);
	r->known = true;
	if (a.failed && r->set.n == 0 && t->failure == NULL)
		t->failure = mem_strdup(a.error);
	answer_free(&a);
	text_free(&end->out);
	t->n_known++;
}

bool
tune_step(struct tune_run *run, int timeout_ms, struct text *err)
{
	struct tune *t = run->tune;
	struct job_end end;

	if (t->outcome != TUNE_SEARCHES)
		return false;
	while (run->n_started < t->n_results && jobs_room(run->jobs) > 0) {
		if (!jobs_start(
			run->jobs, run->n_started, work_on_set, run, err))
			return false;
		run->n_started++;
	}
	if (!jobs_next(run->jobs, timeout_ms, &end))
		return false;
	take_result(t, &end);
	if (t->n_known == t->n_results)
		tune_think(t);
	return true;
}
