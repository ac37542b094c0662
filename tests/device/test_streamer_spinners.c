/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batches that wait for a word of memory by themselves (doc/model/streamer.md
 * "Loops"): those of IGT and Xe, semaphores, jumps to themselves. */
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

#define JUMP     0x18800101u
#define COND_END 0x1b200002u

/* igt_spin: a flag, NOOPs, an end if the last qword says so. */
static void
emit_igt_spin(struct streamer_lab *lab, unsigned noops)
{
	lab->code[1022] = UINT32_MAX;
	EMIT(lab, 0x10000002, ADDRESS(LAB_DATA), 1);
	while (lab->n < 16)
		EMIT(lab, 0);
	EMIT(lab, 0x02800000);
	for (unsigned i = 0; i < noops; i++)
		EMIT(lab, 0);
	EMIT(lab, COND_END, BATCH_END, ADDRESS(LAB_BATCH + 4088));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH + 64));
}

TEST(igt_spin_ends_by_its_last_qword)
{
	for (unsigned costs = 0; costs < 2; costs++) {
		struct streamer_lab *lab = *state;
		struct streamer_answer answer;

		lab->data[0] = 0;
		lab->now = (struct streamer_time){0};
		if (costs)
			lab->gpu.costs.command_ns = 10;
		emit_igt_spin(lab, 960);
		answer = streamer_lab_run(lab);
		assert_int_equal(answer.verdict, STREAMER_WAITS);
		assert_int_equal(answer.wait, STREAMER_SPINNER);
		assert_true(answer.address == LAB_BATCH + 4088);
		assert_int_equal(answer.value, UINT32_MAX);
		assert_int_equal(lab->data[0], 1);
		answer = streamer_lab_at(lab, 10000000);
		assert_int_equal(answer.verdict, STREAMER_WAITS);
		lab->code[1022] = BATCH_END;
		answer = streamer_lab_at(lab, 20000000);
		assert_int_equal(answer.verdict, STREAMER_ENDED);
		streamer_lab_again(lab);
	}
}

/* A spinner that changes nothing rests until something that it reads has
 * changed: its word, or any of its commands. Also where the batch is the
 * program's memory. */
TEST(a_spinner_rests_until_memory_changes)
{
	static const struct {
		unsigned dword;
		uint32_t value;
	} changes[] = {{1022, BATCH_END}, {16, BATCH_END}, {400, BATCH_END}};
	size_t n = sizeof(changes) / sizeof(*changes);

	for (size_t i = 0; i < 2 * n; i++) {
		struct streamer_lab *lab = *state;
		uint32_t *word;
		uint64_t before;

		lab->far = i >= n;
		lab->data[0] = 0;
		lab->now = (struct streamer_time){0};
		lab->gpu.costs.command_ns = 10;
		emit_igt_spin(lab, 960);
		word = &lab->code[changes[i % n].dword];
		assert_true(streamer_lab_at(lab, 0).stored);
		streamer_lab_at(lab, 50000);
		before = streamer_counts(lab->batch)->commands;
		for (unsigned ask = 1; ask <= 20; ask++)
			assert_true(
			    streamer_lab_rests(lab, 50000 + ask * 50000));
		assert_int_equal(streamer_counts(lab->batch)->commands, before);
		/* At a point of preemption at most a turn away. */
		assert_in_range(
		    streamer_preemptible_after(lab->batch, 1050000), 0, 10000);
		*word = changes[i % n].value;
		assert_false(streamer_lab_rests(lab, 1100000));
		streamer_lab_at(lab, 1100000);
		assert_int_equal(streamer_lab_run(lab).verdict, STREAMER_ENDED);
		streamer_lab_again(lab);
	}
}

TEST(a_semaphore_rests_until_memory_changes)
{
	struct streamer_lab *lab = *state;

	lab->data[0] = 0;
	EMIT(lab, 0x0e004002, 1, ADDRESS(LAB_DATA), BATCH_END);
	assert_int_equal(streamer_lab_at(lab, 0).verdict, STREAMER_WAITS);
	assert_true(streamer_lab_rests(lab, 50000));
	lab->data[0] = 1;
	assert_false(streamer_lab_rests(lab, 60000));
	assert_int_equal(streamer_lab_run(lab).verdict, STREAMER_ENDED);
}

/* A jump to itself. */
TEST(a_jump_to_itself_rests)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, JUMP, ADDRESS(LAB_BATCH));
	streamer_lab_at(lab, 0);
	streamer_lab_at(lab, 50000);
	assert_true(streamer_lab_rests(lab, 100000));
	assert_true(
	    streamer_preemptible_after(lab->batch, 100000) == NSEC_NEVER);
	lab->code[0] = BATCH_END;
	assert_false(streamer_lab_rests(lab, 150000));
	assert_int_equal(streamer_lab_at(lab, 150000).verdict, STREAMER_ENDED);
}

/* Generation 7: the end is written over the loop's first command. */
TEST(old_igt_spin_ends_by_its_first_command)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	lab->gpu.version = 70;
	EMIT(lab, 0x02800000, 0, 0, 0, 0x18800100, LAB_BATCH);
	answer = streamer_lab_run(lab);
	assert_int_equal(answer.verdict, STREAMER_WAITS);
	assert_int_equal(answer.wait, STREAMER_SPINNER);
	assert_true(answer.address == LAB_BATCH);
	assert_int_equal(answer.value, 0x02800000);
	lab->code[0] = BATCH_END;
	answer = streamer_lab_at(lab, 1000);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
}

TEST(an_invalid_command_in_a_spinner_is_an_error)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	emit_igt_spin(lab, 4);
	lab->code[18] = 0xdeadbeef;
	answer = streamer_lab_run(lab);
	assert_int_equal(answer.verdict, STREAMER_ERROR);
	assert_int_equal(answer.value, 0xdeadbeef);
	assert_true(answer.address == LAB_BATCH + 72);
}

/* xe_spin: says that it has started in each turn, and goes on while its word is
 * above 0. */
TEST(xe_spin_ends_by_its_word)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	lab->data[1] = UINT32_MAX;
	EMIT(lab, 0x10000002, ADDRESS(LAB_DATA), 1);
	EMIT(lab, 0x12080002, 0x358, ADDRESS(LAB_DATA + 8));
	EMIT(lab, COND_END, 0, ADDRESS(LAB_DATA + 4));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH));
	answer = streamer_lab_at(lab, 0);
	assert_int_equal(answer.verdict, STREAMER_WAITS);
	assert_true(answer.address == LAB_DATA + 4);
	assert_int_equal(lab->data[0], 1);
	/* The time of the last turn. */
	streamer_lab_at(lab, 777);
	assert_int_equal(lab->data[2], 777);
	lab->data[1] = 0;
	answer = streamer_lab_at(lab, 888);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
	assert_int_equal(lab->data[2], 888);
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

FIXTURES(streamer_lab_setup, streamer_lab_teardown);
