/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sources of a plan: which of them are one file, so that they share a
 * document, and which wait because their text cannot run yet.
 */

#include "run/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

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

void
plan_share_documents(struct plan *plan)
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

/* Keeps its program for the launch. */
static bool
can_run(const struct plan *plan, struct source *s)
{
	struct text ignored = {0};
	bool can = plan_prepare(plan, s, &ignored);

	text_free(&ignored);
	return can;
}

bool *
waiting_update(struct plan *plan)
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
waiting_take_back(struct plan *plan, bool *was)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		plan->sources[i].waiting = was[i];
	free(was);
}
