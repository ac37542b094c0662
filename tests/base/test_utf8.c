/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoding UTF-8, and the columns of every character against those that curses
 * draws. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <curses.h>

#include "base/text.h"
#include "base/utf8.h"
#include "tests/runner/test.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

TEST(decode)
{
	static const struct {
		const char *s;
		struct utf8_char c;
	} cases[] = {
	    {"a", {'a', 1, 1, true, true}}, {"\n", {'\n', 1, 1, true, false}},
	    {"\x7f", {0x7f, 1, 1, true, false}},
	    {"\xc3\xa4", {0xe4, 2, 1, true, true}},
	    {"\xe4\xb8\xad", {0x4e2d, 3, 2, true, true}},
	    {"\xf0\x9f\x8e\xae", {0x1f3ae, 4, 2, true, true}},
	    {"\xcc\x81", {0x301, 2, 0, true, true}},
	    {"\xe2\x80\xae", {0x202e, 3, 1, true, false}}, /* reorders */
	    {"\xc2\x85", {0x85, 2, 1, true, false}},       /* C1 control */
	    {"\xef\xbb\xbf", {0xfeff, 3, 1, true, false}},
	    {"\xff", {'?', 1, 1, false, false}},
	    {"\xc0\x80", {'?', 1, 1, false, false}},         /* too long */
	    {"\xed\xa0\x80", {'?', 1, 1, false, false}},     /* surrogate */
	    {"\xf4\x90\x80\x80", {'?', 1, 1, false, false}}, /* too great */
	    {"\xe4\xb8", {'?', 1, 1, false, false}},         /* cut off */
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct utf8_char c = utf8_decode(
		    cases[i].s, strlen(cases[i].s));

		assert_int_equal(c.code, cases[i].c.code);
		assert_int_equal(c.len, cases[i].c.len);
		assert_int_equal(c.width, cases[i].c.width);
		assert_int_equal(c.valid, cases[i].c.valid);
		assert_int_equal(c.visible, cases[i].c.visible);
	}
}

TEST(whole)
{
	const char *s = "a\xe4\xb8\xad\xff";

	assert_int_equal(utf8_whole(s, 0), 0);
	assert_int_equal(utf8_whole(s, 1), 1);
	assert_int_equal(utf8_whole(s, 2), 1);
	assert_int_equal(utf8_whole(s, 3), 1);
	assert_int_equal(utf8_whole(s, 4), 4);
	assert_int_equal(utf8_whole(s, 5), 5);
	assert_int_equal(utf8_length('a'), 1);
	assert_int_equal(utf8_length('\xe4'), 3);
	assert_int_equal(utf8_length('\xff'), 1);
}

/* Without a locale that knows them, as in batch mode in a build, characters take
 * the columns that a terminal draws: those of a kind of each count. */
TEST(width_in_the_c_locale)
{
	static const struct {
		const char *s;
		int width;
	} cases[] = {
	    {"\xc3\xa4", 1}, {"\xcc\x81", 0}, {"\xe4\xb8\xad", 2},
	    {"\xf0\x9f\x8e\xae", 2}, {"\xe0\xa4\xbe", 1}, /* spacing mark */
	    {"\xe1\x85\xa1", 0},                          /* medial Jamo */
	    {"\xe3\x89\x88", 2}, {"\xe4\xb7\x80", 2},     /* hexagram */
	};
	char *locale = strdup(setlocale(LC_CTYPE, NULL));

	setlocale(LC_CTYPE, "C");
	for (size_t i = 0; i < LENGTH(cases); i++)
		assert_int_equal(
		    utf8_decode(cases[i].s, strlen(cases[i].s)).width,
		    cases[i].width);
	setlocale(LC_CTYPE, locale);
	free(locale);
}

/* Columns by which curses moves its cursor when it draws a character. */
static int
drawn_columns(wchar_t ch)
{
	int y, x;

	move(0, 0);
	addnwstr(&ch, 1);
	getyx(stdscr, y, x);
	assert_int_equal(y, 0);
	return x;
}

/* Characters that are newer than the C library are left out: the screen draws
 * a stand-in for them (tests/tui/test_screen.c). */
TEST(width_is_that_of_curses)
{
	FILE *null = fopen("/dev/null", "r+");
	SCREEN *screen = newterm("xterm", null, null);
	unsigned n = 0, wrong = 0;

	assert_non_null(screen);
	for (uint32_t code = 0x20; code <= 0x10ffff; code++) {
		struct text t = {0};
		struct utf8_char c;
		int drawn;

		text_add_code(&t, code);
		c = utf8_decode(text_str(&t), t.len);
		if (c.visible && wcwidth((wchar_t)code) >= 0) {
			drawn = drawn_columns((wchar_t)code);
			if (drawn != c.width && wrong++ < 10)
				print_error(
				    "U+%04X: %d columns drawn, not %d\n",
				    (unsigned)code, drawn, c.width);
			n++;
		}
		text_free(&t);
	}
	endwin();
	delscreen(screen);
	fclose(null);
	assert_int_equal(wrong, 0);
	assert_true(n > 100000);
}

static int
use_utf8(void **state)
{
	(void)state;
	setlocale(LC_ALL, "C.UTF-8");
	return 0;
}

FIXTURES(use_utf8, NULL);
