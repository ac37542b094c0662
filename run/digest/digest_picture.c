/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies what the engines did in a stretch of the trail. Blocks too short to be
 * seen are joined, so that a picture has few of them. */
#include <string.h>

#include "engine/explain/trail.h"
#include "engine/sim.h"
#include "run/digest/digest.h"

#define COLUMNS 1200 /* that can be told apart in a picture */

/* Returns the block before, of the same engine; NULL: none. */
static struct digest_block *
block_before(struct digest_picture *p, unsigned engine)
{
	struct digest_block *b = p->n > 0 ? &p->blocks[p->n - 1] : NULL;

	return b != NULL && b->engine == engine ? b : NULL;
}

/* True if both are too short to be told apart. */
static bool
are_joined(const struct digest_picture *p, const struct digest_block *a,
    const struct digest_block *b)
{
	return (a->count == 0) == (b->count == 0) &&
	    b->to - b->from < p->least && b->from - a->to < p->least &&
	    (a->count > 1 || a->to - a->from < p->least);
}

/* Adds a block. False: there is no room. */
static bool
add_block(struct digest_picture *p, const struct digest_block *block)
{
	struct digest_block *before = block_before(p, block->engine);

	if (before != NULL && are_joined(p, before, block)) {
		before->mixed |= before->name.client != block->name.client ||
		    before->name.context != block->name.context;
		before->to = block->to;
		before->count += block->count;
		return true;
	}
	if (p->n == DIGEST_BLOCKS)
		return false;
	p->blocks[p->n++] = *block;
	return true;
}

static nsec
clip(const struct digest_picture *p, nsec time)
{
	return nsec_later(p->from, nsec_earlier(p->to, time));
}

static bool
add_spans(struct digest_picture *p, const struct trail *t, unsigned engine)
{
	struct trail_range r = trail_spans(t, engine, p->from, p->to);

	for (uint64_t id = r.first; id < r.end; id++) {
		const struct trail_span *s = trail_span(t, engine, id);
		const struct trail_request *rq = trail_request(t, s->request);
		struct digest_block block = {
		    .from = clip(p, s->taken_ns),
		    .switched = clip(
			p, nsec_earlier(trail_switched(s), s->end_ns)),
		    .begin = clip(p, nsec_earlier(s->begin_ns, s->end_ns)),
		    .to = clip(p, s->end_ns),
		    .count = 1,
		    .engine = (uint16_t)engine,
		    .mixed = rq == NULL,
		};

		if (rq != NULL)
			block.name = batch_name_past(rq);
		if (block.to > block.from && !add_block(p, &block))
			return false;
	}
	return true;
}

static bool
add_gaps(struct digest_picture *p, const struct trail *t, unsigned engine)
{
	struct trail_range r = trail_gaps(t, engine, p->from, p->to);

	for (uint64_t id = r.first; id < r.end; id++) {
		const struct trail_gap *gap = trail_gap(t, engine, id);
		struct digest_block block = {
		    .from = clip(p, gap->from_ns),
		    .to = clip(p, gap->to_ns),
		    .engine = (uint16_t)engine,
		};

		if (block.to > block.from && !add_block(p, &block))
			return false;
	}
	return true;
}

static bool
add_engine_blocks(struct digest_picture *p, const struct trail *t, unsigned n)
{
	p->n = 0;
	for (unsigned i = 0; i < n; i++)
		if (!add_spans(p, t, i) || !add_gaps(p, t, i))
			return false;
	return true;
}

void
digest_draw(struct digest *d, const struct digest_worst *w)
{
	struct digest_picture *p = &d->picture;
	nsec margin = (w->to - w->from) / 20;

	p->from = w->from - nsec_earlier(w->from, margin);
	p->to = nsec_earlier(w->to + margin, d->sim->now);
	p->least = (p->to - p->from) / COLUMNS + 1;
	while (!add_engine_blocks(p, d->trail, d->sim->device.n_engines))
		p->least *= 2;
}
