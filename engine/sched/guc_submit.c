/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From submission to GuC: what requests wait for, the message buffer, and
 * handing over. */
#include "engine/sched/guc.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/region.h"
#include "base/util.h"
#include "engine/gpu/exec.h"
#include "engine/instant.h"
#include "engine/sched/dependency.h"
#include "engine/sched/parallel.h"
#include "engine/sim.h"

/* Messages for a queue that GuC does not know yet: its registration, and its
 * policies (guc_context_policy_init_v70). */
#define REGISTRATION_MESSAGES 2

static struct guc_ctb *
ctb_of(const struct sim *sim, const struct request *rq)
{
	const struct hw_engine *e =
	    &sim->device.engines[guc_first(rq->allowed)];

	return &guc_of(sim)->ctbs.of_gt[e->gt];
}

static struct guc_queue *
ctb_queue_of(struct pairing_node *node)
{
	return container_of(node, struct guc_queue, ctb.node);
}

/* Causes an instant, whose steps hand over what there is room for. */
static void
on_room(struct sim *sim, struct timer *timer)
{
	(void)sim;
	(void)timer;
}

bool
guc_ctb_is_limited(const struct profile *profile)
{
	return profile->guc_ctb_messages > 0 && profile->guc_ctb_message_ns > 0;
}

void
guc_ctb_init(struct sim *sim, struct guc_ctbs *ctbs)
{
	const struct profile *profile = &sim->config.profile;

	if (!guc_ctb_is_limited(profile))
		return;
	ctbs->capacity = profile->guc_ctb_messages;
	ctbs->message_ns = profile->guc_ctb_message_ns;
	for (unsigned i = 0; i < GUC_MAX_GTS; i++)
		timer_init(&ctbs->of_gt[i].room, on_room);
}

/* Returns the number of messages that q needs, at most the whole buffer. */
static unsigned
count_messages(const struct guc_ctbs *ctbs, const struct guc_queue *q)
{
	unsigned n = 1;

	if (q->id_state == GUC_ID_NONE)
		n += REGISTRATION_MESSAGES;
	return n < ctbs->capacity ? n : ctbs->capacity;
}

/* Returns when there is room for n more messages. */
static nsec
room_at(const struct guc_ctbs *ctbs, const struct guc_ctb *ctb, unsigned n)
{
	nsec all_but_n = (ctbs->capacity - n) * ctbs->message_ns;

	return ctb->empty_at > all_but_n ? ctb->empty_at - all_but_n : 0;
}

static bool
ctb_has_room(const struct sim *sim, const struct guc_ctb *ctb, unsigned n)
{
	return room_at(&guc_of(sim)->ctbs, ctb, n) <= sim->now;
}

static void
ctb_put(struct sim *sim, struct guc_ctb *ctb, unsigned n)
{
	ctb->empty_at = nsec_later(ctb->empty_at, sim->now) +
	    n * guc_of(sim)->ctbs.message_ns;
}

/* Returns the key of a queue that waits for room: bands are -1, 0, 1; key 0 is
 * kept for the queue that found the buffer full. */
static uint64_t
ctb_key_of(const struct request *rq)
{
	return (uint64_t)(2 - rq->priority);
}

static void
wait_for_room(struct sim *sim, struct guc_queue *q, struct request *rq)
{
	struct guc_ctbs *ctbs = &guc_of(sim)->ctbs;

	ctbs->n_stalls++;
	if (q->ctb.n++ > 0)
		return;
	q->ctb.first = rq;
	q->ctb.node.key = ctb_key_of(rq);
	q->ctb.node.seq = ++ctbs->last;
	pairing_add(&ctb_of(sim, rq)->waiting, &q->ctb.node);
	ctbs->n_waiting++;
}

static bool
ctb_accepts(struct sim *sim, struct guc_queue *q, struct request *rq)
{
	struct guc_ctbs *ctbs = &guc_of(sim)->ctbs;
	struct guc_ctb *ctb;
	unsigned n;

	if (ctbs->capacity == 0)
		return true;
	ctb = ctb_of(sim, rq);
	n = count_messages(ctbs, q);
	if (ctb->waiting.first != NULL || !ctb_has_room(sim, ctb, n)) {
		wait_for_room(sim, q, rq);
		return false;
	}
	ctb_put(sim, ctb, n);
	return true;
}

static struct guc_queue *
ctb_take_next(struct sim *sim, struct guc_ctb *ctb)
{
	struct guc_ctbs *ctbs = &guc_of(sim)->ctbs;
	struct guc_queue *q = ctb_queue_of(ctb->waiting.first);
	unsigned n = count_messages(ctbs, q);

	if (!ctb_has_room(sim, ctb, n)) {
		/* From now on no other queue gets in front of it. */
		q->ctb.node.key = 0;
		timer_set(&sim->events, &ctb->room, room_at(ctbs, ctb, n));
		return NULL;
	}
	ctb_put(sim, ctb, n);
	pairing_remove(&ctb->waiting, &q->ctb.node);
	ctbs->n_waiting--;
	return q;
}

static struct guc_queue *
ctb_next(struct sim *sim, struct request **first, uint32_t *n)
{
	struct guc_ctbs *ctbs = &guc_of(sim)->ctbs;

	for (unsigned i = 0; i < GUC_MAX_GTS && ctbs->n_waiting > 0; i++) {
		struct guc_ctb *ctb = &ctbs->of_gt[i];
		struct guc_queue *q = NULL;

		if (ctb->waiting.first != NULL)
			q = ctb_take_next(sim, ctb);
		if (q == NULL)
			continue;
		*first = q->ctb.first;
		*n = q->ctb.n;
		q->ctb.n = 0;
		return q;
	}
	return NULL;
}

