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

struct arrow_end;

/* From a signaler to a waiter. */
struct arrow {
	struct arrow *next_from, *next_to;
	uint64_t id, waiter;
	struct arrow_end *signaler; /* NULL: it has dropped the arrow */
	bool has_waiter;            /* the waiter has not dropped it */
	bool for_start;             /* it waits for the signaler to start */
	uint64_t drawn; /* start of the slice it begins in; NEVER: none */
	uint64_t stage; /* id of the signaler's last render stage; 0: none */
};

/* A request with arrows. */
struct arrow_end {
	struct chain_node node;  /* by seq */
	struct arrow *from, *to; /* that begin, and end, at it */
	uint64_t since;          /* start of its run; NEVER: unknown */
	bool started;            /* it had a slice */
};

static struct arrow_end *
arrow_end_of(const struct arrows *a, uint64_t seq)
{
	return (struct arrow_end *)(void *)chains_find(&a->ends, NULL, seq);
}

static struct arrow_end *
make_arrow_end(struct arrows *a, uint64_t seq)
{
	struct arrow_end *end = arrow_end_of(a, seq);

	if (end != NULL)
		return end;
	end = mem_calloc(1, sizeof(*end));
	end->node.n = seq;
	end->since = NEVER;
	chains_add(&a->ends, &end->node);
	return end;
}

static void
free_if_dropped(struct arrow *arrow)
{
	if (arrow->signaler == NULL && !arrow->has_waiter)
		free(arrow);
}

static void
drop_from(struct arrow_end *end)
{
	while (end->from != NULL) {
		struct arrow *arrow = end->from;

		end->from = arrow->next_from;
		arrow->signaler = NULL;
		free_if_dropped(arrow);
	}
}

static void
drop_to(struct arrow_end *end)
{
	while (end->to != NULL) {
		struct arrow *arrow = end->to;

		end->to = arrow->next_to;
		arrow->has_waiter = false;
		free_if_dropped(arrow);
	}
}

static void
arrow_end_free(struct chain_node *node)
{
	struct arrow_end *end = (struct arrow_end *)(void *)node;

	drop_from(end);
	drop_to(end);
	free(end);
}

void
arrows_forget(struct arrows *a)
{
	chains_sweep(&a->ends, NULL, NULL, arrow_end_free);
}

void
arrows_free(struct arrows *a)
{
	arrows_forget(a);
	chains_free(&a->ends);
	free(a->from);
	free(a->to);
	free(a->stages);
	*a = (struct arrows){0};
}

/* A request that waits for another for several reasons has one arrow. */
static bool
is_arrow_there(
    const struct arrow_end *signaler, uint64_t waiter, bool for_start)
{
	const struct arrow *newest = signaler->from;

	return newest != NULL && newest->waiter == waiter &&
	    (for_start || !newest->for_start);
}

void
arrows_add(struct arrows *a, uint64_t waiter, uint64_t signaler, bool for_start)
{
	struct arrow_end *from = make_arrow_end(a, signaler),
			 *to = make_arrow_end(a, waiter);
	struct arrow *arrow;

	if (is_arrow_there(from, waiter, for_start))
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
	    .has_waiter = true,
	};
	from->from = to->to = arrow;
}

static void
add_id(uint64_t **list, size_t *n, size_t *cap, uint64_t id)
{
	*list = mem_grow(*list, *n, cap, sizeof(**list));
	(*list)[(*n)++] = id;
}

/* Begins arrows at a slice: those for the start at its start, or others at its
 * end. */
static void
begin_arrows(struct arrows *a, const struct arrow_end *end, uint64_t start,
    bool for_start)
{
	for (struct arrow *arrow = end->from; arrow != NULL;
	     arrow = arrow->next_from) {
		if (arrow->for_start != for_start)
			continue;
		arrow->drawn = start;
		add_id(&a->from, &a->n_from, &a->cap_from, arrow->id);
	}
}

/* True if the signaler has a slice, or will have, that does not start later
 * than this one. */
static bool
is_drawn(const struct arrow *arrow, uint64_t start, uint64_t now)
{
	const struct arrow_end *s = arrow->signaler;

	if (arrow->drawn != NEVER || !arrow->for_start || s == NULL)
		return arrow->drawn <= start;
	return !s->started && s->since <= start && s->since < now;
}

static void
end_arrows(
    struct arrows *a, struct arrow_end *end, uint64_t start, uint64_t now)
{
	a->n_stages = 0;
	a->waiter = end->node.n;
	for (struct arrow *arrow = end->to; arrow != NULL;
	     arrow = arrow->next_to) {
		if (is_drawn(arrow, start, now))
			add_id(&a->to, &a->n_to, &a->cap_to, arrow->id);
		if (arrow->stage != 0 && !arrow->for_start)
			add_id(&a->stages, &a->n_stages, &a->cap_stages,
			    arrow->stage);
	}
	drop_to(end);
}

void
arrows_runs(struct arrows *a, uint64_t seq, uint64_t now)
{
	struct arrow_end *end = arrow_end_of(a, seq);

	if (end != NULL)
		end->since = now;
}

void
arrows_slice(
    struct arrows *a, uint64_t seq, uint64_t start, uint64_t now, bool last)
{
	struct arrow_end *end = arrow_end_of(a, seq);

	a->n_from = a->n_from_start = a->n_to = 0;
	if (end == NULL)
		return;
	end->since = NEVER;
	if (start == now)
		return;
	if (!end->started)
		begin_arrows(a, end, start, true);
	a->n_from_start = a->n_from;
	if (last)
		begin_arrows(a, end, start, false);
	end_arrows(a, end, start, now);
	end->started = true;
}

void
arrows_stage(struct arrows *a, uint64_t seq, uint64_t stage)
{
	struct arrow_end *end = arrow_end_of(a, seq);
	struct arrow *arrow = end != NULL ? end->from : NULL;

	for (; arrow != NULL; arrow = arrow->next_from)
		arrow->stage = stage;
}

const uint64_t *
arrows_take_stages(struct arrows *a, uint64_t seq, size_t *n)
{
	*n = a->waiter == seq ? a->n_stages : 0;
	if (a->waiter == seq)
		a->n_stages = 0;
	return a->stages;
}

void
arrows_gone(struct arrows *a, uint64_t seq)
{
	struct arrow_end *end = arrow_end_of(a, seq);

	if (end == NULL)
		return;
	chains_remove(&a->ends, &end->node);
	arrow_end_free(&end->node);
}
