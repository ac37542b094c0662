/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --sweep: a file that was cut short by SIGKILL is completed, and is written once. */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/run_program.h"

#define STEPS     "1.RCS.500-1500.0.0,1.VCS.800.f-1.0,p.4000"
#define COMMON    "-b", "-w", STEPS, "--duration=0.2"
#define LONG_AXES "--sweep=clients=1..6", "--sweep=seed=1..20"

/* Waits until a file has that many bytes, or the program has ended. False: it
 * has. */
static bool
wait_for_bytes(const char *path, off_t bytes, pid_t pid)
{
	struct stat st = {0};
	siginfo_t end = {0};

	while (stat(path, &st) != 0 || st.st_size < bytes) {
		struct timespec ms = {.tv_nsec = 1000000};

		if (waitid(P_PID, (id_t)pid, &end,
			WEXITED | WNOHANG | WNOWAIT) != 0 ||
		    end.si_pid == pid)
			return false;
		nanosleep(&ms, NULL);
	}
	return true;
}

/* Killed again and again, and started again, it writes the same. */
TEST(killed)
{
	static const char *const args[] = {"-b", "-w", STEPS, "--duration=0.2",
	    LONG_AXES, "-j2", "-o", "killed.tsv", NULL};
	struct outcome whole, r;
	unsigned seed = 5, kills = 0;
	off_t bytes = 0;
	char *text;

	RUN(&whole, COMMON, LONG_AXES);
	for (bool killed = true; killed;) {
		struct child c = start_program(NULL, args);

		bytes += rand_r(&seed) % 2000;
		killed = wait_for_bytes("killed.tsv", bytes, c.pid);
		if (killed)
			kill(c.pid, SIGKILL);
		kills += killed;
		finish_program(&r, c);
		assert_string_equal(r.err, "");
		outcome_free(&r);
	}
	assert_true(kills > 0);
	text = read_whole("killed.tsv", NULL);
	assert_string_equal(text, whole.out);
	free(text);
	outcome_free(&whole);
}

/* Two sweeps cannot write one file at a time. */
TEST(locked)
{
	static const char *const args[] = {"-b", "-w", STEPS,
	    "--sweep=seed=1..8", "--sweep=repeat=10,100000000", "-j1", "-o",
	    "locked.tsv", NULL};
	struct child c = start_program(NULL, args);
	struct outcome r;
	char *text;

	assert_true(wait_for_bytes("locked.tsv", 200, c.pid));
	RUN(&r, COMMON, "--sweep=seed=1..8", "--sweep=repeat=10,100000000",
	    "-o", "locked.tsv");
	assert_int_equal(r.status, 2);
	assert_string_equal(r.err,
	    "gpuwl-top: --output: locked.tsv is being written by another "
	    "sweep: expected another file, or its end\n");
	assert_string_equal(r.out, "");
	outcome_free(&r);
	kill(c.pid, SIGKILL);
	finish_program(&r, c);
	outcome_free(&r);
	text = read_whole("locked.tsv", NULL);
	assert_non_null(strstr(text, "\n1\t10\t"));
	free(text);
}

FIXTURES(in_test_folder, NULL);
