/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edits: what they do to the text, what they refuse, and that after any
 * number of them everything is as if the text had just been read. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fuzz/fuzz_document.h"

static struct document *
doc_of(const char *text, enum document_source source)
{
	return document_parse("t", text, strlen(text), source);
}

static void
expect_text(const struct document *doc, const char *expected)
{
	struct text t = {0};

	document_print(doc, &t);
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
}

static void
expect_refused(bool done, struct text *err, const char *expected)
{
	assert_false(done);
	assert_string_equal(text_str(err), expected);
	text_clear(err);
}

#define FENCED                                                                 \
	"1.RCS.5.0.0\nf\n  2.VCS1.3.f-1/-2/r1-0.0 # no\n# c\na.-2\ns.-4\n"

static void
test_insert(void **state)
{
	struct document *doc = doc_of(
	    "1.RCS.5.0.0\nf\n\t2.VCS1.3.f-1/0/-2.0 \na.-2\ns.-4", SOURCE_FILE);

	(void)state;
	assert_true(edit_insert(doc, 1, "d.1\n# x\nd.2", 11, NULL));
	expect_text(doc,
	    "1.RCS.5.0.0\nd.1\n# x\nd.2\nf\n"
	    "\t2.VCS1.3.f-1/0/-4.0 \na.-2\ns.-6");
	assert_true(edit_insert(doc, 8, "p.9", 3, NULL));
	expect_text(doc,
	    "1.RCS.5.0.0\nd.1\n# x\nd.2\nf\n"
	    "\t2.VCS1.3.f-1/0/-4.0 \na.-2\ns.-6\np.9");
	assert_true(edit_undo(doc));
	assert_true(edit_undo(doc));
	assert_false(edit_undo(doc));
	expect_text(doc, "1.RCS.5.0.0\nf\n\t2.VCS1.3.f-1/0/-2.0 \na.-2\ns.-4");
	assert_true(edit_redo(doc));
	assert_true(edit_redo(doc));
	assert_false(edit_redo(doc));
	assert_int_equal(document_n_lines(doc), 9);
	document_free(doc);
}

static void
test_separators(void **state)
{
	struct document *doc = doc_of("d.1,d.2\r\nd.3", SOURCE_FILE);

	(void)state;
	assert_true(edit_insert(doc, 1, "# c", 3, NULL));
	expect_text(doc, "d.1,# c\nd.2\r\nd.3");
	assert_true(edit_undo(doc));
	assert_true(edit_insert(doc, 3, "d.4", 3, NULL));
	expect_text(doc, "d.1,d.2\r\nd.3\nd.4");
	assert_true(edit_delete(doc, 1, 1, EDIT_REFUSE_REFERRED, NULL));
	expect_text(doc, "d.1\r\nd.3\nd.4");
	assert_true(edit_replace(doc, 0, "d.5,d.6", 7, NULL));
	expect_text(doc, "d.5,d.6\r\nd.3\nd.4");
	assert_true(edit_move(doc, 3, 1, 1, NULL));
	expect_text(doc, "d.5,d.4,d.6\r\nd.3\n");
	document_free(doc);

	doc = doc_of("d.1,d.2", SOURCE_INLINE);
	assert_true(edit_insert(doc, 1, "# c", 3, NULL));
	assert_true(edit_insert(doc, 3, "d.3", 3, NULL));
	expect_text(doc, "d.1,# c,d.2,d.3");
	document_free(doc);
}

