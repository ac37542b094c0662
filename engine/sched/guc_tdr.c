/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/guc_tdr.h"

#include <errno.h>

#include "engine/hang/revoke.h"
#include "engine/jiffies.h"
#include "engine/sched/guc_queue.h"
#include "engine/sim.h"

static struct guc_tdr *
tdr_of(const struct sim *sim)
{
	return &((struct guc *)sim->sched_data)->tdr;
}

static nsec
expiry_of(
    const struct sim *sim, const struct guc_tdr *tdr, const struct guc_queue *q)
{
	return jiffies_expiry(
	    &sim->config.profile, q->tdr.since + tdr->timeout);
}

static void
watch_first(struct sim *sim, struct guc_tdr *tdr)
{
	timer_set(&sim->events, &tdr->timer,
	    tdr->first != NULL ? expiry_of(sim, tdr, tdr->first) : NSEC_NEVER);
}

static void
unlink_queue(struct guc_tdr *tdr, struct guc_queue *q)
{
	if (q->tdr.prev != NULL)
		q->tdr.prev->tdr.next = q->tdr.next;
	else
		tdr->first = q->tdr.next;
	if (q->tdr.next != NULL)
		q->tdr.next->tdr.prev = q->tdr.prev;
	else
		tdr->last = q->tdr.prev;
	q->tdr.prev = q->tdr.next = NULL;
}

static void
on_expiry(struct sim *sim, struct timer *timer)
{
	struct guc_tdr *tdr = tdr_of(sim);
	struct guc_queue *q;

	(void)timer;
	while ((q = tdr->first) != NULL && expiry_of(sim, tdr, q) <= sim->now) {
		unlink_queue(tdr, q);
		revoke_timed_out(sim, q->ring->first);
	}
	watch_first(sim, tdr);
}

void
guc_tdr_init(struct sim *sim, struct guc_tdr *tdr)
{
	tdr->timeout = sim->config.profile.request_timeout_ns;
	timer_init(&tdr->timer, on_expiry);
}

void
guc_tdr_begin(struct sim *sim, struct guc_queue *q)
{
	struct guc_tdr *tdr = tdr_of(sim);

	if (tdr->timeout == 0)
		return;
	q->tdr.since = sim->now;
	q->tdr.prev = tdr->last;
	if (tdr->last != NULL)
		tdr->last->tdr.next = q;
	else
		tdr->first = q;
	tdr->last = q;
	if (tdr->first == q)
		watch_first(sim, tdr);
}

void
guc_tdr_end(struct sim *sim, struct guc_queue *q)
{
	struct guc_tdr *tdr = tdr_of(sim);
	bool first = tdr->first == q;

	if (tdr->timeout == 0 || (!first && q->tdr.prev == NULL))
		return; /* it has expired */
	unlink_queue(tdr, q);
	if (first)
		watch_first(sim, tdr);
}
