/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion of a step, field by field: offers the likely values of the field's
 * row (parser/step_table.c) with their meanings, and values in use, which come
 * from the lines around the one that is typed.
 */
#include "tui/input/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "parser/step.h"
#include "tui/input/typed_step.h"

/* Lines that are searched for values in use, before and after the typed one; and
 * steps before it that are offered as offsets. */
#define NEAR_LINES 1000
#define NEAR_STEPS 8
#define FAR_STEPS  200 /* searched for rare kinds of steps */
#define MOST       100 /* values of one field */

struct wanted {
	const struct step_scene *scene;
	struct typed_step typed;
	const char *word;
	struct text *out;
};

typedef void offer_fn(const struct wanted *w);

static void
offer(const struct wanted *w, const char *word, const char *meaning)
{
	if (strncasecmp(word, w->word, strlen(w->word)) != 0)
		return;
	text_adds(w->out, word);
	if (meaning != NULL && *meaning != 0)
		text_addf(w->out, "\t%s", meaning);
	text_addc(w->out, '\n');
}

static void
offer_number(const struct wanted *w, uint64_t n, const char *meaning)
{
	char buf[24];

	snprintf(buf, sizeof(buf), "%llu", (unsigned long long)n);
	offer(w, buf, meaning);
}

/* Offers the likely values of a field. */
static void
offer_values(const struct wanted *w, enum step_field field)
{
	const struct field_value *v = field_infos[field].values;

	for (; v != NULL && v->value != NULL; v++)
		offer(w, v->value, v->meaning);
}

struct numbers {
	uint64_t list[MOST];
	size_t n;
};

static void
note_number(struct numbers *set, uint64_t n)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->list[i] == n)
			return;
	if (set->n < MOST)
		set->list[set->n++] = n;
}

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Returns the i-th step around the typed line: first those before it, from the
 * nearest; NULL: a line without a step. */
static const struct step *
near_step(const struct step_scene *scene, size_t i)
{
	size_t n = document_n_lines(scene->doc);
	size_t before = scene->line < NEAR_LINES ? scene->line : NEAR_LINES;
	size_t at = i < before ? scene->line - 1 - i
			       : scene->line + (i - before);

	return at < n ? document_line_step(scene->doc, at) : NULL;
}

static void
find_contexts(const struct wanted *w, struct numbers *used)
{
	for (size_t i = 0; i < 2 * NEAR_LINES; i++) {
		const struct step *step = near_step(w->scene, i);

		if (step != NULL && step_has_context(step))
			note_number(used, step->context);
	}
	if (used->n == 0)
		note_number(used, 1);
	qsort(used->list, used->n, sizeof(*used->list), compare);
}

/* what: words before the number, which explain it. */
static void
offer_contexts(const struct wanted *w, const char *what)
{
	struct numbers used = {.n = 0};
	char meaning[64];

	find_contexts(w, &used);
	for (size_t i = 0; i < used.n; i++) {
		snprintf(meaning, sizeof(meaning), "%s %llu", what,
		    (unsigned long long)used.list[i]);
		offer_number(w, used.list[i], meaning);
	}
}

/* Offers the contexts in use, and the number of a new one. */
static void
offer_any_context(const struct wanted *w)
{
	struct numbers used = {.n = 0};

	offer_contexts(w, "context");
	find_contexts(w, &used);
	if (used.n > 0 && used.list[used.n - 1] < STEP_MAX_NUMBER)
		offer_number(w, used.list[used.n - 1] + 1, "a new context");
}

static void
offer_kinds(const struct wanted *w)
{
	char word[2] = {0}, meaning[128];

	offer_contexts(w, "a batch of context");
	for (enum step_kind k = 0; k < N_STEP_KINDS; k++) {
		word[0] = step_infos[k].letter;
		/* The same letter in another case is another kind. */
		if (word[0] == 0 || (w->word[0] != 0 && w->word[0] != word[0]))
			continue;
		snprintf(meaning, sizeof(meaning), "%s: %s",
		    step_infos[k].syntax, step_infos[k].summary);
		offer(w, word, meaning);
	}
}

/* Offers a class and its engines; alone says which engines the class means,
 * with %u for their number. */
