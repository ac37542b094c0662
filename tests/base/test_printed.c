/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of output, as ECMA-48 has terminals show them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/printed.h"
#include "tests/runner/test.h"

static void
expect_printed(const char *line, size_t len, const char *shown)
{
	struct text out = {0};
	char *copy = malloc(len + 1);

	/* Its end is where memory ends. */
	assert_non_null(copy);
	memcpy(copy, line, len);
	text_add_printed(&out, copy, len);
	assert_string_equal(text_str(&out), shown);
	text_free(&out);
	free(copy);
}

TEST(moves)
{
	static const struct {
		const char *line, *shown;
	} rows[] = {
	    {"", ""},
	    {"a\tb", "a       b"},
	    {"\tb\tc", "        b       c"},
	    {"12345678\tb", "12345678        b"},
	    {"90 %\r100 %", "100 %"},
	    {"100 %\r\r", "100 %"},
	    {"frame=10\rframe=9", "frame=90"},
	    {"frame=10\r\033[Kframe=9", "frame=9"},
	    {"abc\b\bX", "aXc"},
	    {"\b\bx", "x"},
	    {"abcdef\033[3DX", "abcXef"},
	    {"ab\033[2Cc\033[2Gx", "ax  c"},
	    {"abcdef\033[3D\033[1K", "    ef"},
	    {"abc\033[2Kd", "   d"},
	    {"trailing   ", "trailing"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect_printed(
		    rows[i].line, strlen(rows[i].line), rows[i].shown);
}

TEST(sequences_without_text)
{
	static const struct {
		const char *line, *shown;
	} rows[] = {
	    {"\033[31mred\033[0m, \033[1;38;5;208mbold\033[m", "red, bold"},
	    {"\033]0;title\aa", "a"},
	    {"\033]8;;http://x\033\\link\033]8;;\033\\", "link"},
	    {"\033(Ba\033=b\033>c\0337d", "abcd"},
	    {"\033[?25lhidden\033[?25h\a", "hidden"},
	    {"a\033", "a"},
	    {"a\033[", "a"},
	    {"a\033[31", "a"},
	    {"a\033]0;", "a"},
	    {"a\033[99999999999999999999Cb", "a"},
	    {"\033[\001x", "?x"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect_printed(
		    rows[i].line, strlen(rows[i].line), rows[i].shown);
}

TEST(wide_and_invalid)
{
	expect_printed("漢字|\r12", 10, "12字|");
	expect_printed("漢字|\r1", 9, "1 字|");
	expect_printed("漢字|\b\b\b1", 11, "漢1 |");
	expect_printed("漢\tx", 5, "漢      x");
	/* A mark belongs to the character before it, and goes with it. */
	expect_printed("e\xcc\x81!", 4, "e\xcc\x81!");
	expect_printed("e\xcc\x81\rx", 5, "x");
	expect_printed("\xcc\x81z", 3, "z");
	expect_printed("a\0b\xff", 4, "a?b?");
}
