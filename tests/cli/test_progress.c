/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line about progress on a terminal. */
#include <pty.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define IDEAL "-b", "--profile=ideal"
#define BATCH "1.RCS.1000.0.1"

/* Runs with a terminal as standard error, and reads what the program writes
 * there. All of it has arrived when reading fails, since no process has the
 * terminal open any more. */
static void
run_on_terminal(struct outcome *r, char *text, size_t size, const char *speed,
    const char *repeat)
{
	struct streams s = {0};
	struct termios raw;
	int master, slave;
	size_t len = 0;
	ssize_t n;

	memset(&raw, 0, sizeof(raw));
	cfmakeraw(&raw);
	assert_int_equal(openpty(&master, &slave, NULL, &raw, NULL), 0);
	s.err_fd = slave;
	RUN_WITH(r, &s, IDEAL, speed, "-r", repeat, "-w", BATCH);
	close(slave);
	while ((n = read(master, text + len, size - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	close(master);
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The line comes and goes on a terminal. */
TEST(progress)
{
	struct outcome r;
	char text[65536];
	size_t len;

	run_on_terminal(&r, text, sizeof(text), "--speed=1", "1000");
	assert_string_equal(r.out, "1.000s elapsed (1000.000 workloads/s)\n");
	outcome_free(&r);
	len = strlen(text);
	assert_true(len > 4);
	assert_non_null(strstr(text, "% "));
	assert_non_null(strstr(text, " s simulated, "));
	assert_string_equal(text + len - 4, "\r\033[K");
}

/* It does not come in a run that is over before it would be worth it; how long
 * one takes is the machine's affair. */
TEST(no_progress_in_a_short_run)
{
	struct outcome r;
	char text[65536];
	double begun = seconds();

	run_on_terminal(&r, text, sizeof(text), "--speed=max", "1");
	if (seconds() - begun < 0.5)
		assert_string_equal(text, "");
	outcome_free(&r);
}
