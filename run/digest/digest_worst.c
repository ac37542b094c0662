/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the worst missed periods and the slowest batches of a run, explained in
 * the words of W. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "engine/explain/trail.h"
#include "engine/explain/why.h"
#include "engine/sim.h"
#include "run/digest/digest.h"
#include "run/plan.h"

static void
describe_past_step(void *data, const struct trail_request *r, struct text *out)
{
	size_t len;
	const char *text = run_past_step_text(data, r, &len);

	text_add_visible(out, text, len);
}

static void
describe_others(
    void *data, unsigned engine, nsec from, nsec to, struct text *out)
{
	run_add_other_users(data, engine, from, to, out);
}

/* Returns a new entry of that cost at its place; NULL: it is not among the worst.
 * Equal entries stay in the order in which they came. */
static struct digest_worst *
insert_worst(struct digest *d, enum digest_kind kind, nsec cost)
{
	struct digest_worst *list = d->worst[kind];
	unsigned *n = &d->n_worst[kind], at = *n;

	while (at > 0 && list[at - 1].cost < cost)
		at--;
	if (at == DIGEST_WORST)
		return NULL;
	if (*n < DIGEST_WORST)
		++*n;
	memmove(&list[at + 1], &list[at], (*n - 1 - at) * sizeof *list);
	list[at] = (struct digest_worst){
	    .cost = cost, .due = NSEC_NEVER, .is_new = 1};
	return &list[at];
}

void
digest_batch_ended(struct digest *d, const struct request *rq)
{
	nsec latency = d->sim->now - rq->submit_ns;
	unsigned n = d->n_worst[DIGEST_SLOWEST];
	struct batch_name name;
	struct digest_worst *w;

	if (n == DIGEST_WORST &&
	    d->worst[DIGEST_SLOWEST][n - 1].cost >= latency)
		return;
	w = insert_worst(d, DIGEST_SLOWEST, latency);
	name = batch_name_of(rq);
	w->from = rq->submit_ns;
	w->to = d->sim->now;
	w->id = rq->seq;
	w->iteration = rq->origin.iteration;
	w->client = name.client;
	w->context = name.context;
	w->place = name.place;
}

static void
look_at_miss(struct digest *d, const struct trail_miss *miss, uint64_t id)
{
	struct digest_worst *w = insert_worst(
	    d, DIGEST_MISSES, miss->came_ns - miss->due_ns);

	if (w == NULL)
		return;
	w->from = miss->started_ns;
	w->to = miss->came_ns;
	w->due = miss->due_ns;
	w->id = id;
	w->iteration = miss->iteration;
	w->client = miss->client;
	w->place = miss->place;
}

/* Copies an answer, as far as there is room. */
static void
keep_why(struct digest_why *to, const struct why *why)
{
	size_t used = 0;

	*to = (struct digest_why){.n = 0};
	for (size_t i = 0; i < why->n; i++) {
		const struct why_row *row = &why->rows[i];
		const char *words = why_text(why, i);
		size_t size = strlen(words) + 1;

		if (to->n == DIGEST_WHY_ROWS || used + size > sizeof to->text) {
			to->n_more = (unsigned)(why->n - i);
			return;
		}
		memcpy(to->text + used, words, size);
		to->rows[to->n++] = (struct digest_row){
		    .ns = row->to_ns - row->from_ns,
		    .text = (uint32_t)used,
		    .indent = row->indent,
		    .role = (uint16_t)row->role,
		};
		used += size;
	}
}

static void
explain_worst(struct digest *d, enum digest_kind kind, struct why *why)
{
	for (unsigned i = 0; i < d->n_worst[kind]; i++) {
		struct digest_worst *w = &d->worst[kind][i];
		bool known;

		if (!w->is_new)
			continue;
		known = kind == DIGEST_MISSES
		    ? why_miss(why, d->trail, d->sim, w->id)
		    : why_request(why, d->trail, d->sim, w->id);
		w->is_new = 0;
		if (known)
			keep_why(&w->why, why);
	}
}

/* Makes the picture of the worst miss, or else of the slowest batch, if it is
 * another than before. */
static void
draw_worst(struct digest *d)
{
	enum digest_kind kind = d->n_worst[DIGEST_MISSES] > 0 ? DIGEST_MISSES
							      : DIGEST_SLOWEST;
	const struct digest_worst *w = &d->worst[kind][0];

	if (d->n_worst[kind] == 0 ||
	    (kind == d->pictured && w->id == d->pictured_id))
		return;
	d->pictured = kind;
	d->pictured_id = w->id;
	digest_draw(d, w);
}

void
digest_look(struct digest *d)
{
	struct why why = {.describe = describe_past_step,
	    .others = describe_others,
	    .data = (void *)(uintptr_t)d->run};

	while (d->seen_misses < d->trail->n_misses) {
		uint64_t id = ++d->seen_misses;
		const struct trail_miss *miss = trail_miss(d->trail, id);

		if (miss != NULL)
			look_at_miss(d, miss, id);
	}
	explain_worst(d, DIGEST_MISSES, &why);
	explain_worst(d, DIGEST_SLOWEST, &why);
	draw_worst(d);
	d->seen_requests = d->sim->n_submitted;
	why_free(&why);
}
