/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion of a line of a descriptor, field by field. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tui/input/complete.h"

static const char document[] = "# two passes\n"
			       "M.3.VCS1|VCS2\n"
			       "w.7.4k\n"
			       "1.RCS.1000.0.0\n"
			       "2.VCS1.500-900.-1.0\n"
			       "f\n"
			       "12.BCS.*.f-1.0\n"
			       "\n"
			       "a.-2\n";

/* At the end of what is typed in the place of line; the words, joined by
 * blanks, and with meanings if wanted. */
static void
expect_at(const char *text, size_t line, const char *typed, bool meanings,
    const char *words, char next)
{
	struct document *doc = document_parse(
	    "t", text, strlen(text), SOURCE_FILE);
	struct profile profile;
	struct step_scene scene = {doc, &profile, line};
	size_t start = strlen(typed);
	struct text rows = {0}, got = {0};
	char *rest, *row, after;

	profile_init(&profile);
	while (start > 0 && strchr(STEP_BREAKS, typed[start - 1]) == NULL)
		start--;
	after = complete_step(&scene, typed, start, typed + start, &rows);
	for (rest = rows.data; (row = strsep(&rest, "\n")) != NULL;) {
		char *tab = strchr(row, '\t');

		if (tab != NULL && !meanings)
			*tab = 0;
		if (*row != 0)
			text_addf(&got, "%s%s", got.len > 0 ? " " : "", row);
	}
	assert_string_equal(text_str(&got), words);
	if (*words != 0)
		assert_int_equal(after, next);
	text_free(&rows);
	text_free(&got);
	document_free(doc);
}

static void
expect(const char *typed, const char *words, char next)
{
	expect_at(document, 7, typed, false, words, next);
}

TEST(kinds)
{
	expect("", "1 2 3 12 d p s t q f a T P S X M B b G w W", '.');
	expect("1", "1 12", '.');
	expect("d", "d", '.');
	expect("f", "f", 0);
	expect("b", "b", '.');
	expect("B", "B", '.');
	expect("  p", "p", '.');
	expect("x", "", 0);
	expect("d.5, T", "T", '.');
	expect("# T", "", 0);
}

TEST(batch)
{
	expect("1.", "RCS BCS VCS VCS1 VCS2 VECS VECS1 VECS2 CCS DEFAULT", '.');
	expect("1.vc", "VCS VCS1 VCS2", '.');
	expect("1.VCS3", "", 0);
	expect("1.RCS.", "1000 500-900 *", '.');
	expect("2.VCS1.", "500-900 1000 *", '.');
	expect("1.RCS.1", "1000", '.');
	expect("1.RCS.1000.", "0 -1 -3 -4 f-2 r7-0 w7-0", 0);
	expect("1.RCS.1000.f", "f-2 f-1 f-3 f-4", 0);
	expect("1.RCS.1000.-1/s", "s-1 s-3 s-4", 0);
	expect("1.RCS.1000.0.", "0 1", 0);
	expect("1.RCS.1000.0.0.", "", 0);
	/* Offsets count what is typed before in the same line. */
	expect("d.5,1.RCS.1000.-", "-2 -4 -5", 0);
}

TEST(others)
{
	expect("s.", "-1 -3 -4", 0);
	expect("a.", "-2", 0);
	expect("T.", "-1", 0);
	expect("P.1", "1 12 13", '.');
	expect("P.1.-", "-512 -1023", 0);
	expect("S.1.", "-1 1 3", 0);
	expect("X.1.1", "100 1000", 0);
	expect("M.3.VCS1|V", "VCS VCS1 VCS2 VECS VECS1 VECS2", 0);
	expect("G.3.VCS1/VCS", "VCS VCS1 VCS2", 0);
	expect("b.3.VCS1.R", "RCS", 0);
	expect("B.", "1 2 3 12 13", 0);
	expect("w.", "8", '.');
	expect("W.8.6", "64k", 0);
	expect("d.", "1000", 0);
	expect("p.", "16667 33333 8333", 0);
	expect("q.", "0 1 2 3 4", 0);
	expect("f.", "", 0);
	expect("z.", "", 0);
}

TEST(annotations)
{
	expect("#@ la", "label", ' ');
	expect("#@ label p", "push pop", ' ');
	expect("#@ dispatch 8x8 spi", "spirv=", 0);
	expect("# la", "", 0);
	expect("#@ ",
	    "label renderpass dispatch tracerays copybuffer fillbuffer "
	    "copyimage clearimage blitimage resolveimage mipmaps "
	    "buffertoimage imagetobuffer memorytoimage copymemory copytensor "
	    "copyquery ascopy astomemory memorytoas micromapcopy "
	    "micromaptomemory memorytomicromap asbuild datagraph secondary "
	    "once weight=",
	    ' ');
}

TEST(annotation_values)
{
	expect("#@ renderpass 8x8 attach=",
	    "attach=C0 attach=C1 attach=C2 attach=C3 attach=C4 attach=C5 "
	    "attach=C6 attach=C7 attach=D attach=S",
	    ':');
	expect("#@ renderpass 8x8 attach=C0:cl", "attach=C0:clear", 0);
	expect("#@ renderpass 8x8 attach=C0:clear:",
	    "attach=C0:clear:store attach=C0:clear:discard", 0);
	expect("#@ renderpass 8x8 attach=C0:clear:store,",
	    "C0 C1 C2 C3 C4 C5 C6 C7 D S", ':');
	expect("#@ renderpass 8x8 attach=C0:clear:store,D:",
	    "D:load D:clear D:discard D:resolve", 0);
	expect("#@ renderpass 8x8 attach=C0:a:b:c", "", 0);
	enter_test_folder();
	write_file("blur.spv", "");
	write_file("blend.spv", "");
	expect("#@ dispatch 8x8x1 spirv=blu", "spirv=blur.spv", 0);
	expect("#@ dispatch 8x8x1 spirv=./b", "blend.spv blur.spv", 0);
	expect("#@ dispatch 8x8x1 spirv=no-such-folder/", "", 0);
}

TEST(meanings)
{
	expect_at(document, 7, "T.", true, "-1\tline 7: 12.BCS.*.f-1.0", 0);
	expect_at(document, 7, "d", true, "d\td.us: sleep", '.');
	expect_at(document, 7, "1.VCS", true,
	    "VCS\tvideo, the first of 2 VCS1 VCS2", '.');
	/* One row without an end is enough for T. */
	expect_at("G.1.VCS1/VCS2\n1.DEFAULT.5/*.0.0\n", 2, "T.", true,
	    "-1\tline 2: 1.DEFAULT.5/*.0.0", 0);
}

TEST(empty_document)
{
	expect_at("", 0, "1", false, "1", '.');
	expect_at("", 0, "s.", false, "", 0);
	expect_at("", 0, "1.RCS.", false, "1000 *", '.');
	expect_at("", 0, "1.RCS.5.", false, "0", 0);
}
