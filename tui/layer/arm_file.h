/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --arm-metadata: what was submitted, as a file that Arm's viewer reads beside
 * a Perfetto trace. A client's iteration is a frame, numbered from 0. */
#ifndef TUI_LAYER_ARM_FILE_H
#define TUI_LAYER_ARM_FILE_H

#include "tui/export/arm_metadata.h"
#include "tui/layer/layer.h"

struct arm_file {
	struct layer_listener listener;
	const struct sim *sim;
	struct sink sink;
	struct arm_frame **frames; /* by device */
	size_t n_frames, cap_frames;
};

/* Listens to l, of sim, from now on, and writes to fd, the caller's. */
void arm_file_begin(
    struct arm_file *f, struct layer *l, const struct sim *sim, int fd);
/* Writes what is left. Returns errno of the first write that failed, 0. */
int arm_file_end(struct arm_file *f, struct layer *l);

#endif
