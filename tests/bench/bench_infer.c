/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast a descriptor is inferred from a million requests, of one client and
 * of a thousand.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "tests/bench/bench.h"
#include "trace/infer/infer.h"

/* Frames of nine batches on two engines, their durations random. */
static void
make_requests(struct infer_request *requests, size_t n, uint32_t n_clients)
{
	uint64_t random = 1;
	nsec now = 0;

	for (size_t i = 0; i < n; i++) {
		size_t step = i / n_clients % 9;
		nsec run = 100000 + bench_random(&random) % 200000;

		now += step == 0 && i % n_clients == 0 ? 1000000 : 0;
		requests[i] = (struct infer_request){
		    .client = (uint32_t)(i % n_clients),
		    .context = (uint32_t)(step % 3),
		    .slot = step & 1,
		    .class = step & 1 ? CLASS_VCS : CLASS_RCS,
		    .instance = 1,
		    .queued_ns = now,
		    .ready_ns = now,
		    .start_ns = now,
		    .end_ns = now + run,
		    .run_ns = run};
		now += run / 10;
	}
}

static void
bench_infer(const char *name, uint32_t n_clients)
{
	size_t n = bench_count(1000000);
	struct infer_request *requests = mem_calloc(n, sizeof(*requests));
	struct infer_input input = {.requests = requests, .n_requests = n};
	struct infer_options options = {.exact = true};
	struct infer_result result;
	struct text err = {0};
	double start;

	make_requests(requests, n, n_clients);
	start = bench_clock();
	if (!infer(&input, &options, &result, &err))
		abort();
	bench_print(
	    name, (double)n / (bench_clock() - start) / 1e6, "M requests/s");
	infer_free(&result);
	free(requests);
}

int
main(void)
{
	bench_infer("infer_one_client", 1);
	bench_infer("infer_thousand_clients", 1000);
	return 0;
}
