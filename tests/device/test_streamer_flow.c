/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that is executed next, and arithmetic (doc/model/streamer.md "Levels",
 * "Comparisons", "Predicates", "Arithmetic"). */
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

#define JUMP     0x18800101u
#define CALL     (JUMP | 1u << 22)
#define STORE    0x10000002u
#define COND_END 0x1b200002u
#define GPR(n)   (0x2600u + 8 * (n))

#define ALU(op, x, y) ((uint32_t)(op) << 20 | (x) << 10 | (y))
#define LOAD          0x080
#define LOADINV       0x480
#define STORE_ALU     0x180
#define STOREINV      0x580
#define SRCA          0x20
#define SRCB          0x21
#define ACCU          0x31
#define ZF            0x32
#define CF            0x33

static void
store_to(struct streamer_lab *lab, unsigned i)
{
	EMIT(lab, STORE, ADDRESS(LAB_DATA + i * 4), 1);
}

static void
store_second(struct streamer_lab *lab, unsigned i)
{
	EMIT_SECOND(lab, STORE, ADDRESS(LAB_DATA + i * 4), 1);
}

/* Returns which of the first eight dwords of data were stored to, as bits. */
static unsigned
stored(const struct streamer_lab *lab)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < 8; i++)
		bits |= (lab->data[i] != 0) << i;
	return bits;
}

/* With or without the bit of its address space, in which it is anyway. */
TEST(a_jump_does_not_come_back)
{
	struct streamer_lab *lab = *state;
	static const uint32_t headers[] = {JUMP, JUMP & ~(1u << 8)};

	for (unsigned i = 0; i < 2; i++) {
		streamer_lab_again(lab);
		lab->data[1] = 0;
		EMIT(lab, headers[i], ADDRESS(LAB_SECOND));
		store_to(lab, 0);
		store_second(lab, 1);
		EMIT_SECOND(lab, BATCH_END);
		streamer_lab_ends(lab);
		assert_int_equal(stored(lab), 2);
	}
}

TEST(a_second_level_returns_at_its_end)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, CALL, ADDRESS(LAB_SECOND));
	store_to(lab, 0);
	EMIT(lab, CALL, ADDRESS(LAB_SECOND));
	store_second(lab, 1);
	EMIT_SECOND(lab, BATCH_END);
	streamer_lab_ends(lab);
	assert_int_equal(stored(lab), 3);
}

/* It chains: its end then returns from the second level. */
TEST(a_jump_in_a_second_level_stays_there)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, CALL, ADDRESS(LAB_SECOND));
	store_to(lab, 0);
	EMIT_SECOND(lab, JUMP, ADDRESS(LAB_SECOND + 64), BATCH_END);
	lab->n_second = 16;
	store_second(lab, 1);
	EMIT_SECOND(lab, BATCH_END);
	streamer_lab_ends(lab);
	assert_int_equal(stored(lab), 3);
}

/* Generation 12 has a third level; before, a call there is a jump. */
TEST(levels_by_generation)
{
	struct streamer_lab *lab = *state;

	for (unsigned version = 90; version <= 120; version += 30) {
		lab->gpu.version = version;
		EMIT(lab, CALL, ADDRESS(LAB_SECOND));
		store_to(lab, 0);
		EMIT_SECOND(lab, CALL, ADDRESS(LAB_SECOND + 64));
		store_second(lab, 1);
		EMIT_SECOND(lab, BATCH_END);
		lab->n_second = 16;
		store_second(lab, 2);
		EMIT_SECOND(lab, BATCH_END);
		lab->data[0] = lab->data[1] = lab->data[2] = 0;
		streamer_lab_ends(lab);
		assert_int_equal(stored(lab), version == 90 ? 5 : 7);
		streamer_lab_again(lab);
	}
}

/* Ends when memory is at most the data, unsigned. */
TEST(a_conditional_end_compares_memory)
{
	struct streamer_lab *lab = *state;

	lab->data[1] = 6;
	EMIT(lab, COND_END, 5, ADDRESS(LAB_DATA + 4));
	store_to(lab, 0);
	EMIT(lab, COND_END, 6, ADDRESS(LAB_DATA + 4));
	store_to(lab, 2);
	streamer_lab_ends(lab);
	assert_int_equal(stored(lab), 3);
}

