/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch mode's --capacity: reads the question, runs the search, and prints the
 * answer. */
#include "cli/decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/decide_outputs.h"
#include "decide/capacity.h"
#include "decide/goal.h"
#include "decide/jobs.h"
#include "decide/mix.h"
#include "decide/variant.h"
#include "report/page.h"
#include "run/options.h"
#include "run/plan.h"

#define DEFAULT_SEEDS 3

static bool progress_shown;

unsigned
decide_jobs(const struct options *o)
{
	return o->jobs > 0 ? o->jobs : jobs_processors();
}

int
decide_refuse(const char *option, struct text *why)
{
	output_textf(stderr, "gpuwl-top: %s: %s\n", option, text_str(why));
	text_free(why);
	return EXIT_STATUS_OPTIONS;
}

void
decide_progress(const struct options *o, const char *line)
{
	if (o->verbose < 0 || isatty(STDERR_FILENO) != 1)
		return;
	fprintf(stderr, "\r%s\033[K", line);
	fflush(stderr);
	progress_shown = true;
}

void
decide_progress_end(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = false;
}

/* Runs the search to its end. */
static bool
search_capacity(struct capacity *c, struct plan *plan, const struct options *o,
    struct text *err)
{
	struct capacity_run *run = capacity_begin(c, plan, decide_jobs(o));
	char line[80];

	while (!capacity_is_done(run) && err->len == 0) {
		snprintf(line, sizeof line, "%zu counts tried, now %u clients",
		    c->n_tried, capacity_next(c));
		decide_progress(o, line);
		capacity_step(run, -1, err);
	}
	decide_progress_end();
	capacity_end(run);
	if (c->error != NULL)
		text_adds(err, c->error);
	return err->len == 0;
}

static void
print_capacity_json(void *of, FILE *out)
{
	capacity_print_json(of, out);
}

static int
report_answer(struct capacity *c, const struct plan *plan,
    const struct options *o, struct decision_outputs *outputs)
{
	bool taken = (o->json != NULL && strcmp(o->json, "-") == 0) ||
	    (o->report != NULL && strcmp(o->report, "-") == 0);
	struct text lines = {0};
	int status = EXIT_STATUS_OK;

	capacity_print(c, plan, &lines);
	if (o->verbose >= 0)
		output_text(taken ? stderr : stdout, text_str(&lines));
	text_free(&lines);
	if (!decision_outputs_json(outputs, print_capacity_json, c))
		status = EXIT_STATUS_FAILED;
	return output_close(status);
}

/* Answers the question that the options ask of an open plan. */
static int
answer_question(struct plan *plan, const struct options *o)
{
	struct goal goal = {0};
	struct mix_field *mix = NULL;
	struct capacity c = {
	    .question =
		{
		    .goal = &goal,
		    .most = o->max_clients,
		    .seeds = o->seeds > 0 ? o->seeds : DEFAULT_SEEDS,
		    .warmup = o->warmup,
		    .end = variant_end(o),
		},
	};
	struct decision_outputs outputs;
	struct text err = {0}, html = {0};
	int status;

	if (!goal_for(&goal, o->goal, plan, &err))
		return decide_refuse("--goal", &err);
	mix = mix_read(o->mix, plan->n_sources, &err);
	if (mix == NULL)
		return decide_refuse("--mix", &err);
	c.question.mix = mix;
	if (!decision_outputs_open(&outputs, o, plan)) {
		status = EXIT_STATUS_OPTIONS;
	} else if (search_capacity(&c, plan, o, &err)) {
		page_of_capacity(&c, plan, o->command, &html);
		status = report_answer(&c, plan, o, &outputs);
		if (!decision_outputs_close(&outputs, &html))
			status = EXIT_STATUS_FAILED;
	} else {
		decision_outputs_close(&outputs, NULL);
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
		status = EXIT_STATUS_FAILED;
	}
	text_free(&html);
	text_free(&err);
	capacity_free(&c);
	free(mix);
	return status;
}

int
decide_capacity(const struct options *o)
{
	struct plan plan;
	struct text err = {0};
	int status;

	if (plan_open(&plan, o, &status, &err)) {
		output_text(stderr, text_str(&err));
		status = answer_question(&plan, o);
	} else {
		output_text(stderr, text_str(&err));
	}
	plan_close(&plan);
	text_free(&err);
	return status;
}

int
decide_mix(const struct options *o, struct plan *plan)
{
	struct text err = {0};
	struct mix_field *mix;

	if (o->mix == NULL)
		return EXIT_STATUS_OK;
	mix = mix_read_fixed(o->mix, plan->n_sources, &err);
	for (size_t i = 0; mix != NULL && i < plan->n_sources; i++)
		plan->sources[i].clones = mix[i].fixed;
	if (mix == NULL)
		return decide_refuse("--mix", &err);
	free(mix);
	return EXIT_STATUS_OK;
}
