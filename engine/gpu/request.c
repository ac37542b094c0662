/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of requests, and the lists behind fences and objects: who waits for
 * a fence, and who reads an object since it was written.
 */
#include "engine/gpu/request.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/client/walker_run.h"
#include "engine/follow/follow_private.h"
#include "engine/instant.h"
#include "engine/sim.h"

#ifdef GPUWL_SANITIZERS
#include <sanitizer/asan_interface.h>
#endif

/*
 * Members that the configuration has no use for come last and get no memory,
 * which is a tenth of a request. With sanitizers they have memory that is
 * poisoned, as is all behind the seq of a released request: the pool uses its
 * first word, and references compare the seq.
 */
static size_t
size_in_use(const struct sim_config *config)
{
	if (config->sched->watchdog && config->profile.request_timeout_ns > 0)
		return sizeof(struct request);
	if (config->sched->has_places)
		return offsetof(struct request, watch_prev);
	return offsetof(struct request, places);
}

#ifdef GPUWL_SANITIZERS

static size_t
size_of_item(size_t in_use)
{
	(void)in_use;
	return sizeof(struct request);
}

/* Lets only the first size bytes of rq be accessed. */
static void
limit_access(struct request *rq, size_t size)
{
	ASAN_UNPOISON_MEMORY_REGION(rq, size);
	ASAN_POISON_MEMORY_REGION((char *)rq + size, sizeof *rq - size);
}

#else

static size_t
size_of_item(size_t in_use)
{
	return in_use;
}

static void
limit_access(struct request *rq, size_t size)
{
	(void)rq;
	(void)size;
}

#endif

void
request_init_pool(struct sim *sim)
{
	sim->request_size = size_in_use(&sim->config);
	pool_init(&sim->requests, sim->region, size_of_item(sim->request_size));
}

struct request *
request_new(struct sim *sim)
{
	struct request *rq = pool_get(&sim->requests);

	limit_access(rq, sim->request_size);
	memset(rq, 0, sim->request_size);
	rq->seq = ++sim->n_submitted;
	rq->piece_ns = NSEC_NEVER;
	fence_init(&rq->queued, FENCE_QUEUED);
	fence_init(&rq->scheduled, FENCE_SCHEDULED);
	fence_init(&rq->finished, FENCE_FINISHED);
	return rq;
}

void
request_release(struct sim *sim, struct request *rq)
{
	rq->seq = 0;
	pool_put(&sim->requests, rq);
	limit_access(rq, offsetof(struct request, client));
}

void
request_set_error(struct request *rq, int error)
{
	rq = request_first_row(rq);
	if (rq->error != 0)
		return;
	for (; rq != NULL; rq = rq->next_row)
		rq->error = error;
}

void
request_fail(struct request *rq, int error)
{
	rq = request_first_row(rq);
	if (rq->error != 0)
		return;
	request_set_error(rq, error);
	for (; rq != NULL; rq = rq->next_row) {
		rq->infinite = false;
		/* The work done is all of its work. */
		rq->duration_ns = rq->work_ns;
	}
}

bool
request_error_is_fatal(int error)
{
	return error != 0 && error != -EAGAIN && error != -ETIMEDOUT;
}

_Static_assert(N_WAKE_KINDS <= WAKE_KINDS + 1 &&
	_Alignof(struct request) > WAKE_KINDS &&
	_Alignof(struct client) > WAKE_KINDS,
    "the address of an owner has room for the kind of a wait");

void
waiter_wake(struct waiter *w)
{
	static void (*const wakes[N_WAKE_KINDS])(struct waiter *) = {
	    [WAKE_REQUEST] = instant_wake,
	    [WAKE_BONDED] = instant_wake_bonded,
	    [WAKE_START] = instant_wake_start,
	    [WAKE_END] = instant_wake_end,
	    [WAKE_HELD] = follow_wake,
	    [WAKE_WALKER] = walker_wake,
	};

	wakes[waiter_kind(w)](w);
}

void
waiter_release_all(struct pool *pool, struct waiter **waits)
{
	struct waiter *w = *waits;

	while (w != NULL) {
		struct waiter *next = w->next_of_owner;

		pool_put(pool, w);
		w = next;
	}
	*waits = NULL;
}

void
fence_init(struct fence *f, enum fence_kind kind)
{
	*f = (struct fence){.kind = (uint8_t)kind};
}

void
fence_add_waiter(struct fence *f, struct waiter *w)
{
	w->fence = f;
	w->next_of_fence = f->waiters;
	f->waiters = w;
}

void
fence_remove_waiter(struct waiter *w)
{
	struct fence *f = w->fence;
	struct waiter *before = f->waiters;

	if (before == w) {
		f->waiters = w->next_of_fence;
	} else {
		while (before->next_of_fence != w)
			before = before->next_of_fence;
		before->next_of_fence = w->next_of_fence;
	}
	w->fence = NULL;
}

void
fence_signal(struct fence *f, nsec now, int error)
{
	struct waiter *w = fence_waiters(f);

	f->time = now;
	f->error = (int16_t)error;
	f->signalled = true;
	while (w != NULL) {
		struct waiter *next = w->next_of_fence;

		waiter_wake(w);
		w = next;
	}
}

static struct request_ref *
reader_list(struct object *o)
{
	return o->log_cap == 0 ? &o->readers.one : o->readers.many;
}

void
object_free(struct object *o)
{
	if (o->log_cap > 0)
		region_put(o->readers.many);
}

/* Removes readers that have ended, so that an object that is only ever read
 * does not collect them. */
static void
prune_readers(struct object *o)
{
	struct request_ref *list = reader_list(o);
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->n_readers; i++) {
		if (request_get(list[i]) != NULL)
			list[n++] = list[i];
	}
	o->n_readers = n;
}

/* Doubles the room for readers. */
static void
grow_readers(struct object *o, struct region *region)
{
	size_t cap = (size_t)2 << o->log_cap;
	struct request_ref one = o->readers.one;

	if (o->log_cap == 0) {
		o->readers.many = region_alloc(region, cap, sizeof one);
		o->readers.many[0] = one;
	} else {
		o->readers.many = region_resize(
		    region, o->readers.many, cap, sizeof one);
	}
	o->log_cap++;
}

void
object_add_reader(struct object *o, struct request *rq)
{
	uint32_t cap = (uint32_t)1 << o->log_cap;

	if (o->n_readers == cap) {
		prune_readers(o);
		/* Pruning stays rare if half of the room is free after it. */
		if (o->n_readers > cap / 2)
			grow_readers(o, rq->client->sim->region);
	}
	reader_list(o)[o->n_readers++] = request_ref(rq);
}

void
object_set_writer(struct object *o, struct request *rq)
{
	o->writer = request_ref(rq);
	o->n_readers = 0;
	o->first_engine = -1;
}
