/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the command line that gives a session's figures in batch mode: each
 * option whose value is not batch mode's default, from wherever the session has
 * it: options, config file, or commands since. Workloads are named as they were
 * opened; those without a file are their steps.
 */
#include "run/live/batch_line.h"
#include "run/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell.h"
#include "engine/sched/sched.h"
#include "run/options.h"

#define MAX_REPEATED 64 /* -w options for clients of several workloads */

static void
add_option(struct text *out, const char *option, const char *value)
{
	text_addf(out, " %s", option);
	shell_add_word(out, value);
}

/* Appends the shortest decimal that is read back as x. */
static void
add_real(struct text *out, const char *option, double x)
{
	char buf[40];

	for (int digits = 1; digits <= 17; digits++) {
		snprintf(buf, sizeof(buf), "%.*g", digits, x);
		if (strtod(buf, NULL) >= x && strtod(buf, NULL) <= x)
			break;
	}
	text_addf(out, " %s%s", option, buf);
}

static const char *
profile_name(const struct session *s)
{
	if (s->profile_file != NULL)
		return s->profile_file;
	return s->options != NULL && !session_is_replayed(s)
	    ? s->options->profile
	    : s->plan->profile.name;
}

static void
add_model(const struct session *s, struct text *out)
{
	const struct plan *plan = s->plan;
	struct text ignored = {0};

	if (session_is_on_gpu(s))
		add_option(out, "-D ", s->options->device);
	else if (strcmp(profile_name(s), "default") != 0)
		add_option(out, "--profile=", profile_name(s));
	if (!session_is_on_gpu(s) &&
	    sched_find(plan->profile.scheduler, &ignored) != plan->sched)
		add_option(out, "--scheduler=", plan->sched->name);
	text_free(&ignored);
	if (plan->seed != 1)
		text_addf(out, " -I %" PRIu32, plan->seed);
	text_adds(out, plan->same_random ? " -S" : "");
	text_adds(out, plan->sync_deps ? " -d" : "");
	if (plan->duration_scale < 1 || plan->duration_scale > 1)
		add_real(out, "-f ", plan->duration_scale);
	if (plan->delay_scale < 1 || plan->delay_scale > 1)
		add_real(out, "-F ", plan->delay_scale);
}

/* The device of programs, if there is one. */
static void
add_device(const struct session *s, struct text *out)
{
	const struct programs *p = &s->programs;

	if (!session_is_served(s))
		return;
	if (strcmp(p->name, PROGRAMS_DEVICE) == 0)
		text_adds(out, " --serve");
	else
		add_option(out, "--serve=", p->name);
	text_adds(out, p->privileged ? " --privileged" : "");
	if (p->speed < 1 || p->speed > 1)
		add_real(out, "--speed=", p->speed);
}

static void
add_program(char *const *words, struct text *out)
{
	text_adds(out, " --");
	for (; *words != NULL; words++) {
		text_addc(out, ' ');
		shell_add_word(out, *words);
	}
}

/* Iterations, and how far the run has come unless all of them are done or a
 * program ends it. */
static void
add_length(const struct session *s, bool program_ends, struct text *out)
{
	const struct sim *sim = s->run.sim;

	if (s->plan->repeat > 1 || (s->plan->repeat > 0 && sim->now > 0))
		text_addf(out, " -r %" PRIu64, s->plan->repeat);
	if (sim->state != SIM_DONE && sim->now > 0 && !program_ends)
		run_add_duration(sim->now, out);
}

/* Appends the steps of a document, joined by commas. */
static void
add_steps(struct text *out, const struct document *doc)
{
	struct text steps = {0};

	for (size_t i = 0; i < document_n_steps(doc); i++) {
		const struct step *step = document_line_step(
		    doc, document_line_of_step(doc, i));

		if (step == NULL)
			continue;
		text_adds(&steps, steps.len > 0 ? "," : "");
		step_print(&steps, step);
	}
	shell_add_word(out, text_str(&steps));
	text_free(&steps);
}

