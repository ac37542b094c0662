/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Edits that change one value of a step: priority, slice mask and preemption of
 * a context in the step that governs them, and durations.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "parser/document/edit.h"
#include "parser/document/edit_plan.h"
#include "parser/value.h"

/*
 * Returns the line of that kind and context that governs step number at: the
 * last one before it or, if values carry over to the next iteration, the last
 * one of all. NULL: none.
 */
static struct line *
governing(const struct document *doc, enum step_kind kind, uint32_t number,
    size_t at, bool carries_over)
{
	const struct context_entry *context = index_context(
	    &doc->index, number);
	struct line *before = NULL, *last = NULL;
	size_t before_step = 0, last_step = 0;

	for (size_t i = 0; context && i < context->steps.n; i++) {
		struct line *line = context->steps.list[i];
		size_t step;

		if (!line->chunk || line->step->kind != kind)
			continue;
		step = sequence_step(&doc->seq, line);
		if (step < at && (!before || step > before_step)) {
			before = line;
			before_step = step;
		}
		if (!last || step > last_step) {
			last = line;
			last_step = step;
		}
	}
	return before || !carries_over ? before : last;
}

/* Counts lines of that kind; the list may have a line twice. */
static size_t
count_governors(
    const struct document *doc, enum step_kind kind, uint32_t number)
{
	const struct context_entry *context = index_context(
	    &doc->index, number);
	size_t n = 0;

	for (size_t i = 0; context && i < context->steps.n; i++) {
		struct line *line = context->steps.list[i];

		if (!line->chunk || line->step->kind != kind || line->mark)
			continue;
		line->mark = true;
		n++;
	}
	for (size_t i = 0; context && i < context->steps.n; i++)
		context->steps.list[i]->mark = false;
	return n;
}

bool
edit_find_governing(const struct document *doc, enum step_kind kind,
    uint32_t number, size_t at, size_t *line, size_t *n)
{
	const struct line *found = governing(
	    doc, kind, number, at, kind != STEP_PREEMPTION);

	if (n)
		*n = count_governors(doc, kind, number);
	if (found)
		*line = sequence_index(&doc->seq, found);
	return found;
}

/* Replaces one field of a line. */
static bool
replace_field(struct document *doc, size_t at, unsigned field,
    const struct text *value, struct text *err)
{
	const struct line *line = sequence_line(&doc->seq, at);
	struct raw_line raw;
	struct text t = {0};
	struct field old;
	const char *after;
	bool done;

	line_recut(&raw, line, doc->source);
	old = raw.fields[field];
	after = old.s + old.len;
	text_add(&t, line->text, (size_t)(old.s - line->text));
	text_add(&t, value->data, value->len);
	text_add(&t, after, (size_t)(line->text + line->len - after));
	done = edit_replace(doc, at, text_str(&t), t.len, err);
	text_free(&t);
	return done;
}

/* So those stay together, and a comment stays with the step below it. */
size_t
edit_line_below_settings(const struct document *doc)
{
	size_t n = document_n_steps(doc), step = 0, line;
	const struct step *s;

	while (step < n) {
		line = document_line_of_step(doc, step);
		s = document_line_step(doc, line);
		if (!s ||
		    (s->kind != STEP_PRIORITY && s->kind != STEP_SSEU &&
			s->kind != STEP_PREEMPTION))
			break;
		step++;
	}
	if (step == 0)
		return document_line_of_step(doc, 0);
	return document_line_of_step(doc, step - 1) + 1;
}

static bool
insert_at_top(struct document *doc, char letter, uint32_t context,
    const char *value, size_t *at, struct text *err)
{
	struct text t = {0};
	bool done;

	*at = edit_line_below_settings(doc);
	text_addf(&t, "%c.%" PRIu32 ".%s", letter, context, value);
	done = edit_insert(doc, *at, text_str(&t), t.len, err);
	text_free(&t);
	return done;
}

static bool
set_governed(struct document *doc, enum step_kind kind, uint32_t context,
    size_t at, const char *value, size_t *line, struct text *err)
{
	struct line *governor;
	struct text t = {0};
	size_t unused;
	bool done;

	if (!line)
		line = &unused;
	if (!value_check(VALUE_CONTEXT, context, err))
		return false;
	governor = governing(doc, kind, context, at, kind != STEP_PREEMPTION);
	if (!governor)
		return insert_at_top(
		    doc, step_infos[kind].letter, context, value, line, err);
	*line = sequence_index(&doc->seq, governor);
	text_adds(&t, value);
	done = replace_field(doc, *line, 2, &t, err);
	text_free(&t);
	return done;
}

bool
edit_priority(struct document *doc, uint32_t context, size_t at, int priority,
    size_t *line, struct text *err)
{
	char value[16];

	if (!value_check(VALUE_PRIORITY, priority, err))
		return false;
	snprintf(value, sizeof(value), "%d", priority);
	return set_governed(doc, STEP_PRIORITY, context, at, value, line, err);
}

