/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Submission to a device that is followed: the model makes the request and finds
 * what it waits for; the device gets it at once, or, if a software fence is
 * before it, when that has signalled (doc/model/hardware.md "Software fences").
 */
#include <errno.h>
#include <stddef.h>

#include "engine/backend.h"
#include "engine/follow/follow_private.h"
#include "engine/instant.h"

static struct follow_request *
new_followed(struct sim *sim, struct request *rq)
{
	struct follow_request *fr = pool_get(&follow_of(sim)->requests);

	*fr = (struct follow_request){
	    .rq = rq,
	    .start_ns = NSEC_NEVER,
	    .seen_ns = NSEC_NEVER,
	    .end_ns = NSEC_NEVER,
	    .cause = N_HANG_CAUSES,
	    .event = {.fire = follow_on_news},
	};
	fence_init(&fr->given, FENCE_SOFTWARE);
	return fr;
}

/* Waits of the record. */

/* On one engine a request is ready behind another, and begins after it. */
static void
follow_wait_for(
    struct sim *sim, struct request *rq, const struct dependency *dep)
{
	struct request *signaler = dep->signaler;

	if (dep->cause == WAIT_SUBMIT) {
		if (!fence_signalled(&signaler->scheduled) &&
		    !signaler->followed->overtaken)
			instant_wait(sim, rq, &signaler->scheduled);
	} else if (!rq->is_virtual && !signaler->is_virtual &&
	    rq->engine == signaler->engine) {
		instant_wait_end(sim, rq, signaler, &signaler->queued);
	} else {
		instant_wait(sim, rq, &signaler->finished);
	}
}

/* Waits of the submission. */

/* Appends fr to those that can be submitted. */
static void
append_given(struct follow *f, struct follow_request *fr)
{
	fr->next_given = NULL;
	*f->given_last = fr;
	f->given_last = &fr->next_given;
}

void
follow_wake(struct waiter *w)
{
	struct request *rq = waiter_owner(w);
	struct sim *sim = rq->client->sim;

	pool_put(&sim->waiters, w);
	if (--rq->followed->n_holds == 0)
		append_given(follow_of(sim), rq->followed);
}

/* Holds rq until f has signalled. */
static void
hold_for(struct sim *sim, struct request *rq, struct fence *f)
{
	struct waiter *w;

	if (fence_signalled(f))
		return;
	w = pool_get(&sim->waiters);
	waiter_set(w, WAKE_HELD, rq);
	rq->followed->n_holds++;
	fence_add_waiter(f, w);
}

/* Holds rq for the software fences that it waits for, and for requests that are
 * held themselves. */
static void
add_holds(struct sim *sim, struct request *rq, const struct dependency *deps,
    size_t n)
{
	for (const struct waiter *w = rq->waits; w != NULL;
	     w = w->next_of_owner) {
		if (w->fence->kind == FENCE_SOFTWARE)
			hold_for(sim, rq, w->fence);
	}
	for (size_t i = 0; i < n; i++)
		hold_for(sim, rq, &deps[i].signaler->followed->given);
}

/* To the device. */

static void
follow_set_submitted(struct sim *sim, struct request *rq, nsec time)
{
	struct follow *f = follow_of(sim);
	struct follow_request *fr = rq->followed;

	/* One that was held, or is ready, was submitted by its client before. */
	if (rq->submit_ns == sim->now && rq->state == REQUEST_BLOCKED) {
		for (struct request *row = rq; row != NULL; row = row->next_row)
			row->submit_ns = nsec_later(time, sim->now);
	}
	fr->submitted = true;
	f->counts.n_submitted++;
	f->counts.n_in_flight++;
	if (fr->wants_end && f->device->ops->end != NULL)
		f->device->ops->end(f->device, rq);
}

/* Returns 0, or why rq is not submitted, as the driver does. */
static int
submit_unless_held(struct sim *sim, struct request *rq, nsec *time)
{
	struct follow *f = follow_of(sim);
	struct follow_word word = {.kind = FOLLOW_TOOK, .request = rq->seq};

	if (rq->client->killed != KILL_NOT)
		return -EIO;
	if (f->holds_all)
		return -EAGAIN;
	word.error = f->device->ops->submit(f->device, rq, time);
	word.time = *time;
	if (word.error != 0)
		word.kind = FOLLOW_REFUSED;
	follow_say(sim, &word);
	return word.error;
}

/* Submits rq, which waits for nothing. False: there is no room or no device, or
 * all are held. */
