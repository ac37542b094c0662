/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of all clients, for those who tell Arm's tools of them. A
 * client's iteration is a frame, numbered from 0. */
#ifndef TUI_LAYER_ARM_FRAMES_H
#define TUI_LAYER_ARM_FRAMES_H

#include "tui/export/arm_frame.h"
#include "tui/layer/layer.h"

struct arm_frames {
	struct layer_listener listener;
	const struct sim *sim;
	nsec past; /* virtual time of the session before it */
	/* A frame is over, now; it is emptied afterwards. */
	void (*over)(
	    struct arm_frames *f, struct arm_frame *frame, uint64_t number);
	struct arm_frames_device *devices;
	size_t n_devices, cap_devices;
};

/* Listens to l, of sim, from now on; after arm_frames_end() to another one. */
void arm_frames_begin(
    struct arm_frames *f, struct layer *l, const struct sim *sim);
/* What was submitted in frames that are not over is told of too. */
void arm_frames_end(struct arm_frames *f, struct layer *l);
/* The time now, in the session. */
nsec arm_frames_now(const struct arm_frames *f);

#endif
