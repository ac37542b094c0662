/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents: printing is lossless, the canonical text is stable, lines are found
 * by index, step and place. */
#include <string.h>

#include "base/stop.h"
#include "parser/diag.h"
#include "parser/document/edit.h"
#include "tests/fuzz/fuzz_document.h"
#include "tests/runner/test.h"

static uint64_t
next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Appends random bytes, most of them common in descriptors. */
static void
draw_bytes(uint64_t *x, struct text *t)
{
	static const char common[] =
	    "0123456789.,\n#-/|*frwsRCVSEaTMBbGPXdp \r";
	size_t n = next(x) % 200;

	text_clear(t);
	for (size_t i = 0; i < n; i++) {
		uint64_t r = next(x);

		if (r % 16 == 0)
			text_adds(t, new_texts[r / 16 % N_NEW_TEXTS]);
		else if (r % 16 == 1)
			text_addc(t, (char)(r >> 8));
		else
			text_addc(t, common[(r >> 8) % (sizeof(common) - 1)]);
	}
}

static void
format_is_canonical(const struct document *doc, enum document_source source)
{
	struct text once = {0}, twice = {0};
	struct document *again;

	document_format(doc, &once);
	again = document_parse("x", text_str(&once), once.len, source);
	document_format(again, &twice);
	assert_string_equal(text_str(&once), text_str(&twice));
	assert_int_equal(document_n_steps(doc), document_n_steps(again));
	assert_int_equal(document_is_valid(doc), document_is_valid(again));
	document_free(again);
	text_free(&once);
	text_free(&twice);
}

TEST(any_bytes)
{
	uint64_t x = 20;
	struct text t = {0};

	for (int i = 0; i < 2000; i++) {
		enum document_source source = i % 2 ? SOURCE_FILE
						    : SOURCE_INLINE;
		struct document *doc;

		draw_bytes(&x, &t);
		doc = document_parse("x", text_str(&t), t.len, source);
		must_print(doc, &t);
		format_is_canonical(doc, source);
		document_free(doc);
	}
	text_free(&t);
}

TEST(lines_and_places)
{
	static const char text[] =
	    "# c, c\n1.RCS.5.0.0, d.1 ,\r\n#@ once\n\n2.RCS.7.0/-2/r1-0.1\n";
	struct document *doc = document_parse(
	    "x", text, strlen(text), SOURCE_FILE);
	static const enum line_kind kinds[] = {LINE_COMMENT, LINE_STEP,
	    LINE_STEP, LINE_BLANK, LINE_ANNOTATION, LINE_BLANK, LINE_STEP};
	size_t row, column, len;
	uint32_t col, width;

	assert_int_equal(document_n_lines(doc), 7);
	assert_int_equal(document_n_steps(doc), 3);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(document_line_kind(doc, i), kinds[i]);
	document_position(doc, 2, 1, &row, &column);
	assert_int_equal(row, 2);
	assert_int_equal(column, 14);
	document_position(doc, 6, 0, &row, &column);
	assert_int_equal(row, 5);
	assert_int_equal(column, 1);
	assert_int_equal(document_line_of_step(doc, 2), 6);
	assert_int_equal(document_step_of_line(doc, 4), 2);
	document_line_text(doc, 2, &len);
	assert_int_equal(len, 5);
	document_field(doc, 6, 1, &col, &width);
	assert_int_equal(col, 2);
	assert_int_equal(width, 3);
	document_free(doc);
}

/* A comment ends with the row in a file, at a comma in inline text. */
TEST(sources)
{
	static const char text[] = "#x,d.1";
	struct document *file = document_parse(
	    "x", text, strlen(text), SOURCE_FILE);
	struct document *inlined = document_parse(
	    "x", text, strlen(text), SOURCE_INLINE);

	assert_int_equal(document_n_steps(file), 0);
	assert_int_equal(document_n_steps(inlined), 1);
	document_free(file);
	document_free(inlined);
}

/* The first hundred of many errors are kept in full, the others are counted by
 * kind. */