static bool
give(struct sim *sim, struct request *rq)
{
	nsec time = sim->now;
	int error = submit_unless_held(sim, rq, &time);

	if (error == -ENODEV)
		sim->stopped = true;
	if (error == -EAGAIN || error == -ENODEV)
		return false;
	if (error == 0)
		follow_set_submitted(sim, rq, time);
	else
		follow_refused(sim, rq, error);
	fence_signal(&rq->followed->given, sim->now, 0);
	return true;
}

void
follow_depends(struct sim *sim, struct request *rq,
    const struct dependency *deps, size_t n)
{
	struct follow *f = follow_of(sim);

	for (struct request *row = rq; row != NULL; row = row->next_row)
		row->followed = new_followed(sim, row);
	/* Bonds are the device's. */
	rq->allowed = f->submission->allowed;
	if (f->device->ops->note != NULL)
		f->device->ops->note(f->device, rq, f->submission, deps, n);
	add_holds(sim, rq, deps, n);
	for (size_t i = 0; i < n; i++)
		follow_wait_for(sim, rq, &deps[i]);
	if (rq->followed->n_holds == 0 && give(sim, rq))
		return;
	f->counts.n_held++;
	if (rq->followed->n_holds == 0) {
		append_given(f, rq->followed);
		f->no_room = true;
	}
}

bool
follow_submit_held(struct sim *sim)
{
	struct follow *f = follow_of(sim);
	struct follow_request *fr = f->given_first;
	bool any = false;

	if (fr == NULL || f->no_room)
		return false;
	f->given_first = NULL;
	f->given_last = &f->given_first;
	while (fr != NULL) {
		struct follow_request *next = fr->next_given;

		if (give(sim, fr->rq)) {
			f->counts.n_held--;
			any = true;
		} else {
			append_given(f, fr);
			f->no_room = true;
		}
		fr = next;
	}
	return any;
}

/* The instant that follows submits what was held. */
static void
on_submissions_resumed(struct sim *sim, struct event *event)
{
	(void)event;
	follow_of(sim)->no_room = false;
}

void
follow_hold(struct sim *sim, bool hold)
{
	struct follow *f = follow_of(sim);

	if (f->holds_all == hold)
		return;
	follow_say(sim,
	    &(struct follow_word){.kind = hold ? FOLLOW_HELD : FOLLOW_LET_GO});
	f->holds_all = hold;
	f->resumed.fire = on_submissions_resumed;
	if (!hold)
		event_arm(&sim->events, &f->resumed, sim->now);
}

void
follow_forget(struct sim *sim, struct request *rq)
{
	struct follow *f = follow_of(sim);

	f->no_room = false;
	if (rq->followed->submitted)
		f->counts.n_in_flight--;
	if (f->device->ops->forget != NULL)
		f->device->ops->forget(f->device, rq);
	event_disarm(&rq->followed->event);
	follow_remove_interrupted(sim, rq->followed);
	for (; rq != NULL; rq = rq->next_row) {
		follow_remove_coming(sim, rq->followed);
		pool_put(&f->requests, rq->followed);
		rq->followed = NULL;
	}
}

/* The operations of the device for walkers. */

static bool
followed_has_room(struct sim *sim, const struct ring *ring)
{
	return model_backend.has_room(sim, ring);
}

static struct request_ref
submit_followed(struct sim *sim, const struct submission *s)
{
	struct follow *f = follow_of(sim);
	const struct submission *outer = f->submission;
	struct request_ref ref;

	f->submission = s;
	ref = model_backend.submit(sim, s);
	f->submission = outer;
	return ref;
}

static void
end_infinite(struct sim *sim, struct request *rq, nsec more)
{
	struct followed *device = follow_of(sim)->device;

	(void)more;
	if (rq->infinite && !rq->terminated) {
		rq->terminated = true;
		if (!rq->followed->submitted)
			rq->followed->wants_end = true;
		else if (device->ops->end != NULL)
			device->ops->end(device, rq);
	}
	instant_run(sim);
}

static void
report_contexts(struct client *c)
{
	struct followed *device = follow_of(c->sim)->device;

	if (device->ops->contexts != NULL)
		device->ops->contexts(device, c);
}

static void
report_killed(struct client *c)
{
	struct follow *f = follow_of(c->sim);

	f->no_room = false;
	if (f->device->ops->killed != NULL)
		f->device->ops->killed(f->device, c);
}

const struct backend_ops follow_backend = {
    .has_room = followed_has_room,
    .submit = submit_followed,
    .end = end_infinite,
    .instant_run = instant_run,
    .contexts = report_contexts,
    .killed = report_killed,
};
