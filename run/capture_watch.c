/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a capture watches: calls of programs, which the device's witness sees,
 * and the requests that they become, which the simulation's observer sees. A
 * submission is seen by both, one right after the other.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/context.h"
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
add_wait(struct capture *c, const struct i915_seen_call *call,
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

static struct capture_object *
find_object(struct capture *c, uint64_t serial)
{
	struct chain_node *node = chains_find(&c->objects, NULL, serial);

	return node != NULL ? container_of(node, struct capture_object, node)
			    : NULL;
}

static struct capture_ref
find_fence(struct capture *c, const struct i915_seen_fence *f)
{
	struct chain_node *node = chains_find(
	    &c->fences, (const void *)(uintptr_t)f->timeline, f->seqno);

	return node != NULL
	    ? container_of(node, struct capture_fence, node)->ref
	    : (struct capture_ref){0};
}

/* A wait for an object is one for its writer, and in user space for the readers
 * of its data too; an object that is only read, for its last reader. */
static void
on_waited_object(
    struct i915_witness *w, const struct i915_seen_call *call, uint64_t serial)
{
	struct capture *c = capture_of(w);
	const struct capture_object *o = find_object(c, serial);

	if (o == NULL)
		return;
	if (capture_get(o->writer) != NULL)
		add_wait(c, call, o->writer);
	else if (o->n_readers > 0)
		add_wait(c, call, o->readers[o->n_readers - 1]);
}

static void
on_waited_fences(struct i915_witness *w, const struct i915_seen_call *call,
    const struct i915_seen_fence *fences, size_t n)
{
	struct capture *c = capture_of(w);

	for (size_t i = 0; i < n; i++)
		add_wait(c, call, find_fence(c, &fences[i]));
}

/* Software fences */

static void
add_fence(
    struct capture *c, const struct i915_seen_fence *f, struct capture_ref ref)
{
	struct capture_fence *fence;

	if (find_fence(c, f).process != NULL)
		return;
	fence = mem_calloc(1, sizeof(*fence));
	fence->node.p = (const void *)(uintptr_t)f->timeline;
	fence->node.n = f->seqno;
	fence->ref = ref;
	chains_add(&c->fences, &fence->node);
}

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
	add_fence(c, fence, (struct capture_ref){p, next_act(p) - 1});
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

/* The number of the bit of INFER_ENGINE() of an engine of the device. */
static unsigned
bit_of_engine(const struct sim *sim, unsigned engine)
{
	const struct hw_engine *e = &sim->device.engines[engine];

	return (unsigned)__builtin_ctzll(
	    INFER_ENGINE((unsigned)e->class, e->instance + 1u));
}

static uint64_t
bits_of_engines(const struct sim *sim, engine_mask mask)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < sim->device.n_engines; i++)
		if ((mask >> i & 1) != 0)
			bits |= 1ull << bit_of_engine(sim, i);
	return bits;
}

static void
describe_slot(const struct sim *sim, const struct i915_slot *from,
    struct capture_slot *slot)
{
	size_t n = (size_t)from->width * from->n_siblings;

	slot->setup.n_rows = from->width;
	slot->setup.n_siblings = from->n_siblings;
	slot->setup.engines = slot->engines;
	slot->setup.bonds = slot->bonds;
	for (size_t i = 0; i < n && i < CAPTURE_ENGINES; i++)
		slot->engines[i] = (uint8_t)bit_of_engine(
		    sim, from->engines[i]);
	for (size_t i = 0; i < from->n_bonds && i < INFER_MAX_BONDS; i++)
		slot->bonds[slot->setup.n_bonds++] = (struct infer_bond){
		    .master = (uint8_t)bit_of_engine(
			sim, from->bonds[i].master),
		    .siblings = bits_of_engines(sim, from->bonds[i].engines)};
}

/* A number for the context, of all that the process has. */
static uint32_t
context_number(struct capture_process *p, const struct i915_seen_submit *seen)
{
	uint32_t i = 0;

	while (i < p->n_files && p->files[i] != seen->file)
		i++;
	if (i == p->n_files && i < CAPTURE_THREADS)
		p->files[p->n_files++] = seen->file;
	return i << 20 | (seen->context & 0xfffff);
}

static bool
has_same_bonds(const struct capture_slot *a, const struct capture_slot *b)
{
	if (a->setup.n_bonds != b->setup.n_bonds)
		return false;
	for (uint32_t i = 0; i < a->setup.n_bonds; i++)
		if (a->bonds[i].master != b->bonds[i].master ||
		    a->bonds[i].siblings != b->bonds[i].siblings)
			return false;
	return true;
}

static bool
is_same_slot(const struct capture_slot *a, const struct capture_slot *b)
{
	return a->setup.n_rows == b->setup.n_rows &&
	    a->setup.n_siblings == b->setup.n_siblings &&
	    memcmp(a->engines, b->engines, sizeof(a->engines)) == 0 &&
	    has_same_bonds(a, b);
}

/* Returns the slot that a submission is on. The number of a destroyed context
 * may be that of another one now. */
