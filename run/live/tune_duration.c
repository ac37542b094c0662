/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See tweak.h: durations. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "parser/document/edit.h"
#include "run/live/tune_part.h"
#include "run/plan_files.h"

/* An edit of one line, told as "OLD -> NEW at line 3". */
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
		text_adds(said, "there is no line");
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
scale(struct document *doc, size_t line, const void *arg, struct text *err)
{
	return edit_scale_duration(
	    doc, line, *(const enum edit_scale *)arg, err);
}

bool
session_scale_line(struct session *s, size_t source, size_t line,
    enum edit_scale which, enum live_when when, struct text *said)
{
	return edit_one(s, source, line, scale, &which, when, said);
}

static bool
set(struct document *doc, size_t line, const void *arg, struct text *err)
{
	return edit_duration(doc, line, *(const struct duration *)arg, err);
}

/* A number of microseconds; *s stands behind it. */
static bool
read_us(const char **s, uint64_t *us)
{
	char *end;

	if (**s < '0' || **s > '9')
		return false;
	*us = strtoull(*s, &end, 10);
	*s = end;
	return true;
}

static bool
read_duration(const char *s, struct duration *d)
{
	*d = (struct duration){0};
	if (strcmp(s, "*") == 0) {
		d->infinite = true;
		return true;
	}
	if (!read_us(&s, &d->min_us))
		return false;
	d->max_us = d->min_us;
	if (*s == '-') {
		s++;
		if (!read_us(&s, &d->max_us))
			return false;
	}
	return *s == 0;
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
	if (step == NULL ||
	    (step->kind != STEP_BATCH && step->kind != STEP_DELAY &&
		step->kind != STEP_PERIOD))
		return;
	text = document_line_text(doc, line, &unused);
	document_field(doc, line, step->kind == STEP_BATCH ? 2 : 1, &col, &len);
	text_add(out, text + col, len);
}

bool
session_set_duration(struct session *s, size_t source, size_t line,
    const char *duration, enum live_when when, struct text *said)
{
	struct duration d;

	if (!read_duration(duration, &d)) {
		text_adds(said,
		    "a duration is a number of microseconds, or 500-1000, "
		    "or * without end");
		return false;
	}
	return edit_one(s, source, line, set, &d, when, said);
}

/* All batches of the targets that are in the document; how many. */
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
		text_adds(said, "there are no batches with a duration");
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
