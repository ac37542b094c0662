/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paused the console does nothing at all: it never wakes up, no byte is written;
 * with unsaved edits, a question or a line that is typed as well. */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

#define RECOVERY ".a.wsim.gpuwl-recover"

static struct pty *
start(void)
{
	char *argv[] = {pty_program(), (char *)"a.wsim", NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p;

	write_file("a.wsim", "P.1.1\n1.RCS.1000-2000.0.0\np.5000\n");
	unlink(RECOVERY);
	p = pty_start(80, 24, argv, env);
	pty_wait_text(p, "F10");
	pty_send(p, ":delay 0.01\r");
	pty_wait_text(p, "a frame every");
	return p;
}

/* How often it has waited for something; -1 while it does not wait. */
static long
count_waits(struct pty *p)
{
	char path[64], line[128], what = 0;
	long n = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pty_pid(p));
	f = fopen(path, "r");
	assert_non_null(f);
	while (n < 0 && fgets(line, sizeof(line), f) != NULL) {
		sscanf(line, "State: %c", &what);
		sscanf(line, "voluntary_ctxt_switches: %ld", &n);
	}
	fclose(f);
	return what == 'S' ? n : -1;
}

/* As long as the other one, which is not paused, takes for that many frames. */
static void
wait_frames(struct pty *other, int n)
{
	while (n-- > 0) {
		size_t before = pty_bytes(other);

		while (pty_bytes(other) == before)
			pty_wait_bytes(other);
	}
}

/* It has done what there was to do when it is found waiting twice. */
static long
wait_asleep(struct pty *p, struct pty *other)
{
	long before = -1, now = -1;

	for (int i = 0; i < 300 && (now < 0 || now != before); i++) {
		before = now;
		wait_frames(other, 3);
		pty_drain(p);
		now = count_waits(p);
	}
	assert_true(now >= 0);
	assert_int_equal(now, before);
	return now;
}

static void
check_rests(struct pty *p, struct pty *other)
{
	long before = wait_asleep(p, other);
	size_t bytes = pty_bytes(p);

	wait_frames(other, 50);
	pty_drain(p);
	assert_int_equal(count_waits(p), before);
	assert_int_equal(pty_bytes(p), bytes);
}

TEST(paused)
{
	static const struct {
		const char *keys, *shown;
	} scenes[] = {
	    {"", "PAUSED"},
	    {":sp", ":sp"},
	    {"5eX", "Enter accepts the line"},
	    {"?", "Help:"},
	    {"x", "Kill client 0"},
	};
	struct pty *other = start();

	for (size_t i = 0; i < N(scenes); i++) {
		struct pty *p = start();

		pty_send(p, " ");
		pty_wait_text(p, "PAUSED");
		pty_send(p, scenes[i].keys);
		pty_wait_text(p, scenes[i].shown);
		check_rests(p, other);
		pty_free(p);
	}
	pty_free(other);
}

/* The recovery file is written once. */
TEST(unsaved)
{
	struct pty *other, *p = start();

	pty_send(p, " :prio 1 7\r");
	pty_wait_text(p, "[+]");
	for (int i = 0; i < 300 && access(RECOVERY, F_OK) != 0; i++)
		pty_wait_bytes(p);
	assert_int_equal(access(RECOVERY, F_OK), 0);
	other = start(); /* which takes the file away: it is none of its own */
	check_rests(p, other);
	pty_send(p, "q");
	pty_wait_text(p, "unsaved edits: a.wsim");
	check_rests(p, other);
	pty_free(p);
	pty_free(other);
}

FIXTURES(in_test_folder, NULL);
