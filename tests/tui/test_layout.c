/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts of every size from 1x1 to 300x100: nothing overlaps or is outside,
 * essential parts are shown, and so are the panes asked for if there is
 * room. */
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
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

static int
n_shown(unsigned set)
{
	return __builtin_popcount(set);
}

/* No pane needs more rows. */
#define LEAST_ROWS 4

#define ABOVE (PANE(PART_ENGINES) | PANE(PART_TIMELINE))
#define LEFT  (PANE(PART_CONTEXTS) | PANE(PART_REQUESTS))
#define RIGHT (PANE(PART_DESCRIPTOR) | PANE(PART_LAYER))

static int
max(int a, int b)
{
	return a > b ? a : b;
}

/* Returns the rows that a set of panes needs. */
static int
rows_for_all(int cols, unsigned set)
{
	if (cols < 132)
		return n_shown(set) * LEAST_ROWS;
	return (n_shown(set & ABOVE) +
		   max(n_shown(set & LEFT), n_shown(set & RIGHT))) *
	    LEAST_ROWS;
}

static void
check_panes(const struct layout *l, const struct layout_wants *w)
{
	unsigned asked = w->shown | PANE(w->focus), seen = 0;
	int rows = 0;

	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++) {
		if (!layout_shows(l, p))
			continue;
		seen |= PANE(p);
		rows += l->parts[p].w * l->parts[p].h;
		/* A pane has at least a title and a row. */
		if (l->parts[p].h < 2 || l->parts[p].w < LAYOUT_MIN_COLS)
			fail_msg("%dx%d: pane %d is too small", l->cols,
			    l->rows, (int)p);
	}
	if (!(seen & PANE(w->focus)))
		fail_msg("%dx%d: the focus is not seen", l->cols, l->rows);
	if (w->zoom)
		assert_int_equal(seen, PANE(w->focus));
	if (seen & ~asked)
		fail_msg("%dx%d: shown unasked", l->cols, l->rows);
	if (!w->zoom && rows_for_all(l->cols, asked) <= l->body.h &&
	    seen != asked)
		fail_msg(
		    "%dx%d: %#x of %#x shown", l->cols, l->rows, seen, asked);
	/* Only the gap between the columns is unused. */
	if (rows + l->body.h < l->body.w * l->body.h)
		fail_msg("%dx%d: empty room", l->cols, l->rows);
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
	check_panes(&l, wants);
}

#define N_PANES (N_PARTS - PART_FIRST_PANE)

/* The i-th combination of panes, focus, zoom and rows that they want. */
static struct layout_wants
combination(unsigned i)
{
	static const int rows[] = {0, 1, 2, 3, 7, 64, 10000};
	struct layout_wants w = {0};
	unsigned mix = i * 2654435761u;

	w.focus = PART_FIRST_PANE + i % N_PANES;
	w.zoom = i % 11 == 0;
	w.shown = (mix >> 3) % (1u << N_PANES) << PART_FIRST_PANE;
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++) {
		mix = mix * 1664525u + 1013904223u;
		w.rows[p] = rows[(mix >> 20) % 7];
	}
	return w;
}

/* Every size, with some of the combinations each. */
TEST(every_size)
{
	unsigned i = 0;

	for (int cols = 1; cols <= 300; cols++)
		for (int rows = 1; rows <= 100; rows++)
			for (int n = 0; n < 60; n++) {
				struct layout_wants w = combination(i++);

				check_layout(cols, rows, &w);
			}
}

/* Each set of panes with each focus, at sizes around the limits. */
TEST(every_set)
{
	static const int sizes[][2] = {{40, 10}, {80, 24}, {120, 40}, {131, 30},
	    {132, 30}, {200, 50}, {300, 100}};

	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
		for (unsigned i = 0; i < N_PANES * 2u << N_PANES; i++) {
			struct layout_wants w = combination(i);

			w.focus = PART_FIRST_PANE + i % N_PANES;
			w.zoom = i / N_PANES % 2;
			w.shown = i / N_PANES / 2 << PART_FIRST_PANE;
			check_layout(sizes[s][0], sizes[s][1], &w);
		}
}

