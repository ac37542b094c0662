/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal shows the screen that the console drew, at every size, and
 * unsafe text does it no harm. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/pty.h"
#include "tests/support/pty_console.h"

TEST(resize_storm)
{
	static const int sizes[][2] = {{1, 1}, {2, 1}, {200, 1}, {1, 200},
	    {3, 3}, {500, 200}, {40, 10}, {39, 10}, {40, 9}, {80, 24},
	    {132, 43}, {10, 2}, {300, 10}, {41, 11}, {149, 60}, {150, 12}};
	struct pty *p = pty_start_console(80, 24, NULL);
	unsigned seed = 1;

	pty_wait_running(p);
	for (int i = 0; i < 200; i++) {
		if (i < 16) {
			pty_resize(p, sizes[i][0], sizes[i][1]);
		} else {
			seed = seed * 1103515245u + 12345u;
			pty_resize(p, (int)(seed >> 8) % 200 + 1,
			    (int)(seed >> 18) % 60 + 1);
		}
		if (i % 7 == 0)
			pty_send(p, i % 2 ? "z\t" : "?");
		pty_drain(p);
	}
	/* Keys refer to the size that is drawn: the cursor shows it. */
	pty_resize(p, 120, 40);
	pty_send(p, ":");
	pty_wait_cursor(p, 1, 39);
	pty_send(p, "\003");
	pty_send(p, "\033");
	pty_wait_text(p, "F10");
	/* The terminal's rows are those that the console drew. */
	pty_send(p, "\014");
	pty_free(p);
}

/* The most memory it had, in kilobytes. */
static long
memory_of(pid_t pid)
{
	char path[64], line[256];
	long kb = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		sscanf(line, "VmHWM: %ld", &kb);
	fclose(f);
	return kb;
}

#define ABSURD_KB 600000

static const int absurd_sizes[][2] = {{33000, 80}, {80, 33000}, {80, 32768},
    {32768, 1}, {65535, 200}, {10000, 10000}, {65535, 65535}, {1, 65535}};

/* Sizes beyond curses and memory: part of the terminal is used. */
TEST(absurd_sizes)
{
	struct pty *p = pty_start_console(80, 24, NULL);

	pty_wait_running(p);
	for (size_t i = 0; i < sizeof(absurd_sizes) / sizeof(*absurd_sizes);
	     i++) {
		pty_claim_size(p, absurd_sizes[i][0], absurd_sizes[i][1]);
		pty_send(p, "?");
		pty_wait_bytes(p);
		pty_send(p, "\033");
		pty_wait_bytes(p);
	}
	pty_resize(p, 120, 40);
	pty_send(p, ":speed 7\r");
	pty_wait_text(p, "speed 7x");
	assert_true(memory_of(pty_pid(p)) < ABSURD_KB);
	kill(pty_pid(p), SIGTERM);
	assert_int_equal(pty_wait_status(p), SIGTERM);
	pty_check_given_back(p);
	pty_free(p);
}

/* The same at the start, with a signal at once. */
TEST(absurd_start)
{
	char *program = realpath(pty_program(), NULL);

	assert_non_null(program);
	for (size_t i = 0; i < sizeof(absurd_sizes) / sizeof(*absurd_sizes);
	     i++) {
		char command[600];
		char *argv[] = {(char *)"/bin/sh", (char *)"-c", command, NULL};
		struct pty *p;

		snprintf(command, sizeof(command),
		    "stty cols %d rows %d; exec '%s' -w " CONSOLE_WORKLOAD,
		    absurd_sizes[i][0], absurd_sizes[i][1], program);
		p = pty_start(80, 24, argv, NULL);
		while (!pty_modes(p).alternate)
			pty_wait_bytes(p);
		kill(pty_pid(p), SIGTERM);
		assert_int_equal(pty_wait_status(p), SIGTERM);
		pty_check_given_back(p);
		pty_free(p);
	}
	free(program);
}

/* A limit on files limits no frames and does not end the console. */
TEST(file_limit)
{
	char *program = realpath(pty_program(), NULL);
	char command[600];
	char *argv[] = {(char *)"/bin/sh", (char *)"-c", command, NULL};
	struct pty *p;

	assert_non_null(program);
	snprintf(command, sizeof(command),
	    "ulimit -f 1; exec '%s' -w " CONSOLE_WORKLOAD, program);
	p = pty_start(200, 50, argv, NULL);
	pty_wait_running(p);
	pty_send(p, ":dump long.txt\r");
	pty_wait_text(p, "File too large");
	pty_send(p, "?");
	pty_wait_text(p, "Help:");
	pty_send(p, "\033:quit\r");
	assert_int_equal(pty_wait_status(p), 0);
	pty_check_given_back(p);
	pty_free(p);
	free(program);
	unlink("long.txt");
}

