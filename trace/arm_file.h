/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --arm-metadata: what was submitted, as a file that Arm's viewer reads beside
 * a Perfetto trace. */
#ifndef TRACE_ARM_FILE_H
#define TRACE_ARM_FILE_H

#include "trace/arm_frames.h"
#include "trace/sink.h"

struct arm_file {
	struct arm_frames frames;
	struct sink sink;
};

/* Will write to fd, the caller's. */
void arm_file_init(struct arm_file *f, int fd);
/* Listens to l, of sim, from now on: to one after the other, each until it is
 * left. */
void arm_file_listen(
    struct arm_file *f, struct layer *l, const struct sim *sim);
void arm_file_leave(struct arm_file *f, struct layer *l);
/* Writes what is left. Returns errno of the first write that failed, 0. */
int arm_file_end(struct arm_file *f);

#endif
