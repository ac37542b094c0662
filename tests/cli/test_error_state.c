/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reports of hangs: --error-state, and --json's hang_list. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/run_program.h"

/* On `ideal` with a preempt timeout of 640 ms: context 2 arrives at 1 ms and
 * outranks the batch on line 4, which has no points; 3 waits behind it, 4 polls
 * for it on another engine, and the client waits for it too. */
static const char descriptor[] = "# What hangs\n"
				 "1.BCS.100.0.0\n"
				 "X.1.0\n"
				 "1.RCS.*.-2.0\n"
				 "4.VCS1.90.-1.0\n"
				 "d.1000\n"
				 "3.RCS.70.0.0\n"
				 "P.2.5\n"
				 "2.RCS.10.0.0\n"
				 "s.-6\n";

static const char profile[] = "[timeouts]\n"
			      "preempt_timeout_compute_ms = 640\n";

static void
write_inputs(void)
{
	write_file(test_path("hog.wsim"), descriptor);
	write_file(test_path("timeout.ini"), profile);
}

static int64_t
number(const json_t *o, const char *key)
{
	assert_non_null(json_object_get(o, key));
	return json_integer_value(json_object_get(o, key));
}

static const char *
string(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static json_t *
item(const json_t *o, const char *key, size_t i)
{
	return json_array_get(json_object_get(o, key), i);
}

static void
check_text(const char *text)
{
	static const char *const lines[] = {
	    "GPU hang 1 at 0.641000000 s: preemption time out, engine reset, "
	    "RCS\n",
	    "scheduler execlists\n",
	    "hog.wsim:4:1: 1.RCS.*.-2.0\n",
	    "  request 2: client 0 context 1, line 4 (step 2), iteration 0, RCS: "
	    "running, priority 0\n",
	    "ready at 0.000000000 s, started at 0.000100000 s, ran "
	    "0.640900000 s of infinite\n",
	    "  guilty: ends with EIO\n",
	    "client 0 context 1: guilty of 1 hangs, innocent in 0\n",
	    "client 0: 1 hangs, score 0\n",
	    "waited for: 1\n  line 2 (step 0: data)\n",
	    "clients that wait for it: 1\n  client 0\n",
	    "requests that wait for it: 1\n  request 3: client 0 context 4",
	    "on its ring, in flight: 1\n  request 2",
	    "queue of the engine, in order: 2\n  request 5",
	    " VCS1: polling, 0 queued",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		if (strstr(text, lines[i]) == NULL)
			print_error("no '%s' in:\n%s\n", lines[i], text);
		assert_non_null(strstr(text, lines[i]));
	}
	/* By priority: 5 is context 2's, 4 is context 3's. */
	assert_true(strstr(strstr(text, "queue of the engine"),
			"request 4: client 0 context 3") != NULL);
}

static void
check_json(const char *text)
{
	json_t *o = json_loads(text, 0, NULL), *rq;

	assert_non_null(o);
	assert_int_equal(number(o, "at_ns"), 641000000);
	assert_string_equal(string(o, "cause"), "preemption time out");
	assert_string_equal(string(o, "scope"), "engine");
	assert_string_equal(string(o, "engine"), "RCS");
	assert_string_equal(string(o, "status"), "EIO");
	rq = json_object_get(o, "request");
	assert_int_equal(number(rq, "line"), 4);
	assert_string_equal(string(rq, "text"), "1.RCS.*.-2.0");
	assert_int_equal(number(rq, "start_ns"), 100000);
	assert_true(json_is_null(json_object_get(rq, "duration_ns")));
	assert_int_equal(
	    number(json_object_get(o, "context"), "guilty_count"), 1);
	assert_string_equal(string(item(o, "waited_for", 0), "cause"), "data");
	assert_int_equal(number(o, "clients_waiting"), 1);
	assert_int_equal(number(item(o, "waiting", 0), "seqno"), 3);
	assert_int_equal(number(item(o, "queue", 0), "seqno"), 5);
	assert_int_equal(number(item(o, "queue", 1), "seqno"), 4);
	assert_string_equal(string(item(o, "engines", 2), "state"), "polling");
	json_decref(o);
}

TEST(files)
{
	struct outcome r;
	char *text;

	write_inputs();
	RUN(&r, "-b", "-q", "--scheduler=execlists", "--profile",
	    test_path("timeout.ini"), "--error-state", test_path("errors"),
	    "-w", test_path("hog.wsim"));
	assert_int_equal(r.status, 3);
	assert_non_null(strstr(r.err,
	    "hog.wsim:4:1: hang: client 0 context 1, line 4 (step 2), "
	    "iteration 0, on RCS, given up at 0.641 s: preemption time out\n"));
	text = read_whole(test_path("errors/error-1.txt"), NULL);
	check_text(text);
	free(text);
	text = read_whole(test_path("errors/error-1.json"), NULL);
	check_json(text);
	free(text);
	assert_int_not_equal(access(test_path("errors/error-2.txt"), F_OK), 0);
	outcome_free(&r);
}

/* The third hang bans: what the list and the contexts of --json say. */
TEST(hang_list)
{
	struct outcome r;
	json_t *o, *hang, *context;

	write_inputs();
	RUN(&r, "-b", "-q", "--scheduler=execlists", "--profile",
	    test_path("timeout.ini"), "--json", "-r", "4", "-w",
	    test_path("hog.wsim"));
	o = json_loads(r.out, 0, NULL);
	assert_int_equal(number(o, "hangs"), 3);
	assert_int_equal(json_array_size(json_object_get(o, "hang_list")), 3);
	hang = item(o, "hang_list", 0);
	assert_int_equal(number(hang, "at_ns"), 641000000);
	assert_string_equal(string(hang, "cause"), "preemption time out");
	assert_string_equal(string(hang, "engine"), "RCS");
	assert_int_equal(json_array_size(json_object_get(hang, "engines")), 1);
	assert_int_equal(number(hang, "client"), 0);
	assert_int_equal(number(hang, "context"), 1);
	assert_int_equal(number(hang, "step"), 2);
	assert_string_equal(string(hang, "status"), "EIO");
	assert_true(json_is_false(json_object_get(hang, "context_banned")));
	hang = item(o, "hang_list", 2);
	assert_true(json_is_true(json_object_get(hang, "context_banned")));
	assert_int_equal(number(hang, "iteration"), 2);
	context = item(item(o, "clients", 0), "contexts", 0);
	assert_int_equal(number(context, "id"), 1);
	assert_int_equal(number(context, "guilty_count"), 3);
	assert_true(json_is_true(json_object_get(context, "banned")));
	json_decref(o);
	outcome_free(&r);
}

/* A batch that stops when it is cancelled needs no reset: it is not a hang, but
 * the run failed. */
/* VCS2 is wanted by another, and all that the batch is on is named. */
TEST(hang_of_a_set)
{
	struct outcome r;
	json_t *o, *hang;

	RUN(&r, "-b", "-q", "--scheduler=guc", "--json", "-w",
	    "X.1.100,G.1.VCS1/VCS2,1.DEFAULT.*/5.0.0,d.1000,P.2.5,"
	    "2.VCS2.10.0.0");
	o = json_loads(r.out, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(o, "hang_list")), 1);
	hang = item(o, "hang_list", 0);
	assert_string_equal(string(hang, "engine"), "VCS2");
	assert_int_equal(json_array_size(json_object_get(hang, "engines")), 2);
	assert_string_equal(
	    json_string_value(item(hang, "engines", 0)), "VCS1");
	assert_string_equal(
	    json_string_value(item(hang, "engines", 1)), "VCS2");
	json_decref(o);
	outcome_free(&r);
}

