/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --trace-kernel: counts and times of its events are those of --requests, its
 * formats say the same, and trace-cmd reads trace.dat (doc/model/traces.md).
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

static size_t
count_in(const char *text, const char *words)
{
	size_t n = 0;

	for (; (text = strstr(text, words)) != NULL; text++)
		n++;
	return n;
}

/* With the GuC no driver knows when a batch leaves its engine. */
TEST(guc)
{
	char *text;

	run_traced("--scheduler=guc", NULL);
	text = read_whole("trace.txt", NULL);
	assert_int_equal(count_in(text, "i915_request_out"), 0);
	assert_int_equal(count_in(text, "i915_request_in"),
	    count_in(text, "i915_request_add"));
	assert_int_equal(count_in(text, "port=1"), 0);
	free(text);
}

/* Each row of a parallel slot is a timeline of its own, on its engine. */
TEST(parallel)
{
	struct outcome r;
	char *text;

	RUN(&r, "-b", "-q", "--scheduler=guc", "-r", "4", "-w",
	    "G.1.VCS1/VCS2,1.DEFAULT.500.0.1", "--trace-kernel=trace.txt");
	assert_string_equal(r.err, "");
	outcome_free(&r);
	text = read_whole("trace.txt", NULL);
	assert_int_equal(
	    count_in(text, "i915_request_in:      dev=0, engine=2:0, ctx=102"),
	    4);
	assert_int_equal(
	    count_in(text, "i915_request_in:      dev=0, engine=2:1, ctx=104"),
	    4);
	free(text);
}

TEST(sets)
{
	static const struct {
		const char *option;
		bool i915, drm, drm617;
	} rows[] = {
	    {"--trace-events=i915", true, false, false},
	    {"--trace-events=drm", false, true, false},
	    {"--trace-events=drm617", false, false, true},
	    {"--trace-events=drm617,i915", true, false, true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text;

		run_traced("--scheduler=drm", rows[i].option);
		text = read_whole("trace.txt", NULL);
		assert_int_equal(
		    count_in(text, "i915_request_wait_end") > 0, rows[i].i915);
		assert_int_equal(
		    count_in(text, "dma_fence_wait_end") > 0, !rows[i].i915);
		assert_int_equal(
		    count_in(text, "drm_run_job") > 0, rows[i].drm);
		assert_int_equal(
		    count_in(text, "drm_sched_job_run") > 0, rows[i].drm617);
		assert_true(count_in(text, "dma_fence_signaled") > 0);
		free(text);
	}
}

TEST(refused)
{
	struct outcome r;

	RUN(&r, "-b", "-w", "1.RCS.100.0.0", "--trace-kernel=x",
	    "--trace-events=i915,amdgpu");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err,
	    "--trace-events: invalid events 'amdgpu': expected a list of i915, "
	    "drm and drm617, e.g. i915,drm617"));
	outcome_free(&r);
	RUN(&r, "-b", "-q", "-w", "1.RCS.100.0.0", "--trace-kernel=/dev/full");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err,
	    "/dev/full: cannot have a trace.dat, which is not written from its "
	    "beginning to its end: expected a regular file, e.g. trace.dat"));
	outcome_free(&r);
	assert_int_equal(symlink("/dev/full", "full.txt"), 0);
	RUN(&r, "-b", "-q", "-w", "1.RCS.100.0.0", "--trace-kernel=full.txt");
	assert_int_equal(r.status, 3);
	assert_non_null(strstr(r.err, "full.txt: No space left on device"));
	outcome_free(&r);
}

/* Blanks become one each. */
static void
squeeze(char *text)
{
	char *to = text;

	for (const char *at = text; *at != '\0'; at++)
		if (*at != ' ' || at == text || at[-1] != ' ')
			*to++ = *at;
	*to = '\0';
}

static char *
output_of(const char *command)
{
	assert_int_equal(system(command), 0); /* NOLINT */
	return read_whole("output", NULL);
}

static void
need_trace_cmd(void)
{
	if (system("command -v trace-cmd >output") != 0) /* NOLINT */
		skip_test("no trace-cmd (package trace-cmd)");
}

/* trace-cmd 3.3 has a column of flags after the CPU, of which none is set here. */
static void
expect_report(const char *dat)
{
	char command[128];
	char *report, *text = read_whole("trace.txt", NULL);

	snprintf(command, sizeof(command),
	    "trace-cmd report -t %s | sed 's/ \\[000\\] [.]\\{5\\} / [000] /' "
	    ">output",
	    dat);
	report = output_of(command);
	squeeze(report);
	squeeze(text);
	assert_int_equal(strlen(report), strlen(text));
	assert_string_equal(report, text);
	free(report);
	free(text);
}

TEST(trace_cmd)
{
	need_trace_cmd();
	run_traced("--scheduler=execlists", NULL);
	run_traced("--scheduler=execlists", "--trace-kernel=trace.dat");
	run_traced("--scheduler=execlists", NULL);
	expect_report("trace.dat");
}

/* More tasks than the header has room for; trace-cmd prints the others as
 * <...>. */
TEST(many_tasks)
{
	struct outcome r;
	char *report;

	need_trace_cmd();
	RUN(&r, "-b", "-q", "-c", "9000", "-w", "1.RCS.10.0.0",
	    "--trace-kernel=many.dat", "--trace-events=i915");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	report = output_of("trace-cmd report many.dat >output");
	assert_int_equal(count_in(report, "i915_request_add"), 9000);
	assert_true(count_in(report, "<...>-") > 0);
	free(report);
}

TEST(perf)
{
	char *perf;

	run_traced("--scheduler=fifo", "--trace-kernel=trace.perf");
	perf = read_whole("trace.perf", NULL);
	assert_non_null(strstr(perf,
	    "          client  2000 [000]     0.000002: i915:i915_request_queue: dev=0, "
	    "engine=0:0, ctx=102, seqno=1, flags=0x0\n"));
	assert_non_null(strstr(perf, "         swapper     0 [000] "));
	free(perf);
}

/* The bundles of --trace, as protoc --decode_raw prints them. */
TEST(bundles)
{
	struct outcome r;
	char *raw;

	if (system("command -v protoc >output") != 0) /* NOLINT */
		skip_test("protoc is not installed");
	RUN(&r, "-b", "-q", "-r", "30", "-w", "1.RCS.300.0.1,2.BCS.100.-1.0",
	    "--trace=trace");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	raw = output_of("protoc --decode_raw <trace >output");
	assert_int_equal(count_in(raw, "      593 {\n"), 60);
	assert_int_equal(count_in(raw, "      594 {\n"), 60);
	assert_int_equal(count_in(raw, "      592 {\n"), 60);
	assert_int_equal(count_in(raw, "      416 {\n"), 60);
	assert_int_equal(count_in(raw, "      411 {\n"), 0);
	assert_int_equal(count_in(raw, "      417 {\n"), 30);
	assert_int_equal(count_in(raw, "1: \"i915_request_in\"\n"), 60);
	free(raw);
}

FIXTURES(in_test_folder, NULL);
