/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random edits drawn from bytes, and what must hold after each: shared by the
 * fuzzer of edits and the property tests. Everything that fails aborts.
 */
#ifndef TESTS_FUZZ_DOCUMENT_H
#define TESTS_FUZZ_DOCUMENT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "parser/document/document.h"
#include "parser/document/edit.h"

#define MUST(condition)                                                        \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__,       \
			    __LINE__, #condition);                             \
			abort();                                               \
		}                                                              \
	} while (0)

/* Bytes to draw choices from; zeros when used up. */
struct source {
	const uint8_t *at, *end;
};

static inline unsigned
draw(struct source *s, unsigned below)
{
	unsigned v = 0;

	if (s->at < s->end)
		v = *s->at++;
	if (below > 256 && s->at < s->end)
		v = v << 8 | *s->at++;
	return below ? v % below : 0;
}

static inline bool
duration_equal(struct duration a, struct duration b)
{
	return a.infinite == b.infinite && a.min_us == b.min_us &&
	    a.max_us == b.max_us;
}

static inline bool
dep_equal(const struct dep *a, const struct dep *b)
{
	return a->kind == b->kind && a->back == b->back && a->set == b->set &&
	    a->first == b->first && a->last == b->last;
}

static inline bool
batch_equal(const struct step *a, const struct step *b)
{
	if (!engine_name_equal(a->batch.engine, b->batch.engine) ||
	    a->batch.wait != b->batch.wait ||
	    a->batch.n_durations != b->batch.n_durations ||
	    a->batch.n_deps != b->batch.n_deps ||
	    !duration_equal(a->batch.duration, b->batch.duration))
		return false;
	if (a->batch.n_durations > 1)
		for (unsigned i = 0; i < a->batch.n_durations; i++)
			if (!duration_equal(a->batch.rows[i], b->batch.rows[i]))
				return false;
	for (uint32_t i = 0; i < a->batch.n_deps; i++)
		if (!dep_equal(&a->batch.deps[i], &b->batch.deps[i]))
			return false;
	return true;
}

static inline bool
map_equal(const struct step *a, const struct step *b)
{
	if (a->map.n_engines != b->map.n_engines)
		return false;
	if (a->kind == STEP_PARALLEL && a->map.n_rows != b->map.n_rows)
		return false;
	if (a->kind == STEP_BOND &&
	    !engine_name_equal(a->map.master, b->map.master))
		return false;
	for (uint32_t i = 0; i < a->map.n_engines; i++)
		if (!engine_name_equal(a->map.engines[i], b->map.engines[i]))
			return false;
	return true;
}

static inline bool
set_equal(const struct step *a, const struct step *b)
{
	if (a->set.id != b->set.id || a->set.n_sizes != b->set.n_sizes)
		return false;
	for (uint32_t i = 0; i < a->set.n_sizes; i++)
		if (a->set.sizes[i].count != b->set.sizes[i].count ||
		    a->set.sizes[i].min_bytes != b->set.sizes[i].min_bytes ||
		    a->set.sizes[i].max_bytes != b->set.sizes[i].max_bytes)
			return false;
	return true;
}

/* True if two steps mean the same. */
static inline bool
step_equal(const struct step *a, const struct step *b)
{
	if (a->kind != b->kind || a->context != b->context)
		return false;
	switch (a->kind) {
	case STEP_BATCH: return batch_equal(a, b);
	case STEP_DELAY:
	case STEP_PERIOD:
	case STEP_PREEMPTION: return a->us == b->us;
	case STEP_THROTTLE:
	case STEP_QUEUE_DEPTH: return a->count == b->count;
	case STEP_SYNC:
	case STEP_ADVANCE:
	case STEP_TERMINATE: return a->back == b->back;
	case STEP_PRIORITY:
	case STEP_SSEU: return a->value == b->value;
	case STEP_MAP:
	case STEP_BOND:
	case STEP_PARALLEL: return map_equal(a, b);
	case STEP_SET:
	case STEP_SHARED_SET: return set_equal(a, b);
	case STEP_FENCE:
	case STEP_BALANCE:
	case N_STEP_KINDS: break;
	}
	return true;
}

static inline void
must_be_same_line(const struct document *a, const struct document *b, size_t i)
{
	size_t a_len, b_len;
	const char *a_text = document_line_text(a, i, &a_len);
	const char *b_text = document_line_text(b, i, &b_len);
	const struct step *step = document_line_step(a, i);

	MUST(a_len == b_len && !memcmp(a_text, b_text, a_len));
	MUST(document_line_kind(a, i) == document_line_kind(b, i));
	MUST(document_step_of_line(a, i) == document_step_of_line(b, i));
	MUST(!step == !document_line_step(b, i));
	if (step)
		MUST(step_equal(step, document_line_step(b, i)));
}