static void
test_delete(void **state)
{
	struct document *doc = doc_of("1.RCS.5.0.0\nd.1\n2.RCS.5.-2/f-2.0\n"
				      "s.-3\n2.RCS.5.-2.0\n",
	    SOURCE_FILE);
	struct text err = {0};

	(void)state;
	expect_refused(edit_delete(doc, 0, 1, EDIT_REFUSE_REFERRED, &err), &err,
	    "still used by line 3 (2.RCS.5.-2/f-2.0), line 4 (s.-3)");
	assert_int_equal(document_revision(doc), 0);
	assert_true(edit_delete(doc, 1, 1, EDIT_REFUSE_REFERRED, &err));
	expect_text(doc, "1.RCS.5.0.0\n2.RCS.5.-1/f-1.0\ns.-2\n2.RCS.5.-2.0\n");
	assert_true(edit_delete(doc, 0, 1, EDIT_DROP_REFERENCES, &err));
	expect_text(doc, "2.RCS.5.0.0\n2.RCS.5.-1.0\n");
	assert_true(edit_undo(doc));
	expect_text(doc, "1.RCS.5.0.0\n2.RCS.5.-1/f-1.0\ns.-2\n2.RCS.5.-2.0\n");
	/* What refers to it may go with it. */
	assert_true(edit_delete(doc, 0, 3, EDIT_DROP_REFERENCES, &err));
	expect_text(doc, "2.RCS.5.0.0\n");
	expect_refused(edit_delete(doc, 0, 2, EDIT_REFUSE_REFERRED, &err), &err,
	    "there is no line 2");
	document_free(doc);
	text_free(&err);
}

static void
test_delete_set(void **state)
{
	struct document *doc = doc_of("w.1.2n4k\nw.2.4k\n1.RCS.5.0.0\n"
				      "1.RCS.5.r1-0/-1/w1-1/r2-0.0\n",
	    SOURCE_FILE);
	struct text err = {0};

	(void)state;
	expect_refused(edit_delete(doc, 0, 1, EDIT_REFUSE_REFERRED, &err), &err,
	    "still used by line 4 (1.RCS.5.r1-0/-1/w1-1/r2-0.0)");
	assert_true(edit_delete(doc, 0, 1, EDIT_DROP_REFERENCES, &err));
	expect_text(doc, "w.2.4k\n1.RCS.5.0.0\n1.RCS.5.-1/r2-0.0\n");
	assert_true(document_is_valid(doc));
	document_free(doc);
	text_free(&err);
}

static void
test_move(void **state)
{
	struct document *doc = doc_of(
	    "1.RCS.5.0.0\nd.1\nd.2\n2.RCS.5.-3.0\ns.-1\n", SOURCE_FILE);
	struct text err = {0};

	(void)state;
	assert_true(edit_move(doc, 3, 1, 1, &err));
	expect_text(doc, "1.RCS.5.0.0\n2.RCS.5.-1.0\nd.1\nd.2\ns.-3\n");
	assert_true(edit_move(doc, 2, 1, 0, &err));
	expect_text(doc, "d.1\n1.RCS.5.0.0\n2.RCS.5.-1.0\nd.2\ns.-2\n");
	expect_refused(edit_move(doc, 1, 1, 3, &err), &err,
	    "line 3 (2.RCS.5.-1.0) would come before a step that it names");
	expect_refused(edit_move(doc, 4, 1, 1, &err), &err,
	    "line 5 (s.-2) would come before a step that it names");
	assert_true(edit_undo(doc));
	assert_true(edit_undo(doc));
	expect_text(doc, "1.RCS.5.0.0\nd.1\nd.2\n2.RCS.5.-3.0\ns.-1\n");
	document_free(doc);
	text_free(&err);
}

static void
test_replace(void **state)
{
	struct document *doc = doc_of(
	    "1.RCS.5.0.0\n# c\n2.RCS.5.-1.0\n", SOURCE_FILE);
	struct text err = {0};

	(void)state;
	assert_true(edit_replace(doc, 1, "d.1", 3, &err));
	expect_text(doc, "1.RCS.5.0.0\nd.1\n2.RCS.5.-2.0\n");
	assert_true(edit_replace(doc, 1, "", 0, &err));
	expect_text(doc, "1.RCS.5.0.0\n\n2.RCS.5.-1.0\n");
	expect_refused(edit_replace(doc, 0, "# gone", 6, &err), &err,
	    "would be no step any more, but is used by line 3 "
	    "(2.RCS.5.-1.0)");
	assert_true(edit_replace(doc, 0, "1.RCS.5x", 8, &err));
	assert_false(document_is_valid(doc));
	assert_int_equal(document_diagnostics(doc)->n, 1);
	assert_true(edit_undo(doc));
	assert_true(document_is_valid(doc));
	document_free(doc);
	text_free(&err);
}

