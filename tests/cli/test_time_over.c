/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The end of virtual time, 2^63 - 1 ns (base/nsec.h): a run that reaches it
 * says so and exits 3, and no figure wraps around.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/run_program.h"

static const char *const schedulers[] = {"fifo", "execlists", "drm", "guc"};

#define N_SCHEDULERS (sizeof(schedulers) / sizeof(*schedulers))

#define TIME_OVER                                                              \
	"gpuwl-top: the end of virtual time (292 years) was reached in "       \
	"client 0, iteration "
#define ELAPSED "9223372036.855s elapsed"

static void
expect_time_over(const struct outcome *r)
{
	assert_int_equal(strncmp(r->err, TIME_OVER, strlen(TIME_OVER)), 0);
	assert_int_equal(r->status, 3);
}

/* By durations, delays, and a batch that would begin before and end after. */
TEST(ways_there)
{
	static const char *const ways[] = {
	    "1.RCS.1000000000.0.1",
	    "1.RCS.1000000000.0.0,1.RCS.1000000000.0.1",
	    "d.1000000000,1.RCS.1.0.1",
	    "d.900000000,1.DEFAULT.999999999-1000000000.0.1",
	};
	struct outcome r;

	for (size_t s = 0; s < N_SCHEDULERS; s++)
		for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
			RUN(&r, "-b", "--profile=ideal", "--scheduler",
			    schedulers[s], "-f", "1e6", "-F", "1e6", "-r",
			    "1000000000", "-w", ways[i]);
			expect_time_over(&r);
			assert_non_null(strstr(r.out, ELAPSED));
			outcome_free(&r);
		}
}

/* The last iteration that fits ends without an error. */
TEST(just_before)
{
	struct outcome r;

	RUN(&r, "-b", "--profile=ideal", "-f", "1e6", "-r", "9", "-w",
	    "1.RCS.1000000000.0.1");
	assert_string_equal(r.err, "");
	assert_string_equal(
	    r.out, "9000000000.000s elapsed (0.000 workloads/s)\n");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

static void
expect_positive(const json_t *value)
{
	const char *key;
	json_t *item;
	size_t i;

	if (json_is_number(value))
		assert_true(json_number_value(value) >= 0);
	json_array_foreach(value, i, item) expect_positive(item);
	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	    expect_positive(item);
}

/* Totals of contexts that are on five engines at once, of clients and of
 * latencies are more than fits: they stay at the most that does. Schedulers with
 * slices get one client, as they would slice for years. */
TEST(totals)
{
	struct outcome r;
	json_t *o;

	for (size_t s = 0; s < N_SCHEDULERS; s++) {
		RUN(&r, "-b", "-q", "--profile=ideal", "--scheduler",
		    schedulers[s], "-f", "1e6", "-c", s % 2 == 0 ? "4" : "1",
		    "-r", "1000", "--json", "-w",
		    "1.RCS.1000000000.0.0,1.BCS.1000000000.0.0,"
		    "1.VCS1.1000000000.0.0,1.VCS2.1000000000.0.0,"
		    "1.VECS1.1000000000.0.1");
		expect_time_over(&r);
		o = json_loads(r.out, 0, NULL);
		assert_non_null(o);
		expect_positive(o);
		assert_true(json_is_true(json_object_get(o, "time_over")));
		assert_true(json_integer_value(
				json_object_get(o, "elapsed_ns")) == INT64_MAX);
		json_decref(o);
		outcome_free(&r);
	}
}

/* All other outputs too, and a replay ends where the run did. */
TEST(outputs)
{
	struct outcome r, again;

	enter_test_folder();
	RUN(&r, "-b", "--profile=ideal", "-f", "1e6", "-r", "1000",
	    "--record=recording", "--requests=requests", "--trace=trace",
	    "--trace-json=trace.json", "-w", "1.RCS.1000000000.0.1");
	expect_time_over(&r);
	RUN(&again, "-b", "--replay=recording");
	assert_string_equal(again.err, r.err);
	assert_string_equal(again.out, r.out);
	assert_int_equal(again.status, 3);
	outcome_free(&again);
	outcome_free(&r);
}
