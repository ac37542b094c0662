/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MI commands that move data between the command, registers and memory, and the
 * table of all MI commands (doc/model/streamer.md "MI commands").
 */
#include "device/streamer/cs.h"

#define GGTT        (1u << 22)
#define SOURCE_GGTT (1u << 22) /* of MI_COPY_MEM_MEM */
#define DEST_GGTT   (1u << 21)
#define PREDICATED  (1u << 21) /* of MI_STORE_REGISTER_MEM */

/* Returns how the command names registers, by the bits that say so: relative
 * from generation 11 on, remapped from 12. */
static enum cs_naming
naming_of(const struct streamer_batch *b, const struct cs_command *c,
    unsigned relative, unsigned remapped)
{
	if (b->gpu->version >= 110 && c->header >> relative & 1)
		return CS_RELATIVE;
	if (b->gpu->version >= 120 && c->header >> remapped & 1)
		return CS_REMAPPED;
	return CS_ABSOLUTE;
}

#define NAMING(b, c) naming_of(b, c, 19, 17)

static enum cs_step
do_nothing(struct streamer_batch *b, const struct cs_command *c)
{
	(void)b;
	(void)c;
	return CS_NEXT;
}

static enum cs_step
user_interrupt(struct streamer_batch *b, const struct cs_command *c)
{
	(void)c;
	b->counts.interrupts++;
	return CS_NEXT;
}

static enum cs_step
store_data_imm(struct streamer_batch *b, const struct cs_command *c)
{
	bool old = b->gpu->version < 80;
	uint64_t address = old ? CS_ADDRESS(cs_operand(c, 2), 0)
			       : cs_address(b, c, 1);
	uint32_t data = cs_operand(c, 3);
	bool wide = c->n > 4;

	if (c->header & GGTT)
		return cs_fault_ggtt(b, address);
	if (wide ? cs_store_qword(
		       b, address, data | (uint64_t)cs_operand(c, 4) << 32)
		 : cs_store(b, address, data))
		return CS_NEXT;
	return CS_FAILED;
}

/* Nothing can read the context's status page: the store is never early. */
static enum cs_step
store_data_index(struct streamer_batch *b, const struct cs_command *c)
{
	uint32_t i = cs_operand(c, 1) % sizeof(b->context->scratch) / 4;

	if (b->probe == NULL)
		b->context->scratch[i] = cs_operand(c, 2);
	return CS_NEXT;
}

static enum cs_step
load_register_imm(struct streamer_batch *b, const struct cs_command *c)
{
	enum cs_naming naming = NAMING(b, c);

	b->spent += c->n / 8;
	for (unsigned i = 1; i + 1 < c->n; i += 2)
		cs_set(b, cs_operand(c, i), naming, cs_operand(c, i + 1));
	return CS_NEXT;
}

static enum cs_step
load_register_reg(struct streamer_batch *b, const struct cs_command *c)
{
	enum cs_naming from = naming_of(b, c, 18, 16),
		       to = naming_of(b, c, 19, 17);
	uint32_t reg = cs_operand(c, 1);

	if (cs_is_later(b) && cs_is_ring_time(b, reg, from))
		return CS_LATER;
	cs_set(b, cs_operand(c, 2), to, cs_get(b, reg, from));
	return CS_NEXT;
}

static enum cs_step
load_register_mem(struct streamer_batch *b, const struct cs_command *c)
{
	uint32_t reg = cs_operand(c, 1), value;
	uint64_t address = cs_address(b, c, 2);

	if (c->header & GGTT)
		return cs_fault_ggtt(b, address);
	if (!cs_load(b, address, &value))
		return CS_FAILED;
	cs_set(b, reg, NAMING(b, c), value);
	return CS_NEXT;
}

static enum cs_step
store_register_mem(struct streamer_batch *b, const struct cs_command *c)
{
	uint32_t reg = cs_operand(c, 1);
	uint64_t address = cs_address(b, c, 2);

	if (b->gpu->version >= 80 && c->header & PREDICATED &&
	    !(b->context->own[CS_PREDICATE_RESULT / 4] & 1))
		return CS_NEXT;
	if (c->header & GGTT)
		return cs_fault_ggtt(b, address);
	return cs_store(b, address, cs_get(b, reg, NAMING(b, c))) ? CS_NEXT
								  : CS_FAILED;
}

