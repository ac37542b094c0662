/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One command: it is fetched, told apart, and executed or refused
 * (doc/model/streamer.md "Headers", "MI commands"). Each command of each batch
 * comes through here, so the usual way is inlined and the others are not.
 */
#include "device/streamer/cs.h"

#define HOT  inline __attribute__((always_inline))
#define COLD __attribute__((noinline))

/* MI_NOOPs that are executed as one step. */
#define NOOPS 64

static enum cs_step
fail_batch(struct streamer_batch *b, enum streamer_verdict verdict,
    uint64_t address, uint32_t value, const char *why)
{
	if (b->probe) {
		b->probe->refused = true;
		return CS_FAILED;
	}
	if (cs_is_later(b))
		return CS_LATER;
	b->answer = (struct streamer_answer){
	    .verdict = verdict, .address = address, .value = value, .why = why};
	return CS_FAILED;
}

enum cs_step
cs_fault(struct streamer_batch *b, uint64_t address, const char *why)
{
	return fail_batch(b, STREAMER_FAULT, address, 0, why);
}

enum cs_step
cs_fault_ggtt(struct streamer_batch *b, uint64_t address)
{
	return cs_fault(b, address, "an address of the global GTT");
}

enum cs_step
cs_error(struct streamer_batch *b, const struct cs_command *c, const char *why)
{
	return fail_batch(b, STREAMER_ERROR, c->address, c->header, why);
}

/* Returns false, with an error, if the header is invalid. */
static inline bool
is_valid(struct streamer_batch *b, const struct cs_command *c)
{
	if (c->n == 0)
		cs_error(b, c, "no command begins like that");
	return c->n > 0;
}

/* Fetches a command that may not be in the code at hand. */
static COLD bool
fetch_far(struct streamer_batch *b, struct cs_command *c)
{
	c->address = b->pc;
	c->dw = cs_fetch(b, b->pc, 1);
	if (c->dw == NULL)
		return false;
	c->header = cs_operand(c, 0);
	c->n = command_length(b->gpu->version, c->header);
	if (c->n > 1)
		c->dw = cs_fetch(
		    b, b->pc, c->n < CS_OPERANDS ? c->n : CS_OPERANDS);
	return c->dw != NULL && is_valid(b, c);
}

/* Most are at hand, with all the operands that any command has. */
static HOT bool
fetch_near(struct streamer_batch *b, struct cs_command *c)
{
	uint64_t offset = b->pc - b->code.address;

	if (offset >= b->code.len ||
	    b->code.len - offset < (size_t)CS_OPERANDS * 4)
		return fetch_far(b, c);
	c->dw = (const uint32_t *)(void *)(b->code.host + offset);
	c->address = b->pc;
	c->header = cs_operand(c, 0);
	c->n = command_length(b->gpu->version, c->header);
	return is_valid(b, c);
}

bool
cs_fetch_command(struct streamer_batch *b, struct cs_command *c)
{
	return fetch_near(b, c);
}

static HOT enum cs_step
execute_mi(struct streamer_batch *b, const struct cs_command *c)
{
	const struct cs_mi *mi = &cs_mi_table[mi_opcode(c->header)];

	if (mi->execute == NULL)
		return cs_unknown(b, c);
	if (c->n < (b->gpu->version < 80 ? mi->least7 : mi->least))
		return cs_error(b, c, "a command without its operands");
	if (mi->flags & CS_TIMELY && cs_is_later(b))
		return CS_LATER;
	return mi->execute(b, c);
}

static COLD bool
is_made_nothing(const struct streamer_batch *b, uint32_t header)
{
	return cs_is_predicated_off(b) &&
	    !(header >> 29 == COMMAND_MI &&
		cs_mi_table[mi_opcode(header)].flags & CS_ALWAYS);
}

static HOT enum cs_step
execute_any(struct streamer_batch *b, const struct cs_command *c)
{
	if (b->predicate && is_made_nothing(b, c->header))
		return CS_NEXT;
	switch (c->header >> 29) {
	case COMMAND_MI: return execute_mi(b, c);
	case COMMAND_BLT: return cs_blit(b, c);
	default: return cs_render(b, c);
	}
}

/* Executes the MI_NOOPs at pc. */
static COLD enum cs_step
skip_noops(struct streamer_batch *b, const struct cs_command *c)
{
	uint64_t offset = c->address - b->code.address;
	struct cs_command noops = *c;
	unsigned n = 1, most = NOOPS;
	uint32_t ahead[NOOPS];

	if (c->dw == b->far) {
		if (b->memory.read(
			b->memory.data, c->address, ahead, sizeof(ahead)))
			noops.dw = ahead;
		else
			most = 1;
	} else if ((b->code.len - offset) / 4 < NOOPS)
		most = 1;
	while (n < most && cs_operand(&noops, n) == 0)
		n++;
	b->pc = CS_ADDRESS(b->pc + n * 4, (b->pc + n * 4) >> 32);
	b->counts.commands += n;
	cs_spend(b, (nsec)n * b->gpu->costs.command_ns);
	return CS_JUMPED;
}

static HOT enum cs_step
execute_one(struct streamer_batch *b, const struct cs_command *c)
{
	enum cs_step step;
	uint64_t behind = c->address + c->n * 4;

	b->spent++;
	if (c->header == 0)
		return skip_noops(b, c);
	step = execute_any(b, c);
	if (step == CS_NEXT)
		b->pc = CS_ADDRESS(behind, behind >> 32);
	else if (step != CS_JUMPED && step != CS_LOOPS && step != CS_ENDED)
		return step;
	b->counts.commands++;
	cs_spend(b, b->gpu->costs.command_ns);
	return step;
}

enum cs_step
cs_execute(struct streamer_batch *b, const struct cs_command *c)
{
	return execute_one(b, c);
}

enum cs_step
cs_step(struct streamer_batch *b)
{
	struct cs_command c;
	enum cs_step step;

	if (!fetch_near(b, &c))
		return cs_is_later(b) ? CS_LATER : CS_FAILED;
	step = execute_one(b, &c);
	return step == CS_LOOPS ? cs_loop_jump(b, c.address) : step;
}
