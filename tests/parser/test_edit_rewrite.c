/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After any edits, or with another text, a document equals one that has just
 * been read; lines that a new text leaves alone keep their identity. */
#include <string.h>

#include "tests/fuzz/fuzz_document.h"
#include "tests/runner/test.h"
#include "tests/support/doc.h"

#define FENCED                                                                 \
	"1.RCS.5.0.0\nf\n  2.VCS1.3.f-1/-2/r1-0.0 # no\n# c\na.-2\ns.-4\n"

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

TEST(random_edits)
{
	for (uint64_t seed = 1; seed <= 60; seed++)
		random_edits(
		    seed, 40, seed % 3 ? SOURCE_FILE : SOURCE_INLINE, false);
}

/* Documents of many chunks. */
TEST(random_edits_big)
{
	for (uint64_t seed = 1; seed <= 2; seed++)
		random_edits(seed, 60, SOURCE_FILE, true);
}

/* Inserts and deletes more lines than a chunk holds. */
TEST(big_pieces)
{
	struct document *doc = doc_of(FENCED, SOURCE_FILE);
	struct text many = {0}, first = {0};

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

TEST(rewrite)
{
	static const char *const texts[] = {FENCED,
	    "1.RCS.5.0.0\nd.3\nf\n  2.VCS1.3.f-1/-2/r1-0.0 # no\na.-2\ns.-4",
	    "", "d.1\r\nd.2\r\n1.RCS.5.0.0\n", ("nonsense\n" FENCED), FENCED,
	    FENCED, "1.RCS.5.0.0,w.1.4k,1.RCS.5.r1-0/-2.0\n# a, b\n\n",
	    "w.1.4k,1.RCS.5.r1-0/-2.0\n# a, b\n\n",
	    /* An offset to before the first step leads to a step inserted there. */
	    "# c\n1.RCS.5.f-1.0\n", "f\n# c\n1.RCS.5.f-1.0\n",
	    "1.RCS.5.f-1.0\n", "f\n1.RCS.5.f-1.0\n"};
	struct document *file = doc_of("d.1", SOURCE_FILE);
	struct document *line = doc_of("d.1", SOURCE_INLINE);

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		rewrite(file, texts[i], SOURCE_FILE);
		rewrite(line, texts[i], SOURCE_INLINE);
	}
	document_free(file);
	document_free(line);
}

/* Inline text means the same in a file. */
TEST(into_file)
{
	static const char text[] =
	    "1.RCS.5.0.0,# x,,2.VCS1.3.-1.0 # y,f,\na.-1";
	static const char rows[] =
	    "1.RCS.5.0.0\n# x\n\n2.VCS1.3.-1.0 # y\nf\n\na.-1\n";
	struct document *doc = doc_of(text, SOURCE_INLINE);
	struct text t = {0};
	size_t n = document_n_steps(doc);

	document_print_file(doc, &t);
	assert_string_equal(text_str(&t), rows);
	edit_into_file(doc);
	expect_text(doc, rows);
	must_be_as_fresh(doc, SOURCE_FILE);
	assert_int_equal(document_n_steps(doc), n);
	/* Undone, it would still mean something else in a file. */
	assert_true(edit_undo(doc));
	expect_text(doc, text);
	text_clear(&t);
	document_print_file(doc, &t);
	assert_string_equal(
	    text_str(&t), "1.RCS.5.0.0,# x\n,2.VCS1.3.-1.0 # y\nf,\na.-1");
	text_free(&t);
	document_free(doc);
}

/* Replaces random texts by other random texts. */
TEST(rewrite_random)
{
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

/* Unchanged lines keep their identity, also between two that changed. */
TEST(rewrite_keeps_lines)
{
	struct document *doc = doc_of("d.1\nd.2\nd.3\nd.4\nd.5\n", SOURCE_FILE);
	const struct line *third = document_line(doc, 2);
	static const char text[] = "# new\nd.9\nd.2\nd.3\nd.5\nd.6\n";
	size_t at;

	edit_rewrite(doc, text, strlen(text));
	expect_text(doc, text);
	assert_true(document_line_index(doc, third, &at));
	assert_int_equal(at, 3);
	document_free(doc);
}
