/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing on the grid: clipping, wide and combining characters, unsafe text,
 * meters, histories, lists, and the pace of a session. */
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "base/units.h"
#include "run/live/pace.h"
#include "tests/runner/test.h"
#include "tui/input/keys.h"
#include "tui/screen/screen.h"
#include "tui/views/list.h"
#include "tui/views/uses.h"

static struct screen screen;

static struct area
fresh(int cols, int rows, bool unicode)
{
	screen.unicode = unicode;
	screen_resize(&screen, cols, rows);
	return screen_area(&screen, (struct rect){0, 0, cols, rows});
}

static void
check_screen(const char *expected)
{
	struct text dump = {0};

	screen_dump(&screen, screen_rect(&screen), &dump);
	assert_string_equal(text_str(&dump), expected);
	text_free(&dump);
}

TEST(clipping)
{
	struct area a = fresh(10, 3, true);
	struct area inner = screen_area(&screen, (struct rect){2, 1, 5, 1});

	assert_int_equal(put(&a, 0, 7, 10, ROLE_NORMAL, "abcdef"), 3);
	assert_int_equal(put(&inner, 0, 0, 99, ROLE_NORMAL, "0123456789"), 5);
	put(&inner, 1, 0, 5, ROLE_NORMAL, "below");
	put(&inner, -1, 0, 5, ROLE_NORMAL, "above");
	put(&a, 2, -2, 5, ROLE_NORMAL, "left");
	put_right(&a, 2, 5, 5, ROLE_NORMAL, "end");
	check_screen("       abc\n  01234\nft     end\n");
}

TEST(wide)
{
	struct area a = fresh(6, 4, true);

	assert_int_equal(put(&a, 0, 0, 5, ROLE_NORMAL, "日本語"), 4);
	put(&a, 1, 0, 6, ROLE_NORMAL, "日本語");
	put(&a, 1, 1, 1, ROLE_NORMAL, "x"); /* cuts a character in two */
	put(&a, 1, 4, 1, ROLE_NORMAL, "y");
	put_skip(&a, 2, 0, 6, ROLE_NORMAL, "日本語", 9, 1);
	put(&a, 3, 0, 6, ROLE_NORMAL, "e\xcc\x81t");
	check_screen("日本\n x本y\n 本語\ne\xcc\x81t\n");
	assert_int_equal(columns(&screen, "日e\xcc\x81", 6), 3);
}

/* Returns the columns that curses draws for a row of cells. */
static int
drawn_columns(const struct cell *row, int n)
{
	int drawn = 0;

	for (int x = 0; x < n; x++)
		if (row[x].ch != 0)
			drawn += wcwidth(row[x].ch);
	return drawn;
}

/* Whatever the C library knows of a character, its cells are as wide as
 * utf8_decode() says, so that what follows is in its column. */
TEST(every_character)
{
	struct area a = fresh(6, 1, true);

	for (uint32_t code = 0x20; code <= 0x10ffff; code++) {
		struct text t = {0};
		int width;

		text_addc(&t, 'a');
		text_add_code(&t, code);
		width = columns(&screen, text_str(&t), t.len);
		text_addc(&t, 'z');
		screen_clear(&screen);
		assert_int_equal(
		    put(&a, 0, 0, 6, ROLE_NORMAL, text_str(&t)), width + 1);
		assert_int_equal(screen.cells[width].ch, L'z');
		assert_int_equal(drawn_columns(screen.cells, width), width);
		assert_true(screen.cells[0].mark == 0 ||
		    wcwidth(screen.cells[0].mark) == 0);
		text_free(&t);
	}
}