bool
edit_sseu(struct document *doc, uint32_t context, size_t at, int64_t slice_mask,
    size_t *line, struct text *err)
{
	char value[24];

	if (!value_check(VALUE_SLICE_MASK, slice_mask, err))
		return false;
	snprintf(value, sizeof(value), "%" PRId64, slice_mask);
	return set_governed(doc, STEP_SSEU, context, at, value, line, err);
}

bool
edit_preemption(struct document *doc, uint32_t context, size_t at, uint64_t us,
    size_t *line, struct text *err)
{
	char value[24];

	if (!value_check(VALUE_PREEMPTION,
		us < INT64_MAX ? (int64_t)us : INT64_MAX, err))
		return false;
	snprintf(value, sizeof(value), "%" PRIu64, us);
	return set_governed(
	    doc, STEP_PREEMPTION, context, at, value, line, err);
}

/* True if the step may have that duration. */
static bool
duration_fits(enum value_kind kind, struct duration d)
{
	if (d.infinite)
		return kind == VALUE_DURATION;
	if (d.max_us < d.min_us || d.max_us > STEP_MAX_SLEEP_US)
		return false;
	if (kind != VALUE_DURATION && d.min_us != d.max_us)
		return false;
	return value_check(kind, (int64_t)d.min_us, NULL) &&
	    value_check(kind, (int64_t)d.max_us, NULL);
}

static bool
check_duration(const struct step *step, struct duration d, struct text *err)
{
	enum value_kind kind = step_duration_kind(step);
	struct text shown = {0};

	if (kind != N_VALUE_KINDS && duration_fits(kind, d))
		return true;
	if (!err)
		return false;
	if (kind == N_VALUE_KINDS) {
		text_adds(err,
		    "no duration in this line: expected a batch, a delay or a "
		    "period");
		return false;
	}
	duration_print(&shown, d);
	text_addf(err, "%s '%s': expected %s", value_ranges[kind].invalid,
	    text_str(&shown), value_ranges[kind].expected);
	text_free(&shown);
	return false;
}

static const struct step *
step_at(const struct document *doc, size_t line)
{
	return line < sequence_n_lines(&doc->seq)
	    ? document_line_step(doc, line)
	    : NULL;
}

static bool
replace_durations(struct document *doc, size_t line, enum step_kind kind,
    struct text *value, struct text *err)
{
	bool done = replace_field(
	    doc, line, kind == STEP_BATCH ? 2 : 1, value, err);

	text_free(value);
	return done;
}

bool
edit_duration(
    struct document *doc, size_t line, struct duration d, struct text *err)
{
	const struct step *step = step_at(doc, line);
	struct text t = {0};

	if (!check_duration(step, d, err))
		return false;
	duration_print(&t, d);
	return replace_durations(doc, line, step->kind, &t, err);
}

bool
edit_engine(
    struct document *doc, size_t line, const char *engine, struct text *err)
{
	const struct step *step = step_at(doc, line);
	struct text t = {0};
	bool done;

	if (step == NULL ||
	    (step->kind != STEP_BATCH && step->kind != STEP_MAP)) {
		if (err != NULL)
			text_adds(err,
			    "no engine in this line: expected a batch or a map");
		return false;
	}
	text_adds(&t, engine);
	done = replace_field(
	    doc, line, step->kind == STEP_BATCH ? 1 : 2, &t, err);
	text_free(&t);
	return done;
}

static uint64_t
scale_us(uint64_t us, enum edit_scale which, uint64_t most)
{
	uint64_t to;

	if (which == EDIT_SHORTER) {
		to = (us * 9 + 5) / 10;
		to -= to == us && us > 1;
	} else {
		to = (us * 10 + 4) / 9;
		to += to == us;
	}
	return to < most ? to : most;
}

bool
edit_scale_duration(
    struct document *doc, size_t line, enum edit_scale which, struct text *err)
{
	const struct step *step = step_at(doc, line);
	struct duration d = {.min_us = 1, .max_us = 1};
	unsigned n = 1;
	uint64_t most = STEP_MAX_US;
	struct text t = {0};

	if (!check_duration(step, d, err))
		return false;
	if (step->kind == STEP_BATCH)
		n = step->batch.n_durations;
	else
		most = STEP_MAX_SLEEP_US;
	for (unsigned i = 0; i < n; i++) {
		if (step->kind != STEP_BATCH)
			d.min_us = d.max_us = step->us;
		else
			d = n > 1 ? step->batch.rows[i] : step->batch.duration;
		d.min_us = scale_us(d.min_us, which, most);
		d.max_us = scale_us(d.max_us, which, most);
		if (i > 0)
			text_addc(&t, '/');
		duration_print(&t, d);
	}
	return replace_durations(doc, line, step->kind, &t, err);
}
