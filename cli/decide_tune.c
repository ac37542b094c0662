/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch mode's --tune: reads the question, runs the search, explains the edits on
 * standard error, and writes the edited workloads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/decide.h"
#include "cli/decide_outputs.h"
#include "decide/tune.h"
#include "decide/variant.h"
#include "report/page.h"
#include "run/options.h"
#include "run/plan.h"

#define DEFAULT_SEEDS 3

/* A search and the plan that it is about, for printing. */
struct tuned_plan {
	struct tune *tune;
	struct plan *plan;
};

static bool
search_edits(struct tune *t, struct plan *plan, const struct options *o,
    struct text *err)
{
	struct tune_run *run = tune_run_begin(t, plan, decide_jobs(o));
	struct text line = {0};

	while (t->outcome == TUNE_SEARCHES && err->len == 0) {
		text_clear(&line);
		tune_add_progress(t, &line);
		decide_progress(o, text_str(&line));
		tune_step(run, -1, err);
	}
	decide_progress_end();
	tune_run_end(run);
	text_free(&line);
	if (t->error != NULL)
		text_adds(err, t->error);
	return err->len == 0;
}

/* Returns the number of different documents of a plan. */
static size_t
count_documents(const struct plan *plan)
{
	return plan_n_documents(plan, plan->n_sources);
}

/* Writes a document to the n-th file, or to standard output: a comment with its name
 * is before it if there are several. */
static bool
write_document(const struct plan *plan, size_t source, size_t n,
    const struct options *o, const struct text *text)
{
	struct file_stamp stamp = {0};
	struct text path = {0}, err = {0};
	bool ok = true;

	if (o->output == NULL || strcmp(o->output, "-") == 0) {
		if (count_documents(plan) > 1)
			printf("# %s\n", plan->sources[source].name);
		fwrite(text->data, 1, text->len, stdout);
		return true;
	}
	decision_outputs_name(o->output, n, &path);
	ok = file_save(text_str(&path), text, &stamp, true, &err) == SAVE_DONE;
	if (!ok)
		output_textf(
		    stderr, "gpuwl-top: --output: %s\n", text_str(&err));
	text_free(&path);
	text_free(&err);
	return ok;
}

static int
write_documents(
    const struct tune *t, struct plan *plan, const struct options *o)
{
	size_t n = 0;
	bool ok = true;

	for (size_t i = 0; i < plan->n_sources && ok; i++) {
		struct text text = {0}, err = {0};

		if (plan->sources[i].is_alias)
			continue;
		ok = tune_print_document(t, &t->best, plan, i, &text, &err) &&
		    write_document(plan, i, ++n, o, &text);
		text_free(&text);
		text_free(&err);
	}
	return ok ? EXIT_STATUS_OK : EXIT_STATUS_FAILED;
}

static void
print_tune_json(void *of, FILE *out)
{
	const struct tuned_plan *tuned = of;

	tune_print_json(tuned->tune, tuned->plan, out);
}

/* Explains the answer, and writes it. A goal that is not met is said with -q, too:
 * nothing else is written. */
static int
report_edits(struct tune *t, struct plan *plan, const struct options *o,
    struct decision_outputs *outputs)
{
	bool met = t->outcome != TUNE_NOT_MET;
	bool json_only = o->json != NULL && strcmp(o->json, "-") == 0 &&
	    o->output == NULL;
	struct tuned_plan tuned = {t, plan};
	struct text lines = {0};
	int status = EXIT_STATUS_OK;

	tune_print(t, &lines);
	if (o->verbose >= 0 || !met)
		output_text(stderr, text_str(&lines));
	text_free(&lines);
	if (!decision_outputs_json(outputs, print_tune_json, &tuned))
		status = EXIT_STATUS_FAILED;
	if (met && !json_only && status == EXIT_STATUS_OK)
		status = write_documents(t, plan, o);
	if (status == EXIT_STATUS_OK && !met)
		status = EXIT_STATUS_FAILED;
	return output_close(status);
}

static int
tune_plan(
    struct plan *plan, const struct options *o, struct tune_question *question)
{
	struct tune t;
	struct decision_outputs outputs;
	struct text err = {0}, html = {0};
	int status = EXIT_STATUS_FAILED;
	bool found;

	if (!decision_outputs_open(&outputs, o, plan))
		return EXIT_STATUS_OPTIONS;
	tune_begin(&t, question, plan);
	found = search_edits(&t, plan, o, &err);
	if (found) {
		if (outputs.page >= 0)
			page_of_tune(&t, plan, o->command, &html);
		status = report_edits(&t, plan, o, &outputs);
	} else {
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	}
	if (!decision_outputs_close(&outputs, found ? &html : NULL))
		status = EXIT_STATUS_FAILED;
	text_free(&err);
	text_free(&html);
	tune_free(&t);
	return status;
}

/* Reads the question that the options ask of an open plan, and answers it. */
static int
ask_for_edits(struct plan *plan, const struct options *o)
{
	struct goal goal = {0};
	struct tune_kept *keep = NULL;
	struct tune_question question = {
	    .goal = &goal,
	    .seeds = o->seeds > 0 ? o->seeds : DEFAULT_SEEDS,
	    .warmup = o->warmup,
	    .end = variant_end(o),
	};
	struct text err = {0};
	int status;

	if (!tune_read_kinds(
		*o->tune != '\0' ? o->tune : NULL, &question.kinds, &err))
		return decide_refuse("--tune", &err);
	if (!goal_for(&goal, o->goal, plan, &err))
		return decide_refuse("--goal", &err);
	if (!tune_read_keep(o->keep, plan, &keep, &question.n_keep, &err))
		return decide_refuse("--keep", &err);
	question.keep = keep;
	status = tune_plan(plan, o, &question);
	text_free(&err);
	free(keep);
	return status;
}

int
decide_tune(const struct options *o)
{
	struct plan plan;
	struct text err = {0};
	int status;

	if (plan_open(&plan, o, &status, &err)) {
		output_text(stderr, text_str(&err));
		status = ask_for_edits(&plan, o);
	} else {
		output_text(stderr, text_str(&err));
	}
	plan_close(&plan);
	text_free(&err);
	return status;
}