static void
offer_class(const struct wanted *w, enum engine_class cls, const char *alone)
{
	const char *name = engine_class_names[cls];
	const char *help = engine_class_help[cls];
	unsigned n = w->scene->profile->n_engines[cls];
	char buf[64];

	if (n == 0)
		return;
	if (n == 1) {
		offer(w, name, help);
		return;
	}
	snprintf(buf, sizeof(buf), "%s, %s %u", help, alone, n);
	offer(w, name, buf);
	for (unsigned i = 1; i <= n; i++) {
		snprintf(buf, sizeof(buf), "%s%u", name, i);
		offer(w, buf, NULL);
	}
}

static void
offer_classes(const struct wanted *w, const char *alone)
{
	for (enum engine_class c = 0; c < N_CLASSES; c++)
		offer_class(w, c, alone);
}

/* Returns a field of the line as written; its length may be 0. */
static const char *
field_of(const struct document *doc, size_t line, unsigned field, size_t *len)
{
	size_t whole;
	const char *s = document_line_text(doc, line, &whole);
	uint32_t col, n;

	document_field(doc, line, field, &col, &n);
	*len = n;
	return s + col;
}

/* Collects the durations of steps of that kind; alike: only those with the same
 * fields before. */
static void
note_durations(const struct wanted *w, bool alike, unsigned field,
    struct text *words, size_t *n)
{
	const struct step_scene *s = w->scene;
	size_t lines = document_n_lines(s->doc);
	size_t first = s->line > NEAR_LINES ? s->line - NEAR_LINES : 0;

	for (size_t i = first; i < s->line + NEAR_LINES && i < lines; i++) {
		const struct step *step = document_line_step(s->doc, i);
		size_t len, none, before;
		const char *text;
		char word[64];

		if (i == s->line || step == NULL || step->kind != w->typed.kind)
			continue;
		text = field_of(s->doc, i, field, &len);
		before = (size_t)(text - field_of(s->doc, i, 0, &none));
		if (len + 3 > sizeof(word) || *n >= MOST ||
		    (alike &&
			strncmp(text - before, w->typed.step, before) != 0))
			continue;
		snprintf(word, sizeof(word), "\n%.*s\n", (int)len, text);
		if (words->len > 0 && strstr(text_str(words), word) != NULL)
			continue;
		text_adds(words, words->len > 0 ? word + 1 : word);
		++*n;
	}
}

/* Durations of the same context and engine come first. */
static void
offer_durations(const struct wanted *w)
{
	struct text words = {0};
	size_t n = 0;
	char *rest, *word;

	note_durations(w, true, w->typed.number, &words, &n);
	note_durations(w, false, w->typed.number, &words, &n);
	for (rest = words.data; (word = strsep(&rest, "\n")) != NULL;)
		if (*word != 0 && strcmp(word, "*") != 0)
			offer(w, word, NULL);
	if (n == 0 && w->typed.field != FIELD_PERIOD)
		offer(w, "1000", "1 ms");
	text_free(&words);
}

static bool
is_batch(const struct step *step)
{
	return step->kind == STEP_BATCH;
}

static bool
is_fence(const struct step *step)
{
	return step->kind == STEP_FENCE;
}

static bool
is_endless(const struct step *step)
{
	return step->kind == STEP_BATCH && step_is_infinite(step);
}

/* Offers the offsets of steps that fit, after a prefix, with the steps' text. */
static void
offer_steps(const struct wanted *w, const char *prefix,
    bool (*fits)(const struct step *), size_t most)
{
	for (size_t back = 1, n = 0; back <= FAR_STEPS && n < most; back++) {
		size_t line, len, row, column;
		const struct step *step = typed_step_back(
		    w->scene, &w->typed, back, &line);
		const char *text;
		char word[32], meaning[80];

		if (step == NULL || !fits(step))
			continue;
		n++;
		text = document_line_text(w->scene->doc, line, &len);
		document_position(w->scene->doc, line, 0, &row, &column);
		snprintf(word, sizeof(word), "%s-%zu", prefix, back);
		snprintf(meaning, sizeof(meaning), "line %zu: %.*s", row,
		    len < 40 ? (int)len : 40, text);
		offer(w, word, meaning);
	}
}

static void
offer_sets(const struct wanted *w)
{
	struct numbers used = {.n = 0};
	char word[32], meaning[64];

	for (size_t i = 0; i < 2 * NEAR_LINES; i++) {
		const struct step *step = near_step(w->scene, i);

		if (step != NULL &&
		    (step->kind == STEP_SET || step->kind == STEP_SHARED_SET))
			note_number(&used, step->set.id);
	}
	for (size_t i = 0; i < 2 * used.n; i++) {
		snprintf(word, sizeof(word), "%c%llu-0", i % 2 ? 'w' : 'r',
		    (unsigned long long)used.list[i / 2]);
		snprintf(meaning, sizeof(meaning), "%s working set %llu",
		    i % 2 ? "writes" : "reads",
		    (unsigned long long)used.list[i / 2]);
		offer(w, word, meaning);
	}
}