void
guc_ctb_raised(struct sim *sim, struct request *rq)
{
	struct guc_queue *q = rq->ring->sched_data;
	struct guc_ctb *ctb;

	if (guc_ctb_count(sim, q) == 0 || q->ctb.first != rq ||
	    q->ctb.node.key == 0)
		return;
	ctb = ctb_of(sim, rq);
	pairing_remove(&ctb->waiting, &q->ctb.node);
	q->ctb.node.key = ctb_key_of(rq);
	pairing_add(&ctb->waiting, &q->ctb.node);
}

uint32_t
guc_ctb_count(const struct sim *sim, const struct guc_queue *q)
{
	return guc_of(sim)->ctbs.capacity > 0 ? q->ctb.n : 0;
}

bool
guc_ctb_holds(
    const struct sim *sim, const struct guc_queue *q, const struct request *rq)
{
	return guc_ctb_count(sim, q) > 0 && rq->seq >= q->ctb.first->seq;
}

/* Submission and readiness. */

static int16_t
band_of(int priority)
{
	return (int16_t)((priority > 0) - (priority < 0));
}

/* Returns the fence of the signaler that ends the wait. A request waits for the
 * request before it on its ring to be handed over, for no other of its ring,
 * for the start of an s-n, and for the end of any other, on the same engine
 * too. NULL: rq need not wait. */
static struct fence *
guc_fence_of(const struct request *rq, const struct dependency *dep)
{
	struct request *signaler = dep->signaler;

	if (dep->cause == WAIT_TIMELINE)
		return &signaler->queued;
	if (signaler->ring == rq->ring)
		return NULL;
	if (dep->cause == WAIT_SUBMIT)
		return &signaler->scheduled;
	return &signaler->finished;
}

static void
on_band_raised(struct sim *sim, struct request *rq)
{
	parallel_raised(rq);
	guc_queue_raised(sim, rq);
}

void
guc_depends(struct sim *sim, struct request *rq, const struct dependency *deps,
    size_t n)
{
	struct guc *guc = sim->sched_data;

	if (guc_queue_of(guc, rq->ring)->banned)
		request_fail(rq, -ECANCELED);
	rq->priority = band_of(rq->priority);
	parallel_raised(rq);
	for (size_t i = 0; i < n; i++) {
		struct fence *f = guc_fence_of(rq, &deps[i]);

		if (f != NULL && !fence_signalled(f))
			instant_wait(sim, rq, f);
		else
			instant_note_signaler(sim, rq, deps[i].signaler);
	}
	dependency_raise(sim, rq, true, on_band_raised);
	guc_queues_move_raised(sim);
}

void
guc_count_waiting(struct sim *sim, const struct request *rq, int n)
{
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1)
		device_add_queued(
		    &sim->device, &sim->device.engines[guc_first(m)], n);
}

void
guc_ready(struct sim *sim, struct request *rq)
{
	struct guc *guc = sim->sched_data;

	parallel_ready(sim, rq);
	guc_count_waiting(sim, rq, 1);
	guc->ready = region_grow(sim->region, guc->ready, guc->n_ready,
	    &guc->cap_ready, sizeof(struct request *));
	guc->ready[guc->n_ready++] = rq;
}

/* Cancels the handed-over requests of a queue that waits for a context id when
 * all requests of its client are killed. */
static void
cancel_queue(struct sim *sim, struct guc_queue *q)
{
	guc_tdr_end(sim, q);
	q->state = GUC_IDLE;
	while (q->n_ready > 0) {
		struct request *rq = q->ring->first;

		q->n_ready--;
		guc_count_waiting(sim, rq, -1);
		exec_cancel(sim, rq, -EIO);
	}
	guc_ids_withdraw(sim, q);
}

static bool
is_orphaned(const struct guc_queue *q)
{
	return q->id_state == GUC_ID_WANTED &&
	    context_is_revoked(q->ring->context);
}

void
guc_ring_killed(struct sim *sim, struct ring *ring)
{
	if (is_orphaned(ring->sched_data))
		cancel_queue(sim, ring->sched_data);
}

static int
compare_ready(const void *a, const void *b)
{
	uint64_t x = (*(struct request *const *)a)->seq;
	uint64_t y = (*(struct request *const *)b)->seq;

	return x < y ? -1 : x > y;
}

/* Hands rq over to GuC. */
static void
submit_to_guc(struct sim *sim, struct request *rq)
{
	struct guc_queue *q = rq->ring->sched_data;

	guc_queue_add(sim, rq);
	if (is_orphaned(q))
		cancel_queue(sim, q);
}

/* Hands over the requests that waited for room, as far as there is room now. */
static void
send_waiting(struct sim *sim)
{
	struct request *rq;
	uint32_t n;

	while (ctb_next(sim, &rq, &n) != NULL) {
		while (n-- > 0) {
			struct request *next = rq->next_of_ring;

			submit_to_guc(sim, rq);
			rq = next;
		}
	}
}

/* Requests of one instant are handed over in order of submission. */
void
guc_hand_over(struct sim *sim)
{
	struct guc *guc = sim->sched_data;

	if (guc->n_ready > 1)
		qsort(guc->ready, guc->n_ready, sizeof(struct request *),
		    compare_ready);
	for (size_t i = 0; i < guc->n_ready; i++) {
		struct request *rq = guc->ready[i];

		if (guc->ctbs.capacity == 0 ||
		    ctb_accepts(sim, rq->ring->sched_data, rq))
			submit_to_guc(sim, rq);
	}
	guc->n_ready = 0;
	if (guc->ctbs.n_waiting > 0)
		send_waiting(sim);
}

void
guc_register_ready(struct sim *sim)
{
	struct guc_queue *q;

	while ((q = guc_ids_next(sim)) != NULL)
		guc_queue_registered(sim, q);
}
