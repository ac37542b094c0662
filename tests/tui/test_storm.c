/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hundreds of sizes, and stops, while something is open: a prompt, a line being
 * edited in its place, a question, a page. It is still open then, what is typed
 * goes to it, and the terminal shows what the console believes that it does.
 * And a long file on a real terminal.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define N_SIZES 300
#define COLS    100
#define ROWS    30

/* Pages and prompts: the keys that open one, the text that shows it, and keys and
 * text that show that it takes keys. */
static const struct opened {
	const char *keys, *shown, *then, *done;
} opened[] = {
    {":speed 2", ":speed 2", "5\r", "speed 25x"},
    {":step \t", " batch  event  iteration", "\003:speed 3\r", "speed 3x"},
    {"5jje\001", "Enter accepts the line", "# note \r", "# note 1.RCS"},
    {":prio 1 7\rq", "w write and quit", "\033:speed 4\r", "speed 4x"},
    {"?", "Help:", "q:speed 5\r", "speed 5x"},
    {"\033OQ", "Settings (:set", "q:speed 6\r", "speed 6x"},
    {"4z", "        timeline", ":speed 7\r", "speed 7x"},
};
#define N_OPENED (sizeof(opened) / sizeof(*opened))

/* A terminal that has no "rep": libvterm takes the last column but one for the
 * last after it, and scrolls. */
static struct pty *
start(const char *path, const char *locale)
{
	char *argv[] = {pty_program(), (char *)path, NULL};
	char *env[] = {test_state_home(), (char *)"TERM=screen-256color",
	    (char *)locale, NULL};

	return pty_start(COLS, ROWS, argv, env);
}

/* Paused, so that nothing changes by itself. */
static struct pty *
open_one(const struct opened *o, const char *locale)
{
	struct pty *p;

	write_file(
	    "a.wsim", "P.1.1\n1.VCS1.10.0.0\n1.RCS.1000-2000.0.0\np.5000\n");
	p = start("a.wsim", locale);
	pty_wait_text(p, "workloads/s");
	pty_send(p, " ");
	pty_wait_text(p, "PAUSED");
	pty_send(p, o->keys);
	pty_wait_text(p, o->shown);
	return p;
}

/* Rows of the screen from the first on, without the last two, which have the
 * message and what is asked. */
static void
expect_agreement(struct pty *p)
{
	char dumped[ROWS * COLS * 8] = "";
	struct text shown = {0};
	FILE *f;

	pty_send(p, ":dump dump.txt\r");
	pty_wait_text(p, "screen written to dump.txt");
	pty_screen(p, &shown);
	f = fopen("dump.txt", "r");
	assert_non_null(f);
	assert_true(fread(dumped, 1, sizeof(dumped) - 1, f) > 300);
	fclose(f);
	for (int i = 0; i < 3; i++)
		*strrchr(dumped, '\n') = 0;
	shown.data[strlen(dumped)] = 0;
	assert_string_equal(shown.data, dumped);
	text_free(&shown);
}

static void
finish(struct pty *p, const struct opened *o)
{
	pty_send(p, o->then);
	pty_wait_text(p, o->done);
	expect_agreement(p);
	pty_send(p, ":q!\r");
	assert_int_equal(pty_wait_status(p), 0);
}

TEST(sizes)
{
	static const int corners[][2] = {{1, 1}, {500, 200}, {1, 200}, {500, 1},
	    {2, 2}, {40, 10}, {39, 10}, {40, 9}, {3, 200}, {200, 3}};
	unsigned seed = 7;

	for (size_t i = 0; i < N_OPENED; i++) {
		struct pty *p = open_one(&opened[i], NULL);

		for (int n = 0; n < N_SIZES; n++) {
			int cols, rows;

			seed = seed * 1103515245u + 12345u;
			cols = (int)((seed >> 8) % 500) + 1;
			rows = (int)((seed >> 18) % 200) + 1;
			if (n < 10) {
				cols = corners[n][0];
				rows = corners[n][1];
			}
			pty_resize(p, cols, rows);
			pty_drain(p);
			if (n % 50 == 0)
				pty_wait_bytes(p);
		}
		pty_resize(p, COLS, ROWS);
		pty_wait_text(p, opened[i].shown);
		finish(p, &opened[i]);
		pty_free(p);
	}
}

