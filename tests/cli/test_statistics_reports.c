/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics (doc/model/common.md "Statistics") as reports have them: --json, -vv,
 * and the engine that limits the run.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/lab.h"
#include "tests/support/run_program.h"

static json_t *
load(const struct outcome *r)
{
	json_error_t error;
	json_t *o = json_loads(r->out, JSON_REJECT_DUPLICATES, &error);

	if (o == NULL)
		fail_msg("%s in: %s", error.text, r->out);
	return o;
}

static json_int_t
number(json_t *o, const char *object, const char *key)
{
	json_t *value = json_object_get(
	    object != NULL ? json_object_get(o, object) : o, key);

	if (!json_is_integer(value))
		fail_msg("%s is not a whole number", key);
	return json_integer_value(value);
}

static double
real(json_t *o, const char *object, const char *key)
{
	json_t *value = json_object_get(
	    object != NULL ? json_object_get(o, object) : o, key);

	if (!json_is_real(value))
		fail_msg("%s is not a number", key);
	return json_real_value(value);
}

static void
expect_measure(json_t *o, const char *name, json_int_t mean, json_int_t p50,
    json_int_t p99, json_int_t max)
{
	assert_int_equal(number(o, name, "mean_ns"), mean);
	assert_int_equal(number(o, name, "p50_ns"), p50);
	assert_int_equal(number(o, name, "p99_ns"), p99);
	assert_int_equal(number(o, name, "max_ns"), max);
}

TEST(json_engine)
{
	struct outcome r;
	json_t *o, *e;

	RUN(&r, "-b", "--profile=ideal", "--scheduler=execlists", "--json",
	    "-w", "d.4000,1.RCS.7000.0.0,2.VCS1.1000.-1.0,2.VCS1.500.0.1");
	assert_int_equal(r.status, 0);
	o = load(&r);
	e = json_array_get(json_object_get(o, "engines"), 2);
	assert_int_equal(number(e, NULL, "busy_ns"), 8500000);
	assert_int_equal(number(e, NULL, "idle_ns"), 4000000);
	assert_int_equal(number(e, NULL, "waiting_ns"), 0);
	assert_int_equal(number(e, NULL, "sema_ns"), 7000000);
	assert_int_equal(number(e, "pmu", "busy_ns"), 8500000);
	assert_int_equal(number(e, "pmu", "wait_ns"), 0);
	assert_int_equal(number(e, "pmu", "sema_ns"), 10000000);
	/* The last one queues from 4 to 12 ms, of 12.5. */
	assert_int_equal(number(e, "queue", "now"), 0);
	assert_int_equal(number(e, "queue", "max"), 1);
	assert_true(real(e, "queue", "mean") == 0.64);
	e = json_array_get(json_object_get(o, "engines"), 0);
	assert_int_equal(number(e, NULL, "idle_ns"), 5500000);
	assert_int_equal(number(e, "queue", "max"), 0);
	json_decref(o);
	outcome_free(&r);
}

/* A client that was added after 30 ms has no figures of that time. */
TEST(client_added_later)
{
	char script[] = "/tmp/gpuwl-script-XXXXXX", record[64], replay[64];
	static const char keys[] = "advance 30ms\na\nadvance 20ms\nq\n";
	struct outcome r;
	char option[64];
	json_t *o, *client;
	int fd = mkstemp(script);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, keys, strlen(keys)), strlen(keys));
	close(fd);
	snprintf(option, sizeof(option), "--script=%s", script);
	snprintf(record, sizeof(record), "--record=%s.rec", script);
	snprintf(replay, sizeof(replay), "--replay=%s.rec", script);
	RUN(&r, "--profile=ideal", "-w", "1.RCS.1000.0.1", option, record);
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	RUN(&r, "-b", "--json", replay);
	assert_int_equal(r.status, 0);
	o = load(&r);
	client = json_array_get(json_object_get(o, "clients"), 1);
	assert_int_equal(number(client, NULL, "elapsed_ns"), 20000000);
	assert_true(real(client, NULL, "iterations_per_s") == 500);
	json_decref(o);
	outcome_free(&r);
	unlink(replay + strlen("--replay="));
	unlink(script);
}