/* Cut text ends in a sign, after half a wide character too. */
TEST(cut)
{
	struct area a = fresh(8, 6, true);

	assert_int_equal(put_cut(&a, 0, 0, 5, ROLE_NORMAL, "abcdef"), 5);
	assert_int_equal(put_cut(&a, 1, 0, 6, ROLE_NORMAL, "abcdef"), 6);
	assert_int_equal(put_cut(&a, 2, 0, 5, ROLE_NORMAL, "日本語"), 5);
	assert_int_equal(put_cut(&a, 3, 0, 4, ROLE_NORMAL, "日本語"), 4);
	put_cut_skip(&a, 4, 0, 4, ROLE_NORMAL, "abcdefgh", 8, 3);
	put_cut_skip(&a, 4, 4, 9, ROLE_NORMAL, "abcdefgh", 8, 4);
	put_right(&a, 5, 0, 3, ROLE_NORMAL, "1234");
	check_screen("abcd…\nabcdef\n日本…\n日 …\ndef…efgh\n12…\n");
	a = fresh(8, 1, false);
	put_cut(&a, 0, 0, 4, ROLE_NORMAL, "abcdef");
	check_screen("abc>\n");
}

/* Rows are broken at a blank if one is near. */
TEST(rows)
{
	struct area a = fresh(8, 1, true);
	struct screen *s = a.screen;

	assert_int_equal(bytes_of_row(s, "one two", 7, 8), 7);
	assert_int_equal(bytes_of_row(s, "one two three", 13, 8), 7);
	assert_int_equal(bytes_of_row(s, "one two three", 13, 7), 7);
	assert_int_equal(bytes_of_row(s, "one two three", 13, 6), 3);
	assert_int_equal(bytes_of_row(s, "a longword", 10, 8), 8);
	assert_int_equal(bytes_of_row(s, "日本", 6, 1), 3);
	assert_int_equal(bytes_that_fit(s, "日本e\xcc\x81x", 10, 5), 9);
	assert_int_equal(bytes_that_fit(s, "日本", 6, 3), 3);
	assert_int_equal(bytes_that_fit(s, "日本", 6, -1), 0);
}

TEST(nothing_gets_through)
{
	/* Control bytes, C1 as UTF-8 and raw, overlong, surrogate and
	 * incomplete sequences, direction marks. */
	static const char bad[] = "\033\001\177\x9b|\xc2\x9b|\xc0\xaf|\xed\xa0"
				  "\x80|\xe2\x80\xae|\xe2\x82";
	struct area a = fresh(30, 1, true);

	put(&a, 0, 0, 30, ROLE_NORMAL, bad);
	check_screen("????|?|??|???|?|??\n");
	a = fresh(30, 1, false);
	put(&a, 0, 0, 30, ROLE_NORMAL, "日本 né");
	check_screen("?? n?\n");
}

TEST(meters)
{
	struct area a = fresh(12, 6, true);

	put_uses(&a, 0, 0, 12, (float[N_USES]){0.5F, 0, 0, 0.3F});
	put_uses(&a, 1, 0, 12, (float[N_USES]){1.7F, 0, 0, 0.3F});
	put_uses(&a, 2, 0, 12, (float[N_USES]){0.001F});
	put_uses(&a, 3, 0, 12, (float[N_USES]){0.25F, 0.2F, 0.2F, 0.35F});
	put_uses(&a, 4, 0, 2, (float[N_USES]){1});
	check_screen("[█████░░░  ]\n[██████████]\n[▏         ]\n"
		     "[██▌▓▓▒▒░░░]\n\n\n");
	a = fresh(12, 2, false);
	put_uses(&a, 0, 0, 12, (float[N_USES]){0.5F, 0.1F, 0.1F, 0.1F});
	put_history(&a, 1, 0, 12, (const unsigned char[]){0, 1, 50, 100}, 4);
	check_screen("[#####%=:  ]\n         .=@\n");
}

/* Parts are in proportion, and each of 2 % or more is seen. */
TEST(meters_in_proportion)
{
	struct area a = fresh(17, 4, true);

	put_uses(&a, 0, 0, 17, (float[N_USES]){0.97F, 0, 0.03F, 0});
	put_uses(&a, 1, 0, 17, (float[N_USES]){0.02F, 0.02F, 0.02F, 0.94F});
	put_uses(&a, 2, 0, 17, (float[N_USES]){0.5F, 0.01F, 0.03F, 0});
	put_uses(&a, 3, 0, 17, (float[N_USES]){0.24F, 0, 0.16F, 0.56F});
	check_screen("[██████████████▒]\n[▎▓▒░░░░░░░░░░░░]\n[███████▌▒      ]\n"
		     "[███▋▒▒░░░░░░░░ ]\n");
}

