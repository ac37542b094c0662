/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A signal ends a run within one instant too, in which virtual time does not
 * advance while iterations go on, under every scheduler: all outputs are whole,
 * and the status names the signal. Such a run once went on until the limit of
 * CPU time here.
 */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/run_program.h"

/* Batches without end that T ends at once: iterations take no time. */
#define SPINNING "1.RCS.*.0.0,T.-1"

static off_t
size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_size : 0;
}

/* Rows are written by the megabyte. */
static void
wait_for_rows(const char *path)
{
	const struct timespec pause = {.tv_nsec = 2000000};

	while (size_of(path) == 0)
		nanosleep(&pause, NULL);
}

static void
expect_interrupted(const char *scheduler, int signal)
{
	const char *requests = test_path("requests"), *json = test_path("json");
	const char *trace = test_path("trace.json");
	static const struct streams limited = {.before = "ulimit -t 60"};
	char to_requests[300], to_json[300], to_trace[300];
	const char *args[] = {"-b", "-q", "--profile=ideal", "--scheduler",
	    scheduler, "-r", "1000000000000", "-w", SPINNING, to_requests,
	    to_json, to_trace, NULL};
	struct outcome r;
	struct child c;
	json_t *o;
	char *rows;
	size_t len;

	snprintf(to_requests, sizeof(to_requests), "--requests=%s", requests);
	snprintf(to_json, sizeof(to_json), "--json=%s", json);
	snprintf(to_trace, sizeof(to_trace), "--trace-json=%s", trace);
	remove(requests);
	c = start_program(&limited, args);
	wait_for_rows(requests);
	/* As timeout(1) does. */
	kill(c.pid, signal);
	kill(c.pid, signal);
	finish_program(&r, c);
	assert_int_equal(r.status, 128 + signal);
	assert_string_equal(r.err, "");
	o = json_load_file(json, 0, NULL);
	assert_non_null(o);
	assert_true(json_is_true(json_object_get(o, "interrupted")));
	assert_int_equal(
	    json_integer_value(json_object_get(o, "elapsed_ns")), 0);
	json_decref(o);
	o = json_load_file(trace, 0, NULL);
	assert_non_null(o);
	json_decref(o);
	rows = read_whole(requests, &len);
	assert_int_equal(rows[len - 1], '\n');
	free(rows);
	outcome_free(&r);
}

TEST(within_an_instant)
{
	expect_interrupted("fifo", SIGTERM);
	expect_interrupted("execlists", SIGINT);
	expect_interrupted("drm", SIGHUP);
	expect_interrupted("guc", SIGTERM);
}
