/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libtracecmd reads the trace.dat of --trace-kernel, and the trace that trace-cmd
 * makes of it in version 7: each event that --requests implies is there, at the
 * time that it has there (doc/model/traces.md).
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define WORK                                                                   \
	"P.2.100,1.RCS.3000.0.0,1.VCS1.500-900.-1.0,2.RCS.200.0.0,f,"          \
	"2.BCS.50.f-1.0,a.-2,d.150000,1.RCS.100.0.1,p.170000"

/* Times of one kind, in ns. */
struct times {
	uint64_t *list;
	size_t n, cap;
};

/* Times that --requests has, or that the library reads. */
struct both {
	struct times submit, ready, start, end;
	struct times drm_submit, drm_start, drm_end, queue, run, done;
	uint64_t run_ns, preemptions;
	uint64_t last_ns;
	struct tep_handle *tep;
};

static void
add_time(struct times *t, uint64_t ns)
{
	t->list = mem_grow(t->list, t->n, &t->cap, sizeof(*t->list));
	t->list[t->n++] = ns;
}

static int
compare_times(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
expect_equal(struct times *a, struct times *b, const char *what)
{
	qsort(a->list, a->n, sizeof(*a->list), compare_times);
	qsort(b->list, b->n, sizeof(*b->list), compare_times);
	if (a->n != b->n)
		fail_msg("%s: %zu events, %zu requests", what, a->n, b->n);
	for (size_t i = 0; i < a->n; i++)
		if (a->list[i] != b->list[i])
			fail_msg("%s: event at %" PRIu64
				 " ns, request at %" PRIu64 " ns",
			    what, a->list[i], b->list[i]);
}

static void
read_table(struct both *b)
{
	char *text = read_whole("requests", NULL);

	*b = (struct both){.run_ns = 0};
	for (char *at = strchr(text, '\n') + 1; *at != '\0';
	     at = strchr(at, '\n') + 1) {
		uint64_t submit, ready, start, end, run, preemptions;

		assert_int_equal(
		    sscanf(at,
			"%*u %*u %*u %*u %*s %" SCNu64 " %" SCNu64 " %" SCNu64
			" %" SCNu64 " %" SCNu64 " %" SCNu64,
			&submit, &ready, &start, &end, &run, &preemptions),
		    6);
		add_time(&b->submit, submit);
		add_time(&b->ready, ready);
		add_time(&b->start, start);
		add_time(&b->end, end);
		b->run_ns += run;
		b->preemptions += preemptions;
	}
	free(text);
}

static int
take_record(struct tracecmd_input *input, struct tep_record *record, int cpu,
    void *data)
{
	struct both *b = data;
	struct tep_event *e = tep_find_event_by_record(b->tep, record);
	struct {
		const char *name;
		struct times *times;
	} rows[] = {
	    {"i915_request_add", &b->submit},
	    {"i915_request_submit", &b->ready},
	    {"dma_fence_signaled", &b->end},
	    {"drm_sched_job", &b->drm_submit},
	    {"drm_run_job", &b->drm_start},
	    {"drm_sched_process_job", &b->drm_end},
	    {"drm_sched_job_queue", &b->queue},
	    {"drm_sched_job_run", &b->run},
	    {"drm_sched_job_done", &b->done},
	};
	unsigned long long completed = 1;

	(void)input;
	(void)cpu;
	assert_non_null(e);
	assert_true(record->ts >= b->last_ns);
	assert_int_equal(record->missed_events, 0);
	b->last_ns = record->ts;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strcmp(e->name, rows[i].name) == 0)
			add_time(rows[i].times, record->ts);
	if (strcmp(e->name, "i915_request_in") == 0) {
		b->run_ns -= record->ts;
	} else if (strcmp(e->name, "i915_request_out") == 0) {
		b->run_ns += record->ts;
		assert_int_equal(tep_get_field_val(NULL, e, "completed", record,
				     &completed, 1),
		    0);
		b->preemptions += completed == 0;
	}
	return 0;
}

static void
read_by_library(const char *path, struct both *b)
{
	struct tracecmd_input *input = tracecmd_open(
	    path, TRACECMD_FL_LOAD_NO_PLUGINS);

	*b = (struct both){.run_ns = 0};
	assert_non_null(input);
	b->tep = tracecmd_get_tep(input);
	assert_int_equal(
	    tracecmd_iterate_events(input, NULL, 0, take_record, b), 0);
	tracecmd_close(input);
}

static void
free_times(struct both *b)
{
	struct times *all = &b->submit;

	for (size_t i = 0; i < 10; i++)
		free(all[i].list);
}

static void
expect_library_reads(const char *path)
{
	struct both table, trace;

	read_table(&table);
	read_by_library(path, &trace);
	assert_true(table.submit.n > 100);
	expect_equal(&trace.submit, &table.submit, "i915_request_add");
	expect_equal(&trace.ready, &table.ready, "i915_request_submit");
	expect_equal(&trace.end, &table.end, "dma_fence_signaled");
	expect_equal(&trace.drm_submit, &table.submit, "drm_sched_job");
	expect_equal(&trace.drm_start, &table.start, "drm_run_job");
	expect_equal(&trace.drm_end, &table.end, "drm_sched_process_job");
	expect_equal(&trace.queue, &table.submit, "drm_sched_job_queue");
	expect_equal(&trace.run, &table.start, "drm_sched_job_run");
	expect_equal(&trace.done, &table.end, "drm_sched_job_done");
	assert_int_equal(trace.run_ns, table.run_ns);
	assert_int_equal(trace.preemptions, table.preemptions);
	free_times(&table);
	free_times(&trace);
}

static void
write_trace(const char *scheduler)
{
	struct outcome o;

	RUN(&o, "-b", "-q", "-r", "20", "-c", "3", "--profile=default",
	    scheduler, "-w", WORK, "--trace-kernel=trace.dat",
	    "--requests=requests");
	assert_string_equal(o.err, "");
	assert_int_equal(o.status, 0);
	outcome_free(&o);
}

TEST(library)
{
	static const char *const schedulers[] = {"--scheduler=fifo",
	    "--scheduler=execlists", "--scheduler=drm", "--scheduler=drm:fair"};

	enter_test_folder();
	tracecmd_set_loglevel(TEP_LOG_NONE);
	for (size_t i = 0; i < 4; i++) {
		write_trace(schedulers[i]);
		expect_library_reads("trace.dat");
	}
}

TEST(converted)
{
	enter_test_folder();
	if (system("command -v trace-cmd >output") != 0) /* NOLINT */
		skip_test("no trace-cmd (package trace-cmd)");
	write_trace("--scheduler=execlists");
	/* NOLINTNEXTLINE(cert-env33-c) */
	assert_int_equal(system("trace-cmd convert -i trace.dat -o seven.dat "
				"--file-version 7 --compression zstd >output"),
	    0);
	expect_library_reads("seven.dat");
}
