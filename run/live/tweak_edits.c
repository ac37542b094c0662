/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edits of durations, and of several documents at once: edits of a document
 * between tweak_open() and tweak_finish() are one undo step. */
#include "run/live/tweak_edits.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/document/edit.h"
#include "run/plan.h"

#define NOT_OPENED UINT64_MAX

void
tweak_begin(struct tweak_edits *e, struct session *s)
{
	size_t n = s->plan->n_sources;

	e->session = s;
	e->revisions = mem_calloc(n, sizeof(*e->revisions));
	for (size_t i = 0; i < n; i++)
		e->revisions[i] = NOT_OPENED;
}

static int
compare_target_contexts(const void *a, const void *b)
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
	int by_context = compare_target_contexts(a, b);

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
		    compare_target_contexts(&list[kept - 1], &list[i]) != 0)
			list[kept++] = list[i];
	*n = kept;
	return list;
}

/* True if the context is in a list of tweak_unique(). */
static bool
tweak_has(const struct tweak_target *unique, size_t n, size_t source,
    uint32_t context)
{
	struct tweak_target like = {.source = source, .context = context};

	return n > 0 &&
	    bsearch(&like, unique, n, sizeof(like), compare_target_contexts) !=
	    NULL;
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

/* Closes the opened documents, and calls changed for those that were edited. */
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
undo_document(struct session *s, size_t source, void *arg)
{
	(void)arg;
	edit_undo(s->plan->sources[source].doc);
}

void
tweak_give_up(struct tweak_edits *e)
{
	close_all(e, undo_document, NULL);
}

struct finish_args {
	enum live_when when;
	struct text *said;
};

static void
give_document(struct session *s, size_t source, void *arg)
{
	struct finish_args *t = arg;
	struct text why = {0};

	session_document_changed(s, source, t->when, &why);
	if (why.len > 0)
		text_addf(t->said, "; %s", text_str(&why));
	text_free(&why);
}

void
tweak_finish(struct tweak_edits *e, enum live_when when, struct text *said)
{
	struct finish_args t = {when, said};

	close_all(e, give_document, &t);
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

/* An edit of one line, which is reported as "OLD -> NEW at line 3". */
typedef bool edit_fn(
    struct document *doc, size_t line, const void *arg, struct text *err);

static bool
edit_one(struct session *s, size_t source, size_t line, edit_fn *edit,
    const void *arg, enum live_when when, struct text *said)
{
	struct document *doc = s->plan->sources[source].doc;
	const struct line *before;
	struct tweak_edits e;

	if (line >= document_n_lines(doc)) {
		text_adds(said, "no such line");
		return false;
	}
	before = document_line(doc, line);
	tweak_begin(&e, s);
	tweak_open(&e, source);
	if (!edit(doc, line, arg, said)) {
		tweak_give_up(&e);
		return false;
	}
	tweak_add_line(said, before);
	text_adds(said, " -> ");
	tweak_add_line(said, document_line(doc, line));
	text_addf(said, " at line %zu", tweak_row(doc, line));
	tweak_finish(&e, when, said);
	return true;
}

static bool
scale_with(struct document *doc, size_t line, const void *arg, struct text *err)
{
	return edit_scale_duration(
	    doc, line, *(const enum edit_scale *)arg, err);
}

bool
session_scale_line(struct session *s, size_t source, size_t line,
    enum edit_scale which, enum live_when when, struct text *said)
{
	return edit_one(s, source, line, scale_with, &which, when, said);
}

static bool
set_with(struct document *doc, size_t line, const void *arg, struct text *err)
{
	return edit_duration(doc, line, *(const struct duration *)arg, err);
}

void
tweak_add_duration(
    const struct session *s, size_t source, size_t line, struct text *out)
{
	const struct document *doc = s->plan->sources[source].doc;
	const struct step *step;
	uint32_t col, len;
	const char *text;
	size_t unused;

	if (line >= document_n_lines(doc))
		return;
	step = document_line_step(doc, line);
	if (step_duration_kind(step) == N_VALUE_KINDS)
		return;
	text = document_line_text(doc, line, &unused);
	document_field(doc, line, step->kind == STEP_BATCH ? 2 : 1, &col, &len);
	text_add(out, text + col, len);
}

bool
session_set_duration(struct session *s, size_t source, size_t line,
    const char *duration, enum live_when when, struct text *said)
{
	const struct document *doc = s->plan->sources[source].doc;
	enum value_kind kind = VALUE_DURATION;
	struct duration d;

	if (line < document_n_lines(doc) && document_line_step(doc, line))
		kind = step_duration_kind(document_line_step(doc, line));
	if (kind == N_VALUE_KINDS)
		kind = VALUE_DURATION; /* edit_duration() refuses the line */
	if (!duration_read(kind, duration, strlen(duration), &d, said))
		return false;
	return edit_one(s, source, line, set_with, &d, when, said);
}

/* Scales all batches of the targets in the document; returns their number. */
static size_t
scale_document(struct session *s, size_t source,
    const struct tweak_target *targets, size_t n, enum edit_scale which,
    struct tweak_place *place)
{
	struct document *doc = s->plan->sources[source].doc;
	size_t changed = 0;

	for (size_t line = 0; line < document_n_lines(doc); line++) {
		const struct step *step = document_line_step(doc, line);

		if (step == NULL || step->kind != STEP_BATCH ||
		    !tweak_has(targets, n, source, step->context) ||
		    step->batch.duration.infinite)
			continue;
		if (!edit_scale_duration(doc, line, which, NULL))
			continue;
		*place = (struct tweak_place){source, line};
		changed++;
	}
	return changed;
}

bool
session_scale_contexts(struct session *s, const struct tweak_target *targets,
    size_t n, enum edit_scale which, enum live_when when,
    struct tweak_place *place, struct text *said)
{
	struct tweak_target *list = tweak_unique(targets, &n);
	struct tweak_edits e;
	size_t changed = 0;

	tweak_begin(&e, s);
	for (size_t i = 0; i < s->plan->n_sources; i++) {
		if (plan_document(s->plan, i) != i)
			continue;
		tweak_open(&e, i);
		changed += scale_document(s, i, list, n, which, place);
	}
	free(list);
	if (changed == 0) {
		tweak_give_up(&e);
		text_adds(
		    said, "these contexts have no batches with a duration");
		return false;
	}
	text_addf(said, "%zu batch%s", changed, changed == 1 ? "" : "es");
	if (n == 1)
		text_addf(said, " of context %u", targets->context);
	text_adds(
	    said, which == EDIT_SHORTER ? ": 10 % shorter" : ": 11 % longer");
	tweak_finish(&e, when, said);
	return true;
}

bool
session_edit_documents(struct session *s,
    bool (*edit)(
	struct document *doc, size_t source, void *arg, struct text *err),
    void *arg, enum live_when when, struct text *said)
{
	struct tweak_edits e;

	tweak_begin(&e, s);
	for (size_t i = 0; i < s->plan->n_sources; i++) {
		if (plan_document(s->plan, i) != i)
			continue;
		tweak_open(&e, i);
		if (!edit(s->plan->sources[i].doc, i, arg, said)) {
			tweak_give_up(&e);
			return false;
		}
	}
	tweak_finish(&e, when, said);
	return true;
}
