/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random keys, commands, sizes and times: the console must come to the end of
 * each script with status 0, and show of the descriptor what it writes then. MONKEY_RUNS in the environment asks for more
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

#include "parser/document.h"
#include "parser/file.h"
#include "parser/text.h"
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

/* Edits of the descriptor that mean something now and then. */
static void
write_edit(FILE *f)
{
	static const char *const texts[] = {"1.RCS.500.-1.0", "f",
	    "2.VCS1.5-9.f-1/s-2.1", "a.-1", "s.-2", "T.-1", "#x", "", "1.",
	    "P.1.7", "3.DEFAULT.*.0.0", "d.5,p.9", "1.RCS.1x.0.0", "M.3.VCS",
	    "B.3", "w.1.4k", "1.RCS.5.r1-0.0", "é", "t.3"};
	static const char *const keys[] = {"d", "dd", "dd", "y", "p", "P", "{",
	    "}", "u", "<C-r>", "E", "!", "g", "G", "j", "k", "k", "J"};

	fputs("<Esc><Esc>5", f);
	for (unsigned n = below(6); n > 0; n--)
		fputs(keys[below(N(keys))], f);
	if (below(2))
		fprintf(f, "%c<C-u>%s%s", "eoO"[below(3)],
		    texts[below(N(texts))], below(4) ? "" : "<Tab>");
	fputs(below(4) ? "<Enter>\n" : "<Esc>\n", f);
}

static void
write_line(FILE *f)
{
	static const char *const commands[] = {":step b", ":profile ideal",
	    ":profile default", ":scheduler fifo", ":restart", ":speed 100",
	    ":speed max", ":speed 1", ":delay 0.2", ":profile nowhere",
	    ":pause", ":view layer", ":view f", ":view def", ":dump /dev/null",
	    ":help", ":xx", ":", ":filter vcs|ctx=2", ":filter", ":sort busy",
	    ":sort -miss", ":sort client"};
	static const unsigned sizes[] = {
	    1, 5, 9, 10, 11, 24, 39, 40, 41, 80, 132, 150, 200};
	static const unsigned times[] = {1, 100, 5000, 200000, 600000};

	switch (below(16)) {
	case 0: /* at a speed that ends in time */
		fputs(below(2) ? ":speed 1\n" : ":speed max\n", f);
		fprintf(f, "advance %uus\n", times[below(N(times))]);
		break;
	case 1:
		rows = sizes[below(N(sizes))];
		fprintf(f, "size %ux%u\n", sizes[below(N(sizes))], rows);
		break;
	case 2: fprintf(f, "%s\n", commands[below(N(commands))]); break;
	case 3:
	case 4:
	case 5:
	case 6: write_edit(f); break;
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

/* The end of a script: nothing is asked any more, the descriptor alone is
 * shown from its start, written and dumped. */
static void
write_end(FILE *f)
{
	fputs("<Esc><Esc><Esc><Esc>5\nsize 250x100\n", f);
	fputs("jJzg\n:w! end.wsim\ndump end.txt\n:q!\n", f);
}

static void
write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		_exit(125);
}

/* Runs the script on a file of that name. */
static void
execute(const char *script, const char *workload, const char *clients)
{
	char *argv[] = {realpath(pty_program(), NULL), (char *)"--script",
	    (char *)script, (char *)"-w", (char *)workload, (char *)"-c",
	    (char *)clients, NULL};
	int null = open("/dev/null", O_RDWR);

	dup2(null, 0);
	dup2(null, 1);
	alarm(TIMEOUT);
	execv(argv[0], argv);
	_exit(126);
}

static void
run_child(const char *script, const char *folder)
{
	static const char *const workloads[] = {
	    "1.RCS.1000-2000.0.0,2.VCS.3000.-1.1,p.5000",
	    "f,1.RCS.*.f-1.0,a.-2,d.500,T.-3,2.CCS.100.0.1",
	    "d.100000,1.RCS.10.0.1",
	    "1.RCS.*.0.0,2.RCS.100.0.1",
	};
	const char *workload = workloads[below(N(workloads))];

	setenv("LC_ALL", below(2) ? "C.UTF-8" : "C", 1);
	setenv("VISUAL", below(2) ? "sed -i 2,3d" : "sed -i 1p", 1);
	enter_folder(folder);
	write_file("start.wsim", workload);
	execute(
	    script, below(2) ? "start.wsim" : workload, below(2) ? "1" : "20");
}

#define TEXT_COLUMN 30 /* of the descriptor */
#define SHOWN_ROWS  100

/* Only what looks alike in every locale. */
static void
add_plain(struct text *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] > ' ' && s[i] != '?')
			text_addc(out, s[i]);
	text_addc(out, '\n');
}

static const char *
skip_columns(const char *s, int n)
{
	for (; n > 0 && *s != 0 && *s != '\n'; n--)
		do
			s++;
		while (((unsigned char)*s & 0xc0) == 0x80);
	return s;
}

/* The lines that the dump shows: rows with a number, below the title. */
static unsigned
read_shown(const char *folder, struct text *out)
{
	char path[300], row[2000];
	bool below_title = false;
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/end.txt", folder);
	f = fopen(path, "r");
	assert_non_null(f);
	for (int y = 1; fgets(row, sizeof(row), f) != NULL; y++) {
		const char *s = skip_columns(row, TEXT_COLUMN);

		if (below_title && y < SHOWN_ROWS && strspn(row, " ") < 5 &&
		    row[strspn(row, " ")] != '\n') {
			add_plain(out, s, strcspn(s, "\n"));
			n++;
		}
		below_title |= strncmp(row, " LINE", 5) == 0;
	}
	fclose(f);
	return n;
}

/* So many of the lines that were written, as they would be shown. */
static void
read_written(const char *folder, unsigned n, struct text *out)
{
	struct text contents = {0}, err = {0};
	struct document *doc;
	char path[300];

	snprintf(path, sizeof(path), "%s/end.wsim", folder);
	assert_true(file_read(path, &contents, NULL, &err));
	doc = document_parse(
	    "t", text_str(&contents), contents.len, SOURCE_FILE);
	for (size_t i = 0; i < n && i < document_n_lines(doc); i++) {
		size_t len;
		const char *s = document_line_text(doc, i, &len);

		add_plain(out, s, len);
	}
	document_free(doc);
	text_free(&contents);
}

static int
wait_for(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return status;
}

/* What the screen showed is what was written. */
static bool
is_as_shown(const char *folder)
{
	struct text shown = {0}, written = {0};
	unsigned n = read_shown(folder, &shown);
	bool same;

	read_written(folder, n, &written);
	same = strcmp(text_str(&shown), text_str(&written)) == 0;
	if (!same)
		fprintf(stderr, "shown:\n%swritten:\n%s", text_str(&shown),
		    text_str(&written));
	text_free(&shown);
	text_free(&written);
	return same;
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
	write_end(f);
	fclose(f);
	snprintf(folder, sizeof(folder), "%s.d", path);
	pid = fork();
	if (pid == 0)
		run_child(path, folder);
	status = wait_for(pid);
	if (status == 0 && !is_as_shown(folder))
		status = -1;
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