/* Rows are inserted and deleted below the 24th, where the terminal scrolls. */
TEST(rows_move)
{
	static char example[] = "workloads/composited.wsim";
	char *argv[] = {pty_program(), example, NULL};
	char path[] = "/tmp/gpuwl-rows-XXXXXX";
	struct pty *p = pty_start(120, 40, argv, NULL);
	struct text shown = {0}, dumped = {0};
	char command[64], buf[8192];
	int fd = mkstemp(path);
	ssize_t n;

	assert_true(fd >= 0);
	pty_wait_running(p);
	pty_send(p, " 2");
	pty_wait_text(p, "PAUSED");
	/* Both in one frame: another row, and another last row. */
	pty_send(p, "im");
	pty_wait_text(p, "idle hidden");
	snprintf(command, sizeof(command), ":dump %s\r", path);
	pty_send(p, command);
	pty_wait_text(p, "screen written");
	pty_screen(p, &shown);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		text_add(&dumped, buf, (size_t)n);
	/* All but the last two rows: a message is above the keys since. */
	assert_true(dumped.len > 1000);
	for (int i = 0; i < 3; i++)
		*strrchr(dumped.data, '\n') = 0;
	shown.data[strlen(dumped.data)] = 0;
	assert_string_equal(shown.data, dumped.data);
	close(fd);
	unlink(path);
	text_free(&shown);
	text_free(&dumped);
	pty_free(p);
}

TEST(prompt_survives_resize)
{
	struct pty *p = pty_start_console(80, 24, NULL);

	pty_wait_running(p);
	pty_send(p, ":speed 2");
	pty_wait_cursor(p, 8, 23);
	pty_resize(p, 50, 12);
	pty_wait_cursor(p, 8, 11);
	pty_resize(p, 100, 30);
	pty_wait_cursor(p, 8, 29);
	pty_wait_text(p, ":speed 2");
	assert_true(pty_modes(p).cursor);
	pty_send(p, "\r");
	pty_wait_text(p, "speed 2x");
	pty_free(p);
}

TEST(tiny_page_quits)
{
	static const int sizes[][2] = {
	    {39, 10}, {40, 9}, {20, 3}, {12, 2}, {4, 1}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct pty *p = pty_start_console(
		    sizes[i][0], sizes[i][1], NULL);
		int status;

		if (sizes[i][0] >= 12 && sizes[i][1] >= 3)
			pty_wait_text(p, "needs 40x10");
		else
			pty_wait_text(p, sizes[i][0] >= 12 ? "12x2" : "4x1");
		pty_send(p, "q");
		status = pty_wait_status(p);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		pty_free(p);
	}
}

/* An open prompt takes the keys, also where there is no room to draw it. */
TEST(tiny_prompt)
{
	struct pty *p = pty_start_console(80, 24, NULL);
	int status;

	pty_send(p, ":sp");
	pty_wait_text(p, ":sp");
	pty_resize(p, 20, 5);
	pty_wait_text(p, "Esc cancels");
	pty_send(p, "\x1b");
	pty_wait_text(p, "q quits");
	pty_send(p, "q");
	status = pty_wait_status(p);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_free(p);
}

TEST(colours)
{
	static const struct {
		const char *term, *no_color;
		bool coloured;
	} rows[] = {
	    {"TERM=xterm-256color", "NO_COLOR", true},
	    {"TERM=xterm", "NO_COLOR", true}, /* 8 */
	    {"TERM=xterm-mono", "NO_COLOR", false},
	    {"TERM=vt100", "NO_COLOR", false},
	    {"TERM=xterm-256color", "NO_COLOR=1", false},
	    {"TERM=xterm-256color", "NO_COLOR=", true}, /* empty: unset */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char term[40], no_color[20];
		char *env[] = {term, no_color, NULL};
		struct pty *p;

		snprintf(term, sizeof(term), "%s", rows[i].term);
		snprintf(no_color, sizeof(no_color), "%s", rows[i].no_color);
		p = pty_start_console(80, 24, env);
		pty_wait_text(p, "F10");
		pty_wait_text(p, "█");
		assert_int_equal(pty_has_colour(p), rows[i].coloured);
		pty_free(p);
	}
}

