/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `:batch`: the command line that it writes, run by a shell, gives the figures
 * that the console shows. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define GAME                                                                   \
	"1.RCS.4000-9000.0.0\n2.RCS.800-1800.-1.1\n2.VCS1.300.-1.0\np.5000\n"
/* The descriptor has a column of that name. */
#define DONE   "5\nH\nwait DONE\n"
#define PAUSED "wait 2.0s\n:pause\nwait PAUSED\n"

static char *
read_file(const char *name)
{
	return read_whole(test_path(name), NULL);
}

/* Opens the console with arguments, which end with NULL; it writes header.txt
 * and line.sh. */
static void
run_console(const char *const *args, const char *keys)
{
	struct text script = {0};
	const char *all[MAX_ARGS] = {"--script", "keys.script"};
	struct outcome r;

	unlink("line.sh");
	text_addf(&script,
	    "size 120x30\n%s:dump header.txt header\n:batch line.sh\n:quit!\n",
	    keys);
	write_file("keys.script", text_str(&script));
	for (size_t i = 0; args[i] != NULL; i++)
		all[i + 2] = args[i];
	run_program(&r, all);
	if (r.status != 0)
		fail_msg("%s", r.err);
	outcome_free(&r);
	text_free(&script);
}

/* Returns the time of the run, which the header shows behind its state: "DONE
 * 0.3s", "PAUSED   time 2.000000s". */
static double
shown_time(const char *header)
{
	const char *at = strstr(header, "PAUSED");

	if (at == NULL)
		at = strstr(header, "DONE");
	assert_non_null(at);
	return strtod(at + strcspn(at, "0123456789"), NULL);
}

/* Returns all periods that were missed, "misses 0", "misses 3/s, 6 in all", with those
 * that are late now, as batch mode counts them. */
static double
shown_misses(const char *header)
{
	const char *at = strstr(header, "misses"), *all;

	assert_non_null(at);
	all = strstr(at, "/s, ");
	return strtod(all != NULL ? all + 4 : at + strlen("misses"), NULL);
}

/* Runs the line; *missed: by all clients. Returns the time. */
static double
run_line_of(double *missed)
{
	FILE *f = popen(
	    "PATH=${GPUWL_TOP%/*}:$PATH; eval \"$(tail -n 1 line.sh) "
	    "-v\" 2>errors.txt",
	    "r");
	char line[300];
	double time = -1;

	*missed = 0;
	while (fgets(line, sizeof(line), f) != NULL) {
		const char *us = strstr(line, "us; ");

		if (us != NULL)
			*missed += strtod(us + 4, NULL);
		else
			time = strtod(line, NULL);
	}
	assert_int_equal(pclose(f), 0);
	return time;
}

static void
expect_figures(const char *keys, const char *const *args)
{
	double missed, time;
	char *header;

	run_console(args, keys);
	time = run_line_of(&missed);
	header = read_file("header.txt");
	if (shown_misses(header) < missed || shown_misses(header) > missed)
		fail_msg("%g misses, not '%s'", missed, header);
	if (shown_time(header) < time - 0.001 ||
	    shown_time(header) > time + 0.001)
		fail_msg("%g s, not '%s'", time, header);
	free(header);
}

#define SAME(keys, ...)                                                        \
	expect_figures(keys, (const char *const[]){__VA_ARGS__, NULL})

TEST(figures)
{
	SAME(DONE, "--speed=max", "-r", "40", "a b.wsim");
	SAME(DONE, "--speed=max", "-r", "40", "-c", "3", "-I", "7", "-S",
	    "--scheduler=drm", "--profile=icl", "a b.wsim");
	SAME(DONE, "--speed=max", "-r", "20", "-f", "0.7", "-F", "1.1", "-d",
	    "-p", "5", "-s", "a b.wsim", "-p", "0", "-w",
	    "1.RCS.900.0.1,p.950");
	SAME(DONE, "--speed=max", "-r", "20", "-a", "1.BCS.100.0.1", "-W",
	    "a b.wsim", "-w", "1.RCS.*.0.0,d.700,T.-2,p.300");
	SAME(PAUSED, "-c", "2", "a b.wsim");
	SAME(PAUSED, "-w", "1.RCS.900.0.1,p.950", "-w",
	    "2.VCS.50-500.0.1,p.250");
}

/* Commands of the console count as options do. */
TEST(commands)
{
	SAME(":scheduler guc\n:profile dg1\n" PAUSED, "a b.wsim");
	SAME(":launch 2\n:restart\n" PAUSED, "a b.wsim");
	SAME(":prio 2 100\n:w\n:restart\n" PAUSED, "a b.wsim");
}

static void
expect_line(const char *wanted)
{
	char *line = read_file("line.sh");

	if (strstr(line, wanted) == NULL)
		fail_msg("'%s' is not in '%s'", wanted, line);
	free(line);
}

/* The notes, and words that a shell would read otherwise. */
TEST(words)
{
	run_console((const char *const[]){"-w", "1.RCS.*.0.0,T.-1", NULL}, "");
	expect_line(" -w '1.RCS.*.0.0,T.-1'\n");
	write_file("it's.wsim", GAME);
	run_console(
	    (const char *const[]){"it's.wsim", NULL}, PAUSED ":prio 2 7\n");
	expect_line("# it's.wsim has unsaved edits, which the command does not "
		    "see: :w first\n");
	expect_line("# this run was changed while it ran");
	expect_line("--record=FILE");
	expect_line(" -w 'it'\\''s.wsim'\n");
}

/* Where all clients were killed there is nothing to run. */
TEST(no_client)
{
	run_console((const char *const[]){"a b.wsim", NULL}, ":kill 0\ny\n");
	expect_line("# no client is left: nothing would run\n");
	run_console(
	    (const char *const[]){"-w", "1.RCS.900.0.1", "a b.wsim", NULL},
	    ":kill 0\ny\n");
	expect_line("gpuwl-top -b");
	expect_line("a b.wsim");
}

/* Once a descriptor was saved, the line is printed at the end. */
TEST(printed_at_the_end)
{
	struct outcome r;

	write_file("keys.script", PAUSED ":prio 2 50\n:w\nq\n");
	RUN(&r, "--script", "keys.script", "a b.wsim");
	assert_int_equal(r.status, 0);
	assert_int_equal(strncmp(r.err, "gpuwl-top -b --duration=", 24), 0);
	assert_non_null(strstr(r.err, " -w 'a b.wsim'\n"));
	outcome_free(&r);
	write_file("keys.script", "q\n");
	RUN(&r, "--script", "keys.script", "a b.wsim");
	assert_string_equal(r.err, "");
	outcome_free(&r);
}

static int
write_game(void **state)
{
	in_test_folder(state);
	write_file("a b.wsim", GAME);
	return 0;
}

FIXTURES(write_game, NULL);
