/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/guc_tdr.h"

#include <errno.h>

#include "engine/event.h"
#include "engine/hang/revoke.h"
#include "engine/sched/guc_queue.h"
#include "engine/sched/preempt.h"
#include "engine/sim.h"

/* guc_exec_queue_timedout_job, check_timeout (xe_guc_submit.c): times that a job
 * may not have begun, and 5 % for what GuC needs. */
#define XE_STRIKES   2
#define XE_TOLERANCE 21 /* 1 - 1 / 1.05 = 1 / 21 */

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
note(struct sim *sim, struct guc_tdr *tdr, struct guc_queue *q)
{
	q->tdr.since = sim->now;
	q->tdr.prev = tdr->last;
	if (tdr->last != NULL)
		tdr->last->tdr.next = q;
	else
		tdr->first = q;
	tdr->last = q;
}

void
guc_tdr_ban(struct sim *sim, struct guc_queue *q)
{
	q->banned = true;
	for (struct request *rq = q->ring->first; rq != NULL;
	     rq = rq->next_of_ring)
		revoke_request(sim, rq, -ECANCELED, REVOKE_GRACE, HANG_JOB);
}

/* Has the job, which is the oldest of its queue, really run for so long, or had
 * its chance to begin? */
static bool
is_over_time(const struct sim *sim, nsec timeout, struct guc_queue *q)
{
	const struct request *rq = q->ring->first;
	nsec ran = rq->run_ns;

	if (!fence_signalled(&rq->scheduled))
		return ++q->tdr.strikes > XE_STRIKES;
	if (rq->piece_ns != NSEC_NEVER)
		ran += sim->now - rq->piece_ns;
	return ran >= timeout - timeout / XE_TOLERANCE;
}

/* Under Xe: false, it gets as long again. */
static bool
job_timed_out(struct sim *sim, const struct guc_tdr *tdr, struct guc_queue *q)
{
	struct request *rq = q->ring->first;

	if (!is_over_time(sim, tdr->timeout, q))
		return false;
	sim->n_timed_out++;
	observers_tell(sim, timed_out, rq);
	revoke_request(sim, rq, -ETIME,
	    preempt_timeout(sim, &sim->device.engines[guc_first(rq->allowed)]),
	    HANG_JOB);
	guc_tdr_ban(sim, q);
	return true;
}

static void
on_expiry(struct sim *sim, struct timer *timer)
{
	struct guc_tdr *tdr = tdr_of(sim);
	struct guc_queue *q;

	(void)timer;
	while ((q = tdr->first) != NULL && expiry_of(sim, tdr, q) <= sim->now) {
		unlink_queue(tdr, q);
		if (!sim->config.profile.xe)
			revoke_timed_out(sim, q->ring->first);
		else if (!job_timed_out(sim, tdr, q))
			note(sim, tdr, q);
	}
	watch_first(sim, tdr);
}

nsec
guc_tdr_timeout(const struct profile *profile)
{
	return profile->xe ? profile->job_timeout_ns
			   : profile->request_timeout_ns;
}

void
guc_tdr_init(struct sim *sim, struct guc_tdr *tdr)
{
	tdr->timeout = guc_tdr_timeout(&sim->config.profile);
	timer_init(&tdr->timer, on_expiry);
}

void
guc_tdr_begin(struct sim *sim, struct guc_queue *q)
{
	struct guc_tdr *tdr = tdr_of(sim);

	if (tdr->timeout == 0)
		return;
	q->tdr.strikes = 0;
	note(sim, tdr, q);
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
