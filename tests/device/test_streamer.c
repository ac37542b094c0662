/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches whose answers streamer*.cases cannot list; and a frame of Mesa's driver for
 * Tiger Lake as it was submitted, from $GPUWL_SHARED, else ../shared; without it that
 * test is skipped. Rules: doc/model/streamer.md.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

#define JUMP     0x18800101u
#define COND_END 0x1b200002u

/* A budget of one command is enough to get on. */
TEST(any_budget_gets_on)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;
	unsigned calls = 0;

	for (unsigned i = 0; i < 9; i++)
		EMIT(lab, 0x10000002, ADDRESS(LAB_DATA + 4 * i), 1);
	EMIT(lab, BATCH_END);
	lab->batch = streamer_begin(
	    &lab->gpu, lab->context, &lab->memory, LAB_BATCH);
	do {
		answer = streamer_run(lab->batch, lab->engine, lab->now, 1);
		calls++;
	} while (answer.verdict == STREAMER_RUNS && calls < 100);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
	assert_int_equal(calls, 10);
	assert_int_equal(lab->data[8], 1);
}

/* A loop that costs no time and never ends passes time all the same, at no more
 * than some 70 commands in a us, and each call returns. */
TEST(a_busy_loop_for_ever_returns)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;
	nsec now = 0;

	EMIT(lab, 0x17800500 | 1, ADDRESS(LAB_DATA));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH));
	for (unsigned i = 0; i < 20; i++) {
		answer = streamer_lab_at(lab, now);
		assert_int_equal(answer.verdict, STREAMER_RUNS);
		assert_true(answer.run_ns > 0);
		now += answer.run_ns;
	}
	assert_in_range(
	    streamer_counts(lab->batch)->commands, 1, now / NSEC_PER_USEC * 70);
}

/* Wherever in a turn the batch is asked, the answer is that of a whole turn: it does
 * not run until a later one. Times that the loop stores do not go back. */
TEST(a_question_is_answered_by_a_whole_turn)
{
	static const nsec times[] = {1000, 1000, 1005, 1039, 1040, 1095, 2000};
	struct streamer_lab *lab = *state;
	uint32_t last = 0;

	lab->gpu.costs.command_ns = 10;
	lab->data[1] = UINT32_MAX;
	EMIT(lab, 0x12080002, 0x358, ADDRESS(LAB_DATA + 8));
	EMIT(lab, 0, 0, COND_END, 0, ADDRESS(LAB_DATA + 4));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH));
	assert_int_equal(streamer_lab_run(lab).verdict, STREAMER_WAITS);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		assert_int_equal(
		    streamer_lab_at(lab, times[i]).verdict, STREAMER_WAITS);
		assert_in_range(lab->data[2], last, times[i]);
		last = lab->data[2];
	}
	lab->data[1] = 0;
	assert_int_equal(streamer_lab_at(lab, 2001).verdict, STREAMER_ENDED);
}

static nsec
preemptible_after(struct streamer_lab *lab, nsec ns)
{
	streamer_lab_at(lab, ns);
	return streamer_preemptible_after(lab->batch, ns);
}

/* Returns when the next check of points_ahead_are_all_remembered() comes after
 * ns. */
static nsec
after_check(nsec ns)
{
	for (nsec i = 0; i < 100; i++)
		if (i * 3020 + 3010 >= ns)
			return i * 3020 + 3010 - ns;
	return NSEC_NEVER;
}

/* 100 checks, each behind a blit of 3 us: more than are kept at a time. */
TEST(points_ahead_are_all_remembered)
{
	struct streamer_lab *lab = *state;

	lab->gpu.costs = (struct streamer_costs){
	    .command_ns = 10, .blit_ns = 3000};
	for (unsigned i = 0; i < 100; i++)
		EMIT(lab, 0x54000005, 0, 0, 0, 0, 0, 0, 0x02800000);
	EMIT(lab, BATCH_END);
	for (nsec ns = 0; ns < 100 * 3020; ns += 97)
		assert_true(preemptible_after(lab, ns) == after_check(ns));
}

