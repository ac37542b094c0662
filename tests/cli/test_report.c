/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --report: a page whose figures are those of --json, that is well-formed whatever
 * is in names and descriptors, the same at each run, and small.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/page_check.h"
#include "tests/support/run_program.h"

static const char frames[] =
    "P.1.1,1.RCS.9000.0.0,1.RCS.2500.-1.0,d.3000,2.BCS.500.0.0,"
    "2.RCS.3000.-1.1,d.4000,p.16667";

/* Runs with a report, and returns it, to be freed. */
static char *
report_of(struct outcome *r, const char *workload, const char *option)
{
	char report[300];

	snprintf(report, sizeof report, "--report=%s", test_path("r.html"));
	RUN(r, "-b", "--json", "--seed=7", report, "-w", workload, option);
	return read_whole(test_path("r.html"), NULL);
}

/* A figure of --json as pages have it. */
static bool
is_number(const json_t *o, const char *value)
{
	char s[40];

	if (json_is_integer(o))
		snprintf(s, sizeof s, "%lld", (long long)json_integer_value(o));
	else if (json_is_real(o))
		snprintf(s, sizeof s, "%.17g", json_real_value(o));
	else
		return false;
	return strcmp(s, value) == 0;
}

/* True if the value is in the object or array, at any depth. */
static bool
has_number(json_t *o, const char *value)
{
	const char *key;
	json_t *member;
	size_t i;

	if (is_number(o, value))
		return true;
	json_object_foreach(
	    o, key, member) if (has_number(member, value)) return true;
	json_array_foreach(
	    o, i, member) if (has_number(member, value)) return true;
	return false;
}

/* Checks that each figure of the page is one of --json. Returns their number. */
static unsigned
expect_figures(const char *page, json_t *o)
{
	static const char mark[] = "<data value=\"";
	unsigned n = 0;

	for (const char *at = strstr(page, mark); at != NULL;
	     at = strstr(at, mark)) {
		char value[40];
		size_t len;

		at += strlen(mark);
		len = strcspn(at, "\"");
		assert_true(len < sizeof value);
		snprintf(value, sizeof value, "%.*s", (int)len, at);
		if (!has_number(o, value))
			fail_msg("%s is no figure of --json", value);
		n++;
	}
	return n;
}

static void
expect_figure(const char *page, const json_t *o, const char *key)
{
	char mark[64];

	snprintf(mark, sizeof mark, "<data value=\"%lld\">",
	    (long long)json_integer_value(json_object_get(o, key)));
	if (strstr(page, mark) == NULL)
		fail_msg("%s, %s, is not on the page", key, mark);
}

TEST(figures)
{
	static const char *const of_engine[] = {"run_ns", "switch_ns",
	    "sema_ns", "waiting_ns", "idle_ns", "batches", "switches",
	    "preemptions"};
	static const char *const of_times[] = {"p50_ns", "p99_ns", "max_ns"};
	struct outcome r;
	char *page = report_of(&r, frames, "--duration=1");
	json_t *o = json_loads(r.out, 0, NULL), *e;

	assert_non_null(o);
	page_check(page);
	assert_true(expect_figures(page, o) > 60);
	expect_figure(page, o, "elapsed_ns");
	expect_figure(page, o, "hangs");
	e = json_array_get(json_object_get(o, "engines"), 0);
	for (size_t i = 0; i < sizeof of_engine / sizeof *of_engine; i++)
		expect_figure(page, e, of_engine[i]);
	for (size_t i = 0; i < sizeof of_times / sizeof *of_times; i++)
		expect_figure(page, json_object_get(o, "latency"), of_times[i]);
	json_decref(o);
	outcome_free(&r);
	free(page);
}

static void
expect_on_page(const char *page, const char *words)
{
	if (strstr(page, words) == NULL)
		fail_msg("'%s' is not in: %s", words, page);
}

