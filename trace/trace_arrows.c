/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flows from signaler to waiter. An arrow is on the lists of both its ends and
 * is freed when both have dropped it: the waiter with its first slice, the
 * signaler when it has ended.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/trace_private.h"

#define NEVER UINT64_MAX

struct end;

/* Held by both its ends until those let it go. */
struct arrow {
	struct arrow *next_from, *next_to;
	uint64_t id, waiter;
	struct end *signaler; /* NULL: it has let go */
	bool held_to;
	bool for_start;
	uint64_t drawn; /* when the slice begins that it does; NEVER */
};

struct end {
	struct chain_node node; /* by seq */
	struct arrow *from, *to;
	uint64_t since; /* it runs, and had arrows then; NEVER: it does not */
	bool started;   /* it had a slice */
};

static struct end *
end_of(const struct arrows *a, uint64_t seq)
{
	return (struct end *)(void *)chains_find(&a->ends, NULL, seq);
}

static struct end *
make_end(struct arrows *a, uint64_t seq)
{
	struct end *end = end_of(a, seq);

	if (end != NULL)
		return end;
	end = mem_calloc(1, sizeof(*end));
	end->node.n = seq;
	end->since = NEVER;
	chains_add(&a->ends, &end->node);
	return end;
}

static void
free_if_let_go(struct arrow *arrow)
{
	if (arrow->signaler == NULL && !arrow->held_to)
		free(arrow);
}

static void
let_from_go(struct end *end)
{
	while (end->from != NULL) {
		struct arrow *arrow = end->from;

		end->from = arrow->next_from;
		arrow->signaler = NULL;
		free_if_let_go(arrow);
	}
}

static void
let_to_go(struct end *end)
{
	while (end->to != NULL) {
		struct arrow *arrow = end->to;

		end->to = arrow->next_to;
		arrow->held_to = false;
		free_if_let_go(arrow);
	}
}

static void
end_gone(struct chain_node *node)
{
	struct end *end = (struct end *)(void *)node;

	let_from_go(end);
	let_to_go(end);
	free(end);
}

void
arrows_forget(struct arrows *a)
{
	chains_sweep(&a->ends, NULL, NULL, end_gone);
}

void
arrows_free(struct arrows *a)
{
	arrows_forget(a);
	chains_free(&a->ends);
	free(a->from);
	free(a->to);
	*a = (struct arrows){0};
}

/* One may wait for another for several reasons: one arrow for them. */
static bool
is_there(const struct end *signaler, uint64_t waiter, bool for_start)
{
	const struct arrow *newest = signaler->from;

	return newest != NULL && newest->waiter == waiter &&
	    (for_start || !newest->for_start);
}

void
arrows_add(struct arrows *a, uint64_t waiter, uint64_t signaler, bool for_start)
{
	struct end *from = make_end(a, signaler), *to = make_end(a, waiter);
	struct arrow *arrow;

	if (is_there(from, waiter, for_start))
		return;
	arrow = mem_calloc(1, sizeof(*arrow));
	*arrow = (struct arrow){
	    .next_from = from->from,
	    .next_to = to->to,
	    .id = ++a->last,
	    .waiter = waiter,
	    .for_start = for_start,
	    .drawn = NEVER,
	    .signaler = from,
	    .held_to = true,
	};
	from->from = to->to = arrow;
}

static void
put(uint64_t **list, size_t *n, size_t *cap, uint64_t id)
{
	*list = mem_grow(*list, *n, cap, sizeof(**list));
	(*list)[(*n)++] = id;
}

/* Those that begin at this slice: at the first one, or at the last. */
static void
begin_arrows(struct arrows *a, const struct end *end, uint64_t start, bool last)
{
	for (struct arrow *arrow = end->from; arrow != NULL;
	     arrow = arrow->next_from) {
		if (arrow->for_start ? end->started : !last)
			continue;
		arrow->drawn = start;
		put(&a->from, &a->n_from, &a->cap_from, arrow->id);
	}
}

/* A slice of the signaler's is there, or will be (who starts has arrows by
 * then): it does not start later than this one. */
static bool
is_drawn(const struct arrow *arrow, uint64_t start, uint64_t now)
{
	const struct end *s = arrow->signaler;

	if (arrow->drawn != NEVER || !arrow->for_start || s == NULL)
		return arrow->drawn <= start;
	return !s->started && s->since <= start && s->since < now;
}

static void
end_arrows(struct arrows *a, struct end *end, uint64_t start, uint64_t now)
{
	for (struct arrow *arrow = end->to; arrow != NULL;
	     arrow = arrow->next_to)
		if (is_drawn(arrow, start, now))
			put(&a->to, &a->n_to, &a->cap_to, arrow->id);
	let_to_go(end);
}

void
arrows_runs(struct arrows *a, uint64_t seq, uint64_t now)
{
	struct end *end = end_of(a, seq);

	if (end != NULL)
		end->since = now;
}

void
arrows_slice(
    struct arrows *a, uint64_t seq, uint64_t start, uint64_t now, bool last)
{
	struct end *end = end_of(a, seq);

	a->n_from = a->n_to = 0;
	if (end == NULL)
		return;
	end->since = NEVER;
	if (start == now)
		return;
	begin_arrows(a, end, start, last);
	end_arrows(a, end, start, now);
	end->started = true;
}

void
arrows_gone(struct arrows *a, uint64_t seq)
{
	struct end *end = end_of(a, seq);

	if (end == NULL)
		return;
	chains_remove(&a->ends, &end->node);
	end_gone(&end->node);
}