static void
test_groups(void **state)
{
	struct document *doc = doc_of("d.1\n", SOURCE_FILE);

	(void)state;
	edit_group_begin(doc);
	assert_true(edit_insert(doc, 0, "d.2", 3, NULL));
	edit_group_begin(doc);
	assert_true(edit_insert(doc, 0, "d.3", 3, NULL));
	edit_group_end(doc);
	edit_group_end(doc);
	assert_true(edit_insert(doc, 0, "d.4", 3, NULL));
	assert_true(edit_undo(doc));
	expect_text(doc, "d.3\nd.2\nd.1\n");
	assert_true(edit_undo(doc));
	expect_text(doc, "d.1\n");
	assert_true(edit_redo(doc));
	expect_text(doc, "d.3\nd.2\nd.1\n");
	document_free(doc);
}

static void
test_tweaks(void **state)
{
	struct document *doc = doc_of("# top\n1.RCS.5.0.0\n P.1.2 \n"
				      "1.RCS.5-9.-2.0\nX.1.7\nP.2.1\n",
	    SOURCE_FILE);
	struct text err = {0};
	size_t line;

	(void)state;
	/* Before the first P: the last one of all governs, from the
	 * iteration before. */
	assert_true(edit_priority(doc, 1, 1, -4, &line, &err));
	assert_int_equal(line, 2);
	assert_true(edit_sseu(doc, 1, 1, 3, &line, &err));
	assert_int_equal(line, 1);
	/* X holds from its place on only. */
	assert_true(edit_preemption(doc, 1, 3, 0, &line, &err));
	assert_true(edit_preemption(doc, 1, 6, 9, &line, &err));
	assert_true(
	    edit_duration(doc, 5, (struct duration){.infinite = true}, &err));
	expect_text(doc,
	    "# top\nS.1.3\nX.1.0\n1.RCS.5.0.0\n P.1.-4 \n"
	    "1.RCS.*.-2.0\nX.1.9\nP.2.1\n");
	expect_refused(edit_priority(doc, 1, 0, 1024, NULL, &err), &err,
	    "priorities run from -1023 to 1023");
	expect_refused(edit_sseu(doc, 1, 0, 0, NULL, &err), &err,
	    "a slice mask is a number from 1, or -1 for all");
	expect_refused(
	    edit_duration(doc, 1, (struct duration){1, 1, false}, &err), &err,
	    "only batches, delays and periods have a duration");
	document_free(doc);
	text_free(&err);
}

static uint64_t
duration_of(const struct document *doc)
{
	return document_line_step(doc, 0)->batch.duration.min_us;
}

/* Longer is undone by shorter exactly; shorter by longer to 1 us, for it makes
 * one length of two now and then, and exactly where it does not round. */
static void
test_scale(void **state)
{
	struct document *doc = doc_of("1.RCS.1.0.0\n", SOURCE_FILE);

	(void)state;
	for (uint64_t us = 1; us <= 3000; us++) {
		struct duration d = {us, us, false};
		uint64_t longer, shorter;

		assert_true(edit_duration(doc, 0, d, NULL));
		assert_true(edit_scale_duration(doc, 0, EDIT_LONGER, NULL));
		longer = duration_of(doc);
		assert_true(longer > us);
		assert_true(longer <= us + us / 9 + 1);
		assert_true(edit_scale_duration(doc, 0, EDIT_SHORTER, NULL));
		assert_int_equal(duration_of(doc), us);

		assert_true(edit_scale_duration(doc, 0, EDIT_SHORTER, NULL));
		shorter = duration_of(doc);
		assert_true(shorter < us || us == 1);
		assert_true(shorter >= 1);
		assert_true(edit_scale_duration(doc, 0, EDIT_LONGER, NULL));
		if (us % 10 == 0)
			assert_int_equal(duration_of(doc), us);
		assert_in_range(duration_of(doc), us - 1, us + 1);
	}
	document_free(doc);
	doc = doc_of("1.RCS.1000-3000.0.0\n1.RCS.1000000000.0.0\n"
		     "p.700\n1.RCS.*.0.0\n",
	    SOURCE_FILE);
	for (size_t i = 0; i < 3; i++)
		assert_true(edit_scale_duration(doc, i, EDIT_LONGER, NULL));
	assert_true(edit_scale_duration(doc, 3, EDIT_SHORTER, NULL));
	expect_text(doc,
	    "1.RCS.1111-3333.0.0\n1.RCS.1000000000.0.0\np.778\n"
	    "1.RCS.*.0.0\n");
	document_free(doc);
}