/* From generation 9 on, the mode says for which comparison it goes on. */
TEST(conditional_ends_have_modes)
{
	static const struct {
		unsigned version, mode;
		uint32_t memory;
		bool ends;
	} rows[] = {{90, 0, 5, true}, {90, 0, 6, false}, {90, 1, 5, false},
	    {90, 1, 4, true}, {90, 2, 4, false}, {90, 2, 5, true},
	    {90, 3, 5, false}, {90, 3, 6, true}, {90, 4, 5, false},
	    {90, 4, 6, true}, {90, 5, 5, true}, {90, 5, 6, false},
	    {80, 5, 6, false}, {80, 5, 4, true}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct streamer_lab *lab = *state;

		lab->gpu.version = rows[i].version;
		lab->data[0] = 0;
		lab->data[1] = rows[i].memory;
		EMIT(lab, COND_END | rows[i].mode << 12, 5,
		    ADDRESS(LAB_DATA + 4));
		store_to(lab, 0);
		streamer_lab_ends(lab);
		assert_int_equal(lab->data[0] == 0, rows[i].ends);
		streamer_lab_again(lab);
	}
}

TEST(conditional_ends_may_mask_memory)
{
	struct streamer_lab *lab = *state;

	lab->data[2] = 0xff01;
	lab->data[3] = 0x00ff;
	EMIT(lab, COND_END | 1u << 19, 1, ADDRESS(LAB_DATA + 8));
	store_to(lab, 0);
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 0);
}

/* Bit 18: it ends its level only. */
TEST(conditional_ends_of_a_level)
{
	struct streamer_lab *lab = *state;

	for (unsigned bit = 0; bit < 2; bit++) {
		lab->data[0] = 0;
		EMIT(lab, CALL, ADDRESS(LAB_SECOND));
		store_to(lab, 0);
		EMIT_SECOND(lab, COND_END | bit << 18, 0,
		    ADDRESS(LAB_DATA + 16), BATCH_END);
		streamer_lab_ends(lab);
		assert_int_equal(lab->data[0], bit);
		streamer_lab_again(lab);
	}
}

TEST(a_semaphore_waits_for_memory)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	/* Polls until memory is at least 3. */
	EMIT(lab, 0x0e000002 | 1 << 15 | 1 << 12, 3, ADDRESS(LAB_DATA + 4));
	store_to(lab, 0);
	EMIT(lab, BATCH_END);
	lab->data[1] = 2;
	answer = streamer_lab_run(lab);
	assert_int_equal(answer.verdict, STREAMER_WAITS);
	assert_int_equal(answer.wait, STREAMER_SEMAPHORE);
	assert_true(answer.address == LAB_DATA + 4);
	assert_int_equal(answer.value, 2);
	answer = streamer_lab_at(lab, 5000);
	assert_int_equal(answer.verdict, STREAMER_WAITS);
	lab->data[1] = 4;
	answer = streamer_lab_at(lab, 9000);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
	assert_int_equal(stored(lab), 3);
}

/* Linux, intel_gt_regs.h, GEN12_*_AUX_INV, and Intel's media driver: hardware clears
 * the bit, which drivers poll. Before generation 12 they are registers as others. */
TEST(invalidations_of_auxiliary_tables_end)
{
	static const uint32_t registers[] = {0x4208, 0x4218, 0x4228, 0x4238,
	    0x4248, 0x4298, 0x42a8, 0x42b8, 0x42c8};
	static const unsigned versions[] = {110, 120, 121, 125, 127};
	struct streamer_lab *lab = *state;

	for (unsigned v = 0; v < 5; v++)
		for (unsigned i = 0; i < sizeof(registers) / 4; i++) {
			lab->gpu.version = versions[v];
			EMIT(lab, 0x11000001, registers[i], 1);
			EMIT(lab, 0x0e000002 | 1 << 16 | 1 << 15 | 4 << 12, 0,
			    registers[i], 0, BATCH_END);
			assert_int_equal(streamer_lab_run(lab).verdict,
			    versions[v] < 120 ? STREAMER_WAITS
					      : STREAMER_ENDED);
			streamer_lab_again(lab);
		}
}

