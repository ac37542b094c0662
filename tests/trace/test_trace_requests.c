/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of shipped workloads: --trace shows of each request what --requests
 * says, and Arm's viewer can join it with the metadata. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tests/support/arm_join.h"
#include "tests/support/run_program.h"
#include "tests/support/trace_reader.h"

enum { ENGINES = 1 };

/* A line of --requests. */
struct row {
	unsigned client, iteration;
	int64_t submit, ready, start, end, run; /* -1: not (yet) */
	unsigned preemptions;
	char engine[16];
};

static int64_t
get_row_time(const char *text)
{
	return strcmp(text, "-") == 0 ? -1 : strtoll(text, NULL, 10);
}

static size_t
read_rows(const char *path, struct row **rows)
{
	size_t len, n = 0, cap = 0;
	char *text = read_whole(path, &len), *rest, *line;

	*rows = NULL;
	line = strtok_r(text, "\n", &rest);
	assert_non_null(line);
	while ((line = strtok_r(NULL, "\n", &rest)) != NULL) {
		char f[6][24], engine[16];
		struct row *row;
		unsigned client, iteration, preemptions;

		assert_int_equal(
		    sscanf(line,
			"%u %u %*s %*s %15s %23s %23s %23s %23s %23s %u",
			&client, &iteration, engine, f[0], f[1], f[2], f[3],
			f[4], &preemptions),
		    9);
		*rows = mem_grow(*rows, n, &cap, sizeof(**rows));
		row = &(*rows)[n++];
		*row = (struct row){client, iteration, get_row_time(f[0]),
		    get_row_time(f[1]), get_row_time(f[2]), get_row_time(f[3]),
		    get_row_time(f[4]), preemptions, ""};
		memcpy(row->engine, engine, sizeof(engine));
	}
	free(text);
	return n;
}

/* A request's slices on engines: from its start to its end, as long as it ran,
 * one more than it was preempted. */
static void
expect_row(const struct seen_trace *t, const struct row *row, int64_t seq)
{
	uint64_t sum = 0, first = UINT64_MAX, last = 0;
	unsigned n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_SLICE || s->group != ENGINES ||
		    s->request != seq || strcmp(s->name, "polls") == 0 ||
		    strcmp(s->name, "switches") == 0)
			continue;
		n++;
		sum += s->end - s->start;
		first = s->start < first ? s->start : first;
		last = s->end > last ? s->end : last;
		if (row->end >= 0 && (int64_t)s->end == row->end)
			assert_string_equal(
			    seen_row_name(t, s->group, s->number), row->engine);
	}
	if (row->start < 0 || row->run == 0) {
		assert_int_equal(n, 0);
		return;
	}
	assert_true(n <= row->preemptions + 1);
	assert_true(n > 0 || row->end < 0);
	if (n > 0)
		assert_int_equal(first, row->start);
	if (row->end < 0)
		return;
	assert_int_equal(sum, row->run);
	assert_int_equal(last, row->end);
}

/* The first request that has a workload with the stage's tag; one with it runs
 * just then. */
static int64_t
first_request(const struct seen_trace *t, const struct seen *stage)
{
	int64_t first = INT64_MAX;
	bool runs = false;

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_SLICE || s->tag != stage->tag)
			continue;
		runs |= s->start == stage->start && s->end == stage->end;
		first = s->request < first ? s->request : first;
	}
	assert_true(runs);
	return first;
}

/* Each render stage joins the record of the submission that it is of. The parts
 * of a pass join that of its beginning. */
static void
expect_own_records(
    const struct seen_trace *t, const struct row *rows, const char *metadata)
{
	size_t n;
	struct arm_record *records = arm_records(metadata, &n);

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];
		const struct arm_record *record;
		const struct row *row;

		if (s->kind != SEEN_STAGE || s->tag == 0)
			continue;
		assert_true(s->tag < n);
		record = &records[s->tag];
		row = &rows[first_request(t, s) - 1];
		assert_int_equal(record->device, row->client + 1);
		assert_int_equal(record->submit_ns, row->submit);
	}
	free(records);
}

