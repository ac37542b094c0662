/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See portability.h. */
#include "cli/portability.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/compile/platform.h"
#include "engine/profile.h"
#include "parser/document/document.h"

void
portability_find(struct portability *p, const struct document *doc,
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
diagnose(const struct diag_list *notes, const struct document *doc,
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

void
portability_diagnose(const struct portability *p, const struct document *doc,
    struct diag_list *diags)
{
	diagnose(&p->refused, doc, diags);
	diagnose(&p->needs, doc, diags);
}

/* Notes with the same words; of different ones there are few. */
struct reason {
	const char *words;
	const struct diag *first; /* NULL: none is in full */
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

/* "line 3: it is so (and 2 more)" */
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

void
portability_print(
    const struct portability *p, const struct document *doc, struct text *out)
{
	bool refused = p->refused.n > 0;

	text_addf(out, "%sportable to gem_wsim", refused ? "not " : "");
	if (p->platform != NULL)
		text_addf(out, " on %s", p->platform->name);
	if (!refused && p->needs.n > 0)
		text_adds(out, ", with notes");
	add_reasons(refused ? &p->refused : &p->needs, doc, out);
}

void
portability_free(struct portability *p)
{
	diag_list_free(&p->refused);
	diag_list_free(&p->needs);
}
