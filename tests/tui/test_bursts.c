/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys and clicks that come in one piece, faster than frames: what the clicks
 * are on has been changed by the keys before them, and was never drawn. They
 * go to what is there now, or to nothing.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/monkey.h"
#include "tests/support/pty.h"

#define COLS 160
#define ROWS 50

#define N(array) (sizeof(array) / sizeof(*(array)))

static void
put_lines(const char *name, unsigned n)
{
	struct text t = {0};

	for (unsigned i = 1; i <= n; i++)
		text_addf(&t, "1.RCS.%u.0.0\n", i);
	write_file(name, text_str(&t));
	text_free(&t);
}

static struct pty *
start(const char *editor, const char *file)
{
	char *argv[] = {pty_program(), (char *)file, NULL};
	char visual[96];
	char *env[] = {test_state_home(), visual, NULL};

	snprintf(visual, sizeof(visual), "VISUAL=%s", editor);
	return pty_start(COLS, ROWS, argv, env);
}

/* A click and a turn of the wheel on every third row, but not on the keys of
 * the last: one of them quits. */
static void
add_clicks(struct text *out, int column)
{
	for (int y = 2; y < ROWS; y += 3)
		text_addf(out,
		    "\033[<0;%d;%dM\033[<0;%d;%dm"
		    "\033[<65;%d;%dM\033[<64;%d;%dM",
		    column, y, column, y, column, y, column, y);
}

/* Still there, and takes commands. */
static void
expect_life(struct pty *p)
{
	pty_send(p, MONKEY_ESCAPE MONKEY_ESCAPE ":speed 7\r");
	pty_wait_text(p, "speed 7x");
	pty_send(p, ":q!\r");
	assert_int_equal(pty_wait_status(p), 0);
	pty_check_given_back(p);
}

static const struct burst {
	const char *editor; /* of the key E */
	unsigned lines;     /* of the descriptor at first */
	const char *before; /* keys that are drawn */
	const char *keys;   /* and those that are not */
} bursts[] = {
    {"truncate -s 0", 60, "5zG", "E"},
    {"sed -i 2,\\$d", 60, "5zG", "E"},
    {"true", 3, "5z", "dddd"},
    {"true", 2, "5zGyppppppppppppppppppppppppppp",
	"uuuuuuuuuuuuuuuuuuuuuuuuuuuuu"},
    {"true", 60, "5zG", ":edit! short.wsim\r"},
    {"true", 60, "5zG", ":edit! empty.wsim\r"},
    {"true", 3, ":view layer\r", "5dddd7"},
    {"true", 3, ":launch 30\r2G", ":restart\r"},
    {"true", 3, ":launch 30\r2G", "\\client=99\r"},
    {"true", 3, ":profile mtl\r1z", ":profile default\r"},
    {"true", 3, "4z", ":profile ideal\r"},
    {"true", 3, "3zG", ":restart\r"},
    {"true", 3, "?G", "q5dddd"},
    {"true", 3, "1234567", "5dddd0"},
};

TEST(edits_and_clicks)
{
	write_file("empty.wsim", "");
	put_lines("short.wsim", 1);
	for (size_t i = 0; i < N(bursts); i++) {
		const struct burst *b = &bursts[i];
		struct text keys = {0};
		struct pty *p;

		put_lines("a.wsim", b->lines);
		p = start(b->editor, "a.wsim");
		pty_wait_text(p, "F10");
		pty_send(p, b->before);
		pty_drain(p);
		text_adds(&keys, b->keys);
		add_clicks(&keys, 40);
		add_clicks(&keys, 120);
		pty_send(p, text_str(&keys));
		expect_life(p);
		pty_free(p);
		text_free(&keys);
	}
}

/* Edits, commands, clicks and turns of the wheel as a seed has them, many to
 * a write. */
TEST(monkey)
{
	size_t wanted = test_rounds("MONKEY_KEYS", 2000), n = 0;
	struct monkey m = {.rows = ROWS};

	m.seed = (uint32_t)from_environment("MONKEY_SEED", 1);
	for (; n < wanted; n += 400) {
		struct text keys = {0};
		struct pty *p;

		put_lines("a.wsim", 1 + monkey_below(&m, 70));
		p = start(monkey_below(&m, 2) ? "truncate -s 0" : "sed -i 1,5d",
		    "a.wsim");
		pty_wait_text(p, "F10");
		for (int i = 0; i < 8; i++) {
			text_clear(&keys);
			for (int k = 0; k < 50; k++)
				monkey_add_burst(&m, &keys);
			pty_send(p, text_str(&keys));
			pty_wait_bytes(p);
		}
		expect_life(p);
		pty_free(p);
		text_free(&keys);
	}
}

FIXTURES(in_test_folder, NULL);