/* Counts the eighths of each use in the first column of the screen. */
static void
count_eighths(int rows, int eighths[N_USES])
{
	static const wchar_t bars[] = L"▁▂▃▄▅▆▇";

	memset(eighths, 0, N_USES * sizeof(*eighths));
	for (int y = 0; y < rows; y++) {
		const struct cell *c = &screen.cells[y * screen.cols];
		const wchar_t *bar = wcschr(bars, c->ch);
		int n = bar != NULL && c->ch != 0 ? (int)(bar - bars) + 1 : 8;

		if (c->ch == L' ')
			continue;
		if (c->role < N_ROLES) {
			eighths[c->role - ROLE_RUNNING] += n;
			continue;
		}
		eighths[(c->role - N_ROLES) / 4] += n;
		eighths[(c->role - N_ROLES) % 4] += 8 - n;
	}
}

static void
check_stack(int rows, const double shares[N_USES])
{
	struct area a = fresh(1, rows, true);
	int got[N_USES], seen = 0, idle;
	double all = 0;

	screen.coloured = true;
	put_stack(&a, 0, 0, rows, shares);
	count_eighths(rows, got);
	for (int i = 0; i < N_USES; i++)
		all += shares[i];
	for (int i = 0; i < N_USES; i++)
		seen += shares[i] > 0;
	idle = all < 0.999;
	for (int i = 0; i < N_USES; i++) {
		double wanted = shares[i] * rows * 8;

		/* Two looks have an eighth's error, three less than half a cell's,
		 * or a cell's where all time is used and two looks are in one cell. */
		if (fabs(got[i] - wanted) > (seen + idle <= 2 ? 1
						    : idle    ? 4
							      : 8) ||
		    (i == USE_POLLING && shares[i] >= 0.02 && got[i] == 0))
			fail_msg("%d rows, %g %g %g: use %d: %d eighths of %g",
			    rows, shares[0], shares[2], shares[3], i, got[i],
			    wanted);
	}
}

/* Graphs of three rows and more stack the uses in proportion, to an eighth of a
 * cell. */
TEST(stacks)
{
	struct area a;

	check_stack(3, (double[N_USES]){0.24, 0, 0.16, 0.56});
	check_stack(3, (double[N_USES]){0.16, 0, 0.25, 0});
	for (int rows = 3; rows <= 16; rows++)
		for (int run = 0; run <= 50; run++)
			for (int poll = 0; run + poll <= 50; poll++) {
				check_stack(rows,
				    (double[N_USES]){
					run / 50.0, 0, poll / 50.0, 0});
				check_stack(rows,
				    (double[N_USES]){run / 50.0, 0, poll / 50.0,
					(50 - run - poll) / 50.0});
			}
	screen.coloured = false;
	a = fresh(2, 3, true);
	put_stack(&a, 0, 0, 3, (double[N_USES]){0.24, 0, 0.16, 0.56});
	put_stack(&a, 0, 1, 3, (double[N_USES]){0.5, 0, 0, 0});
	check_screen("░\n▒▄\n██\n");
}

