/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MI_ATOMIC: changes 4 or 8 bytes of memory at once, with operands in the
 * command or in GPR 0 and 1 (doc/model/streamer.md "Atomics").
 */
#include "device/streamer/cs.h"

#define GGTT       (1u << 22)
#define INLINE     (1u << 18)
#define RETURNS    (1u << 16)
#define WIDE       0x20 /* op: 8 bytes */
#define OP(header) ((header) >> 8 & 0xff)

enum atomic_op {
	ATOMIC_AND = 1,
	ATOMIC_OR,
	ATOMIC_XOR,
	ATOMIC_MOVE,
	ATOMIC_INC,
	ATOMIC_DEC,
	ATOMIC_ADD,
	ATOMIC_SUB,
	ATOMIC_RSUB,
	ATOMIC_IMAX,
	ATOMIC_IMIN,
	ATOMIC_UMAX,
	ATOMIC_UMIN,
	ATOMIC_CMPWR,
	ATOMIC_PREDEC,
};

/* Returns a value of that size as a signed one. */
static int64_t
as_signed(uint64_t value, unsigned size)
{
	return size == 4 ? (int32_t)(uint32_t)value : (int64_t)value;
}

static uint64_t
pick(uint64_t a, uint64_t b, bool first)
{
	return first ? a : b;
}

/* Returns what old becomes. The caller cuts it to its size. */
static uint64_t
atomic_change(uint64_t old, unsigned size, const struct cs_change *change)
{
	uint64_t x = change->operand;
	int64_t is = as_signed(old, size), given = as_signed(x, size);

	switch ((enum atomic_op)change->op) {
	case ATOMIC_AND: return old & x;
	case ATOMIC_OR: return old | x;
	case ATOMIC_XOR: return old ^ x;
	case ATOMIC_MOVE: return x;
	case ATOMIC_INC: return old + 1;
	case ATOMIC_DEC:
	case ATOMIC_PREDEC: return old - 1;
	case ATOMIC_ADD: return old + x;
	case ATOMIC_SUB: return old - x;
	case ATOMIC_RSUB: return x - old;
	case ATOMIC_IMAX: return pick(old, x, is > given);
	case ATOMIC_IMIN: return pick(old, x, is < given);
	case ATOMIC_UMAX: return pick(old, x, old > x);
	case ATOMIC_UMIN: return pick(old, x, old < x);
	case ATOMIC_CMPWR: return pick(change->other, old, old == x);
	}
	return old;
}

/* Dwords of operands in the command: the low halves of both, then the high ones. */
#define FIRST_OPERAND 3

/* Returns the dwords of the command with the operands in it that the operation uses. */
static unsigned
atomic_dwords(const struct cs_change *change, unsigned size)
{
	switch ((enum atomic_op)change->op) {
	case ATOMIC_INC:
	case ATOMIC_DEC:
	case ATOMIC_PREDEC: return FIRST_OPERAND;
	case ATOMIC_CMPWR: return FIRST_OPERAND + (size == 4 ? 2 : 4);
	default: return FIRST_OPERAND + (size == 4 ? 1 : 3);
	}
}

/* Returns operand 0 or 1: from the command, as far as it is that long, or from a GPR. */
static uint64_t
atomic_operand(
    struct streamer_batch *b, const struct cs_command *c, unsigned operand)
{
	unsigned low = FIRST_OPERAND + operand, high = low + 2;

	if (!(c->header & INLINE))
		return cs_own_qword(b->context, CS_GPR + operand * 8);
	return (low < c->n ? cs_operand(c, low) : 0) |
	    (high < c->n ? (uint64_t)cs_operand(c, high) << 32 : 0);
}

enum cs_step
cs_atomic(struct streamer_batch *b, const struct cs_command *c)
{
	unsigned size = OP(c->header) & WIDE ? 8 : 4;
	uint64_t address = cs_address(b, c, 1), old;
	struct cs_change change = {.op = OP(c->header) & ~(unsigned)WIDE};

	if (c->header & INLINE && c->n < atomic_dwords(&change, size))
		return cs_error(b, c, "an MI_ATOMIC without its operands");
	if (c->header & GGTT)
		return cs_fault_ggtt(b, address);
	change.operand = atomic_operand(b, c, 0);
	change.other = atomic_operand(b, c, 1);
	if (size == 4) {
		change.operand = (uint32_t)change.operand;
		change.other = (uint32_t)change.other;
	}
	if (!cs_modify(b, address, size, atomic_change, &change, &old))
		return CS_FAILED;
	if (c->header & RETURNS)
		cs_set_own_qword(b->context, CS_GPR, old);
	return CS_NEXT;
}
