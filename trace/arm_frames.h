/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames for Arm's tools. A frame is one iteration of a client with all that was
 * submitted in it. Frames of the first client are numbered from 0, those of the
 * next one from ARM_FRAMES_APART, and so on. A frame that has ended waits until all
 * of its workloads are known (indirect ones when they have run, the draws of a
 * pass in parts when the last part is submitted) and until the client's frames
 * before it are out. Waiting is bounded: beyond the limits the oldest frame
 * goes out with unknown numbers.
 *
 * Frames are written to a file (--arm-metadata) or sent (host_output.c).
 */
#ifndef TRACE_ARM_FRAMES_H
#define TRACE_ARM_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "layerstream/workload.h"
#include "trace/layer.h"

struct arm_workload {
	uint64_t execution; /* its number: the tag in Arm's files */
	uint64_t tag;       /* of its metadata, */
	uint64_t submit;    /* and submitID; they count up; 0: none */
	/* Numbers that are not known (yet) are WORKLOAD_UNKNOWN. */
	struct workload_info info;
	const char *labels; /* JSON array, as struct execution has it */
	size_t labels_len;  /* 0: none */
	bool waits;         /* for its numbers; submit is not 0 then */
};

struct arm_submit {
	uint64_t queue, at_ns;
	size_t first; /* workload; the last one is before the next submit's */
};

/* A workload in a frame. */
struct arm_kept {
	uint64_t execution, tag, submit;
	uint64_t newest; /* highest submitID up to this workload */
	struct workload_info info;
	size_t labels, labels_len; /* place in the frame's labels */
	bool waits;
};

/* Empty: zeroed but for the device. */
struct arm_frame {
	uint64_t device; /* handle; all numbers are below 2^63 */
	struct arm_submit *submits;
	size_t n_submits, cap_submits;
	struct arm_kept *workloads;
	size_t n_workloads, cap_workloads;
	size_t n_waiting;   /* workloads that wait */
	struct text labels; /* JSON arrays of all workloads */
};

void arm_frame_free(struct arm_frame *f);
void arm_frame_clear(struct arm_frame *f); /* keeps the memory */

/* Adds a submit to a queue. The workloads that follow belong to it. */
void arm_frame_submit(struct arm_frame *f, uint64_t queue, uint64_t now_ns);
/* Adds a workload to the latest submit. */
void arm_frame_workload(struct arm_frame *f, const struct arm_workload *w);

/* The newest workload that waits under tag and submit, which does so no longer.
 * The caller fills in its numbers before the next call. NULL: none waits. */
struct workload_info *arm_frame_known(
    struct arm_frame *f, uint64_t tag, uint64_t submit);

/* The index after the last workload of a submit. */
size_t arm_submit_end(const struct arm_frame *f, size_t submit);

/* Arm's viewer selects by the number of a frame alone, so each number is of one
 * client: doc/layer.md "Arm's metadata file". */
#define ARM_FRAMES_APART UINT64_C(1000000000)
/* Most frames of a client that wait. */
#define ARM_FRAMES_WAIT 256
/* Most submits and workloads in all frames that wait. A client that exceeds it
 * has its own oldest frames go out. */
#define ARM_FRAMES_KEPT ((size_t)1 << 18)

struct arm_frames {
	struct layer_listener listener;
	const struct sim *sim;
	nsec past; /* virtual time of earlier launches */
	/* Gets each frame, with its number and the time of its end. The
	 * frame is emptied afterwards. */
	void (*over)(struct arm_frames *f, struct arm_frame *frame,
	    uint64_t number, nsec at);
	struct arm_frames_device *devices;
	size_t n_devices, cap_devices;
	struct arm_waiting *spare;
	size_t kept; /* submits and workloads in frames that wait */
};

/* Listens to l, of sim, until arm_frames_end(); then it may begin anew. */
void arm_frames_begin(
    struct arm_frames *f, struct layer *l, const struct sim *sim);
/* Ends all frames, as if they were over, and frees. */
void arm_frames_end(struct arm_frames *f, struct layer *l);

struct sink;

/* Writes a frame as a record of Arm's metadata file and empties it. now_ns is
 * the time at which it was presented. False, with nothing written, if the
 * record is too large for the format (4 GiB). */
bool arm_frame_write(
    struct arm_frame *f, struct sink *out, uint64_t number, uint64_t now_ns);

#endif