/* In front of GuC the timeout counts in jiffies, of 1 ms here: it ends at the
 * tick after it (doc/model/execlists.md "Jiffies"). */
TEST(timed_out)
{
	static const char *const scheds[] = {"execlists", "guc"};
	static const char *const cancelled[] = {
	    "cancelled: client 0 context 1, line 1 (step 0), iteration 0, "
	    "exceeded the request timeout at 20.000 s\n",
	    "cancelled: client 0 context 1, line 1 (step 0), iteration 0, "
	    "exceeded the request timeout at 20.001 s\n"};
	struct outcome r;
	json_t *o;

	for (unsigned i = 0; i < 2; i++) {
		RUN(&r, "-b", "-q", "--json", "--scheduler", scheds[i], "-w",
		    "1.RCS.*.0.0");
		assert_int_equal(r.status, 3);
		assert_non_null(strstr(r.err, cancelled[i]));
		o = json_loads(r.out, 0, NULL);
		assert_int_equal(
		    json_integer_value(json_object_get(o, "timed_out")), 1);
		assert_int_equal(
		    json_integer_value(json_object_get(o, "hangs")), 0);
		json_decref(o);
		outcome_free(&r);
	}
}

TEST(without_hangs)
{
	struct outcome r;
	struct stat st;
	json_t *o;

	RUN(&r, "-b", "-q", "--json", "--error-state", test_path("none"), "-w",
	    "1.RCS.100.0.0");
	assert_int_equal(r.status, 0);
	o = json_loads(r.out, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(o, "hang_list")), 0);
	assert_int_equal(stat(test_path("none"), &st), -1);
	json_decref(o);
	outcome_free(&r);
}

