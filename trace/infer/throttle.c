/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits that reach into the iteration before can only be written as a t, which
 * counts steps, its own kind included (doc/model/infer.md "Throttles"). So where
 * a t is, and what it says, depend on each other: both are settled together.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "parser/step.h"
#include "trace/infer/infer_private.h"

#define MAX_ROUNDS 8

/* A layout: before which batches a t is. */
struct t_layout {
	const struct found *f;
	const struct made *made;
	const uint32_t *targets;
	bool *has_t;      /* by position */
	uint32_t *values; /* what it says */
	uint32_t *at;     /* steps of the batches with these t */
	uint32_t n_steps;
};

static void
lay_out(struct t_layout *l)
{
	uint32_t n = 0;

	for (uint32_t p = 0; p < l->f->length; p++) {
		n += l->has_t[p];
		l->at[p] = l->made->step_of[p] + n;
	}
	l->n_steps = l->made->n + n;
}

/* Steps back from the batch at p to that of its target, around the start. */
static uint32_t
steps_back(const struct t_layout *l, uint32_t p)
{
	uint32_t back = (l->at[p] + l->n_steps - l->at[l->targets[p]]) %
	    l->n_steps;

	return back > 0 ? back : l->n_steps;
}

/* The position of the batch that t.back before the batch at p waits for. */
static uint32_t
batch_back(const struct t_layout *l, uint32_t p, uint32_t back)
{
	uint32_t to = (l->at[p] + l->n_steps - back % l->n_steps) % l->n_steps;
	uint32_t found = (uint32_t)lower_bound(
	    i, 0, l->f->length, l->at[i] <= to);

	return found > 0 ? found - 1 : l->f->length - 1;
}

/* True if that wait would not have held the client up in nearly any iteration
 * that was seen. */
static bool
delays_nothing(const struct t_layout *l, uint32_t p, uint32_t back)
{
	const struct found *f = l->f;
	uint32_t target = batch_back(l, p, back), n_late = 0;
	uint32_t distance = target < p ? p - target : p + f->length - target;

	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t at = f->begins[f->sampled[i]] + p;

		n_late += at >= distance &&
		    f->s->seen[at - distance].end >
			f->s->seen[at].queued + f->s->near_ns;
	}
	return (double)n_late <=
	    (double)f->n_sampled * (1 - infer_thresholds.holds);
}

/* Returns the value of t at batch p; now, its value so far, where that means the
 * same. */
static uint32_t
wanted_throttle(const struct t_layout *l, uint32_t p, uint32_t now)
{
	if (l->targets[p] == INFER_NONE)
		return now > 0 && delays_nothing(l, p, now) ? now : 0;
	return now > 0 && batch_back(l, p, now) == l->targets[p]
	    ? now
	    : steps_back(l, p);
}

/* Sets what t must say at each batch; returns true if the layout has those that
 * change it, and no others. */
static bool
settle(struct t_layout *l)
{
	uint32_t now = 0;
	bool settled = true, is_set = false;

	lay_out(l);
	for (uint32_t p = 0; p < l->f->length; p++)
		if (l->has_t[p])
			now = l->values[p];
	for (uint32_t p = 0; p < l->f->length; p++) {
		uint32_t wanted = wanted_throttle(l, p, now);
		bool needs_t = wanted != now ||
		    (l->targets[p] != INFER_NONE && !is_set);

		is_set |= needs_t;
		if (l->has_t[p] != needs_t ||
		    (needs_t && l->values[p] != wanted))
			settled = false;
		l->has_t[p] = needs_t;
		l->values[p] = now = wanted;
	}
	return settled;
}

/* The layout that is always possible: a t before each batch that waits, and one
 * that ends it before the next that does not. */
static void
lay_out_all(struct t_layout *l)
{
	uint32_t n = l->f->length;

	for (uint32_t p = 0; p < n; p++)
		l->has_t[p] = l->targets[p] != INFER_NONE ||
		    l->targets[(p + n - 1) % n] != INFER_NONE;
	lay_out(l);
	for (uint32_t p = 0; p < n; p++)
		l->values[p] = l->targets[p] != INFER_NONE ? steps_back(l, p)
							   : 0;
}

static void
insert_throttles(struct t_layout *l, struct made *made)
{
	struct made_step *steps = mem_calloc(l->n_steps, sizeof(*steps));
	uint32_t n = 0, p = 0;

	for (uint32_t i = 0; i < made->n; i++) {
		bool is_batch = made->steps[i].kind == STEP_BATCH;

		if (is_batch && l->has_t[p])
			steps[n++] = (struct made_step){.kind = STEP_THROTTLE,
			    .number = l->values[p],
			    .position = p};
		if (is_batch)
			made->step_of[p++] = n;
		steps[n++] = made->steps[i];
	}
	free(made->steps);
	made->steps = steps;
	made->n = n;
	made->cap = n;
}

void
infer_make_throttles(
    struct found *f, struct made *made, const uint32_t *targets)
{
	struct t_layout l = {.f = f,
	    .made = made,
	    .targets = targets,
	    .has_t = mem_calloc(f->length, sizeof(*l.has_t)),
	    .values = mem_calloc(f->length, sizeof(*l.values)),
	    .at = mem_calloc(f->length, sizeof(*l.at))};
	bool settled = false;

	for (unsigned i = 0; i < MAX_ROUNDS && !settled; i++)
		settled = settle(&l);
	if (!settled)
		lay_out_all(&l);
	lay_out(&l);
	insert_throttles(&l, made);
	for (uint32_t i = 0; i < made->n; i++)
		if (made->steps[i].kind == STEP_SYNC)
			made->steps[i].number = i -
			    made->step_of[made->steps[i].position];
	free(l.has_t);
	free(l.values);
	free(l.at);
}