/* Each iteration takes 4 ms, twice its period. */
TEST(json_client)
{
	struct outcome r;
	json_t *o, *client, *context;

	RUN(&r, "-b", "--profile=ideal", "--json", "-r", "5", "-w",
	    "1.RCS.3000.0.0,2.RCS.1000.0.1,p.2000");
	assert_int_equal(r.status, 0);
	o = load(&r);
	client = json_array_get(json_object_get(o, "clients"), 0);
	assert_int_equal(number(client, NULL, "busy_ns"), 20000000);
	assert_int_equal(number(client, NULL, "batches"), 10);
	assert_true(real(client, NULL, "iterations_per_s") == 250);
	assert_int_equal(number(client, NULL, "period_misses"), 5);
	assert_int_equal(number(client, "queue_wait", "mean_ns"), 1500000);
	assert_int_equal(number(client, "queue_wait", "p50_ns"), 0);
	assert_int_equal(number(client, "latency", "max_ns"), 4000000);
	context = json_array_get(json_object_get(client, "contexts"), 0);
	expect_measure(context, "queue_wait", 0, 0, 0, 0);
	expect_measure(context, "latency", 3000000, 3000000, 3000000, 3000000);
	context = json_array_get(json_object_get(client, "contexts"), 1);
	expect_measure(
	    context, "queue_wait", 3000000, 3000000, 3000000, 3000000);
	expect_measure(context, "latency", 4000000, 4000000, 4000000, 4000000);
	assert_true(real(context, NULL, "iterations_per_s") == 250);
	assert_int_equal(number(context, NULL, "period_misses"), 5);
	/* And of all clients. */
	assert_int_equal(number(o, "latency", "mean_ns"), 3500000);
	assert_int_equal(number(o, "queue_wait", "max_ns"), 3000000);
	json_decref(o);
	outcome_free(&r);
}

/* A batch that runs when time is up counts as busy; none has ended. */
TEST(json_cut_short)
{
	struct outcome r;
	json_t *o, *client, *e;

	RUN(&r, "-b", "--profile=ideal", "--json", "--duration=0.002", "-w",
	    "1.RCS.3000.0.0,2.RCS.1000.0.0,2.BCS.1000.-1.1");
	o = load(&r);
	e = json_array_get(json_object_get(o, "engines"), 0);
	assert_int_equal(number(e, NULL, "busy_ns"), 2000000);
	assert_int_equal(number(e, "queue", "now"), 1);
	assert_true(real(e, "queue", "mean") == 1);
	e = json_array_get(json_object_get(o, "engines"), 1);
	assert_int_equal(number(e, NULL, "waiting_ns"), 2000000);
	assert_int_equal(number(e, NULL, "idle_ns"), 0);
	client = json_array_get(json_object_get(o, "clients"), 0);
	assert_int_equal(number(client, NULL, "busy_ns"), 2000000);
	expect_measure(client, "latency", 0, 0, 0, 0);
	json_decref(o);
	outcome_free(&r);
}

static void
expect_parts(json_t *o, nsec run, nsec switching, nsec sema)
{
	assert_int_equal(number(o, NULL, "run_ns"), run);
	assert_int_equal(number(o, NULL, "switch_ns"), switching);
	assert_int_equal(number(o, NULL, "sema_ns"), sema);
	assert_int_equal(number(o, NULL, "busy_ns"), run + switching + sema);
}

/* Switching contexts takes 1 us and slices 50 us; the batch on VCS1 polls. Busy
 * time is the sum of its parts, of engines and of contexts. */
