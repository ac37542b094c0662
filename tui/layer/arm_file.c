/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See arm_file.h. */
#include "tui/layer/arm_file.h"

#include <stdlib.h>
#include <string.h>

#include "layerstream/play.h"
#include "parser/mem.h"

static struct arm_frame *
frame_of(struct arm_file *f, uint64_t device)
{
	for (; f->n_frames <= device; f->n_frames++) {
		f->frames = mem_grow(
		    f->frames, f->n_frames, &f->cap_frames, sizeof(*f->frames));
		f->frames[f->n_frames] = NULL;
	}
	if (f->frames[device] == NULL) {
		f->frames[device] = mem_calloc(1, sizeof(*f->frames[device]));
		f->frames[device]->device = device;
	}
	return f->frames[device];
}

static void
on_submitted(struct layer_listener *l, uint64_t device, uint64_t queue)
{
	struct arm_file *f = (struct arm_file *)l;

	arm_frame_submit(frame_of(f, device), queue, f->sim->now);
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
	arm_frame_workload(frame_of((struct arm_file *)l, device), &w);
}

static void
on_known(struct layer_listener *l, uint64_t device,
    const struct layer_workload *w, uint64_t submit, int64_t draws)
{
	struct workload_info *info = arm_frame_find(
	    frame_of((struct arm_file *)l, device), w->tag, submit);

	if (info == NULL)
		return;
	if (w->info.type == WORKLOAD_RENDERPASS)
		info->draws = draws;
	else
		memcpy(info->size, w->info.size, sizeof(info->size));
}

static void
on_framed(struct layer_listener *l, uint64_t device, uint64_t frame)
{
	struct arm_file *f = (struct arm_file *)l;

	arm_frame_write(frame_of(f, device), &f->sink, frame - 1, f->sim->now);
}

void
arm_file_begin(
    struct arm_file *f, struct layer *l, const struct sim *sim, int fd)
{
	*f = (struct arm_file){
	    .listener.submitted = on_submitted,
	    .listener.executed = on_executed,
	    .listener.known = on_known,
	    .listener.framed = on_framed,
	    .sim = sim,
	};
	sink_init(&f->sink, fd, NULL);
	layer_listen(l, &f->listener);
}

int
arm_file_end(struct arm_file *f, struct layer *l)
{
	layer_unlisten(l, &f->listener);
	for (size_t i = 0; i < f->n_frames; i++) {
		if (f->frames[i] == NULL)
			continue;
		arm_frame_free(f->frames[i]);
		free(f->frames[i]);
	}
	free(f->frames);
	return sink_close(&f->sink);
}
