/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the text of a kernel trace is read, and what memory it takes: one of
 * i915 alone, and one with nine events of the CPU's scheduler for each of these,
 * as machines trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/bench/bench.h"
#include "trace/import/import.h"

#define WRITE_BYTES ((size_t)1 << 20)

static void
put_head(struct text *t, uint64_t us, const char *task, const char *event)
{
	text_addf(t, "%16s-%-5u [%03u] d..1. %6llu.%06llu: %s: ", task, 2000u,
	    (unsigned)(us % 8), (unsigned long long)(us / 1000000),
	    (unsigned long long)(us % 1000000), event);
}

static void
put_request(
    struct text *t, uint64_t us, const char *event, uint64_t seqno, char more)
{
	put_head(t, us, "game", event);
	text_addf(t, "dev=0, engine=%u:0, ctx=%llu, seqno=%llu, %s\n",
	    (unsigned)(seqno % 2), 100 + (unsigned long long)(seqno % 7),
	    (unsigned long long)seqno,
	    more == 'o'       ? "completed?=1"
		: more == 'i' ? "prio=0, port=0"
			      : "tail=4096");
}

/* A request's five events, each behind that many of the CPU's scheduler. */
static void
put_one(struct text *t, uint64_t seqno, unsigned others)
{
	static const char *const events[] = {"i915_request_queue",
	    "i915_request_add", "i915_request_submit", "i915_request_in",
	    "i915_request_out"};
	static const char more[] = {'t', 't', 't', 'i', 'o'};

	for (unsigned i = 0; i < 5; i++) {
		uint64_t us = 1000000 + seqno * 100 + i * 18;

		for (unsigned k = 0; k < others; k++) {
			put_head(t, us + k, "steam", "sched_switch");
			text_adds(t,
			    "prev_comm=steam prev_pid=2000 prev_prio=120 "
			    "prev_state=S ==> next_comm=swapper/3 next_pid=0 "
			    "next_prio=120\n");
		}
		put_request(t, us + 9, events[i], seqno, more[i]);
	}
}

/* Returns a file with that text, and its number of requests. */
static int
make_text(uint64_t bytes, unsigned others, uint64_t *n_requests)
{
	int fd = memfd_create("bench", MFD_CLOEXEC);
	struct text t = {0};
	uint64_t done = 0;

	for (*n_requests = 0; done < bytes;) {
		put_one(&t, ++*n_requests, others);
		if (t.len < WRITE_BYTES && done + t.len < bytes)
			continue;
		if (write(fd, t.data, t.len) != (ssize_t)t.len)
			abort();
		done += t.len;
		text_clear(&t);
	}
	text_free(&t);
	return fd;
}

static void
bench_import(const char *speed, const char *memory, unsigned others)
{
	uint64_t bytes = bench_count(UINT64_C(200) << 20), n_requests;
	struct import_options options = {.to_ns = NSEC_NEVER};
	int fd = make_text(bytes, others, &n_requests);
	struct text err = {0};
	size_t before = bench_memory();
	struct import *im = import_new(&options, &err);
	double start = bench_clock();
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (im == NULL || !import_read(im, path, &err))
		abort();
	bench_print(
	    speed, (double)bytes / (bench_clock() - start) / 1e6, "MB/s");
	bench_print(memory,
	    (double)(bench_memory() - before) / (double)n_requests, "bytes");
	import_free(im);
	close(fd);
}

int
main(void)
{
	bench_import("import.text", "import.text_bytes_per_request", 0);
	bench_import("import.text_with_sched_switch",
	    "import.sched_switch_bytes_per_request", 9);
	return 0;
}
