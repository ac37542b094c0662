/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sources of a capture: calls of programs, which the device's witness sees, and
 * the requests that they become, which the simulation's observer sees. Both see a
 * submission, one right after the other.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/model/virtual.h"
#include "engine/client/origin.h"
#include "run/capture_private.h"

static struct capture *
capture_of(struct i915_witness *w)
{
	return container_of(w, struct capture, witness);
}

/* The act number of the next act of p. */
static uint64_t
next_act(const struct capture_process *p)
{
	return p->first + p->n;
}

/* Returns an act of a call that is over now. */
static struct capture_act
new_act(struct capture *c, struct capture_process *p, enum capture_kind kind,
    const struct i915_seen_call *call)
{
	nsec now = c->sim->now;
	nsec took = call->now_ns - call->began_ns;

	return (struct capture_act){.kind = (uint8_t)kind,
	    .thread = capture_thread(p, call->tid),
	    .from = took < now ? now - took : 0,
	    .to = now};
}

/* Waits */

static void
add_wait_act(struct capture *c, const struct i915_seen_call *call,
    struct capture_ref target)
{
	struct capture_process *p = capture_process_of(c, call->pid);
	struct capture_act act;

	if (capture_get(target) == NULL || target.process != p)
		return;
	act = new_act(c, p, CAPTURED_WAIT, call);
	act.target = target.act;
	capture_add(p, &act);
}

/* A wait for an object is one for its writer, and in user space for the readers
 * of its data too; an object that is only read, for its last reader. */
static void
on_waited_object(
    struct i915_witness *w, const struct i915_seen_call *call, uint64_t serial)
{
	struct capture *c = capture_of(w);
	const struct capture_object *o = capture_find_object(c, serial);

	if (o == NULL)
		return;
	if (capture_get(o->writer) != NULL)
		add_wait_act(c, call, o->writer);
	else if (o->n_readers > 0)
		add_wait_act(c, call, o->readers[o->n_readers - 1]);
}

static void
on_waited_fences(struct i915_witness *w, const struct i915_seen_call *call,
    const struct i915_seen_fence *fences, size_t n)
{
	struct capture *c = capture_of(w);

	for (size_t i = 0; i < n; i++)
		add_wait_act(c, call, capture_find_fence(c, &fences[i]));
}

/* Software fences */

static void
on_made_fence(struct i915_witness *w, const struct i915_seen_call *call,
    const struct i915_seen_fence *fence)
{
	struct capture *c = capture_of(w);
	struct capture_process *p = capture_process_of(c, call->pid);
	struct capture_act act = new_act(c, p, CAPTURED_FENCE, call);

	act.timeline = fence->timeline;
	act.value = fence->seqno;
	capture_add(p, &act);
	capture_add_fence(c, fence, (struct capture_ref){p, next_act(p) - 1});
}

static void
on_advanced(struct i915_witness *w, const struct i915_seen_call *call,
    uint64_t timeline, uint32_t value)
{
	struct capture *c = capture_of(w);
	struct capture_process *p = capture_process_of(c, call->pid);
	struct capture_act act = new_act(c, p, CAPTURED_SIGNAL, call);

	act.timeline = timeline;
	act.value = value;
	capture_add(p, &act);
}

/* Submissions */

/* The device's call comes first; what it says is kept for the request. */
static void
on_submits(struct i915_witness *w, const struct i915_seen_submit *seen)
{
	struct capture_pending *to = &capture_of(w)->pending;

	to->valid = true;
	to->ref.process = NULL;
	to->seen = *seen;
	to->objects = mem_realloc(
	    to->objects, seen->n_objects + 1, sizeof(*to->objects));
	to->after = mem_realloc(
	    to->after, seen->n_after + 1, sizeof(*to->after));
	if (seen->n_objects > 0)
		memcpy(to->objects, seen->objects,
		    seen->n_objects * sizeof(*to->objects));
	if (seen->n_after > 0)
		memcpy(
		    to->after, seen->after, seen->n_after * sizeof(*to->after));
}

