/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/drm_fair.h"

#include <stdlib.h>

#include "engine/sched/drm_level.h"
#include "parser/mem.h"

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

/* 4-ary heaps whose members know where they are, so that one can leave from
 * the middle. */

#define ARITY 4

/* Without branches, which nothing could predict. */
static inline bool
before(const struct fair_entry *a, const struct fair_entry *b)
{
	bool lower = a->vruntime < b->vruntime;
	bool same = a->vruntime == b->vruntime;

	return lower | (same & (a->number < b->number));
}

static inline size_t
lesser(const struct fair_entry *e, size_t a, size_t b)
{
	size_t b_is_less = before(&e[b], &e[a]);

	return a + b_is_less * (b - a);
}

static void
put(struct fair_heap *heap, size_t i, struct fair_entry entry)
{
	heap->entries[i] = entry;
	entry.member->place = (uint32_t)i + 1;
}

/* Into the gap at i, or above. */
static void
move_up(struct fair_heap *heap, size_t i, struct fair_entry entry)
{
	while (i > 0 && before(&entry, &heap->entries[(i - 1) / ARITY])) {
		put(heap, i, heap->entries[(i - 1) / ARITY]);
		i = (i - 1) / ARITY;
	}
	put(heap, i, entry);
}

static size_t
least_child(const struct fair_heap *heap, size_t i)
{
	const struct fair_entry *e = heap->entries;
	size_t first = i * ARITY + 1, least = first;

	if (first + ARITY <= heap->n)
		return lesser(e, lesser(e, first, first + 1),
		    lesser(e, first + 2, first + 3));
	for (size_t c = first + 1; c < heap->n; c++)
		least = lesser(e, least, c);
	return least;
}

/* Into the gap at i, or below. */
static void
move_down(struct fair_heap *heap, size_t i, struct fair_entry entry)
{
	while (i * ARITY + 1 < heap->n) {
		size_t child = least_child(heap, i);

		if (!before(&heap->entries[child], &entry))
			break;
		put(heap, i, heap->entries[child]);
		i = child;
	}
	put(heap, i, entry);
}

static struct fair_heap *
heap_of(struct fair_queue *q, const struct fair_member *m)
{
	return m->is_ready ? &q->ready : &q->blocked;
}

static void
add(struct fair_queue *q, struct fair_member *m, bool is_ready)
{
	struct fair_heap *heap;

	m->is_ready = is_ready;
	heap = heap_of(q, m);
	heap->entries = mem_grow(
	    heap->entries, heap->n, &heap->cap, sizeof *heap->entries);
	move_up(
	    heap, heap->n++, (struct fair_entry){m->vruntime, m->number, m});
}

static void
drop(struct fair_queue *q, struct fair_member *m)
{
	struct fair_heap *heap = heap_of(q, m);
	struct fair_entry last = heap->entries[--heap->n];
	size_t i = m->place - 1;

	m->place = 0;
	if (last.member == m)
		return;
	if (i > 0 && before(&last, &heap->entries[(i - 1) / ARITY]))
		move_up(heap, i, last);
	else
		move_down(heap, i, last);
}

/* Of all; NULL: there is none. */
static const struct fair_member *
least(const struct fair_queue *q)
{
	const struct fair_entry *blocked = q->blocked.entries;
	const struct fair_entry *ready = q->ready.entries;

	if (q->ready.n == 0)
		return q->blocked.n > 0 ? blocked->member : NULL;
	if (q->blocked.n == 0)
		return ready->member;
	return before(ready, blocked) ? ready->member : blocked->member;
}

void
fair_queue_free(struct fair_queue *q)
{
	free(q->blocked.entries);
	free(q->ready.entries);
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
	return q->ready.n > 0 ? q->ready.entries->member : NULL;
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
	if (m->place > 0)
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
