/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --trace-kernel: counts and times of its events are those of --requests
 * (doc/model/traces.md); trace_kernel.cases has its formats.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/run_program.h"

#define MAX_REQUESTS 4096
#define NO_TIME      UINT64_MAX

/* Delays of more than 2^27 ns, priorities, a balanced context, waits. */
#define WORK                                                                   \
	"M.3.VCS1|VCS2,B.3,P.2.100,1.RCS.3000.0.0,1.VCS1.500-900.-1.0,"        \
	"2.RCS.200.0.0,3.DEFAULT.700.-3.0,3.DEFAULT.100.s-1.0,f,"              \
	"2.BCS.50.f-1.0,a.-2,d.150000,1.RCS.100.0.1,p.170000"

/* A request as one of the files has it. */
struct seen {
	uint64_t ctx, seqno;
	uint64_t submit, ready, start, end, run, preemptions;
	uint64_t in; /* its last _in */
	uint64_t job_run, job_end;
};

struct seen_list {
	size_t n;
	struct seen list[MAX_REQUESTS];
};

static struct seen_list expected, seen;

static void
read_requests(const char *path)
{
	char *text = read_whole(path, NULL);

	expected.n = 0;
	for (char *at = strchr(text, '\n') + 1; *at != '\0';
	     at = strchr(at, '\n') + 1) {
		struct seen *s = &expected.list[expected.n++];

		assert_true(expected.n < MAX_REQUESTS);
		*s = (struct seen){0};
		assert_int_equal(
		    sscanf(at,
			"%*u %*u %*u %*u %*s %" SCNu64 " %" SCNu64 " %" SCNu64
			" %" SCNu64 " %" SCNu64 " %" SCNu64,
			&s->submit, &s->ready, &s->start, &s->end, &s->run,
			&s->preemptions),
		    6);
	}
	free(text);
}

/* Finds the request whose context follows key, and whose seqno is the next
 * number after it. */
static struct seen *
find_seen(const char *fields, const char *key)
{
	const char *at = strstr(fields, key);
	uint64_t ctx, seqno;
	char *end;

	assert_non_null(at);
	ctx = strtoull(at + strlen(key), &end, 10);
	seqno = strtoull(end + strcspn(end, "0123456789"), NULL, 10);
	for (size_t i = 0; i < seen.n; i++)
		if (seen.list[i].ctx == ctx && seen.list[i].seqno == seqno)
			return &seen.list[i];
	assert_true(seen.n < MAX_REQUESTS);
	seen.list[seen.n] = (struct seen){
	    .ctx = ctx, .seqno = seqno, .start = NO_TIME, .job_run = NO_TIME};
	return &seen.list[seen.n++];
}

static void
note_event(const char *name, const char *fields, uint64_t time, uint64_t *last)
{
	struct seen *s = NULL;

	assert_true(time >= *last);
	*last = time;
	if (strncmp(name, "i915_", 5) == 0)
		s = find_seen(fields, "ctx=");
	if (strcmp(name, "i915_request_add") == 0) {
		s->submit = time;
	} else if (strcmp(name, "i915_request_submit") == 0) {
		s->ready = time;
	} else if (strcmp(name, "i915_request_in") == 0) {
		s->start = s->start == NO_TIME ? time : s->start;
		s->in = time;
	} else if (strcmp(name, "i915_request_out") == 0) {
		s->run += time - s->in;
		s->preemptions += strstr(fields, "completed?=0") != NULL;
	} else if (strcmp(name, "dma_fence_signaled") == 0) {
		find_seen(fields, "context=")->end = time;
	} else if (strcmp(name, "drm_sched_job_run") == 0) {
		s = find_seen(fields, "fence=");
		assert_int_equal(s->job_run, NO_TIME);
		s->job_run = time;
	} else if (strcmp(name, "drm_sched_job_done") == 0) {
		find_seen(fields, "fence=")->job_end = time;
	}
}

static void
read_events(const char *path)
{
	char *text = read_whole(path, NULL);
	uint64_t last = 0;

	seen.n = 0;
	assert_int_equal(strncmp(text, "cpus=1\n", 7), 0);
	for (char *at = text + 7; *at != '\0'; at = strchr(at, '\n') + 1) {
		uint64_t s, ns;
		char name[64];
		int n = 0;

		assert_int_equal(
		    sscanf(at,
			" %*s [000] %" SCNu64 ".%9" SCNu64 ": %63[^:]: %n", &s,
			&ns, name, &n),
		    3);
		*strchr(at, '\n') = '\0';
		note_event(name, at + n, s * 1000000000 + ns, &last);
		at[strlen(at)] = '\n';
	}
	free(text);
}

/* Compares what was read of both. */
static void
expect_same(bool guc)
{
	assert_int_equal(seen.n, expected.n);
	for (size_t i = 0; i < seen.n; i++) {
		const struct seen *a = &seen.list[i], *b = &expected.list[i];

		assert_int_equal(a->submit, b->submit);
		assert_int_equal(a->ready, b->ready);
		assert_int_equal(a->end, b->end);
		assert_int_equal(a->job_run, b->start);
		assert_int_equal(a->job_end, b->end);
		if (guc)
			continue;
		assert_int_equal(a->start, b->start);
		assert_int_equal(a->run, b->run);
		assert_int_equal(a->preemptions, b->preemptions);
	}
}

static void
run_traced(const char *scheduler, const char *option)
{
	struct outcome r;

	RUN(&r, "-b", "-q", "-r", "20", "-c", "3", "--profile=default",
	    scheduler, "-w", WORK, "--trace-kernel=trace.txt",
	    "--requests=requests", option);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

TEST(times)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm", "drm:rr", "guc"};

	for (size_t i = 0; i < sizeof(schedulers) / sizeof(*schedulers); i++) {
		char option[32];

		snprintf(
		    option, sizeof(option), "--scheduler=%s", schedulers[i]);
		run_traced(option, NULL);
		read_requests("requests");
		read_events("trace.txt");
		assert_true(expected.n > 400);
		expect_same(strcmp(schedulers[i], "guc") == 0);
	}
}

FIXTURES(in_test_folder, NULL);