static inline void
must_be_same_diagnostics(const struct diag_list *a, const struct diag_list *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		const struct diag *x = &a->list[i], *y = &b->list[i];

		if (x->line != y->line || strcmp(x->message, y->message))
			fprintf(stderr, "%u: %s\n%u: %s (fresh)\n", x->line,
			    x->message, y->line, y->message);
		MUST(x->line == y->line && x->col == y->col);
		MUST(x->len == y->len && x->severity == y->severity);
		MUST(!strcmp(x->message, y->message));
	}
	if (a->n != b->n)
		fprintf(stderr, "%zu diagnostics, %zu fresh\n", a->n, b->n);
	MUST(a->n == b->n && a->n_errors == b->n_errors);
	MUST(a->n_kinds == b->n_kinds);
	for (size_t i = 0; i < a->n_kinds; i++)
		MUST(a->kinds[i].n == b->kinds[i].n);
}

/* The one that the list of all has first. */
static inline void
must_know_first_error(const struct document *doc)
{
	const struct diag_list *all = document_diagnostics(doc);
	const struct diag *first = document_first_error(doc);
	size_t i = 0;

	while (i < all->n && all->list[i].severity != DIAG_ERROR)
		i++;
	MUST((first != NULL) == (i < all->n));
	MUST(first == NULL ||
	    (first->line == all->list[i].line &&
		first->col == all->list[i].col &&
		strcmp(first->message, all->list[i].message) == 0));
}

/* The document is what reading its text anew gives. */
static inline void
must_be_as_fresh(const struct document *doc, enum document_source source)
{
	struct text t = {0};
	struct document *fresh;
	size_t n = document_n_lines(doc);

	document_print(doc, &t);
	fresh = document_parse("x", text_str(&t), t.len, source);
	MUST(n == document_n_lines(fresh));
	MUST(document_n_steps(doc) == document_n_steps(fresh));
	for (size_t i = 0; i < n; i++) {
		size_t row, column, fresh_row, fresh_column;

		must_be_same_line(doc, fresh, i);
		document_position(doc, i, 0, &row, &column);
		document_position(fresh, i, 0, &fresh_row, &fresh_column);
		MUST(row == fresh_row && column == fresh_column);
	}
	must_be_same_diagnostics(
	    document_diagnostics(doc), document_diagnostics(fresh));
	must_know_first_error(doc);
	MUST(document_is_valid(doc) == document_is_valid(fresh));
	document_free(fresh);
	text_free(&t);
}

/* The offsets of a step: the n-th, 0 when there are no more. */
static inline uint32_t
offset_of(const struct step *step, unsigned n)
{
	if (!step)
		return 0;
	if (step->kind == STEP_SYNC || step->kind == STEP_ADVANCE ||
	    step->kind == STEP_TERMINATE)
		return n ? 0 : step->back;
	if (step->kind != STEP_BATCH)
		return 0;
	for (uint32_t i = 0; i < step->batch.n_deps; i++)
		if (step->batch.deps[i].kind <= DEP_SUBMIT && !n--)
			return step->batch.deps[i].back;
	return 0;
}

/* Which line each offset of each line names; -1 beyond the first step. */
struct snapshot {
	size_t n_lines;
	long (*targets)[8];
};

static inline struct snapshot
take_snapshot(const struct document *doc)
{
	struct snapshot s = {document_n_lines(doc), NULL};

	s.targets = calloc(s.n_lines + 1, sizeof(*s.targets));
	for (size_t i = 0; i < s.n_lines; i++) {
		const struct step *step = document_line_step(doc, i);
		size_t number = document_step_of_line(doc, i);

		for (unsigned k = 0; k < 8; k++) {
			uint32_t back = offset_of(step, k);

			s.targets[i][k] = !back ? -2
			    : back > number
			    ? -1
			    : (long)document_line_of_step(doc, number - back);
		}
	}
	return s;
}

/* to[i]: where line i went, -1 gone, -2 replaced (may name others now). */
static inline void
must_name_the_same(
    const struct snapshot *before, const struct document *doc, const long *to)
{
	for (size_t i = 0; i < before->n_lines; i++) {
		const struct step *step;
		size_t number;
		unsigned k = 0;

		if (to[i] < 0)
			continue;
		step = document_line_step(doc, (size_t)to[i]);
		number = document_step_of_line(doc, (size_t)to[i]);
		for (unsigned n = 0; n < 8; n++) {
			long target = before->targets[i][n];
			uint32_t back;

			if (target == -2)
				break;
			if (target >= 0 && to[target] == -1)
				continue; /* dropped */
			back = offset_of(step, k++);
			MUST(back);
			if (target < 0)
				continue;
			MUST(back <= number);
			if (to[target] >= 0)
				MUST(document_line_of_step(doc,
					 number - back) == (size_t)to[target]);
		}
	}
}

