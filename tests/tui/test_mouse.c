/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mouse reports: complete ones, and bytes that are not. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tui/input/keys.h"
#include "tui/terminal/sequences.h"

/* Takes all of s; returns what its last byte was. */
static enum mouse_byte
take(const char *s, size_t len, bool old, struct key_press *key)
{
	struct mouse_reader m;
	enum mouse_byte got = MOUSE_MORE;

	*key = (struct key_press){.code = KEY_NONE};
	mouse_begin(&m, old);
	for (size_t i = 0; i < len; i++) {
		assert_true(m.reading);
		got = mouse_take(&m, (unsigned char)s[i], key);
	}
	assert_int_equal(m.reading, got == MOUSE_MORE);
	return got;
}

static void
check_report(const char *s, int code, int x, int y)
{
	struct key_press key;

	if (take(s, strlen(s), false, &key) != MOUSE_REPORT ||
	    key.code != code || key.x != x || key.y != y)
		fail_msg(
		    "%s: %#x at %d, %d", s, (unsigned)key.code, key.x, key.y);
	assert_int_equal(key.len, 0); /* no bytes for the prompt */
}

TEST(reports)
{
	check_report("0;1;1M", KEY_CLICK, 0, 0);
	check_report("0;80;24M", KEY_CLICK, 79, 23);
	check_report("64;5;6M", KEY_WHEEL_UP, 4, 5);
	check_report("65;5;6M", KEY_WHEEL_DOWN, 4, 5);
	check_report("16;5;6M", KEY_CLICK, 4, 5);      /* with Ctrl */
	check_report("69;5;6M", KEY_WHEEL_DOWN, 4, 5); /* with Shift */
	check_report("0;000000000000000000007;6M", KEY_CLICK, 6, 5);
	/* Beyond every screen, without an overflow. */
	check_report("0;99999999999999999999;6M", KEY_CLICK, 99999, 5);
}

TEST(nothing)
{
	static const char *const strings[] = {"0;5;6m", "1;5;6M", "2;5;6M",
	    "3;5;6M", "32;5;6M", "35;5;6M", "66;5;6M", "128;5;6M", "0;0;6M",
	    "0;5;0M", "M", ";", "0;M", "0;5M", "0;;", "0;5;M", "0;5;6;7M",
	    "0;5;6;7;8;9;10M", "0;5;6q", "0;5;6 ", "-", "x", "\xff"};
	struct key_press key;

	for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		if (take(strings[i], strlen(strings[i]), false, &key) !=
		    MOUSE_NOTHING)
			fail_msg("\"%s\" is something", strings[i]);
}

/* A key that interrupts a report is delivered. */
TEST(broken_off)
{
	struct mouse_reader m;
	struct key_press key;

	assert_int_equal(take("0;5;6\033", 6, false, &key), MOUSE_OTHER);
	assert_int_equal(take("\003", 1, false, &key), MOUSE_OTHER);
	assert_int_equal(take("0;\177", 3, false, &key), MOUSE_OTHER);
	assert_int_equal(take(" %\n", 3, true, &key), MOUSE_OTHER);
	mouse_begin(&m, false);
	assert_int_equal(mouse_take(&m, 0402, &key), MOUSE_OTHER); /* Down */
	assert_false(m.reading);
}

TEST(old_reports)
{
	struct key_press key;

	assert_int_equal(take(" !!", 3, true, &key), MOUSE_REPORT);
	assert_true(key.code == KEY_CLICK && key.x == 0 && key.y == 0);
	assert_int_equal(take("`\xff!", 3, true, &key), MOUSE_REPORT);
	assert_true(key.code == KEY_WHEEL_UP && key.x == 222 && key.y == 0);
	assert_int_equal(take("#!!", 3, true, &key), MOUSE_NOTHING);
	assert_int_equal(take("   ", 3, true, &key), MOUSE_NOTHING);
}
