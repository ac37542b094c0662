/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that move data (doc/model/streamer.md "MI commands", "Registers",
 * "Atomics"). */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

#define GPR0 0x2600u
#define GPR1 0x2608u

TEST(store_data_imm_writes_a_dword)
{
	struct streamer_lab *lab = *state;

	lab->data[2] = 7;
	EMIT(lab, 0x10000002, ADDRESS(LAB_DATA + 4), 0x12345678);
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[1], 0x12345678);
	assert_int_equal(lab->data[2], 7);
}

/* Its length says how much it stores, with bit 21 ("store qword") and without. */
TEST(store_data_imm_of_five_dwords_writes_a_qword)
{
	static const unsigned versions[] = {70, 80, 90, 110, 120, 125};
	struct streamer_lab *lab = *state;

	for (unsigned i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		lab->gpu.version = versions[i];
		memset(lab->data, 0, LAB_PAGE);
		for (unsigned bit = 0; bit < 2; bit++) {
			uint32_t at = LAB_OLD + bit * 12;

			if (versions[i] < 80)
				EMIT(lab, 0x10000003 | bit << 21, 0, at, 3, 4);
			else
				EMIT(lab, 0x10000003 | bit << 21, ADDRESS(at),
				    3, 4);
		}
		streamer_lab_ends(lab);
		assert_int_equal(lab->data[0], 3);
		assert_int_equal(lab->data[1], 4);
		assert_int_equal(lab->data[3], 3);
		assert_int_equal(lab->data[4], 4);
		streamer_lab_again(lab);
	}
}

TEST(generation_7_has_the_address_in_the_third_dword)
{
	struct streamer_lab *lab = *state;

	lab->gpu.version = 70;
	EMIT(lab, 0x10000002, 0, LAB_OLD + 8, 9);
	EMIT(lab, 0x12000001, 0x2400, LAB_OLD + 12);
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[2], 9);
}

TEST(addresses_are_48_bits)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x10000002, LOW(LAB_DATA), HIGH(LAB_DATA) | 0xffff0000, 5);
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 5);
}

TEST(memory_without_a_pointer_is_read_and_written)
{
	struct streamer_lab *lab = *state;

	lab->far = true;
	EMIT(lab, 0x10200003, ADDRESS(LAB_DATA), 1, 2);
	EMIT(lab, 0x17000003, ADDRESS(LAB_DATA + 8), ADDRESS(LAB_DATA));
	EMIT(lab, 0x17800501, ADDRESS(LAB_DATA));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 2);
	assert_int_equal(lab->data[1], 2);
	assert_int_equal(lab->data[2], 1);
}

TEST(registers_are_answered_as_last_written)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x11000005, 0x7008, 11, 0xb134, 22, 0x7008, 33);
	EMIT(lab, 0x12000002, 0x7008, ADDRESS(LAB_DATA));
	EMIT(lab, 0x12000002, 0xb134, ADDRESS(LAB_DATA + 4));
	EMIT(lab, 0x12000002, 0xb138, ADDRESS(LAB_DATA + 8));
	lab->data[2] = 1;
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 33);
	assert_int_equal(lab->data[1], 22);
	assert_int_equal(lab->data[2], 0);
}

TEST(registers_stay_with_the_context)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x11000001, GPR0, 77);
	streamer_lab_ends(lab);
	streamer_lab_again(lab);
	EMIT(lab, 0x12000002, GPR0, ADDRESS(LAB_DATA));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 77);
	assert_int_equal(streamer_context_register(lab->context, 0x600), 77);
}

TEST(registers_are_loaded_from_memory_and_registers)
{
	struct streamer_lab *lab = *state;

	lab->data[0] = 0xabcd;
	EMIT(lab, 0x14800002, GPR0, ADDRESS(LAB_DATA));
	EMIT(lab, 0x15000001, GPR0, GPR1);
	EMIT(lab, 0x12000002, GPR1, ADDRESS(LAB_DATA + 4));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[1], 0xabcd);
}

/* Generation 11: bits 19 and 18 make registers relative to the engine. */
TEST(relative_registers_follow_the_engine)
{
	struct streamer_lab *lab = *state;

	lab->engine = (struct streamer_engine){STREAMER_VIDEO, 2};
	EMIT(lab, 0x11080001, 0x600, 5);
	EMIT(lab, 0x150c0001, 0x600, 0x608);
	EMIT(lab, 0x12000002, 0x1d0608, ADDRESS(LAB_DATA));
	EMIT(lab, 0x12080002, 0x608, ADDRESS(LAB_DATA + 4));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 5);
	assert_int_equal(lab->data[1], 5);
}

TEST(generation_9_has_no_relative_registers)
{
	struct streamer_lab *lab = *state;

	lab->gpu.version = 90;
	EMIT(lab, 0x11080001, 0x600, 5);
	EMIT(lab, 0x12000002, GPR0, ADDRESS(LAB_DATA));
	EMIT(lab, 0x12000002, 0x600, ADDRESS(LAB_DATA + 4));
	lab->data[0] = 1;
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 0);
	assert_int_equal(lab->data[1], 5);
}