static const char *const new_texts[] = {
    "1.RCS.1000.-1.0",
    "1.RCS.1000.0.0",
    "2.VCS1.500-1000.f-1/-2.1",
    "f",
    "a.-1",
    "s.-2",
    "T.-1",
    "1.DEFAULT.*.0.0",
    "# a comment",
    "#@ dispatch 1x1x1",
    "",
    "  ",
    "M.1.VCS",
    "B.1",
    "b.1.VCS1.VCS2",
    "G.3.VCS1/VCS2",
    "3.DEFAULT.10/20.0.0",
    "w.1.4k",
    "w.1.3n4k-8k",
    "W.2.1m",
    "1.RCS.10.r1-0/w2-0.0",
    "1.RCS.10.r1-0-2/-1.0",
    "t.3",
    "q.2",
    "P.1.5",
    "p.16667",
    "d.10",
    "garbage",
    "1.RCS.1x.0.0",
    "s.-3\n1.RCS.5.s-1.0",
    "f,a.-1",
    "f\r\n1.RCS.1.f-1.0\n",
    "1.RCS.1.0.0\r",
    "#c\r",
    ",",
    "\r",
    "X.1.0",
    "1.VCS.10.0.0",
    "#@ secondary begin",
    "#@ secondary end",
    "#@ weight=2",
    "#@ once",
    "#@ renderpass resume",
    "#@ renderpass 8x8 suspend",
    "#@ secondary begin\n#@ weight=3\n#@ secondary end",
    "#@ wait",
};

#define N_NEW_TEXTS (sizeof(new_texts) / sizeof(new_texts[0]))

static inline const char *
draw_text(struct source *s)
{
	return new_texts[draw(s, N_NEW_TEXTS)];
}

/* Numbers of lines may differ: lines after a new one are numbered anew. */
static inline bool
same_message(const char *a, const char *b)
{
	while (*a && *a == *b) {
		if (!strncmp(a, "line ", 5)) {
			a += 5 + strspn(a + 5, "0123456789");
			b += 5 + strspn(b + 5, "0123456789");
		} else {
			a++;
			b++;
		}
	}
	return *a == *b;
}

/* A line has the diagnostics now that it had while it was typed. */
static inline void
must_be_as_typed(
    const struct document *doc, size_t at, size_t n, struct diag_list *typed)
{
	size_t seen = 0;

	/* With more of them, not all are reported. */
	n = typed->n_kinds > 0 ? 0 : n;
	for (size_t i = at; i < at + n; i++) {
		size_t n_diags;
		const struct diag *list = document_line_diagnostics(
		    doc, i, &n_diags);

		for (size_t k = 0; k < n_diags; k++, seen++) {
			MUST(seen < typed->n);
			MUST(list[k].severity == typed->list[seen].severity);
			MUST(list[k].len == typed->list[seen].len);
			if (!same_message(
				list[k].message, typed->list[seen].message))
				fprintf(stderr, "%s\n%s (typed)\n",
				    list[k].message, typed->list[seen].message);
			MUST(same_message(
			    list[k].message, typed->list[seen].message));
		}
	}
	MUST(typed->n_kinds > 0 || seen == typed->n);
	diag_list_free(typed);
}

static inline void
do_insert(struct document *doc, struct source *s)
{
	struct snapshot before = take_snapshot(doc);
	size_t n = before.n_lines, at = draw(s, (unsigned)n + 1), added;
	const char *text = draw_text(s);
	long *to = calloc(n + 1, sizeof(*to));
	struct diag_list typed = {0};

	draft_diagnose(doc, at, true, text, strlen(text), &typed);
	MUST(edit_insert(doc, at, text, strlen(text), NULL));
	added = document_n_lines(doc) - n;
	must_be_as_typed(doc, at, added, &typed);
	for (size_t i = 0; i < n; i++)
		to[i] = (long)(i < at ? i : i + added);
	must_name_the_same(&before, doc, to);
	free(before.targets);
	free(to);
}

static inline void
do_replace(struct document *doc, struct source *s)
{
	struct snapshot before = take_snapshot(doc);
	size_t n = before.n_lines, at = draw(s, (unsigned)n), added;
	const char *text = draw_text(s);
	long *to = calloc(n + 1, sizeof(*to));
	struct diag_list typed = {0};

	if (n)
		draft_diagnose(doc, at, false, text, strlen(text), &typed);
	if (n && edit_replace(doc, at, text, strlen(text), NULL)) {
		added = document_n_lines(doc) - n;
		must_be_as_typed(doc, at, added + 1, &typed);
		for (size_t i = 0; i < n; i++)
			to[i] = (long)(i < at ? i : i + added);
		to[at] = -2;
		must_name_the_same(&before, doc, to);
	} else {
		MUST(!n || typed.n_errors); /* refused, as it was told */
		diag_list_free(&typed);
	}
	free(before.targets);
	free(to);
}