TEST(many_errors)
{
	const struct diag_list *diags;
	struct text t = {0};
	struct document *doc;

	for (int i = 0; i < 50000; i++)
		text_adds(&t, i % 5 ? "x," : "1.RCS.5.-0.0,");
	doc = document_parse("x", t.data, t.len, SOURCE_FILE);
	diags = document_diagnostics(doc);
	assert_int_equal(diags->n_errors, 50000);
	assert_int_equal(diags->n, DIAG_FULL);
	for (size_t i = 0; i < diags->n; i++)
		assert_int_equal(diags->list[i].line, i);
	text_clear(&t);
	diag_list_add_rest(diags, "x: ", &t);
	assert_string_equal(text_str(&t),
	    "x: and 49900 more errors: 39920 × unknown step '...', 9980 × invalid dependency '...'\n");
	document_free(doc);
	text_free(&t);
}

/* An error is kept in full among any number of warnings. */
TEST(many_warnings)
{
	const struct diag_list *diags;
	struct text t = {0};
	struct document *doc;

	for (int i = 0; i < 1000; i++)
		text_adds(&t, "f\n");
	text_adds(&t, "x");
	doc = document_parse("x", t.data, t.len, SOURCE_FILE);
	diags = document_diagnostics(doc);
	assert_int_equal(diags->n_errors, 1);
	assert_int_equal(diags->n, DIAG_FULL + 1);
	assert_int_equal(diags->list[DIAG_FULL].severity, DIAG_ERROR);
	assert_int_equal(diags->list[DIAG_FULL].line, 1000);
	document_free(doc);
	text_free(&t);
}

/* When an edit fixes one of the first hundred errors, the next moves up. */
TEST(fixed_error)
{
	const struct diag_list *diags;
	struct text t = {0};
	struct document *doc;

	for (int i = 0; i < 150; i++)
		text_adds(&t, "x\n");
	doc = document_parse("x", t.data, t.len, SOURCE_FILE);
	assert_int_equal(document_diagnostics(doc)->list[99].line, 99);
	for (size_t i = 0; i < 150; i++) {
		size_t left = 149 - i;

		assert_true(edit_replace(doc, i, "d.1", 3, NULL));
		diags = document_diagnostics(doc);
		assert_int_equal(diags->n_errors, left);
		assert_int_equal(diags->n, left < DIAG_FULL ? left : DIAG_FULL);
		if (left > 0)
			assert_int_equal(diags->list[0].line, i + 1);
	}
	assert_true(document_is_valid(doc));
	document_free(doc);
	text_free(&t);
}

/* The lists of a document and of its compiler are joined: the first by place stay
 * in full, whichever list they are from. */
TEST(joined_diagnostics)
{
	struct diag_list a = {0}, b = {0};
	struct text t = {0};

	for (uint32_t i = 0; i < 120; i++) {
		diag_add(&a, DIAG_ERROR, 2 * i, 0, 1, "even %u: a", i);
		diag_add(&b, DIAG_ERROR, 2 * i + 1, 0, 1, "odd %u: b", i);
		diag_add(&b, DIAG_WARNING, 2 * i + 1, 0, 1, "warning");
	}
	diag_list_join(&a, &b, false);
	diag_list_sort(&a);
	assert_int_equal(a.n_errors, 240);
	assert_int_equal(a.n, DIAG_FULL);
	for (uint32_t i = 0; i < a.n; i++)
		assert_int_equal(a.list[i].line, i);
	diag_list_add_rest(&a, "", &t);
	assert_string_equal(
	    text_str(&t), "and 140 more errors: 70 × even ..., 70 × odd ...\n");
	text_free(&t);
	diag_list_free(&a);
	diag_list_free(&b);
}

static bool
count_down(void *data)
{
	int *left = data;

	return --*left <= 0;
}

/* Reading stops within some thousand lines of a request to stop. */
TEST(stop)
{
	int left = 3;
	const struct stop stop = {count_down, &left};
	struct text t = {0};
	struct document *doc;

	for (int i = 0; i < 100000; i++)
		text_adds(&t, "1.RCS.100.0.0\nM.1.RCS\nx\n");
	assert_null(
	    document_parse_until("x", t.data, t.len, SOURCE_FILE, &stop));
	assert_int_equal(left, 0);
	left = 1000000;
	doc = document_parse_until("x", t.data, t.len, SOURCE_FILE, &stop);
	assert_int_equal(document_n_steps(doc), 300000);
	document_free(doc);
	text_free(&t);
}
