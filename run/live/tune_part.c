/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See tweak_part.h. */
#include "run/live/tune_part.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/document/edit.h"

#define NOT_OPENED UINT64_MAX

void
tweak_begin(struct tweak_edits *e, struct session *s)
{
	size_t n = s->plan->n_sources;

	e->session = s;
	e->revisions = mem_calloc(n + 1, sizeof(*e->revisions));
	for (size_t i = 0; i < n; i++)
		e->revisions[i] = NOT_OPENED;
}

static int
compare_contexts(const void *a, const void *b)
{
	const struct tweak_target *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->context < y->context ? -1 : x->context > y->context;
}

static int
compare_targets(const void *a, const void *b)
{
	const struct tweak_target *x = a, *y = b;
	int by_context = compare_contexts(a, b);

	if (by_context != 0)
		return by_context;
	return x->client < y->client ? -1 : x->client > y->client;
}

struct tweak_target *
tweak_unique(const struct tweak_target *targets, size_t *n)
{
	struct tweak_target *list = mem_calloc(*n + 1, sizeof(*list));
	size_t kept = 0;

	memcpy(list, targets, *n * sizeof(*list));
	qsort(list, *n, sizeof(*list), compare_targets);
	for (size_t i = 0; i < *n; i++)
		if (kept == 0 ||
		    compare_contexts(&list[kept - 1], &list[i]) != 0)
			list[kept++] = list[i];
	*n = kept;
	return list;
}

bool
tweak_has(const struct tweak_target *unique, size_t n, size_t source,
    uint32_t context)
{
	struct tweak_target like = {.source = source, .context = context};

	return n > 0 &&
	    bsearch(&like, unique, n, sizeof(like), compare_contexts) != NULL;
}

void
tweak_open(struct tweak_edits *e, size_t source)
{
	struct document *doc = e->session->plan->sources[source].doc;

	if (e->revisions[source] != NOT_OPENED)
		return;
	e->revisions[source] = document_revision(doc);
	edit_group_begin(doc);
}

/* Closes them; calls changed for those that have changed. */
static void
close_all(struct tweak_edits *e,
    void (*changed)(struct session *s, size_t source, void *arg), void *arg)
{
	struct session *s = e->session;

	for (size_t i = 0; i < s->plan->n_sources; i++) {
		struct document *doc = s->plan->sources[i].doc;

		if (e->revisions[i] == NOT_OPENED)
			continue;
		edit_group_end(doc);
		if (document_revision(doc) != e->revisions[i])
			changed(s, i, arg);
	}
	free(e->revisions);
}

static void
take_back(struct session *s, size_t source, void *arg)
{
	(void)arg;
	edit_undo(s->plan->sources[source].doc);
}

void
tweak_give_up(struct tweak_edits *e)
{
	close_all(e, take_back, NULL);
}

struct telling {
	enum live_when when;
	struct text *said;
};

static void
tell(struct session *s, size_t source, void *arg)
{
	struct telling *t = arg;
	struct text why = {0};

	session_document_changed(s, source, t->when, &why);
	if (why.len > 0)
		text_addf(t->said, "; %s", text_str(&why));
	text_free(&why);
}

void
tweak_finish(struct tweak_edits *e, enum live_when when, struct text *said)
{
	struct telling t = {when, said};

	close_all(e, tell, &t);
}

void
tweak_add_line(struct text *out, const struct line *line)
{
	static const char blanks[] = " \t";
	size_t len;
	const char *s = document_line_was(line, &len);

	while (len > 0 && memchr(blanks, *s, 2) != NULL) {
		s++;
		len--;
	}
	while (len > 0 && memchr(blanks, s[len - 1], 2) != NULL)
		len--;
	text_add_visible(out, s, len);
}

size_t
tweak_row(const struct document *doc, size_t line)
{
	size_t row, column;

	document_position(doc, line, 0, &row, &column);
	return row;
}
