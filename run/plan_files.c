/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See plan_files.h. Saving puts a new file in the place of the old one: so it
 * is the path that a source is known by, and not the inode. */
#include "run/plan_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct named {
	char *path;
	size_t source;
};

static int
compare(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int by_path = strcmp(x->path, y->path);

	if (by_path != 0)
		return by_path;
	return x->source < y->source ? -1 : x->source > y->source;
}

static void
share(struct plan *plan, size_t source, size_t of)
{
	struct source *s = &plan->sources[source];

	document_free(s->doc);
	s->doc = plan->sources[of].doc;
	s->is_again = true;
	s->of = of;
}

void
plan_share_documents(struct plan *plan)
{
	struct named *list = mem_calloc(plan->n_sources + 1, sizeof(*list));
	size_t n = 0, first = 0;

	for (size_t i = 0; i < plan->n_sources; i++)
		if (plan->sources[i].is_file && plan->sources[i].doc != NULL)
			list[n++] = (struct named){
			    file_absolute_path(plan->sources[i].name), i};
	if (n > 1)
		qsort(list, n, sizeof(*list), compare);
	for (size_t i = 1; i < n; i++)
		if (strcmp(list[first].path, list[i].path) == 0)
			share(plan, list[i].source, list[first].source);
		else
			first = i;
	for (size_t i = 0; i < n; i++)
		free(list[i].path);
	free(list);
}

size_t
plan_document(const struct plan *plan, size_t source)
{
	return source < plan->n_sources && plan->sources[source].is_again
	    ? plan->sources[source].of
	    : source;
}

size_t
plan_n_documents(const struct plan *plan, size_t n_sources)
{
	size_t n = 0;

	for (size_t i = 0; i < n_sources; i++)
		n += !plan->sources[i].is_again;
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
		char *own = s->is_file && !s->is_again
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