/* Nothing but the batch writes a register that is no clock. */
TEST(a_poll_of_a_register_never_ends)
{
	static const struct {
		uint32_t reg;
		bool never_ends;
	} rows[] = {
	    {0x7008, true},                    /* COMMON_SLICE_CHICKEN3 */
	    {0x2600, true},                    /* GPR 0 of RCS */
	    {0x2358, false},                   /* RING_TIMESTAMP, both dwords */
	    {0x235c, false}, {0x22358, false}, /* that of BCS */
	    {0x23a8, false},                   /* CTX_TIMESTAMP */
	};
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		EMIT(lab, 0x0e000002 | 1 << 16 | 1 << 15 | 1 << 12, UINT32_MAX,
		    rows[i].reg, 0, BATCH_END);
		answer = streamer_lab_run(lab);
		assert_int_equal(answer.verdict, STREAMER_WAITS);
		assert_true(answer.is_register);
		assert_int_equal(answer.never_ends, rows[i].never_ends);
		streamer_lab_again(lab);
	}
	EMIT(lab, 0x0e000002 | 1 << 15 | 1 << 12, 3, ADDRESS(LAB_DATA));
	assert_false(streamer_lab_run(lab).never_ends);
}

TEST(semaphores_have_modes)
{
	/* As bits: which of memory 4, 5, 6 satisfies a comparison with 5. */
	static const unsigned satisfied[] = {4, 6, 1, 3, 2, 5};

	for (unsigned mode = 0; mode < 6; mode++)
		for (unsigned memory = 4; memory < 7; memory++) {
			struct streamer_lab *lab = *state;
			struct streamer_answer answer;

			lab->data[1] = memory;
			EMIT(lab, 0x0e000003 | mode << 12, 5,
			    ADDRESS(LAB_DATA + 4), 0, BATCH_END);
			answer = streamer_lab_run(lab);
			assert_int_equal(answer.verdict == STREAMER_ENDED,
			    satisfied[mode] >> (memory - 4) & 1);
			streamer_lab_again(lab);
		}
}

/* Predicated jumps: MI_PREDICATE_RESULT_1, bit 0. */
TEST(jumps_may_be_predicated)
{
	struct streamer_lab *lab = *state;

	store_second(lab, 1);
	EMIT_SECOND(lab, BATCH_END);
	EMIT(lab, JUMP | 1u << 15, ADDRESS(LAB_SECOND));
	store_to(lab, 0);
	EMIT(lab, 0x11000001, 0x241c, 1);
	EMIT(lab, JUMP | 1u << 15, ADDRESS(LAB_SECOND));
	store_to(lab, 2);
	streamer_lab_ends(lab);
	assert_int_equal(stored(lab), 3);
}

/* MI_PREDICATE: load, set, sources equal; then a store of a register and a
 * draw that obey it. */
TEST(predicates_of_registers)
{
	struct streamer_lab *lab = *state;

	for (uint32_t source = 4; source < 6; source++) {
		lab->data[0] = 9;
		EMIT(lab, 0x11000007, 0x2400, 5, 0x2404, 0, 0x2408, source,
		    0x240c, 0);
		EMIT(lab, 0x06000000 | 2 << 6 | 2);
		EMIT(lab, 0x12000002 | 1u << 21, 0x2408, ADDRESS(LAB_DATA));
		EMIT(lab, 0x7b000105, 4, 3, 0, 1, 0, 0);
		streamer_lab_ends(lab);
		assert_int_equal(lab->data[0], source == 5 ? 5 : 9);
		assert_int_equal(
		    streamer_counts(lab->batch)->draws, source == 5);
		streamer_lab_again(lab);
	}
}

TEST(predicates_combine)
{
	/* Combine, load, result so far, result, for a comparison that is true:
	 * set, and, or, xor. */
	static const struct {
		uint32_t combine, load, before, after;
	} rows[] = {{0, 2, 0, 1}, {0, 3, 0, 0}, {0, 0, 1, 1}, {1, 2, 0, 0},
	    {1, 2, 1, 1}, {2, 2, 0, 1}, {3, 2, 1, 0}, {3, 3, 1, 1}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct streamer_lab *lab = *state;

		EMIT(lab, 0x11000001, 0x2418, rows[i].before);
		EMIT(
		    lab, 0x06000000 | rows[i].load << 6 | rows[i].combine << 3);
		streamer_lab_ends(lab);
		assert_int_equal(streamer_context_register(lab->context, 0x418),
		    rows[i].after);
		streamer_lab_again(lab);
	}
}

/* MI_SET_PREDICATE: commands are nothing while the result is clear, or set, or
 * always; it itself and the end are executed. */
