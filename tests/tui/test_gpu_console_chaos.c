/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whatever happens to the console on a GPU (-D), the terminal is given back and
 * nothing is left on the GPU: signals, resets, a terminal that is gone, a GPU
 * that is given up, a device that dies, after a random number of calls, events
 * and keys. As tests/cli/test_hardware_chaos.c, whose CHAOS_SEED it has too;
 * CHAOS_CONSOLES is the number of runs.
 */
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/service/service.h"
#include "tests/runner/test.h"
#include "tests/support/chaos.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"
#include "tests/support/served_gpu.h"

#define N(array) (sizeof(array) / sizeof *(array))
#define REFUSED  2
#define LONGEST  (20 * NSEC_PER_SEC)

struct console_run {
	struct served_gpu gpu;
	struct chaos chaos;
	const struct console_trouble *trouble;
	const char *descriptor;
	struct pty *pty;
	unsigned turns;
	int status; /* -1: it runs */
};

struct console_trouble {
	const char *name;
	void (*strike)(struct console_run *r);
	int signal;    /* 0: none */
	bool keeps_on; /* q ends it: the screen says what has happened */
	bool no_terminal;
	int statuses[3];
};

static const char *const keys[] = {
    " ", "2", "3", "4", "W", "+", "-", "\t", "\033[B", "n"};

static const char *const endless[] = {
    "1.RCS.300.0.1\n1.VCS1.100.-1.0\n",
    "1.RCS.*.0.0\nd.2000\nT.-2\ns.-3\n1.BCS.100.0.1\n",
    "X.1.0\n1.RCS.*.0.0\n2.RCS.200.0.0\nd.1000\nT.-3\ns.-4\n",
    "1.RCS.200.0.0\nf\n2.RCS.300.f-1.0\nd.500\na.-3\n1.VCS1.10.0.1\n",
};

static bool
has_ended(const struct console_run *r)
{
	struct pollfd ended = {.events = POLLIN};
	int fds[2];

	pty_descriptors(r->pty, fds);
	ended.fd = fds[1];
	return poll(&ended, 1, 0) > 0;
}

static int
shell_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Serves what the console asks, and reads what it draws. False: it has ended. */
static bool
turn_console(struct console_run *r)
{
	int fds[2];

	pty_descriptors(r->pty, fds);
	if (r->status >= 0 || has_ended(r)) {
		if (r->status < 0)
			r->status = shell_status(pty_wait_status(r->pty));
		return false;
	}
	/* One that is paused asks for nothing. */
	served_turn_beside(&r->gpu, fds, 4 * NSEC_PER_MSEC);
	if (fds[0] >= 0)
		pty_drain(r->pty);
	return true;
}

static void
turn_for(struct console_run *r, unsigned turns)
{
	while (turns-- > 0 && turn_console(r))
		if (chaos_below(&r->chaos, 40) == 0)
			pty_send(r->pty, keys[chaos_below(&r->chaos, N(keys))]);
}

static void
lose_console_gpu(struct console_run *r)
{
	served_wedge(&r->gpu, true);
}

static void
kill_console_gpu(struct console_run *r)
{
	served_die(&r->gpu);
}

static void
reset_console_gpu(struct console_run *r)
{
	served_reset(&r->gpu);
	turn_for(r, chaos_below(&r->chaos, 300));
}

static void
take_terminal(struct console_run *r)
{
	pty_hang_up(r->pty);
}

static const struct console_trouble console_troubles[] = {
    {"INT", NULL, SIGINT, false, false, {128 + SIGINT}},
    {"TERM", NULL, SIGTERM, false, false, {128 + SIGTERM}},
    {"HUP", NULL, SIGHUP, false, false, {128 + SIGHUP}},
    {"QUIT", NULL, SIGQUIT, false, false, {128 + SIGQUIT}},
    {"SEGV", NULL, SIGSEGV, false, false, {128 + SIGSEGV}},
    {"ABRT", NULL, SIGABRT, false, false, {128 + SIGABRT}},
    {"KILL", NULL, SIGKILL, false, true, {128 + SIGKILL}},
    {"reset", reset_console_gpu, SIGTERM, false, false,
	{128 + SIGTERM, REFUSED}},
    {"hang up", take_terminal, SIGHUP, false, true, {128 + SIGHUP}},
    {"wedged", lose_console_gpu, 0, true, false, {0, REFUSED}},
    {"device dies", kill_console_gpu, 0, true, false, {0, REFUSED}},
};