static void
expect_told(const struct edit_told *told, const char *wanted)
{
	struct text t = {0};
	size_t len;
	const char *s;

	if (told->was != NULL) {
		s = document_line_was(told->was, &len);
		text_add(&t, s, len);
	}
	text_adds(&t, " -> ");
	if (told->is != NULL) {
		s = document_line_was(told->is, &len);
		text_add(&t, s, len);
	}
	text_addf(&t, " %zu %zu", told->line, told->n);
	assert_string_equal(text_str(&t), wanted);
	text_free(&t);
}

/* What undo and redo did: the line that came, went or changed, where it is. */
static void
test_told(void **state)
{
	struct document *doc = doc_of(
	    "d.1\n1.RCS.5.0.0\nd.2\n1.RCS.6.-2.0\n", SOURCE_FILE);
	struct edit_told told;

	(void)state;
	assert_false(edit_undone(doc, &told));
	assert_false(edit_redone(doc, &told));
	assert_true(edit_replace(doc, 2, "d.7", 3, NULL));
	/* The reference of the last one changes with it. */
	assert_true(edit_delete(doc, 2, 1, EDIT_REFUSE_REFERRED, NULL));
	assert_true(edit_insert(doc, 3, "d.9", 3, NULL));
	edit_group_begin(doc);
	assert_true(edit_replace(doc, 0, "d.3", 3, NULL));
	assert_true(edit_replace(doc, 3, "d.8", 3, NULL));
	edit_group_end(doc);

	assert_true(edit_undo(doc));
	assert_true(edit_undone(doc, &told));
	expect_told(&told, "d.3 -> d.1 0 2");
	assert_true(edit_undo(doc));
	assert_true(edit_undone(doc, &told));
	expect_told(&told, "d.9 ->  3 1");
	assert_true(edit_undo(doc));
	assert_true(edit_undone(doc, &told));
	expect_told(&told, " -> d.7 2 2");
	assert_true(edit_undo(doc));
	assert_true(edit_undone(doc, &told));
	expect_told(&told, "d.7 -> d.2 2 1");
	assert_false(edit_redone(doc, &told));

	assert_true(edit_redo(doc));
	assert_true(edit_redone(doc, &told));
	expect_told(&told, "d.2 -> d.7 2 1");
	assert_true(edit_redo(doc));
	assert_true(edit_redone(doc, &told));
	expect_told(&told, "d.7 ->  2 2");
	assert_true(edit_redo(doc));
	assert_true(edit_redone(doc, &told));
	expect_told(&told, " -> d.9 3 1");
	assert_true(edit_redo(doc));
	assert_true(edit_redone(doc, &told));
	expect_told(&told, "d.9 -> d.8 3 2");
	document_free(doc);
}

/* xorshift: the same edits in every run. */
static uint64_t
next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void
random_edits(uint64_t seed, int n, enum document_source source, bool big)
{
	struct text first = {0};
	struct document *doc;
	uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
	struct source s = {NULL, NULL};

	for (int i = 0; i < (big ? 1500 : 12); i++) {
		text_adds(
		    &first, new_texts[next(&x) % (big ? 8 : N_NEW_TEXTS)]);
		text_addc(&first, source == SOURCE_INLINE ? ',' : '\n');
	}
	doc = document_parse("r", first.data, first.len, source);
	must_be_as_fresh(doc, source);
	for (int i = 0; i < n; i++) {
		uint8_t bytes[64];

		for (size_t k = 0; k < sizeof(bytes); k++)
			bytes[k] = (uint8_t)(next(&x) >> 32);
		s = (struct source){bytes, bytes + sizeof(bytes)};
		random_edit(doc, &s);
		must_be_as_fresh(doc, source);
	}
	must_undo_and_redo(doc, &first, source);
	document_free(doc);
	text_free(&first);
}

static void
test_random_edits(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++)
		random_edits(
		    seed, 40, seed % 3 ? SOURCE_FILE : SOURCE_INLINE, false);
}

