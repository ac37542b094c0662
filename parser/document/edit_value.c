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
#include "parser/step_parse.h"

static bool
refuse_value(struct text *err, const char *why)
{
	if (err)
		text_adds(err, why);
	return false;
}

/*
 * The line of that kind and context which governs step number at: the last
 * one before it, else, if the iteration's end carries over, the last of all.
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

/* The list may have a line twice. */
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

/* Replaces one field of a line; nothing to do if it is that already. */
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

/* The line where the steps begin that do more than set a context up: those
 * that do stand together, and a comment stays with what it is about. */
static size_t
line_below_settings(const struct document *doc)
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

	*at = line_below_settings(doc);
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
	if (!context || context > MAX_CONTEXT)
		return refuse_value(
		    err, "only contexts from 1 on can be set up by a step");
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

	if (priority < -STEP_MAX_PRIORITY || priority > STEP_MAX_PRIORITY)
		return refuse_value(err, "priorities run from -1023 to 1023");
	snprintf(value, sizeof(value), "%d", priority);
	return set_governed(doc, STEP_PRIORITY, context, at, value, line, err);
}

bool
edit_sseu(struct document *doc, uint32_t context, size_t at, int64_t slice_mask,
    size_t *line, struct text *err)
{
	char value[24];

	if (slice_mask != -1 && slice_mask <= 0)
		return refuse_value(
		    err, "a slice mask is a number from 1, or -1 for all");
	snprintf(value, sizeof(value), "%" PRId64, slice_mask);
	return set_governed(doc, STEP_SSEU, context, at, value, line, err);
}

bool
edit_preemption(struct document *doc, uint32_t context, size_t at, uint64_t us,
    size_t *line, struct text *err)
{
	char value[24];

	if (us > STEP_MAX_US)
		return refuse_value(err, "at most 1000000000 us");
	snprintf(value, sizeof(value), "%" PRIu64, us);
	return set_governed(
	    doc, STEP_PREEMPTION, context, at, value, line, err);
}

static const char *
check_duration(struct duration d, enum step_kind kind)
{
	if (kind != STEP_BATCH && kind != STEP_DELAY && kind != STEP_PERIOD)
		return "only batches, delays and periods have a duration";
	if (kind != STEP_BATCH && (d.infinite || d.min_us != d.max_us))
		return "a delay or period is one number of microseconds";
	if (d.infinite)
		return NULL;
	if (kind != STEP_BATCH)
		return d.min_us && d.max_us <= STEP_MAX_SLEEP_US
		    ? NULL
		    : "a delay or period is 1 to 2147483647 us";
	if (!d.min_us || d.max_us < d.min_us || d.max_us > STEP_MAX_US)
		return "a duration is 1 to 1000000000 us, a range goes up";
	return NULL;
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
	const char *wrong = check_duration(d, step ? step->kind : N_STEP_KINDS);
	struct text t = {0};

	if (wrong)
		return refuse_value(err, wrong);
	duration_print(&t, d);
	return replace_durations(doc, line, step->kind, &t, err);
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
	const char *wrong = check_duration(d, step ? step->kind : N_STEP_KINDS);
	unsigned n = 1;
	uint64_t most = STEP_MAX_US;
	struct text t = {0};

	if (wrong)
		return refuse_value(err, wrong);
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
