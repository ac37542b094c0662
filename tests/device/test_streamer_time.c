/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When effects happen, what commands cost, when a batch can be preempted, and
 * the writes of flushes (doc/model/streamer.md "Instalments", "Costs",
 * "Preemption", "Fences"). */
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

#define DRAW(vertices) 0x7b000005, 4, (vertices), 0, 1, 0, 0
#define STORE(i)       0x10000002, ADDRESS(LAB_DATA + 4 * (i)), 1
#define JUMP           0x18800101u
#define COND_END       0x1b200002u

static int
open_lab(void **state)
{
	static struct streamer_lab lab;

	streamer_lab_open(&lab, 120);
	lab.gpu.costs = (struct streamer_costs){.command_ns = 10,
	    .flush_ns = 100,
	    .draw_ns = 1000,
	    .vertex_ps = 2000,
	    .dispatch_ns = 2000,
	    .group_ps = 500000,
	    .blit_ns = 3000,
	    .byte_ps = 100,
	    .frame_ns = 50000};
	*state = &lab;
	return 0;
}

/* A store behind a draw of 5 us happens after it, not before, and not when the
 * batch is asked in between. */
TEST(effects_have_their_time)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	EMIT(lab, DRAW(2000));
	EMIT(lab, STORE(0));
	EMIT(lab, DRAW(2000));
	EMIT(lab, BATCH_END);
	answer = streamer_lab_at(lab, 0);
	assert_int_equal(answer.verdict, STREAMER_RUNS);
	assert_int_equal(answer.run_ns, 5010);
	answer = streamer_lab_at(lab, 5009);
	assert_int_equal(answer.run_ns, 1);
	assert_int_equal(lab->data[0], 0);
	answer = streamer_lab_at(lab, 5010);
	assert_int_equal(lab->data[0], 1);
	assert_int_equal(answer.run_ns, 10 + 5010);
	answer = streamer_lab_at(lab, 10030);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
}

/* Stores within 1 us are one instalment, with the end if that is near. */
TEST(stores_are_put_together)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	EMIT(lab, DRAW(1));
	for (unsigned i = 0; i < 4; i++)
		EMIT(lab, STORE(i), 0x7a000004, 0x4000, ADDRESS(LAB_DATA + 64),
		    9, 0);
	EMIT(lab, BATCH_END);
	answer = streamer_lab_at(lab, 0);
	assert_int_equal(answer.run_ns, 1012 + 4 * 120);
	answer = streamer_lab_at(lab, 1012 + 4 * 120);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
	assert_int_equal(lab->data[3], 1);
	assert_int_equal(lab->data[16], 9);
}

/* A store 5 us later is not among them. */
TEST(stores_far_apart_are_not)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	EMIT(lab, DRAW(1));
	EMIT(lab, STORE(0), STORE(1));
	EMIT(lab, DRAW(2000));
	EMIT(lab, STORE(2));
	EMIT(lab, BATCH_END);
	answer = streamer_lab_at(lab, 0);
	assert_int_equal(answer.run_ns, 1022);
	answer = streamer_lab_at(lab, 1022);
	assert_int_equal(lab->data[1], 1);
	assert_int_equal(lab->data[2], 0);
	assert_int_equal(answer.run_ns, 10 + 5010 + 10);
}

/* Where commands cost nothing, all of it is one instalment. */
TEST(ideal_does_everything_at_once)
{
	struct streamer_lab *lab = *state;

	lab->gpu.costs = (struct streamer_costs){0};
	EMIT(lab, DRAW(2000));
	EMIT(lab, STORE(0));
	EMIT(lab, DRAW(2000));
	streamer_lab_ends(lab);
	assert_int_equal(lab->calls, 1);
	assert_int_equal(lab->now.running_ns, 0);
}

TEST(an_error_comes_when_the_batch_is_there)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	EMIT(lab, DRAW(2000), 0xdeadbeef);
	answer = streamer_lab_at(lab, 0);
	assert_int_equal(answer.run_ns, 5010);
	answer = streamer_lab_at(lab, 5010);
	assert_int_equal(answer.verdict, STREAMER_ERROR);
	streamer_lab_again(lab);
	lab->now = (struct streamer_time){0};
	EMIT(lab, DRAW(2000), JUMP, 0x40000000, 0);
	answer = streamer_lab_at(lab, 0);
	assert_int_equal(answer.run_ns, 5020);
	answer = streamer_lab_at(lab, 5020);
	assert_int_equal(answer.verdict, STREAMER_FAULT);
}

/* Fails unless the commands before the end take that long. */
static void
expect_cost(struct streamer_lab *lab, nsec ns)
{
	lab->now = (struct streamer_time){0};
	streamer_lab_ends(lab);
	assert_int_equal(lab->now.running_ns, ns);
	streamer_lab_again(lab);
}

