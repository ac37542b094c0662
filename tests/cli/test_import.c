/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --import: traces of all text forms become descriptors that do the same, and a
 * table says so.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

enum form { REPORT, REPORT_NS, REPORT_FLAGS, TRACEFS, PERF };

static const char *const form_names[] = {
    "report", "report -t", "report -t of trace-cmd 3.3", "tracefs", "perf"};

/* A trace that is made line by line. */
struct made_trace {
	struct text text;
	enum form form;
	const char *end; /* of lines */
	uint64_t offset_us;
};

static void
add_event(struct made_trace *t, uint64_t us, const char *comm, int pid,
    const char *system, const char *event, const char *fields)
{
	uint64_t s, part;

	us += t->offset_us;
	s = us / 1000000;
	part = us % 1000000;
	switch (t->form) {
	case REPORT:
		text_addf(&t->text, "%16s-%-6d [000] %5lu.%06lu: %s: %s", comm,
		    pid, s, part, event, fields);
		break;
	case REPORT_NS:
		text_addf(&t->text, "%16s-%-6d [000] %5lu.%06lu000: %s: %s",
		    comm, pid, s, part, event, fields);
		break;
	case REPORT_FLAGS:
		text_addf(&t->text,
		    "%16s-%-6d [000] ..... %5lu.%06lu000: %s: %s", comm, pid, s,
		    part, event, fields);
		break;
	case TRACEFS:
		text_addf(&t->text,
		    "%16s-%-6d (%5d) [002] d..1. %5lu.%06lu: %s: %s", comm, pid,
		    pid, s, part, event, fields);
		break;
	case PERF:
		text_addf(&t->text, "%s %5d [001] %5lu.%06lu: %s:%s: %s", comm,
		    pid, s, part, system, event, fields);
		break;
	}
	text_adds(&t->text, t->end);
}

static void
add_i915(struct made_trace *t, uint64_t us, int pid, const char *event,
    int engine, int ctx, unsigned seqno, const char *more)
{
	char fields[128], name[64];

	snprintf(fields, sizeof(fields),
	    "dev=0, engine=%d:0, ctx=%d, seqno=%u, %s", engine, ctx, seqno,
	    more);
	snprintf(name, sizeof(name), "i915_request_%s", event);
	add_event(t, us, pid == 0 ? "<idle>" : "my game: [x]-1", pid, "i915",
	    name, fields);
}

static void
add_signal(struct made_trace *t, uint64_t us, int ctx, unsigned seqno)
{
	char fields[128];

	snprintf(fields, sizeof(fields),
	    "driver=i915 timeline=signaled context=%d seqno=%u", ctx, seqno);
	add_event(
	    t, us, "<idle>", 0, "dma_fence", "dma_fence_signaled", fields);
}

/* A game: 3 ms on the render engine, then 1 ms on a copy engine, at 100 Hz. */
static void
make_game(struct made_trace *t, char grade, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t at = 1000000 + 10000 * (uint64_t)i;

		add_i915(t, at, 77, "queue", 0, 5, i + 1, "flags=0x0");
		add_i915(t, at, 77, "add", 0, 5, i + 1, "tail=0");
		if (grade != 'C')
			add_i915(t, at, 0, "in", 0, 5, i + 1, "prio=0, port=0");
		add_i915(t, at + 20, 77, "add", 1, 6, i + 1, "tail=0");
		if (grade == 'A')
			add_i915(t, at + 3000, 0, "out", 0, 5, i + 1,
			    "completed?=1");
		add_signal(t, at + 3000, 5, i + 1);
		if (grade != 'C') {
			add_i915(
			    t, at + 3000, 0, "submit", 1, 6, i + 1, "tail=0");
			add_i915(t, at + 3000, 0, "in", 1, 6, i + 1,
			    "prio=0, port=0");
		}
		if (grade == 'A')
			add_i915(t, at + 4000, 0, "out", 1, 6, i + 1,
			    "completed?=1");
		add_signal(t, at + 4000, 6, i + 1);
	}
}

