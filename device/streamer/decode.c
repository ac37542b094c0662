/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long a command is. Most have their length less two in the low byte of the
 * header; the others are what this file is about (doc/model/streamer.md
 * "Headers").
 */
#include "device/streamer/decode.h"

#include <stdbool.h>

/* Adds the two dwords that no header counts to the bits of its length. */
#define LENGTH(header, mask) (((header) & (mask)) + 2)

static unsigned
mi_length(unsigned version, uint32_t header)
{
	enum mi_opcode op = mi_opcode(header);

	if (op < N_SHORT_MI_OPCODES)
		return 1;
	/* Bit 7 invalidates the video pipeline's cache. */
	if (op == MI_FLUSH_DW)
		return LENGTH(header, 0x3f);
	if (op == MI_STORE_DATA_IMM)
		return LENGTH(header, version < 80 ? 0x3f : 0x3ff);
	return LENGTH(header, 0xff);
}

/* GPGPU_WALKER and COMPUTE_WALKER have flags in bits 8 and 10. */
static unsigned
media_length(uint32_t header)
{
	bool is_short = (header >> 24 & 7) == 0 ||
	    render_key(header) == 0x7105 || render_key(header) == 0x7208;

	return LENGTH(header, is_short ? 0xff : 0xfff);
}

/* Sub-types, bits 28:27: common state, single dwords, media, 3D. */
static unsigned
render_length(uint32_t header)
{
	switch (header >> 27 & 3) {
	case 0:
		return LENGTH(
		    header, 0xff); /* STATE_BASE_ADDRESS's neighbours */
	case 1: return 1;
	case 2: return media_length(header);
	default: /* 0x780b: 3DSTATE_VF_STATISTICS of gen4 */
		return render_key(header) == 0x780b ? 1 : LENGTH(header, 0xff);
	}
}

unsigned
command_length_any(unsigned version, uint32_t header)
{
	switch (header >> 29) {
	case COMMAND_MI: return mi_length(version, header);
	case COMMAND_BLT: return LENGTH(header, 0xff);
	case COMMAND_RENDER: return render_length(header);
	default: return 0;
	}
}
