/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console on a real pty: what comes back after every signal, sizes,
 * stops, locales, colours, hostile files, and terminals that go away. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "parser/text.h"
#include "tests/support/pty.h"

/* Ends by itself never, and always has something running. */
#define WORKLOAD "1.RCS.1000-2000.0.0,2.VCS1.3000.0.0,2.RCS.500.-1.1,p.5000"

static struct pty *
start_with(int cols, int rows, char *const env[])
{
	char *argv[] = {pty_program(), (char *)"-w", (char *)WORKLOAD, NULL};

	return pty_start(cols, rows, argv, env);
}

static struct pty *
start(void)
{
	return start_with(80, 24, NULL);
}

/* Of the processor, so far. */
static double
seconds_of(pid_t pid)
{
	unsigned long long ns = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%llu", &ns), 1);
	fclose(f);
	return (double)ns / 1e9;
}

/* The processor's time and not that of the wall, which others have a part in
 * (`make bench` measures that). */
static void
test_starts_at_once(void **state)
{
	double best = 1e9;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct pty *p = start();
		double taken;

		pty_wait_text(p, "F10");
		taken = seconds_of(pty_pid(p));
		if (taken < best)
			best = taken;
		pty_free(p);
	}
#ifdef GPUWL_INVARIANTS
	assert_true(best < 2);
#else
	assert_true(best < 0.1);
#endif
}

/* Is everything as it was before the program came? */
static void
check_given_back(struct pty *p)
{
	struct pty_modes before = pty_first_modes(p), after;

	pty_drain(p);
	after = pty_modes(p);
	assert_true(pty_same_modes(&before, &after));
}

static void
wait_running(struct pty *p)
{
	struct pty_modes m;

	pty_wait_text(p, "F10");
	m = pty_modes(p);
	assert_true(m.alternate);
	assert_false(m.cursor);
	assert_true(m.keypad);
	assert_int_equal(m.mouse, 1); /* clicks, and no motion */
}

static void
test_quit_keys(void **state)
{
	static const struct {
		const char *keys;
		int status, sig;
	} ways[] = {
	    {"q", 0, 0},
	    {"\033[21~", 0, 0}, /* F10 */
	    {":quit\r", 0, 0},
	    {"?\033q", 0, 0}, /* closes help first */
	    {"\003", 0, SIGINT},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct pty *p = start();
		int status;

		wait_running(p);
		for (const char *k = ways[i].keys; *k != 0; k++) {
			char key[2] = {*k, 0};

			/* Esc alone is not the start of the next key. */
			if (*k == '\033' && k[1] == 'q') {
				pty_wait_text(p, "Help:");
				pty_send(p, key);
				pty_wait_gone(p, "Help:");
			} else {
				pty_send(p, key);
			}
		}
		status = pty_wait_status(p);
		if (ways[i].sig != 0)
			assert_true(WIFSIGNALED(status) &&
			    WTERMSIG(status) == ways[i].sig);
		else
			assert_true(WIFEXITED(status) &&
			    WEXITSTATUS(status) == ways[i].status);
		check_given_back(p);
		pty_free(p);
	}
}

/* Stopped by key or signal it gives the terminal back; continued, also at
 * another size, it paints all of it again. */
static void
test_stop_and_continue(void **state)
{
	struct pty *p = start();
	struct pty_modes running;

	(void)state;
	wait_running(p);
	running = pty_modes(p);
	for (int i = 0; i < 3; i++) {
		struct pty_modes now;
		int status;

		if (i == 0)
			pty_send(p, "\032");
		else
			kill(pty_pid(p), SIGTSTP);
		status = pty_wait_status(p);
		assert_true(WIFSTOPPED(status));
		check_given_back(p);
		if (i == 2)
			pty_resize(p, 100, 30);
		kill(pty_pid(p), SIGCONT);
		pty_wait_text(p, "F10");
		now = pty_modes(p);
		assert_true(pty_same_modes(&running, &now));
	}
	pty_send(p, "?");
	pty_wait_text(p, "Help:");
	pty_free(p);
}

/* SIGSTOP can't be caught: SIGCONT must do. */
static void
test_hard_stop(void **state)
{
	struct pty *p = start();

	(void)state;
	wait_running(p);
	kill(pty_pid(p), SIGSTOP);
	assert_true(WIFSTOPPED(pty_wait_status(p)));
	kill(pty_pid(p), SIGCONT);
	pty_send(p, "?");
	pty_wait_text(p, "Help:");
	pty_free(p);
}

