/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch mode from outside: gem_wsim's lines, JSON, requests, and what each
 * option does to them. Figures are worked out by hand for profile ideal. */
#include <regex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define IDEAL "-b", "--profile=ideal"
#define HEADER                                                                 \
	"client\titeration\tstep\tcontext\tengine\tsubmit_ns\tready_ns\t"      \
	"start_ns\tend_ns\trun_ns\tpreemptions\tstatus\n"

/* A run that must succeed, say this and no more. */
#define EXPECT(output, ...) EXPECT_WITH("", output, __VA_ARGS__)
/* The same, with words on standard error. */
#define EXPECT_WITH(words, output, ...)                                        \
	do {                                                                   \
		struct outcome r_;                                             \
		RUN(&r_, __VA_ARGS__);                                         \
		assert_string_equal(r_.err, words);                            \
		assert_string_equal(r_.out, output);                           \
		assert_int_equal(r_.status, 0);                                \
		outcome_free(&r_);                                             \
	} while (0)

TEST(closing_line)
{
	EXPECT("0.010s elapsed (1000.000 workloads/s)\n", IDEAL, "-r", "10",
	    "-w", "1.RCS.1000.0.1");
	EXPECT("0.004s elapsed (1000.000 workloads/s)\n", IDEAL, "-c", "4",
	    "-w", "1.RCS.1000.0.1");
	EXPECT(
	    "0.001s elapsed (1000.000 workloads/s)\n", IDEAL, "1.RCS.1000.0.1");
	EXPECT("0.002s elapsed (1000.000 workloads/s)\n", IDEAL, "-w",
	    "1.RCS.1000.0.1", "1.RCS.1000.0.1");
	EXPECT("", IDEAL, "-q", "-w", "1.RCS.1000.0.1");
}

TEST(closing_line_for_scripts)
{
	struct outcome r;
	regex_t re;
	regmatch_t match[3];

	assert_int_equal(
	    regcomp(&re,
		"([0-9]+\\.[0-9]+)s elapsed \\(([0-9]+\\.[0-9]+) workloads/s\\)",
		REG_EXTENDED),
	    0);
	RUN(&r, IDEAL, "-r", "3", "-w", "1.RCS.500.0.1");
	assert_int_equal(regexec(&re, r.out, 3, match, 0), 0);
	assert_true(strtod(r.out + match[2].rm_so, NULL) == 2000);
	regfree(&re);
	outcome_free(&r);
}

TEST(client_lines)
{
	EXPECT_WITH("profile ideal, scheduler fifo, seed 1, 1 client\n",
	    "*0: 0.003s elapsed (3 cycles, 1000.000 workloads/s). "
	    "Time avg/min/max=500/500/500us; 0 missed.\n"
	    "0.003s elapsed (1000.000 workloads/s)\n",
	    IDEAL, "-v", "-r", "3", "-w", "1.RCS.500.0.1,p.1000");
	EXPECT_WITH("profile ideal, scheduler fifo, seed 1, 1 client\n",
	    "*0: 0.004s elapsed (2 cycles, 500.000 workloads/s). "
	    "Time avg/min/max=2000/2000/2000us; 2 missed.\n"
	    "0.004s elapsed (500.000 workloads/s)\n",
	    IDEAL, "-v", "-r", "2", "-w", "1.RCS.2000.0.1,p.1000");
	EXPECT_WITH("profile ideal, scheduler fifo, seed 1, 2 clients\n",
	    "*0: 0.002s elapsed (1 cycles, 500.000 workloads/s).\n"
	    "*1: 0.002s elapsed (1 cycles, 500.000 workloads/s).\n"
	    "0.002s elapsed (1000.000 workloads/s)\n",
	    IDEAL, "-v", "-w", "1.RCS.2000.0.1", "-w", "1.BCS.2000.0.1");
}

