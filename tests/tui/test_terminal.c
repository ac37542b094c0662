/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console on a pty: it starts on terminals of all kinds, and gives them back after
 * every signal. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/runner/test.h"
#include "tests/support/pty.h"
#include "tests/support/pty_console.h"

TEST(quit_keys)
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

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct pty *p = pty_start_console(80, 24, NULL);
		int status;

		pty_wait_running(p);
		for (const char *k = ways[i].keys; *k != 0; k++) {
			char key[2] = {*k, 0};

			/* A lone Esc does not begin the next key. */
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
		pty_check_given_back(p);
		pty_free(p);
	}
}

/* Stopped by key or signal it gives the terminal back; continued, also at
 * another size, it draws everything again. */
TEST(stop_and_continue)
{
	struct pty *p = pty_start_console(80, 24, NULL);
	struct pty_modes running;

	pty_wait_running(p);
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
		pty_check_given_back(p);
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

/* SIGSTOP can't be caught: SIGCONT restores the screen. */
TEST(hard_stop)
{
	struct pty *p = pty_start_console(80, 24, NULL);

	pty_wait_running(p);
	kill(pty_pid(p), SIGSTOP);
	assert_true(WIFSTOPPED(pty_wait_status(p)));
	kill(pty_pid(p), SIGCONT);
	pty_send(p, "?");
	pty_wait_text(p, "Help:");
	pty_free(p);
}

TEST(hangup)
{
	struct pty *p = pty_start_console(80, 24, NULL);
	int status;

	pty_wait_running(p);
	pty_hang_up(p);
	status = pty_wait_status(p);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	pty_free(p);
}

/* A terminal that takes no output does not block the program's end. */
TEST(stalled_terminal)
{
	struct pty *p = pty_start_console(500, 200, NULL);
	int status;

	pty_wait_running(p);
	pty_be_deaf(p);
	for (int i = 0; i < 200; i++)
		pty_send(p, "?\014");
	kill(pty_pid(p), SIGTERM);
	status = pty_wait_status(p);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	pty_free(p);
}

/* Without a terminal: status 2, a message, no escape sequence. */
TEST(no_terminal)
{
	char command[512];
	char said[512] = "";
	FILE *f;
	size_t n;
	int status;

	snprintf(command, sizeof(command), "%s -w '%s' 2>&1 </dev/null",
	    pty_program(), CONSOLE_WORKLOAD);
	f = popen(command, "r");
	assert_non_null(f);
	n = fread(said, 1, sizeof(said) - 1, f);
	status = pclose(f);
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_non_null(strstr(said, "terminal"));
	assert_null(memchr(said, '\033', n));
}

TEST(unknown_terminal)
{
	char *env[] = {(char *)"TERM=no-such-terminal", NULL};
	struct pty *p = pty_start_console(80, 24, env);
	int status = pty_wait_status(p);

	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
	assert_true(pty_shows(p, "no-such-terminal"));
	pty_free(p);
}

/* Terminal types with and without a size, with and without an alternate
 * screen. */
TEST(common_terminals)
{
	static const char *const terms[] = {
	    "linux", "vt100", "vt220", "xterm", "screen-256color", "ansi"};

	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		char term[40];
		/* The shell's, of a window that was resized since. */
		char lines[] = "LINES=24", columns[] = "COLUMNS=80";
		char *env[] = {term, lines, columns, NULL};
		struct pty *p;

		snprintf(term, sizeof(term), "TERM=%s", terms[i]);
		p = pty_start_console(100, 30, env);
		pty_wait_text(p, "F10");
		pty_wait_text(p, "LATENCY");
		pty_send(p, ":");
		pty_wait_cursor(p, 1, 29); /* the size is that of the pty */
		pty_send(p, "\003q");
		assert_int_equal(pty_wait_status(p), 0);
		pty_free(p);
	}
}
