/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "cli/portability.h"
#include "engine/compile/platform.h"
#include "engine/compile/program.h"
#include "engine/sched/sched.h"
#include "layerstream/spirv_files.h"
#include "run/options.h"
#include "run/plan.h"
#include "run/source.h"

/* What the files are checked for. */
struct checker {
	const struct options *o;
	struct profile profile;
	struct device dev;
	const struct sched_ops *sched; /* NULL: none was named */
};

static void
print_line(FILE *out, struct text *words)
{
	struct text line = {0};

	source_add_line(&line, text_str(words));
	output_text(out, text_str(&line));
	text_free(&line);
	text_free(words);
}

static bool
open_checker(struct checker *k, const struct options *o, struct text *why)
{
	*k = (struct checker){.o = o};
	if (!profile_load(&k->profile, o->profile, why))
		return false;
	device_init(&k->dev, &k->profile);
	if (o->scheduler_given)
		k->sched = sched_of(&k->profile, o->scheduler, why);
	return k->sched != NULL || !o->scheduler_given;
}

static void
print_diagnostics(const struct checker *k, const struct source *s,
    const struct diag_list *diags)
{
	struct text text = {0};

	source_explain(s->doc, document_diagnostics(s->doc), diags,
	    k->o->verbose >= 0, &text);
	output_text(stderr, text_str(&text));
	text_free(&text);
}

static bool
accepted(
    const struct checker *k, const char *file, const struct program *program)
{
	struct text why = {0}, words = {0};

	if (k->sched == NULL || k->sched->accepts == NULL ||
	    k->sched->accepts(program, &k->profile, &why))
		return true;
	text_add_visible(&words, file, strlen(file));
	text_addf(&words, ": %s", text_str(&why));
	print_line(stderr, &words);
	text_free(&why);
	return false;
}

/* G is right, and the scheduler that runs it is not the default. */
static void
add_parallel(struct text *out, const struct document *doc)
{
	for (size_t i = 0; i < document_n_steps(doc); i++) {
		const struct step *step = document_line_step(
		    doc, document_line_of_step(doc, i));

		if (step == NULL || step->kind != STEP_PARALLEL)
			continue;
		text_adds(out, "; G needs --scheduler=guc");
		return;
	}
}

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void
print_verdict(const struct checker *k, const struct source *s,
    const struct portability *portability, bool ok, size_t errors)
{
	struct text line = {0};
	size_t steps = document_n_steps(s->doc);

	if (k->o->verbose < 0)
		return;
	text_add_visible(&line, s->name, strlen(s->name));
	if (errors > 0) {
		text_addf(&line, ": %zu error%s", errors, plural(errors));
	} else if (!ok) {
		text_addf(&line, ": refused by %s", k->sched->name);
	} else {
		text_addf(&line, ": ok, %zu step%s, ", steps, plural(steps));
		portability_print(portability, s->doc, &line);
		if (k->sched == NULL &&
		    strcmp(k->profile.scheduler, "guc") != 0)
			add_parallel(&line, s->doc);
	}
	puts(text_str(&line));
	text_free(&line);
}

/* Compiles the document for the device; the diagnostics and the portability of
 * what compiles are added. */
static struct program *
compile(const struct checker *k, const struct document *doc,
    struct diag_list *diags, struct portability *portability)
{
	struct platform_findings findings = {0};
	struct program_options options = {
	    .duration_scale = 1,
	    .delay_scale = 1,
	    .all_slices = device_all_slices(&k->dev),
	    .platform = k->o->profile_given ? &k->profile : NULL,
	    .findings = &findings,
	};
	struct program *program = program_compile(
	    &doc, 1, &k->dev, &options, diags);

	if (program != NULL)
		portability_find(portability, doc, &findings);
	platform_findings_free(&findings);
	return program;
}

static bool
check_source(const struct checker *k, const struct source *s)
{
	struct diag_list diags = {0};
	struct portability portability = {
	    .platform = k->o->profile_given ? &k->profile : NULL};
	const struct document *doc = s->doc;
	struct program *program = compile(k, doc, &diags, &portability);
	size_t errors = document_diagnostics(doc)->n_errors + diags.n_errors;
	bool ok;

	spirv_files_diagnose(doc, &diags);
	if (portability.platform != NULL)
		portability_diagnose(&portability, doc, &diags);
	print_diagnostics(k, s, &diags);
	ok = program != NULL && accepted(k, s->name, program);
	print_verdict(k, s, &portability, ok, errors);
	program_free(program);
	portability_free(&portability);
	diag_list_free(&diags);
	return ok;
}

int
check_run(const struct options *o)
{
	struct checker k;
	struct source s;
	struct text why = {0};
	int status = 0;

	if (!open_checker(&k, o, &why)) {
		print_line(stderr, &why);
		return EXIT_STATUS_OPTIONS;
	}
	for (size_t i = 0; i < o->n_files; i++) {
		if (!source_open_file(&s, o->files[i], &why)) {
			print_line(stderr, &why);
			status = EXIT_STATUS_INPUT;
		} else if (!check_source(&k, &s)) {
			status = EXIT_STATUS_INPUT;
		}
		source_close(&s);
	}
	return output_close(status);
}

int
format_run(const struct options *o)
{
	struct source s;
	struct text out = {0};
	int status = 0;

	if (!source_open_file(&s, o->files[0], &out)) {
		print_line(stderr, &out);
		source_close(&s);
		return EXIT_STATUS_INPUT;
	}
	source_explain(
	    s.doc, document_diagnostics(s.doc), NULL, o->verbose >= 0, &out);
	output_text(stderr, text_str(&out));
	text_clear(&out);
	if (document_is_valid(s.doc)) {
		document_format(s.doc, &out);
		fwrite(text_str(&out), 1, out.len, stdout);
	} else {
		status = EXIT_STATUS_INPUT;
	}
	text_free(&out);
	source_close(&s);
	return output_close(status);
}
