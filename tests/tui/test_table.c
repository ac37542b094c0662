/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Contexts view without a screen: matching, filters, sorting, trees, tags;
 * and the lists that all views have. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tui/console/actions.h"
#include "tui/settings/settings.h"
#include "tui/views/contexts.h"
#include "tui/views/list.h"
#include "tui/views/selection.h"

static size_t
find(const char *what, const char *s, size_t from)
{
	struct needle needle = needle_of(what, strlen(what));

	return needle_find(&needle, s, strlen(s), from);
}

TEST(needles)
{
	assert_int_equal(find("game", "The Game", 0), 4);
	assert_int_equal(find("Game", "the game", 0), NOWHERE);
	assert_int_equal(find("Game", "the Game", 0), 4);
	assert_int_equal(find("a", "banana", 2), 3);
	assert_int_equal(find("longer than it", "longer", 0), NOWHERE);
	assert_int_equal(find("", "", 0), 0);
	assert_int_equal(find("x", "", 0), NOWHERE);
	assert_int_equal(find("a", "banana", 6), NOWHERE);
}

/* Cells of a row as they are printed. */
static const char *const row[N_COLUMNS] = {
    [COLUMN_CLIENT] = "~12",
    [COLUMN_CONTEXT] = "3",
    [COLUMN_PRIORITY] = "-5",
    [COLUMN_SSEU] = "0x7",
    [COLUMN_PREEMPT] = "100us",
    [COLUMN_ENGINES] = "RCS,VCS1|VCS2",
    [COLUMN_RUN] = "77.9",
    [COLUMN_CLASS_0 + CLASS_RCS] = "70",
    [COLUMN_CLASS_0 + CLASS_BCS] = "-",
    [COLUMN_CLASS_0 + CLASS_VCS] = "8",
    [COLUMN_CLASS_0 + CLASS_VECS] = "-",
    [COLUMN_CLASS_0 + CLASS_CCS] = "-",
    [COLUMN_POLL] = "1.5",
    [COLUMN_SWITCH] = "0.4",
    [COLUMN_QUEUE] = "2",
    [COLUMN_LATENCY] = "6.98ms",
    [COLUMN_P99] = "9.00ms",
    [COLUMN_MAX] = "17.1ms",
    [COLUMN_MISSES] = "89",
    [COLUMN_LATE] = "9.60s",
    [COLUMN_STATE] = "waiting",
    [COLUMN_WORKLOAD] = "Desktop.wsim",
};

static void
print(void *arg, int column, struct text *room)
{
	(void)arg;
	text_adds(room, row[column]);
}

static bool
passes(const char *filter)
{
	struct row_filter f = {0};
	struct text room = {0};
	bool ok;

	filter_set(&f, filter, context_columns, N_COLUMNS);
	ok = filter_passes(&f, print, NULL, &room);
	filter_free(&f);
	text_free(&room);
	return ok;
}

TEST(filters)
{
	static const char *const pass[] = {"", " ", "|", "vcs", "VCS1", "wait",
	    "desktop", "Desk", "12", "rcs wait", "ctx=3", "client=12",
	    "CLIENT=12", "cl=12", "pri=-5", "busy=77.9", "run=77.9",
	    "run%=77.9", "rcs=70", "poll=1.5", "engines=vcs2", "state=wait",
	    "workload=desktop", "nothing|wait", "nothing|ctx=3 rcs",
	    "ctx=3|nothing", "|wait", "miss=89", "queue=2", "sseu=0x7"};
	static const char *const fail[] = {"bcs", "DESKTOP", "ctx=2",
	    "client=1", "client=2", "rcs sleeping", "ctx=", "engines=bcs",
	    "nothing|ctx=4 rcs", "ctx=3 nothing|bcs", "foo=bar", "77.9",
	    "6.98ms", "p=12"};

	for (size_t i = 0; i < sizeof(pass) / sizeof(*pass); i++)
		if (!passes(pass[i]))
			fail_msg("'%s' does not let it pass", pass[i]);
	for (size_t i = 0; i < sizeof(fail) / sizeof(*fail); i++)
		if (passes(fail[i]))
			fail_msg("'%s' lets it pass", fail[i]);
}

