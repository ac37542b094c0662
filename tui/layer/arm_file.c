/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See arm_file.h. */
#include "tui/layer/arm_file.h"

#include "tui/export/arm_metadata.h"

static void
on_over(struct arm_frames *frames, struct arm_frame *frame, uint64_t number)
{
	struct arm_file *f = (struct arm_file *)frames;

	arm_frame_write(frame, &f->sink, number, frames->sim->now);
}

void
arm_file_begin(
    struct arm_file *f, struct layer *l, const struct sim *sim, int fd)
{
	*f = (struct arm_file){.frames.over = on_over};
	sink_init(&f->sink, fd, NULL);
	arm_frames_begin(&f->frames, l, sim);
}

int
arm_file_end(struct arm_file *f, struct layer *l)
{
	arm_frames_end(&f->frames, l);
	return sink_close(&f->sink);
}