TEST(work_costs_what_the_profile_says)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, DRAW(100));
	expect_cost(lab, 10 + 1000 + 200);
	/* 3 x 2 x 1 thread groups. */
	EMIT(lab, 0x7105000d, 0, 0, 0, 0, 0, 0, 3, 0, 0, 2, 0, 1, 0, 0);
	expect_cost(lab, 10 + 2000 + 6 * 500);
	/* 100 x 10 pixels of 4 bytes. */
	EMIT(lab, 0x54000005, 3u << 24, 0, 10u << 16 | 100, 0, 0, 0);
	expect_cost(lab, 10 + 3000 + 400);
	EMIT(lab, 0x7a000004, 0, 0, 0, 0, 0);
	expect_cost(lab, 110);
	for (unsigned i = 0; i < 500; i++)
		EMIT(lab, 0);
	expect_cost(lab, 5000);
}

/* A draw of 2^64 vertices takes for ever, not no time. */
TEST(costs_do_not_wrap)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	for (unsigned i = 0; i < 4; i++)
		EMIT(lab, 0x7b000005, 4, UINT32_MAX, 0, UINT32_MAX, 0, 0);
	EMIT(lab, BATCH_END);
	answer = streamer_lab_at(lab, 1000);
	assert_int_equal(answer.verdict, STREAMER_RUNS);
	assert_true(answer.run_ns > 365 * 86400 * NSEC_PER_SEC);
}

/* PIPE_CONTROL: nothing, a qword, the depth count, the time. */
TEST(pipe_control_writes)
{
	struct streamer_lab *lab = *state;

	lab->now.engine_ns = 5000000000;
	for (uint32_t operation = 0; operation < 4; operation++)
		EMIT(lab, 0x7a000004, operation << 14,
		    ADDRESS(LAB_DATA + 8 * operation), 0x11, 0x22);
	EMIT(lab, 0x7a000004, 1u << 14 | 1u << 21, 0x40, 0, 1, 2);
	lab->data[0] = 5;
	lab->data[4] = 7;
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 5);
	assert_int_equal(lab->data[2], 0x11);
	assert_int_equal(lab->data[3], 0x22);
	assert_int_equal(lab->data[4], 0);
	assert_int_equal(lab->data[6], LOW(5000000330));
	assert_int_equal(lab->data[7], HIGH(5000000330));
}

TEST(generation_7_writes_at_32_bits)
{
	struct streamer_lab *lab = *state;

	lab->gpu.version = 70;
	EMIT(lab, 0x7a000003, 1u << 14, LAB_OLD + 8, 1, 2);
	EMIT(lab, 0x13004002, LAB_OLD + 16, 3, 4);
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[2], 1);
	assert_int_equal(lab->data[3], 2);
	assert_int_equal(lab->data[4], 3);
	assert_int_equal(lab->data[5], 4);
}

/* FLUSH_DW: a qword, a dword if it has one only, the time; bit 7 set. */
TEST(flush_dw_writes)
{
	struct streamer_lab *lab = *state;

	lab->data[3] = 9;
	EMIT(lab, 0x13004083, ADDRESS(LAB_DATA), 1, 2);
	EMIT(lab, 0x13004002, ADDRESS(LAB_DATA + 8), 3);
	EMIT(lab, 0x1300c003, ADDRESS(LAB_DATA + 16), 0, 0);
	EMIT(lab, 0x13204003, ADDRESS(64), 5, 6);
	EMIT(lab, 0x13000001, 0, 0);
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 1);
	assert_int_equal(lab->data[1], 2);
	assert_int_equal(lab->data[2], 3);
	assert_int_equal(lab->data[3], 9);
	assert_int_equal(lab->data[4], 220);
}

/* The time of a write is when it was due, preempted or not in between. */
TEST(a_timestamp_is_not_taken_ahead)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	EMIT(lab, DRAW(2000));
	EMIT(lab, 0x7a000004, 3u << 14, ADDRESS(LAB_DATA), 0, 0);
	EMIT(lab, 0x15000001, 0x2358, 0x2600);
	EMIT(lab, BATCH_END);
	streamer_lab_at(lab, 0);
	streamer_lab_at(lab, 2000);
	lab->now.engine_ns += 100000;
	answer = streamer_lab_at(lab, 2000);
	streamer_lab_at(lab, 2000 + answer.run_ns);
	assert_int_equal(lab->data[0], 105010);
	assert_int_equal(
	    streamer_context_register(lab->context, 0x600), 105120);
}

/* A batch that waits at a semaphore goes on when memory has changed, from that
 * time on. */
TEST(a_semaphore_takes_time)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	EMIT(lab, 0x0e000002 | 4u << 12, 1, ADDRESS(LAB_DATA));
	EMIT(lab, 0x12000002, 0x23a8, ADDRESS(LAB_DATA + 4));
	EMIT(lab, BATCH_END);
	answer = streamer_lab_at(lab, 0);
	assert_int_equal(answer.verdict, STREAMER_WAITS);
	assert_int_equal(streamer_preemptible_after(lab->batch, 0), 0);
	streamer_lab_at(lab, 7000);
	lab->data[0] = 1;
	answer = streamer_lab_at(lab, 8000);
	assert_int_equal(answer.verdict, STREAMER_RUNS);
	streamer_lab_run(lab);
	assert_int_equal(lab->data[1], 8010);
}