/* The sections of a run with missed periods, and the words of W. */
TEST(sections)
{
	struct outcome r;
	char *page = report_of(&r, frames, "--duration=1");

	expect_on_page(page, "--seed=7");
	expect_on_page(page, "<dt>Seed</dt><dd>7</dd>");
	expect_on_page(page, "<dt>Profile</dt><dd>default");
	expect_on_page(page, "id=\"busyness\"");
	expect_on_page(page, "id=\"latency\"");
	expect_on_page(page, "id=\"worst\"");
	expect_on_page(page, "client 0, iteration 0: ");
	expect_on_page(
	    page, "late for its period of 16.7ms at line 1 (step 7)");
	expect_on_page(page, "RCS busy with client 0 context 1");
	expect_on_page(page, "<span data-n=\"2\">1.RCS.9000.0.0</span>");
	outcome_free(&r);
	free(page);
}

/* Text that would be markup stays text. */
TEST(hostile_text)
{
	static const char text[] =
	    "# </pre><script>alert(1)</script> \" onload=\"x\" ' &amp; <!--\n"
	    "# ]]> \t tab\n"
	    "1.RCS.1000.0.1\n";
	const char *name =
	    "a'><img src=x onerror=alert(1)>&lt;\"\x1b[m\xff.wsim";
	struct outcome r;
	char *page;

	enter_test_folder();
	write_file(name, text);
	page = report_of(&r, name, "--repeat=3");
	assert_int_equal(r.status, 0);
	page_check(page);
	assert_null(strstr(page, "<script"));
	assert_null(strstr(page, "<img"));
	assert_null(strchr(page, '\x1b'));
	expect_on_page(page, "&lt;/pre&gt;&lt;script&gt;alert(1)");
	expect_on_page(page, "a&#39;&gt;&lt;img src=x onerror=alert(1)&gt;");
	outcome_free(&r);
	free(page);
}

/* Runs of all kinds: without time, with a hang, a deadlock, many clients. */
TEST(runs_of_all_kinds)
{
	static const char *const runs[][2] = {
	    {"d.1", "--repeat=1"},
	    {"f,1.RCS.10.f-1.1", "--repeat=2"},
	    {"1.RCS.1000.0.1", "--duration=0.0000001"},
	    {"1.VCS.1000-3000.0.1,2.VCS.500.-1.0,p.4000", "--clients=100"},
	    {"1.RCS.*.0.0,d.1000,T.-2", "--repeat=20"},
	};

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct outcome r;
		char *page = report_of(&r, runs[i][0], runs[i][1]);
		json_t *o = json_loads(r.out, 0, NULL);

		assert_non_null(o);
		page_check(page);
		expect_figures(page, o);
		json_decref(o);
		outcome_free(&r);
		free(page);
	}
}

TEST(same_bytes)
{
	struct outcome r;
	char *first = report_of(&r, frames, "--duration=3");

	outcome_free(&r);
	for (int i = 0; i < 2; i++) {
		char *page = report_of(&r, frames, "--duration=3");

		assert_string_equal(page, first);
		outcome_free(&r);
		free(page);
	}
	free(first);
}

/* A million batches, of many clients. */
TEST(size)
{
	struct outcome r;
	char *page;

	page = report_of(&r,
	    "1.RCS.10-200.0.0,2.VCS.30-50.-1.0,3.BCS.5-10.0.0,1.VECS.1.-2.1,"
	    "p.1000",
	    "--repeat=250000");
	assert_int_equal(r.status, 0);
	assert_true(strlen(page) < 1000000);
	assert_non_null(strstr(r.out, "\"batches\": 250000"));
	page_check(page);
	outcome_free(&r);
	free(page);
	page = report_of(&r, frames, "--clients=3000");
	assert_true(strlen(page) < 1000000);
	page_check(page);
	outcome_free(&r);
	free(page);
}

/* Documents and names of any length are cut. */
TEST(long_text)
{
	char *text = malloc(3000001);
	struct outcome r;
	char *page;

	assert_non_null(text);
	memset(text, '<', 3000000);
	text[0] = '#';
	for (size_t i = 1000; i < 2000000; i += 20)
		memcpy(text + i, "\n1.RCS.1.0.0\n#", 14);
	text[3000000] = '\0';
	write_file(test_path("long.wsim"), text);
	page = report_of(&r, test_path("long.wsim"), "--repeat=1");
	assert_int_equal(r.status, 0);
	assert_true(strlen(page) < 1000000);
	page_check(page);
	expect_on_page(page, " more lines.");
	outcome_free(&r);
	free(page);
	free(text);
}

