/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of diagnostics. */
#include "parser/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

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
add(struct diag_list *l, const struct diag *diag)
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
	add(l,
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
is_of(const struct diag_kind *k, const char *kind, enum severity severity)
{
	return k->severity == severity &&
	    (k->kind == kind || strcmp(k->kind, kind) == 0);
}

void
diag_count(
    struct diag_list *l, const char *kind, enum severity severity, size_t n)
{
	size_t i = 0;

	while (i < l->n_kinds && !is_of(&l->kinds[i], kind, severity))
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
		add(l, &d);
	}
	for (size_t i = 0; i < from->n_kinds; i++)
		if (warnings || from->kinds[i].severity == DIAG_ERROR)
			diag_count(l, from->kinds[i].kind,
			    from->kinds[i].severity, from->kinds[i].n);
}

static bool
before(const struct diag *a, const struct diag *b)
{
	if (a->line != b->line)
		return a->line < b->line;
	return a->col < b->col;
}

/* Merges from[0..mid) and from[mid..n) into to. */
static void
merge(const struct diag *from, size_t mid, size_t n, struct diag *to)
{
	size_t a = 0, b = mid;

	for (size_t i = 0; i < n; i++) {
		if (b == n || (a < mid && !before(&from[b], &from[a])))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

static void
sort(struct diag_list *l)
{
	struct diag *from = l->list, *to, *spare;
	bool sorted = true;

	for (size_t i = 1; i < l->n && sorted; i++)
		sorted = !before(&from[i], &from[i - 1]);
	if (sorted)
		return;
	spare = to = mem_calloc(l->cap, sizeof(*to));
	for (size_t width = 1; width < l->n; width *= 2) {
		struct diag *swap = from;

		for (size_t i = 0; i < l->n; i += 2 * width) {
			size_t left = l->n - i;

			merge(from + i, width < left ? width : left,
			    2 * width < left ? 2 * width : left, to + i);
		}
		from = to;
		to = swap;
	}
	if (from == spare)
		memcpy(l->list, from, l->n * sizeof(*from));
	free(spare);
}

/* In the sorted list: the ones behind the first are only counted. */
static void
shorten(struct diag_list *l)
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
	sort(l);
	for (unsigned i = 0; i < N_SEVERITIES; i++) {
		if (l->n_full[i] > DIAG_FULL) {
			shorten(l);
			break;
		}
	}
}
