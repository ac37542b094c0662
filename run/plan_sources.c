/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sources of a plan: opened from options or added later, which of them are
 * one file, and which wait because their text cannot run yet.
 */
#include "run/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/stop.h"
#include "base/text.h"
#include "run/capture_frames.h"
#include "run/options.h"

/* Appends a reason as a line, frees it, and returns false. */
static bool
fail_with(struct text *err, struct text *why)
{
	source_add_line(err, text_str(why));
	text_free(why);
	return false;
}

/* As fail_with(), under the name that the program was called by. */
static bool
refuse_model(const struct options *o, struct text *err, struct text *why)
{
	source_add_line_of(err, options_caller(o), text_str(why));
	text_free(why);
	return false;
}

static bool
open_model(
    struct plan *plan, const struct options *o, int *status, struct text *err)
{
	struct text why = {0};

	*status = EXIT_STATUS_OPTIONS;
	if (o->device != NULL)
		return plan_open_gpu(plan, o->device, &why) ||
		    fail_with(err, &why);
	if (!profile_load(&plan->profile, o->profile, &why)) {
		/* A profile that exists, but is invalid, is an error of the
		 * input. */
		if (access(o->profile, F_OK) == 0)
			*status = EXIT_STATUS_INPUT;
		return refuse_model(o, err, &why);
	}
	plan->sched = sched_of(&plan->profile, o->scheduler, &why);
	if (plan->sched == NULL)
		return refuse_model(o, err, &why);
	return true;
}

/* True if the console may start with an empty document for a new file. */
static bool
may_be_new(const struct options *o, const struct workload_option *w)
{
	return o->mode == MODE_CONSOLE && w->positional &&
	    source_is_new_file(w->argument);
}

static bool
open_source(struct plan *plan, const struct options *o,
    const struct workload_option *w, struct text *err)
{
	struct source *s = &plan->sources[plan->n_sources];
	struct text why = {0};
	char label[32];

	snprintf(label, sizeof(label), "workload %zu", plan->n_sources);
	plan->n_sources++;
	if (may_be_new(o, w))
		source_open_new(s, w->argument);
	else if (!source_open(s, w->argument, label, &why))
		return fail_with(err, &why);
	s->clones = o->clients;
	s->master = w->master;
	s->priority = w->priority;
	s->small_sseu = w->small_sseu;
	return true;
}

static bool
open_example(struct plan *plan, unsigned clones, struct text *err)
{
	struct text why = {0};

	plan->n_sources = 1;
	if (!source_open_example(&plan->sources[0], &why))
		return fail_with(err, &why);
	plan->sources[0].clones = clones;
	return true;
}

struct named_source {
	char *path;
	size_t source;
};

static int
compare_paths(const void *a, const void *b)
{
	const struct named_source *x = a, *y = b;
	int by_path = strcmp(x->path, y->path);

	if (by_path != 0)
		return by_path;
	return x->source < y->source ? -1 : x->source > y->source;
}

static void
share_document(struct plan *plan, size_t source, size_t of)
{
	struct source *s = &plan->sources[source];

	document_free(s->doc);
	s->doc = plan->sources[of].doc;
	s->is_alias = true;
	s->alias_of = of;
}

/* Gives sources of one file the document of the first of them. Files are known
 * by their paths, not by inodes: saving replaces the inode. */
static void
share_documents(struct plan *plan)
{
	struct named_source *list = mem_calloc(
	    plan->n_sources + 1, sizeof(*list));
	size_t n = 0, first = 0;

	for (size_t i = 0; i < plan->n_sources; i++)
		if (plan->sources[i].is_file && plan->sources[i].doc != NULL)
			list[n++] = (struct named_source){
			    file_absolute_path(plan->sources[i].name), i};
	if (n > 1)
		qsort(list, n, sizeof(*list), compare_paths);
	for (size_t i = 1; i < n; i++)
		if (strcmp(list[first].path, list[i].path) == 0)
			share_document(
			    plan, list[i].source, list[first].source);
		else
			first = i;
	for (size_t i = 0; i < n; i++)
		free(list[i].path);
	free(list);
}

static bool
open_sources(struct plan *plan, const struct options *o, struct text *err)
{
	bool ok = true, master = false;

	plan->sources = mem_calloc(o->n_workloads + 1, sizeof(struct source));
	if (o->n_workloads == 0 &&
	    (o->mode == MODE_PROGRAM || o->serve != NULL))
		return true;
	if (o->n_workloads == 0)
		return open_example(plan, o->clients, err);
	for (size_t i = 0; i < o->n_workloads; i++) {
		if (!open_source(plan, o, &o->workloads[i], err))
			ok = false;
		master = master || o->workloads[i].master;
	}
	for (size_t i = 0; i < plan->n_sources; i++)
		plan->sources[i].background = master &&
		    !plan->sources[i].master;
	if (o->mode == MODE_CONSOLE || o->tune != NULL)
		share_documents(plan);
	return ok;
}

/* Opens the document of -a, in which references cannot leave it. */
static bool
open_append(struct plan *plan, const struct options *o, struct text *err)
{
	struct source s;
	struct text why = {0};
	bool ok;

	if (o->append == NULL)
		return true;
	if (!source_open(&s, o->append, "append workload", &why)) {
		source_close(&s);
		return fail_with(err, &why);
	}
	source_explain(
	    s.doc, document_diagnostics(s.doc), NULL, o->verbose >= 0, err);
	ok = document_is_valid(s.doc);
	if (!ok)
		source_add_line(err, "the append workload (-a) has errors");
	plan->append = s.doc;
	plan->append_inline = s.is_inline;
	s.doc = NULL;
	source_close(&s);
	return ok;
}

