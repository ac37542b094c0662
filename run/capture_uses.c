/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects and fences that requests of a capture use, and the dependencies that
 * follow from them.
 */
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "run/capture_private.h"

struct capture_object *
capture_find_object(struct capture *c, uint64_t serial)
{
	struct chain_node *node = chains_find(&c->objects, NULL, serial);

	return node != NULL ? container_of(node, struct capture_object, node)
			    : NULL;
}

struct capture_ref
capture_find_fence(struct capture *c, const struct i915_seen_fence *f)
{
	struct chain_node *node = chains_find(
	    &c->fences, (const void *)(uintptr_t)f->timeline, f->seqno);

	return node != NULL
	    ? container_of(node, struct capture_fence, node)->ref
	    : (struct capture_ref){0};
}

void
capture_add_fence(
    struct capture *c, const struct i915_seen_fence *f, struct capture_ref ref)
{
	struct capture_fence *fence;

	if (capture_find_fence(c, f).process != NULL)
		return;
	fence = mem_calloc(1, sizeof(*fence));
	fence->node.p = (const void *)(uintptr_t)f->timeline;
	fence->node.n = f->seqno;
	fence->ref = ref;
	chains_add(&c->fences, &fence->node);
}

static void
append_dep(struct capture_process *p, struct capture_act *act,
    const struct capture_dep *dep)
{
	if (act->n_deps == CAPTURE_DEPS)
		return;
	p->deps = mem_grow(p->deps, p->n_deps, &p->cap_deps, sizeof(*p->deps));
	p->deps[p->n_deps++] = *dep;
	act->n_deps++;
}

void
capture_add_dep(struct capture_process *p, struct capture_act *act,
    struct capture_ref on, enum infer_dep_kind kind, uint64_t object)
{
	size_t first = (size_t)(act->first_dep - p->deps_first);
	struct capture_dep dep = {on.act, object, (uint8_t)kind};

	if (capture_get(on) == NULL)
		return;
	if (on.process != p) {
		act->foreign = true;
		return;
	}
	for (unsigned i = 0; i < act->n_deps; i++)
		if (p->deps[first + i].act == on.act &&
		    p->deps[first + i].kind == kind) {
			if (object == 0)
				p->deps[first + i].object = 0;
			return;
		}
	append_dep(p, act, &dep);
}

/* A reader depends on the writer; a writer on the readers since, which depend
 * on the writer before, or on that one. */
static void
add_object_deps(struct capture_process *p, struct capture_act *act,
    const struct capture_object *o, bool write)
{
	uint64_t shared = o->shared ? o->node.n : 0;

	if (write && o->n_readers > 0)
		for (unsigned i = 0; i < o->n_readers; i++)
			capture_add_dep(
			    p, act, o->readers[i], INFER_DATA, shared);
	else
		capture_add_dep(p, act, o->writer, INFER_DATA, shared);
}

/* Notes a use of an object that threads share: no dependency on an act of another
 * client is kept. */
static void
note_shared_use(struct capture_process *p, struct capture_act *act,
    struct capture_object *o, bool write)
{
	uint64_t user = (uint64_t)p->pid << 32 | (act->thread + 1u);

	if (o->user == 0)
		o->user = user;
	o->shared |= o->user != user;
	if (o->shared)
		append_dep(p, act,
		    &(struct capture_dep){.object = o->node.n,
			.kind = write ? CAPTURED_WRITE : CAPTURED_READ});
}

void
capture_use_object(struct capture *c, struct capture_ref by,
    struct capture_act *act, const struct i915_seen_object *seen)
{
	struct capture_object *o = capture_find_object(c, seen->serial);

	if (o == NULL) {
		o = mem_calloc(1, sizeof(*o));
		o->node.n = seen->serial;
		chains_add(&c->objects, &o->node);
	}
	if (!seen->async) {
		note_shared_use(by.process, act, o, seen->write);
		add_object_deps(by.process, act, o, seen->write);
	}
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
