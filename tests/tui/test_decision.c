/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * :capacity, :sweep and :tune on a real terminal: keys and the run go on beside them,
 * they can be stopped with what is known, and no process of theirs is left.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/runner/test.h"
#include "tests/support/pty.h"

/* Runs of a second and more: no search is over before a key comes. */
#define LONG "seeds=1000 duration=100000"

static struct pty *
start(void)
{
	char *argv[] = {(char *)(uintptr_t)pty_program(),
	    (char *)"--profile=ideal", (char *)"-w",
	    (char *)"1.RCS.10.0.1,p.1000", NULL};
	char *env[] = {(char *)"XDG_STATE_HOME=/nonexistent", NULL};
	struct pty *p = pty_start(100, 30, argv, env);

	pty_wait_text(p, "workloads/s");
	return p;
}

TEST(beside)
{
	struct pty *p = start();

	pty_send(p, ":capacity " LONG "\r");
	pty_wait_text(
	    p, "searching: 0 counts tried, now 1; :capacity stop ends it");
	pty_send(p, "q");
	pty_send(p, ":launch 3\r");
	pty_wait_text(p, "3 more clients of -w, 4 in all");
	pty_send(p, ":sweep clients=1..4\r");
	pty_wait_text(p, "a search runs already: :capacity stop ends it");
	pty_send(p, ":capacity launch\r");
	pty_wait_text(p, "no capacity is known");
	pty_send(p, ":capacity stop\r");
	pty_wait_text(p, "stopped: no run has ended yet");
	pty_quit(p);
}

/* The end is shown also where nothing moves, and no key is pressed. */
TEST(paused)
{
	struct pty *p = start();

	pty_send(p, " ");
	pty_wait_text(p, "PAUSED");
	pty_send(p, ":capacity seeds=1 duration=0.1 max-clients=40\r");
	pty_wait_text(p, "capacity at least 40 clients");
	pty_send(p, ":sweep clients=1..4 duration=0.1\r");
	pty_wait_text(p, "4 of 4 runs");
	pty_send(p, ":capacity launch\r");
	pty_wait_text(p, "no capacity is known");
	pty_quit(p);
}

TEST(tune)
{
	struct pty *p = start();

	pty_send(p, ":tune priority " LONG "\r");
	pty_wait_text(p, "searching: 0 runs; :tune stop ends it");
	pty_send(p, "q");
	pty_send(p, ":capacity\r");
	pty_wait_text(p, "a search runs already: :tune stop ends it");
	pty_send(p, ":tune apply\r");
	pty_wait_text(p, "no edits are known");
	pty_send(p, ":tune stop\r");
	pty_wait_text(p, "stopped: ");
	pty_quit(p);
}

#define LATE                                                                   \
	"P.1.1,1.RCS.9000.0.0,1.RCS.2500.-1.0,d.3000,2.RCS.3000.0.1,d.4000,p.16667"

/* A search that is stopped leaves what came nearest. */
TEST(tune_stopped)
{
	char *argv[] = {
	    (char *)(uintptr_t)pty_program(), (char *)"-w", (char *)LATE, NULL};
	char *env[] = {(char *)"XDG_STATE_HOME=/nonexistent", NULL};
	struct pty *p = pty_start(100, 30, argv, env);

	pty_wait_text(p, "workloads/s");
	pty_send(p, ":tune priority duration=1 seeds=200\r");
	pty_wait_text(p, "nearest, on one seed: misses 0 of 59");
	pty_send(p, ":tune stop\r");
	pty_wait_text(p, "misses 0 of 59; :tune apply");
	pty_send(p, ":tune apply\r");
	pty_wait_text(p, "P.2.1, inserted; u undoes it");
	pty_send(p, ":tune report\r");
	pty_wait_text(p, "it has not come to its end");
	pty_quit(p);
}

/* It ends with the console. */
TEST(quit)
{
	struct pty *p = start();

	pty_send(p, ":sweep clients=1..4 duration=100000\r");
	pty_wait_text(p, "running: 0 of 4 runs");
	pty_send(p, "q");
	pty_quit(p);
}