/* Which lines a dropping deletion takes: s, a, T whose target goes go too. */
static inline void
mark_dropped(
    const struct document *doc, const struct snapshot *before, long *to)
{
	for (size_t i = 0; i < before->n_lines; i++) {
		const struct step *step = document_line_step(doc, i);
		long target = before->targets[i][0];

		if (step && step->kind != STEP_BATCH && target >= 0 &&
		    to[target] == -1)
			to[i] = -1;
	}
}

static inline void
do_delete(struct document *doc, struct source *s)
{
	struct snapshot before = take_snapshot(doc);
	size_t n = before.n_lines, at = draw(s, (unsigned)n + 1);
	size_t many = draw(s, 4), gone = 0;
	enum edit_references how = draw(s, 2) ? EDIT_DROP_REFERENCES
					      : EDIT_REFUSE_REFERRED;
	long *to = calloc(n + 1, sizeof(*to));

	if (many > n - at)
		many = n - at;
	for (size_t i = at; i < at + many; i++)
		to[i] = -1;
	if (how == EDIT_DROP_REFERENCES)
		mark_dropped(doc, &before, to);
	for (size_t i = 0; i < n; i++)
		if (to[i] == -1)
			gone++;
		else
			to[i] = (long)(i - gone);
	if (edit_delete(doc, at, many, how, NULL)) {
		MUST(document_n_lines(doc) == n - gone);
		must_name_the_same(&before, doc, to);
	} else {
		MUST(how == EDIT_REFUSE_REFERRED);
	}
	free(before.targets);
	free(to);
}

static inline void
do_move(struct document *doc, struct source *s)
{
	struct snapshot before = take_snapshot(doc);
	size_t n = before.n_lines, at = draw(s, (unsigned)n + 1);
	size_t many = draw(s, 4), dest = draw(s, (unsigned)n + 1);
	long *to = calloc(n + 1, sizeof(*to));

	if (many > n - at)
		many = n - at;
	for (size_t i = 0; i < n; i++) {
		to[i] = (long)i;
		if (dest > at + many) {
			if (i >= at && i < at + many)
				to[i] += (long)(dest - at - many);
			else if (i >= at + many && i < dest)
				to[i] -= (long)many;
		} else if (dest < at) {
			if (i >= at && i < at + many)
				to[i] -= (long)(at - dest);
			else if (i >= dest && i < at)
				to[i] += (long)many;
		}
	}
	if (edit_move(doc, at, many, dest, NULL))
		must_name_the_same(&before, doc, to);
	free(before.targets);
	free(to);
}

static inline void
do_tweak(struct document *doc, struct source *s)
{
	size_t at = draw(s, (unsigned)document_n_steps(doc) + 2), line;
	uint32_t context = draw(s, 4);
	struct duration d = {1 + draw(s, 9), 5 + draw(s, 9), draw(s, 3) == 0};

	switch (draw(s, 4)) {
	case 0:
		edit_priority(
		    doc, context, at, (int)draw(s, 9) - 4, &line, NULL);
		break;
	case 1: edit_sseu(doc, context, at, draw(s, 5), NULL, NULL); break;
	case 2:
		edit_preemption(doc, context, at, draw(s, 9), NULL, NULL);
		break;
	case 3: edit_duration(doc, at, d, NULL); break;
	}
}

static inline void
random_edit(struct document *doc, struct source *s)
{
	switch (draw(s, 9)) {
	case 0:
	case 1: do_insert(doc, s); break;
	case 2: do_delete(doc, s); break;
	case 3: do_move(doc, s); break;
	case 4:
	case 5: do_replace(doc, s); break;
	case 6: do_tweak(doc, s); break;
	case 7: edit_undo(doc); break;
	case 8: edit_redo(doc); break;
	}
}

static inline void
must_print(const struct document *doc, const struct text *expected)
{
	struct text t = {0};

	document_print(doc, &t);
	MUST(t.len == expected->len);
	MUST(!t.len || !memcmp(t.data, expected->data, t.len));
	text_free(&t);
}

/* Undoing all gives the first text again, redoing all the last one. */
static inline void
must_undo_and_redo(
    struct document *doc, const struct text *first, enum document_source source)
{
	struct text last = {0};

	while (edit_redo(doc))
		;
	document_print(doc, &last);
	while (edit_undo(doc))
		;
	must_print(doc, first);
	must_be_as_fresh(doc, source);
	while (edit_redo(doc))
		;
	must_print(doc, &last);
	must_be_as_fresh(doc, source);
	text_free(&last);
}

#endif
