/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Headers of commands: which command a dword begins and how many dwords it has.
 * The rules and their sources: doc/model/streamer.md "Headers".
 */
#ifndef DEVICE_STREAMER_DECODE_H
#define DEVICE_STREAMER_DECODE_H

#include <stdint.h>

/* Bits 31:29 of a header; the others are invalid. */
enum command_type {
	COMMAND_MI = 0,
	COMMAND_BLT = 2,
	COMMAND_RENDER = 3, /* and media */
};

/* Bits 28:23 of a header of COMMAND_MI. */
enum mi_opcode {
	MI_NOOP = 0x00,
	MI_SET_PREDICATE = 0x01,
	MI_USER_INTERRUPT = 0x02,
	MI_ARB_CHECK = 0x05,
	MI_ARB_ON_OFF = 0x08,
	MI_BATCH_BUFFER_END = 0x0a,
	MI_PREDICATE = 0x0c,
	N_SHORT_MI_OPCODES = 0x10, /* those below have one dword */
	MI_MATH = 0x1a,
	MI_SEMAPHORE_SIGNAL = 0x1b,
	MI_SEMAPHORE_WAIT = 0x1c,
	MI_FORCE_WAKEUP = 0x1d,
	MI_STORE_DATA_IMM = 0x20,
	MI_STORE_DATA_INDEX = 0x21,
	MI_LOAD_REGISTER_IMM = 0x22,
	MI_STORE_REGISTER_MEM = 0x24,
	MI_FLUSH_DW = 0x26,
	MI_REPORT_PERF_COUNT = 0x28,
	MI_LOAD_REGISTER_MEM = 0x29,
	MI_LOAD_REGISTER_REG = 0x2a,
	MI_COPY_MEM_MEM = 0x2e,
	MI_ATOMIC = 0x2f,
	MI_BATCH_BUFFER_START = 0x31,
	MI_CONDITIONAL_BATCH_BUFFER_END = 0x36,
	N_MI_OPCODES = 0x40,
};

static inline enum mi_opcode
mi_opcode(uint32_t header)
{
	return header >> 23 & 0x3f;
}

/* Returns what tells commands of COMMAND_RENDER apart: 0x7b00 is 3DPRIMITIVE. */
static inline unsigned
render_key(uint32_t header)
{
	return header >> 16;
}

/* Bits 28:22 of a header of COMMAND_BLT. */
static inline unsigned
blt_opcode(uint32_t header)
{
	return header >> 22 & 0x7f;
}

/* For command_length() only. */
unsigned command_length_any(unsigned version, uint32_t header);

/* Returns the dwords that the command has, header included. 0: the header is
 * invalid. version: of the graphics, in tenths (streamer.h). */
static inline unsigned
command_length(unsigned version, uint32_t header)
{
	/* Most of what drivers submit, but for a few commands. */
	if (header >> 27 == 0xf && render_key(header) != 0x780b)
		return (header & 0xff) + 2;
	if (header < (uint32_t)N_SHORT_MI_OPCODES << 23)
		return 1;
	if (header >> 29 == COMMAND_MI && mi_opcode(header) != MI_FLUSH_DW &&
	    mi_opcode(header) != MI_STORE_DATA_IMM)
		return (header & 0xff) + 2;
	return command_length_any(version, header);
}

#endif