TEST(master)
{
	EXPECT("*0: 0.004s elapsed (4 cycles, 1000.000 workloads/s).\n"
	       "0.004s elapsed (2000.000 workloads/s)\n",
	    IDEAL, "-r", "4", "-W", "1.RCS.1000.0.1", "-w", "1.BCS.300.0.1");
	EXPECT_WITH("profile ideal, scheduler fifo, seed 1, 2 clients\n",
	    " 0: 0.004s elapsed (13 cycles, 3250.000 workloads/s).\n"
	    "*1: 0.004s elapsed (4 cycles, 1000.000 workloads/s).\n"
	    "0.004s elapsed (2000.000 workloads/s)\n",
	    IDEAL, "-v", "-r", "4", "-w", "1.BCS.300.0.1", "-W",
	    "1.RCS.1000.0.1");
	EXPECT("", IDEAL, "-q", "-W", "1.RCS.1000.0.1");
}

TEST(scales_and_append)
{
	EXPECT("0.003s elapsed (333.333 workloads/s)\n", IDEAL, "-a", "d.2000",
	    "-w", "1.RCS.1000.0.1");
	EXPECT("0.006s elapsed (166.667 workloads/s)\n", IDEAL, "-f", "2", "-F",
	    "0.5", "-w", "1.RCS.2000.0.1,d.4000");
	EXPECT("0.002s elapsed (500.000 workloads/s)\n", IDEAL, "-d", "-w",
	    "1.RCS.1000.0.0,1.RCS.1000.-1.0");
	EXPECT("0.000s elapsed (0.000 workloads/s)\n", IDEAL, "-F", "0", "-w",
	    "d.500", "--duration=0.000000001");
}

TEST(duration)
{
	/* Without -r it goes on; what was completed counts. */
	EXPECT("0.010s elapsed (300.000 workloads/s)\n", IDEAL,
	    "--duration=0.01", "-w", "1.RCS.3000.0.1");
	EXPECT("0.006s elapsed (333.333 workloads/s)\n", IDEAL, "--duration=10",
	    "-r", "2", "-w", "1.RCS.3000.0.1");
}

static json_t *
load_json(const char *text)
{
	json_error_t error;
	json_t *o = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (o == NULL)
		fail_msg("%s in: %s", error.text, text);
	return o;
}

static json_int_t
number(json_t *o, const char *key)
{
	json_t *value = json_object_get(o, key);

	if (!json_is_integer(value))
		fail_msg("%s is not a whole number", key);
	return json_integer_value(value);
}

static const char *
string(json_t *o, const char *key)
{
	const char *value = json_string_value(json_object_get(o, key));

	if (value == NULL)
		fail_msg("%s is not a string", key);
	return value;
}

/* The keys, in that order, are the first ones of the object. */
static void
check_keys(json_t *o, const char *keys)
{
	char found[512] = "";
	const char *key;
	json_t *value;

	json_object_foreach(o, key, value)
	{
		strcat(found, key);
		strcat(found, " ");
	}
	if (strncmp(found, keys, strlen(keys)) != 0)
		fail_msg("keys are %s", found);
}

#define JSON_WORKLOAD "1.RCS.1000.0.1,P.2.7,2.VCS2.500.-2.1,S.2.1,X.3.5,p.1000"

static void
check_client(json_t *c, int id)
{
	json_t *contexts = json_object_get(c, "contexts"), *context;
	json_t *period = json_object_get(c, "period");

	check_keys(c, "id workload iterations elapsed_ns period contexts ");
	assert_int_equal(number(c, "id"), id);
	assert_string_equal(string(c, "workload"), JSON_WORKLOAD);
	assert_int_equal(number(c, "iterations"), 2);
	check_keys(period, "missed avg_us min_us max_us ");
	assert_int_equal(number(period, "missed"), 2);
	assert_true(number(period, "max_us") >= number(period, "min_us"));
	/* Context 3 has no batches. */
	assert_int_equal(json_array_size(contexts), 2);
	context = json_array_get(contexts, 1);
	check_keys(context, "id priority sseu busy_ns batches ");
	assert_int_equal(number(context, "id"), 2);
	assert_int_equal(number(context, "priority"), 7);
	assert_int_equal(number(context, "sseu"), 1);
	assert_int_equal(number(context, "busy_ns"), 1000000);
	assert_int_equal(number(context, "batches"), 2);
	context = json_array_get(contexts, 0);
	assert_int_equal(number(context, "priority"), 0);
	assert_int_equal(number(context, "sseu"), 7);
}