TEST(json_parts)
{
	struct outcome r;
	json_t *o, *engines, *contexts, *ran;

	enter_test_folder();
	write_file("costs.ini",
	    "[costs]\ncontext_switch_ns = 1000\nsseu_ns = 50000\n");
	RUN(&r, "-b", "--profile=./costs.ini", "--scheduler=execlists",
	    "--json", "-w",
	    "S.1.1,1.RCS.1000.0.0,2.RCS.2000.0.0,3.VCS1.100.-1.1");
	o = load(&r);
	engines = json_object_get(o, "engines");
	expect_parts(json_array_get(engines, 0), 3000000, 52000, 0);
	expect_parts(json_array_get(engines, 2), 100000, 1000, 1999000);
	contexts = json_object_get(
	    json_array_get(json_object_get(o, "clients"), 0), "contexts");
	expect_parts(json_array_get(contexts, 0), 1000000, 1000, 0);
	expect_parts(json_array_get(contexts, 1), 2000000, 51000, 0);
	expect_parts(json_array_get(contexts, 2), 100000, 1000, 1999000);
	ran = json_object_get(json_array_get(contexts, 2), "engines");
	assert_int_equal(json_object_size(ran), 1);
	assert_int_equal(number(ran, NULL, "VCS1"), 100000);
	json_decref(o);
	outcome_free(&r);
}

TEST(verbose_text)
{
	struct outcome r;

	RUN(&r, "-b", "--profile=ideal", "--scheduler=execlists", "-vv", "-w",
	    "1.RCS.7000.0.0,2.VCS1.1000.-1.1");
	assert_non_null(strstr(r.err,
	    "VCS1: 12.5% running, 0.0% switching, 87.5% polling, 0.0% "
	    "blocked, 0.0% idle; 1 batches, 1 switches, 0 preemptions, queue "
	    "mean/max=0.0/0\n"));
	assert_non_null(strstr(r.err, "0: latency mean/p50/p99/max=7500/"));
	assert_non_null(strstr(r.err,
	    "/8000/8000us, queue wait "
	    "mean/p50/p99/max=3500/0/7000/7000us\n"));
	outcome_free(&r);
}

/* The engine that limits the run, and how it was used. */
TEST(limits)
{
	struct outcome r;
	json_t *o, *l;

	RUN(&r, "-b", "-vv", "--profile=ideal", "--scheduler=fifo", "-r10",
	    "--json", "-w", "1.RCS.100.0.0,1.RCS.100.0.1");
	assert_int_equal(r.status, 0);
	o = load(&r);
	l = json_object_get(o, "limits");
	assert_string_equal(
	    json_string_value(json_object_get(l, "engine")), "RCS");
	assert_string_equal(
	    json_string_value(json_object_get(l, "busiest")), "RCS");
	assert_true(real(l, NULL, "run_percent") == 100);
	assert_true(real(l, NULL, "switch_percent") == 0);
	assert_true(real(l, NULL, "sseu_percent") == 0);
	assert_true(real(l, NULL, "queued_percent") == 50);
	assert_true(real(l, NULL, "queue_mean") == 0.5);
	assert_non_null(strstr(
	    r.err, "RCS limits: runs 100 %, switches 0 %; 0.5 queued\n"));
	json_decref(o);
	outcome_free(&r);
}

/* A run that no engine limits. */
TEST(no_limit)
{
	struct outcome r;
	json_t *o, *l;

	RUN(&r, "-b", "-vv", "--profile=ideal", "--scheduler=fifo", "-r10",
	    "--json", "-w", "1.VCS1.300.0.1,d.700");
	o = load(&r);
	l = json_object_get(o, "limits");
	assert_true(json_is_null(json_object_get(l, "engine")));
	assert_string_equal(
	    json_string_value(json_object_get(l, "busiest")), "VCS1");
	assert_non_null(strstr(r.err,
	    "no engine limits: VCS1 is busiest, 30 % of 10.0ms (runs 30 "
	    "%, switches 0 %)\n"));
	json_decref(o);
	outcome_free(&r);
}
