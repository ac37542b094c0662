/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arm's frames: first one frame and the workloads in it, then the frames of all
 * clients, filled by what the layer reports and kept in order until they are
 * known.
 */
#include "trace/arm_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "layerstream/play.h"

void
arm_frame_free(struct arm_frame *f)
{
	free(f->submits);
	free(f->workloads);
	text_free(&f->labels);
	*f = (struct arm_frame){0};
}

void
arm_frame_submit(struct arm_frame *f, uint64_t queue, uint64_t now_ns)
{
	f->submits = mem_grow(
	    f->submits, f->n_submits, &f->cap_submits, sizeof(*f->submits));
	f->submits[f->n_submits++] = (struct arm_submit){
	    queue, now_ns, f->n_workloads};
}

/* The highest submitID in the frame; 0: none. */
static uint64_t
arm_frame_newest(const struct arm_frame *f)
{
	return f->n_workloads > 0 ? f->workloads[f->n_workloads - 1].newest : 0;
}

void
arm_frame_workload(struct arm_frame *f, const struct arm_workload *w)
{
	size_t n = f->n_workloads;
	uint64_t before = arm_frame_newest(f);

	f->workloads = mem_grow(
	    f->workloads, n, &f->cap_workloads, sizeof(*f->workloads));
	f->workloads[f->n_workloads++] = (struct arm_kept){
	    .execution = w->execution,
	    .tag = w->tag,
	    .submit = w->submit,
	    .newest = w->submit > before ? w->submit : before,
	    .info = w->info,
	    .labels = f->labels.len,
	    .labels_len = w->labels_len,
	    .waits = w->waits,
	};
	f->n_waiting += w->waits;
	text_add(&f->labels, w->labels, w->labels_len);
}

void
arm_frame_clear(struct arm_frame *f)
{
	f->n_submits = f->n_workloads = f->n_waiting = 0;
	text_clear(&f->labels);
}

struct workload_info *
arm_frame_known(struct arm_frame *f, uint64_t tag, uint64_t submit)
{
	size_t i = lower_bound(
	    k, 0, f->n_workloads, f->workloads[k].newest <= submit);

	for (; i > 0 && f->workloads[i - 1].newest == submit; i--) {
		struct arm_kept *w = &f->workloads[i - 1];

		if (w->tag != tag || w->submit != submit || !w->waits)
			continue;
		w->waits = false;
		f->n_waiting--;
		return &w->info;
	}
	return NULL;
}

size_t
arm_submit_end(const struct arm_frame *f, size_t submit)
{
	return submit + 1 < f->n_submits ? f->submits[submit + 1].first
					 : f->n_workloads;
}

/* A frame that is filled or waits. */
struct arm_waiting {
	struct arm_waiting *next; /* newer */
	struct arm_frame frame;
	bool over; /* false: it is being filled, and the last one */
	uint64_t number;
	nsec at; /* time of its end */
};

struct arm_frames_device {
	struct arm_waiting *first, *last; /* NULL: nothing was submitted */
	uint64_t number;                  /* of the frame being filled */
	size_t n_over;                    /* frames that wait */
};

/* The number of the device's first frame. */
static uint64_t
first_number(uint64_t device)
{
	return device > 0 ? (device - 1) * ARM_FRAMES_APART : 0;
}

static struct arm_frames_device *
frames_device(struct arm_frames *f, uint64_t device)
{
	for (; f->n_devices <= device; f->n_devices++) {
		f->devices = mem_grow(f->devices, f->n_devices, &f->cap_devices,
		    sizeof(*f->devices));
		f->devices[f->n_devices] = (struct arm_frames_device){
		    .number = first_number(f->n_devices)};
	}
	return &f->devices[device];
}