/* The console's page: edits of the descriptor, and changes with their effect. */
TEST(console)
{
	static const char keys[] = "advance 100ms\n:prio 1 7\n"
				   "advance 100ms\n:report\nq\nd\n";
	char script[300];
	struct outcome r;
	char *page;

	enter_test_folder();
	write_file("keys", keys);
	write_file("w.wsim", "# a comment\n1.RCS.3000.0.1\np.2000\n");
	snprintf(script, sizeof script, "--script=%s", test_path("keys"));
	RUN(&r, script, "w.wsim");
	page = read_whole("report.html", NULL);
	page_check(page);
	expect_on_page(page, "<span class=\"ins\" data-n=\"+ 2\">P.1.7</span>");
	expect_on_page(page, "id=\"changes\"");
	expect_on_page(page, "it had not ended when this was written");
	expect_on_page(page, "missed of ");
	outcome_free(&r);
	free(page);
}

/* Plays keys, which write r.html, and returns that. */
static char *
page_after_of(const char *keys, const char *workload)
{
	char script[300];
	struct outcome r;
	char *page;

	remove(test_path("r.html"));
	write_file(test_path("keys"), keys);
	snprintf(script, sizeof script, "--script=%s", test_path("keys"));
	RUN(&r, script, "-w", workload);
	outcome_free(&r);
	page = read_whole(test_path("r.html"), NULL);
	page_check(page);
	return page;
}

static char *
page_after(const char *keys)
{
	return page_after_of(keys, frames);
}

/* The console's page has the hangs, too. */
TEST(hangs_in_console)
{
	char *page;

	enter_test_folder();
	page = page_after_of("advance 4s\n:report r.html\n",
	    "X.1.0,1.RCS.900000.0.0,2.RCS.1000.0.1");

	expect_on_page(page, "id=\"hangs\"");
	expect_on_page(page, "preemption time out");
	free(page);
}

/* Decisions of the console are pages as those of batch mode. */
TEST(decisions_in_console)
{
	char *page;

	enter_test_folder();

	page = page_after(":tune seeds=1 duration=1 priority\n"
			  "wait the goal holds with 1 edit\n"
			  ":tune report r.html\n");
	expect_on_page(page, "<h1>Tuning of ");
	expect_on_page(page, "  :tune seeds=1 duration=1 priority</code>");
	expect_on_page(page, "P.2.1");
	free(page);
	page = page_after(":capacity seeds=1 duration=1 max-clients=3\n"
			  "wait clients: 1 would miss\n"
			  ":capacity report r.html\n");
	expect_on_page(page, "<p class=\"answer\">capacity 0 clients");
	free(page);
	page = page_after(":sweep clients=1..3 duration=1\n"
			  "wait 3 of 3 runs\n:sweep report r.html\n"
			  ":sweep report! r.html\n");
	expect_on_page(page, "<dt>Varied</dt><dd>clients</dd>");
	free(page);
}

/* The page of a past instant is that of a run that went there straight. */
TEST(report_of_the_past)
{
	char *straight, *back, *again;

	enter_test_folder();
	straight = page_after(":goto 300ms\n:report r.html\n");
	back = page_after(
	    ":goto 900ms\n:goto 50ms\n:goto 300ms\n:report r.html\n");
	expect_on_page(straight, "0.300s</data>");
	assert_string_equal(back, straight);
	again = page_after(":goto 900ms\n:goto 300ms\n:goto 900ms\n"
			   ":goto 100ms\n:goto 300ms\n:report r.html\n");
	assert_string_equal(again, straight);
	free(straight);
	free(back);
	free(again);
}