/* Sets how the plan is run. */
static void
set_numbers(struct plan *plan, const struct options *o)
{
	plan->seed = o->seed;
	plan->same_random = o->same_random;
	plan->sync_deps = o->sync_deps;
	plan->repeat = o->repeat;
	plan->duration_scale = o->duration_scale;
	plan->delay_scale = o->delay_scale;
}

bool
plan_vary(struct plan *plan, const struct options *o, const char *knobs,
    struct text *err)
{
	int status;

	plan_drop_programs(plan);
	set_numbers(plan, o);
	if (plan->n_sources == 1)
		plan->sources[0].clones = o->clients;
	return open_model(plan, o, &status, err) &&
	    (knobs == NULL ||
		profile_parse(&plan->profile, "knobs", knobs, err));
}

bool
plan_open(
    struct plan *plan, const struct options *o, int *status, struct text *err)
{
	bool ok;

	*plan = (struct plan){0};
	set_numbers(plan, o);
	if (!open_model(plan, o, status, err))
		return false;
	*status = EXIT_STATUS_INPUT;
	ok = open_sources(plan, o, err);
	ok = open_append(plan, o, err) && ok;
	ok = (plan->gpu == NULL ||
		 plan_gpu_takes_options(plan, o->verbose >= 0, err)) &&
	    ok;
	ok = plan_check(
		 plan, o->verbose >= 0, ok && o->mode == MODE_CONSOLE, err) &&
	    ok;
	if (ok)
		*status = EXIT_STATUS_OK;
	return ok;
}

void
plan_close(struct plan *plan)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		source_close(&plan->sources[i]);
	free(plan->sources);
	document_free(plan->append);
	plan_close_gpu(plan);
	plan_close_past(plan);
	*plan = (struct plan){0};
}

/* True if there is a master: all other sources are in the background then. */
static bool
has_master(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		if (plan->sources[i].master)
			return true;
	return false;
}

/* Refuses standard input, pipes and devices: reading could block the
 * console. */
static bool
is_special(const char *path, struct text *err)
{
	bool keyboard = strcmp(path, "-") == 0;
	struct stat st;

	if (!keyboard && (stat(path, &st) != 0 || S_ISREG(st.st_mode)))
		return false;
	text_add_visible(err, path, strlen(path));
	text_adds(err,
	    keyboard ? ": standard input is the keyboard's"
		     : " is not a regular file");
	return true;
}

bool
plan_add_file(
    struct plan *plan, const char *path, bool may_be_new, struct text *err)
{
	struct source added;

	if (is_special(path, err))
		return false;
	if (may_be_new && source_is_new_file(path)) {
		source_open_new(&added, path);
	} else if (!source_open_until(&added, path, plan->stop, err)) {
		source_close(&added);
		return false;
	}
	added.background = has_master(plan);
	plan->sources = mem_realloc(
	    plan->sources, plan->n_sources + 1, sizeof(*plan->sources));
	plan->sources[plan->n_sources++] = added;
	return true;
}

void
plan_drop_last(struct plan *plan)
{
	source_close(&plan->sources[--plan->n_sources]);
}

size_t
plan_document(const struct plan *plan, size_t source)
{
	return source < plan->n_sources && plan->sources[source].is_alias
	    ? plan->sources[source].alias_of
	    : source;
}

size_t
plan_n_documents(const struct plan *plan, size_t n_sources)
{
	size_t n = 0;

	for (size_t i = 0; i < n_sources; i++)
		n += !plan->sources[i].is_alias;
	return n;
}

unsigned
plan_n_clones(const struct plan *plan, size_t source)
{
	size_t of = plan_document(plan, source);
	unsigned n = 0;

	for (size_t i = 0; i < plan->n_sources; i++)
		if (plan_document(plan, i) == of)
			n += plan->sources[i].clones;
	return n;
}

size_t
plan_find_file(const struct plan *plan, const char *path)
{
	char *wanted = file_absolute_path(path);
	size_t i;

	for (i = 0; i < plan->n_sources; i++) {
		const struct source *s = &plan->sources[i];
		char *own = s->is_file && !s->is_alias
		    ? file_absolute_path(s->name)
		    : NULL;
		bool found = own != NULL && strcmp(own, wanted) == 0;

		free(own);
		if (found)
			break;
	}
	free(wanted);
	return i;
}

/* True if the source can run; keeps its program for the launch. */
static bool
can_run(const struct plan *plan, struct source *s)
{
	struct text ignored = {0};
	bool can = plan_prepare(plan, s, &ignored);

	text_free(&ignored);
	return can;
}

bool *
plan_update_waiting(struct plan *plan)
{
	bool *was = mem_calloc(plan->n_sources + 1, sizeof(*was));

	for (size_t i = 0; i < plan->n_sources; i++) {
		struct source *s = &plan->sources[i];

		was[i] = s->waiting;
		if (s->is_alias)
			s->waiting = plan->sources[s->alias_of].waiting;
		else
			s->waiting = !plan_has_steps(plan, s) ||
			    (s->waiting && !can_run(plan, s));
	}
	return was;
}

void
plan_restore_waiting(struct plan *plan, bool *was)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		plan->sources[i].waiting = was[i];
	free(was);
}

static bool
has_line(const struct document *doc, const char *wanted)
{
	for (size_t i = 0; i < document_n_lines(doc); i++) {
		size_t len;
		const char *text = document_line_text(doc, i, &len);

		if (len == strlen(wanted) && memcmp(text, wanted, len) == 0)
			return true;
	}
	return false;
}

bool
plan_has_estimates(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		if (has_line(plan->sources[i].doc, CAPTURE_ESTIMATES))
			return true;
	return false;
}