/* Many chunks. */
static void
test_random_edits_big(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 2; seed++)
		random_edits(seed, 60, SOURCE_FILE, true);
}

/* Whole pages in and out, beyond what a chunk holds. */
static void
test_big_pieces(void **state)
{
	struct document *doc = doc_of(FENCED, SOURCE_FILE);
	struct text many = {0}, first = {0};

	(void)state;
	document_print(doc, &first);
	for (int i = 0; i < 3000; i++)
		text_addf(&many, "%d.RCS.%d.0.0\n# %d\n", i % 7, i + 1, i);
	assert_true(edit_insert(doc, 2, many.data, many.len, NULL));
	must_be_as_fresh(doc, SOURCE_FILE);
	assert_true(edit_insert(doc, 1000, many.data, many.len, NULL));
	must_be_as_fresh(doc, SOURCE_FILE);
	assert_true(edit_move(doc, 500, 4000, 9000, NULL));
	must_be_as_fresh(doc, SOURCE_FILE);
	assert_true(edit_delete(doc, 700, 7000, EDIT_DROP_REFERENCES, NULL));
	must_be_as_fresh(doc, SOURCE_FILE);
	assert_true(edit_delete(
	    doc, 0, document_n_lines(doc), EDIT_REFUSE_REFERRED, NULL));
	assert_int_equal(document_n_lines(doc), 0);
	must_be_as_fresh(doc, SOURCE_FILE);
	must_undo_and_redo(doc, &first, SOURCE_FILE);
	document_free(doc);
	text_free(&many);
	text_free(&first);
}

static void
rewrite(struct document *doc, const char *text, enum document_source source)
{
	struct text before = {0}, after = {0};
	uint64_t state = document_state(doc);

	document_print(doc, &before);
	edit_rewrite(doc, text, strlen(text));
	expect_text(doc, text);
	must_be_as_fresh(doc, source);
	if (strcmp(text_str(&before), text) == 0) {
		assert_int_equal(document_state(doc), state);
	} else {
		assert_int_not_equal(document_state(doc), state);
		assert_true(edit_undo(doc));
		assert_int_equal(document_state(doc), state);
		expect_text(doc, text_str(&before));
		must_be_as_fresh(doc, source);
		assert_true(edit_redo(doc));
		expect_text(doc, text);
	}
	text_free(&before);
	text_free(&after);
}

static void
test_rewrite(void **state)
{
	static const char *const texts[] = {FENCED,
	    "1.RCS.5.0.0\nd.3\nf\n  2.VCS1.3.f-1/-2/r1-0.0 # no\na.-2\ns.-4",
	    "", "d.1\r\nd.2\r\n1.RCS.5.0.0\n", ("nonsense\n" FENCED), FENCED,
	    FENCED, "1.RCS.5.0.0,w.1.4k,1.RCS.5.r1-0/-2.0\n# a, b\n\n",
	    "w.1.4k,1.RCS.5.r1-0/-2.0\n# a, b\n\n"};
	struct document *file = doc_of("d.1", SOURCE_FILE);
	struct document *line = doc_of("d.1", SOURCE_INLINE);

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		rewrite(file, texts[i], SOURCE_FILE);
		rewrite(line, texts[i], SOURCE_INLINE);
	}
	document_free(file);
	document_free(line);
}

/* What stood on a command line means the same in a file. */
static void
test_into_file(void **state)
{
	static const char text[] =
	    "1.RCS.5.0.0,# x,,2.VCS1.3.-1.0 # y,f,\na.-1";
	static const char rows[] =
	    "1.RCS.5.0.0\n# x\n\n2.VCS1.3.-1.0 # y\nf\n\na.-1\n";
	struct document *doc = doc_of(text, SOURCE_INLINE);
	struct text t = {0};
	size_t n = document_n_steps(doc);

	(void)state;
	document_print_file(doc, &t);
	assert_string_equal(text_str(&t), rows);
	edit_into_file(doc);
	expect_text(doc, rows);
	must_be_as_fresh(doc, SOURCE_FILE);
	assert_int_equal(document_n_steps(doc), n);
	/* Undone, it would still be another text in a file. */
	assert_true(edit_undo(doc));
	expect_text(doc, text);
	text_clear(&t);
	document_print_file(doc, &t);
	assert_string_equal(
	    text_str(&t), "1.RCS.5.0.0,# x\n,2.VCS1.3.-1.0 # y\nf,\na.-1");
	text_free(&t);
	document_free(doc);
}

