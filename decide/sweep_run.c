/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the rows of a sweep as jobs. Rows that end before an earlier one wait for
 * it, WINDOW at most, so that the lines are in order and memory is bounded.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "decide/jobs.h"
#include "decide/sweep.h"
#include "decide/variant.h"
#include "run/options.h"

#define WINDOW 1024u

struct sweep_run {
	const struct sweep *sweep;
	struct plan *plan;
	const struct options *o;
	struct jobs *jobs;
	size_t next, started, end; /* rows: given out, started, all */
	char *lines[WINDOW];       /* of rows that wait, by row % WINDOW */
};

struct sweep_run *
sweep_begin(const struct sweep *s, struct plan *plan, const struct options *o,
    size_t first, size_t end, unsigned n_jobs)
{
	struct sweep_run *run = mem_calloc(1, sizeof *run);

	run->sweep = s;
	run->plan = plan;
	run->o = o;
	run->jobs = jobs_new(n_jobs);
	run->next = run->started = first;
	run->end = end;
	return run;
}

void
sweep_end(struct sweep_run *run)
{
	if (run == NULL)
		return;
	jobs_free(run->jobs);
	for (size_t i = 0; i < WINDOW; i++)
		free(run->lines[i]);
	free(run);
}

bool
sweep_is_done(const struct sweep_run *run)
{
	return run->next == run->end;
}

size_t
sweep_position(const struct sweep_run *run)
{
	return run->next;
}

/* A job: appends the line of a row. */
static void
work_on_row(void *data, size_t row, struct text *out)
{
	const struct sweep_run *run = data;
	struct options varied;
	struct text knobs = {0}, err = {0};
	struct answer a;

	if (sweep_vary(run->sweep, row, run->o, &varied, &knobs, &err)) {
		struct variant variant = {
		    .options = &varied,
		    .knobs = text_str(&knobs),
		    .warmup = run->o->warmup,
		    .end = variant_end(&varied),
		};

		variant_run(run->plan, &variant, &a);
	} else {
		answer_fail(&a, text_str(&err));
	}
	sweep_print_row(run->sweep, row, &a, out);
	answer_free(&a);
	text_free(&knobs);
	text_free(&err);
}

static bool
start_rows(struct sweep_run *run, struct text *err)
{
	while (jobs_room(run->jobs) > 0 && run->started < run->end &&
	    run->started - run->next < WINDOW) {
		if (!jobs_start(run->jobs, run->started, work_on_row, run, err))
			return false;
		run->started++;
	}
	return true;
}

/* Keeps the line of a row whose job has ended. */
static void
keep_row_line(struct sweep_run *run, const struct job_end *end)
{
	struct text line = {0};
	struct answer a;

	if (end->died[0] == '\0') {
		text_add(&line, text_str(&end->out), end->out.len);
	} else {
		answer_fail(&a, end->died);
		sweep_print_row(run->sweep, end->job, &a, &line);
		answer_free(&a);
	}
	run->lines[end->job % WINDOW] = mem_strdup(text_str(&line));
	text_free(&line);
}

static void
give_out(struct sweep_run *run, struct text *out)
{
	char **line;

	while (run->next < run->end &&
	    *(line = &run->lines[run->next % WINDOW]) != NULL) {
		text_adds(out, *line);
		free(*line);
		*line = NULL;
		run->next++;
	}
}

bool
sweep_step(
    struct sweep_run *run, int timeout_ms, struct text *out, struct text *err)
{
	struct job_end end;

	if (sweep_is_done(run) || !start_rows(run, err) ||
	    !jobs_next(run->jobs, timeout_ms, &end))
		return false;
	keep_row_line(run, &end);
	text_free(&end.out);
	give_out(run, out);
	return true;
}
