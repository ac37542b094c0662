/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of diagnostics. */
#include "parser/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "parser/mem.h"
#include "parser/text.h"

void
diag_list_clear(struct diag_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->list[i].message);
	l->n = 0;
	l->n_errors = 0;
}

void
diag_list_free(struct diag_list *l)
{
	diag_list_clear(l);
	free(l->list);
	*l = (struct diag_list){0};
}

void
diag_add(struct diag_list *l, enum severity severity, uint32_t line,
    uint32_t col, uint32_t len, const char *fmt, ...)
{
	struct text message = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&message, fmt, ap);
	va_end(ap);
	l->list = mem_grow(l->list, l->n, &l->cap, sizeof(*l->list));
	l->list[l->n++] = (struct diag){
	    severity, line, col, len ? len : 1, message.data};
	l->n_errors += severity == DIAG_ERROR;
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

void
diag_list_sort(struct diag_list *l)
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
