/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of shipped workloads: --trace shows of each request what --requests
 * says, and Arm's viewer can join it with the metadata. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/arm_join.h"
#include "tests/support/run_program.h"
#include "tests/support/trace_reader.h"

enum { ENGINES = 1 };

/* A line of --requests. */
struct row {
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
		unsigned preemptions;

		assert_int_equal(
		    sscanf(line,
			"%*s %*s %*s %*s %15s %23s %23s %23s %23s %23s %u",
			engine, f[0], f[1], f[2], f[3], f[4], &preemptions),
		    7);
		*rows = mem_grow(*rows, n, &cap, sizeof(**rows));
		row = &(*rows)[n++];
		*row = (struct row){get_row_time(f[0]), get_row_time(f[1]),
		    get_row_time(f[2]), get_row_time(f[3]), get_row_time(f[4]),
		    preemptions, ""};
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
		    s->request != seq)
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

static void
compare_with_requests(const char *workload, const char *sched)
{
	struct seen_trace t;
	struct outcome r;
	struct row *rows;
	size_t n;

	RUN(&r, "-b", "-q", "-w", workload, "-c", "3", "--duration", "0.15",
	    "--scheduler", sched, "--trace", test_path("t"), "--trace-json",
	    test_path("j"), "--arm-metadata", test_path("a"), "--requests",
	    test_path("r"));
	assert_string_equal(r.err, "");
	outcome_free(&r);
	n = read_rows(test_path("r"), &rows);
	assert_true(n > 0);
	seen_perfetto(&t, test_path("t"));
	for (size_t i = 0; i < n; i++)
		expect_row(&t, &rows[i], (int64_t)i + 1);
	for (size_t i = 0; i < t.n; i++)
		assert_in_range(t.events[i].request, 0, n);
	arm_join_expect(&t, test_path("a"));
	seen_free(&t);
	free(rows);
}

static void
test_requests(void **state)
{
	static const char *const workloads[] = {"workloads/layer.wsim",
	    "workloads/desktop.wsim", "workloads/hang.wsim",
	    "workloads/load-balance.wsim"};
	static const char *const scheds[] = {"fifo", "execlists", "drm", "guc"};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 4; k++)
			compare_with_requests(workloads[i], scheds[k]);
	compare_with_requests("workloads/parallel-frame.wsim", "guc");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