static struct capture_slot *
slot_of(struct capture *c, struct capture_process *p)
{
	const struct i915_seen_submit *seen = &c->pending.seen;
	uint32_t context = context_number(p, seen);
	uint64_t key = (uint64_t)context << 8 | seen->place;
	struct chain_node *node = chains_find(&c->slots, p, key);
	struct capture_slot *old = NULL, *slot = mem_calloc(1, sizeof(*slot));

	if (node != NULL)
		old = container_of(node, struct capture_slot, node);
	describe_slot(c->sim, seen->slot, slot);
	if (old != NULL && is_same_slot(old, slot)) {
		free(slot);
		return old;
	}
	if (old != NULL) {
		chains_remove(&c->slots, &old->node);
		old->listed = false;
	}
	slot->context = context;
	slot->place = seen->place;
	slot->node.p = p;
	slot->node.n = key;
	slot->listed = true;
	chains_add(&c->slots, &slot->node);
	return slot;
}

static void
add_dep(struct capture_process *p, struct capture_act *act,
    struct capture_ref on, enum infer_dep_kind kind)
{
	size_t first = (size_t)(act->first_dep - p->deps_first);

	if (capture_get(on) == NULL)
		return;
	if (on.process != p) {
		act->foreign = true;
		return;
	}
	for (unsigned i = 0; i < act->n_deps; i++)
		if (p->deps[first + i].act == on.act &&
		    p->deps[first + i].kind == kind)
			return;
	if (act->n_deps == CAPTURE_DEPS)
		return;
	p->deps = mem_grow(p->deps, p->n_deps, &p->cap_deps, sizeof(*p->deps));
	p->deps[p->n_deps++] = (struct capture_dep){on.act, (uint8_t)kind};
	act->n_deps++;
}

/* A reader depends on the writer; a writer on the readers since, which depend
 * on the writer before, or on that one. */
static void
add_object_deps(struct capture_process *p, struct capture_act *act,
    const struct capture_object *o, bool write)
{
	if (write && o->n_readers > 0)
		for (unsigned i = 0; i < o->n_readers; i++)
			add_dep(p, act, o->readers[i], INFER_DATA);
	else
		add_dep(p, act, o->writer, INFER_DATA);
}

static void
use_object(struct capture *c, struct capture_ref by, struct capture_act *act,
    const struct i915_seen_object *seen)
{
	struct capture_object *o = find_object(c, seen->serial);

	if (o == NULL) {
		o = mem_calloc(1, sizeof(*o));
		o->node.n = seen->serial;
		chains_add(&c->objects, &o->node);
	}
	if (!seen->async)
		add_object_deps(by.process, act, o, seen->write);
	if (seen->write) {
		o->writer = by;
		o->n_readers = 0;
		return;
	}
	if (o->n_readers == CAPTURE_READERS) {
		memmove(o->readers, o->readers + 1,
		    (CAPTURE_READERS - 1) * sizeof(*o->readers));
		o->n_readers--;
	}
	o->readers[o->n_readers++] = by;
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

		add_dep(p, act, find_fence(c, f),
		    f->software    ? INFER_SIGNAL
			: f->start ? INFER_SUBMIT
				   : INFER_FENCE);
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
	return p;
}

static void
add_submission(struct capture *c, const struct request *rq)
{
	struct capture_pending *from = &c->pending;
	struct capture_process *p = submitting_process(c, rq);
	struct capture_act *act, made;

	made = new_act(c, p, CAPTURED_SUBMIT, &from->seen.call);
	made.slot = slot_of(c, p);
	made.slot->refs++;
	made.ready = made.start = made.end = made.run = NSEC_NEVER;
	made.priority = rq->priority;
	made.sseu = rq->context->sseu;
	made.origin = origin_of(from);
	made.allowed = bits_of_engines(c->sim, rq->allowed);
	act = capture_add(p, &made);
	act->first_dep = p->deps_first + p->n_deps;
	p->n_submitted++;
	from->ref = (struct capture_ref){p, next_act(p) - 1};
	add_named_deps(c, p, act);
	for (size_t i = 0; i < from->seen.n_objects; i++)
		use_object(c, from->ref, act, &from->objects[i]);
	add_fence(c, &from->seen.fence, from->ref);
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
 * ended it. */
static bool
was_ended(const struct request *rq, nsec polled_ns)
{
	return polled_ns > rq->run_ns / 2 &&
	    polled_ns + BEFORE_POLLING_NS >= rq->run_ns;
}

/* A batch that is no longer may end before its first preemption point, which
 * gem_wsim has after 100 us, or have most of its work before it. */
#define SHORT_NS (200 * NSEC_PER_USEC)

static void
end_act(struct capture *c, struct capture_act *act, struct request *rq)
{
	struct virtual_work work = virtual_work_of(rq);

	act->ready = fence_time(&rq->queued);
	act->start = fence_time(&rq->scheduled);
	act->end = fence_time(&rq->finished);
	act->run = rq->run_ns;
	act->failed = rq->error != 0;
	act->label = keep_label(c, request_label(rq));
	act->no_points = rq->run_ns > SHORT_NS &&
	    work.fixed_ns > rq->run_ns / 2;
	act->infinite = was_ended(rq, work.polled_ns);
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
