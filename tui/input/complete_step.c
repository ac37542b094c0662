/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion of a step, field by field: a table has a function per field of each
 * kind, which offers values with their meanings. Values in use come from the
 * lines around the one that is typed.
 */
#include "tui/input/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "parser/step_parse.h"

/* Lines that are searched for values in use, before and after the typed one; and
 * steps before it that are offered as offsets. */
#define NEAR_LINES 1000
#define NEAR_STEPS 8
#define FAR_STEPS  200 /* searched for rare kinds of steps */
#define MOST       100 /* values of one field */

#define FIELDS 5 /* of a step, at most */

struct wanted {
	const struct step_scene *scene;
	enum step_kind kind; /* of the step that is typed */
	const char *step;    /* where it begins */
	const char *word;
	size_t steps_before; /* typed in the same line */
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
offer_contexts(const struct wanted *w)
{
	struct numbers used = {.n = 0};
	char meaning[32];

	for (size_t i = 0; i < 2 * NEAR_LINES; i++) {
		const struct step *step = near_step(w->scene, i);

		if (step != NULL && step_has_context(step))
			note_number(&used, step->context);
	}
	if (used.n == 0)
		note_number(&used, 1);
	qsort(used.list, used.n, sizeof(*used.list), compare);
	for (size_t i = 0; i < used.n; i++) {
		snprintf(meaning, sizeof(meaning), "context %llu",
		    (unsigned long long)used.list[i]);
		offer_number(w, used.list[i], meaning);
	}
}

static void
offer_kinds(const struct wanted *w)
{
	char word[2] = {0}, meaning[128];

	offer_contexts(w);
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

static void
offer_class(const struct wanted *w, enum engine_class cls)
{
	const char *name = engine_class_names[cls];
	unsigned n = w->scene->profile->n_engines[cls];
	char buf[32];

	if (n == 0)
		return;
	snprintf(buf, sizeof(buf), "any of %u", n);
	offer(w, name, n > 1 ? buf : NULL);
	for (unsigned i = 1; n > 1 && i <= n; i++) {
		snprintf(buf, sizeof(buf), "%s%u", name, i);
		offer(w, buf, NULL);
	}
}

static void
offer_listed_engines(const struct wanted *w)
{
	for (enum engine_class c = 0; c < N_CLASSES; c++)
		offer_class(w, c);
}

static void
offer_engines(const struct wanted *w)
{
	offer_listed_engines(w);
	offer(w, "DEFAULT", "RCS, or what the context's map says");
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

		if (i == s->line || step == NULL || step->kind != w->kind)
			continue;
		text = field_of(s->doc, i, field, &len);
		before = (size_t)(text - field_of(s->doc, i, 0, &none));
		if (len + 3 > sizeof(word) || *n >= MOST ||
		    (alike && strncmp(text - before, w->step, before) != 0))
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
	unsigned field = w->kind == STEP_BATCH ? 2 : 1;
	size_t n = 0;
	char *rest, *word;

	note_durations(w, true, field, &words, &n);
	note_durations(w, false, field, &words, &n);
	for (rest = words.data; (word = strsep(&rest, "\n")) != NULL;)
		if (*word != 0 && strcmp(word, "*") != 0)
			offer(w, word, NULL);
	if (n == 0)
		offer(w, "1000", "1 ms");
	if (w->kind == STEP_BATCH)
		offer(w, "*", "without end: until a T step names it");
	text_free(&words);
}

static void
offer_periods(const struct wanted *w)
{
	offer_durations(w);
	offer(w, "16667", "60 Hz");
	offer(w, "33333", "30 Hz");
	offer(w, "8333", "120 Hz");
}

/* Returns the step `back` steps before the typed one; NULL: none, or a line with
 * an error. */
static const struct step *
step_back(const struct wanted *w, size_t back, size_t *line)
{
	const struct document *doc = w->scene->doc;
	size_t at = document_step_of_line(doc, w->scene->line);

	if (back <= w->steps_before || back - w->steps_before > at)
		return NULL;
	*line = document_line_of_step(doc, at - (back - w->steps_before));
	return document_line_step(doc, *line);
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
		const struct step *step = step_back(w, back, &line);
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
offer_batches(const struct wanted *w)
{
	offer_steps(w, "", is_batch, NEAR_STEPS);
}

static void
offer_fences(const struct wanted *w)
{
	offer_steps(w, "", is_fence, NEAR_STEPS);
}

static void
offer_endless(const struct wanted *w)
{
	offer_steps(w, "", is_endless, NEAR_STEPS);
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
	offer(w, "0", "none");
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
offer_wait(const struct wanted *w)
{
	offer(w, "0", "the client goes on at once");
	offer(w, "1", "the client waits for the end of the batch");
}

static void
offer_priorities(const struct wanted *w)
{
	offer(w, "0", "the default");
	offer(w, "512", NULL);
	offer(w, "1023", "the highest");
	offer(w, "-512", NULL);
	offer(w, "-1023", "the lowest");
}

static void
offer_masks(const struct wanted *w)
{
	char meaning[32];

	offer(w, "-1", "all slices");
	for (unsigned n = 1; n < w->scene->profile->slices; n++) {
		snprintf(
		    meaning, sizeof(meaning), n > 1 ? "%u slices" : "one", n);
		offer_number(w, (UINT64_C(1) << n) - 1, meaning);
	}
}

static void
offer_preemption(const struct wanted *w)
{
	offer(w, "0", "none");
	offer(w, "100", "a point every 100 us");
	offer(w, "1000", "a point every 1 ms");
}

static void
offer_depth(const struct wanted *w)
{
	offer(w, "0", "off");
	for (unsigned n = 1; n <= 4; n++)
		offer_number(w, n, NULL);
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

static void
offer_sizes(const struct wanted *w)
{
	offer(w, "4k", NULL);
	offer(w, "64k", NULL);
	offer(w, "1m", NULL);
	offer(w, "10n4k", "ten objects of 4 KiB");
}

/* Completion of the fields of each kind after the first, and the character that
 * follows. */
static const struct field_kind {
	offer_fn *offer;
	char next;
} fields[N_STEP_KINDS][FIELDS - 1] = {
    [STEP_BATCH] = {{offer_engines, '.'}, {offer_durations, '.'},
	{offer_dependencies, 0}, {offer_wait, 0}},
    [STEP_DELAY] = {{offer_durations, 0}},
    [STEP_PERIOD] = {{offer_periods, 0}},
    [STEP_SYNC] = {{offer_batches, 0}},
    [STEP_THROTTLE] = {{offer_depth, 0}},
    [STEP_QUEUE_DEPTH] = {{offer_depth, 0}},
    [STEP_ADVANCE] = {{offer_fences, 0}},
    [STEP_TERMINATE] = {{offer_endless, 0}},
    [STEP_PRIORITY] = {{offer_contexts, '.'}, {offer_priorities, 0}},
    [STEP_SSEU] = {{offer_contexts, '.'}, {offer_masks, 0}},
    [STEP_PREEMPTION] = {{offer_contexts, '.'}, {offer_preemption, 0}},
    [STEP_MAP] = {{offer_contexts, '.'}, {offer_listed_engines, 0}},
    [STEP_BALANCE] = {{offer_contexts, 0}},
    [STEP_BOND] = {{offer_contexts, '.'}, {offer_listed_engines, 0},
	{offer_listed_engines, 0}},
    [STEP_PARALLEL] = {{offer_contexts, '.'}, {offer_listed_engines, 0}},
    [STEP_SET] = {{offer_free_set, '.'}, {offer_sizes, 0}},
    [STEP_SHARED_SET] = {{offer_free_set, '.'}, {offer_sizes, 0}},
};

/* Finds the step that contains byte start of the text. */
static void
find_step(struct wanted *w, const char *text, size_t start)
{
	w->step = text;
	for (size_t i = 0; i < start; i++)
		if (text[i] == ',') {
			w->step = text + i + 1;
			w->steps_before++;
		}
	w->step += strspn(w->step, " \t");
}

static size_t
count_dots(const char *s, const char *end)
{
	size_t n = 0;

	for (; s < end; s++)
		n += *s == '.';
	return n;
}

char
complete_step(const struct step_scene *scene, const char *text, size_t start,
    const char *word, struct text *out)
{
	struct wanted w = {.scene = scene, .word = word, .out = out};
	struct field first;
	size_t field;

	if (strncmp(text + strspn(text, " \t"), "#@", 2) == 0)
		return complete_annotation(text, start, word, out);
	find_step(&w, text, start);
	if (text[strspn(text, " \t")] == '#' || w.step > text + start)
		return 0;
	field = count_dots(w.step, text + start);
	if (field == 0) {
		offer_kinds(&w);
		return *word == 'f' ? 0 : '.';
	}
	first = (struct field){w.step, (uint32_t)strcspn(w.step, ".")};
	if (!step_kind_of(first, &w.kind) || field >= FIELDS ||
	    fields[w.kind][field - 1].offer == NULL)
		return 0;
	fields[w.kind][field - 1].offer(&w);
	return fields[w.kind][field - 1].next;
}