static bool
says_gpu_is_lost(struct console_run *r)
{
	return pty_shows(r->pty, "/dev/dri/") || pty_shows(r->pty, "no GPU") ||
	    pty_shows(r->pty, "GPU REFUSES");
}

/* Quits a console that says what has happened to its GPU. A pause ends, so that
 * it finds that out. */
static void
quit_console(struct console_run *r)
{
	nsec end = nsec_after(clock_wall(), LONGEST);

	while (!says_gpu_is_lost(r) && clock_wall() < end && turn_console(r))
		if (pty_shows(r->pty, "PAUSED"))
			pty_send(r->pty, " ");
	if (!says_gpu_is_lost(r))
		fail_msg("%s: the console does not say so", r->trouble->name);
	if (r->status < 0)
		pty_send(r->pty, ":q!\r");
}

/* Until the console has ended. */
static void
await_console(struct console_run *r)
{
	nsec end = nsec_after(clock_wall(), LONGEST);

	while (clock_wall() < end && turn_console(r))
		;
}

static void
start_console(struct console_run *r)
{
	char state[128];
	char *argv[] = {NULL, (char *)"-D",
	    (char *)"pci:", (char *)"--error-state=errors", (char *)"a.wsim",
	    NULL};
	char *env[SERVED_VARIABLES + 2] = {NULL};

	served_environment(&r->gpu, env);
	argv[0] = pty_program();
	env[SERVED_VARIABLES] = state;
	snprintf(state, sizeof state, "XDG_STATE_HOME=%s/s", test_folder());
	/* Edits of one that was killed. */
	unlink(".a.wsim.gpuwl-recover");
	write_file("a.wsim", r->descriptor);
	r->pty = pty_start(100, 30, argv, env);
	r->status = -1;
	/* The pty ignores signals before. */
	while (service_connections(r->gpu.service) == 0 && turn_console(r))
		;
}

static void
expect_console_end(struct console_run *r, uint64_t seed)
{
	const char *left = "";
	struct text screen = {0};
	bool expected = false;

	for (size_t i = 0; i < N(r->trouble->statuses); i++)
		expected |= r->trouble->statuses[i] == r->status;
	if (r->gpu.service != NULL)
		left = served_left(&r->gpu);
	if (!r->trouble->no_terminal)
		pty_check_given_back(r->pty);
	pty_screen(r->pty, &screen);
	if (!expected || *left != '\0')
		fail_msg("CHAOS_SEED=%llu, %s after %u turns of %s: status %d, "
			 "left: %s; screen:\n%s",
		    (unsigned long long)seed, r->trouble->name, r->turns,
		    r->descriptor, r->status, left, text_str(&screen));
	text_free(&screen);
}

static void
play_console(struct console_run *r, uint64_t seed)
{
	r->chaos = (struct chaos){.random = seed};
	if (r->gpu.service == NULL) {
		served_close(&r->gpu);
		served_open(&r->gpu, "tgl", 5 * NSEC_PER_MSEC);
	}
	served_wedge(&r->gpu, false);
	r->trouble =
	    &console_troubles[chaos_below(&r->chaos, N(console_troubles))];
	r->descriptor = endless[chaos_below(&r->chaos, N(endless))];
	r->turns = chaos_below(&r->chaos, 2u << chaos_below(&r->chaos, 9));
	start_console(r);
	turn_for(r, r->turns);
	if (r->trouble->strike != NULL)
		r->trouble->strike(r);
	if (r->trouble->signal != 0 && !has_ended(r))
		kill(pty_pid(r->pty), r->trouble->signal);
	if (r->trouble->keeps_on)
		quit_console(r);
	await_console(r);
	expect_console_end(r, seed);
	pty_free(r->pty);
}

TEST(nothing_is_left_by_consoles)
{
	uint64_t first = from_environment("CHAOS_SEED", 1),
		 n = test_rounds("CHAOS_CONSOLES", 20);
	struct console_run r = {.status = -1};

	served_open(&r.gpu, "tgl", 5 * NSEC_PER_MSEC);
	for (uint64_t i = 0; i < n; i++)
		play_console(&r, first + i);
	served_close(&r.gpu);
}

FIXTURES(served_enter, NULL);