static enum cs_step
copy_mem_mem(struct streamer_batch *b, const struct cs_command *c)
{
	uint64_t to = cs_address(b, c, 1), from = cs_address(b, c, 3);
	uint32_t value;

	if (c->header & (SOURCE_GGTT | DEST_GGTT))
		return cs_fault_ggtt(b, c->header & SOURCE_GGTT ? from : to);
	return cs_load(b, from, &value) && cs_store(b, to, value) ? CS_NEXT
								  : CS_FAILED;
}

const struct cs_mi cs_mi_table[N_MI_OPCODES] = {
    [MI_NOOP] = {do_nothing, 1, 1, CS_HARMLESS},
    [MI_SET_PREDICATE] = {cs_set_predicate, 1, 1, CS_HARMLESS | CS_ALWAYS},
    [MI_USER_INTERRUPT] = {user_interrupt, 1, 1, CS_TIMELY},
    [0x03] = {do_nothing, 1, 1, 0}, /* MI_WAIT_FOR_EVENT */
    [0x04] = {do_nothing, 1, 1, 0}, /* MI_FLUSH */
    [MI_ARB_CHECK] = {cs_arb_check, 1, 1, CS_HARMLESS | CS_ALWAYS},
    [0x07] = {do_nothing, 1, 1, 0}, /* MI_REPORT_HEAD */
    [MI_ARB_ON_OFF] = {cs_arb_on_off, 1, 1, CS_ALWAYS},
    [MI_BATCH_BUFFER_END] = {cs_batch_end, 1, 1, CS_HARMLESS | CS_ALWAYS},
    [0x0b] = {do_nothing, 1, 1, 0}, /* MI_SUSPEND_FLUSH */
    [MI_PREDICATE] = {cs_predicate, 1, 1, CS_HARMLESS},
    [0x0d] = {do_nothing, 1, 1, 0}, /* MI_TOPOLOGY_FILTER */
    [0x0e] = {do_nothing, 1, 1, 0}, /* MI_SET_APPID */
    [0x0f] = {do_nothing, 1, 1, 0}, /* MI_RS_CONTROL */
    [MI_MATH] = {cs_math, 2, 2, CS_HARMLESS},
    [MI_SEMAPHORE_SIGNAL] = {do_nothing, 2, 2, 0},
    [MI_SEMAPHORE_WAIT] = {cs_semaphore, 4, 4, CS_TIMELY},
    [MI_FORCE_WAKEUP] = {do_nothing, 2, 2, CS_HARMLESS},
    [MI_STORE_DATA_IMM] = {store_data_imm, 4, 4, CS_TIMELY | CS_HARMLESS},
    [MI_STORE_DATA_INDEX] = {store_data_index, 3, 3, CS_HARMLESS},
    [MI_LOAD_REGISTER_IMM] = {load_register_imm, 3, 3, CS_HARMLESS},
    [MI_STORE_REGISTER_MEM] = {store_register_mem, 3, 4,
	CS_TIMELY | CS_HARMLESS},
    [MI_FLUSH_DW] = {cs_flush_dw, 2, 2, CS_HARMLESS},
    [MI_REPORT_PERF_COUNT] = {do_nothing, 2, 2, 0},
    [MI_LOAD_REGISTER_MEM] = {load_register_mem, 3, 4, CS_TIMELY | CS_HARMLESS},
    [MI_LOAD_REGISTER_REG] = {load_register_reg, 3, 3, CS_HARMLESS},
    [MI_COPY_MEM_MEM] = {copy_mem_mem, 5, 5, CS_TIMELY | CS_HARMLESS},
    [MI_ATOMIC] = {cs_atomic, 3, 3, CS_TIMELY},
    [MI_BATCH_BUFFER_START] = {cs_batch_start, 2, 3, CS_HARMLESS | CS_ALWAYS},
    [MI_CONDITIONAL_BATCH_BUFFER_END] = {cs_conditional_end, 3, 4,
	CS_TIMELY | CS_HARMLESS | CS_ALWAYS},
};
