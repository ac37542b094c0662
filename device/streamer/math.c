/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MI_MATH: 64-bit arithmetic on a context's general purpose registers
 * (doc/model/streamer.md "Arithmetic"). Its instructions are copied first, as
 * the program may change them.
 */
#include "device/streamer/cs.h"

#define N_INSTRUCTIONS 256

enum alu_opcode {
	ALU_NOOP = 0x000,
	ALU_FENCE_RD = 0x001,
	ALU_FENCE_WR = 0x002,
	ALU_LOAD = 0x080,
	ALU_LOAD0 = 0x081,
	ALU_LOADIND = 0x082,
	ALU_LOADINV = 0x480,
	ALU_LOAD1 = 0x481,
	ALU_ADD = 0x100,
	ALU_SUB = 0x101,
	ALU_AND = 0x102,
	ALU_OR = 0x103,
	ALU_XOR = 0x104,
	ALU_SHL = 0x105,
	ALU_SHR = 0x106,
	ALU_SAR = 0x107,
	ALU_STORE = 0x180,
	ALU_STOREIND = 0x181,
	ALU_STOREINV = 0x580,
};

enum alu_operand {
	ALU_SRCA = 0x20,
	ALU_SRCB = 0x21,
	ALU_ACCU = 0x31,
	ALU_ZF = 0x32,
	ALU_CF = 0x33,
};

struct alu {
	struct streamer_batch *batch;
	uint64_t a, b, accu;
	bool zero, carry;
};

static uint64_t
alu_get(const struct alu *alu, unsigned operand)
{
	switch (operand) {
	case ALU_SRCA: return alu->a;
	case ALU_SRCB: return alu->b;
	case ALU_ACCU: return alu->accu;
	case ALU_ZF: return alu->zero ? UINT64_MAX : 0;
	case ALU_CF: return alu->carry ? UINT64_MAX : 0;
	default:
		if (operand < CS_GPRS)
			return cs_own_qword(
			    alu->batch->context, CS_GPR + operand * 8);
		return 0;
	}
}

static void
alu_set(struct alu *alu, unsigned operand, uint64_t value)
{
	if (operand == ALU_SRCA)
		alu->a = value;
	else if (operand == ALU_SRCB)
		alu->b = value;
	else if (operand < CS_GPRS)
		cs_set_own_qword(
		    alu->batch->context, CS_GPR + operand * 8, value);
}

static void
alu_result(struct alu *alu, uint64_t accu, bool carry)
{
	alu->accu = accu;
	alu->zero = accu == 0;
	alu->carry = carry;
}

/* Shifts use the lower six bits of the second source. */
static void
alu_compute(struct alu *alu, unsigned op)
{
	uint64_t a = alu->a, b = alu->b;

	switch (op) {
	case ALU_ADD: alu_result(alu, a + b, a + b < a); break;
	case ALU_SUB: alu_result(alu, a - b, a < b); break;
	case ALU_AND: alu_result(alu, a & b, false); break;
	case ALU_OR: alu_result(alu, a | b, false); break;
	case ALU_XOR: alu_result(alu, a ^ b, false); break;
	case ALU_SHL: alu_result(alu, a << (b & 63), false); break;
	case ALU_SHR: alu_result(alu, a >> (b & 63), false); break;
	case ALU_SAR:
		alu_result(alu, (uint64_t)((int64_t)a >> (b & 63)), false);
		break;
	default: break;
	}
}

/* Loads or stores at an address. False: that failed, the answer is set. */
static bool
alu_access(struct alu *alu, unsigned op, unsigned x, unsigned y)
{
	uint64_t value;

	if (op == ALU_STOREIND)
		return cs_store_qword(alu->batch,
		    CS_ADDRESS(alu_get(alu, x), 0), alu_get(alu, y));
	if (!cs_load_qword(alu->batch, CS_ADDRESS(alu_get(alu, y), 0), &value))
		return false;
	alu_set(alu, x, value);
	return true;
}

static bool
alu_execute(struct alu *alu, uint32_t instruction)
{
	unsigned op = instruction >> 20, x = instruction >> 10 & 0x3ff,
		 y = instruction & 0x3ff;

	switch (op) {
	case ALU_LOAD: alu_set(alu, x, alu_get(alu, y)); break;
	case ALU_LOADINV: alu_set(alu, x, ~alu_get(alu, y)); break;
	case ALU_LOAD0: alu_set(alu, x, 0); break;
	case ALU_LOAD1: alu_set(alu, x, UINT64_MAX); break;
	case ALU_STORE: alu_set(alu, x, alu_get(alu, y)); break;
	case ALU_STOREINV: alu_set(alu, x, ~alu_get(alu, y)); break;
	case ALU_LOADIND:
	case ALU_STOREIND: return alu_access(alu, op, x, y);
	default: alu_compute(alu, op); break;
	}
	return true;
}

/* Returns true if the engine has registers to compute with, and so MI_MATH. */
static bool
has_math(const struct streamer_batch *b)
{
	return b->gpu->version >= 80 ||
	    (b->gpu->version == 75 && b->class == STREAMER_RENDER);
}

static bool
is_access(uint32_t instruction)
{
	return instruction >> 20 == ALU_LOADIND ||
	    instruction >> 20 == ALU_STOREIND;
}

enum cs_step
cs_math(struct streamer_batch *b, const struct cs_command *c)
{
	struct alu alu = {.batch = b};
	uint32_t instructions[N_INSTRUCTIONS];
	unsigned n = c->n - 1;

	if (!has_math(b))
		return cs_unknown(b, c);
	b->spent += n / 8;
	for (unsigned i = 0; i < n; i++) {
		instructions[i] = cs_operand(c, i + 1);
		if (is_access(instructions[i]) && cs_is_later(b))
			return CS_LATER;
	}
	for (unsigned i = 0; i < n; i++)
		if (!alu_execute(&alu, instructions[i]))
			return CS_FAILED;
	return CS_NEXT;
}