/* The batch, and what it writes, tell it from others. */
static uint64_t
origin_of(const struct capture_pending *from)
{
	uint64_t origin = 1;

	for (size_t i = 0; i < from->seen.n_objects; i++)
		if (from->objects[i].batch)
			origin = origin * 0x9e3779b97f4a7c15ull +
			    from->objects[i].serial;
	return origin;
}

static void
add_named_deps(
    struct capture *c, struct capture_process *p, struct capture_act *act)
{
	const struct capture_pending *from = &c->pending;

	for (size_t i = 0; i < from->seen.n_after; i++) {
		const struct i915_seen_fence *f = &from->after[i];

		capture_add_dep(p, act, capture_find_fence(c, f),
		    f->software    ? INFER_SIGNAL
			: f->start ? INFER_SUBMIT
				   : INFER_FENCE,
		    0);
	}
}

/* The process that submits; a process of the past may have had its number. */
static struct capture_process *
submitting_process(struct capture *c, const struct request *rq)
{
	uint32_t pid = c->pending.seen.call.pid;
	struct capture_process *p = capture_process_of(c, pid);

	if (p->client != UINT32_MAX && p->client != rq->client->id) {
		chains_remove(&c->by_pid, &p->node);
		p->listed = false;
		p = capture_process_of(c, pid);
	}
	if (p->name == NULL)
		p->name = mem_strdup(rq->client->name);
	p->client = rq->client->id;
	p->shown_pid = rq->client->pid;
	return p;
}

static void
add_submission(struct capture *c, const struct request *rq)
{
	struct capture_pending *from = &c->pending;
	struct capture_process *p = submitting_process(c, rq);
	struct capture_act *act, made;

	made = new_act(c, p, CAPTURED_SUBMIT, &from->seen.call);
	made.slot = capture_slot_of(c, p);
	made.slot->refs++;
	made.ready = made.start = made.end = made.run = NSEC_NEVER;
	made.released = NSEC_NEVER;
	made.priority = rq->priority;
	made.sseu = rq->context->sseu;
	made.origin = origin_of(from);
	made.allowed = capture_bits_of_engines(c->sim, rq->allowed);
	act = capture_add(p, &made);
	act->first_dep = p->deps_first + p->n_deps;
	p->n_submitted++;
	from->ref = (struct capture_ref){p, next_act(p) - 1};
	add_named_deps(c, p, act);
	for (size_t i = 0; i < from->seen.n_objects; i++)
		capture_use_object(c, from->ref, act, &from->objects[i]);
	p->n_foreign += act->foreign;
	capture_add_fence(c, &from->seen.fence, from->ref);
}

static void
capture_submitted(struct observer *o, struct request *rq)
{
	struct capture *c = container_of(o, struct capture, observer);
	struct capture_flight *flight;

	if (!c->pending.valid || rq->origin.instance != NULL)
		return;
	if (c->pending.ref.process == NULL)
		add_submission(c, rq);
	flight = mem_calloc(1, sizeof(*flight));
	flight->node.n = rq->seq;
	flight->ref = c->pending.ref;
	flight->row = rq->row;
	chains_add(&c->flights, &flight->node);
}

static void
capture_started(struct observer *o, struct request *rq)
{
	struct capture *c = container_of(o, struct capture, observer);
	struct chain_node *node = chains_find(&c->flights, NULL, rq->seq);
	struct capture_flight *flight;
	struct capture_act *act;

	if (node == NULL)
		return;
	flight = container_of(node, struct capture_flight, node);
	act = capture_get(flight->ref);
	if (act != NULL && flight->row == 0 && act->start == NSEC_NEVER)
		act->start = c->sim->now;
}

/* Returns the capture's copy of a label; NULL: it has too many. */
static const char *
keep_label(struct capture *c, const char *label)
{
	if (label == NULL)
		return NULL;
	for (unsigned i = 0; i < c->n_labels; i++)
		if (strcmp(c->labels[i], label) == 0)
			return c->labels[i];
	if (c->n_labels == CAPTURE_LABELS)
		return NULL;
	return c->labels[c->n_labels++] = mem_strdup(label);
}

