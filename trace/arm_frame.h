/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a client submits in a frame, for Arm's tools: gathered until the frame
 * is over and all of its workloads are known, as far as that is waited for.
 * Written into a file (arm_metadata.h) or sent (host_records.h) then.
 */
#ifndef TRACE_ARM_FRAME_H
#define TRACE_ARM_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "layerstream/workload.h"

struct arm_workload {
	uint64_t tag;
	uint64_t submit; /* submitID, which count up; 0: none */
	/* Numbers that are not known (yet) are WORKLOAD_UNKNOWN. */
	struct workload_info info;
	const char *labels; /* JSON array, as struct execution has it */
	size_t labels_len;  /* 0: none */
	bool waits;         /* for numbers; submit is not 0 then */
};

struct arm_submit {
	uint64_t queue, at_ns;
	size_t first; /* of its workloads, which end where the next's begin */
};

struct arm_kept {
	uint64_t tag, submit;
	uint64_t newest; /* submitID up to here: they count up */
	struct workload_info info;
	size_t labels, labels_len; /* where in the frame's */
	bool waits;
};

/* Zeroed but for the device: empty. */
struct arm_frame {
	uint64_t device; /* handle, below 2^63 as the other numbers */
	struct arm_submit *submits;
	size_t n_submits, cap_submits;
	struct arm_kept *workloads;
	size_t n_workloads, cap_workloads;
	size_t n_waiting;   /* of them */
	struct text labels; /* of all of them */
};

void arm_frame_free(struct arm_frame *f);
void arm_frame_clear(struct arm_frame *f); /* keeps the memory */

/* Command buffers go to a queue; the workloads that follow are of it. */
void arm_frame_submit(struct arm_frame *f, uint64_t queue, uint64_t now_ns);
/* Of the latest submit. */
void arm_frame_workload(struct arm_frame *f, const struct arm_workload *w);

/* The newest workload with that tag and submitID that waits, which is over: its
 * numbers may be changed until the next call. NULL: there is none. */
struct workload_info *arm_frame_known(
    struct arm_frame *f, uint64_t tag, uint64_t submit);
/* Its highest submitID; 0. */
uint64_t arm_frame_newest(const struct arm_frame *f);

/* Behind the last workload of a submit. */
size_t arm_submit_end(const struct arm_frame *f, size_t submit);

#endif