TEST(units)
{
	static const struct {
		nsec ns;
		const char *text;
	} durations[] = {{0, "0ns"}, {999, "999ns"}, {1000, "1.00us"},
	    {999499, "999us"}, {999500, "1.00ms"}, {12345678, "12.3ms"},
	    {3 * NSEC_PER_SEC, "3.00s"}, {NSEC_NEVER, "never"}};
	char buf[UNITS_LEN];
	double speed;
	nsec ns;

	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++)
		assert_string_equal(
		    format_duration(buf, durations[i].ns), durations[i].text);
	assert_string_equal(format_count(buf, 9999), "9999");
	assert_string_equal(format_count(buf, 10000), "10.0k");
	assert_string_equal(format_count(buf, UINT64_MAX), "18.4E");
	assert_string_equal(format_count_brief(buf, 9999), "9999");
	assert_string_equal(format_count_brief(buf, 64049), "64k");
	assert_string_equal(format_count_brief(buf, 999499), "999k");
	assert_string_equal(format_count_brief(buf, 999500), "1M");
	assert_string_equal(format_count_brief(buf, UINT64_MAX), "18E");
	snprintf(buf, sizeof(buf), "%+.0f%%", difference_in_steps(-0.4, 1));
	assert_string_equal(buf, "+0%");
	assert_true(difference_in_steps(-0.06, 0.1) < 0);
	assert_string_equal(
	    format_time(buf, 3723 * NSEC_PER_SEC), "1h02m03.000000s");
	assert_string_equal(
	    format_time(buf, 61072944 * NSEC_PER_USEC), "1m01.072944s");
	assert_string_equal(
	    format_time_step(buf, 61070 * NSEC_PER_MSEC, 10 * NSEC_PER_MSEC),
	    "1m01.07s");
	assert_string_equal(
	    format_time_step(buf, 3600 * NSEC_PER_SEC, 20 * NSEC_PER_SEC),
	    "1h00m00s");
	assert_string_equal(format_time_step(buf, 1500, 100), "0.0000015s");
	assert_string_equal(format_speed(buf, 0), "max");
	assert_string_equal(format_speed(buf, 0.01), "0.01x");
	assert_string_equal(format_speed(buf, 1000), "1000x");
	assert_true(
	    read_duration("16.7ms", 0, NSEC_MAX, &ns, NULL) && ns == 16700000);
	assert_true(read_duration("2", 0, NSEC_MAX, &ns, NULL) &&
	    ns == 2 * NSEC_PER_SEC);
	assert_false(read_duration("", 0, NSEC_MAX, &ns, NULL));
	assert_false(read_duration("-1", 0, NSEC_MAX, &ns, NULL));
	assert_false(read_duration("1 s", 0, NSEC_MAX, &ns, NULL));
	assert_false(read_duration("1e30s", 0, NSEC_MAX, &ns, NULL));
	assert_false(read_duration("inf", 0, NSEC_MAX, &ns, NULL));
	assert_true(read_speed("max", &speed, NULL) && speed == 0);
	assert_true(read_speed("10x", &speed, NULL) && speed == 10);
	assert_false(read_speed("0", &speed, NULL));
	assert_false(read_speed("nan", &speed, NULL));
	assert_false(read_speed("1e99", &speed, NULL));
}

TEST(list)
{
	struct row_list l = {.n = 0};

	list_fit(&l, 0, 5);
	assert_true(list_act(&l, ACT_DOWN));
	assert_int_equal(l.cursor, 0);
	list_fit(&l, 100, 10);
	list_act(&l, ACT_LAST);
	assert_int_equal(l.cursor, 99);
	assert_int_equal(l.top, 90);
	list_act(&l, ACT_PAGE_UP);
	assert_int_equal(l.cursor, 90);
	list_act(&l, ACT_UP);
	assert_int_equal(l.top, 89);
	list_fit(&l, 20, 10); /* most rows are gone */
	assert_int_equal(l.cursor, 19);
	assert_int_equal(l.top, 10);
	list_fit(&l, 20, 50);
	assert_int_equal(l.top, 0);
	assert_false(list_act(&l, ACT_ZOOM_IN));
}

TEST(clock)
{
	struct clock c = {.speed = 2};

	clock_rebase(&c, 1000, 500);
	assert_int_equal(clock_target(&c, 1100), 700);
	assert_int_equal(clock_target(&c, 900), 500); /* never backwards */
	c.paused = true;
	assert_int_equal(clock_target(&c, 5000), 500);
	c.paused = false;
	c.speed = 0;
	assert_true(clock_target(&c, 5000) == NSEC_NEVER);
	assert_true(clock_faster(1) == 2 && clock_faster(1000) == 0);
	assert_true(clock_faster(0) == 0 && clock_slower(0) == 1000);
	assert_true(clock_slower(0.01) == 0.01 && clock_slower(3) == 2);
}

static int
use_utf8(void **state)
{
	(void)state;
	setlocale(LC_ALL, "C.UTF-8");
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
