/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The logs of a capture: a process has one, with its latest acts. Where it is
 * full the older half is dropped, so that a long run takes no more memory. Of many
 * processes, the logs of the least recently active are dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "run/capture_private.h"

uint16_t
capture_thread(struct capture_process *p, uint32_t tid)
{
	for (uint16_t i = 0; i < p->n_threads; i++)
		if (p->threads[i] == tid)
			return i;
	if (p->n_threads == CAPTURE_THREADS)
		return CAPTURE_THREADS - 1;
	p->threads[p->n_threads] = tid;
	return (uint16_t)p->n_threads++;
}

/* Drops a reference of slot. */
static void
capture_slot_put(struct capture *c, struct capture_slot *slot)
{
	if (--slot->refs > 0)
		return;
	if (slot->listed)
		chains_remove(&c->slots, &slot->node);
	free(slot);
}

static void
forget_act(struct capture_process *p, const struct capture_act *act)
{
	if (act->kind != CAPTURED_SUBMIT)
		return;
	p->n_dropped++;
	p->dropped[act->thread]++;
	capture_slot_put(p->capture, act->slot);
}

static bool
act_is_gone(const struct capture_ref *ref, const struct capture_process *p)
{
	return ref->process == NULL ||
	    (ref->process == p && ref->act < p->first);
}

static int
fence_is_gone(const struct chain_node *node, const void *with)
{
	const struct capture_fence *f = container_of(
	    node, const struct capture_fence, node);

	return act_is_gone(&f->ref, with);
}

static void
fence_gone(struct chain_node *node)
{
	free(container_of(node, struct capture_fence, node));
}

static int
object_is_gone(const struct chain_node *node, const void *with)
{
	const struct capture_object *o = container_of(
	    node, const struct capture_object, node);

	for (unsigned i = 0; i < o->n_readers; i++)
		if (!act_is_gone(&o->readers[i], with))
			return 0;
	return act_is_gone(&o->writer, with);
}

static void
object_gone(struct chain_node *node)
{
	free(container_of(node, struct capture_object, node));
}

/* Drops the first n acts, and what is known of them alone. */
static void
drop_acts(struct capture_process *p, size_t n)
{
	struct capture *c = p->capture;
	uint64_t dep = p->deps_first + p->n_deps;
	size_t n_deps;

	for (size_t i = 0; i < n; i++)
		forget_act(p, &p->acts[i]);
	p->first += n;
	p->n -= n;
	c->n_acts -= n;
	memmove(p->acts, p->acts + n, p->n * sizeof(*p->acts));
	for (size_t i = p->n; i-- > 0;)
		if (p->acts[i].kind == CAPTURED_SUBMIT)
			dep = p->acts[i].first_dep;
	n_deps = (size_t)(dep - p->deps_first);
	p->n_deps -= n_deps;
	p->deps_first = dep;
	if (n_deps > 0)
		memmove(
		    p->deps, p->deps + n_deps, p->n_deps * sizeof(*p->deps));
	chains_sweep(&c->fences, fence_is_gone, p, fence_gone);
	chains_sweep(&c->objects, object_is_gone, p, object_gone);
}

/* Processes that are forgotten */

static int
flight_is_of(const struct chain_node *node, const void *with)
{
	return container_of(node, const struct capture_flight, node)
		   ->ref.process == with;
}

static void
flight_lost(struct chain_node *node)
{
	free(container_of(node, struct capture_flight, node));
}

/* Takes references to a process out of an object. It stays. */
static int
object_forgets(const struct chain_node *node, const void *with)
{
	struct capture_object *o =
	    (struct capture_object *)(uintptr_t)container_of(
		node, const struct capture_object, node);

	if (o->writer.process == with)
		o->writer.process = NULL;
	for (unsigned i = 0; i < o->n_readers; i++)
		if (o->readers[i].process == with)
			o->readers[i].process = NULL;
	return 0;
}

/* Drops the log of a process. Its later acts are those of a new process. */
static void
drop_process(struct capture *c, size_t which)
{
	struct capture_process *p = c->processes[which];

	chains_sweep(&c->flights, flight_is_of, p, flight_lost);
	if (c->pending.ref.process == p)
		c->pending.valid = false;
	if (p->n > 0)
		drop_acts(p, p->n);
	chains_sweep(&c->objects, object_forgets, p, object_gone);
	capture_process_free(p);
	memmove(c->processes + which, c->processes + which + 1,
	    (--c->n_processes - which) * sizeof(struct capture_process *));
	c->n_forgotten++;
}

/* Forgets the process, but for that one, that has done nothing for longest. */
static void
drop_oldest_but(struct capture *c, const struct capture_process *keep)
{
	size_t oldest = c->n_processes;

	for (size_t i = 0; i < c->n_processes; i++)
		if (c->processes[i] != keep &&
		    (oldest == c->n_processes ||
			c->processes[i]->used < c->processes[oldest]->used))
			oldest = i;
	if (oldest < c->n_processes)
		drop_process(c, oldest);
}

struct capture_process *
capture_process_of(struct capture *c, uint32_t pid)
{
	struct chain_node *node = chains_find(&c->by_pid, NULL, pid);
	struct capture_process *p;

	if (node != NULL)
		return container_of(node, struct capture_process, node);
	if (c->n_processes >= CAPTURE_PROCESSES)
		drop_oldest_but(c, NULL);
	p = mem_calloc(1, sizeof(*p));
	p->capture = c;
	p->used = c->n_added;
	p->node.n = pid;
	p->pid = pid;
	p->client = UINT32_MAX;
	p->listed = true;
	chains_add(&c->by_pid, &p->node);
	c->processes = mem_grow(c->processes, c->n_processes, &c->cap_processes,
	    sizeof(*c->processes));
	c->processes[c->n_processes++] = p;
	return p;
}

struct capture_act *
capture_add(struct capture_process *p, const struct capture_act *act)
{
	size_t max = 2 * (size_t)p->capture->options.max_requests;

	p->used = ++p->capture->n_added;
	if (p->n >= max)
		drop_acts(p, max / 2);
	else if (p->capture->n_acts >= CAPTURE_LOGS * max)
		drop_oldest_but(p->capture, p);
	p->capture->n_acts++;
	p->acts = mem_grow(p->acts, p->n, &p->cap, sizeof(*p->acts));
	p->acts[p->n] = *act;
	return &p->acts[p->n++];
}

struct capture_act *
capture_get(struct capture_ref ref)
{
	struct capture_process *p = ref.process;

	return p != NULL && ref.act >= p->first && ref.act - p->first < p->n
	    ? &p->acts[ref.act - p->first]
	    : NULL;
}

void
capture_forget(struct capture *c)
{
	chains_sweep(&c->fences, NULL, NULL, fence_gone);
	chains_sweep(&c->objects, NULL, NULL, object_gone);
	chains_free(&c->fences);
	chains_free(&c->objects);
	chains_free(&c->slots);
	chains_free(&c->flights);
	chains_free(&c->by_pid);
}

void
capture_process_free(struct capture_process *p)
{
	if (p->n > 0)
		drop_acts(p, p->n);
	if (p->listed)
		chains_remove(&p->capture->by_pid, &p->node);
	free(p->acts);
	free(p->deps);
	free(p->name);
	free(p);
}
