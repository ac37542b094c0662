/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that decide what is executed next: jumps, calls, ends, conditions,
 * predicates, arbitration (doc/model/streamer.md "Levels", "Comparisons",
 * "Predicates").
 */
#include "device/streamer/cs.h"

#define GGTT          (1u << 22)
#define COMPARE(c)    ((c)->header >> 12 & 7)
#define SECOND_LEVEL  (1u << 22)
#define PREDICATED    (1u << 15)
#define REGISTER_POLL (1u << 16)
#define COMPARES      (1u << 21)
#define MASKED        (1u << 19)
#define ENDS_LEVEL    (1u << 18)

/* Returns true if memory satisfies the comparison with data
 * (doc/model/streamer.md "Comparisons"). */
static bool
cs_compares(unsigned mode, uint32_t memory, uint32_t data)
{
	switch (mode) {
	case 0: return memory > data;
	case 1: return memory >= data;
	case 2: return memory < data;
	case 3: return memory <= data;
	case 4: return memory == data;
	case 5: return memory != data;
	default: return true;
	}
}

/* Returns to the caller of this level; ends the batch if there is none, or
 * all. */
static enum cs_step
end_level(struct streamer_batch *b, bool all)
{
	if (b->level == 0 || all)
		return CS_ENDED;
	cs_forget_walk(b);
	b->pc = b->returns[--b->level];
	return CS_JUMPED;
}

enum cs_step
cs_batch_end(struct streamer_batch *b, const struct cs_command *c)
{
	(void)c;
	if (b->level == 0 && cs_is_later(b))
		return CS_LATER;
	return end_level(b, false);
}

/* Returns true if a jump with the predicate bit is not made. */
static bool
is_jump_off(const struct streamer_batch *b)
{
	if (b->predicate)
		return cs_is_predicated_off(b);
	return !(b->context->own[CS_PREDICATE_RESULT1 / 4] & 1);
}

enum cs_step
cs_batch_start(struct streamer_batch *b, const struct cs_command *c)
{
	uint64_t target = cs_address(b, c, 1) & ~(uint64_t)3;
	unsigned levels = b->gpu->version < 120 ? 1 : CS_LEVELS;

	if (c->header & PREDICATED && is_jump_off(b)) {
		cs_forget_walk(b);
		return CS_NEXT;
	}
	b->pc = target;
	if (c->header & SECOND_LEVEL && b->level < levels) {
		b->returns[b->level++] = c->address + c->n * 4;
		return CS_JUMPED;
	}
	return target <= c->address ? CS_LOOPS : CS_JUMPED;
}

enum cs_step
cs_conditional_end(struct streamer_batch *b, const struct cs_command *c)
{
	uint32_t data = cs_operand(c, 1), memory, mask;
	uint64_t address = cs_address(b, c, 2) & ~(uint64_t)3;
	bool later = b->gpu->version >= 90;

	if (c->header & GGTT)
		return cs_fault_ggtt(b, address);
	if (!cs_load(b, address, &memory))
		return CS_FAILED;
	b->compared = data;
	if (b->probe) {
		b->probe->command = c->address;
		b->probe->condition = address;
		b->probe->found = memory;
	}
	if (later && c->header & MASKED) {
		if (!cs_load(b, address + 4, &mask))
			return CS_FAILED;
		memory &= mask;
	}
	if (!(c->header & COMPARES) ||
	    cs_compares(later ? COMPARE(c) : 0, memory, data))
		return CS_NEXT;
	return end_level(b, !(c->header & ENDS_LEVEL));
}

static enum cs_step
semaphore_waits(struct streamer_batch *b, const struct cs_command *c,
    uint64_t address, uint32_t value)
{
	b->answer.wait = STREAMER_SEMAPHORE;
	b->answer.address = address;
	b->answer.value = value;
	b->answer.wanted = cs_operand(c, 1);
	b->answer.compare = COMPARE(c);
	b->answer.is_register = c->header & REGISTER_POLL;
	b->answer.never_ends = b->answer.is_register &&
	    !cs_is_clock(b, (uint32_t)address, CS_ABSOLUTE);
	return CS_POLLS;
}