/* The frame of what happens now. */
static struct arm_frame *
frame_of(struct arm_frames *f, uint64_t device)
{
	struct arm_frames_device *d = frames_device(f, device);
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
frames_now(const struct arm_frames *f)
{
	return f->past + f->sim->now;
}

static size_t
frame_size(const struct arm_frame *frame)
{
	return frame->n_submits + frame->n_workloads;
}

static void
emit_first(struct arm_frames *f, struct arm_frames_device *d)
{
	struct arm_waiting *w = d->first;

	d->first = w->next;
	if (d->last == w)
		d->last = NULL;
	d->n_over--;
	f->kept -= frame_size(&w->frame);
	f->over(f, &w->frame, w->number, w->at);
	arm_frame_clear(&w->frame);
	w->next = f->spare;
	f->spare = w;
}

static void
emit_known(struct arm_frames *f, struct arm_frames_device *d)
{
	while (d->first != NULL && d->first->over &&
	    (d->first->frame.n_waiting == 0 || d->n_over > ARM_FRAMES_WAIT ||
		f->kept > ARM_FRAMES_KEPT))
		emit_first(f, d);
}

static void
frames_submitted(
    struct layer_listener *l, uint64_t device, uint64_t queue, nsec at)
{
	struct arm_frames *f = (struct arm_frames *)l;

	arm_frame_submit(frame_of(f, device), queue, at);
}

static void
frames_executed(
    struct layer_listener *l, uint64_t device, const struct execution *e)
{
	struct arm_workload w = {
	    .execution = e->number,
	    .tag = e->workload->tag,
	    .submit = e->submit,
	    .info = e->workload->info,
	    .labels = e->labels,
	    .labels_len = e->labels_len,
	};

	/* A resumed part belongs to a workload that is known already. */
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

/* The workload that waits under tag and submit, or NULL. It does so no longer.
 * SubmitIDs count up: it is in the first frame that reaches submit. */
static struct workload_info *
take_waiting_workload(
    struct arm_frames_device *d, uint64_t tag, uint64_t submit)
{
	struct arm_waiting *w = d->first;

	while (w != NULL && arm_frame_newest(&w->frame) < submit)
		w = w->next;
	return w != NULL ? arm_frame_known(&w->frame, tag, submit) : NULL;
}

static void
frames_known(struct layer_listener *l, uint64_t device,
    const struct layer_workload *w, uint64_t submit, int64_t draws)
{
	struct arm_frames *f = (struct arm_frames *)l;
	struct arm_frames_device *d = frames_device(f, device);
	struct workload_info *info = take_waiting_workload(d, w->tag, submit);

	if (info == NULL)
		return;
	if (w->info.type == WORKLOAD_RENDERPASS)
		info->draws = draws;
	else
		memcpy(info->size, w->info.size, sizeof(info->size));
	emit_known(f, d);
}

static void
frames_lost(struct layer_listener *l, uint64_t device,
    const struct layer_workload *w, uint64_t submit)
{
	struct arm_frames *f = (struct arm_frames *)l;
	struct arm_frames_device *d = frames_device(f, device);

	take_waiting_workload(d, w->tag, submit);
	emit_known(f, d);
}

static void
end_frame(
    struct arm_frames *f, struct arm_frames_device *d, struct arm_waiting *w)
{
	w->over = true;
	w->number = d->number++;
	w->at = frames_now(f);
	d->n_over++;
	f->kept += frame_size(&w->frame);
}

/* frame is the number of the frame that begins. */
static void
frames_framed(struct layer_listener *l, uint64_t device, uint64_t frame)
{
	struct arm_frames *f = (struct arm_frames *)l;
	struct arm_frames_device *d;

	frame_of(f, device);
	d = frames_device(f, device);
	d->number = first_number(device) + frame - 1;
	end_frame(f, d, d->last);
	emit_known(f, d);
}

void
arm_frames_begin(struct arm_frames *f, struct layer *l, const struct sim *sim)
{
	f->listener = (struct layer_listener){
	    .submitted = frames_submitted,
	    .executed = frames_executed,
	    .known = frames_known,
	    .lost = frames_lost,
	    .framed = frames_framed,
	};
	f->sim = sim;
	f->past = layer_past(l);
	layer_listen(l, &f->listener);
	layer_report_in_flight(l, &f->listener);
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

/* Suspended passes go out with the draws that are known so far. */
void
arm_frames_end(struct arm_frames *f, struct layer *l)
{
	layer_report_suspended(l, &f->listener);
	layer_unlisten(l, &f->listener);
	for (size_t i = 0; i < f->n_devices; i++) {
		struct arm_frames_device *d = &f->devices[i];

		if (d->last != NULL && !d->last->over &&
		    d->last->frame.n_submits > 0)
			end_frame(f, d, d->last);
		while (d->first != NULL && d->first->over)
			emit_first(f, d);
		waiting_free(d->first);
	}
	waiting_free(f->spare);
	f->spare = NULL;
	free(f->devices);
	f->devices = NULL;
	f->n_devices = f->cap_devices = 0;
}
