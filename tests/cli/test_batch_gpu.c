/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch mode on a GPU (-b -D), which is the virtual i915: this program runs under
 * gpuwl-run. In virtual time and without costs it says what the model says, in
 * every output; in real time it ends when it is to.
 */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

#define ON_GPU(...)                                                            \
	"-q", "--virtual-time", "--profile=ideal", "--scheduler=fifo",         \
	    gpuwl_top(), "-b", "-D", "pci:", __VA_ARGS__
#define DESCRIPTOR                                                             \
	"1.RCS.1000.0.1,1.VCS1.500-900.-1.0,2.BCS.300.0.1,p.5000,"             \
	"2.BCS.*.0.0,d.200,T.-2"

/* Runs on the model. */
#define RUN_MODEL(r, ...)                                                      \
	RUN((r), "-q", gpuwl_top(), "-b", "--profile=ideal",                   \
	    "--scheduler=fifo", __VA_ARGS__)

static void
expect_same_out(const struct outcome *a, const struct outcome *b)
{
	assert_string_equal(a->err, b->err);
	assert_int_equal(a->status, 0);
	assert_string_equal(a->out, b->out);
}

TEST(reports_are_those_of_the_model)
{
	struct outcome gpu, on_model;

	RUN(&gpu, ON_GPU("-w", DESCRIPTOR, "-r", "5", "-c", "3"));
	RUN_MODEL(&on_model, "-w", DESCRIPTOR, "-r", "5", "-c", "3");
	expect_same_out(&gpu, &on_model);
	outcome_free(&gpu);
	outcome_free(&on_model);
	RUN(&gpu,
	    ON_GPU("-w", DESCRIPTOR, "-r", "5", "-c", "2", "--requests=-"));
	RUN_MODEL(
	    &on_model, "-w", DESCRIPTOR, "-r", "5", "-c", "2", "--requests=-");
	expect_same_out(&gpu, &on_model);
	outcome_free(&gpu);
	outcome_free(&on_model);
}

TEST(several_workloads_and_a_master)
{
	struct outcome gpu, on_model;

	RUN(&gpu,
	    ON_GPU("-W", "1.RCS.1000.0.1", "-w", "2.VCS1.700.0.1", "-r", "10",
		"-a", "3.BCS.50.0.0", "-f", "0.5", "-I", "7"));
	RUN_MODEL(&on_model, "-W", "1.RCS.1000.0.1", "-w", "2.VCS1.700.0.1",
	    "-r", "10", "-a", "3.BCS.50.0.0", "-f", "0.5", "-I", "7");
	expect_same_out(&gpu, &on_model);
	outcome_free(&gpu);
	outcome_free(&on_model);
}

static json_t *
json_of(struct outcome *r)
{
	json_t *o = json_loads(r->out, 0, NULL);

	assert_non_null(o);
	outcome_free(r);
	return o;
}

TEST(traces_name_the_gpu)
{
	struct outcome gpu;
	char *trace;

	RUN(&gpu, ON_GPU("-w", DESCRIPTOR, "-r", "2", "--trace=t.json"));
	assert_int_equal(gpu.status, 0);
	outcome_free(&gpu);
	trace = read_whole("t.json", NULL);
	assert_non_null(strstr(trace, "\"gpu\":\"tigerlake, /dev/dri/"));
	assert_null(strstr(trace, "\"scheduler\""));
	free(trace);
	unlink("t.json");
}

TEST(json_names_the_gpu)
{
	struct outcome gpu, on_model;
	json_t *a, *b;

	RUN(&gpu, ON_GPU("-w", DESCRIPTOR, "-r", "3", "--json=-"));
	RUN_MODEL(&on_model, "-w", DESCRIPTOR, "-r", "3", "--json=-");
	a = json_of(&gpu);
	b = json_of(&on_model);
	assert_true(json_is_null(json_object_get(a, "profile")));
	assert_true(json_is_null(json_object_get(a, "scheduler")));
	assert_string_equal(
	    json_string_value(json_object_get(a, "device")), "i915");
	assert_string_equal(
	    json_string_value(json_object_get(a, "device_name")), "tigerlake");
	assert_string_equal(
	    json_string_value(json_object_get(a, "pci")), "0000:00:02.0");
	for (const char *const *key = (const char *const[]){"profile",
		 "scheduler", "device", "device_name", "pci", "clock_error_ns",
		 "busyness", "other_clients", "hidden_processes", NULL};
	     *key != NULL; key++) {
		json_object_del(a, *key);
		json_object_del(b, *key);
	}
	assert_true(json_equal(a, b));
	json_decref(a);
	json_decref(b);
}

