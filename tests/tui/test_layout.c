/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout for every size from 1x1 to 300x100: no overlap, nothing
 * outside, the essential parts there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/screen/layout.h"

static void
check_inside(const struct layout *l, const struct rect *r)
{
	if (r->h == 0)
		return;
	if (r->x < 0 || r->y < 0 || r->w < 1 || r->h < 1 ||
	    r->x + r->w > l->cols || r->y + r->h > l->rows)
		fail_msg("%dx%d: a part at %d,%d %dx%d", l->cols, l->rows, r->x,
		    r->y, r->w, r->h);
}

static void
check_apart(const struct layout *l, const struct rect *a, const struct rect *b)
{
	if (a->h == 0 || b->h == 0)
		return;
	if (a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h &&
	    b->y < a->y + a->h)
		fail_msg("%dx%d: parts overlap", l->cols, l->rows);
}

static void
check_layout(int cols, int rows, const struct layout_wants *wants)
{
	struct layout l = layout_make(cols, rows, wants);

	if (cols < LAYOUT_MIN_COLS || rows < LAYOUT_MIN_ROWS) {
		assert_true(l.too_small);
		return;
	}
	assert_false(l.too_small);
	for (int i = 0; i < N_PARTS; i++) {
		check_inside(&l, &l.parts[i]);
		for (int j = 0; j < i; j++)
			check_apart(&l, &l.parts[i], &l.parts[j]);
	}
	check_inside(&l, &l.body);
	check_apart(&l, &l.body, &l.parts[PART_HEADER]);
	check_apart(&l, &l.body, &l.parts[PART_FOOTER]);
	assert_true(layout_shows(&l, PART_HEADER));
	assert_true(layout_shows(&l, PART_FOOTER));
	assert_true(layout_shows(&l, wants->focus));
	/* A title and a row at least. */
	assert_true(l.parts[wants->focus].h >= 2);
	if (!wants->zoom)
		assert_true(layout_shows(&l, PART_ENGINES));
	else
		assert_int_equal(l.parts[wants->focus].h, l.body.h);
}

static void
test_every_size(void **state)
{
	static const int engines[] = {1, 7, 64};
	static const int contexts[] = {0, 3, 10000};

	(void)state;
	for (int cols = 1; cols <= 300; cols++)
		for (int rows = 1; rows <= 100; rows++)
			for (int i = 0; i < 54; i++) {
				struct layout_wants w = {
				    .engines = engines[i % 3],
				    .contexts = contexts[i / 3 % 3],
				    .focus = PART_FIRST_PANE + i / 9 % 3,
				    .zoom = i / 27,
				};

				check_layout(cols, rows, &w);
			}
}

/* What people will see most. */
static void
test_usual_sizes(void **state)
{
	struct layout_wants w = {
	    .engines = 7, .contexts = 4, .focus = PART_CONTEXTS};
	struct layout l = layout_make(80, 24, &w);

	(void)state;
	assert_int_equal(l.parts[PART_ENGINES].h, 8);
	assert_int_equal(l.parts[PART_CONTEXTS].h, 5);
	assert_true(l.parts[PART_DESCRIPTOR].h >= 8);
	l = layout_make(200, 50, &w);
	assert_int_equal(l.parts[PART_CONTEXTS].y, l.parts[PART_DESCRIPTOR].y);
	l = layout_make(40, 10, &w);
	assert_false(layout_shows(&l, PART_DESCRIPTOR));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_size),
	    cmocka_unit_test(test_usual_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