static void
check_engines(json_t *engines)
{
	static const char *const names[] = {
	    "RCS", "BCS", "VCS1", "VCS2", "VECS1", "VECS2", "CCS"};
	json_t *e;

	assert_int_equal(json_array_size(engines), 7);
	for (size_t i = 0; i < 7; i++) {
		e = json_array_get(engines, i);
		check_keys(e,
		    "name class instance busy_ns batches switches "
		    "preemptions ");
		assert_string_equal(string(e, "name"), names[i]);
	}
	e = json_array_get(engines, 3);
	assert_string_equal(string(e, "class"), "VCS");
	assert_int_equal(number(e, "instance"), 1);
	assert_int_equal(number(e, "busy_ns"), 2000000);
	assert_int_equal(number(e, "batches"), 4);
	assert_int_equal(number(e, "preemptions"), 0);
}

TEST(json)
{
	struct outcome r;
	json_t *o, *clients;

	RUN(&r, IDEAL, "--json", "-c", "2", "-r", "2", "-I", "5", "-w",
	    JSON_WORKLOAD);
	assert_int_equal(r.status, 0);
	/* P and X change nothing under fifo. */
	assert_non_null(strstr(r.err, ": warning: step 1 has no effect: "));
	assert_non_null(strstr(r.err, ": warning: step 4 has no effect: "));
	assert_non_null(
	    strstr(r.err, "\n0.004s elapsed (888.889 workloads/s)\n"));
	o = load_json(r.out);
	check_keys(
	    o, "profile scheduler seed elapsed_ns hangs engines clients ");
	assert_string_equal(string(o, "profile"), "ideal");
	assert_string_equal(string(o, "scheduler"), "fifo");
	assert_int_equal(number(o, "seed"), 5);
	assert_int_equal(number(o, "hangs"), 0);
	assert_int_equal(number(o, "elapsed_ns"), 4500000);
	check_engines(json_object_get(o, "engines"));
	clients = json_object_get(o, "clients");
	assert_int_equal(json_array_size(clients), 2);
	check_client(json_array_get(clients, 0), 0);
	check_client(json_array_get(clients, 1), 1);
	json_decref(o);
	outcome_free(&r);
}

static void
expect_scheduler(const char *profile, const char *wanted)
{
	struct outcome r;
	json_t *o;

	RUN(&r, "-b", "--json", "--profile", profile, "-w", "1.RCS.1000.0.0");
	o = json_loads(r.out, 0, NULL);
	assert_string_equal(string(o, "scheduler"), wanted);
	json_decref(o);
	outcome_free(&r);
}

/* Batch mode begins as the console does. */
TEST(scheduler_of_profile)
{
	expect_scheduler("ideal", "fifo");
	expect_scheduler("default", "execlists");
	expect_scheduler("dg2-g10", "guc");
}

/* How ids came and went, under guc only. */
TEST(json_of_guc)
{
	struct outcome r;
	json_t *o, *guc;

	RUN(&r, IDEAL, "-q", "--json", "--scheduler=guc", "-w",
	    "1.RCS.5.0.1,1.BCS.5.0.1,1.RCS.5.0.1");
	o = load_json(r.out);
	guc = json_object_get(o, "guc");
	check_keys(guc, "registrations steals waits ");
	assert_int_equal(number(guc, "registrations"), 2);
	assert_int_equal(number(guc, "steals"), 0);
	json_decref(o);
	outcome_free(&r);

	RUN(&r, IDEAL, "-q", "--json", "-w", "1.RCS.5.0.1");
	o = load_json(r.out);
	assert_null(json_object_get(o, "guc"));
	json_decref(o);
	outcome_free(&r);
}

