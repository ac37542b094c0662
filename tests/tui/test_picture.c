/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of the screen: the form by the file's name, colours and attributes
 * for a terminal, and an SVG image with every character and block in its
 * place. */
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tui/screen/picture.h"

static struct screen screen;
static const struct theme theme; /* default */
static struct text written;

static struct area
fresh(int cols, int rows)
{
	screen.unicode = true;
	screen_resize(&screen, cols, rows);
	screen_clear(&screen);
	return screen_area(&screen, screen_rect(&screen));
}

/* Returns the picture of the screen; a static buffer. */
static const char *
picture_of(enum picture_form form, int n_colours)
{
	struct picture p;

	written.len = 0;
	picture_begin(&p, form, &theme, n_colours);
	picture_add(&p, &screen, screen_rect(&screen));
	picture_write(&p, &written);
	picture_free(&p);
	return text_str(&written);
}

static void
expect_part(const char *picture, const char *part)
{
	if (strstr(picture, part) == NULL)
		fail_msg("\"%s\" is not in:\n%s", part, picture);
}

TEST(forms)
{
	assert_int_equal(picture_form_of("a.svg"), PICTURE_SVG);
	assert_int_equal(picture_form_of("a.b/c.SVG"), PICTURE_SVG);
	assert_int_equal(picture_form_of("a.ansi"), PICTURE_ANSI);
	assert_int_equal(picture_form_of("a.txt"), PICTURE_TEXT);
	assert_int_equal(picture_form_of("svg"), PICTURE_TEXT);
}

TEST(text)
{
	struct area a = fresh(8, 2);

	put(&a, 0, 1, 7, ROLE_BAD, "late");
	assert_string_equal(picture_of(PICTURE_TEXT, 256), " late\n\n");
}

TEST(ansi)
{
	struct area a = fresh(6, 1);

	put(&a, 0, 0, 4, ROLE_BAD, "late");
	assert_string_equal(picture_of(PICTURE_ANSI, 256),
	    "\033[0;1;38;5;160mlate\033[0m  \033[0m\n");
	assert_string_equal(
	    picture_of(PICTURE_ANSI, 8), "\033[0;1;31mlate\033[0m  \033[0m\n");
	assert_string_equal(
	    picture_of(PICTURE_ANSI, 0), "\033[0;1;7mlate\033[0m  \033[0m\n");
}

/* Text has the width of its cells, and what XML takes for itself is quoted. */
TEST(svg_text)
{
	struct area a = fresh(20, 2);
	const char *svg;

	put(&a, 1, 2, 18, ROLE_STRONG, "a<b & 日  z");
	svg = picture_of(PICTURE_SVG, 256);
	expect_part(svg, "width=\"176\" height=\"50\"");
	expect_part(svg,
	    "<text x=\"24\" y=\"38\" textLength=\"72\" class=\"f\" "
	    "font-weight=\"bold\">a&lt;b &amp; 日 </text>\n");
	expect_part(svg, ">z</text>");
	assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
}

/* Blocks are rectangles: a run of full ones is one, eighths are parts of a
 * cell, shades are faint. */
TEST(svg_blocks)
{
	struct area a = fresh(8, 1);
	const char *svg;

	put(&a, 0, 0, 8, ROLE_RUNNING, "██▌▂");
	put(&a, 0, 4, 8, ROLE_POLLING, "▒▒");
	svg = picture_of(PICTURE_SVG, 256);
	expect_part(svg,
	    "<rect x=\"8\" y=\"8\" width=\"16\" height=\"17\" "
	    "fill=\"#008700\"/>");
	expect_part(svg, "<rect x=\"24\" y=\"8\" width=\"4\" height=\"17\"");
	expect_part(
	    svg, "<rect x=\"32\" y=\"20.75\" width=\"8\" height=\"4.25\"");
	expect_part(svg, "<rect x=\"40\" y=\"8\" width=\"16\" height=\"17\"");
	expect_part(svg, "fill-opacity=\"0.5\"/>");
	assert_null(strstr(svg, "<text"));
}

/* A reversed look swaps the colours; without colours those of the viewer. */
TEST(svg_reverse)
{
	struct area a = fresh(4, 1);
	const char *svg;

	put(&a, 0, 0, 4, ROLE_SELECTED_FOCUS, "row");
	svg = picture_of(PICTURE_SVG, 256);
	expect_part(svg,
	    "<rect x=\"8\" y=\"8\" width=\"24\" height=\"17\" class=\"f\"/>");
	expect_part(svg, "class=\"b\">row</text>");
}

static int
use_utf8(void **state)
{
	(void)state;
	setlocale(LC_ALL, "C.UTF-8");
	return 0;
}

FIXTURES(use_utf8, NULL);