static void
test_hangup(void **state)
{
	struct pty *p = start();
	int status;

	(void)state;
	wait_running(p);
	pty_hang_up(p);
	status = pty_wait_status(p);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	pty_free(p);
}

/* A terminal that takes nothing more does not keep the program. */
static void
test_stalled_terminal(void **state)
{
	struct pty *p = start_with(500, 200, NULL);
	int status;

	(void)state;
	wait_running(p);
	pty_be_deaf(p);
	for (int i = 0; i < 200; i++)
		pty_send(p, "?\014");
	kill(pty_pid(p), SIGTERM);
	status = pty_wait_status(p);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	pty_free(p);
}

/* Without a terminal: status 2 and a word about it, no escape sequence. */
static void
test_no_terminal(void **state)
{
	char command[512];
	char said[512] = "";
	FILE *f;
	size_t n;
	int status;

	(void)state;
	snprintf(command, sizeof(command), "%s -w '%s' 2>&1 </dev/null",
	    pty_program(), WORKLOAD);
	f = popen(command, "r");
	assert_non_null(f);
	n = fread(said, 1, sizeof(said) - 1, f);
	status = pclose(f);
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_non_null(strstr(said, "terminal"));
	assert_null(memchr(said, '\033', n));
}

static void
test_unknown_terminal(void **state)
{
	char *env[] = {(char *)"TERM=no-such-terminal", NULL};
	struct pty *p = start_with(80, 24, env);
	int status = pty_wait_status(p);

	(void)state;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
	assert_true(pty_shows(p, "no-such-terminal"));
	pty_free(p);
}

/* Entries with a size and without one, with a second screen and without. */
static void
test_common_terminals(void **state)
{
	static const char *const terms[] = {
	    "linux", "vt100", "vt220", "xterm", "screen-256color", "ansi"};

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		char term[40];
		char *env[] = {term, NULL};
		struct pty *p;

		snprintf(term, sizeof(term), "TERM=%s", terms[i]);
		p = start_with(100, 30, env);
		pty_wait_text(p, "F10");
		pty_wait_text(p, "LATENCY");
		pty_send(p, ":");
		pty_wait_cursor(p, 1, 29); /* the size is that of the pty */
		pty_send(p, "\003q");
		assert_int_equal(pty_wait_status(p), 0);
		pty_free(p);
	}
}

static void
test_resize_storm(void **state)
{
	static const int sizes[][2] = {{1, 1}, {2, 1}, {200, 1}, {1, 200},
	    {3, 3}, {500, 200}, {40, 10}, {39, 10}, {40, 9}, {80, 24},
	    {132, 43}, {10, 2}, {300, 10}, {41, 11}, {149, 60}, {150, 12}};
	struct pty *p = start();
	unsigned seed = 1;

	(void)state;
	wait_running(p);
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
	/* Keys count for the size that is drawn: the cursor tells. */
	pty_resize(p, 120, 40);
	pty_send(p, ":");
	pty_wait_cursor(p, 1, 39);
	pty_send(p, "\003");
	pty_send(p, "\033");
	pty_wait_text(p, "F10");
	/* What the terminal shows is what the console believes. */
	pty_send(p, "\014");
	pty_free(p);
}

/* Rows are put in and taken out below the 24th, where a terminal scrolls: it
 * shows what the console believes that it does. */
static void
test_rows_move(void **state)
{
	static char example[] = "workloads/composited.wsim";
	char *argv[] = {pty_program(), example, NULL};
	char path[] = "/tmp/gpuwl-rows-XXXXXX";
	struct pty *p = pty_start(120, 40, argv, NULL);
	struct text shown = {0}, dumped = {0};
	char command[64], buf[8192];
	int fd = mkstemp(path);
	ssize_t n;

	(void)state;
	assert_true(fd >= 0);
	wait_running(p);
	pty_send(p, " 2");
	pty_wait_text(p, "PAUSED");
	/* One frame for both: a row more, and another last one. */
	pty_send(p, "im");
	pty_wait_text(p, "idle hidden");
	snprintf(command, sizeof(command), ":dump %s\r", path);
	pty_send(p, command);
	pty_wait_text(p, "screen written");
	pty_screen(p, &shown);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		text_add(&dumped, buf, (size_t)n);
	/* But for the last row, which has changed since. */
	assert_true(dumped.len > 1000);
	*strrchr(dumped.data, '\n') = 0;
	*strrchr(dumped.data, '\n') = 0;
	shown.data[strlen(dumped.data)] = 0;
	assert_string_equal(shown.data, dumped.data);
	close(fd);
	unlink(path);
	text_free(&shown);
	text_free(&dumped);
	pty_free(p);
}

