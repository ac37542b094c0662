/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages: lines wrapped anew for each width, searching across breaks, and the
 * position shown, also that of lists. */
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tui/views/page.h"

static struct screen screen;

static void
check_page(struct page *p, int cols, int rows, const char *search,
    const char *expected)
{
	struct area a;
	struct text dump = {0};

	screen.unicode = true;
	screen_resize(&screen, cols, rows);
	a = screen_area(&screen, (struct rect){0, 0, cols, rows});
	page_draw(p, &a, search);
	screen_dump(&screen, screen_rect(&screen), &dump);
	assert_string_equal(text_str(&dump), expected);
	text_free(&dump);
}

TEST(wrap)
{
	struct page *p = page_new("Title");

	page_add(p, ROLE_KEY, "  key", "what it is good for, in many words");
	page_add(p, ROLE_KEY, "  a key of long name", "short");
	page_add(p, ROLE_KEY, "  another of longer name still", "hm and so on");
	page_add(p, ROLE_NORMAL, "", NULL);
	page_add_hanging(p, ROLE_NORMAL, "12ms  ", "behind 日本語 of another");
	page_add_text(p, "a_word_that_is_longer_than_the_row\nend");
	check_page(p, 34, 14, "",
	    " Title\n"
	    "   key        what it is good for,\n"
	    "              in many words\n"
	    "   a key of long name  short\n"
	    "   another of longer name still\n"
	    "              hm and so on\n"
	    "\n"
	    " 12ms  behind 日本語 of another\n"
	    " a_word_that_is_longer_than_the_ro\n"
	    " w\n"
	    " end\n\n\n\n");
	check_page(p, 80, 9, "",
	    " Title\n"
	    "   key                    what it is good for, in many words\n"
	    "   a key of long name     short\n"
	    "   another of longer name still  hm and so on\n"
	    "\n"
	    " 12ms  behind 日本語 of another\n"
	    " a_word_that_is_longer_than_the_row\n"
	    " end\n\n");
	check_page(p, 24, 8, "",
	    " Title        1-7 of 15\n"
	    "   key        what it is\n"
	    "              good for,\n"
	    "              in many\n"
	    "              words\n"
	    "   a key of long name\n"
	    "              short\n"
	    "   another of longer\n");
	page_free(p);
}

/* The line at the top stays there, and the match that was found stays
 * visible. */
TEST(resize)
{
	struct page *p = page_new("A title that is long");

	for (int i = 0; i < 5; i++)
		page_add_text(p, "one two three four five six seven");
	page_add_text(p, "last");
	check_page(p, 24, 4, "",
	    " A title tha… 1-3 of 11\n"
	    " one two three four five\n"
	    " six seven\n"
	    " one two three four five\n");
	p->list.top = 5; /* the third line's second row */
	check_page(p, 60, 4, "",
	    " A title that is long                              3-5 of 6\n"
	    " one two three four five six seven\n"
	    " one two three four five six seven\n"
	    " one two three four five six seven\n");
	assert_true(page_find(p, "last", 0, 1));
	assert_int_equal(page_place(p), 5);
	check_page(p, 24, 4, "last",
	    " A title th… 9-11 of 11\n"
	    " one two three four five\n"
	    " six seven\n"
	    " last\n");
	assert_int_equal(page_place(p), 10);
	page_free(p);
}

static int
painted(int y)
{
	int n = 0;

	for (int x = 0; x < screen.cols; x++)
		n += screen.cells[y * screen.cols + x].role == ROLE_MATCH;
	return n;
}

/* A match is in the row that it begins in, and highlighted in all rows that it
 * covers. */
TEST(search)
{
	struct page *p = page_new("Title");

	page_add(p, ROLE_KEY, "  key", "give it all the room, or take it back");
	page_add_text(p, "take it back");
	check_page(p, 36, 5, "take it back",
	    " Title\n"
	    "   key        give it all the room,\n"
	    "              or take it back\n"
	    " take it back\n\n");
	assert_int_equal(painted(2), 12);
	check_page(p, 30, 6, "take it back",
	    " Title\n"
	    "   key        give it all the\n"
	    "              room, or take it\n"
	    "              back\n"
	    " take it back\n\n");
	assert_int_equal(painted(2), 7);
	assert_int_equal(painted(3), 4);
	assert_true(page_find(p, "take it back", 0, 1));
	assert_int_equal(page_place(p), 1);
	assert_true(page_find(p, "take it back", 2, 1));
	assert_int_equal(page_place(p), 3);
	assert_true(page_find(p, "take it back", 2, -1));
	assert_int_equal(page_place(p), 1);
	assert_true(page_find(p, "back", 0, 1));
	assert_int_equal(page_place(p), 2);
	assert_true(page_find(p, "the room", 0, 1));
	assert_int_equal(page_place(p), 0);
	assert_true(page_find(p, "", 2, 1));
	assert_int_equal(page_place(p), 2);
	assert_false(page_find(p, "take it backwards", 0, 1));
	page_free(p);
}

/* The position is as far to the right and as long as there is room. */
static void
check_place(const char *title, size_t top, size_t n, const char *expected)
{
	struct row_list list = {.n = n, .top = top, .cursor = top, .height = 5};
	struct text dump = {0};
	struct area a;

	screen_resize(&screen, 40, 1);
	a = screen_area(&screen, (struct rect){0, 0, 40, 1});
	put(&a, 0, 0, 40, ROLE_TITLE, title);
	list_draw_place(&list, &a, ROLE_TITLE);
	screen_dump(&screen, screen_rect(&screen), &dump);
	dump.data[--dump.len] = 0;
	assert_string_equal(text_str(&dump), expected);
	text_free(&dump);
}

TEST(place)
{
	check_place("NAME", 0, 5, "NAME");
	check_place("NAME", 0, 12, "NAME          1-5 of 12");
	check_place("NAME", 7, 12, "NAME         8-12 of 12");
	check_place("NAME            STATE", 1, 12,
	    "NAME            STATE     2-6 of 12");
	/* Behind the titles, if it fits there. */
	check_place("NAME                STATE", 1, 12,
	    "NAME                STATE     2-6 of 12");
	check_place("NAME             STATE             BUSY%", 1, 12,
	    "NAME             STATE   2-6 of 12 BUSY%");
	check_place("NAME             STATE         LATENCIES", 1, 12,
	    "NAME   2-6 of 12 STATE         LATENCIES");
	check_place("NAME ENGINES     STATE        LATENCIES", 1, 12,
	    "NAME ENGINES     STATE   2/12 LATENCIES");
	check_place("NAME   ENGINES   STATE   AGE  LATENCIES", 1, 12,
	    "NAME   ENGINES   STATE   AGE  LATENCIES");
	check_place("CLIENT  CTX   PRI  BUSY%  QUEUE BL", 1, 12,
	    "CLIENT  CTX   PRI  BUSY%  QUEUE BL  2/12");
}

static int
use_utf8(void **state)
{
	(void)state;
	setlocale(LC_CTYPE, "C.UTF-8");
	return 0;
}

static int
free_screen(void **state)
{
	(void)state;
	screen_free(&screen);
	return 0;
}

FIXTURES(use_utf8, free_screen);