static void
add_workload(const struct source *source, struct text *out)
{
	text_adds(out, source->master ? " -W " : " -w ");
	if (source->is_file)
		shell_add_word(out, source->name);
	else
		add_steps(out, source->doc);
}

/* Number of sources with clients; *clients: of all. */
static size_t
count_launched(const struct plan *plan, uint64_t *clients)
{
	size_t n = 0;

	*clients = 0;
	for (size_t i = 0; i < plan->n_sources; i++) {
		n += plan->sources[i].clones > 0;
		*clients += plan->sources[i].clones;
	}
	return n;
}

/* -c is for one workload: clients of several are a -w each. */
static void
add_launched(const struct plan *plan, bool served, struct text *out)
{
	uint64_t clients;
	bool one = count_launched(plan, &clients) == 1;
	int priority = 0;
	bool small = false;

	for (size_t i = 0; i < plan->n_sources; i++) {
		const struct source *source = &plan->sources[i];
		unsigned n = one || clients > MAX_REPEATED ? 1 : source->clones;

		/* A program is the workload then. */
		if (source->clones == 0 || (served && source_is_blank(source)))
			continue;
		if (source->priority != priority)
			text_addf(out, " -p %d", source->priority);
		text_adds(out, source->small_sseu != small ? " -s" : "");
		priority = source->priority;
		small = source->small_sseu;
		if (one && source->clones > 1)
			text_addf(out, " -c %u", source->clones);
		for (; n > 0; n--)
			add_workload(source, out);
	}
}

void
session_add_batch_line(const struct session *s, struct text *out)
{
	const struct options *o = s->options;
	uint64_t ignored;
	char *const *program = session_first_program(s, &ignored);

	if (count_launched(s->plan, &ignored) == 0 && program == NULL &&
	    !session_is_served(s)) {
		text_adds(out, "# no client is left: nothing would run");
		return;
	}
	text_adds(out, "gpuwl-top -b");
	add_device(s, out);
	add_model(s, out);
	add_length(s, program != NULL, out);
	if (o != NULL && o->append != NULL)
		add_option(out, "-a ", o->append);
	add_launched(s->plan, session_is_served(s), out);
	if (program != NULL)
		add_program(program, out);
}

static void
add_unsaved_notes(const struct plan *plan, struct text *out)
{
	for (size_t i = 0; i < plan->n_sources; i++) {
		if (!plan->sources[i].is_file ||
		    !source_is_unsaved(&plan->sources[i]))
			continue;
		source_add_title(plan, i, out);
		text_adds(out,
		    " has unsaved edits, which the command does not "
		    "see: :w first\n");
	}
}

static void
add_program_notes(const struct session *s, struct text *out)
{
	uint64_t n;

	session_first_program(s, &n);
	text_adds(out,
	    "programs run in real time: their figures differ a little from run "
	    "to run\n");
	if (n > 1)
		text_addf(out,
		    "%" PRIu64
		    " programs were started here: the command has the "
		    "first, start the others on its device with gpuwl-run\n",
		    n);
	else if (n == 0)
		text_adds(out,
		    "programs of other shells are started with gpuwl-run, as "
		    "here\n");
}

void
session_add_batch_notes(const struct session *s, struct text *out)
{
	const struct sim *sim = s->run.sim;
	uint64_t clients;

	add_unsaved_notes(s->plan, out);
	if (sim->n_controls > 0)
		text_addf(out,
		    "this run was changed while it ran (edits, launches, "
		    "kills): the command runs what there is now from the "
		    "start, as R does%s\n",
		    session_is_on_gpu(s)
			? ""
			: "; gpuwl-top --record=FILE records the changes too");
	if (session_is_on_gpu(s))
		text_adds(out,
		    "a GPU runs in real time: its figures differ a little from "
		    "run to run\n");
	if (session_is_served(s))
		add_program_notes(s, out);
	if (count_launched(s->plan, &clients) > 1 && clients > MAX_REPEATED)
		text_addf(out,
		    "%" PRIu64 " clients of several workloads are too many for "
		    "a command line, which has one of each\n",
		    clients);
}
