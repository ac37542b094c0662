/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console on a pty: whatever signal ends or stops it, and whatever it is
 * doing, the terminal is as before and the edits are kept. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

#define STEPS    "P.1.1\n1.RCS.1000-2000.0.0\np.5000\n"
#define RECOVERY ".a.wsim.gpuwl-recover"

static struct pty *
start(void)
{
	char *argv[] = {pty_program(), (char *)"a.wsim", NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p;

	write_file("a.wsim", STEPS);
	unlink(RECOVERY);
	p = pty_start(80, 24, argv, env);
	pty_wait_text(p, "F10");
	return p;
}

/* Scenes: keys, and the text that shows that they took effect. */
static const struct scene {
	const char *keys, *shown;
	bool cursor;
	int mouse;
} scenes[] = {
    {"", "F10", false, 1},
    {":sp", ":sp", true, 1},
    {"5eX", "Enter accepts the line", true, 1},
    {"5oX", "Enter accepts the line", true, 1},
    {"/RCS", "search: RCS", true, 1},
    {":prio 1 7\rq", "unsaved edits: a.wsim", false, 1},
    {"\024", "text can be selected", false, 0},
    {"?", "Help:", false, 1},
    {":sch\t\t", "drm:rr", true, 1},
};

static void
set_up(struct pty *p, const struct scene *scene)
{
	struct pty_modes m;

	pty_send(p, scene->keys);
	pty_wait_text(p, scene->shown);
	/* A frame has come as a whole when the next one comes. */
	pty_wait_text(p, "running");
	pty_drain(p);
	m = pty_modes(p);
	assert_true(m.alternate);
	assert_true(m.keypad);
	assert_true(m.paste);
	assert_int_equal(m.mouse, scene->mouse);
}

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV,
    SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM,
    SIGPWR};

/* The status is that of a process which the signal has killed: 128 + n for a
 * shell. */
TEST(deadly)
{
	for (size_t i = 0; i < N(deadly) * N(scenes); i++) {
		const struct scene *scene = &scenes[i % N(scenes)];
		int sig = deadly[i / N(scenes)], status;
		struct pty *p = start();

		set_up(p, scene);
		kill(pty_pid(p), sig);
		status = pty_wait_status(p);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != sig)
			fail_msg("signal %d in \"%s\": status %#x", sig,
			    scene->shown, (unsigned)status);
		pty_check_given_back(p);
		pty_free(p);
	}
}

/* True if the signal ends a program that does not handle it. 32 and 33 belong
 * to the C library. */
static bool
is_deadly(int sig)
{
	static const int harmless[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH,
	    SIGTSTP, SIGTTIN, SIGTTOU, SIGSTOP, SIGKILL, 32, 33,
	    /* Reported by write() instead. */
	    SIGPIPE, SIGXFSZ};

	for (size_t i = 0; i < N(harmless); i++)
		if (harmless[i] == sig)
			return false;
	return true;
}

/* All signals, real-time ones too. */
TEST(every_signal)
{
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		struct pty *p;
		int status;

		if (!is_deadly(sig))
			continue;
		p = start();
		kill(pty_pid(p), sig);
		status = pty_wait_status(p);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != sig)
			fail_msg(
			    "signal %d: status %#x", sig, (unsigned)status);
		pty_check_given_back(p);
		pty_free(p);
	}
}

/* A pipe without a reader and a file that is too long do not end the
 * console. */
TEST(told_by_writes)
{
	struct pty *p = start();

	kill(pty_pid(p), SIGPIPE);
	kill(pty_pid(p), SIGXFSZ);
	pty_send(p, ":speed 7\r");
	pty_wait_text(p, "speed 7x");
	pty_send(p, "q");
	assert_int_equal(pty_wait_status(p), 0);
	pty_check_given_back(p);
	pty_free(p);
}

/* Stopped, it gives the terminal back; continued, it goes on. */
TEST(stop)
{
	for (size_t i = 0; i < N(scenes); i++) {
		const struct scene *scene = &scenes[i];
		struct pty *p = start();

		set_up(p, scene);
		for (int k = 0; k < 2; k++) {
			kill(pty_pid(p), SIGTSTP);
			assert_true(WIFSTOPPED(pty_wait_status(p)));
			pty_check_given_back(p);
			pty_resize(p, 90 + k, 26);
			kill(pty_pid(p), SIGCONT);
			if (scene->mouse != 0) /* a message is gone by then */
				pty_wait_text(p, scene->shown);
			pty_wait_text(p, "running");
			pty_drain(p);
			assert_true(pty_modes(p).alternate);
			assert_int_equal(pty_modes(p).mouse, scene->mouse);
		}
		kill(pty_pid(p), SIGTERM);
		assert_int_equal(pty_wait_status(p), SIGTERM);
		pty_check_given_back(p);
		pty_free(p);
	}
}