TEST(remapped_registers_of_rcs_are_the_engines)
{
	struct streamer_lab *lab = *state;

	lab->engine = (struct streamer_engine){STREAMER_VIDEO, 0};
	EMIT(lab, 0x11020001, GPR0, 5);
	EMIT(lab, 0x12000002, 0x1c0600, ADDRESS(LAB_DATA));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 5);
}

TEST(engines_have_their_bases)
{
	static const struct {
		unsigned version;
		struct streamer_engine engine;
		uint32_t base;
	} rows[] = {
	    {70, {STREAMER_RENDER, 0}, 0x2000},
	    {70, {STREAMER_ENHANCE, 0}, 0},
	    {90, {STREAMER_COPY, 0}, 0x22000},
	    {90, {STREAMER_VIDEO, 0}, 0x12000},
	    {90, {STREAMER_VIDEO, 1}, 0x1c000},
	    {90, {STREAMER_VIDEO, 2}, 0},
	    {90, {STREAMER_ENHANCE, 0}, 0x1a000},
	    {120, {STREAMER_VIDEO, 0}, 0x1c0000},
	    {120, {STREAMER_VIDEO, 2}, 0x1d0000},
	    {120, {STREAMER_ENHANCE, 0}, 0x1c8000},
	    {110, {STREAMER_COMPUTE, 0}, 0},
	    {120, {STREAMER_COMPUTE, 0}, 0x1a000},
	    {125, {STREAMER_COMPUTE, 3}, 0x26000},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(
		    streamer_engine_base(rows[i].version, rows[i].engine),
		    rows[i].base);
}

/* Ring time in two dwords, context time in one; 19.2 MHz ticks. */
TEST(timestamps_count_ticks)
{
	struct streamer_lab *lab = *state;

	lab->gpu.ring_hz = lab->gpu.context_hz = 19200000;
	lab->now = (struct streamer_time){
	    .engine_ns = 1000 * NSEC_PER_SEC, .running_ns = NSEC_PER_SEC};
	EMIT(lab, 0x12000002, 0x2358, ADDRESS(LAB_DATA));
	EMIT(lab, 0x12000002, 0x235c, ADDRESS(LAB_DATA + 4));
	EMIT(lab, 0x12000002, 0x23a8, ADDRESS(LAB_DATA + 8));
	EMIT(lab, 0x15000001, 0x2358, GPR0);
	EMIT(lab, 0x12000002, 0x1d0358, ADDRESS(LAB_DATA + 12));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], LOW(19200000000));
	assert_int_equal(lab->data[1], HIGH(19200000000));
	assert_int_equal(lab->data[2], 19200000);
	assert_int_equal(
	    streamer_context_register(lab->context, 0x600), LOW(19200000000));
	/* The counter of another engine: they count alike. */
	assert_int_equal(lab->data[3], LOW(19200000000));
}

/* 36 bits: queries of programs are compared with what REG_READ answers. */
TEST(ring_time_wraps)
{
	struct streamer_lab *lab = *state;

	lab->now.engine_ns = (1ull << 36) + 5;
	EMIT(lab, 0x7a000004, 3u << 14, ADDRESS(LAB_DATA), 0, 0);
	EMIT(lab, 0x12000002, 0x235c, ADDRESS(LAB_DATA + 8));
	lab->data[2] = 1;
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 5);
	assert_int_equal(lab->data[1], 0);
	assert_int_equal(lab->data[2], 0);
}

TEST(generation_7_has_no_context_time)
{
	struct streamer_lab *lab = *state;

	lab->gpu.version = 70;
	lab->now.engine_ns = lab->now.running_ns = 500;
	EMIT(lab, 0x12000001, 0x23a8, LAB_OLD);
	EMIT(lab, 0x12000001, 0x2358, LAB_OLD + 4);
	lab->data[0] = 1;
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 0);
	assert_int_equal(lab->data[1], 500);
}

/* In one dword of memory that is 10, in line: operand in the fourth dword. */
TEST(atomics_change_memory)
{
	static const struct {
		uint32_t op, operand, other, result;
	} rows[] = {{0x01, 6, 0, 2}, {0x02, 5, 0, 15}, {0x03, 3, 0, 9},
	    {0x04, 99, 0, 99}, {0x05, 0, 0, 11}, {0x06, 0, 0, 9},
	    {0x07, 5, 0, 15}, {0x08, 4, 0, 6}, {0x09, 4, 0, (uint32_t)-6},
	    {0x0a, (uint32_t)-1, 0, 10}, {0x0b, (uint32_t)-1, 0, (uint32_t)-1},
	    {0x0c, (uint32_t)-1, 0, (uint32_t)-1}, {0x0d, 3, 0, 3},
	    {0x0e, 10, 42, 42}, {0x0e, 11, 42, 10}, {0x1f, 1, 1, 10}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct streamer_lab *lab = *state;

		lab->data[0] = 10;
		lab->data[1] = 20;
		EMIT(lab, 0x17840009 | rows[i].op << 8, ADDRESS(LAB_DATA),
		    rows[i].operand, rows[i].other, 0, 0, 0, 0, 0, 0);
		streamer_lab_ends(lab);
		assert_int_equal(lab->data[0], rows[i].result);
		assert_int_equal(lab->data[1], 20);
		streamer_lab_again(lab);
	}
}