TEST(commands_may_be_nothing)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x11000001, 0x2418, 1);
	EMIT(lab, 0x00800003);
	store_to(lab, 0);
	EMIT(lab, 0x00800004);
	store_to(lab, 1);
	EMIT(lab, 0x0080000f);
	store_to(lab, 2);
	EMIT(lab, 0x00800000);
	store_to(lab, 3);
	EMIT(lab, 0x0080000f);
	streamer_lab_ends(lab);
	assert_int_equal(stored(lab), 9);
}

/* GPR 2 = op(GPR 0, GPR 1) by two loads, op, and a store of the operand. */
static void
compute(struct streamer_lab *lab, uint64_t a, uint64_t b, unsigned op,
    uint32_t store)
{
	EMIT(lab, 0x11000007, GPR(0), LOW(a), GPR(0) + 4, HIGH(a), GPR(1),
	    LOW(b), GPR(1) + 4, HIGH(b));
	EMIT(lab, 0x0d000003, ALU(LOAD, SRCA, 0), ALU(LOAD, SRCB, 1),
	    ALU(op, 0, 0), store);
	streamer_lab_ends(lab);
	streamer_lab_again(lab);
}

static uint64_t
gpr(const struct streamer_lab *lab, unsigned n)
{
	return streamer_context_register(lab->context, 0x600 + 8 * n) |
	    (uint64_t)streamer_context_register(lab->context, 0x604 + 8 * n)
	    << 32;
}

TEST(math_computes_64_bits)
{
	static const struct {
		unsigned op;
		uint64_t a, b, result;
	} rows[] = {{0x100, UINT32_MAX, 1, 1ull << 32},
	    {0x101, 1, 2, UINT64_MAX}, {0x102, 0xff0, 0x0ff, 0x0f0},
	    {0x103, 0xf0, 0x0f, 0xff}, {0x104, 0xff, 0x0f, 0xf0},
	    {0x105, 3, 62, 3ull << 62}, {0x106, 1ull << 63, 63, 1},
	    {0x107, 1ull << 63, 63, UINT64_MAX}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct streamer_lab *lab = *state;

		compute(lab, rows[i].a, rows[i].b, rows[i].op,
		    ALU(STORE_ALU, 2, ACCU));
		assert_true(gpr(lab, 2) == rows[i].result);
		compute(lab, rows[i].a, rows[i].b, rows[i].op,
		    ALU(STOREINV, 2, ACCU));
		assert_true(gpr(lab, 2) == ~rows[i].result);
	}
}

TEST(math_has_flags)
{
	struct streamer_lab *lab = *state;

	compute(lab, 7, 7, 0x101, ALU(STORE_ALU, 2, ZF));
	assert_true(gpr(lab, 2) == UINT64_MAX);
	compute(lab, 8, 7, 0x101, ALU(STORE_ALU, 2, ZF));
	assert_true(gpr(lab, 2) == 0);
	compute(lab, 6, 7, 0x101, ALU(STORE_ALU, 2, CF));
	assert_true(gpr(lab, 2) == UINT64_MAX);
	compute(lab, UINT64_MAX, 1, 0x100, ALU(STORE_ALU, 2, CF));
	assert_true(gpr(lab, 2) == UINT64_MAX);
	compute(lab, 7, 7, 0x100, ALU(STORE_ALU, 2, CF));
	assert_true(gpr(lab, 2) == 0);
}

TEST(math_accesses_memory)
{
	struct streamer_lab *lab = *state;

	lab->data[2] = 11;
	lab->data[3] = 12;
	EMIT(lab, 0x11000003, GPR(0), LOW(LAB_DATA + 8), GPR(0) + 4,
	    HIGH(LAB_DATA));
	EMIT(lab, 0x0d000001, ALU(0x082, 1, 0), ALU(0x181, 0, 0));
	streamer_lab_ends(lab);
	assert_true(gpr(lab, 1) == (12ull << 32 | 11));
	assert_int_equal(lab->data[2], LOW(LAB_DATA + 8));
}

/* Ivy Bridge has no registers to compute with. */
TEST(generation_7_has_no_math)
{
	struct streamer_lab *lab = *state;

	lab->gpu.version = 70;
	EMIT(lab, 0x0d000000, ALU(0x481, 0, 0));
	streamer_lab_ends(lab);
	assert_int_equal(streamer_counts(lab->batch)->unknown, 1);
}

FIXTURES(streamer_lab_setup, streamer_lab_teardown);
