/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnostics that are not kept in full, as a line that counts them by kind. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/diag.h"

#define KINDS_NAMED 8

/* Passes a conversion of printf: flags, width, length and its letter. */
static const char *
pass_conversion(const char *p)
{
	p += strspn(p, "%.*-+ #0123456789hlzjtq");
	return *p ? p + 1 : p;
}

/* The format up to its colon; what is filled in is "...". */
static void
add_kind(struct text *out, const char *kind)
{
	bool filled = false;

	if (strcmp(kind, "%s") == 0)
		kind = "others";
	while (*kind && *kind != ':') {
		if (*kind != '%') {
			text_addc(out, *kind++);
			filled = false;
			continue;
		}
		kind = pass_conversion(kind);
		if (!filled)
			text_adds(out, "...");
		filled = true;
	}
}

/* Many first, then in the order in which they came. */
static int
compare_kinds(const void *a, const void *b)
{
	const struct diag_kind *x = *(const struct diag_kind *const *)a;
	const struct diag_kind *y = *(const struct diag_kind *const *)b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return (x > y) - (x < y);
}

static void
add_kinds(struct text *out, const struct diag_kind **kinds, size_t n)
{
	size_t others = 0;

	qsort(kinds, n, sizeof(struct diag_kind *), compare_kinds);
	for (size_t i = 0; i < n; i++) {
		if (i >= KINDS_NAMED) {
			others += kinds[i]->n;
			continue;
		}
		text_addf(out, "%s%zu × ", i ? ", " : "", kinds[i]->n);
		add_kind(out, kinds[i]->kind);
	}
	if (others)
		text_addf(out, ", %zu × others", others);
}

static void
add_line(const struct diag_list *l, enum severity severity, const char *prefix,
    struct text *out)
{
	static const char *const names[] = {"error", "warning", "note"};
	const struct diag_kind **kinds = mem_calloc(
	    l->n_kinds, sizeof(struct diag_kind *));
	size_t n = 0, all = 0;

	for (size_t i = 0; i < l->n_kinds; i++)
		if (l->kinds[i].severity == severity) {
			kinds[n++] = &l->kinds[i];
			all += l->kinds[i].n;
		}
	if (n) {
		text_addf(out, "%sand %zu more %s%s: ", prefix, all,
		    names[severity], all == 1 ? "" : "s");
		add_kinds(out, kinds, n);
		text_addc(out, '\n');
	}
	free(kinds);
}

void
diag_list_add_rest(
    const struct diag_list *l, const char *prefix, struct text *out)
{
	add_line(l, DIAG_ERROR, prefix, out);
	add_line(l, DIAG_WARNING, prefix, out);
	add_line(l, DIAG_NOTE, prefix, out);
}
