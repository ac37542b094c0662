/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frames of all clients, for those who tell Arm's tools of them. A client's
 * iteration is a frame, numbered from 0. One that is over waits until all of its
 * workloads are known (those of indirect ones when they have run, the draws of
 * a pass in parts when the last one is submitted) and the frames of its client
 * before it; but too many do not wait: the oldest are told of as they are.
 */
#ifndef TRACE_ARM_FRAMES_H
#define TRACE_ARM_FRAMES_H

#include "trace/arm_frame.h"
#include "trace/layer.h"

/* Frames of a client that wait at most. */
#define ARM_FRAMES_WAIT 256
/* Submits and workloads of all that wait; a client that makes them more tells
 * of its own frames. */
#define ARM_FRAMES_KEPT ((size_t)1 << 18)

struct arm_frames {
	struct layer_listener listener;
	const struct sim *sim;
	nsec past; /* virtual time of the session before it */
	/* A frame that was over at that time; it is emptied afterwards. */
	void (*over)(struct arm_frames *f, struct arm_frame *frame,
	    uint64_t number, nsec at);
	struct arm_frames_device *devices;
	size_t n_devices, cap_devices;
	struct arm_waiting *spare;
	size_t kept; /* submits and workloads of those that wait */
};

/* Listens to l, of sim, from now on; after arm_frames_end() to another one. */
void arm_frames_begin(
    struct arm_frames *f, struct layer *l, const struct sim *sim);
/* What was submitted in frames that are not over is told of too. */
void arm_frames_end(struct arm_frames *f, struct layer *l);

#endif
