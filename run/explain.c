/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the diagnostics of a source are printed: the first of a kind in full, with
 * their line and a caret; where there are many, the others as the rows that
 * they are in, so that a file of another language is not quoted whole.
 */
#include "run/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/diag.h"

#define FULL_OF_KIND 5
#define MAX_RANGES   10

/* Diagnostics of one kind. */
struct kind_lines {
	enum severity severity;
	const char *kind;
	size_t n;        /* those printed in full, too */
	size_t from, to; /* the last range of rows; 0: none */
	size_t n_ranges; /* before it */
	struct text rows;
};

struct explained {
	const struct document *doc;
	struct kind_lines *kinds;
	size_t n_kinds, cap_kinds;
};

static struct kind_lines *
find_kind_lines(struct explained *e, const struct diag *d)
{
	for (size_t i = 0; i < e->n_kinds; i++)
		if (e->kinds[i].severity == d->severity &&
		    strcmp(e->kinds[i].kind, d->kind) == 0)
			return &e->kinds[i];
	e->kinds = mem_grow(
	    e->kinds, e->n_kinds, &e->cap_kinds, sizeof(*e->kinds));
	e->kinds[e->n_kinds] = (struct kind_lines){
	    .severity = d->severity, .kind = d->kind};
	return &e->kinds[e->n_kinds++];
}

/* Appends the last range: "6", "6 to 9". */
static void
end_range(struct kind_lines *k)
{
	if (k->from == 0)
		return;
	if (k->n_ranges < MAX_RANGES)
		text_addf(
		    &k->rows, "%s%zu", k->n_ranges > 0 ? ", " : "", k->from);
	if (k->n_ranges < MAX_RANGES && k->to > k->from)
		text_addf(&k->rows, " to %zu", k->to);
	if (k->n_ranges == MAX_RANGES)
		text_adds(&k->rows, " and others");
	k->n_ranges++;
	k->from = 0;
}

static void
add_row(struct explained *e, struct kind_lines *k, const struct diag *d)
{
	size_t row, column;

	document_position(e->doc, d->line, d->col, &row, &column);
	if (k->from > 0 && row <= k->to + 1) {
		k->to = row;
		return;
	}
	end_range(k);
	k->from = k->to = row;
}

/* Prints a diagnostic in full, or remembers its row. Notes are asked for by an
 * option: each is printed. */
static void
explain_or_count(struct explained *e, const struct diag *d, struct text *out)
{
	struct kind_lines *k = find_kind_lines(e, d);

	if (k->n++ < FULL_OF_KIND || d->severity == DIAG_NOTE)
		document_explain(e->doc, d, out);
	else
		add_row(e, k, d);
}

/* Takes the diagnostics of the kind that are only counted out of the list;
 * returns their number. */
static size_t
take_counted(struct diag_list *all, const struct kind_lines *k)
{
	for (size_t i = 0; i < all->n_kinds; i++) {
		struct diag_kind counted = all->kinds[i];

		if (counted.severity != k->severity ||
		    strcmp(counted.kind, k->kind) != 0)
			continue;
		all->kinds[i] = all->kinds[--all->n_kinds];
		return counted.n;
	}
	return 0;
}

/* Appends "NAME: and 20 more errors, unknown step '...', in lines 6 to 25". */
static void
add_kind_lines(struct kind_lines *k, struct diag_list *all, const char *prefix,
    struct text *out)
{
	size_t counted = take_counted(all, k);
	size_t n = k->n - FULL_OF_KIND + counted;
	const char *rows;

	end_range(k);
	rows = text_str(&k->rows);
	text_addf(out, "%sand %zu more %s%s, ", prefix, n,
	    k->severity == DIAG_ERROR ? "error" : "warning", n == 1 ? "" : "s");
	diag_add_kind(out, k->kind);
	text_addf(out, ", in line%s %s%s\n",
	    rows[strspn(rows, "0123456789")] != '\0' || counted > 0 ? "s" : "",
	    rows,
	    counted > 0 && k->n_ranges <= MAX_RANGES ? " and others" : "");
}

static void
explain_rest(struct explained *e, struct diag_list *all, struct text *out)
{
	struct text prefix = {0};

	text_add_visible(
	    &prefix, document_name(e->doc), strlen(document_name(e->doc)));
	text_adds(&prefix, ": ");
	for (size_t i = 0; i < e->n_kinds; i++) {
		struct kind_lines *k = &e->kinds[i];

		if (k->n > FULL_OF_KIND && k->severity != DIAG_NOTE)
			add_kind_lines(k, all, text_str(&prefix), out);
		text_free(&k->rows);
	}
	diag_list_add_rest(all, text_str(&prefix), out);
	text_free(&prefix);
}

void
source_explain(const struct document *doc, const struct diag_list *own,
    const struct diag_list *compiled, bool warnings, struct text *out)
{
	struct diag_list all = {0};
	struct explained e = {.doc = doc};

	if (own != NULL)
		diag_list_join(&all, own, warnings);
	if (compiled != NULL)
		diag_list_join(&all, compiled, warnings);
	diag_list_sort(&all);
	for (size_t i = 0; i < all.n; i++)
		explain_or_count(&e, &all.list[i], out);
	explain_rest(&e, &all, out);
	free(e.kinds);
	diag_list_free(&all);
}