enum cs_step
cs_semaphore(struct streamer_batch *b, const struct cs_command *c)
{
	uint32_t data = cs_operand(c, 1), memory;
	uint64_t address = cs_address(b, c, 2) & ~(uint64_t)3;

	if (c->header & REGISTER_POLL) {
		memory = cs_get(b, (uint32_t)address, CS_ABSOLUTE);
	} else {
		if (c->header & GGTT)
			return cs_fault_ggtt(b, address);
		if (!cs_load(b, address, &memory))
			return CS_FAILED;
	}
	if (b->polls)
		b->at_ns = nsec_later(b->at_ns, b->now.running_ns);
	b->polls = !cs_compares(COMPARE(c), memory, data);
	return b->polls ? semaphore_waits(b, c, address, memory) : CS_NEXT;
}

bool
cs_semaphore_rests(struct streamer_batch *b)
{
	struct cs_command c;
	struct cs_probe probe = {.point_ns = NSEC_NEVER};
	uint32_t memory;
	bool rests;

	b->probe = &probe;
	rests = cs_fetch_command(b, &c) && c.header >> 29 == COMMAND_MI &&
	    mi_opcode(c.header) == MI_SEMAPHORE_WAIT && c.n >= 3 &&
	    !(c.header & (REGISTER_POLL | GGTT)) &&
	    cs_load(b, cs_address(b, &c, 2), &memory) &&
	    !cs_compares(COMPARE(&c), memory, cs_operand(&c, 1));
	b->probe = NULL;
	return rests;
}

enum cs_step
cs_arb_check(struct streamer_batch *b, const struct cs_command *c)
{
	(void)c;
	if (!b->arbitrates || b->gpu->version < 90)
		return CS_NEXT;
	if (!cs_may_note(b))
		return CS_LATER;
	cs_note_point(b, b->at_ns);
	return CS_NEXT;
}

enum cs_step
cs_arb_on_off(struct streamer_batch *b, const struct cs_command *c)
{
	b->arbitrates = c->header & 1;
	return CS_NEXT;
}

enum cs_step
cs_set_predicate(struct streamer_batch *b, const struct cs_command *c)
{
	b->predicate = c->header & 0xf;
	return CS_NEXT;
}

/* Modes that ask for a number of slices mean nothing here: executed. */
bool
cs_is_predicated_off(const struct streamer_batch *b)
{
	const uint32_t *own = b->context->own;

	switch (b->predicate) {
	case 1: return !(own[CS_PREDICATE_RESULT2 / 4] & 1);
	case 2: return own[CS_PREDICATE_RESULT2 / 4] & 1;
	case 3: return !(own[CS_PREDICATE_RESULT / 4] & 1);
	case 4: return own[CS_PREDICATE_RESULT / 4] & 1;
	case 15: return true;
	default: return false;
	}
}

static bool
compare_sources(const struct streamer_context *context, unsigned compare)
{
	uint64_t a = cs_own_qword(context, CS_PREDICATE_SRC0),
		 b = cs_own_qword(context, CS_PREDICATE_SRC1);

	switch (compare) {
	case 0: return true;
	case 1: return false;
	case 2: return a == b;
	default: return a - b == cs_own_qword(context, CS_PREDICATE_DATA);
	}
}

/* Bits 1:0 compare, 4:3 combine with the result so far, 7:6 load: keep, -,
 * load, load inverted. */
enum cs_step
cs_predicate(struct streamer_batch *b, const struct cs_command *c)
{
	uint32_t *result = &b->context->own[CS_PREDICATE_RESULT / 4];
	bool value = compare_sources(b->context, c->header & 3);

	switch (c->header >> 3 & 3) {
	case 1: value = value && *result & 1; break;
	case 2: value = value || *result & 1; break;
	case 3: value = value != (*result & 1); break;
	default: break;
	}
	if (c->header & 1u << 7)
		*result = value != (c->header >> 6 & 1);
	return CS_NEXT;
}
