/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random keys, commands, sizes and times: the console must come to the end of
 * each script with status 0. MONKEY_RUNS in the environment asks for more
 * scripts, MONKEY_SEED for where to begin; a script that fails is kept.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/pty.h"
#include "tui/input/keys.h"

#define LINES_PER_SCRIPT 150
#define TIMEOUT          60

#define N(array) (sizeof(array) / sizeof(*(array)))

static uint32_t seed;
static unsigned rows; /* of the screen */

static unsigned
below(unsigned n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

/* A click on the last line may be one on Quit. */
static void
write_mouse(FILE *f)
{
	static const char *const kinds[] = {"Click", "WheelUp", "WheelDown"};
	unsigned kind = below(3);
	unsigned x = 1 + below(120);
	unsigned y = 1 + below(kind == 0 && rows > 1 ? rows - 1 : 60);

	fprintf(f, "<%s %u,%u>", kinds[kind], x, y);
	if (below(2)) /* twice is Enter */
		fprintf(f, "<%s %u,%u>", kinds[kind], x, y);
}

static void
write_key(FILE *f)
{
	static const char *const other[] = {"<Enter>", "<Delete>", "<Insert>",
	    "<F3>", "<C-a>", "<C-d>", "<C-k>", "<C-p>", "<C-r>", "<C-t>",
	    "<C-u>", "<C-w>", "<C-y>", "a", "e", "0", "7", "x", "é", "日", "\\",
	    "<Space>"};
	const struct key_row *row = &key_rows[below((unsigned)n_key_rows)];
	const char *name;
	size_t len;

	if (below(8) == 0) {
		write_mouse(f);
		return;
	}
	if (below(3) == 0) {
		fputs(other[below(N(other))], f);
		return;
	}
	name = key_name_at(row->keys, below(2), &len);
	/* What ends the program would end the test. */
	if (name == NULL || row->action == ACT_QUIT ||
	    row->action == ACT_INTERRUPT || row->action == ACT_CLOSE)
		fputs("<Esc>", f);
	else if (len == 1 && *name == '<')
		fputs("<lt>", f);
	else if (len == 1 && *name == '/') /* writes in its own folder only */
		fputs("<F3>", f);
	else
		fprintf(f, len == 1 ? "%.*s" : "<%.*s>", (int)len, name);
}

static void
write_line(FILE *f)
{
	static const char *const commands[] = {":step b", ":profile ideal",
	    ":profile default", ":scheduler fifo", ":restart", ":speed 100",
	    ":speed max", ":speed 1", ":delay 0.2", ":profile nowhere",
	    ":pause", ":dump /dev/null", ":help", ":xx", ":",
	    ":filter vcs|ctx=2", ":filter", ":sort busy", ":sort -miss",
	    ":sort client"};
	static const unsigned sizes[] = {
	    1, 5, 9, 10, 11, 24, 39, 40, 41, 80, 132, 150, 200};
	static const unsigned times[] = {1, 100, 5000, 200000, 600000};

	switch (below(12)) {
	case 0: /* at a speed that ends in time */
		fputs(below(2) ? ":speed 1\n" : ":speed max\n", f);
		fprintf(f, "advance %uus\n", times[below(N(times))]);
		break;
	case 1:
		rows = sizes[below(N(sizes))];
		fprintf(f, "size %ux%u\n", sizes[below(N(sizes))], rows);
		break;
	case 2: fprintf(f, "%s\n", commands[below(N(commands))]); break;
	default:
		fputc('j', f); /* so that no line is a directive */
		for (unsigned n = below(8); n > 0; n--)
			write_key(f);
		fputc('\n', f);
	}
}

/* What is written is written where nothing else is. */
static void
enter_folder(const char *folder)
{
	if (mkdir(folder, 0700) != 0 || chdir(folder) != 0)
		_exit(125);
	setenv("HOME", folder, 1);
}

static void
leave_nothing(const char *folder)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	assert_int_equal(system(command), 0);
}

static void
run_child(char *script, const char *folder)
{
	static char *const workloads[] = {
	    (char *)"1.RCS.1000-2000.0.0,2.VCS.3000.-1.1,p.5000",
	    (char *)"f,1.RCS.*.f-1.0,a.-2,d.500,T.-3,2.CCS.100.0.1",
	    (char *)"d.100000,1.RCS.10.0.1",
	    (char *)"1.RCS.*.0.0,2.RCS.100.0.1",
	};
	char *argv[] = {realpath(pty_program(), NULL), (char *)"--script",
	    script, (char *)"-w", workloads[below(N(workloads))], (char *)"-c",
	    (char *)(below(2) ? "1" : "20"), NULL};
	int null = open("/dev/null", O_RDWR);

	dup2(null, 0);
	dup2(null, 1);
	setenv("LC_ALL", below(2) ? "C.UTF-8" : "C", 1);
	enter_folder(folder);
	alarm(TIMEOUT);
	execv(argv[0], argv);
	_exit(126);
}

static bool
try_seed(uint32_t first)
{
	char path[] = "/tmp/gpuwl-monkey-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	char folder[64];
	int status;
	pid_t pid;

	assert_non_null(f);
	seed = first;
	rows = 24;
	for (int i = 0; i < LINES_PER_SCRIPT; i++)
		write_line(f);
	fclose(f);
	snprintf(folder, sizeof(folder), "%s.d", path);
	pid = fork();
	if (pid == 0)
		run_child(path, folder);
	waitpid(pid, &status, 0);
	leave_nothing(folder);
	if (status == 0)
		unlink(path);
	else
		fprintf(stderr, "seed %u, script %s: status %#x\n", first, path,
		    (unsigned)status);
	return status == 0;
}

static unsigned
setting(const char *name, unsigned otherwise)
{
	const char *s = getenv(name);

	return s != NULL ? (unsigned)strtoul(s, NULL, 10) : otherwise;
}

static void
test_random_keys(void **state)
{
	unsigned from = setting("MONKEY_SEED", 1);
	unsigned runs = setting("MONKEY_RUNS", 8);
	unsigned failed = 0;

	(void)state;
	for (unsigned i = 0; i < runs; i++)
		failed += !try_seed(from + i);
	assert_int_equal(failed, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