/* Any text after any other, both as the fuzzer's edits leave them. */
static void
test_rewrite_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct document *a = doc_of(FENCED, SOURCE_FILE);
		struct document *b = doc_of(FENCED, SOURCE_FILE);

		for (uint64_t i = 0; i < 30; i++) {
			struct text t = {0};
			uint8_t bytes[256];
			struct source s = {bytes, bytes + sizeof(bytes)};

			for (size_t k = 0; k < sizeof(bytes); k++)
				bytes[k] =
				    (uint8_t)((seed * 977 + i * 131 + k) *
					    2654435761u >>
					13);
			for (uint64_t n = 0; n <= i % 4; n++)
				random_edit(b, &s);
			document_print(b, &t);
			rewrite(a, text_str(&t), SOURCE_FILE);
			text_free(&t);
		}
		document_free(a);
		document_free(b);
	}
}

/* Lines that stay are the same ones, also between two that changed. */
static void
test_rewrite_keeps_lines(void **state)
{
	struct document *doc = doc_of("d.1\nd.2\nd.3\nd.4\nd.5\n", SOURCE_FILE);
	const struct line *third = document_line(doc, 2);
	static const char text[] = "# new\nd.9\nd.2\nd.3\nd.5\nd.6\n";
	size_t at;

	(void)state;
	edit_rewrite(doc, text, strlen(text));
	expect_text(doc, text);
	assert_true(document_line_index(doc, third, &at));
	assert_int_equal(at, 3);
	document_free(doc);
}

static void
expect_diagnostics(const struct document *doc, const char *wanted)
{
	const struct diag_list *diags = document_diagnostics(doc);
	struct text t = {0};

	for (size_t i = 0; i < diags->n; i++)
		text_addf(&t, "%u:%u %.7s;", diags->list[i].line,
		    diags->list[i].col, diags->list[i].message);
	assert_string_equal(text_str(&t), wanted);
	text_free(&t);
}

/* What is wrong in an annotation, and whether it belongs to any batch. */
static void
test_annotations(void **state)
{
	struct document *doc = doc_of("#@ once\n1.RCS.5.0.0\n  #@ labels\n"
				      "#@ label pop\n# x\nd.3\n",
	    SOURCE_FILE);

	(void)state;
	expect_diagnostics(doc, "2:5 'labels;3:0 no batc;");
	assert_false(document_is_valid(doc));
	assert_true(edit_replace(doc, 2, " #@ once", 8, NULL));
	expect_diagnostics(doc, "2:1 no batc;3:0 no batc;");
	assert_true(document_is_valid(doc));
	assert_true(edit_insert(doc, 6, "1.RCS.5.0.0", 11, NULL));
	expect_diagnostics(doc, "");
	assert_true(edit_replace(doc, 1, "d.1", 3, NULL));
	expect_diagnostics(doc, "");
	assert_true(edit_replace(doc, 6, "d.1", 3, NULL));
	expect_diagnostics(doc, "0:0 no batc;2:1 no batc;3:0 no batc;");
	document_free(doc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_annotations),
	    cmocka_unit_test(test_insert),
	    cmocka_unit_test(test_separators),
	    cmocka_unit_test(test_delete),
	    cmocka_unit_test(test_delete_set),
	    cmocka_unit_test(test_move),
	    cmocka_unit_test(test_replace),
	    cmocka_unit_test(test_groups),
	    cmocka_unit_test(test_tweaks),
	    cmocka_unit_test(test_scale),
	    cmocka_unit_test(test_told),
	    cmocka_unit_test(test_rewrite),
	    cmocka_unit_test(test_rewrite_random),
	    cmocka_unit_test(test_into_file),
	    cmocka_unit_test(test_rewrite_keeps_lines),
	    cmocka_unit_test(test_random_edits),
	    cmocka_unit_test(test_random_edits_big),
	    cmocka_unit_test(test_big_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
