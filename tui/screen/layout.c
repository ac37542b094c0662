/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which parts of the screen are shown, and where: header, engines, timeline,
 * lists and footer, from top to bottom. Lists are stacked, or in two columns on
 * a wide screen.
 */
#include "tui/screen/layout.h"

#include <stddef.h>
#include <string.h>

/* Lists are in two columns from this width on. */
#define WIDE_COLS 132
/* The header takes one row from this width on. */
#define ONE_HEADER_COLS 150
/* Widest left column. */
#define LEFT_MAX_COLS 112
/* Heights from which the default screen has more than the essential panes. */
#define TIMELINE_ROWS      34
#define WIDE_TIMELINE_ROWS 28
#define WIDE_REQUESTS_ROWS 40

#define N_PANES (N_PARTS - PART_FIRST_PANE)

enum layout_place { ABOVE, LEFT, RIGHT };

/* Each pane: its name, its place, the rows that it has at least if it can fill
 * them, title included, and its share of further rows. */
static const struct pane {
	const char *name;
	enum layout_place place;
	int least, weight;
	const char *was; /* its name before, which files may still have */
} panes[N_PARTS] = {
    [PART_HEADER] = {.name = "header"},
    [PART_FOOTER] = {.name = "footer"},
    [PART_ENGINES] = {"engines", ABOVE, 3, 24, NULL},
    [PART_TIMELINE] = {"timeline", ABOVE, 4, 12, NULL},
    [PART_CONTEXTS] = {"contexts", LEFT, 4, 10, NULL},
    [PART_REQUESTS] = {"requests", LEFT, 4, 8, "fences"},
    [PART_DESCRIPTOR] = {"descriptor", RIGHT, 4, 10, NULL},
    [PART_LAYER] = {"layer", RIGHT, 4, 6, NULL},
};

/* From the top of the screen to its end, the left column first. */
static const enum part screen_order[N_PANES] = {PART_ENGINES, PART_TIMELINE,
    PART_CONTEXTS, PART_REQUESTS, PART_DESCRIPTOR, PART_LAYER};

/* Panes that are dropped last come first. */
static const enum part by_importance[N_PANES] = {PART_ENGINES, PART_CONTEXTS,
    PART_DESCRIPTOR, PART_TIMELINE, PART_REQUESTS, PART_LAYER};

/* A pane, or both columns together, in a stack of them. */
struct layout_slot {
	enum part part; /* N_PARTS: the columns */
	int least, wanted, weight;
	int rows; /* its height */
};

static int
least_rows(int a, int b)
{
	return a < b ? a : b;
}

static int
max(int a, int b)
{
	return a > b ? a : b;
}

static unsigned
panes_at(unsigned set, enum layout_place place)
{
	unsigned there = 0;

	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		if (panes[p].place == place)
			there |= PANE(p);
	return set & there;
}

static bool
in_columns(unsigned set, int cols)
{
	return cols >= WIDE_COLS && panes_at(set, LEFT) && panes_at(set, RIGHT);
}

static struct layout_slot
slot_of_part(enum part p, const struct layout_wants *w)
{
	int wanted = max(w->rows[p], 1) + 1;
	int weight = panes[p].weight;

	return (struct layout_slot){
	    .part = p,
	    .least = least_rows(panes[p].least, wanted),
	    .wanted = wanted,
	    .weight = p == w->focus ? weight * 3 / 2 : weight,
	};
}

/* Fills slots[] with the panes of a set from top to bottom; returns their
 * number. */
static int
make_slots(struct layout_slot slots[N_PANES], unsigned set,
    const struct layout_wants *w)
{
	int n = 0;

	for (int i = 0; i < N_PANES; i++)
		if (set & PANE(screen_order[i]))
			slots[n++] = slot_of_part(screen_order[i], w);
	return n;
}

static struct layout_slot
sum_of_rows(unsigned set, const struct layout_wants *w)
{
	struct layout_slot slots[N_PANES], sum = {.part = N_PARTS};
	int n = make_slots(slots, set, w);

	for (int i = 0; i < n; i++) {
		sum.least += slots[i].least;
		sum.wanted += slots[i].wanted;
		sum.weight += slots[i].weight;
	}
	return sum;
}

static struct layout_slot
columns_slot(unsigned set, const struct layout_wants *w)
{
	struct layout_slot l = sum_of_rows(panes_at(set, LEFT), w);
	struct layout_slot r = sum_of_rows(panes_at(set, RIGHT), w);

	return (struct layout_slot){
	    .part = N_PARTS,
	    .least = max(l.least, r.least),
	    .wanted = max(l.wanted, r.wanted),
	    .weight = max(l.weight, r.weight),
	};
}

static bool
layout_fits(unsigned set, struct rect r, const struct layout_wants *w)
{
	if (!in_columns(set, r.w))
		return sum_of_rows(set, w).least <= r.h;
	return sum_of_rows(panes_at(set, ABOVE), w).least +
	    columns_slot(set, w).least <=
	    r.h;
}

/* Returns the panes to show: those asked for that there is room for. */
static unsigned
choose_layout(struct rect r, const struct layout_wants *w)
{
	unsigned set = PANE(w->focus);

	for (int i = 0; i < N_PANES; i++) {
		unsigned more = set | PANE(by_importance[i]);

		if ((w->shown & PANE(by_importance[i])) &&
		    layout_fits(more, r, w))
			set = more;
	}
	return set;
}