/* More words than FILTER_MAX_WORDS, and arbitrary bytes. */
TEST(hostile_filters)
{
	char many[4096] = "", bytes[256];

	for (int i = 0; i < 1000; i++)
		strcat(many, "r |");
	passes(many);
	for (int i = 1; i < 256; i++)
		bytes[i - 1] = (char)i;
	bytes[255] = 0;
	assert_false(passes(bytes));
}

/* The names that the prompt completes are those of columns with a key. */
TEST(column_names)
{
	size_t sortable = 0, n = 0;

	for (int i = 0; i < N_COLUMNS; i++)
		sortable += context_columns[i].key != NULL;
	for (const char *s;
	     (s = setting_infos[SET_SORT].value((unsigned)n)) != NULL; n++) {
		int c = columns_find(context_columns, N_COLUMNS, s, strlen(s));

		assert_true(c >= 0);
		assert_non_null(context_columns[c].key);
	}
	assert_int_equal(n, sortable);
	/* PRI, P99, ... */
	assert_int_equal(columns_find(context_columns, N_COLUMNS, "p", 1), -1);
	assert_int_equal(columns_find(context_columns, N_COLUMNS, "", 0), -1);
}

static const double keys[] = {3, 1, 2, 1, 9, 0};
static const uint32_t client_of[] = {0, 0, 0, 1, 1, 2};
static const double client_keys[] = {3, 9, 0};
static const uint32_t first_rows[] = {0, 3, 5};
#define N 6

static void
check_order(struct order_keys k, const uint32_t want[N])
{
	uint32_t order[N] = {0, 1, 2, 3, 4, 5};

	k.rows = keys;
	if (k.group_of == NULL)
		k.group_of = client_of;
	k.firsts = first_rows;
	order_sort(order, N, &k);
	assert_memory_equal(order, want, sizeof(order));
	order_sort(order, N, &k); /* sorted already */
	assert_memory_equal(order, want, sizeof(order));
}

/* Equal rows keep their order in both directions. */
TEST(sorting)
{
	check_order((struct order_keys){0}, (uint32_t[]){5, 1, 3, 2, 0, 4});
	check_order((struct order_keys){.descends = true},
	    (uint32_t[]){4, 0, 2, 1, 3, 5});
	check_order((struct order_keys){.groups = client_keys},
	    (uint32_t[]){5, 1, 2, 0, 3, 4});
	check_order(
	    (struct order_keys){.groups = client_keys, .descends = true},
	    (uint32_t[]){4, 3, 0, 2, 1, 5});
}

/* Rows without a group are between the groups. */
TEST(rows_without_group)
{
	static const uint32_t groups[] = {0, 0, NO_GROUP, NO_GROUP, 1, 1};
	static const double group_keys[] = {2, 0};
	static const uint32_t firsts[] = {0, 4};
	static const bool folded[2] = {true, false};
	uint32_t order[N] = {0, 1, 2, 3, 4, 5}, lines[N + 2];
	struct order_keys k = {.rows = keys,
	    .groups = group_keys,
	    .group_of = groups,
	    .firsts = firsts};

	order_sort(order, N, &k);
	assert_memory_equal(
	    order, ((uint32_t[]){5, 4, 3, 1, 0, 2}), sizeof(order));
	assert_int_equal(order_tree(lines, order, N, groups, folded), 6);
	assert_true(line_is_group(lines[0]) && line_index(lines[0]) == 1);
	assert_int_equal(lines[3], 3);
	assert_true(line_is_group(lines[4]) && line_index(lines[4]) == 0);
	assert_int_equal(lines[5], 2);
}

TEST(tree)
{
	static const uint32_t order[] = {4, 3, 0, 2, 1};
	static const bool unfolded[3] = {0}, folded[3] = {true, false, true};
	uint32_t lines[N + 3];

	assert_int_equal(order_tree(lines, order, 5, client_of, unfolded), 7);
	assert_true(line_is_group(lines[0]) && line_index(lines[0]) == 1);
	assert_int_equal(lines[1], 4);
	assert_int_equal(lines[2], 3);
	assert_true(line_is_group(lines[3]) && line_index(lines[3]) == 0);
	assert_int_equal(lines[6], 1);
	/* A folded client keeps its line; a client without rows has none. */
	assert_int_equal(order_tree(lines, order, 5, client_of, folded), 4);
	assert_true(line_is_group(lines[3]) && line_index(lines[3]) == 0);
	assert_int_equal(order_tree(lines, order, 0, client_of, folded), 0);
}

