/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace of a machine on a real terminal: `:import` with its file's name completed, the
 * trace beside the run, a change of it that is saved; and Esc while a large one is read.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/pty.h"
#include "tests/support/run_program.h"

#define FRAMES 50
#define HOLE   (8ll << 30) /* bytes of the large trace that are no text */

/* A game: 3 ms on RCS at 100 Hz. */
static void
add_frames(FILE *f)
{
	for (unsigned i = 0; i < FRAMES; i++) {
		unsigned at = 10000 * i;

		fprintf(f,
		    " game-77 [000] 1.%06u: i915_request_add: dev=0, "
		    "engine=0:0, ctx=5, seqno=%u, tail=0\n"
		    " <idle>-0 [000] 1.%06u: dma_fence_signaled: driver=i915 "
		    "timeline=signaled context=5 seqno=%u\n",
		    at, i + 1, at + 3000, i + 1);
	}
}

static void
write_trace(const char *name)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	add_frames(f);
	assert_int_equal(fclose(f), 0);
}

static struct pty *
start_console(void)
{
	char *argv[] = {pty_program(), (char *)"--profile=ideal", (char *)"-w",
	    (char *)"1.RCS.1000.0.0,p.5000", NULL};
	char *here = realpath(".", NULL), state[512];
	char *env[] = {state, NULL};
	struct pty *p;

	assert_non_null(here);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s", here);
	free(here);
	p = pty_start(120, 40, argv, env);
	pty_wait_text(p, "workloads/s");
	return p;
}

TEST(import_keys)
{
	struct pty *p;
	char *text;

	enter_test_folder();
	write_trace("game-of-today.txt");
	p = start_console();
	pty_send(p, ":import game-\t\r");
	pty_wait_text(p, "1 descriptor, 1 client, under ");
	pty_wait_text(p, "all figures are near the trace");
	pty_wait_text(p, "game.wsim");
	pty_send(p, "4");
	pty_wait_text(p, "differ");
	pty_wait_text(p, "against trace: workloads/s 99.4 (99.4), in 493ms");
	pty_send(p, ":prio 1 7\r:w\r");
	pty_wait_text(p, "written");
	text = read_whole("game.wsim", NULL);
	assert_non_null(strstr(text, "\nP.1.7\n"));
	free(text);
	pty_quit(p);
}

/* The last row says how far it is; Esc leaves all as it was. */
TEST(import_stopped)
{
	struct pty *p;

	enter_test_folder();
	unlink("game.wsim");
	write_trace("large.txt");
	/* It takes seconds to read, and no room. */
	assert_int_equal(truncate("large.txt", HOLE), 0);
	p = start_console();
	pty_send(p, ":import large.txt\r");
	pty_wait_text(p, "reading the trace: ");
	pty_wait_text(p, " %, Esc stops");
	pty_send(p, "\033");
	pty_wait_text(p, " % stopped: nothing was changed");
	assert_int_not_equal(access("game.wsim", F_OK), 0);
	pty_send(p, ":compare trace\r");
	pty_wait_text(p, "no trace was imported");
	pty_quit(p);
	unlink("large.txt");
}