/* The terminal is given back meanwhile, also where its size changes then. */
TEST(stops)
{
	for (size_t i = 0; i < N_OPENED; i++) {
		struct pty *p = open_one(&opened[i], NULL);
		struct pty_modes before = pty_first_modes(p);

		for (int n = 0; n < 3; n++) {
			struct pty_modes now;

			if (n == 0)
				pty_send(p, "\032");
			else
				kill(pty_pid(p), SIGTSTP);
			assert_true(WIFSTOPPED(pty_wait_status(p)));
			pty_drain(p);
			now = pty_modes(p);
			assert_true(pty_same_modes(&before, &now));
			pty_resize(p, COLS - n, ROWS + n);
			kill(pty_pid(p), SIGCONT);
			pty_wait_text(p, opened[i].shown);
		}
		pty_resize(p, COLS, ROWS);
		pty_wait_text(p, opened[i].shown);
		finish(p, &opened[i]);
		pty_free(p);
	}
}

/* In an ASCII locale all that comes is that. */
TEST(ascii)
{
	for (size_t i = 0; i < N_OPENED; i++) {
		struct pty *p = open_one(&opened[i], "LC_ALL=C");
		const struct text *stream;

		pty_resize(p, 200, 50);
		pty_resize(p, 40, 10);
		pty_resize(p, COLS, ROWS);
		pty_wait_text(p, opened[i].shown);
		finish(p, &opened[i]);
		stream = pty_stream(p);
		for (size_t k = 0; k < stream->len; k++)
			assert_true((unsigned char)stream->data[k] < 0x80);
		pty_free(p);
	}
}

#define STEPS 100000

static void
put_long(const char *name, const char *last)
{
	struct text t = {0};

	for (unsigned i = 1; i < STEPS; i++)
		text_addf(&t, "%u.RCS.%u.0.0\n", 1 + i % 9, 10 + i % 77);
	text_adds(&t, last);
	write_file(name, text_str(&t));
	text_free(&t);
}

/* Opened, scrolled to its end, edited, killed, recovered, saved. */
TEST(long_file)
{
	struct pty *p;

	put_long("long.wsim", "p.900\n");
	put_long("wanted.wsim", "p.9001\n");
	p = start("long.wsim", NULL);
	pty_wait_text(p, "workloads/s");
	pty_send(p, "5zG");
	pty_wait_text(p, "100000 ");
	pty_wait_text(p, "p.900");
	pty_send(p, "e1\r");
	pty_wait_text(p, "p.9001");
	pty_wait_text(p, "[+]");
	pty_send(p, "g");
	pty_wait_text(p, "2.RCS.11.0.0");
	while (access(".long.wsim.gpuwl-recover", F_OK) != 0)
		pty_wait_bytes(p);
	kill(pty_pid(p), SIGKILL);
	pty_wait_status(p);
	pty_free(p);
	p = start("long.wsim", NULL);
	pty_wait_text(p, "unsaved edits of long.wsim");
	pty_send(p, "d");
	pty_wait_text(p, "100000 + p.9001");
	pty_send(p, "q");
	pty_wait_text(p, "unsaved edits of long.wsim");
	pty_send(p, "r");
	pty_wait_text(p, "[+]");
	pty_send(p, "w");
	pty_wait_text(p, "long.wsim written, 100000 lines");
	pty_send(p, "q");
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
	assert_int_equal(system("cmp long.wsim wanted.wsim"), 0);
}

FIXTURES(in_test_folder, NULL);
