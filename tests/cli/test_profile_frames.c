/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --profile-frames: a line for each frame, whose times add up to those of
 * --requests. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/run_program.h"

#define CLIENTS 3
#define FRAMES  12

struct sums {
	uint64_t run, queue, wait, end, batches;
};

static void
read_request_sums(struct sums sums[CLIENTS][FRAMES])
{
	char *text = read_whole("requests", NULL);

	memset(sums, 0, sizeof(struct sums) * CLIENTS * FRAMES);
	for (char *at = strchr(text, '\n') + 1; *at != '\0';
	     at = strchr(at, '\n') + 1) {
		uint64_t submit, ready, start, end, run;
		unsigned client, frame;
		struct sums *s;

		assert_int_equal(
		    sscanf(at,
			"%u %u %*u %*u %*s %" SCNu64 " %" SCNu64 " %" SCNu64
			" %" SCNu64 " %" SCNu64,
			&client, &frame, &submit, &ready, &start, &end, &run),
		    7);
		assert_true(client < CLIENTS && frame < FRAMES);
		s = &sums[client][frame];
		s->run += run;
		s->wait += ready - submit;
		s->queue += end - ready - run;
		s->end = end > s->end ? end : s->end;
		s->batches++;
	}
	free(text);
}

static void
compare_frames(struct sums sums[CLIENTS][FRAMES])
{
	char *text = read_whole("frames.csv", NULL);
	unsigned n = 0;

	for (char *at = strchr(text, '\n') + 1; *at != '\0';
	     at = strchr(at, '\n') + 1) {
		uint64_t begin, end, time, run, queue, wait, batches;
		unsigned client, frame;
		const struct sums *s;

		assert_int_equal(
		    sscanf(at,
			"%u,%*[^,],%u,%" SCNu64 ",%" SCNu64 ",%" SCNu64
			",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64,
			&client, &frame, &begin, &end, &time, &run, &queue,
			&wait, &batches),
		    9);
		assert_true(client < CLIENTS && frame < FRAMES);
		s = &sums[client][frame];
		assert_int_equal(end, s->end);
		assert_int_equal(time, end - begin);
		assert_int_equal(run, s->run);
		assert_int_equal(queue, s->queue);
		assert_int_equal(wait, s->wait);
		assert_int_equal(batches, s->batches);
		n++;
	}
	assert_int_equal(n, CLIENTS * FRAMES);
	free(text);
}

TEST(sums)
{
	static const char *const schedulers[] = {
	    "--scheduler=fifo", "--scheduler=execlists", "--scheduler=guc"};
	static struct sums sums[CLIENTS][FRAMES];

	for (size_t i = 0; i < sizeof(schedulers) / sizeof(*schedulers); i++) {
		struct outcome r;

		RUN(&r, "-b", "-q", "-r", "12", "-c", "3", schedulers[i], "-w",
		    "P.2.50,1.RCS.500-900.0.0,2.RCS.300.0.0,1.BCS.200.-2.0,"
		    "d.700,1.VCS.400.-2.1",
		    "--profile-frames=frames.csv", "--requests=requests");
		assert_string_equal(r.err, "");
		assert_int_equal(r.status, 0);
		outcome_free(&r);
		read_request_sums(sums);
		compare_frames(sums);
	}
}

/* Names are comments or texts, in quotes where CSV wants them; a frame that the
 * end cuts has no line. */
TEST(lines)
{
	struct outcome r;

	write_file("two.wsim",
	    "# a \"big\", slow one\n1.RCS.1000.0.0\n2.BCS.400.-1.1\n");
	RUN(&r, "-b", "-q", "--profile=ideal", "--scheduler=fifo",
	    "--duration=0.0035", "-w", "two.wsim",
	    "--profile-frames=frames.csv");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	expect_file("frames.csv",
	    "client,workload,frame,start_ns,end_ns,time_ns,run_ns,queue_ns,"
	    "wait_ns,batches,batch_1,run_1_ns,queue_1_ns,wait_1_ns,batch_2,"
	    "run_2_ns,queue_2_ns,wait_2_ns\n"
	    "0,two.wsim,0,0,1400000,1400000,1400000,0,1000000,2,"
	    "\"a \"\"big\"\", slow one\",1000000,0,0,"
	    "2.BCS.400.-1.1,400000,0,1000000\n"
	    "0,two.wsim,1,1400000,2800000,1400000,1400000,0,1000000,2,"
	    "\"a \"\"big\"\", slow one\",1000000,0,0,"
	    "2.BCS.400.-1.1,400000,0,1000000\n");
}

FIXTURES(in_test_folder, NULL);
