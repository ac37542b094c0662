/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares the parser with a table of what gem_wsim does with some 240 inputs, if
 * the table is present: both accept and refuse the same, except for the inputs
 * listed here with a reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "parser/document/document.h"
#include "tests/runner/test.h"

struct difference {
	const char *input;
	bool accepted; /* by this parser */
	const char *reason;
};

static const struct difference differences[] = {
    {"M.1.RCS|VECS,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.RCS,b.2.VCS2.VECS", true,
	"all engines in maps"},
    {"1.RCS.1000.0.0.", false, "empty fields are errors"},
    {"..1..RCS...1000.0.0", false, "empty fields are errors"},
    {"+1.RCS.1000.0.0", false, "numbers are plain digits"},
    {"1x.RCS.1000.0.0", false, "numbers are plain digits"},
    {"0x10.RCS.1000.0.0", false, "numbers are plain digits"},
    {"2147483646.RCS.1000.0.0", true, "memory by contexts used, not by number"},
    {"2147483647.RCS.1000.0.0", true, "memory by contexts used, not by number"},
    {"1 .RCS.1000.0.0", false, "blanks inside are errors"},
    {"1.RCS.1000us.0.0", false, "numbers are plain digits"},
    {"1.RCS. 1000.0.0", false, "blanks inside are errors"},
    {"1.RCS.1000-2000-3000.0.0", false, "numbers are plain digits"},
    {"1.RCS.1000 - 2000.0.0", false, "blanks inside are errors"},
    {"1.RCS.4294967295.0.0", false, "at most 10^9 us"},
    {"1.RCS.4294967296.0.0", false, "at most 10^9 us"},
    {"1.RCS.9223372036854775806.0.0", false, "at most 10^9 us"},
    {"1.RCS.1000.0.0,1.RCS.1000./-1.0", false, "empty fields are errors"},
    {"1.RCS.1000.0.0,1.RCS.1000.-1//-1.0", false, "empty fields are errors"},
    {"1.RCS.1000.0.0,1.RCS.1000./.0", false, "empty fields are errors"},
    {"1.RCS.1000.0.0,1.RCS.1000.f-1/f-1.0", true,
	"several fence dependencies are allowed"},
    {"d.4294967297", false, "at most 2147483647 us"},
    {" d.100", true, "outer blanks are accepted"},
    {"t.5", false, "more than there are steps"},
    {"f,a.-1", true, "a fence named by none, or by a only, works"},
    {"f,d.10,a.-2", true, "a fence named by none, or by a only, works"},
    {"f,a.-1,a.-2", true, "a fence named by none, or by a only, works"},
    {"P.1", false, "missing field"},
    {"P.1.x", false, "numbers are plain digits"},
    {"p.1.1", false, "too many fields"},
    {"S.1.x", false, "numbers are plain digits"},
    {"X.1", false, "missing field"},
    {"M.1", false, "missing field"},
    {"M.1.BCS", true, "all engines in maps"},
    {"M.1.|VCS1", false, "empty fields are errors"},
    {"M.1.||", false, "empty fields are errors"},
    {"M.1.RCS|VCS1,B.1,1.DEFAULT.1000.0.0", true,
	"the device's rule, not the text's"},
    {"M.1.VCS1|VCS1,B.1", true, "the device's rule, not the text's"},
    {"w", false, "missing field"},
    {"w.1", false, "missing field"},
    {"w.1.4kk", false, "one unit"},
    {"w.1.4k//8k", false, "empty fields are errors"},
    {"w.1./", false, "empty fields are errors"},
    {"w.1.8k-4k", false, "ranges go up"},
    {"w.1.4k-4k", false, "ranges go up"},
    {"w.1.4k.8k", false, "too many fields"},
    {"w.1.4k,1.RCS.1000.r1-.0", false, "empty fields are errors"},
    {"1.RCS.1000.0.0 ,1.RCS.1000.0.0", true,
	"newlines, CR LF and outer blanks are accepted"},
    {"1.RCS.1000.0.0\\n1.RCS.1000.0.0", true,
	"newlines, CR LF and outer blanks are accepted"},
    {"1.RCS.1000.0.0\\n", true,
	"newlines, CR LF and outer blanks are accepted"},
    {"#comment", true, "comments"},
    {"# a,1.RCS.1000.0.0", true, "comments"},
    {"1.RCS.1000.0.0\\r", true,
	"newlines, CR LF and outer blanks are accepted"},
    {"file:1.RCS.1000.0.0\\r\\n2.BCS.500.-1.1\\r\\n", true,
	"newlines, CR LF and outer blanks are accepted"},
    {"file:# comment\\n1.RCS.1000.0.0\\n", true, "comments"},
    {"file:1.RCS.1000.0.0 \\n", true,
	"newlines, CR LF and outer blanks are accepted"},
};

static const struct difference *
find_difference(const char *input, bool is_file)
{
	size_t n = sizeof(differences) / sizeof(*differences);

	for (size_t i = 0; i < n; i++) {
		const char *name = differences[i].input;

		if (is_file != !strncmp(name, "file:", 5))
			continue;
		if (!strcmp(name + (is_file ? 5 : 0), input))
			return &differences[i];
	}
	return NULL;
}

