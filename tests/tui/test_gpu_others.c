/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console on a GPU (-D) that another program uses, too (doc/model/libdrm.md
 * "Busyness", "Other programs"): the virtual i915, of which an infinite batch of the
 * other program has the render engine.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/pty.h"

/* $0 is the program. The other one ends with the console. */
static const char beside[] =
    "$0 -b -D pci: -w '1.RCS.*.0.0,d.60000000' >other.out 2>&1 & other=$!; "
    "$0 -D pci: a.wsim; status=$?; kill $other; exit $status";

static struct pty *
start_beside(int cols, int rows, const char *descriptor)
{
	char *argv[] = {pty_program(), (char *)"-q",
	    (char *)"--profile=kbl-gt2", (char *)"sh", (char *)"-c",
	    (char *)beside, gpuwl_top(), NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p;

	write_file("a.wsim", descriptor);
	p = pty_start(cols, rows, argv, env);
	pty_wait_text(p, "F10");
	return p;
}

static void
leave(struct pty *p)
{
	pty_send(p, "q");
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
}

TEST(rows_and_busyness)
{
	struct pty *p = start_beside(120, 40, "1.BCS.1000.0.1\np.5000\n");

	pty_wait_text(p, "PMU%");
	pty_wait_text(p, "other: gpuwl-top (pid ");
	/* RCS has no RUN%: it is not ours. */
	pty_wait_text(p, "0  100 ");
	/* The other program has all of it. */
	pty_wait_text(p, "100.0  100");
	pty_send(p, "1W");
	pty_wait_text(p, "busyness with all programs: by the PMU of i915");
	pty_wait_text(p, "other programs on the GPU: gpuwl-top (pid ");
	pty_send(p, "q");
	/* Zoomed. */
	pty_send(p, "1z");
	pty_wait_text(p, "PMU 100 %");
	pty_send(p, "z");
	leave(p);
}

#define CANNOT                                                                 \
	"is another program on the GPU: it is shown, and cannot be changed "   \
	"here"

TEST(rows_cannot_be_changed)
{
	struct pty *p = start_beside(100, 30, "1.BCS.1000.0.1\np.5000\n");

	pty_wait_text(p, "other: gpuwl-top (pid ");
	pty_send(p, "2");
	/* The filter has their text. */
	pty_send(p, "\\zzz\r");
	pty_wait_text(p, "filter zzz");
	pty_wait_gone(p, "other: ");
	pty_send(p, "\\\025other\r");
	pty_wait_text(p, "filter other");
	pty_wait_text(p, "other: gpuwl-top (pid ");
	for (const char *const *keys = (const char *const[]){"x", "+", NULL};
	     *keys != NULL; keys++) {
		pty_send(p, *keys);
		pty_wait_text(p, CANNOT);
		pty_send(p, "\033[B");
		pty_wait_gone(p, CANNOT);
	}
	leave(p);
}

/* A batch that waits for the other program's, which takes turns with it. */
TEST(waits_are_named)
{
	struct pty *p = start_beside(160, 40, "1.RCS.1000.0.1\n");

	pty_wait_text(p, "other: gpuwl-top (pid ");
	/* Why has the time up to the key: both have run for some. */
	pty_wait_text(p, "  time 1");
	pty_send(p, "2W");
	pty_wait_text(p,
	    "waits for the GPU, RCS has nothing of ours: not "
	    "explained by our requests");
	pty_wait_text(p, "other programs used it: gpuwl-top (pid ");
	pty_send(p, "q");
	leave(p);
}

FIXTURES(use_gpuwl_top, NULL);