#ifndef GPUWL_SANITIZERS

/* Without memory: reported once the terminal is given back, with the edits
 * kept. */
TEST(out_of_memory)
{
	char command[600];
	char *argv[] = {(char *)"/bin/sh", (char *)"-c", command, NULL};
	char *env[] = {test_state_home(), NULL};
	const char *stream, *back;
	struct pty *p;
	int status;

	write_file("a.wsim", STEPS);
	unlink(RECOVERY);
	snprintf(command, sizeof(command),
	    "ulimit -v 200000; exec '%s' --profile=ideal a.wsim",
	    pty_program());
	p = pty_start(100, 24, argv, env);
	pty_wait_text(p, "F10");
	pty_send(p, ":prio 1 7\r");
	pty_wait_text(p, "[+]");
	while (access(RECOVERY, F_OK) != 0)
		pty_wait_bytes(p);
	for (int i = 0; i < 40; i++)
		pty_send(p, ":launch 10000\r");
	status = pty_wait_status(p);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 3);
	pty_check_given_back(p);
	stream = text_str(pty_stream(p));
	back = strstr(stream, "\033[?1049l");
	assert_non_null(back);
	assert_non_null(strstr(back, "gpuwl-top: out of memory"));
	assert_int_equal(access(RECOVERY, F_OK), 0);
	pty_free(p);
}

#endif

static void
expect_recovered(const char *text)
{
	char buf[1000] = "";
	FILE *f = fopen(RECOVERY, "r");

	assert_non_null(f);
	assert_true(fread(buf, 1, sizeof(buf) - 1, f) > 0);
	fclose(f);
	if (strstr(buf, text) == NULL)
		fail_msg("no \"%s\" in \"%s\"", text, buf);
}

/* A requested end waits for the edits: not even the last one is lost. */
TEST(asked_to_end)
{
	static const int asking[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
	static const char *const then[] = {"", ":sp", "5eX", "q"};

	for (size_t i = 0; i < N(asking) * N(then); i++) {
		struct pty *p = start();

		pty_send(p, ":prio 1 7\r");
		pty_wait_text(p, "[+]");
		pty_send(p, then[i % N(then)]);
		kill(pty_pid(p), asking[i / N(then)]);
		assert_int_equal(pty_wait_status(p), asking[i / N(then)]);
		pty_check_given_back(p);
		expect_recovered("P.1.7");
		pty_free(p);
	}
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Waits while the program draws in its own time. */
static double
wait_recovery(struct pty *p, const char *text)
{
	double began = seconds();
	char buf[1000];

	while (seconds() < began + 20) {
		FILE *f = fopen(RECOVERY, "r");
		size_t n = f != NULL ? fread(buf, 1, sizeof(buf) - 1, f) : 0;

		buf[n] = 0;
		if (f != NULL)
			fclose(f);
		if (strstr(buf, text) != NULL)
			return seconds() - began;
		pty_wait_bytes(p);
	}
	fail_msg("%s never had %s", RECOVERY, text);
	return 0;
}

/* A crash does not wait: edits are kept up to two seconds before, also while
 * more are made. */
TEST(crash)
{
	static const int crashes[] = {SIGSEGV, SIGABRT, SIGKILL};

	for (size_t i = 0; i < N(crashes); i++) {
		struct pty *p = start();
		double taken;

		pty_send(p, ":delay 0.05\r:prio 1 7\r");
		pty_wait_text(p, "[+]");
		taken = wait_recovery(p, "P.1.7");
		assert_true(taken < 4); /* two seconds, and a busy machine */
		pty_send(p, ":prio 1 8\r");
		pty_wait_text(p, "P.1.8");
		pty_send(p, i % 2 ? "5eX" : "q");
		taken = wait_recovery(p, "P.1.8");
		assert_true(taken < 4);
		kill(pty_pid(p), crashes[i]);
		assert_int_equal(pty_wait_status(p), crashes[i]);
		if (crashes[i] != SIGKILL)
			pty_check_given_back(p);
		expect_recovered("P.1.8");
		pty_free(p);
	}
}

FIXTURES(in_test_folder, NULL);