static nsec
preemptible_after(struct streamer_lab *lab, nsec ns)
{
	streamer_lab_at(lab, ns);
	return streamer_preemptible_after(lab->batch, ns);
}

/* ARB_CHECK is a point from generation 9 on, unless arbitration is off. */
TEST(arb_check_is_a_point)
{
	static const struct {
		unsigned version;
		uint32_t on;
		nsec after;
	} rows[] = {{90, 1, 20}, {90, 0, NSEC_NEVER}, {80, 1, NSEC_NEVER}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct streamer_lab *lab = *state;

		lab->gpu.version = rows[i].version;
		lab->now = (struct streamer_time){0};
		EMIT(lab, 0x04000000 | rows[i].on, STORE(0), 0x02800000);
		lab->gpu.costs.blit_ns = 1000;
		EMIT(lab, 0x54000005, 0, 0, 0, 0, 0, 0);
		EMIT(lab, BATCH_END);
		assert_true(preemptible_after(lab, 0) == rows[i].after);
		/* Its end is none: it is over then. */
		assert_true(preemptible_after(lab, 500) == NSEC_NEVER);
		streamer_lab_again(lab);
	}
}

/* Satisfied semaphores, as anv copies queries with, are instalments. The point behind
 * them is known in each, and found with some reads of a command in all. */
TEST(points_far_ahead_are_cheap)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer = {.verdict = STREAMER_RUNS};
	unsigned n = 200;

	lab->gpu.version = 80; /* no point at a semaphore */
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

/* A level that ends early, and a jump that is not made: the point is elsewhere then. */
TEST(points_are_where_the_batch_goes)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, STORE(0), 0x18c00101, ADDRESS(LAB_SECOND), 0x02800000);
	EMIT(lab, BATCH_END);
	EMIT_SECOND(lab, 0x1b240002, 0, ADDRESS(LAB_DATA + 64));
	for (unsigned i = 0; i < 100; i++)
		EMIT_SECOND(lab, 0x10000002, ADDRESS(LAB_DATA), i);
	EMIT_SECOND(lab, BATCH_END);
	assert_true(preemptible_after(lab, 0) == NSEC_NEVER);
	assert_int_equal(preemptible_after(lab, 20), 10);
	streamer_lab_again(lab);
	lab->now = (struct streamer_time){0};
	EMIT(lab, STORE(0), STORE(1), 0x18808101, ADDRESS(LAB_SECOND));
	EMIT(lab, STORE(2), 0x02800000, BATCH_END);
	assert_true(preemptible_after(lab, 0) == NSEC_NEVER);
	assert_int_equal(preemptible_after(lab, 10), 30);
}

/* From generation 9 on, draws and walkers can be preempted all the while. */
TEST(draws_can_be_preempted)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x54000005, 0, 0, 0, 0, 0, 0);
	EMIT(lab, DRAW(2000));
	EMIT(lab, 0x54000005, 0, 0, 0, 0, 0, 0);
	EMIT(lab, BATCH_END);
	assert_int_equal(preemptible_after(lab, 0), 3010);
	assert_int_equal(preemptible_after(lab, 3010), 0);
	assert_int_equal(preemptible_after(lab, 8010), 0);
	assert_true(preemptible_after(lab, 8011) == NSEC_NEVER);
	assert_int_equal(preemptible_after(lab, 11030), 0);
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

	for (unsigned i = 0; i < 100; i++)
		EMIT(lab, 0x54000005, 0, 0, 0, 0, 0, 0, 0x02800000);
	EMIT(lab, BATCH_END);
	for (nsec ns = 0; ns < 100 * 3020; ns += 97)
		assert_true(preemptible_after(lab, ns) == after_check(ns));
}

/* A loop with a check in each turn, one without, one that ends. */
TEST(loops_and_preemption)
{
	struct streamer_lab *lab = *state;

	lab->data[0] = 1;
	EMIT(lab, 0, 0x02800000, COND_END, 0, ADDRESS(LAB_DATA), JUMP,
	    ADDRESS(LAB_BATCH));
	assert_int_equal(preemptible_after(lab, 0), 10);
	assert_in_range(preemptible_after(lab, 100007), 1, 40);
	streamer_lab_again(lab);
	lab->now = (struct streamer_time){0};
	EMIT(lab, 0, COND_END, 0, ADDRESS(LAB_DATA), JUMP, ADDRESS(LAB_BATCH));
	preemptible_after(lab, 0);
	assert_true(preemptible_after(lab, 100007) == NSEC_NEVER);
	streamer_lab_again(lab);
	lab->now = (struct streamer_time){0};
	EMIT(lab, 0x12000002, 0x23a8, ADDRESS(LAB_DATA));
	EMIT(lab, COND_END | 2u << 12, 100000, ADDRESS(LAB_DATA));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH));
	preemptible_after(lab, 0);
	assert_true(preemptible_after(lab, 200) == NSEC_NEVER);
}

FIXTURES(open_lab, streamer_lab_teardown);
