/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edits of lines: their text, their refusals, and the descriptions of undo and
 * redo. test_edit_rewrite.c has random edits and replaced texts. */
#include <string.h>

#include "tests/fuzz/fuzz_document.h"
#include "tests/runner/test.h"
#include "tests/support/doc.h"

static void
expect_refused(bool done, struct text *err, const char *expected)
{
	assert_false(done);
	assert_string_equal(text_str(err), expected);
	text_clear(err);
}

TEST(insert)
{
	struct document *doc = doc_of(
	    "1.RCS.5.0.0\nf\n\t2.VCS1.3.f-1/0/-2.0 \na.-2\ns.-4", SOURCE_FILE);

	assert_true(edit_insert(doc, 1, "d.1\n# x\nd.2", 11, NULL));
	expect_text(doc,
	    "1.RCS.5.0.0\nd.1\n# x\nd.2\nf\n"
	    "\t2.VCS1.3.f-1/0/-4.0 \na.-2\ns.-6");
	assert_true(edit_insert(doc, 8, "p.9", 3, NULL));
	expect_text(doc,
	    "1.RCS.5.0.0\nd.1\n# x\nd.2\nf\n"
	    "\t2.VCS1.3.f-1/0/-4.0 \na.-2\ns.-6\np.9\n");
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

TEST(separators)
{
	struct document *doc = doc_of("d.1,d.2\r\nd.3", SOURCE_FILE);

	assert_true(edit_insert(doc, 1, "# c", 3, NULL));
	expect_text(doc, "d.1,# c\nd.2\r\nd.3");
	assert_true(edit_undo(doc));
	assert_true(edit_insert(doc, 3, "d.4", 3, NULL));
	expect_text(doc, "d.1,d.2\r\nd.3\nd.4\n");
	assert_true(edit_delete(doc, 1, 1, EDIT_REFUSE_REFERRED, NULL));
	expect_text(doc, "d.1\r\nd.3\nd.4\n");
	assert_true(edit_replace(doc, 0, "d.5,d.6", 7, NULL));
	expect_text(doc, "d.5,d.6\r\nd.3\nd.4\n");
	assert_true(edit_move(doc, 3, 1, 1, NULL));
	expect_text(doc, "d.5,d.4,d.6\r\nd.3\n");
	document_free(doc);

	doc = doc_of("d.1,d.2", SOURCE_INLINE);
	assert_true(edit_insert(doc, 1, "# c", 3, NULL));
	assert_true(edit_insert(doc, 3, "d.3", 3, NULL));
	expect_text(doc, "d.1,# c,d.2,d.3");
	document_free(doc);
}

TEST(delete)
{
	struct document *doc = doc_of("1.RCS.5.0.0\nd.1\n2.RCS.5.-2/f-2.0\n"
				      "s.-3\n2.RCS.5.-2.0\n",
	    SOURCE_FILE);
	struct text err = {0};

	expect_refused(edit_delete(doc, 0, 1, EDIT_REFUSE_REFERRED, &err), &err,
	    "still used by line 3 (2.RCS.5.-2/f-2.0), line 4 (s.-3)");
	assert_int_equal(document_revision(doc), 0);
	assert_true(edit_delete(doc, 1, 1, EDIT_REFUSE_REFERRED, &err));
	expect_text(doc, "1.RCS.5.0.0\n2.RCS.5.-1/f-1.0\ns.-2\n2.RCS.5.-2.0\n");
	assert_true(edit_delete(doc, 0, 1, EDIT_DROP_REFERENCES, &err));
	expect_text(doc, "2.RCS.5.0.0\n2.RCS.5.-1.0\n");
	assert_true(edit_undo(doc));
	expect_text(doc, "1.RCS.5.0.0\n2.RCS.5.-1/f-1.0\ns.-2\n2.RCS.5.-2.0\n");
	/* Lines that refer to it may be deleted with it. */
	assert_true(edit_delete(doc, 0, 3, EDIT_DROP_REFERENCES, &err));
	expect_text(doc, "2.RCS.5.0.0\n");
	expect_refused(edit_delete(doc, 0, 2, EDIT_REFUSE_REFERRED, &err), &err,
	    "invalid lines: expected 1 to 1");
	document_free(doc);
	text_free(&err);
}

TEST(delete_set)
{
	struct document *doc = doc_of("w.1.2n4k\nw.2.4k\n1.RCS.5.0.0\n"
				      "1.RCS.5.r1-0/-1/w1-1/r2-0.0\n",
	    SOURCE_FILE);
	struct text err = {0};

	expect_refused(edit_delete(doc, 0, 1, EDIT_REFUSE_REFERRED, &err), &err,
	    "still used by line 4 (1.RCS.5.r1-0/-1/w1-1/r2-0.0)");
	assert_true(edit_delete(doc, 0, 1, EDIT_DROP_REFERENCES, &err));
	expect_text(doc, "w.2.4k\n1.RCS.5.0.0\n1.RCS.5.-1/r2-0.0\n");
	assert_true(document_is_valid(doc));
	document_free(doc);
	text_free(&err);
}

TEST(move)
{
	struct document *doc = doc_of(
	    "1.RCS.5.0.0\nd.1\nd.2\n2.RCS.5.-3.0\ns.-1\n", SOURCE_FILE);
	struct text err = {0};

	assert_true(edit_move(doc, 3, 1, 1, &err));
	expect_text(doc, "1.RCS.5.0.0\n2.RCS.5.-1.0\nd.1\nd.2\ns.-3\n");
	assert_true(edit_move(doc, 2, 1, 0, &err));
	expect_text(doc, "d.1\n1.RCS.5.0.0\n2.RCS.5.-1.0\nd.2\ns.-2\n");
	expect_refused(edit_move(doc, 1, 1, 3, &err), &err,
	    "line 3 (2.RCS.5.-1.0) would come before a step that it refers to");
	expect_refused(edit_move(doc, 4, 1, 1, &err), &err,
	    "line 5 (s.-2) would come before a step that it refers to");
	assert_true(edit_undo(doc));
	assert_true(edit_undo(doc));
	expect_text(doc, "1.RCS.5.0.0\nd.1\nd.2\n2.RCS.5.-3.0\ns.-1\n");
	document_free(doc);
	text_free(&err);
}

TEST(replace)
{
	struct document *doc = doc_of(
	    "1.RCS.5.0.0\n# c\n2.RCS.5.-1.0\n", SOURCE_FILE);
	struct text err = {0};

	assert_true(edit_replace(doc, 1, "d.1", 3, &err));
	expect_text(doc, "1.RCS.5.0.0\nd.1\n2.RCS.5.-2.0\n");
	assert_true(edit_replace(doc, 1, "", 0, &err));
	expect_text(doc, "1.RCS.5.0.0\n\n2.RCS.5.-1.0\n");
	expect_refused(edit_replace(doc, 0, "# gone", 6, &err), &err,
	    "the new text has no step, but the old one is used by line 3 (2.RCS.5.-1.0)");
	assert_true(edit_replace(doc, 0, "1.RCS.5x", 8, &err));
	assert_false(document_is_valid(doc));
	assert_int_equal(document_diagnostics(doc)->n, 1);
	assert_true(edit_undo(doc));
	assert_true(document_is_valid(doc));
	document_free(doc);
	text_free(&err);
}

TEST(groups)
{
	struct document *doc = doc_of("d.1\n", SOURCE_FILE);

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

/* A hexadecimal mask is a step like others: found, replaced, in decimal. */
TEST(hexadecimal_mask)
{
	struct document *doc = doc_of("S.1.0x1 \n1.RCS.5.0.0\n", SOURCE_FILE);
	struct text err = {0};
	size_t line;

	assert_true(edit_find_governing(doc, STEP_SSEU, 1, 1, &line, NULL));
	assert_int_equal(line, 0);
	assert_true(edit_insert(doc, 1, "d.5", 3, &err));
	expect_text(doc, "S.1.0x1 \nd.5\n1.RCS.5.0.0\n");
	assert_true(edit_sseu(doc, 1, 2, 3, &line, &err));
	expect_text(doc, "S.1.3 \nd.5\n1.RCS.5.0.0\n");
	assert_true(edit_undo(doc));
	expect_text(doc, "S.1.0x1 \nd.5\n1.RCS.5.0.0\n");
	document_free(doc);
	text_free(&err);
}

TEST(tweaks)
{
	struct document *doc = doc_of("# top\n1.RCS.5.0.0\n P.1.2 \n"
				      "1.RCS.5-9.-2.0\nX.1.7\nP.2.1\n",
	    SOURCE_FILE);
	struct text err = {0};
	size_t line;

	/* Before the first P the last one governs, from the iteration
	 * before. */
	assert_true(edit_priority(doc, 1, 1, -4, &line, &err));
	assert_int_equal(line, 2);
	assert_true(edit_sseu(doc, 1, 1, 3, &line, &err));
	assert_int_equal(line, 1);
	/* An X governs only the steps after it. */
	assert_true(edit_preemption(doc, 1, 3, 0, &line, &err));
	assert_true(edit_preemption(doc, 1, 6, 9, &line, &err));
	assert_true(
	    edit_duration(doc, 5, (struct duration){.infinite = true}, &err));
	expect_text(doc,
	    "# top\nS.1.3\nX.1.0\n1.RCS.5.0.0\n P.1.-4 \n"
	    "1.RCS.*.-2.0\nX.1.9\nP.2.1\n");
	expect_refused(edit_priority(doc, 1, 0, 1024, NULL, &err), &err,
	    "invalid priority '1024': expected -1023 to 1023, e.g. 10");
	expect_refused(edit_sseu(doc, 1, 0, 0, NULL, &err), &err,
	    "invalid slice mask '0': expected a mask from 1, e.g. 3 or 0x3, or -1 for all slices");
	expect_refused(
	    edit_duration(doc, 1, (struct duration){1, 1, false}, &err), &err,
	    "no duration in this line: expected a batch, a delay or a period");
	document_free(doc);
	text_free(&err);
}

static uint64_t
duration_of(const struct document *doc)
{
	return document_line_step(doc, 0)->batch.duration.min_us;
}

/* Shorter undoes longer exactly. Longer undoes shorter to 1 us, because shorter
 * maps some pairs of lengths to one. */
TEST(scale)
{
	struct document *doc = doc_of("1.RCS.1.0.0\n", SOURCE_FILE);

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
		     "p.700\nd.2147483647\n1.RCS.*.0.0\n",
	    SOURCE_FILE);
	for (size_t i = 0; i < 4; i++)
		assert_true(edit_scale_duration(doc, i, EDIT_LONGER, NULL));
	assert_true(edit_scale_duration(doc, 4, EDIT_SHORTER, NULL));
	expect_text(doc,
	    "1.RCS.1111-3333.0.0\n1.RCS.1000000000.0.0\np.778\n"
	    "d.2147483647\n1.RCS.*.0.0\n");
	assert_true(edit_scale_duration(doc, 3, EDIT_SHORTER, NULL));
	expect_text(doc,
	    "1.RCS.1111-3333.0.0\n1.RCS.1000000000.0.0\np.778\n"
	    "d.1932735282\n1.RCS.*.0.0\n");
	document_free(doc);
}

static void
expect_told(const struct edit_effect *told, const char *wanted)
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

/* The line that an undo or redo added, removed or changed, and its index. */
TEST(effects)
{
	struct document *doc = doc_of(
	    "d.1\n1.RCS.5.0.0\nd.2\n1.RCS.6.-2.0\n", SOURCE_FILE);
	struct edit_effect told;

	assert_false(edit_undone(doc, &told));
	assert_false(edit_redone(doc, &told));
	assert_true(edit_replace(doc, 2, "d.7", 3, NULL));
	/* The reference of the last line changes with it. */
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

/* Diagnostics of annotations: syntax, and a missing batch. */
TEST(annotations)
{
	struct document *doc = doc_of("#@ once\n1.RCS.5.0.0\n  #@ labels\n"
				      "#@ label pop\n# x\nd.3\n",
	    SOURCE_FILE);

	expect_diagnostics(doc, "2:5 unknown;3:0 annotat;");
	assert_false(document_is_valid(doc));
	assert_true(edit_replace(doc, 2, " #@ once", 8, NULL));
	expect_diagnostics(doc, "2:1 annotat;3:0 annotat;");
	assert_true(document_is_valid(doc));
	assert_true(edit_insert(doc, 6, "1.RCS.5.0.0", 11, NULL));
	expect_diagnostics(doc, "");
	assert_true(edit_replace(doc, 1, "d.1", 3, NULL));
	expect_diagnostics(doc, "");
	assert_true(edit_replace(doc, 6, "d.1", 3, NULL));
	expect_diagnostics(doc, "0:0 annotat;2:1 annotat;3:0 annotat;");
	document_free(doc);
}
