/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of a layer command stream (doc/layer.md "Recording"). */
#ifndef LAYERSTREAM_OPCODE_H
#define LAYERSTREAM_OPCODE_H

#include <stdint.h>

enum opcode {
	OP_MARKER_BEGIN,      /* struct label: pushed onto the queue's */
	OP_MARKER_END,        /* the newest label of the queue goes */
	OP_RENDERPASS_BEGIN,  /* struct layer_workload */
	OP_RENDERPASS_RESUME, /* struct layer_workload: draws of a part, tag 0 */
	OP_COMPUTE_DISPATCH_BEGIN, /* struct layer_workload, and these three */
	OP_TRACE_RAYS_BEGIN,
	OP_BUFFER_TRANSFER_BEGIN,
	OP_IMAGE_TRANSFER_BEGIN,
	OP_WORKLOAD_END, /* ends what was begun last */
	/* Of the stream that runs when the GPU has done the commands: */
	OP_RESOLVE_INDIRECT, /* struct layer_workload: its parameters are known */
	N_OPCODES
};

enum operand { OPERAND_NONE, OPERAND_LABEL, OPERAND_WORKLOAD };

struct opcode_info {
	const char *name;  /* as doc/layer.md writes it */
	uint8_t operand;   /* enum operand */
	uint8_t resolving; /* belongs to the resolve-time stream */
};

/* NULL if there is no such command. */
const struct opcode_info *opcode_info(unsigned op);

#endif