TEST(duration_ends_a_run)
{
	struct outcome r;

	RUN(&r,
	    ON_GPU(
		"-w", "1.RCS.9000.0.1,2.VCS1.*.0.0", "--duration=0.25", "-v"));
	expect_match(r.err,
	    "\nGPU tigerlake, /dev/dri/renderD[0-9]+, seed 1, "
	    "1 client\n$");
	assert_non_null(strstr(r.out, "0.250s elapsed"));
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

#define LAST "iteration 1, on RCS"

/* Batches that share an engine in turns, most of which are between two looks at the
 * GPU: they count themselves how long they ran. */
TEST(run_times_of_batches_in_turns)
{
	unsigned n = 0;
	struct outcome r;

	RUN(&r, "-q", "--virtual-time", "--profile=tgl", gpuwl_top(), "-b",
	    "-q", "-D", "pci:", "-c", "3", "-r", "5", "--requests=-", "-w",
	    "1.RCS.3000.0.1,2.RCS.3000.0.1");
	for (char *line = strtok(r.out, "\n"); line != NULL;
	     line = strtok(NULL, "\n")) {
		unsigned long long ran = 0;

		if (sscanf(line, "%*s %*s %*s %*s RCS %*s %*s %*s %*s %llu",
			&ran) != 1)
			continue;
		n++;
		if (ran < 3000000 || ran > 3001000)
			fail_msg("%s", line);
	}
	assert_int_equal(n, 30);
	outcome_free(&r);
}

/* The kernel resets the engine; the run goes on, and fails at its end. */
TEST(hangs_are_reported)
{
	struct outcome r;

	RUN(&r, "-q", "--virtual-time", "--profile=default", gpuwl_top(), "-b",
	    "-D", "pci:", "-w",
	    "1.RCS.500.0.1,X.1.0,1.RCS.*.0.0,2.RCS.1000.0.1", "-r", "2",
	    "--requests=-");
	expect_match(r.err,
	    "hang: client 0 context 1, line 1 \\(step 2\\), "
	    "iteration 1, on RCS, .*: stopped heartbeat");
	/* gpuwl-run -q says nothing of it itself. */
	assert_null(strstr(strstr(r.err, LAST) + 1, LAST));
	expect_match(r.out,
	    "\n0\t0\t2\t1\tRCS\t.*\tEIO\n"
	    "0\t0\t3\t2\tRCS\t.*\tok\n"
	    "0\t1\t0\t1\tRCS\t.*\tok\n");
	assert_int_equal(r.status, 3);
	outcome_free(&r);
}

/* The state of the run, and at the first hang that of the driver, which keeps it:
 * a later run has its own only. */
TEST(error_states_of_hangs)
{
	char script[2 * 4096];
	struct outcome r;
	char *text;

	snprintf(script, sizeof script,
	    "for i in 1 2; do %s -b -q -D pci: --error-state=errors$i -r 2 "
	    "-w X.1.0,1.RCS.*.0.0,2.RCS.1000.0.1 || echo $?; done",
	    gpuwl_top());
	RUN(&r, "-q", "--virtual-time", "--profile=default", "sh", "-c",
	    script);
	assert_string_equal(r.out, "3\n3\n");
	outcome_free(&r);
	text = read_whole("errors1/error-1.txt", NULL);
	expect_match(text, "^GPU hang 1 at .*stopped heartbeat");
	free(text);
	text = read_whole("errors1/error-1.i915.txt", NULL);
	expect_match(text, "^GPU HANG: ecode 12:1:.*in gpuwl-top ");
	free(text);
	assert_int_equal(access("errors1/error-2.json", F_OK), 0);
	assert_int_not_equal(access("errors1/error-2.i915.txt", F_OK), 0);
	assert_int_equal(access("errors2/error-1.txt", F_OK), 0);
	assert_int_not_equal(access("errors2/error-1.i915.txt", F_OK), 0);
}

/* The message says so once. */
TEST(earlier_error_state)
{
	char script[2 * 4096];
	struct outcome r;

	snprintf(script, sizeof script,
	    "for i in 1 2; do %s -b -D pci: --error-state=errors -r 2 "
	    "-w X.1.0,1.RCS.*.0.0,2.RCS.1000.0.1 >/dev/null; done",
	    gpuwl_top());
	RUN(&r, "-q", "--virtual-time", "--profile=default", "sh", "-c",
	    script);
	expect_match(r.err,
	    "gpuwl-top: /sys/class/drm/card0/error has the state of an "
	    "earlier hang, and i915 keeps the first one: ");
	assert_null(
	    strstr(strstr(r.err, "an earlier hang") + 1, "an earlier hang"));
	outcome_free(&r);
}

/* The steps that this GPU does not have are errors before anything runs. */
TEST(steps_are_refused_where_they_are)
{
	struct outcome r;

	RUN(&r, "-q", "--virtual-time", "--profile=kbl-gt2", gpuwl_top(), "-b",
	    "-D", "pci:", "-w", "1.RCS.10.0.0,S.1.1");
	assert_non_null(strstr(r.err,
	    "workload 0:1:14: error: /dev/dri/renderD128 has no slice masks "
	    "(S)"));
	assert_int_equal(r.status, 1);
	assert_string_equal(r.out, "");
	outcome_free(&r);
}

/* Options of the model say why they are none of a GPU. */
TEST(options_of_the_model)
{
	static const char *const refused[] = {
	    "--profile=ideal", "--scheduler=fifo", "--speed=2"};
	struct outcome r;

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		RUN(&r, "-q", gpuwl_top(), "-b", "-D", "pci:", "-w",
		    "1.RCS.10.0.0", refused[i]);
		assert_non_null(strstr(r.err, " cannot be used with -D: "));
		assert_int_equal(r.status, 2);
		outcome_free(&r);
	}
	RUN(&r, "-q", gpuwl_top(), "-b", "-D", "pci:vendor=1234", "-w",
	    "1.RCS.10.0.0");
	assert_non_null(strstr(r.err, "pci:vendor=1234"));
	assert_int_equal(r.status, 2);
	outcome_free(&r);
}

FIXTURES(use_gpuwl_top, NULL);
