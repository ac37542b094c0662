/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline on terminals without colours: blocks of six contexts, one after
 * the other on one engine, are all visible and told apart. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/pty.h"

/* RCS is never idle; a block has BLOCK_COLS columns. */
#define WORKLOAD                                                               \
	"1.RCS.4000.0.0,2.RCS.4000.0.0,3.RCS.4000.0.0,4.RCS.4000.0.0,"         \
	"5.RCS.4000.0.0,6.RCS.4000.0.1"
#define N_CONTEXTS 6
#define BLOCK_COLS 8
#define COLS       120
#define ROWS       40
#define LEFT       7 /* columns of the engine's name */

#define FULL_BLOCK 0x2588
#define EDGE       0x2590 /* of a block that follows another */

static struct pty *
start_paused(char *const env[])
{
	char *argv[] = {pty_program(), (char *)"--profile=ideal",
	    (char *)"--scheduler=fifo", (char *)"-w", (char *)WORKLOAD, NULL};
	struct pty *p = pty_start(COLS, ROWS, argv, env);

	pty_wait_text(p, "1:0 L1");
	pty_wait_text(p, "6:5 L1");
	pty_send(p, " ");
	pty_wait_text(p, "PAUSED");
	return p;
}

static void
quit(struct pty *p)
{
	pty_send(p, "q");
	assert_true(WIFEXITED(pty_wait_status(p)));
	pty_free(p);
}

static uint32_t
character_at(struct pty *p, int x, int y)
{
	uint32_t c;

	pty_cell(p, x, y, &c);
	return c;
}

/* Returns the row of RCS on the timeline, whose name is at its begin. */
static int
row_of_rcs(struct pty *p)
{
	for (int y = 0; y < ROWS; y++)
		if (character_at(p, 0, y) == 'R' &&
		    character_at(p, 1, y) == 'C' &&
		    character_at(p, 2, y) == 'S')
			return y;
	fail_msg("the timeline has no row RCS");
	return -1;
}

/* Has the cell ink that differs from the ground around it? A full block in
 * reverse video is as blank as a space, but for the one inside a label. */
static bool
visible(struct pty *p, int x, int y)
{
	uint32_t c;
	struct pty_look look = pty_cell(p, x, y, &c);

	if (look.reverse)
		return c != FULL_BLOCK;
	if (c == ' ')
		return character_at(p, x + 1, y) == 'L';
	return c != 0;
}

/* Is this where a label such as "4:3 L1" begins? */
static bool
label_begins(struct pty *p, int x, int y)
{
	uint32_t c = character_at(p, x, y);

	return c >= '1' && c < '1' + N_CONTEXTS &&
	    character_at(p, x + 1, y) == ':';
}

/* Checks that the block whose label is at x differs from the one before it by an
 * edge and by its look. */
static void
check_apart(struct pty *p, int x, int y, uint32_t edge)
{
	uint32_t c;
	struct pty_look look = pty_cell(p, x, y, &c);
	struct pty_look before = pty_cell(p, x - 2, y, &c);

	assert_int_equal(character_at(p, x - 1, y), edge);
	assert_true(
	    look.bold != before.bold || look.underline != before.underline);
}

/* Left of the begin of the run there is nothing. */
static int
first_visible(struct pty *p, int y)
{
	int x = LEFT;

	while (x < COLS && !visible(p, x, y))
		x++;
	return x;
}

static void
fail_blank(struct pty *p, int x)
{
	struct text screen = {0};

	pty_screen(p, &screen);
	fputs(text_str(&screen), stderr);
	text_free(&screen);
	fail_msg("column %d of RCS is blank", x);
}

static void
check_timeline(struct pty *p, uint32_t edge)
{
	int y = row_of_rcs(p), begin = first_visible(p, y);
	unsigned seen = 0;

	assert_false(pty_has_colour(p));
	for (int x = begin; x < COLS - 1; x++) {
		if (!visible(p, x, y))
			fail_blank(p, x);
		/* The first block has no edge. */
		if (x < begin + BLOCK_COLS || !label_begins(p, x, y))
			continue;
		check_apart(p, x, y, edge);
		seen |= 1U << (character_at(p, x, y) - '1');
	}
	assert_int_equal(seen, (1U << N_CONTEXTS) - 1);
}

TEST(blocks)
{
	static const struct {
		const char *term, *other;
		uint32_t edge;
	} terminals[] = {
	    {"TERM=xterm-256color", "NO_COLOR=1", EDGE},
	    {"TERM=vt100", "NO_COLOR", EDGE},
	    {"TERM=vt100", "LC_ALL=C", '|'},
	};

	for (size_t i = 0; i < sizeof(terminals) / sizeof(*terminals); i++) {
		char *env[] = {(char *)terminals[i].term,
		    (char *)terminals[i].other, NULL};
		struct pty *p = start_paused(env);

		check_timeline(p, terminals[i].edge);
		quit(p);
	}
}