/* Commands of a batch before it polls memory, and what it begins to poll with. */
#define BEFORE_POLLING_NS (50 * NSEC_PER_USEC)

/* A batch that polled memory for nearly all of its time ran until the program
 * ended it; one that would have was ended before it began. */
static bool
was_ended(const struct request *rq, const struct virtual_work *work)
{
	if (work->polled_ns == 0)
		return work->released_ns > 0 && rq->run_ns <= BEFORE_POLLING_NS;
	return work->polled_ns > rq->run_ns / 2 &&
	    work->polled_ns + BEFORE_POLLING_NS >= rq->run_ns;
}

/* Batches up to this length may end before their first preemption point, which
 * gem_wsim has after 100 us, or have most of their work before it. */
#define SHORT_NS (200 * NSEC_PER_USEC)

/* Video frames of a request, and whether their costs are estimates. */
static void
note_media(
    struct capture *c, struct capture_act *act, const struct virtual_work *work)
{
	const struct profile *p = &c->sim->config.profile;
	uint64_t decoded = work->decoded, coded = work->coded;

	act->decoded = (uint16_t)(decoded < UINT16_MAX ? decoded : UINT16_MAX);
	act->coded = (uint16_t)(coded < UINT16_MAX ? coded : UINT16_MAX);
	act->estimated = p->media_estimates &&
	    (decoded > 0 || coded > 0 || work->filtered > 0);
}

static void
end_act(struct capture *c, struct capture_act *act, struct request *rq)
{
	struct virtual_work work = virtual_work_of(rq);

	act->ready = fence_time(&rq->queued);
	act->start = fence_time(&rq->scheduled);
	act->end = fence_time(&rq->finished);
	act->run = rq->run_ns;
	act->failed = request_error_is_fatal(rq->error);
	act->label = keep_label(c, request_label(rq));
	act->empty = request_label(rq) != NULL &&
	    strcmp(request_label(rq), VIRTUAL_EMPTY) == 0;
	act->no_points = rq->run_ns > SHORT_NS &&
	    work.fixed_ns > rq->run_ns / 2;
	act->infinite = was_ended(rq, &work);
	note_media(c, act, &work);
	if (work.released_ns > 0)
		act->released = work.released_ns;
	if (rq->engine != NULL && act->start != NSEC_NEVER) {
		act->class = (uint8_t)rq->engine->class;
		act->instance = (uint8_t)(rq->engine->instance + 1);
	}
}

static void
capture_ended_request(struct observer *o, struct request *rq)
{
	struct capture *c = container_of(o, struct capture, observer);
	struct chain_node *node = chains_find(&c->flights, NULL, rq->seq);
	struct capture_flight *flight;
	struct capture_act *act;

	if (node == NULL)
		return;
	flight = container_of(node, struct capture_flight, node);
	act = capture_get(flight->ref);
	if (act != NULL && flight->row == 0)
		end_act(c, act, rq);
	else if (act != NULL && flight->row < INFER_MAX_ROWS)
		act->row_runs[flight->row - 1] = rq->run_ns;
	flight->ref.process->n_ended += flight->row == 0;
	flight->ref.process->n_hangs += rq->guilty;
	chains_remove(&c->flights, node);
	free(flight);
}

static const struct i915_witness_ops witness_ops = {
    .submits = on_submits,
    .waited_object = on_waited_object,
    .waited_fences = on_waited_fences,
    .made_fence = on_made_fence,
    .advanced = on_advanced,
};

void
capture_watch_begin(struct capture *c)
{
	c->witness.ops = &witness_ops;
	c->observer.submitted = capture_submitted;
	c->observer.started = capture_started;
	c->observer.ended = capture_ended_request;
	sim_add_observer(c->sim, &c->observer);
}

static void
flight_gone(struct chain_node *node)
{
	free(container_of(node, struct capture_flight, node));
}

void
capture_watch_end(struct capture *c)
{
	sim_remove_observer(c->sim, &c->observer);
	chains_sweep(&c->flights, NULL, NULL, flight_gone);
	free(c->pending.objects);
	free(c->pending.after);
}
