/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metadata file of Arm's timeline tools: for each frame a length and JSON,
 * as doc/layer.md "Arm's metadata file" has them, with all keys that the
 * viewer asks for.
 */
#ifndef TRACE_ARM_METADATA_H
#define TRACE_ARM_METADATA_H

#include "trace/arm_frame.h"
#include "trace/sink.h"

/* Writes the frame with its number, presented now, and empties it. False, and
 * nothing is written, if it is too large for the format (4 GiB). */
bool arm_frame_write(
    struct arm_frame *f, struct sink *out, uint64_t number, uint64_t now_ns);

#endif
