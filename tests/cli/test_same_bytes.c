/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same command writes the same bytes, in all outputs: what is in memory, and where
 * (addresses differ from run to run), decides nothing. Random annotated descriptors,
 * under each scheduler; SAME_SEED is the first, SAME_RUNS the number of them.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/annotate.h"
#include "tests/support/any_iteration.h"
#include "tests/support/environment.h"
#include "tests/support/run_program.h"

#define REQUESTS 0

static const char *const outputs[] = {"requests.tsv", "out.json", "messages",
    "out.perfetto", "metadata", "events.json", "frames.csv", "recording",
    "report.html", "kernel.dat", "kernel.txt", "kernel.perf"};

#define N_OUTPUTS (sizeof(outputs) / sizeof(*outputs))

struct written {
	char *bytes[N_OUTPUTS];
	size_t len[N_OUTPUTS];
	struct outcome said;
};

static void
write_descriptor(uint64_t seed)
{
	struct text plain = {0}, annotated = {0};
	uint64_t random = seed;

	any_iteration(seed, true, &plain);
	annotate(&annotated, text_str(&plain), plain.len, &random);
	write_file("d.wsim", text_str(&annotated));
	text_free(&plain);
	text_free(&annotated);
}

static void
run_once(struct written *w, const char *scheduler, uint64_t seed)
{
	static const char *const kinds[] = {"dat", "txt", "perf"};
	char kernel[40];

	snprintf(kernel, sizeof(kernel), "--trace-kernel=kernel.%s",
	    kinds[seed % 3]);
	RUN(&w->said, "-b", "-vv", "-c", "3", "-r", "6", "--scheduler",
	    scheduler, "-w", "d.wsim", "--json=out.json",
	    "--requests=requests.tsv", "--layer=messages",
	    "--trace=out.perfetto", "--arm-metadata=metadata",
	    "--trace-json=events.json", "--profile-frames=frames.csv",
	    "--record=recording", "--report=report.html", kernel);
	assert_int_equal(w->said.status, 0);
	for (size_t i = 0; i < N_OUTPUTS; i++) {
		if (strncmp(outputs[i], "kernel.", 7) == 0 &&
		    strcmp(outputs[i], strchr(kernel, '=') + 1) != 0)
			continue;
		w->bytes[i] = read_whole(outputs[i], &w->len[i]);
		assert_true(w->len[i] > 0);
		assert_int_equal(remove(outputs[i]), 0);
	}
}

static void
expect_same(struct written *a, struct written *b, uint64_t seed)
{
	assert_string_equal(a->said.out, b->said.out);
	assert_string_equal(a->said.err, b->said.err);
	for (size_t i = 0; i < N_OUTPUTS; i++) {
		if (a->len[i] != b->len[i] ||
		    (a->len[i] > 0 &&
			memcmp(a->bytes[i], b->bytes[i], a->len[i]) != 0))
			fail_msg("SAME_SEED=%llu: %s differs",
			    (unsigned long long)seed, outputs[i]);
		free(a->bytes[i]);
		free(b->bytes[i]);
	}
	outcome_free(&a->said);
	outcome_free(&b->said);
}

TEST(all_outputs)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm:fair", "guc"};
	uint64_t first = from_environment("SAME_SEED", 1);
	uint64_t n = from_environment("SAME_RUNS", 12);

	enter_test_folder();
	for (uint64_t seed = first; seed < first + n; seed++) {
		struct written once = {0}, twice = {0};

		write_descriptor(seed);
		run_once(&once, schedulers[seed % 4], seed);
		run_once(&twice, schedulers[seed % 4], seed);
		expect_same(&once, &twice, seed);
	}
}

/* The rows of --requests, alone and beside the other outputs. */
TEST(outputs_change_nothing)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm:rr", "guc"};

	enter_test_folder();
	for (uint64_t seed = 0; seed < 4; seed++) {
		struct written all = {0};
		struct outcome alone;

		write_descriptor(seed + 20);
		run_once(&all, schedulers[seed], seed);
		RUN(&alone, "-b", "-q", "-c", "3", "-r", "6", "--scheduler",
		    schedulers[seed], "-w", "d.wsim", "--requests=-");
		assert_string_equal(alone.out, all.bytes[REQUESTS]);
		outcome_free(&alone);
		outcome_free(&all.said);
		for (size_t i = 0; i < N_OUTPUTS; i++)
			free(all.bytes[i]);
	}
}