TEST(json_to_file)
{
	struct outcome r;
	char option[300], *text;
	json_t *o, *client;

	snprintf(option, sizeof(option), "--json=%s", test_path("out.json"));
	EXPECT("0.001s elapsed (1000.000 workloads/s)\n", IDEAL, option, "-w",
	    "1.RCS.1000.0.1");
	text = read_whole(test_path("out.json"), NULL);
	o = load_json(text);
	client = json_array_get(json_object_get(o, "clients"), 0);
	assert_int_equal(
	    number(json_object_get(client, "period"), "avg_us"), 0);
	json_decref(o);
	free(text);
	/* Bytes that are no UTF-8 do not cost the report. */
	RUN(&r, IDEAL, "-q", "--json=-", "-w", "1.RCS.5.0.1,#\xff");
	assert_string_equal(r.err, "");
	o = load_json(r.out);
	client = json_array_get(json_object_get(o, "clients"), 0);
	assert_string_equal(string(client, "workload"), "1.RCS.5.0.1,#?");
	json_decref(o);
	outcome_free(&r);
}

TEST(priority_and_sseu_options)
{
	static const int expected[][2] = {{0, 7}, {9, 1}, {-4, 1}, {-4, 7}};
	struct outcome r;
	json_t *o, *c;

	RUN(&r, IDEAL, "-q", "--json", "-w", "1.RCS.5.0.1", "-s", "-p", "9",
	    "-w", "1.RCS.5.0.1", "-p", "-4", "1.RCS.5.0.1", "-s", "-w",
	    "1.RCS.5.0.1");
	o = load_json(r.out);
	for (size_t i = 0; i < 4; i++) {
		c = json_array_get(json_object_get(o, "clients"), i);
		c = json_array_get(json_object_get(c, "contexts"), 0);
		assert_int_equal(number(c, "priority"), expected[i][0]);
		assert_int_equal(number(c, "sseu"), expected[i][1]);
	}
	json_decref(o);
	outcome_free(&r);
}

TEST(requests)
{
	char option[300], *text;

	snprintf(option, sizeof(option), "--requests=%s", test_path("rows"));
	EXPECT("0.002s elapsed (666.667 workloads/s)\n", IDEAL, option, "-w",
	    "# no step,1.RCS.1000.0.0,d.200,2.BCS.500.-2.0,3.VCS.100.0.0");
	text = read_whole(test_path("rows"), NULL);
	/* Rows are in order of submission: the last one ended first. */
	assert_string_equal(text,
	    HEADER
	    "0\t0\t0\t1\tRCS\t0\t0\t0\t1000000\t1000000\t0\tok\n"
	    "0\t0\t2\t2\tBCS\t200000\t1000000\t1000000\t1500000\t500000\t0"
	    "\tok\n"
	    "0\t0\t3\t3\tVCS1\t200000\t200000\t200000\t300000\t100000\t0"
	    "\tok\n");
	free(text);
}

TEST(requests_in_flight)
{
	struct outcome r;

	RUN(&r, IDEAL, "--requests=-", "--duration=0.002", "-r", "1", "-w",
	    "1.RCS.5000.0.0,2.BCS.100.-1.0,3.VCS2.100.0.1");
	assert_string_equal(r.err, "0.002s elapsed (0.000 workloads/s)\n");
	assert_int_equal(
	    strncmp(r.out,
		HEADER "0\t0\t0\t1\tRCS\t0\t0\t0\t-\t-\t0\tEINPROGRESS\n"
		       "0\t0\t1\t2\tBCS\t0\t-\t-\t-\t-\t0\tEINPROGRESS\n"
		       "0\t0\t2\t3\tVCS2\t0\t0\t0\t100000\t100000\t0"
		       "\tok\n",
		strlen(HEADER) + 120),
	    0);
	outcome_free(&r);
}

/* More in flight than the log first has room for, and half of them end
 * before the first that was submitted. */