static void
offer_dependencies(const struct wanted *w)
{
	offer_steps(w, "", is_batch, NEAR_STEPS);
	offer_steps(w, "f", is_fence, NEAR_STEPS);
	offer_sets(w);
	/* Rare ones only after their letter is typed. */
	if (w->word[0] == 'f')
		offer_steps(w, "f", is_batch, NEAR_STEPS);
	if (w->word[0] == 's')
		offer_steps(w, "s", is_batch, NEAR_STEPS);
}

static void
offer_masks(const struct wanted *w)
{
	char meaning[32];

	for (unsigned n = 1; n < w->scene->profile->slices; n++) {
		snprintf(
		    meaning, sizeof(meaning), n > 1 ? "%u slices" : "one", n);
		offer_number(w, (UINT64_C(1) << n) - 1, meaning);
	}
}

static void
offer_free_set(const struct wanted *w)
{
	uint64_t next = 1;

	for (size_t i = 0; i < 2 * NEAR_LINES; i++) {
		const struct step *step = near_step(w->scene, i);

		if (step != NULL &&
		    (step->kind == STEP_SET || step->kind == STEP_SHARED_SET) &&
		    step->set.id >= next)
			next = step->set.id + UINT64_C(1);
	}
	offer_number(w, next, "the next that is free");
}

/* Offers values of a field that depend on the document or the device. */
static void
offer_found(const struct wanted *w, enum step_field field)
{
	switch (field) {
	case FIELD_CONTEXT: offer_any_context(w); break;
	case FIELD_ENGINE: offer_classes(w, "the first of"); break;
	case FIELD_DURATION:
	case FIELD_DELAY:
	case FIELD_PERIOD: offer_durations(w); break;
	case FIELD_DEPENDENCIES: offer_dependencies(w); break;
	case FIELD_SYNC: offer_steps(w, "", is_batch, NEAR_STEPS); break;
	case FIELD_ADVANCE: offer_steps(w, "", is_fence, NEAR_STEPS); break;
	case FIELD_TERMINATE: offer_steps(w, "", is_endless, NEAR_STEPS); break;
	case FIELD_SLICE_MASK: offer_masks(w); break;
	case FIELD_MAP:
	case FIELD_BONDED: offer_classes(w, "all"); break;
	case FIELD_MASTER: offer_classes(w, "each of"); break;
	case FIELD_ROWS: offer_classes(w, "all"); break;
	case FIELD_SET: offer_free_set(w); break;
	case FIELD_NONE:
	case FIELD_WAIT:
	case FIELD_THROTTLE:
	case FIELD_QUEUE_DEPTH:
	case FIELD_PRIORITY:
	case FIELD_PREEMPTION:
	case FIELD_SIZES:
	case N_STEP_FIELDS: break;
	}
}

/* True if the values of the table come before those that are found. */
static bool
values_lead(enum step_field field)
{
	return field == FIELD_DEPENDENCIES || field == FIELD_SLICE_MASK;
}

/* Returns the character after the field; 0: it is the last, or a list. */
static char
after_field(const struct typed_step *typed)
{
	bool last = typed->number + 1u == step_infos[typed->kind].n_fields;

	return last || typed->field == FIELD_DEPENDENCIES ||
		typed->field == FIELD_BONDED
	    ? 0
	    : '.';
}

char
complete_step(const struct step_scene *scene, const char *text, size_t start,
    const char *word, struct text *out)
{
	struct wanted w = {.scene = scene, .word = word, .out = out};
	enum step_field field;

	if (strncmp(text + strspn(text, " \t"), "#@", 2) == 0)
		return complete_annotation(text, start, word, out);
	w.typed = typed_step_at(text, start);
	field = w.typed.field;
	if (typed_is_comment(text) || w.typed.step > text + start)
		return 0;
	if (w.typed.number == 0) {
		offer_kinds(&w);
		return *word == 'f' ? 0 : '.';
	}
	if (field == FIELD_NONE)
		return 0;
	if (values_lead(field))
		offer_values(&w, field);
	offer_found(&w, field);
	if (!values_lead(field))
		offer_values(&w, field);
	return after_field(&w.typed);
}
