/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/guc_ctb.h"

#include <stddef.h>

#include "engine/sched/guc_queue.h"
#include "engine/sim.h"

/* A queue that GuC does not know yet: the message that registers it, and that
 * with its policies (guc_context_policy_init_v70). */
#define REGISTRATION_MESSAGES 2

static struct guc *
guc_of(const struct sim *sim)
{
	return sim->sched_data;
}

static struct guc_ctb *
ctb_of(const struct sim *sim, const struct request *rq)
{
	const struct hw_engine *e =
	    &sim->device.engines[guc_first(rq->allowed)];

	return &guc_of(sim)->ctbs.of_gt[e->gt];
}

static struct guc_queue *
queue_of(struct pairing_node *node)
{
	return (struct guc_queue *)(void *)((char *)node -
	    offsetof(struct guc_queue, letter.node));
}

/* An instant is made; what there is room for is handed over in its steps. */
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

/* The number of messages that q has to send; all of the buffer at most. */
static unsigned
count_messages(const struct guc_ctbs *ctbs, const struct guc_queue *q)
{
	unsigned n = 1;

	if (q->id_state == GUC_ID_NONE)
		n += REGISTRATION_MESSAGES;
	return n < ctbs->capacity ? n : ctbs->capacity;
}

/* The time from which there is room for that many more. */
static nsec
room_at(const struct guc_ctbs *ctbs, const struct guc_ctb *ctb, unsigned n)
{
	nsec all_but_n = (ctbs->capacity - n) * ctbs->message_ns;

	return ctb->empty_at > all_but_n ? ctb->empty_at - all_but_n : 0;
}

static bool
has_room(const struct sim *sim, const struct guc_ctb *ctb, unsigned n)
{
	return room_at(&guc_of(sim)->ctbs, ctb, n) <= sim->now;
}

static void
put_in(struct sim *sim, struct guc_ctb *ctb, unsigned n)
{
	ctb->empty_at = nsec_later(ctb->empty_at, sim->now) +
	    n * guc_of(sim)->ctbs.message_ns;
}

/* Bands are -1, 0, 1; 0 is the key of the one that found the buffer full. */
static uint64_t
key_of(const struct request *rq)
{
	return (uint64_t)(2 - rq->priority);
}

static void
wait_for_room(struct sim *sim, struct guc_queue *q, struct request *rq)
{
	struct guc_ctbs *ctbs = &guc_of(sim)->ctbs;

	ctbs->n_stalls++;
	if (q->letter.n++ > 0)
		return;
	q->letter.first = rq;
	q->letter.node.key = key_of(rq);
	q->letter.node.seq = ++ctbs->last;
	pairing_add(&ctb_of(sim, rq)->waiting, &q->letter.node);
	ctbs->n_waiting++;
}

bool
guc_ctb_takes(struct sim *sim, struct guc_queue *q, struct request *rq)
{
	struct guc_ctbs *ctbs = &guc_of(sim)->ctbs;
	struct guc_ctb *ctb;
	unsigned n;

	if (ctbs->capacity == 0)
		return true;
	ctb = ctb_of(sim, rq);
	n = count_messages(ctbs, q);
	if (ctb->waiting.first != NULL || !has_room(sim, ctb, n)) {
		wait_for_room(sim, q, rq);
		return false;
	}
	put_in(sim, ctb, n);
	return true;
}

static struct guc_queue *
take_next(struct sim *sim, struct guc_ctb *ctb)
{
	struct guc_ctbs *ctbs = &guc_of(sim)->ctbs;
	struct guc_queue *q = queue_of(ctb->waiting.first);
	unsigned n = count_messages(ctbs, q);

	if (!has_room(sim, ctb, n)) {
		/* It stays in front, whoever comes. */
		q->letter.node.key = 0;
		timer_set(&sim->events, &ctb->room, room_at(ctbs, ctb, n));
		return NULL;
	}
	put_in(sim, ctb, n);
	pairing_remove(&ctb->waiting, &q->letter.node);
	ctbs->n_waiting--;
	return q;
}

struct guc_queue *
guc_ctb_next(struct sim *sim, struct request **first, uint32_t *n)
{
	struct guc_ctbs *ctbs = &guc_of(sim)->ctbs;

	for (unsigned i = 0; i < GUC_MAX_GTS && ctbs->n_waiting > 0; i++) {
		struct guc_ctb *ctb = &ctbs->of_gt[i];
		struct guc_queue *q = NULL;

		if (ctb->waiting.first != NULL)
			q = take_next(sim, ctb);
		if (q == NULL)
			continue;
		*first = q->letter.first;
		*n = q->letter.n;
		q->letter.n = 0;
		return q;
	}
	return NULL;
}

void
guc_ctb_raised(struct sim *sim, struct request *rq)
{
	struct guc_queue *q = rq->ring->sched_data;
	struct guc_ctb *ctb;

	if (guc_ctb_count(sim, q) == 0 || q->letter.first != rq ||
	    q->letter.node.key == 0)
		return;
	ctb = ctb_of(sim, rq);
	pairing_remove(&ctb->waiting, &q->letter.node);
	q->letter.node.key = key_of(rq);
	pairing_add(&ctb->waiting, &q->letter.node);
}

uint32_t
guc_ctb_count(const struct sim *sim, const struct guc_queue *q)
{
	return guc_of(sim)->ctbs.capacity > 0 ? q->letter.n : 0;
}

bool
guc_ctb_holds(
    const struct sim *sim, const struct guc_queue *q, const struct request *rq)
{
	return guc_ctb_count(sim, q) > 0 && rq->seq >= q->letter.first->seq;
}
