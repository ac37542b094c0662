/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stream of commands: pairs of opcode and operand in one array, with room for
 * 256 before it grows (doc/layer.md "Recording"). It owns the array, not the
 * operands.
 */
#ifndef LAYERSTREAM_STREAM_H
#define LAYERSTREAM_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "layerstream/opcode.h"

#define STREAM_ROOM 256

struct command {
	uint64_t op; /* enum opcode */
	const void *operand;
};

struct stream {
	struct command *list;
	size_t n, cap;
};

void stream_free(struct stream *s);
void stream_clear(struct stream *s); /* keeps the memory */
void stream_add(struct stream *s, enum opcode op, const void *operand);
/* All commands of other, at the end of s. */
void stream_append(struct stream *s, const struct stream *other);
/* Gives back what is not used: nothing will be added for long. */
void stream_trim(struct stream *s);

#endif
