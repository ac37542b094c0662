/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --layer-connect to servers that are absent, have had their session, or go: files
 * keep their text, and the run says so. */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/fake_host.h"
#include "tests/support/run_program.h"

/* Bytes that the server has read when it has accepted the session, and one. */
#define ACCEPTED (14 + 16 + 14 + 1)

/* The server leaves before the run is over: the run goes on and says so. */
TEST(server_goes)
{
	const struct fake_plan plan = {.close_after = ACCEPTED, .chunk = 1};
	struct fake_host h;
	struct outcome r;
	char wanted[256];

	fake_host_start(&h, &plan);
	RUN(&r, "-b", "--profile=ideal", "-r", "1000000", "-w", "1.RCS.1.0.1",
	    "--layer-connect", h.address);
	assert_int_equal(r.status, 3);
	assert_non_null(strstr(r.out, "1.000s elapsed"));
	assert_non_null(strstr(r.err,
	    "gpuwl-top: --layer-connect: the server closed the connection: the "
	    "run goes on without it\n"));
	snprintf(wanted, sizeof(wanted),
	    "gpuwl-top: --layer-connect %s: the server closed the connection: "
	    "of 1000000 frames 0 are known to have arrived\n",
	    h.address);
	assert_non_null(strstr(r.err, wanted));
	outcome_free(&r);
	fake_host_kill(&h);
}

TEST(no_server)
{
	const struct fake_plan plan = {0};
	struct fake_host h;
	struct outcome r;
	char wanted[256];

	/* Its port is free again. */
	fake_host_start(&h, &plan);
	fake_host_kill(&h);
	RUN(&r, "-b", "-w", "1.RCS.1.0.1", "--layer-connect", h.address);
	snprintf(wanted, sizeof(wanted),
	    "gpuwl-top: --layer-connect %s: Connection refused: no server is "
	    "there: start it with `lgl_host_server.py -A PORT -T FILE`\n",
	    h.address);
	assert_string_equal(r.err, wanted);
	assert_string_equal(r.out, "");
	assert_int_equal(r.status, 2);
	outcome_free(&r);
}

/* Without the server no file loses what it has. */
TEST(nothing_emptied)
{
	static const char *const names[] = {
	    "t", "c", "l", "a", "rec", "r", "j"};
	const struct fake_plan plan = {0};
	struct fake_host h;
	struct outcome r;

	fake_host_start(&h, &plan);
	fake_host_kill(&h);
	for (unsigned console = 0; console < 2; console++) {
		size_t n = console ? 5 : 6;

		for (size_t i = 0; i < n; i++)
			write_file(test_path(names[i]), "old");
		if (console)
			RUN(&r, "workloads/layer.wsim", "--layer-connect",
			    h.address, "--trace", test_path("t"),
			    "--trace-json", test_path("c"), "--layer",
			    test_path("l"), "--arm-metadata", test_path("a"),
			    "--record", test_path("rec"));
		else
			RUN(&r, "-b", "-w", "1.RCS.1.0.1", "--layer-connect",
			    h.address, "--trace", test_path("t"),
			    "--trace-json", test_path("c"), "--layer",
			    test_path("l"), "--arm-metadata", test_path("a"),
			    "--record", test_path("rec"), "--requests",
			    test_path("r"));
		assert_non_null(strstr(r.err, "Connection refused"));
		assert_int_equal(r.status, 2);
		outcome_free(&r);
		for (size_t i = 0; i < n; i++)
			expect_file(test_path(names[i]), "old");
	}
}

/* Arm's server breaks the connection of a second session. */
TEST(second_session)
{
	const struct fake_plan plan = {.then = FAKE_CLOSES};
	struct fake_host h;
	struct outcome r;
	char wanted[256];

	fake_host_start(&h, &plan);
	RUN(&r, "-b", "-q", "-w", "1.RCS.1.0.1", "--layer-connect", h.address);
	snprintf(wanted, sizeof(wanted),
	    "gpuwl-top: --layer-connect %s: the server closed the connection: "
	    "restart it: Arm's server takes one session per start\n",
	    h.address);
	assert_string_equal(r.err, wanted);
	assert_int_equal(r.status, 2);
	outcome_free(&r);
	fake_host_kill(&h);
}

static unsigned
count(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		n++;
	return n;
}

/* The console reports the server's problem on the screen and at its end. */
TEST(console_server_goes)
{
	const struct fake_plan plan = {.close_after = ACCEPTED, .chunk = 1};
	const char *script = test_path("goes.script");
	const char *screen = test_path("screen");
	struct fake_host h;
	struct outcome r;
	struct text text = {0};
	char *shown;

	text_addf(&text,
	    "wait connection: the run goes on without it\n"
	    "dump %s\n:speed 2\nadvance 1s\nq\n",
	    screen);
	write_file(script, text_str(&text));
	fake_host_start(&h, &plan);
	RUN(&r, "--script", script, "-w", "1.VCS.1000.0.1", "--layer-connect",
	    h.address);
	assert_int_equal(r.status, 3);
	assert_int_equal(count(r.err, "the server closed the connection"), 1);
	shown = read_whole(screen, NULL);
	assert_int_equal(count(shown, "goes on without it"), 1);
	free(shown);
	outcome_free(&r);
	text_free(&text);
	fake_host_kill(&h);
}
