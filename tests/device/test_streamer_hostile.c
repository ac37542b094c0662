/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batches that run wild: they fail, with a reason, and nothing else does
 * (doc/model/streamer.md "Memory", "Headers"). */
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

#define JUMP   0x18800101u
#define ABSENT 0x40000000ull

static void
expect_fault(struct streamer_lab *lab, uint64_t address)
{
	struct streamer_answer answer, again;
	struct text text = {0};

	answer = streamer_lab_run(lab);
	assert_int_equal(answer.verdict, STREAMER_FAULT);
	assert_true(answer.address == address);
	streamer_explain(&answer, &text);
	assert_memory_equal(text_str(&text), "page fault at 0x", 16);
	text_free(&text);
	again = streamer_lab_run(lab);
	assert_memory_equal(&answer, &again, sizeof(again));
	streamer_lab_again(lab);
}

static void
expect_error(struct streamer_lab *lab, uint64_t address, uint32_t header)
{
	struct streamer_answer answer = streamer_lab_run(lab);

	assert_int_equal(answer.verdict, STREAMER_ERROR);
	assert_true(answer.address == address);
	assert_int_equal(answer.value, header);
	streamer_lab_again(lab);
}

/* Every command that accesses memory faults where none is. */
TEST(accesses_to_absent_memory_fault)
{
	struct streamer_lab *lab = *state;

	for (unsigned far = 0; far < 2; far++) {
		lab->far = far;
		EMIT(lab, 0x10000002, ADDRESS(ABSENT + 4), 1);
		expect_fault(lab, ABSENT + 4);
		EMIT(lab, 0x10200003, ADDRESS(LAB_DATA + 4092), 1, 2);
		expect_fault(lab, LAB_DATA + 4096);
		EMIT(lab, 0x12000002, 0x2600, ADDRESS(ABSENT));
		expect_fault(lab, ABSENT);
		EMIT(lab, 0x14800002, 0x2600, ADDRESS(ABSENT));
		expect_fault(lab, ABSENT);
		EMIT(lab, 0x17000003, ADDRESS(LAB_DATA), ADDRESS(ABSENT));
		expect_fault(lab, ABSENT);
		EMIT(lab, 0x17800501, ADDRESS(ABSENT));
		expect_fault(lab, ABSENT);
		EMIT(lab, 0x1b200002, 0, ADDRESS(ABSENT));
		expect_fault(lab, ABSENT);
		EMIT(lab, 0x0e000002, 0, ADDRESS(ABSENT));
		expect_fault(lab, ABSENT);
		EMIT(lab, 0x7a000004, 1 << 14, ADDRESS(ABSENT), 1, 2);
		expect_fault(lab, ABSENT);
		EMIT(lab, 0x13004003, ADDRESS(ABSENT), 1, 2);
		expect_fault(lab, ABSENT);
		EMIT(lab, 0x0d000000, 0x18100000);
		expect_fault(lab, 0);
		EMIT(lab, JUMP, ADDRESS(ABSENT));
		expect_fault(lab, ABSENT);
	}
}

TEST(global_addresses_are_refused)
{
	static const uint32_t headers[] = {0x10000002, 0x12000002, 0x14800002,
	    0x17000003, 0x17800501, 0x1b200002, 0x0e000002};

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		struct streamer_lab *lab = *state;
		struct streamer_answer answer;

		EMIT(lab, headers[i] | 1u << 22, 0, 0, 0, 0, BATCH_END);
		answer = streamer_lab_run(lab);
		assert_int_equal(answer.verdict, STREAMER_FAULT);
		streamer_lab_again(lab);
	}
}

TEST(global_addresses_of_fences)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x7a000004, 1 << 14 | 1 << 24, ADDRESS(LAB_DATA), 1, 2);
	expect_fault(lab, LAB_DATA);
	EMIT(lab, 0x13004003, ADDRESS(LAB_DATA + 4), 1, 2);
	expect_fault(lab, LAB_DATA + 4);
}

/* A batch without an end runs over the end of its memory. */
TEST(a_batch_without_an_end_faults)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0);
	expect_fault(lab, LAB_BATCH + LAB_PAGE);
	lab->far = true;
	EMIT(lab, 0);
	expect_fault(lab, LAB_BATCH + LAB_PAGE);
}

/* A command whose operands would be behind the end. */
TEST(a_command_cut_by_the_end_faults)
{
	struct streamer_lab *lab = *state;

	lab->code[1023] = 0x10000002;
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH + 4092));
	expect_fault(lab, LAB_BATCH + 4092);
}

TEST(invalid_headers_are_errors)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;
	struct text text = {0};

	EMIT(lab, 0, 0xdeadbeef);
	answer = streamer_lab_run(lab);
	streamer_explain(&answer, &text);
	assert_string_equal(text_str(&text),
	    "invalid command 0xdeadbeef at 0x000000010004: "
	    "no command begins like that");
	text_free(&text);
	streamer_lab_again(lab);
	EMIT(lab, 0x20000000);
	expect_error(lab, LAB_BATCH, 0x20000000);
}

/* Lengths that leave no room for a command's operands. */
TEST(short_commands_are_errors)
{
	static const uint32_t headers[] = {0x10000000, 0x10800000, 0x11000000,
	    0x12000000, 0x14800000, 0x15000000, 0x17000000, 0x17800000,
	    0x17840001, 0x18800100, 0x1b200000, 0x0e000000, 0x13004000,
	    0x7a000000, 0x7b000000, 0x78200000, 0x71050000, 0x54000000};

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		struct streamer_lab *lab = *state;

		EMIT(lab, headers[i], 0, 0, BATCH_END);
		expect_error(lab, LAB_BATCH, headers[i]);
	}
}

/* Two batches that jump to each other, with and without costs: every call
 * returns, and time passes. */
TEST(jumps_for_ever_return)
{
	struct streamer_lab *lab = *state;

	for (unsigned cost = 0; cost < 2; cost++) {
		struct streamer_answer answer;

		lab->gpu.costs.command_ns = cost;
		lab->now = (struct streamer_time){0};
		EMIT(lab, JUMP, ADDRESS(LAB_SECOND));
		EMIT_SECOND(lab, JUMP, ADDRESS(LAB_BATCH));
		for (unsigned i = 0; i < 10; i++) {
			answer = streamer_lab_at(lab, i * 100000);
			assert_true(answer.verdict < STREAMER_ENDED);
		}
		streamer_lab_again(lab);
	}
}

/* Calls of itself do not fill a stack. */
TEST(calls_for_ever_return)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, JUMP | 1u << 22, ADDRESS(LAB_BATCH));
	for (unsigned i = 0; i < 10; i++)
		assert_true(
		    streamer_lab_at(lab, i * 100000).verdict < STREAMER_ENDED);
}

/* Registers of the whole range, and beyond, with every naming. */
TEST(registers_have_bounds)
{
	struct streamer_lab *lab = *state;

	for (unsigned naming = 0; naming < 4; naming++) {
		EMIT(lab, 0x11000005 | naming << 18 | naming << 16, 0xffffffff,
		    1, 0x1ffffc, 2, 0x200000, 3);
		EMIT(lab, 0x15000001 | naming << 18 | naming << 16, 0x7ffffc,
		    0x800000);
		streamer_lab_ends(lab);
		streamer_lab_again(lab);
	}
}

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

FIXTURES(streamer_lab_setup, streamer_lab_teardown);