static void
expect_in(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void
expect_not_in(const char *text, const char *part)
{
	if (strstr(text, part) != NULL)
		fail_msg("'%s' is in:\n%s", part, text);
}

/* Imports the trace, after these commands of a shell. */
static void
import_made_in(struct outcome *o, struct made_trace *t, const char *before)
{
	write_file("game.trace", text_str(&t->text));
	RUN_WITH(o, (&(struct streams){.before = before}),
	    "--import=game.trace", "-o", "out", "--force");
	text_free(&t->text);
}

static void
import_made(struct outcome *o, struct made_trace *t)
{
	import_made_in(o, t, NULL);
}

/* All forms and both ends of lines give the same descriptor. */
TEST(forms)
{
	enter_test_folder();
	for (unsigned form = REPORT; form <= PERF; form++) {
		for (unsigned crlf = 0; crlf < 2; crlf++) {
			struct made_trace t = {.form = (enum form)form,
			    .end = crlf ? "\r\n" : "\n"};
			struct outcome o;
			char *text;

			make_game(&t, 'A', 50);
			import_made(&o, &t);
			if (o.status != 0)
				fail_msg("%s: %s", form_names[form], o.err);
			expect_not_in(o.out, "poor");
			expect_in(
			    o.out, "what\ttrace\tmodel\tdifference\tverdict\n");
			expect_in(o.out, "rate.my_game_x_-1\t100.00\t100.00\t");
			text = read_whole("out/my_game_x_-1.wsim", NULL);
			expect_in(text, "1.RCS.3000.0.0\n");
			expect_in(text, "1.BCS.1000.-1.0\n");
			expect_in(text, "p.10000\n");
			free(text);
			outcome_free(&o);
		}
	}
}

/* A locale with a decimal comma, for the program and in the text's times. */
TEST(locale)
{
	struct made_trace t = {.form = PERF, .end = "\n"};
	struct outcome plain, o;

	enter_test_folder();
	/* NOLINTNEXTLINE(cert-env33-c) */
	if (system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >output 2>&1 && "
		   "test -d de_DE.UTF-8") != 0)
		skip_test("no locale de_DE can be made (package locales)");
	make_game(&t, 'A', 50);
	write_file("game.trace", text_str(&t.text));
	RUN(&plain, "--import=game.trace", "-o", "out", "--force");
	for (char *p = t.text.data; *p != '\0'; p++)
		if (*p == '.' && p[-1] >= '0' && p[-1] <= '9')
			*p = ',';
	import_made_in(&o, &t,
	    "LOCPATH=$PWD LC_ALL=de_DE.UTF-8; export LOCPATH LC_ALL; "
	    "test \"$(locale decimal_point)\" = , || exit 99");
	assert_string_equal(o.out, plain.out);
	assert_string_equal(o.err, plain.err);
	assert_int_equal(o.status, 0);
	outcome_free(&o);
	outcome_free(&plain);
}

/* Without the low-level events starts are inferred; busyness stays. */
TEST(grades)
{
	static const char grades[] = "BC";

	enter_test_folder();
	for (const char *g = grades; *g != '\0'; g++) {
		struct made_trace t = {.form = REPORT, .end = "\n"};
		struct outcome o;

		make_game(&t, *g, 50);
		import_made(&o, &t);
		assert_int_equal(o.status, 0);
		expect_in(o.out, "busy.RCS\t30.");
		expect_in(o.out, "rate.my_game_x_-1\t100.00\t100.00\t");
		outcome_free(&o);
	}
}

/* Nothing is written over without --force. */
TEST(force)
{
	struct made_trace t = {.form = PERF, .end = "\n"};
	struct outcome o;

	enter_test_folder();
	make_game(&t, 'A', 20);
	import_made(&o, &t);
	assert_int_equal(o.status, 0);
	outcome_free(&o);
	RUN(&o, "--import=game.trace", "-o", "out");
	assert_int_equal(o.status, 2);
	expect_in(o.err, "out/my_game_x_-1.wsim is there already: add --force");
	outcome_free(&o);
}

/* The command of the output runs, and says how many clients there are. */
TEST(command)
{
	struct made_trace t = {.form = PERF, .end = "\n"};
	struct outcome o;

	enter_test_folder();
	make_game(&t, 'A', 20);
	import_made(&o, &t);
	expect_in(o.err, "gpuwl-top -b --profile=ideal --scheduler=");
	expect_in(o.err, " --duration=0.194 -w 'out/my_game_x_-1.wsim'\n");
	outcome_free(&o);
	RUN(&o, "-b", "--mix=3", "--duration=0.1", "-v", "-w",
	    "out/my_game_x_-1.wsim");
	assert_int_equal(o.status, 0);
	expect_in(o.err, "3 clients");
	outcome_free(&o);
}

/* Lost events, an event without fields, and another boot: counted, said. */
TEST(left_out)
{
	struct made_trace t = {.form = REPORT, .end = "\n"};
	struct outcome o;

	enter_test_folder();
	t.offset_us = 900000000;
	make_game(&t, 'A', 10);
	t.offset_us = 0;
	text_adds(&t.text, "CPU:3 [LOST 42 EVENTS]\n");
	add_event(&t, 900, "x", 9, "i915", "i915_request_add", "dev=0");
	make_game(&t, 'A', 40);
	import_made(&o, &t);
	assert_int_equal(o.status, 0);
	expect_in(o.err, "42 events were lost");
	expect_in(o.err, "1 event without its fields is left out");
	expect_in(o.err, "1 jump of the clock, or boot");
	expect_in(
	    o.err, "20 requests of other parts of the trace are left out");
	expect_in(o.out, "rate.my_game_x_-1\t100.00\t100.00\t");
	outcome_free(&o);
}

