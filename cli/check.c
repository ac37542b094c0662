/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --check and --format. --check parses and compiles each descriptor, prints its
 * diagnostics, and says in one line whether gem_wsim would run it too: on any
 * platform, or on the one that --profile names. Reasons come from the text
 * (parser/document) and from the platforms' rules (engine/compile/platform.h).
 */
#include "cli/modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "engine/compile/platform.h"
#include "engine/compile/program.h"
#include "engine/sched/steps.h"
#include "layerstream/spirv.h"
#include "run/options.h"
#include "run/plan.h"

struct portability_report {
	const struct profile *platform; /* NULL: any */
	struct diag_list refused;       /* notes: gem_wsim refuses these */
	struct diag_list needs;         /* notes: accepted on a condition */
};

/* Adds the findings about a document that compiles. */
static void
portability_find(struct portability_report *p, const struct document *doc,
    const struct platform_findings *findings)
{
	document_is_portable(doc, &p->refused);
	for (size_t i = 0; i < findings->n; i++) {
		const struct platform_finding *f = &findings->list[i];
		const char *words = platform_words(f->rule, f->verdict);

		diag_add_as(
		    f->verdict == PLATFORM_REFUSES ? &p->refused : &p->needs,
		    words, DIAG_NOTE, f->line, f->col, f->len, "%s", words);
	}
	diag_list_sort(&p->refused);
	diag_list_sort(&p->needs);
}

static void
add_notes(const struct diag_list *notes, const struct document *doc,
    struct diag_list *diags)
{
	for (size_t i = 0; i < notes->n; i++) {
		const struct diag *d = &notes->list[i];

		if (document_line_kind(doc, d->line) == LINE_STEP)
			diag_add_as(diags, d->kind, DIAG_NOTE, d->line, d->col,
			    d->len, "step %zu: %s",
			    document_step_of_line(doc, d->line), d->message);
		else
			diag_add_as(diags, d->kind, DIAG_NOTE, d->line, d->col,
			    d->len, "%s", d->message);
	}
	for (size_t i = 0; i < notes->n_kinds; i++)
		diag_count(
		    diags, notes->kinds[i].kind, DIAG_NOTE, notes->kinds[i].n);
}

/* Adds all findings to diags: "step 4: ...". */
static void
portability_diagnose(const struct portability_report *p,
    const struct document *doc, struct diag_list *diags)
{
	add_notes(&p->refused, doc, diags);
	add_notes(&p->needs, doc, diags);
}

/* Notes with the same words. There are few different ones. */
struct reason {
	const char *words;
	const struct diag *first; /* NULL: they were only counted */
	size_t n;
};

struct reasons {
	struct reason *list;
	size_t n, cap;
};

static void
count_reason(
    struct reasons *r, const char *words, const struct diag *first, size_t n)
{
	for (size_t i = 0; i < r->n; i++) {
		if (strcmp(r->list[i].words, words) == 0) {
			r->list[i].n += n;
			return;
		}
	}
	r->list = mem_grow(r->list, r->n, &r->cap, sizeof(*r->list));
	r->list[r->n++] = (struct reason){words, first, n};
}

/* Adds "line 3: WORDS (and 2 more)". */
static void
add_reason(const struct reason *r, const struct document *doc, struct text *out)
{
	size_t row, column;

	if (r->first != NULL) {
		document_position(
		    doc, r->first->line, r->first->col, &row, &column);
		text_addf(out, "line %zu: ", row);
	}
	text_adds(out, r->words);
	if (r->n > 1)
		text_addf(out, " (and %zu more)", r->n - 1);
}

static void
add_reasons(
    const struct diag_list *notes, const struct document *doc, struct text *out)
{
	struct reasons all = {0};

	for (size_t i = 0; i < notes->n; i++)
		count_reason(&all, notes->list[i].kind, &notes->list[i], 1);
	for (size_t i = 0; i < notes->n_kinds; i++)
		count_reason(
		    &all, notes->kinds[i].kind, NULL, notes->kinds[i].n);
	for (size_t i = 0; i < all.n; i++) {
		text_adds(out, i > 0 ? "; " : ": ");
		add_reason(&all.list[i], doc, out);
	}
	free(all.list);
}

/* Appends the verdict with its reasons, each of them once, in one line. */
static void
portability_print(const struct portability_report *p,
    const struct document *doc, struct text *out)
{
	bool refused = p->refused.n > 0;

	text_addf(out, "%sportable to gem_wsim", refused ? "not " : "");
	if (p->platform != NULL)
		text_addf(out, " on %s", p->platform->name);
	if (!refused && p->needs.n > 0)
		text_adds(out, ", with notes");
	add_reasons(refused ? &p->refused : &p->needs, doc, out);
}

static void
portability_free(struct portability_report *p)
{
	diag_list_free(&p->refused);
	diag_list_free(&p->needs);
}

/* The device and scheduler that files are checked for. */
struct checker {
	const struct options *o;
	struct profile profile;
	struct device dev;
	const struct sched_ops *sched;
};

/* Prints words as a line that begins with "gpuwl-top: ", and frees them. */
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
	k->sched = sched_of(&k->profile, o->scheduler, why);
	return k->sched != NULL;
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

/* Asks the scheduler about a program, which --scheduler makes an error if it is
 * refused. Steps without effect are warned of where the user has named the
 * scheduler or its profile. */
static bool
ask_scheduler(const struct checker *k, const struct source *s,
    const struct program *program, struct diag_list *diags)
{
	const struct document *docs[1] = {s->doc};
	struct text why = {0}, words = {0};

	if (k->o->scheduler_given &&
	    !sched_diagnose(
		k->sched, program, &k->profile, docs, diags, &why)) {
		if (why.len > 0) {
			text_add_visible(&words, s->name, strlen(s->name));
			text_addf(&words, ": %s", text_str(&why));
			print_line(stderr, &words);
		}
		text_free(&why);
		return false;
	}
	if (k->o->scheduler_given || k->o->profile_given)
		sched_warn_of_idle_steps(
		    k->sched, &k->profile, program, 0, docs, diags);
	return true;
}

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void
print_verdict(const struct checker *k, const struct source *s,
    const struct portability_report *portability, const struct program *program,
    bool ok, size_t errors)
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
		sched_add_needs(k->sched, program, &line);
	}
	puts(text_str(&line));
	text_free(&line);
}

/* Compiles the document for the device; adds diagnostics and, if it compiles,
 * its portability. Returns NULL if it does not. */
static struct program *
check_compile(const struct checker *k, const struct document *doc,
    struct diag_list *diags, struct portability_report *portability)
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
	struct portability_report portability = {
	    .platform = k->o->profile_given ? &k->profile : NULL};
	const struct document *doc = s->doc;
	struct program *program = check_compile(k, doc, &diags, &portability);
	size_t errors = document_diagnostics(doc)->n_errors + diags.n_errors;
	bool ok = program != NULL && ask_scheduler(k, s, program, &diags);

	spirv_diagnose(doc, &diags);
	if (portability.platform != NULL)
		portability_diagnose(&portability, doc, &diags);
	print_diagnostics(k, s, &diags);
	print_verdict(k, s, &portability, program, ok, errors);
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
	int status = EXIT_STATUS_OK;

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
	int status = EXIT_STATUS_OK;

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
