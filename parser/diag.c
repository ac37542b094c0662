/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of diagnostics: added, joined, sorted. The first DIAG_FULL of a
 * severity keep their message; the others are counted by kind, and printed as
 * one line.
 */
#include "parser/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "parser/scan.h"

#define QUOTED_BYTES 40

void
diag_list_clear(struct diag_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->list[i].message);
	l->n = 0;
	l->n_errors = 0;
	l->n_kinds = 0;
	memset(l->n_full, 0, sizeof(l->n_full));
}

void
diag_list_free(struct diag_list *l)
{
	diag_list_clear(l);
	free(l->list);
	free(l->kinds);
	*l = (struct diag_list){0};
}

static void
append_diag(struct diag_list *l, const struct diag *diag)
{
	l->list = mem_grow(l->list, l->n, &l->cap, sizeof(*l->list));
	l->list[l->n++] = *diag;
	l->n_full[diag->severity]++;
	l->n_errors += diag->severity == DIAG_ERROR;
}

void
diag_sayv(struct diag_list *l, const char *kind, enum severity severity,
    uint32_t line, uint32_t col, uint32_t len, const char *fmt, va_list ap)
{
	struct text message = {0};

	text_addv(&message, fmt, ap);
	append_diag(l,
	    &(struct diag){
		severity, line, col, len ? len : 1, message.data, kind});
}

void
diag_say(struct diag_list *l, const char *kind, enum severity severity,
    uint32_t line, uint32_t col, uint32_t len, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_sayv(l, kind, severity, line, col, len, fmt, ap);
	va_end(ap);
}

static bool
same_kind(const struct diag_kind *k, const char *kind, enum severity severity)
{
	return k->severity == severity &&
	    (k->kind == kind || strcmp(k->kind, kind) == 0);
}

void
diag_count(
    struct diag_list *l, const char *kind, enum severity severity, size_t n)
{
	size_t i = 0;

	while (i < l->n_kinds && !same_kind(&l->kinds[i], kind, severity))
		i++;
	if (i == l->n_kinds) {
		l->kinds = mem_grow(
		    l->kinds, l->n_kinds, &l->cap_kinds, sizeof(*l->kinds));
		l->kinds[l->n_kinds++] = (struct diag_kind){severity, kind, 0};
	}
	l->kinds[i].n += n;
	if (severity == DIAG_ERROR)
		l->n_errors += n;
}

void
diag_list_join(struct diag_list *l, const struct diag_list *from, bool warnings)
{
	for (size_t i = 0; i < from->n; i++) {
		struct diag d = from->list[i];

		if (!warnings && d.severity != DIAG_ERROR)
			continue;
		d.message = mem_strdup(d.message);
		append_diag(l, &d);
	}
	for (size_t i = 0; i < from->n_kinds; i++)
		if (warnings || from->kinds[i].severity == DIAG_ERROR)
			diag_count(l, from->kinds[i].kind,
			    from->kinds[i].severity, from->kinds[i].n);
}

static bool
diag_before(const struct diag *a, const struct diag *b)
{
	if (a->line != b->line)
		return a->line < b->line;
	return a->col < b->col;
}

/* Merges from[0..mid) and from[mid..n) into to. */
static void
merge_diags(const struct diag *from, size_t mid, size_t n, struct diag *to)
{
	size_t a = 0, b = mid;

	for (size_t i = 0; i < n; i++) {
		if (b == n || (a < mid && !diag_before(&from[b], &from[a])))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

static void
sort_diags(struct diag_list *l)
{
	struct diag *from = l->list, *to, *spare;
	bool sorted = true;

	for (size_t i = 1; i < l->n && sorted; i++)
		sorted = !diag_before(&from[i], &from[i - 1]);
	if (sorted)
		return;
	spare = to = mem_calloc(l->cap, sizeof(*to));
	for (size_t width = 1; width < l->n; width *= 2) {
		struct diag *swap = from;

		for (size_t i = 0; i < l->n; i += 2 * width) {
			size_t left = l->n - i;

			merge_diags(from + i, width < left ? width : left,
			    2 * width < left ? 2 * width : left, to + i);
		}
		from = to;
		to = swap;
	}
	if (from == spare)
		memcpy(l->list, from, l->n * sizeof(*from));
	free(spare);
}

/* Drops the messages beyond DIAG_FULL in a sorted list; counts them instead. */
static void
count_beyond_full(struct diag_list *l)
{
	size_t n = l->n, full[N_SEVERITIES] = {0};

	l->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct diag *d = &l->list[i];

		if (full[d->severity] < DIAG_FULL) {
			full[d->severity]++;
			l->list[l->n++] = *d;
			continue;
		}
		free(d->message);
		l->n_errors -= d->severity == DIAG_ERROR;
		diag_count(l, d->kind, d->severity, 1);
	}
	memcpy(l->n_full, full, sizeof(full));
}

void
diag_list_sort(struct diag_list *l)
{
	sort_diags(l);
	for (unsigned i = 0; i < N_SEVERITIES; i++) {
		if (l->n_full[i] > DIAG_FULL) {
			count_beyond_full(l);
			break;
		}
	}
}

#define KINDS_NAMED 8

/* Skips a conversion of printf: flags, width, length and letter. */
static const char *
pass_conversion(const char *p)
{
	p += strspn(p, "%.*-+ #0123456789hlzjtq");
	return *p ? p + 1 : p;
}

void
diag_add_kind(struct text *out, const char *kind)
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

/* Sorts kinds by count, largest first, then by first occurrence. */
static int
compare_counts(const void *a, const void *b)
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

	qsort(kinds, n, sizeof(struct diag_kind *), compare_counts);
	for (size_t i = 0; i < n; i++) {
		if (i >= KINDS_NAMED) {
			others += kinds[i]->n;
			continue;
		}
		text_addf(out, "%s%zu × ", i ? ", " : "", kinds[i]->n);
		diag_add_kind(out, kinds[i]->kind);
	}
	if (others)
		text_addf(out, ", %zu × others", others);
}

static void
add_severity(const struct diag_list *l, enum severity severity,
    const char *prefix, struct text *out)
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
	add_severity(l, DIAG_ERROR, prefix, out);
	add_severity(l, DIAG_WARNING, prefix, out);
	add_severity(l, DIAG_NOTE, prefix, out);
}

struct quoted
quote(struct field f)
{
	struct quoted q;
	struct text t = {0};
	size_t len = f.len < QUOTED_BYTES ? f.len : QUOTED_BYTES;

	if (len < f.len)
		len = utf8_whole(f.s, len);
	text_add_visible(&t, f.s, len);
	if (len < f.len)
		text_adds(&t, "...");
	memcpy(q.s, text_str(&t), t.len + 1);
	text_free(&t);
	return q;
}