static void
test_prompt_survives_resize(void **state)
{
	struct pty *p = start();

	(void)state;
	wait_running(p);
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

static void
test_tiny_page_quits(void **state)
{
	static const int sizes[][2] = {
	    {39, 10}, {40, 9}, {20, 3}, {12, 2}, {4, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct pty *p = start_with(sizes[i][0], sizes[i][1], NULL);
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

static void
test_colours(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char term[40], no_color[20];
		char *env[] = {term, no_color, NULL};
		struct pty *p;

		snprintf(term, sizeof(term), "%s", rows[i].term);
		snprintf(no_color, sizeof(no_color), "%s", rows[i].no_color);
		p = start_with(80, 24, env);
		pty_wait_text(p, "F10");
		pty_wait_text(p, "█");
		assert_int_equal(pty_has_colour(p), rows[i].coloured);
		pty_free(p);
	}
}

/* Only ASCII may come, whatever is typed and shown, and meters still tell busy
 * from waiting. */
static void
test_ascii_locale(void **state)
{
	static const char *const keys[] = {"4", "\033", "3", "z", "z", "5",
	    "e\303\251\t", "\033", "?", "q", "W", "q", ":prof\t", "\003", "0",
	    "=", "t", ":compare guc\r", "\033[<0;40;8M"};
	char *env[] = {(char *)"LC_ALL=C", NULL};
	char *argv[] = {pty_program(), (char *)"-w",
	    (char *)"1.RCS.1000.0.0,#\303\251\346\227\245,p.5000", NULL};
	struct pty *p = pty_start(120, 40, argv, env);
	const struct text *stream;

	(void)state;
	pty_wait_text(p, "F10");
	pty_wait_text(p, "[|");
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

static void
test_hostile_file(void **state)
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

	(void)state;
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

/* What the parser refuses is shown on the way out, harmless as well. */
static void
test_hostile_errors(void **state)
{
	char *argv[] = {pty_program(), (char *)"-w",
	    (char *)"\033]0;owned\007,1.\033[2J.1.0.0", NULL, NULL};
	struct pty *p = pty_start(100, 30, argv, NULL);
	int status;

	(void)state;
	/* The console opens it, to be mended. */
	pty_wait_text(p, "?]0;owned?");
	pty_wait_text(p, "1.?[2J.1.0.0");
	pty_send(p, ":q!\r");
	status = pty_wait_status(p);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_free(p);
	/* A batch run says what is wrong with it. */
	argv[3] = (char *)"-b";
	p = pty_start(100, 30, argv, NULL);
	status = pty_wait_status(p);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	assert_true(pty_shows(p, "?]0;owned?"));
	assert_true(pty_shows(p, "?[2J"));
	pty_free(p);
}

/* What the terminal shows after many changes is what the console drew. */
static void
test_terminal_agrees_with_dump(void **state)
{
	static const char script[] = "advance 1s\n<Tab>z\nadvance 1s\nz<Tab>z\n"
				     "z.bB\n?<PgDn>q\n:speed 5\n.b\n"
				     ":dump %s.dump\n";
	char path[] = "/tmp/gpuwl-agree-XXXXXX", dump[64];
	char *argv[] = {pty_program(), (char *)"--script", path, (char *)"-w",
	    (char *)WORKLOAD, NULL};
	struct text screen = {0};
	char *drawn = calloc(1, 100000), *end;
	struct pty *p;
	FILE *f;
	int fd = mkstemp(path);

	(void)state;
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
	/* The last line says where it was written. */
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

/* The selected context stays selected, whatever the order and the run. */
static void
test_selection_follows(void **state)
{
	char *argv[] = {pty_program(), (char *)"-w",
	    (char *)"tests/tui/scripts/many.wsim", NULL};
	struct pty *p = pty_start(80, 24, argv, NULL);

	(void)state;
	wait_running(p);
	pty_wait_reverse(p, "     0    0 ");
	pty_send(p, "jjjj");
	pty_wait_reverse(p, "     0    4 ");
	pty_send(p, " P"); /* by busy: context 4 moves */
	pty_wait_text(p, "BUSY%");
	pty_wait_reverse(p, "     0    4 ");
	pty_send(p, "II");
	pty_wait_reverse(p, "     0    4 ");
	pty_send(p, "C");
	pty_wait_text(p, "▴CLIENT");
	pty_wait_reverse(p, "     0    4 ");
	pty_send(p, "R");
	pty_wait_text(p, "restarted");
	pty_wait_reverse(p, "     0    4 ");
	pty_send(p, "\033[B"); /* arrow keys, in both their forms */
	pty_wait_reverse(p, "     0    5 ");
	pty_send(p, "\033OB");
	pty_wait_reverse(p, "     0    6 ");
	pty_free(p);
}

static void
test_prompt_editing(void **state)
{
	char home[] = "/tmp/gpuwl-home-XXXXXX", env_home[64], command[80];
	char *env[] = {env_home, NULL};
	struct pty *p;

	(void)state;
	assert_non_null(mkdtemp(home));
	snprintf(env_home, sizeof(env_home), "XDG_STATE_HOME=%s", home);
	p = start_with(80, 24, env);
	wait_running(p);
	/* Emacs keys, and the views go on meanwhile. */
	pty_send(p, ":peed 5\001s\005");
	pty_wait_text(p, ":speed 5");
	pty_send(p, "\r");
	pty_wait_text(p, "speed 5x");
	/* Completion: one, then many. */
	pty_send(p, ":sch\t");
	pty_wait_cursor(p, 11, 23);
	pty_wait_text(p, ":scheduler");
	pty_send(p, "\033"); /* Esc cancels */
	pty_wait_gone(p, ":scheduler");
	pty_send(p, ":step \t");
	pty_wait_text(p, " batch  event  iteration");
	pty_send(p, "\003"); /* so does Ctrl-C */
	pty_wait_gone(p, ":step");
	pty_send(p, ":nonsense\r");
	pty_wait_text(p, "no such command: nonsense");
	pty_send(p, "q");
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
	/* Another day. */
	p = start_with(80, 24, env);
	wait_running(p);
	pty_send(p, ":\033[A\033[A");
	pty_wait_text(p, ":speed 5");
	pty_free(p);
	snprintf(command, sizeof(command), "rm -r %s", home);
	assert_int_equal(system(command), 0);
}

/* Names as they are accepted, and how many of them had no room. */
static void
test_completion_of_profiles(void **state)
{
	struct pty *p = start_with(50, 14, NULL);

	(void)state;
	wait_running(p);
	pty_send(p, ":prof\t\t");
	pty_wait_text(p, "adl-n     adl-p     ");
	pty_wait_text(p, " more");
	pty_send(p, "skl-gt2\t");
	pty_wait_text(p, ":profile skl-gt2");
	assert_false(pty_shows(p, ".ini"));
	pty_send(p, "\r");
	pty_wait_text(p, "restarted with profile skl-gt2");
	pty_free(p);
}

/* No view has a key beyond ASCII; the prompt has them whole. */
static void
test_characters_beyond_ascii(void **state)
{
	struct pty *p = start();

	(void)state;
	wait_running(p);
	/* Without their 8th bits: Space, q, i, Ctrl-C among others. */
	pty_send(p, "€éñ\xf1\x81\x80\x80\xc2\x83");
	pty_send(p, ":é€\xf0\x9f\x98\x80");
	pty_wait_text(p, ":é€\xf0\x9f\x98\x80");
	assert_false(pty_shows(p, "PAUSED"));
	assert_true(pty_shows(p, "▴CLIENT"));
	pty_send(p, "\177\177");
	pty_wait_gone(p, "€");
	pty_send(p, "\r");
	pty_wait_text(p, "no such command: é");
	pty_free(p);
}

static void
test_vi_mode(void **state)
{
	char path[] = "/tmp/gpuwl-inputrc-XXXXXX", env_rc[64];
	char *env[] = {env_rc, (char *)"XDG_STATE_HOME=/nonexistent", NULL};
	struct pty *p;
	int fd = mkstemp(path);

	(void)state;
	assert_true(write(fd, "set editing-mode vi\n", 20) == 20);
	close(fd);
	snprintf(env_rc, sizeof(env_rc), "INPUTRC=%s", path);
	p = start_with(80, 24, env);
	wait_running(p);
	pty_send(p, ":xspeed 3");
	pty_wait_text(p, ":xspeed 3");
	pty_send(p, "\033");
	/* Esc must be alone to be Esc: what follows waits for the cursor. */
	pty_wait_cursor(p, 8, 23);
	pty_send(p, "0x");
	pty_wait_text(p, ":speed 3");
	pty_send(p, "\r");
	pty_wait_text(p, "speed 3x");
	pty_free(p);
	unlink(path);
}

/* The first row of contexts is the 12th of the screen. */
static void
test_mouse(void **state)
{
	char *argv[] = {pty_program(), (char *)"-w",
	    (char *)"tests/tui/scripts/many.wsim", NULL};
	struct pty *p = pty_start(80, 24, argv, NULL);

	(void)state;
	wait_running(p);
	pty_send(p, " \033[<0;5;14M\033[<0;5;14m");
	pty_wait_reverse(p, "     0    2 ");
	pty_send(p, "\033[M %/\033[M#%/"); /* the older form */
	pty_wait_reverse(p, "     0    3 ");
	/* In pieces; the wheel takes the cursor along. */
	pty_send(p, "\033[<65;5;");
	pty_drain(p);
	pty_send(p, "14M\033[<65;5;14M");
	pty_wait_reverse(p, "     0    6 ");
	pty_send(p, "\033[<0;58;11M"); /* BUSY% */
	pty_wait_text(p, "▾BUSY%");
	pty_send(p, "\033[<0;2;24M"); /* F1 Help */
	pty_wait_text(p, "Help:");
	pty_send(p, "\033[<0;2;24M"); /* q Close */
	pty_wait_gone(p, "Help:");
	pty_send(p, "\024");
	pty_wait_text(p, "text can be selected");
	pty_drain(p);
	assert_int_equal(pty_modes(p).mouse, 0);
	pty_send(p, "\024");
	pty_wait_text(p, "the mouse is used here");
	pty_drain(p);
	assert_int_equal(pty_modes(p).mouse, 1);
	pty_send(p, "q");
	assert_int_equal(pty_wait_status(p), 0);
	check_given_back(p);
	pty_free(p);
}

/* What is no report of the mouse does nothing, and takes no key with it that
 * comes later. */
static void
test_hostile_mouse(void **state)
{
	static const char *const bytes[] = {
	    "\033[<0;99999999999999999999999;99999999999999M",
	    "\033[<99999999999999999999;1;1M", "\033[<M", "\033[<;;M",
	    "\033[<0;5M", "\033[<0;5;14;9M", "\033[<0;0;0M", "\033[<35;5;14M",
	    "\033[<0;5;14q", "\033[<-5;5;5M", "\033[M###", "\033[M\377\377\377",
	    "\033[<0;1000;1000M", "\033[<65;1000;2M", "\033[<0;5;14"};
	struct pty *p = start();

	(void)state;
	wait_running(p);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
		pty_send(p, bytes[i]);
	pty_send(p, "\033OP"); /* ends the last one, and is F1 */
	pty_wait_text(p, "Help:");
	pty_free(p);
}

static void
test_no_mouse(void **state)
{
	char *argv[] = {pty_program(), (char *)"--no-mouse", (char *)"-w",
	    (char *)WORKLOAD, NULL};
	char *env[] = {(char *)"TERM=vt220", NULL};
	struct pty *p = pty_start(80, 24, argv, NULL);

	(void)state;
	pty_wait_text(p, "F10");
	assert_int_equal(pty_modes(p).mouse, 0);
	pty_free(p);
	p = start_with(80, 24, env); /* that has none */
	pty_wait_text(p, "F10");
	assert_int_equal(pty_modes(p).mouse, 0);
	pty_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_starts_at_once),
	    cmocka_unit_test(test_quit_keys),
	    cmocka_unit_test(test_stop_and_continue),
	    cmocka_unit_test(test_hard_stop),
	    cmocka_unit_test(test_hangup),
	    cmocka_unit_test(test_stalled_terminal),
	    cmocka_unit_test(test_no_terminal),
	    cmocka_unit_test(test_unknown_terminal),
	    cmocka_unit_test(test_common_terminals),
	    cmocka_unit_test(test_resize_storm),
	    cmocka_unit_test(test_rows_move),
	    cmocka_unit_test(test_prompt_survives_resize),
	    cmocka_unit_test(test_tiny_page_quits),
	    cmocka_unit_test(test_colours),
	    cmocka_unit_test(test_ascii_locale),
	    cmocka_unit_test(test_hostile_file),
	    cmocka_unit_test(test_hostile_errors),
	    cmocka_unit_test(test_terminal_agrees_with_dump),
	    cmocka_unit_test(test_selection_follows),
	    cmocka_unit_test(test_prompt_editing),
	    cmocka_unit_test(test_characters_beyond_ascii),
	    cmocka_unit_test(test_completion_of_profiles),
	    cmocka_unit_test(test_vi_mode),
	    cmocka_unit_test(test_mouse),
	    cmocka_unit_test(test_hostile_mouse),
	    cmocka_unit_test(test_no_mouse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