/* Output is ASCII only, and meters still tell busy from blocked. */
TEST(ascii_locale)
{
	static const char *const keys[] = {"4", "\033", "3", "z", "z", "5",
	    "e\303\251\t", "\033", "?", "q", "W", "q", ":prof\t", "\003", "0",
	    "=", "t", ":compare guc\r", "\033[<0;40;8M"};
	char *env[] = {(char *)"LC_ALL=C", NULL};
	char *argv[] = {pty_program(), (char *)"-w",
	    (char *)"1.RCS.1000.0.0,#\303\251\346\227\245,p.5000", NULL};
	struct pty *p = pty_start(120, 40, argv, env);
	const struct text *stream;

	pty_wait_text(p, "F10");
	pty_wait_text(p, "[#");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		pty_send(p, keys[i]);
		pty_drain(p);
	}
	pty_send(p, "\033:q!\r");
	pty_wait_status(p);
	stream = pty_stream(p);
	for (size_t i = 0; i < stream->len; i++)
		assert_true((unsigned char)stream->data[i] < 0x80);
	pty_free(p);
}

TEST(hostile_file)
{
	static const char bytes[] =
	    "# c1 \xc2\x9b"
	    "31m \xc2\x9d"
	    "0;owned rtl \xe2\x80\xae"
	    "abc\n"
	    "# wide \xe6\x97\xa5\xe6\x9c\xac tab\there joined a\xcc\x81\n"
	    "1.RCS.1000.0.1\n";
	char path[] = "/tmp/gpuwl-hostile-XXXXXX";
	char *argv[] = {pty_program(), path, NULL};
	struct text screen = {0};
	struct pty *p;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(
	    write(fd, bytes, sizeof(bytes) - 1), sizeof(bytes) - 1);
	close(fd);
	p = pty_start(100, 30, argv, NULL);
	pty_wait_text(p, "F10");
	pty_send(p, "\t\tg");
	pty_wait_text(p, "c1 ?31m ?0;owned rtl ?abc");
	pty_wait_text(p, "wide 日本 tab here joined a\xcc\x81");
	pty_screen(p, &screen);
	assert_non_null(strstr(text_str(&screen), "CLIENT"));
	text_free(&screen);
	pty_free(p);
	unlink(path);
}

/* Diagnostics of hostile text are shown on the way out, harmless too. */
TEST(hostile_errors)
{
	char *argv[] = {pty_program(), (char *)"-w",
	    (char *)"\033]0;owned\007,1.\033[2J.1.0.0", NULL, NULL};
	struct pty *p = pty_start(100, 30, argv, NULL);
	int status;

	/* The console opens the file, so that it can be corrected. */
	pty_wait_text(p, "?]0;owned?");
	pty_wait_text(p, "1.?[2J.1.0.0");
	pty_send(p, ":q!\r");
	status = pty_wait_status(p);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_free(p);
	/* Batch mode shows the diagnostics. */
	argv[3] = (char *)"-b";
	p = pty_start(100, 30, argv, NULL);
	status = pty_wait_status(p);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	assert_true(pty_shows(p, "?]0;owned?"));
	assert_true(pty_shows(p, "?[2J"));
	pty_free(p);
}

/* After many changes the terminal shows the screen that the console drew. */
TEST(terminal_agrees_with_dump)
{
	static const char script[] = "advance 1s\n<Tab>z\nadvance 1s\nz<Tab>z\n"
				     "z.bB\n?<PgDn>q\n:speed 5\n.b\n"
				     ":dump %s.dump\n";
	char path[] = "/tmp/gpuwl-agree-XXXXXX", dump[64];
	char *argv[] = {pty_program(), (char *)"--script", path, (char *)"-w",
	    (char *)CONSOLE_WORKLOAD, NULL};
	struct text screen = {0};
	char *drawn = calloc(1, 100000), *end;
	struct pty *p;
	FILE *f;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	f = fdopen(fd, "w");
	fprintf(f, script, path);
	fclose(f);
	p = pty_start(120, 40, argv, NULL);
	pty_wait_text(p, "screen written to");
	pty_screen(p, &screen);
	snprintf(dump, sizeof(dump), "%s.dump", path);
	f = fopen(dump, "r");
	assert_non_null(f);
	assert_true(fread(drawn, 1, 99999, f) > 0);
	fclose(f);
	/* The last line names the file. */
	end = strstr(screen.data, "screen written to");
	assert_non_null(end);
	*end = 0;
	assert_memory_equal(drawn, screen.data, strlen(screen.data));
	free(drawn);
	text_free(&screen);
	pty_free(p);
	unlink(path);
	unlink(dump);
}
