/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/drm_fair.h"

#include <stdlib.h>

#include "engine/sched/drm_level.h"
#include "parser/mem.h"

enum { ALL, READY };

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

/* Heaps whose members know where they are, so that one can move in them. */

static bool
before(const struct fair_member *a, const struct fair_member *b)
{
	if (a->vruntime != b->vruntime)
		return a->vruntime < b->vruntime;
	return a->number < b->number;
}

static void
put(struct fair_queue *q, int which, size_t i, struct fair_member *m)
{
	q->heaps[which].members[i] = m;
	m->places[which] = (uint32_t)i + 1;
}

static void
move_up(struct fair_queue *q, int which, size_t i, struct fair_member *m)
{
	struct fair_member **members = q->heaps[which].members;

	while (i > 0 && before(m, members[(i - 1) / 2])) {
		put(q, which, i, members[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	put(q, which, i, m);
}

static void
move_down(struct fair_queue *q, int which, size_t i, struct fair_member *m)
{
	const struct fair_heap *heap = &q->heaps[which];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < heap->n &&
		    before(heap->members[child + 1], heap->members[child]))
			child++;
		if (child >= heap->n || !before(heap->members[child], m))
			break;
		put(q, which, i, heap->members[child]);
		i = child;
	}
	put(q, which, i, m);
}

static void
add(struct fair_queue *q, int which, struct fair_member *m)
{
	struct fair_heap *heap = &q->heaps[which];

	heap->members = mem_grow(
	    heap->members, heap->n, &heap->cap, sizeof(struct fair_member *));
	move_up(q, which, heap->n++, m);
}

static void
drop(struct fair_queue *q, int which, struct fair_member *m)
{
	struct fair_heap *heap = &q->heaps[which];
	struct fair_member *last = heap->members[--heap->n];
	size_t i = m->places[which] - 1;

	m->places[which] = 0;
	if (last == m)
		return;
	move_up(q, which, i, last);
	move_down(q, which, last->places[which] - 1, last);
}

static struct fair_member *
least(const struct fair_queue *q, int which)
{
	return q->heaps[which].n > 0 ? q->heaps[which].members[0] : NULL;
}

void
fair_queue_free(struct fair_queue *q)
{
	free(q->heaps[ALL].members);
	free(q->heaps[READY].members);
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
	const struct fair_member *head = least(q, ALL);

	if (head != NULL) {
		if (m->vruntime == 0)
			m->vruntime = offset_at_the_top(q, m, head);
		m->vruntime = sum(head->vruntime, m->vruntime);
	}
	add(q, ALL, m);
}

void
fair_queue_ready(struct fair_queue *q, struct fair_member *m)
{
	add(q, READY, m);
}

struct fair_member *
fair_queue_first(const struct fair_queue *q)
{
	return least(q, READY);
}

static void
save_offset(const struct fair_queue *q, struct fair_member *m)
{
	const struct fair_member *head = least(q, ALL);

	if (head != NULL && m->vruntime > head->vruntime)
		m->vruntime -= head->vruntime;
	else
		m->vruntime = 0;
}

void
fair_queue_take(struct fair_queue *q, struct fair_member *m, bool more)
{
	drop(q, READY, m);
	if (!more) {
		drop(q, ALL, m);
		save_offset(q, m);
		return;
	}
	m->vruntime = sum(m->vruntime, weighted(m->uncharged, m->level));
	m->uncharged = 0;
	move_down(q, ALL, m->places[ALL] - 1, m);
}

void
fair_queue_withdraw(struct fair_queue *q, struct fair_member *m)
{
	if (m->places[READY] > 0)
		drop(q, READY, m);
	if (m->places[ALL] > 0)
		drop(q, ALL, m);
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
