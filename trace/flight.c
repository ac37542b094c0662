/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch in flight: how its workloads share what it runs. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/gpu/pace.h"
#include "trace/layer_part.h"

/* Of a workload's weight; a pass has them for its two parts. */
#define SHARES         4
#define BINNING_SHARES 1

/* Most have one part, or two. */
static void
grow_parts(struct flight *f)
{
	f->cap_parts = f->cap_parts > 0 ? f->cap_parts * 2 : 2;
	f->parts = mem_realloc(f->parts, f->cap_parts, sizeof(*f->parts));
}

static void
add_part(struct flight *f, const struct execution *e, enum layer_part part,
    uint32_t labels, uint64_t shares)
{
	if (f->n_parts == f->cap_parts)
		grow_parts(f);
	f->parts[f->n_parts++] = (struct batch_part){
	    .workload = e->workload,
	    .tag = e->workload->tag,
	    .submit = e->submit,
	    .before = f->weight,
	    .labels = labels,
	    .part = (uint8_t)part,
	};
	f->weight += shares * e->part->info.weight;
}

void
flight_add(struct flight *f, const struct execution *e)
{
	uint32_t labels = (uint32_t)f->texts.len;

	text_add(&f->texts, e->labels, e->labels_len);
	text_addc(&f->texts, '\0');
	if (e->workload->info.type == WORKLOAD_RENDERPASS) {
		add_part(f, e, LAYER_BINNING, labels, BINNING_SHARES);
		add_part(f, e, LAYER_MAIN, labels, SHARES - BINNING_SHARES);
	} else {
		add_part(f, e, LAYER_WHOLE, labels, SHARES);
	}
}

int64_t
flight_draws(const struct flight *f, const struct batch_part *part)
{
	return pass_sums_get(
	    f->sums, part->tag, part->submit, part->workload->info.draws);
}

void
flight_describe(const struct flight *f, const struct batch_part *part,
    struct layer_interval *i)
{
	i->request = f->rq;
	i->part = part != NULL ? part->part : LAYER_NOTHING;
	if (part == NULL)
		return;
	i->tag = part->tag;
	i->submit = part->submit;
	i->workload = part->workload;
	i->draws = flight_draws(f, part);
	i->labels = text_str(&f->texts) + part->labels;
}

/* When, of that much time in all, the part begins. */
static nsec
begin_of(const struct flight *f, size_t i, nsec total)
{
	if (i >= f->n_parts)
		return total;
	return (
	    nsec)((unsigned __int128)total * f->parts[i].before / f->weight);
}

/* The part that runs after that much of its time; the last one goes on as
 * long as the batch does. */
static size_t
find_part(const struct flight *f, nsec at, nsec total)
{
	size_t low = 0, high = f->n_parts;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (begin_of(f, middle, total) <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

const struct batch_part *
flight_at(const struct flight *f, nsec ran)
{
	if (f->n_parts == 0)
		return NULL;
	if (f->total == NSEC_NEVER)
		return f->parts;
	return &f->parts[find_part(f, ran, f->total)];
}

static void
tell(struct layer_listener *l, const struct layer_interval *i)
{
	for (; l != NULL; l = l->next)
		if (l->interval != NULL)
			l->interval(l, i);
}

/* The work done that the parts share, and the time for it. */
struct piece {
	nsec from, to;
	nsec start, end; /* as long as that work, or longer */
};

/* When that much of the work was done: it got on evenly. */
static nsec
time_of(const struct piece *p, nsec work)
{
	return p->start +
	    (nsec)((unsigned __int128)(work - p->from) * (p->end - p->start) /
		(p->to - p->from));
}

/* A piece in which nothing was done is of the part that was to go on. */
static void
share(struct flight *f, struct layer_interval *i, const struct piece *p,
    nsec total, struct layer_listener *listeners)
{
	size_t k = find_part(f, p->from, total);
	nsec from = p->from;

	i->end = i->start = p->start;
	while (i->end < p->end) {
		bool last = k + 1 >= f->n_parts || p->from == p->to;
		nsec end = last ? p->to : begin_of(f, k + 1, total);

		if (end > p->to)
			end = p->to;
		if (end > from || p->from == p->to) {
			flight_describe(f, &f->parts[k], i);
			i->end = end == p->to ? p->end : time_of(p, end);
			tell(listeners, i);
			i->start = i->end;
			from = end;
		}
		k++;
	}
}

void
flight_tell(struct flight *f, const struct hw_engine *engine, nsec now,
    struct layer_listener *listeners)
{
	const struct request *rq = f->rq;
	nsec ran = rq->run_ns, done = pace_done(rq, now);
	struct layer_interval i = {.engine = engine, .end = now};
	struct piece p = {.from = f->done, .to = done, .end = now};

	if (rq->piece_ns != NSEC_NEVER)
		ran += now - rq->piece_ns;
	if (ran == f->ran)
		return;
	i.start = p.start = now - (ran - f->ran);
	if (f->n_parts == 0) {
		flight_describe(f, NULL, &i);
		tell(listeners, &i);
	} else if (f->total == NSEC_NEVER) {
		p.from = 0;
		p.to = ran - f->ran;
		share(f, &i, &p, p.to, listeners);
	} else {
		share(f, &i, &p, f->total, listeners);
	}
	f->ran = ran;
	f->done = done;
}