/* A run that was written in all ways. */
struct traced {
	struct seen_trace trace;
	struct row *rows;
	size_t n;
};

static void
run_traced(struct traced *t, const char *workload, const char *sched)
{
	struct outcome r;

	RUN(&r, "-b", "-q", "-w", workload, "-c", "3", "--duration", "0.15",
	    "--scheduler", sched, "--trace", test_path("t"), "--trace-json",
	    test_path("j"), "--arm-metadata", test_path("a"), "--requests",
	    test_path("r"));
	assert_string_equal(r.err, "");
	outcome_free(&r);
	t->n = read_rows(test_path("r"), &t->rows);
	assert_true(t->n > 0);
	seen_perfetto(&t->trace, test_path("t"));
	arm_join_expect(&t->trace, test_path("a"));
}

static void
traced_free(struct traced *t)
{
	seen_free(&t->trace);
	free(t->rows);
}

static void
compare_with_requests(const char *workload, const char *sched)
{
	struct traced t;

	run_traced(&t, workload, sched);
	for (size_t i = 0; i < t.n; i++)
		expect_row(&t.trace, &t.rows[i], (int64_t)i + 1);
	for (size_t i = 0; i < t.trace.n; i++)
		assert_in_range(t.trace.events[i].request, 0, t.n);
	traced_free(&t);
}

TEST(requests)
{
	static const char *const workloads[] = {"workloads/layer.wsim",
	    "workloads/desktop.wsim", "workloads/hang.wsim",
	    "workloads/load-balance.wsim"};
	static const char *const scheds[] = {"fifo", "execlists", "drm", "guc"};

	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 4; k++)
			compare_with_requests(workloads[i], scheds[k]);
	compare_with_requests("workloads/parallel-frame.wsim", "guc");
}

/* All shipped descriptors. */
TEST(own_records)
{
	static const struct {
		const char *workload, *sched;
	} list[] = {
	    {"workloads/bonds.wsim", "execlists"},
	    {"workloads/composited.wsim", "fifo"},
	    {"workloads/desktop.wsim", "execlists"},
	    {"workloads/desktop.wsim", "fifo"},
	    {"workloads/hang.wsim", "execlists"},
	    {"workloads/layer.wsim", "drm:fair"},
	    {"workloads/layer.wsim", "execlists"},
	    {"workloads/layer.wsim", "guc"},
	    {"workloads/load-balance.wsim", "drm"},
	    {"workloads/parallel-frame.wsim", "guc"},
	    {"workloads/priority-inversion.wsim", "execlists"},
	    {"workloads/queue-depth.wsim", "drm:rr"},
	    {"workloads/split-frame.wsim", "execlists"},
	    {"workloads/sseu.wsim", "execlists"},
	    {"workloads/submit-fence.wsim", "execlists"},
	    {"workloads/transcode.wsim", "guc"},
	    {"workloads/working-sets.wsim", "execlists"},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		struct traced t;

		run_traced(&t, list[i].workload, list[i].sched);
		expect_own_records(&t.trace, t.rows, test_path("a"));
		traced_free(&t);
	}
}

/* An update of an acceleration structure is a build in Arm's records, and a stage
 * of its own. */
TEST(update)
{
	struct traced t;
	unsigned n_updates = 0, n_builds = 0;

	write_file(test_path("update.wsim"),
	    "#@ asbuild 5000 fasttrace\n1.RCS.300.0.0\n"
	    "#@ asbuild 70 fasttrace update\n1.RCS.100.0.1\n");
	run_traced(&t, test_path("update.wsim"), "execlists");
	expect_own_records(&t.trace, t.rows, test_path("a"));
	for (size_t i = 0; i < t.trace.n; i++) {
		const struct seen *s = &t.trace.events[i];

		n_updates += s->kind == SEEN_STAGE &&
		    strcmp(s->stage, "acceleration structure update") == 0;
		n_builds += s->kind == SEEN_STAGE &&
		    strstr(s->stage, "'fast trace' build") != NULL;
	}
	assert_true(n_updates > 100);
	assert_in_range(n_builds, n_updates, n_updates + 3);
	traced_free(&t);
}