static const char *
shared_folder(void)
{
	const char *folder = getenv("GPUWL_SHARED");

	return folder ? folder : "../shared";
}

/* Decodes \n, \r and \t in the table's inputs. */
static void
unescape(const char *s, struct text *t)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1] && strchr("nrt", s[1])) {
			s++;
			text_addc(t,
			    *s == 'n'       ? '\n'
				: *s == 'r' ? '\r'
					    : '\t');
		} else {
			text_addc(t, *s);
		}
	}
}

/* Portable, unlike in the table: to versions after 1.27.1, or in a file. */
static const char *const portable[] = {"M.1.BCS", "#comment",
    "# a,1.RCS.1000.0.0", "# comment\\n1.RCS.1000.0.0\\n",
    "1.RCS.1000.0.0\\n1.RCS.1000.0.0", "1.RCS.1000.0.0\\n"};

static bool
is_portable(char *const *columns)
{
	/* Accepted, but run as something else. */
	if (!strcmp(columns[0], "1.RCS.4294968.0.0"))
		return false;
	for (size_t i = 0; i < sizeof(portable) / sizeof(*portable); i++)
		if (!strcmp(columns[0], portable[i]))
			return true;
	return !strcmp(columns[1], "accepted");
}

static bool
check_portability(const struct document *doc, char *const *columns)
{
	struct diag_list why = {0};
	bool wanted = is_portable(columns);
	bool got = document_is_portable(doc, &why);

	if (got != wanted)
		print_error("%s: '%s': %s by gem_wsim, but said to be%s "
			    "portable: %s\n",
		    columns[5], columns[0], columns[1], got ? "" : " not",
		    why.n ? why.list[0].message : "");
	diag_list_free(&why);
	return got == wanted;
}

/* True if the row agrees. */
static bool
check_row(char *row)
{
	char *columns[7];
	const struct difference *d;
	struct text input = {0};
	struct document *doc;
	bool wanted, got, is_file;

	for (int i = 0; i < 7; i++)
		columns[i] = strsep(&row, "\t");
	/* Options and refusals by other devices are not the parser's. */
	if (!columns[6] || !strncmp(columns[0], "ARGV", 4) ||
	    strstr(columns[6], "gen7") || strstr(columns[6], "one VCS"))
		return true;
	is_file = !strcmp(columns[5], "file");
	d = find_difference(columns[0], is_file);
	wanted = d ? d->accepted : !strcmp(columns[1], "accepted");
	unescape(columns[0], &input);
	doc = document_parse("row", text_str(&input), input.len,
	    is_file ? SOURCE_FILE : SOURCE_INLINE);
	got = document_is_valid(doc);
	if (got && !check_portability(doc, columns))
		got = !wanted;
	if (got != wanted)
		print_error("%s: '%s': %s by gem_wsim, wanted %d, got %d\n",
		    columns[5], columns[0], columns[1], wanted, got);
	document_free(doc);
	text_free(&input);
	return got == wanted;
}

TEST(table)
{
	struct text path = {0}, table = {0};
	size_t wrong = 0, n = 0;
	char *row, *rest;

	text_addf(&path, "%s/oracle.tsv", shared_folder());
	if (!file_read(path.data, &table, NULL, NULL)) {
		text_free(&path);
		skip_test(NO_SHARED_DATA);
	}
	rest = table.data;
	strsep(&rest, "\n");
	while ((row = strsep(&rest, "\n"))) {
		if (!*row && !rest)
			break;
		n++;
		wrong += !check_row(row);
	}
	print_message("%zu inputs, %zu not as wanted\n", n, wrong);
	assert_int_equal(wrong, 0);
	text_free(&path);
	text_free(&table);
}

static const char *const descriptors[] = {"carchasepart", "composited-ui",
    "frame-split-60fps", "high-composited-game", "media-1080p-player",
    "media_17i7", "media_19", "media_1n2_480p", "media_1n3_asy",
    "media_1n4_480p", "media_1n5_480p", "media_load_balance_19",
    "media_load_balance_4k12u7", "media_load_balance_hd01",
    "media_load_balance_hd12", "media_mfe2_480p", "media_nn_1080p_s2",
    "media_nn_480p", "vcs1", "vcs_balanced"};

TEST(descriptors)
{
	size_t n = sizeof(descriptors) / sizeof(*descriptors), n_read = 0;

	for (size_t i = 0; i < n; i++) {
		struct text path = {0}, text = {0};
		struct diag_list why = {0};
		struct document *doc;

		text_addf(
		    &path, "%s/wsim/%s.wsim", shared_folder(), descriptors[i]);
		if (file_read(path.data, &text, NULL, NULL)) {
			doc = document_parse(
			    path.data, text_str(&text), text.len, SOURCE_FILE);
			assert_int_equal(document_diagnostics(doc)->n, 0);
			if (!document_is_portable(doc, &why))
				fail_msg(
				    "%s: %s", path.data, why.list[0].message);
			document_free(doc);
			n_read++;
		}
		text_free(&path);
		text_free(&text);
		diag_list_free(&why);
	}
	if (!n_read)
		skip_test(NO_SHARED_DATA);
	assert_int_equal(n_read, n);
}