/* --capacity: the answer, curves with the goal, and all that was tried. */
TEST(capacity)
{
	struct outcome r;
	char report[300];
	json_t *o, *tried;
	char *page;
	size_t i;

	snprintf(report, sizeof report, "--report=%s", test_path("c.html"));
	RUN(&r, "-b", "--capacity", "--seeds=1", "--duration=0.2", "--json",
	    "-w", "1.VCS.3000.0.1,p.10000", report);
	assert_int_equal(r.status, 0);
	page = read_whole(test_path("c.html"), NULL);
	page_check(page);
	o = json_loads(r.out, 0, NULL);
	assert_non_null(o);
	expect_on_page(page, "<p class=\"answer\">capacity ");
	expect_on_page(page, "Missed periods, and the goal misses&lt;=0");
	json_array_foreach(json_object_get(o, "tried"), i, tried)
	{
		expect_figure(page, tried, "clients");
		expect_figure(page, tried, "misses");
		expect_figure(page, tried, "latency_p99_ns");
	}
	assert_true(i > 3);
	json_decref(o);
	outcome_free(&r);
	free(page);
}

/* --sweep: curves, and each cell; a sweep that goes on has the earlier rows. */
TEST(sweep)
{
	static const char *const keys[] = {
	    "--sweep=scheduler=fifo,execlists,nothing", "--sweep=clients=1..5"};
	char report[300], output[300];
	struct outcome r;
	char *page, *again;

	snprintf(report, sizeof report, "--report=%s", test_path("s.html"));
	snprintf(output, sizeof output, "--output=%s", test_path("s.tsv"));
	RUN(&r, "-b", keys[0], keys[1], "--repeat=3", output, report,
	    "--profile=ideal", "-w", "1.VCS.3000.0.1");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	page = read_whole(test_path("s.html"), NULL);
	page_check(page);
	expect_on_page(page, "<dt>Varied</dt><dd>scheduler, clients</dd>");
	expect_on_page(page, "scheduler execlists</span>");
	expect_on_page(page, "<data value=\"9000000\">9.00ms</data>");
	expect_on_page(page, "invalid scheduler &#39;nothing&#39;");
	RUN(&r, "-b", keys[0], keys[1], "--repeat=3", output, report,
	    "--profile=ideal", "-w", "1.VCS.3000.0.1");
	outcome_free(&r);
	again = read_whole(test_path("s.html"), NULL);
	assert_string_equal(again, page);
	free(page);
	free(again);
	RUN(&r, "-b", keys[1], "--sweep-commands", report, "-w", "1.VCS.1.0.1");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "--report"));
	outcome_free(&r);
	RUN(&r, "-b", keys[1], "--report=-", "-w", "1.VCS.1.0.1");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "--report"));
	outcome_free(&r);
}

/* --tune: the answer, and the descriptor with its edit. */
TEST(tune)
{
	struct outcome r;
	char report[300];
	char *page;

	snprintf(report, sizeof report, "--report=%s", test_path("t.html"));
	RUN(&r, "-b", "--tune=priority", "--seeds=1", "--duration=0.3", "-w",
	    frames, report);
	page = read_whole(test_path("t.html"), NULL);
	page_check(page);
	assert_int_equal(r.status, 0);
	expect_on_page(page, "<p>before: ");
	expect_on_page(page, "<p>edit: ");
	expect_on_page(page, "class=\"ins\"");
	outcome_free(&r);
	free(page);
	RUN(&r, "-b", "--tune", "--report=-", "-w", frames);
	assert_int_equal(r.status, 2);
	outcome_free(&r);
}

TEST(refusals)
{
	struct outcome r;

	RUN(&r, "-b", "-w", "1.RCS.1.0.0", "--report=/nowhere/r.html");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "/nowhere/r.html: No such file"));
	outcome_free(&r);
	RUN(&r, "-b", "-w", "1.RCS.1.0.0", "--report=/dev/full");
	assert_int_equal(r.status, 3);
	assert_non_null(strstr(r.err, "No space left on device"));
	outcome_free(&r);
	RUN(&r, "-b", "-w", "1.RCS.1.0.0", "--report=-");
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.out, "<!DOCTYPE html>"));
	assert_non_null(strstr(r.err, "elapsed"));
	page_check(r.out);
	outcome_free(&r);
}
