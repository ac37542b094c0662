/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/arm_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "layerstream/play.h"

struct arm_waiting {
	struct arm_waiting *next; /* newer */
	struct arm_frame frame;
	bool over; /* false: it is the last one */
	uint64_t number;
	nsec at; /* when it was over */
};

struct arm_frames_device {
	struct arm_waiting *first, *last; /* NULL: it has submitted nothing */
	uint64_t number;                  /* of the one that is not over */
	size_t n_over;
};

static struct arm_frames_device *
device_of(struct arm_frames *f, uint64_t device)
{
	for (; f->n_devices <= device; f->n_devices++) {
		f->devices = mem_grow(f->devices, f->n_devices, &f->cap_devices,
		    sizeof(*f->devices));
		f->devices[f->n_devices] = (struct arm_frames_device){0};
	}
	return &f->devices[device];
}

/* The frame that what happens now is of. */
static struct arm_frame *
frame_of(struct arm_frames *f, uint64_t device)
{
	struct arm_frames_device *d = device_of(f, device);
	struct arm_waiting *w = f->spare;

	if (d->last != NULL && !d->last->over)
		return &d->last->frame;
	if (w != NULL)
		f->spare = w->next;
	else
		w = mem_calloc(1, sizeof(*w));
	w->next = NULL;
	w->frame.device = device;
	w->over = false;
	if (d->last != NULL)
		d->last->next = w;
	else
		d->first = w;
	d->last = w;
	return &w->frame;
}

static nsec
now(const struct arm_frames *f)
{
	return f->past + f->sim->now;
}

static size_t
size_of(const struct arm_frame *frame)
{
	return frame->n_submits + frame->n_workloads;
}

static void
tell_first(struct arm_frames *f, struct arm_frames_device *d)
{
	struct arm_waiting *w = d->first;

	d->first = w->next;
	if (d->last == w)
		d->last = NULL;
	d->n_over--;
	f->kept -= size_of(&w->frame);
	f->over(f, &w->frame, w->number, w->at);
	arm_frame_clear(&w->frame);
	w->next = f->spare;
	f->spare = w;
}

static void
tell_known(struct arm_frames *f, struct arm_frames_device *d)
{
	while (d->first != NULL && d->first->over &&
	    (d->first->frame.n_waiting == 0 || d->n_over > ARM_FRAMES_WAIT ||
		f->kept > ARM_FRAMES_KEPT))
		tell_first(f, d);
}

static void
on_submitted(struct layer_listener *l, uint64_t device, uint64_t queue)
{
	struct arm_frames *f = (struct arm_frames *)l;

	arm_frame_submit(frame_of(f, device), queue, now(f));
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
	w.waits = e->submit != 0 && (e->workload->split || w.info.indirect);
	if (e->workload->split)
		w.info.draws = WORKLOAD_UNKNOWN;
	if (w.info.indirect)
		for (unsigned i = 0; i < 3; i++)
			w.info.size[i] = WORKLOAD_UNKNOWN;
	arm_frame_workload(frame_of((struct arm_frames *)l, device), &w);
}

/* What waits no longer; NULL: nobody waited for it. SubmitIDs count up: it is
 * in the first frame that reaches so far. */
static struct workload_info *
known(struct arm_frames_device *d, uint64_t tag, uint64_t submit)
{
	struct arm_waiting *w = d->first;

	while (w != NULL && arm_frame_newest(&w->frame) < submit)
		w = w->next;
	return w != NULL ? arm_frame_known(&w->frame, tag, submit) : NULL;
}

static void
on_known(struct layer_listener *l, uint64_t device,
    const struct layer_workload *w, uint64_t submit, int64_t draws)
{
	struct arm_frames *f = (struct arm_frames *)l;
	struct arm_frames_device *d = device_of(f, device);
	struct workload_info *info = known(d, w->tag, submit);

	if (info == NULL)
		return;
	if (w->info.type == WORKLOAD_RENDERPASS)
		info->draws = draws;
	else
		memcpy(info->size, w->info.size, sizeof(info->size));
	tell_known(f, d);
}

static void
on_lost(struct layer_listener *l, uint64_t device,
    const struct layer_workload *w, uint64_t submit)
{
	struct arm_frames *f = (struct arm_frames *)l;
	struct arm_frames_device *d = device_of(f, device);

	known(d, w->tag, submit);
	tell_known(f, d);
}

static void
end_frame(
    struct arm_frames *f, struct arm_frames_device *d, struct arm_waiting *w)
{
	w->over = true;
	w->number = d->number++;
	w->at = now(f);
	d->n_over++;
	f->kept += size_of(&w->frame);
}

/* frame is the number of the one that begins. */
static void
on_framed(struct layer_listener *l, uint64_t device, uint64_t frame)
{
	struct arm_frames *f = (struct arm_frames *)l;
	struct arm_frames_device *d;

	frame_of(f, device);
	d = device_of(f, device);
	d->number = frame - 1;
	end_frame(f, d, d->last);
	tell_known(f, d);
}

void
arm_frames_begin(struct arm_frames *f, struct layer *l, const struct sim *sim)
{
	f->listener = (struct layer_listener){
	    .submitted = on_submitted,
	    .executed = on_executed,
	    .known = on_known,
	    .lost = on_lost,
	    .framed = on_framed,
	};
	f->sim = sim;
	f->past = layer_past(l);
	layer_listen(l, &f->listener);
}

static void
waiting_free(struct arm_waiting *w)
{
	while (w != NULL) {
		struct arm_waiting *next = w->next;

		arm_frame_free(&w->frame);
		free(w);
		w = next;
	}
}

/* What of its suspended passes is known is all that will be. */
void
arm_frames_end(struct arm_frames *f, struct layer *l)
{
	layer_tell_suspended(l, &f->listener);
	layer_unlisten(l, &f->listener);
	for (size_t i = 0; i < f->n_devices; i++) {
		struct arm_frames_device *d = &f->devices[i];

		if (d->last != NULL && !d->last->over &&
		    d->last->frame.n_submits > 0)
			end_frame(f, d, d->last);
		while (d->first != NULL && d->first->over)
			tell_first(f, d);
		waiting_free(d->first);
	}
	waiting_free(f->spare);
	f->spare = NULL;
	free(f->devices);
	f->devices = NULL;
	f->n_devices = f->cap_devices = 0;
}
