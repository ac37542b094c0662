/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metadata file of Arm's timeline tools: for each frame a length and JSON,
 * as doc/layer.md "Arm's metadata file" has them, with all keys that the
 * viewer asks for.
 */
#ifndef TUI_EXPORT_ARM_METADATA_H
#define TUI_EXPORT_ARM_METADATA_H

#include "tui/export/arm_frame.h"
#include "tui/export/sink.h"

/* Writes the frame with its number, presented now, and empties it. False, and
 * nothing is written, if it is too large for the format (4 GiB). */
bool arm_frame_write(
    struct arm_frame *f, struct sink *out, uint64_t number, uint64_t now_ns);

#endif
