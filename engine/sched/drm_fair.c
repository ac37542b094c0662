/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/drm_fair.h"

#include "engine/sched/drm_level.h"

/* "vruntime += GPU time << shift": so kernel gets twice what high gets, high
 * four times normal, normal eight times low. */
static const unsigned shifts[N_DRM_LEVELS] = {
    [DRM_KERNEL] = 1,
    [DRM_HIGH] = 2,
    [DRM_NORMAL] = 4,
    [DRM_LOW] = 7,
};

/* So that sums stay within 64 bits: a charge, and a virtual runtime. */
#define MAX_CHARGE_NS   ((nsec)1 << 50)
#define MAX_VRUNTIME_NS ((int64_t)1 << 61)

static int64_t
weighted(nsec ns, unsigned level)
{
	nsec charged = ns < MAX_CHARGE_NS ? ns : MAX_CHARGE_NS;

	return (int64_t)(charged << shifts[level]);
}

static int64_t
sum(int64_t a, int64_t b)
{
	return a + b < MAX_VRUNTIME_NS ? a + b : MAX_VRUNTIME_NS;
}

static struct pairing *
heap_of(struct fair_queue *q, const struct fair_member *m)
{
	return m->is_ready ? &q->ready : &q->blocked;
}

static void
add(struct fair_queue *q, struct fair_member *m, bool is_ready)
{
	/* In the order of signed numbers. */
	m->node.key = (uint64_t)m->vruntime ^ (uint64_t)1 << 63;
	m->is_queued = true;
	m->is_ready = is_ready;
	pairing_add(heap_of(q, m), &m->node);
}

static void
drop(struct fair_queue *q, struct fair_member *m)
{
	pairing_remove(heap_of(q, m), &m->node);
	m->is_queued = false;
}

static struct fair_member *
member_of(struct pairing_node *node)
{
	return (struct fair_member *)(void *)((char *)node -
	    offsetof(struct fair_member, node));
}

/* Of all; NULL: there is none. */
static const struct fair_member *
least(const struct fair_queue *q)
{
	struct pairing_node *blocked = q->blocked.first;
	struct pairing_node *ready = q->ready.first;

	if (ready == NULL)
		return blocked != NULL ? member_of(blocked) : NULL;
	if (blocked == NULL || pairing_before(ready, blocked))
		return member_of(ready);
	return member_of(blocked);
}

/* "Lower prio than current head: pushed back by (1 + own avg + sched avg us)
 * << shift; higher prio: just before head; equal prio: shorter average job
 * first." */
static int64_t
offset_at_the_top(const struct fair_queue *q, const struct fair_member *m,
    const struct fair_member *head)
{
	nsec us = 1 + m->average_ns / NSEC_PER_USEC +
	    q->average_ns / NSEC_PER_USEC;

	if (m->level > head->level)
		return weighted(us * NSEC_PER_USEC, m->level);
	if (m->level < head->level)
		return -1;
	return m->average_ns <= q->average_ns ? -1 : 1;
}

/* "Saved offset to the tree minimum is restored." */
void
fair_queue_join(struct fair_queue *q, struct fair_member *m)
{
	const struct fair_member *head = least(q);

	if (head != NULL) {
		if (m->vruntime == 0)
			m->vruntime = offset_at_the_top(q, m, head);
		m->vruntime = sum(head->vruntime, m->vruntime);
	}
	add(q, m, false);
}

void
fair_queue_ready(struct fair_queue *q, struct fair_member *m)
{
	drop(q, m);
	add(q, m, true);
}

struct fair_member *
fair_queue_first(const struct fair_queue *q)
{
	return q->ready.first != NULL ? member_of(q->ready.first) : NULL;
}

static void
save_offset(const struct fair_queue *q, struct fair_member *m)
{
	const struct fair_member *head = least(q);

	if (head != NULL && m->vruntime > head->vruntime)
		m->vruntime -= head->vruntime;
	else
		m->vruntime = 0;
}

void
fair_queue_take(struct fair_queue *q, struct fair_member *m, bool more)
{
	drop(q, m);
	if (!more) {
		save_offset(q, m);
		return;
	}
	m->vruntime = sum(m->vruntime, weighted(m->uncharged, m->level));
	m->uncharged = 0;
	add(q, m, false);
}

void
fair_queue_withdraw(struct fair_queue *q, struct fair_member *m)
{
	if (m->is_queued)
		drop(q, m);
}

static nsec
average(nsec old, nsec ran)
{
	return old == 0 ? ran : (old * 3 + ran) / 4;
}

void
fair_queue_ended(struct fair_queue *q, struct fair_member *m, nsec ran)
{
	m->uncharged += ran;
	m->average_ns = average(m->average_ns, ran);
	q->average_ns = average(q->average_ns, ran);
}