static struct layout_wants
usual(int cols, int rows)
{
	return (struct layout_wants){
	    .shown = layout_default(cols, rows),
	    .focus = PART_CONTEXTS,
	    .rows = {[PART_ENGINES] = 7,
		[PART_CONTEXTS] = 4,
		[PART_REQUESTS] = 10000,
		[PART_TIMELINE] = 8,
		[PART_DESCRIPTOR] = 40,
		[PART_LAYER] = 10000},
	};
}

/* The sizes that most terminals have. */
TEST(usual_sizes)
{
	struct layout_wants w = usual(80, 24);
	struct layout l = layout_make(80, 24, &w);

	assert_int_equal(l.parts[PART_ENGINES].h, 8);
	assert_int_equal(l.parts[PART_CONTEXTS].h, 5);
	assert_true(l.parts[PART_DESCRIPTOR].h >= 8);
	assert_false(layout_shows(&l, PART_TIMELINE));
	w = usual(120, 40);
	l = layout_make(120, 40, &w);
	assert_int_equal(l.parts[PART_TIMELINE].h, 9);
	assert_int_equal(l.parts[PART_TIMELINE].y,
	    l.parts[PART_ENGINES].y + l.parts[PART_ENGINES].h);
	assert_false(layout_shows(&l, PART_REQUESTS));
	w = usual(200, 50);
	l = layout_make(200, 50, &w);
	assert_int_equal(l.parts[PART_CONTEXTS].y, l.parts[PART_DESCRIPTOR].y);
	assert_int_equal(l.parts[PART_CONTEXTS].h, 5);
	assert_int_equal(l.parts[PART_REQUESTS].x, l.parts[PART_CONTEXTS].x);
	assert_false(layout_shows(&l, PART_LAYER));
	w = usual(40, 10);
	l = layout_make(40, 10, &w);
	assert_true(layout_shows(&l, PART_ENGINES));
	assert_false(layout_shows(&l, PART_DESCRIPTOR));
	/* The pane with the focus takes the place of less important ones. */
	w.focus = PART_DESCRIPTOR;
	l = layout_make(40, 10, &w);
	assert_true(layout_shows(&l, PART_ENGINES));
	assert_false(layout_shows(&l, PART_CONTEXTS));
}

/* The rows of a message come from the lowest panes, which keep a row each. */
TEST(message)
{
	struct layout_wants w = usual(200, 50);
	struct layout l = layout_make(200, 50, &w), with;

	w.message = 2;
	with = layout_make(200, 50, &w);
	assert_int_equal(with.parts[PART_FOOTER].y, 47);
	assert_int_equal(with.parts[PART_FOOTER].h, 3);
	assert_int_equal(
	    with.parts[PART_REQUESTS].h, l.parts[PART_REQUESTS].h - 2);
	assert_int_equal(
	    with.parts[PART_DESCRIPTOR].h, l.parts[PART_DESCRIPTOR].h - 2);
	assert_int_equal(with.parts[PART_CONTEXTS].h, l.parts[PART_CONTEXTS].h);
	w = usual(40, 10);
	w.message = 2;
	with = layout_make(40, 10, &w);
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		assert_true(!layout_shows(&with, p) || with.parts[p].h >= 2);
}

/* Many engines leave room for the lists. */
TEST(many_engines)
{
	struct layout_wants w = usual(80, 24);
	struct layout l;
	int rows;

	w.rows[PART_ENGINES] = 64;
	l = layout_make(80, 24, &w);
	rows = l.parts[PART_ENGINES].h;
	assert_true(rows <= 12);
	assert_true(l.parts[PART_CONTEXTS].h >= 4);
	w.focus = PART_ENGINES;
	l = layout_make(80, 24, &w);
	assert_true(l.parts[PART_ENGINES].h > rows);
}

/* Walks meet each pane that is shown once, and no other. */
TEST(walk)
{
	for (unsigned set = 1; set < 1u << N_PANES; set++)
		for (int by = -1; by <= 1; by += 2) {
			unsigned shown = set << PART_FIRST_PANE, seen = 0;
			enum part p = layout_walk(shown, PART_ENGINES, by);

			for (int i = 0; i < n_shown(shown); i++) {
				seen |= PANE(p);
				p = layout_walk(shown, p, by);
			}
			assert_int_equal(seen, shown);
		}
	assert_int_equal(layout_walk(0, PART_REQUESTS, 1), PART_REQUESTS);
}
