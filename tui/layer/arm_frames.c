/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/layer/arm_frames.h"

#include <stdlib.h>
#include <string.h>

#include "layerstream/play.h"
#include "parser/mem.h"

struct arm_frames_device {
	struct arm_frame *frame; /* NULL: it has submitted nothing */
	uint64_t number;
};

static struct arm_frames_device *
device_of(struct arm_frames *f, uint64_t device)
{
	for (; f->n_devices <= device; f->n_devices++) {
		f->devices = mem_grow(f->devices, f->n_devices, &f->cap_devices,
		    sizeof(*f->devices));
		f->devices[f->n_devices] = (struct arm_frames_device){0};
	}
	if (f->devices[device].frame == NULL) {
		struct arm_frame *frame = mem_calloc(1, sizeof(*frame));

		frame->device = device;
		f->devices[device].frame = frame;
	}
	return &f->devices[device];
}

nsec
arm_frames_now(const struct arm_frames *f)
{
	return f->past + f->sim->now;
}

static void
on_submitted(struct layer_listener *l, uint64_t device, uint64_t queue)
{
	struct arm_frames *f = (struct arm_frames *)l;

	arm_frame_submit(device_of(f, device)->frame, queue, arm_frames_now(f));
}

static void
on_executed(
    struct layer_listener *l, uint64_t device, const struct execution *e)
{
	struct arm_workload w = {
	    .tag = e->workload->tag,
	    .submit = e->submit,
	    .info = e->workload->info,
	    .labels = e->labels,
	    .labels_len = e->labels_len,
	};

	/* A part that goes on is no other workload. */
	if (e->part != e->workload)
		return;
	if (e->workload->split)
		w.info.draws = WORKLOAD_UNKNOWN;
	if (w.info.indirect)
		for (unsigned i = 0; i < 3; i++)
			w.info.size[i] = WORKLOAD_UNKNOWN;
	arm_frame_workload(
	    device_of((struct arm_frames *)l, device)->frame, &w);
}

static void
on_known(struct layer_listener *l, uint64_t device,
    const struct layer_workload *w, uint64_t submit, int64_t draws)
{
	struct workload_info *info = arm_frame_find(
	    device_of((struct arm_frames *)l, device)->frame, w->tag, submit);

	if (info == NULL)
		return;
	if (w->info.type == WORKLOAD_RENDERPASS)
		info->draws = draws;
	else
		memcpy(info->size, w->info.size, sizeof(info->size));
}

/* frame is the number of the one that begins. */
static void
on_framed(struct layer_listener *l, uint64_t device, uint64_t frame)
{
	struct arm_frames *f = (struct arm_frames *)l;
	struct arm_frames_device *d = device_of(f, device);

	f->over(f, d->frame, frame - 1);
	arm_frame_clear(d->frame);
	d->number = frame;
}

void
arm_frames_begin(struct arm_frames *f, struct layer *l, const struct sim *sim)
{
	f->listener = (struct layer_listener){
	    .submitted = on_submitted,
	    .executed = on_executed,
	    .known = on_known,
	    .framed = on_framed,
	};
	f->sim = sim;
	f->past = layer_past(l);
	layer_listen(l, &f->listener);
}

void
arm_frames_end(struct arm_frames *f, struct layer *l)
{
	layer_unlisten(l, &f->listener);
	for (size_t i = 0; i < f->n_devices; i++) {
		struct arm_frame *frame = f->devices[i].frame;

		if (frame == NULL)
			continue;
		if (frame->n_submits > 0)
			f->over(f, frame, f->devices[i].number);
		arm_frame_free(frame);
		free(frame);
	}
	free(f->devices);
	f->devices = NULL;
	f->n_devices = f->cap_devices = 0;
}