static bool
add_up(void *arg, uint32_t client, uint32_t context)
{
	uint64_t *sum = arg;

	*sum = *sum * 100 + client * 10 + context;
	return true;
}

static bool
only_one(void *arg, uint32_t client, uint32_t context)
{
	add_up(arg, client, context);
	return false;
}

TEST(tags)
{
	struct tag_set t = {0};
	uint64_t sum = 0;

	assert_true(tags_toggle(&t, 3, 1));
	assert_true(tags_toggle(&t, 1, 2));
	assert_true(tags_toggle(&t, 3, 0));
	assert_int_equal(tags_count(&t), 3);
	assert_true(tags_has(&t, 3, 0));
	assert_false(tags_has(&t, 0, 3));
	tags_each(&t, add_up, &sum);
	assert_int_equal(sum, 123031);
	sum = 0;
	tags_each(&t, only_one, &sum);
	assert_int_equal(sum, 12);
	assert_true(tags_toggle(&t, 3, 0));
	assert_int_equal(tags_count(&t), 2);
	tags_clear(&t);
	assert_int_equal(tags_count(&t), 0);
	for (uint32_t i = 0; i < TAGS_MAX; i++)
		assert_true(tags_toggle(&t, i, 0));
	assert_false(tags_toggle(&t, TAGS_MAX, 0));
	assert_true(tags_toggle(&t, 7, 0)); /* untagged */
	assert_true(tags_toggle(&t, TAGS_MAX, 0));
	tags_free(&t);
}

TEST(wheel)
{
	struct row_list l = {.n = 100, .cursor = 5, .height = 10};

	assert_true(list_mouse(&l, 0, MOUSE_WHEEL_DOWN));
	assert_int_equal(l.top, 3);
	assert_int_equal(l.cursor, 5); /* still shown */
	list_mouse(&l, 0, MOUSE_WHEEL_DOWN);
	assert_int_equal(l.cursor, 6); /* taken along */
	for (int i = 0; i < 100; i++)
		list_mouse(&l, 0, MOUSE_WHEEL_DOWN);
	assert_int_equal(l.top, 90);
	assert_true(list_mouse(&l, 9, MOUSE_CLICK));
	assert_int_equal(l.cursor, 99);
	assert_false(list_mouse(&l, 10, MOUSE_CLICK));
	assert_false(list_mouse(&l, -1, MOUSE_CLICK));
	for (int i = 0; i < 100; i++)
		list_mouse(&l, 0, MOUSE_WHEEL_UP);
	assert_int_equal(l.top, 0);
	assert_int_equal(l.cursor, 9);
	l = (struct row_list){.n = 2, .height = 10};
	assert_false(list_mouse(&l, 2, MOUSE_CLICK)); /* below the last */
}

static size_t
walk_length(size_t n, size_t from, int step, size_t *last)
{
	size_t length = 0;

	for (struct list_walk w = walk_begin(n, from, step); walk_goes_on(&w);
	     walk_step(&w), length++)
		*last = w.at;
	return length;
}

TEST(walks)
{
	size_t last = 77;

	assert_int_equal(walk_length(5, 2, 1, &last), 5);
	assert_int_equal(last, 1);
	assert_int_equal(walk_length(5, 2, -1, &last), 5);
	assert_int_equal(last, 3);
	assert_int_equal(walk_length(5, 5, 1, &last), 5); /* after the last */
	assert_int_equal(last, 4);
	assert_int_equal(walk_length(5, (size_t)-1, -1, &last), 5);
	assert_int_equal(last, 0);
	last = 77;
	assert_int_equal(walk_length(0, 0, 1, &last), 0);
	assert_int_equal(last, 77);
}