/* Satisfied semaphores, as anv copies queries with, are instalments. The point behind
 * them is known in each, and found with some reads of a command in all. */
TEST(points_far_ahead_are_cheap)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer = {.verdict = STREAMER_RUNS};
	unsigned n = 200;

	lab->gpu.costs.command_ns = 10;
	for (unsigned version = 80; version <= 90; version += 10) {
		lab->gpu.version = version;
		lab->now = (struct streamer_time){0};
		lab->reads = 0;
		for (unsigned i = 0; i < n; i++)
			EMIT(lab, 0x10000002, ADDRESS(LAB_DATA), i);
		EMIT(lab, 0x02800000, BATCH_END);
		for (unsigned i = 0; i < n; i++) {
			nsec after = preemptible_after(lab, i * 10);

			assert_true(after ==
			    (version < 90 ? NSEC_NEVER : (n - i) * 10));
		}
		answer = streamer_lab_at(lab, n * 10);
		assert_int_equal(answer.verdict, STREAMER_RUNS);
		assert_in_range(lab->reads, 0, 4 * n);
		streamer_lab_again(lab);
	}
}

/* The file: one command in each line, at most 16 dwords of it: address, level,
 * dwords. */
#define FRAME_BEGIN 0xfffeffeee000ull
#define FRAME_FENCE 0xfffeffefe000ull
#define FRAME_SIZE  0x12000

struct frame {
	uint32_t dwords[FRAME_SIZE / 4];
	unsigned n; /* commands */
};

static void *
frame_span(void *data, uint64_t address, size_t *len, bool write)
{
	struct frame *frame = data;
	uint64_t offset = address - FRAME_BEGIN;

	(void)write;
	if (offset >= FRAME_SIZE)
		return NULL;
	*len = FRAME_SIZE - offset;
	return (char *)frame->dwords + offset;
}

static bool
frame_is_not_there(void *data, uint64_t address, void *buf, size_t len)
{
	(void)data;
	(void)address;
	(void)buf;
	(void)len;
	return false;
}

static bool
frame_is_not_written(void *data, uint64_t address, const void *buf, size_t len)
{
	(void)data;
	(void)address;
	(void)buf;
	(void)len;
	return false;
}

static void
read_frame(struct frame *frame, FILE *f)
{
	char line[512];

	while (fgets(line, sizeof(line), f)) {
		char *at;
		size_t i = (strtoull(line, &at, 16) - FRAME_BEGIN) / 4;

		at = strstr(at, ": ") + 2;
		for (char *end; i < FRAME_SIZE / 4; at = end) {
			unsigned long dword = strtoul(at, &end, 16);

			if (end == at)
				break;
			frame->dwords[i++] = (uint32_t)dword;
		}
		frame->n++;
	}
}

TEST(a_frame_of_iris)
{
	const char *shared = getenv("GPUWL_SHARED");
	struct streamer_memory memory = {
	    frame_span, frame_is_not_there, frame_is_not_written, NULL};
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;
	static struct frame frame;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/facts/i915-logs/iris-tgl-batch1.txt",
	    shared ? shared : "../shared");
	f = fopen(path, "r");
	if (f == NULL)
		skip_test(NO_SHARED_DATA);
	read_frame(&frame, f);
	fclose(f);
	memory.data = &frame;
	lab->batch = streamer_begin(
	    &lab->gpu, lab->context, &memory, FRAME_BEGIN);
	answer = streamer_run(
	    lab->batch, lab->engine, lab->now, STREAMER_BUDGET);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
	assert_int_equal(streamer_counts(lab->batch)->commands, frame.n);
	assert_int_equal(frame.n, 143);
	assert_int_equal(streamer_counts(lab->batch)->unknown, 0);
	streamer_lab_labelled(lab, "5 draws, 1 clear");
	/* The fence that Mesa reads back: written twice. */
	assert_int_equal(frame.dwords[(FRAME_FENCE - FRAME_BEGIN) / 4], 2);
}

FIXTURES(streamer_lab_setup, streamer_lab_teardown);