TEST(many_requests_in_flight)
{
	struct outcome r;
	const char *row;
	char expected[64];

	RUN(&r, IDEAL, "-q", "--requests=-", "-r", "1", "-c", "5000", "-w",
	    "1.RCS.1000000.0.0,2.BCS.1.0.0");
	assert_int_equal(r.status, 0);
	row = r.out + strlen(HEADER);
	for (int i = 0; i < 5000; i++) {
		snprintf(expected, sizeof(expected), "%d\t0\t0\t1\tRCS\t", i);
		assert_int_equal(strncmp(row, expected, strlen(expected)), 0);
		row = strchr(row, '\n') + 1;
		snprintf(expected, sizeof(expected), "%d\t0\t1\t2\tBCS\t", i);
		assert_int_equal(strncmp(row, expected, strlen(expected)), 0);
		row = strchr(row, '\n') + 1;
	}
	assert_string_equal(row, "");
	outcome_free(&r);
}

#define RANDOM "1.RCS.100-900.0.0,2.VCS.50-3000.-1.0,1.BCS.10-20.-2.1"

static char *
requests_of(const char *speed, const char *same)
{
	struct outcome r;
	char *text;

	RUN(&r, IDEAL, "-q", "-c", "7", "-r", "40", "-I", "3", "-w", RANDOM,
	    "--requests=-", speed, same);
	assert_int_equal(r.status, 0);
	assert_string_equal(r.err, "");
	text = r.out;
	free(r.err);
	return text;
}

TEST(same_run_again)
{
	char *first = requests_of("--speed=max", "-d");
	char *second = requests_of("--speed=max", "-d");
	char *paced = requests_of("--speed=50", "-d");
	char *other = requests_of("--speed=max", "-S");

	assert_string_equal(first, second);
	assert_string_equal(first, paced);
	assert_string_not_equal(first, other);
	free(first);
	free(second);
	free(paced);
	free(other);
}

TEST(workloads_from_files)
{
	struct outcome r;
	struct streams s = {.in = "# a comment, with a comma\n1.RCS.2000.0.1"};

	write_file(test_path("a.wsim"), "1.RCS.1000.0.1\r\n# x\r\nd.1000\r\n");
	EXPECT("0.002s elapsed (500.000 workloads/s)\n", IDEAL, "-w",
	    test_path("a.wsim"));
	EXPECT("0.003s elapsed (333.333 workloads/s)\n", IDEAL, "-a",
	    test_path("a.wsim"), "-w", "d.1000");
	RUN_WITH(&r, &s, IDEAL, "-w", "-");
	assert_string_equal(r.out, "0.002s elapsed (500.000 workloads/s)\n");
	outcome_free(&r);
	RUN_WITH(&r, &s, IDEAL, "/dev/stdin");
	assert_string_equal(r.out, "0.002s elapsed (500.000 workloads/s)\n");
	outcome_free(&r);
}

TEST(verbose_twice)
{
	struct outcome r;

	RUN(&r, IDEAL, "-vv", "-r", "2", "-w", "1.RCS.2000.0.1,p.1000");
	assert_non_null(strstr(r.err, "profile ideal, scheduler fifo, seed 1"));
	assert_non_null(strstr(
	    r.err, "client 0 missed its period in iteration 1 (2 so far)\n"));
	assert_non_null(strstr(r.err, "RCS: 100.0% running, 0.0% switching"));
	assert_int_equal(strncmp(r.out, "*0: ", 4), 0);
	outcome_free(&r);
}

TEST(verbose_names_the_model)
{
	struct outcome r;

	RUN(&r, "-b", "-v", "-I", "7", "-w", "1.RCS.2000.0.1");
	assert_string_equal(
	    r.err, "profile default, scheduler execlists, seed 7, 1 client\n");
	assert_int_equal(strncmp(r.out, "*0: ", 4), 0);
	outcome_free(&r);
}

TEST(device_option)
{
	struct outcome r;

	RUN(&r, "-b", "-D", "pci:vendor=1234", "-w", "1.RCS.1000.0.1");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "GPU"));
	assert_string_equal(r.out, "");
	outcome_free(&r);
}