/* Returns the slot with the least of its share; NULL: none wants more. */
static struct layout_slot *
poorest(struct layout_slot *slots, int n)
{
	struct layout_slot *found = NULL;

	for (struct layout_slot *s = slots; s < slots + n; s++)
		if (s->rows < s->wanted &&
		    (!found ||
			s->rows * found->weight < found->rows * s->weight))
			found = s;
	return found;
}

/* Gives out the rows; what no slot wants goes to the last one. */
static void
share_rows(struct layout_slot *slots, int n, int rows)
{
	for (int i = 0; i < n; i++) {
		slots[i].rows = least_rows(slots[i].least, rows);
		rows -= slots[i].rows;
	}
	for (struct layout_slot *s; rows > 0 && (s = poorest(slots, n)); rows--)
		s->rows++;
	slots[n - 1].rows += rows;
}

static void
stack(struct layout *l, unsigned set, struct rect r,
    const struct layout_wants *wants)
{
	struct layout_slot slots[N_PANES];
	int n = make_slots(slots, set, wants);

	share_rows(slots, n, r.h);
	for (int i = 0; i < n; r.y += slots[i++].rows)
		l->parts[slots[i].part] = (struct rect){
		    r.x, r.y, r.w, slots[i].rows};
}

static void
place_in_columns(struct layout *l, unsigned set, const struct layout_wants *w)
{
	struct layout_slot slots[N_PANES + 1];
	struct rect r = l->body, left, right;
	int n = make_slots(slots, panes_at(set, ABOVE), w);

	slots[n++] = columns_slot(set, w);
	share_rows(slots, n, r.h);
	if (n > 1) {
		struct rect above = {r.x, r.y, r.w, r.h - slots[n - 1].rows};

		stack(l, panes_at(set, ABOVE), above, w);
		r.y += above.h;
		r.h -= above.h;
	}
	left = right = r;
	left.w = least_rows(r.w / 2, LEFT_MAX_COLS);
	/* An empty column separates the two. */
	right.x += left.w + 1;
	right.w -= left.w + 1;
	stack(l, panes_at(set, LEFT), left, w);
	stack(l, panes_at(set, RIGHT), right, w);
}

static void
place_panes(struct layout *l, const struct layout_wants *wants)
{
	unsigned set;

	if (wants->zoom) {
		l->parts[wants->focus] = l->body;
		return;
	}
	set = choose_layout(l->body, wants);
	if (in_columns(set, l->cols))
		place_in_columns(l, set, wants);
	else
		stack(l, set, l->body, wants);
}

/* Takes the rows of a message from what is above the footer. */
static void
make_room_for_message(struct layout *l, int rows)
{
	int end = l->body.y + l->body.h;

	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++) {
		struct rect *r = &l->parts[p];

		if (r->h > 0 && r->y + r->h == end)
			r->h -= least_rows(rows, r->h - 2);
	}
	l->body.h -= least_rows(rows, l->body.h - 2);
	l->parts[PART_FOOTER].y -= rows;
	l->parts[PART_FOOTER].h += rows;
}

struct layout
layout_make(int cols, int rows, const struct layout_wants *wants)
{
	struct layout l = {.cols = cols, .rows = rows};
	int header;

	if (cols < LAYOUT_MIN_COLS || rows < LAYOUT_MIN_ROWS) {
		l.too_small = true;
		return l;
	}
	header = cols >= ONE_HEADER_COLS ? 1 : cols < 72 && rows >= 20 ? 3 : 2;
	l.parts[PART_HEADER] = (struct rect){0, 0, cols, header};
	l.parts[PART_FOOTER] = (struct rect){0, rows - 1, cols, 1};
	l.body = (struct rect){0, header, cols, rows - header - 1};
	place_panes(&l, wants);
	make_room_for_message(&l, wants->message);
	return l;
}

unsigned
layout_default(int cols, int rows)
{
	unsigned set = PANE(PART_ENGINES) | PANE(PART_CONTEXTS) |
	    PANE(PART_DESCRIPTOR);
	bool wide = cols >= WIDE_COLS;

	if (rows >= (wide ? WIDE_TIMELINE_ROWS : TIMELINE_ROWS))
		set |= PANE(PART_TIMELINE);
	if (wide && rows >= WIDE_REQUESTS_ROWS)
		set |= PANE(PART_REQUESTS);
	return set;
}

enum part
layout_walk(unsigned shown, enum part from, int by)
{
	int at = 0;

	while (at < N_PANES - 1 && screen_order[at] != from)
		at++;
	for (int i = 0; i < N_PANES; i++) {
		at = (at + by + N_PANES) % N_PANES;
		if (shown & PANE(screen_order[at]))
			return screen_order[at];
	}
	return from;
}

const char *
layout_name(enum part part)
{
	return panes[part].name;
}

static bool
is_name(const char *name, const char *s, size_t len)
{
	return name != NULL && strlen(name) == len &&
	    strncmp(name, s, len) == 0;
}

enum part
layout_find(const char *name, size_t len)
{
	enum part part = 0;

	while (part < N_PARTS && !is_name(panes[part].name, name, len) &&
	    !is_name(panes[part].was, name, len))
		part++;
	return part;
}