/* An event that the user names begins iterations. */
TEST(frame_on)
{
	struct made_trace t = {.form = REPORT, .end = "\n"};
	struct outcome o;
	char *text;

	enter_test_folder();
	for (unsigned i = 0; i < 20; i++) {
		uint64_t at = 1000000 + 20000 * (uint64_t)i;

		if (i % 2 == 0)
			add_event(&t, at - 10, "<idle>", 0, "drm",
			    "drm_vblank_event", "crtc=0, seq=1");
		add_i915(&t, at, 77, "add", 0, 5, i + 1, "tail=0");
		add_i915(&t, at, 0, "in", 0, 5, i + 1, "prio=0, port=0");
		add_i915(&t, at + 3000, 0, "out", 0, 5, i + 1, "completed?=1");
	}
	write_file("game.trace", text_str(&t.text));
	text_free(&t.text);
	RUN(&o, "--import=game.trace", "-o", "one");
	outcome_free(&o);
	text = read_whole("one/my_game_x_-1.wsim", NULL);
	expect_in(text, "20 iterations of 1 batch;");
	free(text);
	RUN(&o, "--import=game.trace", "-o", "two",
	    "--frame-on=drm_vblank_event");
	assert_null(strstr(o.err, "--frame-on"));
	outcome_free(&o);
	RUN(&o, "--import=game.trace", "-o", "three", "--frame-on=drm_vblank");
	assert_int_equal(o.status, 0);
	expect_in(o.err,
	    "--frame-on: no event of the trace is called 'drm_vblank': "
	    "expected the name of one, e.g. drm_vblank_event");
	outcome_free(&o);
	text = read_whole("two/my_game_x_-1.wsim", NULL);
	expect_in(text, "10 iterations of 2 batches;");
	free(text);
}

/* --time and --clients choose. */
TEST(choice)
{
	struct made_trace t = {.form = REPORT, .end = "\n"};
	struct outcome o;

	enter_test_folder();
	make_game(&t, 'A', 100);
	import_made(&o, &t);
	outcome_free(&o);
	RUN(&o, "--import=game.trace", "-o", "part", "--time=1.2..1.6");
	assert_int_equal(o.status, 0);
	expect_in(o.err, "120 requests outside --time are left out");
	outcome_free(&o);
	RUN(&o, "--import=game.trace", "-o", "early", "--time=..400ms");
	assert_int_equal(o.status, 0);
	expect_in(o.err, "120 requests outside --time are left out");
	outcome_free(&o);
	RUN(&o, "--import=game.trace", "-o", "late", "--time=900..901");
	assert_int_equal(o.status, 1);
	expect_in(o.err, "--time: no whole request is submitted then: ");
	expect_in(o.err, ", or one that counts from the first, e.g. ..");
	outcome_free(&o);
	RUN(&o, "--import=game.trace", "-o", "none", "--clients=other");
	assert_int_equal(o.status, 1);
	expect_in(o.err, "no client is called 'other': the trace has my game");
	outcome_free(&o);
}

TEST(refused)
{
	static const char *const words[][2] = {
	    {"--time=3..1", "--time: invalid value '3..1': expected FROM..TO"},
	    {"--clients=(", "--clients: invalid expression '('"},
	    {"--engine-map=gfx=XCS", "--engine-map: invalid rule 'gfx=XCS'"},
	    {"--profile=none", "no profile 'none'"},
	    {"--scheduler=none", "invalid scheduler 'none'"},
	};
	struct made_trace t = {.form = REPORT, .end = "\n"};
	struct outcome o;

	enter_test_folder();
	make_game(&t, 'A', 10);
	write_file("game.trace", text_str(&t.text));
	text_free(&t.text);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		RUN(&o, "--import=game.trace", words[i][0]);
		assert_int_equal(o.status, 2);
		expect_in(o.err, words[i][1]);
		outcome_free(&o);
	}
	text_adds(&t.text, "hello\n");
	write_file("other", text_str(&t.text));
	text_free(&t.text);
	RUN(&o, "--import=other");
	assert_int_equal(o.status, 1);
	expect_in(o.err, "other:1: not a trace: expected");
	outcome_free(&o);
	RUN(&o, "--import=missing");
	assert_int_equal(o.status, 1);
	expect_in(o.err, "missing: No such file");
	outcome_free(&o);
	RUN(&o, "-b", "-w", "1.RCS.1.0.0", "--clients=two");
	assert_int_equal(o.status, 2);
	expect_in(o.err, "--clients: invalid value 'two': expected a number");
	outcome_free(&o);
}
