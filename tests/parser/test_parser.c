/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language: each diagnostic with its place and words, valid steps and their
 * canonical text, and what gem_wsim does not take. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/document/document.h"
#include "tests/runner/test.h"
#include "tests/support/case_file.h"

/* Compares the only diagnostic of an inline text: "error 0:1+1 missing engine", with
 * the line, the column and the length. Returns false, and adds it, if it differs. */
static bool
is_diagnosed(const char *text, const char *expected, struct text *found)
{
	static const char *const severities[] = {"error", "warning", "note"};
	struct document *doc = document_parse(
	    "w", text, strlen(text), SOURCE_INLINE);
	const struct diag_list *l = document_diagnostics(doc);

	for (size_t i = 0; i < l->n; i++) {
		const struct diag *d = &l->list[i];

		assert_int_equal(
		    document_is_valid(doc), d->severity == DIAG_WARNING);
		text_addf(found, "%s%s %u:%u+%u %s", i > 0 ? "; " : "",
		    severities[d->severity], d->line, d->col, d->len,
		    d->message);
	}
	document_free(doc);
	return strcmp(text_str(found), expected) == 0;
}

/* Blanks, and bytes that are not visible: the others are in parser.cases. */
TEST(wrong_bytes)
{
	static const char *const rows[][2] = {
	    {"1 .RCS.1000.0.0",
		"error 0:1+1 blank inside a step: expected fields joined by dots, and each step on its own line"},
	    {"1.RCS.1000.0.0\001",
		"error 0:14+1 invalid byte 0x01: expected visible text"},
	    {"# a\002b",
		"error 0:3+1 invalid byte 0x02: expected visible text"},
	    {"\346\274\242.RCS.1.0.0",
		"error 0:0+3 invalid context '\346\274\242': expected 0 to 2147483647, e.g. 1"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct text found = {0};

		if (!is_diagnosed(rows[i][0], rows[i][1], &found))
			assert_string_equal(text_str(&found), rows[i][1]);
		text_free(&found);
	}
}

/* `SEVERITY TEXT LINE:COLUMN+LENGTH WORDS` */
static void
play_wrong(void *lab, const struct statement *s)
{
	const char *text = case_word(s, 1);
	struct text expected = {0}, found = {0};

	(void)lab;
	text_addf(&expected, "%s%s", s->words[0], s->text + strlen(text));
	if (!is_diagnosed(text, text_str(&expected), &found))
		case_fail(s, "\"%s\", not \"%s\"", text_str(&found),
		    text_str(&expected));
	text_free(&expected);
	text_free(&found);
}

TEST_SOURCE(wrongs)
{
	static const struct case_kind kind = {
	    .pattern = "tests/parser/parser.cases", .play = play_wrong};

	case_files_add(&kind);
}

/* Texts without any diagnostic, and the canonical text of their steps. */
static const char *const rights[][2] = {
    {"", ""},
    {" , ,# only a comment", ""},
    {"0.RCS.1000.0.0", "0.RCS.1000.0.0"},
    {"2147483647.vcs2-1.1.0.1", "2147483647.VCS2-1.1.0.1"},
    {"1.default.1000000000.0.0", "1.DEFAULT.1000000000.0.0"},
    {"007.ccs-0.0500-01000.0.0", "7.CCS-0.500-1000.0.0"},
    {"1.RCS.5.0.0,1.RCS.5.0/-1/f-1/s-1.1", "1.RCS.5.-1/f-1/s-1.1"},
    {"1.RCS.*.0.0,T.-1", "T.-1"},
    {"f,1.RCS.5.f-1.0,a.-2", "a.-2"},
    {"1.RCS.5.0.0,s.-1", "s.-1"},
    {"t.0", "t.0"},
    {"t.1", "t.1"},
    {"q.7", "q.7"},
    {"d.1", "d.1"},
    {"p.16667", "p.16667"},
    {"d.2147483647", "d.2147483647"},
    {"p.2147483647", "p.2147483647"},
    {"P.1.-1023", "P.1.-1023"},
    {"P.1.1023", "P.1.1023"},
    {"S.1.-1", "S.1.-1"},
    {"S.2.9223372036854775807", "S.2.9223372036854775807"},
    {"S.2.0x7fffffffffffffff", "S.2.9223372036854775807"},
    {"S.2.0X0aF", "S.2.175"},
    {"X.1.0", "X.1.0"},
    {"M.1.vcs1|Vcs2-0", "M.1.VCS1|VCS2-0"},
    {"M.1.VCS,B.1", "B.1"},
    {"M.1.VCS,B.1,b.1.VCS1|VCS2.RCS", "b.1.VCS1|VCS2.RCS"},
    {"G.1.VCS1|VECS1/VCS2|VECS2", "G.1.VCS1|VECS1/VCS2|VECS2"},
    {"G.1.VCS1/VCS2,1.DEFAULT.7/3-5.0.0", "1.DEFAULT.7/3-5.0.0"},
    {"1.DEFAULT.7/3.0.0,G.1.VCS1/VCS2", "G.1.VCS1/VCS2"},
    {"w.0.4096/10n2M/1k-1g", "w.0.4k/10n2m/1k-1g"},
    {"W.7.1n1000", "W.7.1000"},
    {"w.1.3n4k,1.RCS.5.r1-0-2/w1-1.0", "1.RCS.5.r1-0-2/w1-1.0"},
    {"1.RCS.5.r1-0.0,w.1.4k", "w.1.4k"},
    {"\t1.RCS.5.0.0 \r\n", "1.RCS.5.0.0"},
};

TEST(rights)
{
	for (size_t i = 0; i < sizeof(rights) / sizeof(*rights); i++) {
		const char *text = rights[i][0];
		struct document *doc = document_parse(
		    "r", text, strlen(text), SOURCE_INLINE);
		size_t n = document_n_steps(doc);
		struct text printed = {0};

		if (document_diagnostics(doc)->n)
			fail_msg("'%s': %s", text,
			    document_diagnostics(doc)->list[0].message);
		if (n)
			step_print(&printed,
			    document_line_step(
				doc, document_line_of_step(doc, n - 1)));
		assert_string_equal(text_str(&printed), rights[i][1]);
		text_free(&printed);
		document_free(doc);
	}
}

/* All errors of a row are reported at once. */
TEST(all_errors_of_a_line)
{
	static const char text[] = "x1.VCS0.1x.-0/zz/r.7\nD.1\nt.9\n";
	static const uint32_t columns[] = {0, 3, 8, 11, 14, 17, 19, 0, 2};
	struct document *doc = document_parse(
	    "e", text, strlen(text), SOURCE_FILE);
	const struct diag_list *l = document_diagnostics(doc);

	assert_int_equal(l->n, 9);
	assert_int_equal(l->n_errors, 9);
	for (size_t i = 0; i < l->n; i++)
		assert_int_equal(l->list[i].col, columns[i]);
	document_free(doc);
}

static void
expect_explained(const char *text, const char *expected)
{
	struct document *doc = document_parse(
	    "a.wsim", text, strlen(text), SOURCE_FILE);
	struct text t = {0};

	document_explain(doc, &document_diagnostics(doc)->list[0], &t);
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
	document_free(doc);
}

TEST(explain)
{
	struct text row = {0};

	expect_explained("# ok\n1.RCS.1x.0.0\n",
	    "a.wsim:2:7: error: invalid duration '1x': expected microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *\n1.RCS.1x.0.0\n      ^~\n");
	expect_explained("d.1,\td.x",
	    "a.wsim:1:8: error: invalid delay 'x': expected microseconds "
	    "from 1 to 2147483647, e.g. 1000\n"
	    "d.1,    d.x\n"
	    "          ^\n");
	expect_explained("\xe6\xbc\xa2\xcc\x81.\x1b.1.0.0",
	    "a.wsim:1:7: error: invalid byte 0x1b: expected visible text\n"
	    "\xe6\xbc\xa2\xcc\x81.?.1.0.0\n"
	    "   ^\n");
	for (int i = 0; i < 100; i++)
		text_adds(&row, "d.1,");
	text_adds(&row, "d.0");
	for (int i = 0; i < 100; i++)
		text_adds(&row, ",d.1");
	expect_explained(row.data,
	    "a.wsim:1:403: error: invalid delay '0': expected microseconds "
	    "from 1 to 2147483647, e.g. 1000\n"
	    "...1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.0,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d.1,d....\n"
	    "                                                               ^\n");
	text_free(&row);
}

static void
expect_format(const char *text, const char *expected)
{
	struct document *doc = document_parse(
	    "f", text, strlen(text), SOURCE_FILE);
	struct text t = {0};

	document_format(doc, &t);
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
	document_free(doc);
}

TEST(format)
{
	expect_format("", "");
	expect_format("d.1", "d.1\n");
	expect_format("  # c, d  \r\n\n d.1,,p.02 , # e\n\nwrong 1",
	    "# c, d\n\nd.1\np.2\n# e\n\nwrong 1\n");
	expect_format(
	    "w.1.4096,1.rcs.5.0/r1-0.0\n", "w.1.4k\n1.RCS.5.r1-0.0\n");
}

static void
expect_portable(const char *text, const char *expected)
{
	struct document *doc = document_parse(
	    "p", text, strlen(text), SOURCE_FILE);
	struct diag_list why = {0};
	struct text t = {0};

	assert_int_equal(document_is_portable(doc, &why), !*expected);
	for (size_t i = 0; i < why.n; i++) {
		const struct diag *d = &why.list[i];
		size_t row, column;

		assert_int_equal(d->severity, DIAG_NOTE);
		document_position(doc, d->line, d->col, &row, &column);
		text_addf(&t, "line %zu: %s\n", row, d->message);
	}
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
	diag_list_free(&why);
	document_free(doc);
}

#define NO_WAITER "line 1: gem_wsim aborts on a fence that no batch waits for\n"
#define TOO_HIGH                                                               \
	"line 1: gem_wsim takes memory by the context's number: this one is "  \
	"above 65535\n"

TEST(portable)
{
	expect_portable("1.RCS.5.0.0\n#@ dispatch 1x1x1\np.5\n", "");
	expect_portable("\nG.1.VCS1/VCS2\n1.DEFAULT.1/2.0.0",
	    "line 2: parallel slots (G) are not in gem_wsim\n"
	    "line 3: durations by row are not in gem_wsim\n");
	expect_portable("1.RCS.5000000.0.0,2.RCS.1.f-1/s-1.0 \n",
	    "line 1: gem_wsim wraps durations above 4294967 us\n"
	    "line 1: gem_wsim takes no blanks after a step like this\n"
	    "line 1: gem_wsim takes one f or s dependency per batch\n");
	/* gem_wsim reads these, then asserts or crashes. */
	expect_portable("f\na.-1\n", NO_WAITER);
	expect_portable("f\nd.10\na.-2\n", NO_WAITER);
	expect_portable("f\na.-1\na.-2\n", NO_WAITER);
	expect_portable("f\n1.RCS.5.f-1.0\na.-2\n", "");
	expect_portable("f\n1.RCS.5.s-1.0\na.-2\n", "");
	expect_portable("65535.RCS.5.0.0\n", "");
	expect_portable("65536.RCS.5.0.0\n", TOO_HIGH);
	expect_portable("P.2147483647.1\n", TOO_HIGH);
	expect_portable("M.1.RCS|VCS1\n", "");
	expect_portable("M.1.VCS1|VCS2\nB.1\n", "");
	expect_portable("M.1.RCS|VCS1\nB.1\n1.DEFAULT.5.0.0\n",
	    "line 1: kernels refuse to balance over engines of two classes\n");
	expect_portable("1.RCS.5.0.0\n1.RCS.5.0/-1.0\n1.RCS.5.-1/0.0\n",
	    "line 2: gem_wsim takes 0 as a dependency only alone\n"
	    "line 3: gem_wsim takes 0 as a dependency only alone\n");
	expect_portable("1.RCS.5.0/0.0\n",
	    "line 1: gem_wsim takes 0 as a dependency only alone\n");
	expect_portable("d.5\n \n\n,\nd.5\n",
	    "line 2: gem_wsim takes no blanks in an empty line\n");
	/* gem_wsim ignores text after a number. */
	expect_portable("d.5 \nP.1.1\r\nM.1.VCS \nf\r\n1.RCS.5.f-1.0\r\n",
	    "line 3: gem_wsim takes no blanks after a step like this\n"
	    "line 4: gem_wsim takes no carriage return after a step like "
	    "this\n"
	    "line 5: gem_wsim takes no carriage return after a step like "
	    "this\n");
	expect_portable("w.65535.4k\n", "");
	expect_portable("w.65536.4k\n",
	    "line 1: gem_wsim takes memory by the working set's number: this "
	    "one is above 65535\n");
	expect_portable("S.1.4294967295\n",
	    "line 1: gem_wsim reads slice masks up to 2147483647\n");
	expect_portable("S.1.3\n1.RCS.5.0.0\n", "");
	expect_portable("1.RCS.5.0.0\n S.1.0x3\n",
	    "line 2: gem_wsim takes no blanks before a step\n"
	    "line 2: gem_wsim reads a hexadecimal slice mask as 0\n");
	expect_portable("M.1.VCS1|VCS1\nB.1\n",
	    "line 1: kernels refuse to balance over an engine named twice\n");
}

/* Files have a size limit, the text of -w has none. */
TEST(portable_size)
{
	size_t len = (1u << 20) - 4;
	char *text = mem_calloc(1, len + 6);

	memset(text, '#', len);
	memcpy(text + len, "\nd.5", 5);
	expect_portable(text, "line 1: gem_wsim reads files below 1 MiB\n");
	expect_portable(text + 1, "");
	free(text);
}
