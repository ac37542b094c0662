/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: which columns fit, how wide they are, titles, cells and groups. */
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tui/views/columns.h"
#include "tui/views/requests.h"

/* A row of the test table. */
struct fruit {
	const char *name;
	int count;
};

static void
print_name(struct text *out, const void *row)
{
	text_adds(out, ((const struct fruit *)row)->name);
}

static void
print_count(struct text *out, const void *row)
{
	text_addf(out, "%d", ((const struct fruit *)row)->count);
}

static void
print_bar(struct text *out, const void *row)
{
	for (int i = 0; i < ((const struct fruit *)row)->count; i++)
		text_addc(out, '*');
}

static void
print_group(struct text *out, const void *row)
{
	(void)row;
	text_adds(out, "all");
}

/* The table's pointer is the width of NEW. */
static int
measure_new(const void *table, int table_width)
{
	(void)table_width;
	return *(const int *)table;
}

static enum role
role_count(const void *row)
{
	return ((const struct fruit *)row)->count > 3 ? ROLE_BAD : ROLE_GOOD;
}

enum { NAME, COUNT, NEW, BAR, NOTE, N };

static const struct column list[N] = {
    [NAME] = {"NAME", 8, .flags = COL_LEFT, .print = print_name,
	.print_group = print_group},
    [COUNT] = {"COUNT", 7, .importance = 2, .flags = COL_OF_GROUP,
	.print = print_count, .role = role_count, .print_group = print_count},
    [NEW] = {"NEW", .importance = 1, .flags = COL_COMPARED,
	.measure = measure_new, .print = print_count},
    [BAR] = {"BAR", 10, .importance = 3, .percent = 40, .gap = 1,
	.flags = COL_LEFT, .print = print_bar},
    [NOTE] = {"NOTE", 6, .from = 40, .importance = 4, .percent = 100,
	.least = 4, .flags = COL_LEFT},
};

static struct columns c;

static void
fit(int width, int keep, int new_width)
{
	columns_fit(&c, list, N,
	    &(struct columns_room){.width = width,
		.keep = keep,
		.compared = new_width > 0,
		.table = &new_width});
}

static void
expect_widths(int name, int count, int new, int bar, int note)
{
	int widths[N] = {name, count, new, bar, note};

	for (int i = 0; i < N; i++)
		assert_int_equal(c.widths[i], widths[i]);
}

/* Columns are dropped by importance; one of importance 0 is not, nor the one to
 * keep. */
TEST(importance)
{
	fit(25, -1, 0);
	expect_widths(8, 7, 0, 10, 0);
	fit(24, -1, 0);
	expect_widths(8, 7, 0, 0, 0);
	fit(14, -1, 0);
	expect_widths(8, 0, 0, 0, 0);
	fit(5, -1, 0);
	expect_widths(8, 0, 0, 0, 0);
	fit(18, BAR, 0);
	expect_widths(8, 0, 0, 10, 0);
	/* Compared columns take room while there is a baseline. */
	fit(18, -1, 5);
	expect_widths(8, 0, 5, 0, 0);
	fit(20, -1, 5);
	expect_widths(8, 7, 5, 0, 0);
}

/* Flexible columns share what fixed ones leave; the last takes the rest. */
TEST(shares)
{
	fit(39, -1, 0); /* NOTE is for tables of 40 and more */
	expect_widths(8, 7, 0, 24, 0);
	fit(40, -1, 0);
	expect_widths(8, 7, 0, 10, 15);
	fit(65, -1, 0);
	expect_widths(8, 7, 0, 20, 30);
	assert_int_equal(columns_at(&c, 0), NAME);
	assert_int_equal(columns_at(&c, 14), COUNT);
	assert_int_equal(columns_at(&c, 15), BAR);
	assert_int_equal(columns_at(&c, 64), NOTE);
	assert_int_equal(columns_at(&c, 65), N);
}

static struct screen screen;

static void
expect_row(int y, const char *expected)
{
	struct text out = {0};

	screen_dump(&screen, (struct rect){0, y, screen.cols, 1}, &out);
	assert_string_equal(text_str(&out), expected);
	text_free(&out);
}

TEST(drawing)
{
	static const struct fruit apples = {"apples", 3}, pears = {"pears", 5};
	struct area a;

	screen_resize(&screen, 30, 5);
	a = screen_area(&screen, screen_rect(&screen));
	fit(30, -1, 0);
	columns_draw_titles(&c, &a, ROLE_TITLE,
	    &(struct columns_order){.column = COUNT, .sign = true}, NULL);
	columns_draw_row(&c, &a, 1, ROLE_DIM, ROW_FLAT, &apples);
	columns_draw_row(&c, &a, 2, ROLE_DIM, ROW_IN_GROUP, &pears);
	columns_draw_row(&c, &a, 3, ROLE_DIM, ROW_GROUP, &pears);
	expect_row(0, "NAME     ^COUNT BAR\n");
	expect_row(1, "apples        3 ***\n");
	expect_row(2, "pears           *****\n");
	expect_row(3, "all           5\n");
	assert_int_equal(screen.cells[0].role, ROLE_TITLE);
	assert_int_equal(screen.cells[10].role, ROLE_SORTED);
	assert_int_equal(screen.cells[30].role, ROLE_DIM);
	assert_int_equal(screen.cells[30 + 14].role, ROLE_GOOD);
	assert_int_equal(screen.cells[90 + 14].role, ROLE_BAD);
	screen_free(&screen);
}

/* The steps of a program are as many as its submissions; those of descriptors
 * have four digits at most. */
TEST(steps_of_programs)
{
	struct requests view = {.n_submitted = 1234567};
	const struct columns_room room = {
	    .width = 200, .keep = -1, .table = &view};
	struct columns fit;
	int step = columns_find(request_columns, n_request_columns, "STEP", 4);

	assert_in_range(step, 0, n_request_columns - 1);
	columns_fit(&fit, request_columns, n_request_columns, &room);
	assert_int_equal(fit.widths[step], 5);
	view.of_programs = true;
	columns_fit(&fit, request_columns, n_request_columns, &room);
	assert_int_equal(fit.widths[step], 1 + 7);
}
