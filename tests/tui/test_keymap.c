/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys as the user sets them: what they do, what is refused and why. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tui/console/actions.h"
#include "tui/input/keys.h"

static struct keymap map;
static struct text err;

static int
reset(void **state)
{
	(void)state;
	keymap_free(&map);
	keymap_init(&map, &console_actions);
	text_free(&err);
	return 0;
}

/* Returns the name of the key's action; "": none. */
static const char *
in_contexts(const char *key)
{
	const struct action_row *row = keymap_find(
	    &map, key_parse(key, strlen(key)), SCOPE_CONTEXTS, false);

	return row != NULL ? row->name : "";
}

static bool
set(const char *name, const char *keys)
{
	size_t row = action_find(&console_actions, name);

	assert_true(row < console_actions.n);
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

TEST(names)
{
	for (size_t i = 0; i < console_actions.n; i++) {
		const char *name = console_actions.rows[i].name;

		assert_int_equal(action_find(&console_actions, name), i);
		assert_int_equal(strspn(name,
				     "abcdefghijklmnopqrstuvwxyz"
				     "0123456789-"),
		    strlen(name));
		assert_string_not_equal(name, "none");
	}
	assert_int_equal(action_find(&console_actions, ""), console_actions.n);
}

TEST(set)
{
	assert_string_equal(in_contexts("Space"), "pause");
	assert_true(set("pause", "  F12   C-p "));
	assert_string_equal(
	    keymap_keys(&map, action_find(&console_actions, "pause")),
	    "F12 C-p");
	assert_string_equal(in_contexts("Space"), "");
	assert_string_equal(in_contexts("F12"), "pause");
	assert_string_equal(in_contexts("C-p"), "pause");
	assert_true(set("pause", "none"));
	assert_string_equal(in_contexts("F12"), "");
	assert_true(set("pause", NULL));
	assert_string_equal(in_contexts("Space"), "pause");
	assert_false(
	    keymap_is_own(&map, action_find(&console_actions, "pause")));
}

TEST(set_refused)
{
	assert_false(set("pause", "Space Hyper\033"));
	says("'Hyper");
	says("unknown key");
	assert_null(strchr(text_str(&err), '\033'));
	assert_string_equal(in_contexts("Z"), "pause"); /* as it was */
	assert_false(set("pause", ""));
	says("none for no key");
	assert_false(set("quit", "none"));
	says("quit needs a key");
	assert_false(set("interrupt", "C-x"));
	says("C-c always quits");
	assert_string_equal(in_contexts("C-c"), "interrupt");
}

TEST(clash)
{
	size_t help = action_find(&console_actions, "help");

	for (size_t i = 0; i < console_actions.n; i++)
		assert_int_equal(
		    keymap_clash(&map, i, &err), console_actions.n);
	assert_true(set("help", "Z"));
	assert_int_equal(keymap_clash(&map, help, &err),
	    action_find(&console_actions, "pause"));
	says("Z is bound to both help and pause");
	/* They trade. */
	assert_true(set("pause", "?"));
	assert_int_equal(keymap_clash(&map, help, &err), console_actions.n);
	assert_string_equal(in_contexts("Z"), "help");
	assert_string_equal(in_contexts("?"), "pause");
	/* A pane's keys may hide those of everywhere. */
	assert_true(set("sort-busy", "R"));
	assert_int_equal(keymap_clash(&map,
			     action_find(&console_actions, "sort-busy"), &err),
	    console_actions.n);
	assert_string_equal(in_contexts("R"), "sort-busy");
	assert_string_equal(
	    keymap_find(&map, 'R', SCOPE_DESCRIPTOR, false)->name, "restart");
}

TEST(bind)
{
	assert_true(bind("F12", "pause"));
	assert_string_equal(in_contexts("F12"), "pause");
	assert_string_equal(in_contexts("Z"), "pause");
	/* Already so: no second time. */
	assert_true(bind("F12", "pause"));
	assert_string_equal(
	    keymap_keys(&map, action_find(&console_actions, "pause")),
	    "F12 Space Z");
	assert_false(bind("Z", "zoom"));
	says("Z is bound to pause: free it with :bind Z none");
	assert_string_equal(in_contexts("Z"), "pause");
	assert_true(bind("Z", "none"));
	assert_string_equal(in_contexts("Z"), "");
	assert_true(bind("Z", "zoom"));
	assert_string_equal(in_contexts("Z"), "zoom");
	assert_false(bind("F21", "none"));
	says("F21 is not bound");
	assert_false(bind("Space", "fly"));
	says("unknown action 'fly'");
	assert_false(bind("Spacebar", "pause"));
	says("unknown key 'Spacebar'");
}

TEST(way_out)
{
	assert_true(bind("F10", "none"));
	assert_false(bind("q", "none"));
	says("quit needs a key");
	assert_string_equal(in_contexts("q"), "quit");
	assert_false(bind("C-c", "none"));
	assert_false(bind("C-c", "pause"));
	/* A pane's keys go before those of everywhere, but not this one. */
	assert_false(set("sort-busy", "C-c"));
	says("C-c always quits");
	assert_string_equal(in_contexts("C-c"), "interrupt");
}

/* A function key has a number from 1 to 24. */
TEST(names_of_function_keys)
{
	assert_int_equal(key_parse("F1", 2), KEY_FUNCTION + 1);
	assert_int_equal(key_parse("F12", 3), KEY_FUNCTION + 12);
	assert_int_equal(key_parse("F25", 3), KEY_NONE);
	assert_int_equal(key_parse("F1x", 3), KEY_NONE);
	assert_int_equal(key_parse("F1 ", 3), KEY_NONE);
}

static int
fill_keymap(void **state)
{
	(void)state;
	keymap_init(&map, &console_actions);
	return 0;
}

FIXTURES(fill_keymap, reset);