/* In a qword of memory that is 10 and 20, in a command as long as its operands are: the
 * low dwords of both, then the high ones. Shorter ones are invalid. */
TEST(atomics_are_as_long_as_their_operands)
{
	static const struct {
		uint32_t op, length, dwords[4], low, high;
	} rows[] = {
	    {0x05, 3, {0}, 11, 20},            /* increment */
	    {0x07, 4, {5}, 15, 20},            /* add */
	    {0x0e, 5, {10, 42}, 42, 20},       /* store if equal */
	    {0x26, 3, {0}, 9, 20},             /* decrement, 8 bytes */
	    {0x24, 6, {7, 0, 8}, 7, 8},        /* move, 8 bytes */
	    {0x24, 7, {7, 0, 8, 0}, 7, 8},     /* as anv sends it */
	    {0x2e, 7, {10, 1, 20, 2}, 1, 2},   /* store if equal, 8 bytes */
	    {0x2e, 7, {10, 1, 21, 2}, 10, 20}, /* not equal */
	};
	struct streamer_lab *lab = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t header = 0x17840000 | rows[i].op << 8;

		lab->data[0] = 10;
		lab->data[1] = 20;
		EMIT(lab, header | (rows[i].length - 2), ADDRESS(LAB_DATA));
		streamer_lab_emit(lab, rows[i].dwords, rows[i].length - 3);
		streamer_lab_ends(lab);
		assert_int_equal(lab->data[0], rows[i].low);
		assert_int_equal(lab->data[1], rows[i].high);
		streamer_lab_again(lab);
		if (rows[i].length == 3 || rows[i].op == rows[i - 1].op)
			continue;
		EMIT(lab, header | (rows[i].length - 3), ADDRESS(LAB_DATA));
		streamer_lab_emit(lab, rows[i].dwords, rows[i].length - 4);
		EMIT(lab, BATCH_END);
		assert_int_equal(streamer_lab_run(lab).verdict, STREAMER_ERROR);
		streamer_lab_again(lab);
	}
}

/* 8 bytes, operands in GPR 0 and 1, what was there into GPR 0. */
TEST(atomics_take_operands_from_registers)
{
	struct streamer_lab *lab = *state;

	lab->data[0] = UINT32_MAX;
	EMIT(lab, 0x11000003, GPR0, 1, GPR0 + 4, 1);
	EMIT(lab, 0x17800001 | 1 << 16 | 0x27 << 8, ADDRESS(LAB_DATA));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 0);
	assert_int_equal(lab->data[1], 2);
	assert_int_equal(
	    streamer_context_register(lab->context, 0x600), UINT32_MAX);
}

TEST(memory_is_copied)
{
	struct streamer_lab *lab = *state;

	lab->data[5] = 0xfeed;
	EMIT(lab, 0x17000003, ADDRESS(LAB_DATA), ADDRESS(LAB_DATA + 20));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 0xfeed);
}

TEST(the_status_page_is_private)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x10800001, 2048, 7);
	EMIT(lab, 0x10800001, 0xfffffffc, 7);
	streamer_lab_ends(lab);
	for (unsigned i = 0; i < LAB_PAGE / 4; i++)
		assert_int_equal(lab->data[i], 0);
}

TEST(commands_without_an_effect_are_no_error)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x00400123);                       /* NOOP with an id */
	EMIT(lab, 0x0e800000, 3);                    /* FORCE_WAKEUP */
	EMIT(lab, 0x14000002, ADDRESS(LAB_DATA), 0); /* REPORT_PERF_COUNT */
	EMIT(lab, 0x01000000);                       /* USER_INTERRUPT */
	streamer_lab_ends(lab);
	assert_int_equal(streamer_counts(lab->batch)->interrupts, 1);
	assert_int_equal(streamer_counts(lab->batch)->unknown, 0);
	assert_int_equal(streamer_counts(lab->batch)->commands, 5);
}

TEST(unknown_commands_are_counted_and_skipped)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x1f800001, 0xdeadbeef, 0xdeadbeef);
	EMIT(lab, 0x10000002, ADDRESS(LAB_DATA), 1);
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 1);
	assert_int_equal(streamer_counts(lab->batch)->unknown, 1);
	assert_int_equal(streamer_counts(lab->batch)->unknown_last, 0x1f800001);
}

FIXTURES(streamer_lab_setup, streamer_lab_teardown);
