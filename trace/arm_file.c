/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See arm_file.h. */
#include "trace/arm_file.h"

#include "trace/arm_metadata.h"

static void
on_over(struct arm_frames *frames, struct arm_frame *frame, uint64_t number,
    nsec at)
{
	struct arm_file *f = (struct arm_file *)frames;

	arm_frame_write(frame, &f->sink, number, at);
}

void
arm_file_init(struct arm_file *f, int fd)
{
	*f = (struct arm_file){.frames.over = on_over};
	sink_init(&f->sink, fd, NULL);
}

void
arm_file_listen(struct arm_file *f, struct layer *l, const struct sim *sim)
{
	arm_frames_begin(&f->frames, l, sim);
}

void
arm_file_leave(struct arm_file *f, struct layer *l)
{
	arm_frames_end(&f->frames, l);
}

int
arm_file_end(struct arm_file *f)
{
	return sink_close(&f->sink);
}
