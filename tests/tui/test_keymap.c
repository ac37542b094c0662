/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys as the person wants them: what they do, what is refused and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "tui/input/keymap.h"

static struct keymap map;
static struct text err;

static int
reset(void **state)
{
	(void)state;
	keymap_free(&map);
	text_free(&err);
	return 0;
}

static enum action
in_contexts(const char *key)
{
	return keymap_find(
	    &map, key_parse(key, strlen(key)), SCOPE_CONTEXTS, false);
}

static bool
set(const char *name, const char *keys)
{
	size_t row = key_row_find(name);

	assert_true(row < n_key_rows);
	text_clear(&err);
	return keymap_set(&map, row, keys, &err);
}

static bool
bind(const char *key, const char *action)
{
	text_clear(&err);
	return keymap_bind(&map, key, action, &err);
}

static void
says(const char *what)
{
	if (strstr(text_str(&err), what) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", text_str(&err), what);
}

static void
test_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_key_rows; i++) {
		const char *name = key_rows[i].name;

		assert_int_equal(key_row_find(name), i);
		assert_int_equal(strspn(name,
				     "abcdefghijklmnopqrstuvwxyz"
				     "0123456789-"),
		    strlen(name));
		assert_string_not_equal(name, "none");
	}
	assert_int_equal(key_row_find(""), n_key_rows);
}

static void
test_set(void **state)
{
	(void)state;
	assert_int_equal(in_contexts("Space"), ACT_PAUSE);
	assert_true(set("pause", "  F12   C-p "));
	assert_string_equal(
	    keymap_keys(&map, key_row_find("pause")), "F12 C-p");
	assert_int_equal(in_contexts("Space"), ACT_NONE);
	assert_int_equal(in_contexts("F12"), ACT_PAUSE);
	assert_int_equal(in_contexts("C-p"), ACT_PAUSE);
	assert_true(set("pause", "none"));
	assert_int_equal(in_contexts("F12"), ACT_NONE);
	assert_true(set("pause", NULL));
	assert_int_equal(in_contexts("Space"), ACT_PAUSE);
	assert_false(keymap_is_own(&map, key_row_find("pause")));
}

static void
test_set_refused(void **state)
{
	(void)state;
	assert_false(set("pause", "Space Hyper\033"));
	says("'Hyper");
	says("is no key");
	assert_null(strchr(text_str(&err), '\033'));
	assert_int_equal(in_contexts("Z"), ACT_PAUSE); /* as it was */
	assert_false(set("pause", ""));
	says("none takes the keys away");
	assert_false(set("quit", "none"));
	says("quit needs a key");
	assert_false(set("interrupt", "C-x"));
	says("C-c always quits");
	assert_int_equal(in_contexts("C-c"), ACT_INTERRUPT);
}

static void
test_clash(void **state)
{
	size_t help = key_row_find("help");

	(void)state;
	for (size_t i = 0; i < n_key_rows; i++)
		assert_int_equal(keymap_clash(&map, i, &err), n_key_rows);
	assert_true(set("help", "Z"));
	assert_int_equal(keymap_clash(&map, help, &err), key_row_find("pause"));
	says("Z is both help's and pause's");
	/* They trade. */
	assert_true(set("pause", "?"));
	assert_int_equal(keymap_clash(&map, help, &err), n_key_rows);
	assert_int_equal(in_contexts("Z"), ACT_HELP);
	assert_int_equal(in_contexts("?"), ACT_PAUSE);
	/* A pane's keys may hide those of everywhere. */
	assert_true(set("sort-busy", "R"));
	assert_int_equal(
	    keymap_clash(&map, key_row_find("sort-busy"), &err), n_key_rows);
	assert_int_equal(in_contexts("R"), ACT_SORT_BUSY);
	assert_int_equal(
	    keymap_find(&map, 'R', SCOPE_DESCRIPTOR, false), ACT_RESTART);
}

static void
test_bind(void **state)
{
	(void)state;
	assert_true(bind("F12", "pause"));
	assert_int_equal(in_contexts("F12"), ACT_PAUSE);
	assert_int_equal(in_contexts("Z"), ACT_PAUSE);
	/* Already so: no second time. */
	assert_true(bind("F12", "pause"));
	assert_string_equal(
	    keymap_keys(&map, key_row_find("pause")), "F12 Space Z");
	assert_false(bind("Z", "zoom"));
	says("zoom");
	says("pause");
	says(":bind Z none");
	assert_int_equal(in_contexts("Z"), ACT_PAUSE);
	assert_true(bind("Z", "none"));
	assert_int_equal(in_contexts("Z"), ACT_NONE);
	assert_true(bind("Z", "zoom"));
	assert_int_equal(in_contexts("Z"), ACT_ZOOM);
	assert_false(bind("F21", "none"));
	says("F21 does nothing");
	assert_false(bind("Space", "fly"));
	says("no action is called 'fly'");
	assert_false(bind("Spacebar", "pause"));
	says("'Spacebar' is no key");
}

static void
test_way_out(void **state)
{
	(void)state;
	assert_true(bind("F10", "none"));
	assert_false(bind("q", "none"));
	says("quit needs a key");
	assert_int_equal(in_contexts("q"), ACT_QUIT);
	assert_false(bind("C-c", "none"));
	assert_false(bind("C-c", "pause"));
	/* A pane's keys go before those of everywhere, but not this one. */
	assert_false(set("sort-busy", "C-c"));
	says("C-c always quits");
	assert_int_equal(in_contexts("C-c"), ACT_INTERRUPT);
}

/* What is no number is no function key. */
static void
test_names_of_function_keys(void **state)
{
	(void)state;
	assert_int_equal(key_parse("F1", 2), KEY_FUNCTION + 1);
	assert_int_equal(key_parse("F12", 3), KEY_FUNCTION + 12);
	assert_int_equal(key_parse("F25", 3), KEY_NONE);
	assert_int_equal(key_parse("F1x", 3), KEY_NONE);
	assert_int_equal(key_parse("F1 ", 3), KEY_NONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_names),
	    cmocka_unit_test_teardown(test_set, reset),
	    cmocka_unit_test_teardown(test_set_refused, reset),
	    cmocka_unit_test_teardown(test_clash, reset),
	    cmocka_unit_test_teardown(test_bind, reset),
	    cmocka_unit_test_teardown(test_way_out, reset),
	    cmocka_unit_test(test_names_of_function_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