TEST(what_cannot_be_written)
{
	struct outcome r;

	write_inputs();
	RUN(&r, "-b", "--error-state", test_path("hog.wsim"), "-w",
	    "1.RCS.100.0.0");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "hog.wsim: Not a directory\n"));
	outcome_free(&r);
	/* A folder has the name of the file. */
	assert_int_equal(mkdir(test_path("bad"), 0777), 0);
	assert_int_equal(mkdir(test_path("bad/error-1.txt"), 0777), 0);
	RUN(&r, "-b", "-q", "--scheduler=execlists", "--profile",
	    test_path("timeout.ini"), "--error-state", test_path("bad"), "-w",
	    test_path("hog.wsim"));
	assert_int_equal(r.status, 3);
	assert_non_null(strstr(r.err, "bad/error-1.txt: Is a directory\n"));
	outcome_free(&r);
	rmdir(test_path("bad/error-1.txt"));
	RUN(&r, "-b", "--error-state", test_path("no/such"), "-w",
	    "1.RCS.100.0.0");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "no/such: No such file or directory\n"));
	outcome_free(&r);
}

/* Planted in the folder, it is replaced; the file that it leads to stays. */
TEST(planted)
{
	struct outcome r;
	struct stat st;

	write_inputs();
	write_file(test_path("victim"), "victim\n");
	assert_int_equal(mkdir(test_path("planted"), 0777), 0);
	assert_int_equal(
	    symlink("../victim", test_path("planted/error-1.txt")), 0);
	assert_int_equal(
	    link(test_path("victim"), test_path("planted/error-1.json")), 0);
	RUN(&r, "-b", "-q", "--scheduler=execlists", "--profile",
	    test_path("timeout.ini"), "--error-state", test_path("planted"),
	    "-w", test_path("hog.wsim"));
	assert_int_equal(r.status, 3);
	outcome_free(&r);
	expect_file(test_path("victim"), "victim\n");
	assert_int_equal(lstat(test_path("planted/error-1.txt"), &st), 0);
	assert_true(S_ISREG(st.st_mode) && st.st_size > 0);
	assert_int_equal(lstat(test_path("planted/error-1.json"), &st), 0);
	assert_true(S_ISREG(st.st_mode) && st.st_size > 10);
}
