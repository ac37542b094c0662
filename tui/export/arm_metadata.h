/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metadata file of Arm's timeline tools: for each frame a length and JSON,
 * as facts/gpu-timeline-layer.md section 2.3 has them, with all keys that the
 * viewer asks for. A frame gathers what a client submits until it is written:
 * what becomes known of its workloads meanwhile is put into them.
 */
#ifndef TUI_EXPORT_ARM_METADATA_H
#define TUI_EXPORT_ARM_METADATA_H

#include <stddef.h>
#include <stdint.h>

#include "layerstream/workload.h"
#include "parser/text.h"
#include "tui/export/sink.h"

struct arm_workload {
	uint64_t tag;
	uint64_t submit; /* submitID, which count up; 0: none */
	/* Numbers that are not known (yet) are WORKLOAD_UNKNOWN. */
	struct workload_info info;
	const char *labels; /* JSON array, as struct execution has it */
	size_t labels_len;  /* 0: none */
};

struct arm_submit;
struct arm_kept;

/* Zeroed but for the device: empty. */
struct arm_frame {
	uint64_t device; /* handle, below 2^63 as the other numbers */
	struct arm_submit *submits;
	size_t n_submits, cap_submits;
	struct arm_kept *workloads;
	size_t n_workloads, cap_workloads;
	struct text labels; /* of all of them */
};

void arm_frame_free(struct arm_frame *f);

/* Command buffers go to a queue; the workloads that follow are of it. */
void arm_frame_submit(struct arm_frame *f, uint64_t queue, uint64_t now_ns);
/* Of the latest submit. */
void arm_frame_workload(struct arm_frame *f, const struct arm_workload *w);

/* The newest workload with that tag and submitID (not 0: of those nothing
 * becomes known later) in the frame: its numbers may be changed until the next
 * call. NULL if it was written already. */
struct workload_info *arm_frame_find(
    struct arm_frame *f, uint64_t tag, uint64_t submit);

/* Writes the frame with its number, presented now, and empties it. False, and
 * nothing is written, if it is too large for the format (4 GiB). */
bool arm_frame_write(
    struct arm_frame *f, struct sink *out, uint64_t number, uint64_t now_ns);

#endif
