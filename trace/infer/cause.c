/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Causes by time: of which request's end is what happened in many iterations the
 * consequence? Each sample votes for the requests that ended just before it; the
 * distance with most votes wins, unless samples contradict it (doc/model/infer.md
 * "Causes").
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/infer_private.h"

/* Ends that one sample votes for, and winners that are tried. */
#define MAX_VOTES 32
#define MAX_TRIES 8

void
voter_init(struct voter *v, const struct found *f, bool of_client)
{
	*v = (struct voter){.f = f, .of_client = of_client};
	v->reach = f->s->n < infer_thresholds.max_reach
	    ? f->s->n
	    : infer_thresholds.max_reach;
	v->scores = mem_calloc(v->reach + 1u, sizeof(*v->scores));
	v->touched = mem_calloc(v->reach + 1u, sizeof(*v->touched));
}

void
voter_free(struct voter *v)
{
	free(v->scores);
	free(v->touched);
}

/* The position of the batch at that distance before the samples. */
static uint32_t
position_back(const struct voter *v, uint32_t distance)
{
	uint32_t n = v->f->length;

	return (v->position + n - distance % n) % n;
}

nsec
infer_wait_end(const struct voter *v, uint32_t index, uint32_t distance)
{
	const struct found *f = v->f;
	uint32_t position = position_back(v, distance);
	uint32_t target = index - distance;
	nsec end = f->s->seen[target].end;

	if (!v->of_client)
		return end;
	for (uint32_t i = f->first_reader[position];
	     i < f->first_reader[position + 1]; i++)
		if (f->readers[i] < distance)
			end = nsec_later(
			    end, f->s->seen[target + f->readers[i]].end);
	return end;
}

static void
vote(struct voter *v, uint32_t distance, double score)
{
	if (distance > v->reach)
		return;
	if (v->scores[distance] == 0)
		v->touched[v->n_touched++] = distance;
	v->scores[distance] += score;
}

/* Votes for the request at that distance, and those whose data it reads. */
static void
vote_for(struct voter *v, const struct sample *sample, uint32_t distance,
    double score)
{
	const struct found_batch *b =
	    &v->f->batches[position_back(v, distance)];

	vote(v, distance, score);
	for (uint32_t i = 0; v->of_client && i < b->n_deps; i++)
		if (b->deps[i].kind == INFER_DATA &&
		    b->deps[i].distance + distance <= sample->index)
			vote(v, b->deps[i].distance + distance, score);
}

/* Votes for the requests that ended at sample->at, or not long before. A cause
 * that is followed at once has twice the weight. */
static void
vote_of_sample(struct voter *v, const struct sample *sample, infer_may_fn *may)
{
	const struct infer_sequence *s = v->f->s;
	uint32_t end = infer_ending_at(s, nsec_after(sample->at, 1));

	for (uint32_t i = end; i > 0 && end - i < MAX_VOTES; i--) {
		const struct infer_ending *e = &s->endings[i - 1];
		nsec lag = sample->at - e->ns;

		if (lag > s->near_ns || e->ns < sample->from)
			return;
		if (e->index < sample->index && !s->seen[e->index].unfinished &&
		    sample->index - e->index <= v->reach &&
		    (may == NULL || may(s, sample->index, e->index)))
			vote_for(v, sample, sample->index - e->index,
			    1 - (double)lag / (double)(2 * s->near_ns));
	}
}

/* True if nearly no sample is earlier than the end of the request at that
 * distance. */
static bool
is_admissible(const struct voter *v, const struct sample *samples, uint32_t n,
    uint32_t distance)
{
	uint32_t n_early = 0;

	for (uint32_t i = 0; i < n; i++)
		n_early += samples[i].index >= distance &&
		    infer_wait_end(v, samples[i].index, distance) >
			samples[i].at + v->f->s->near_ns;
	return (double)n_early <= (double)n * (1 - infer_thresholds.holds);
}

static uint32_t
take_winner(struct voter *v)
{
	uint32_t best = 0;

	for (uint32_t i = 0; i < v->n_touched; i++) {
		uint32_t distance = v->touched[i];

		if (v->scores[distance] > v->scores[best] ||
		    (v->scores[distance] == v->scores[best] && distance < best))
			best = distance;
	}
	v->scores[best] = 0;
	return best;
}

uint32_t
infer_find_cause(struct voter *v, const struct sample *samples, uint32_t n,
    infer_may_fn *may)
{
	uint32_t best = 0;

	for (uint32_t i = 0; i < n; i++)
		if (samples[i].open)
			vote_of_sample(v, &samples[i], may);
	for (unsigned tried = 0; tried < MAX_TRIES; tried++) {
		best = take_winner(v);
		if (best == 0 || is_admissible(v, samples, n, best))
			break;
		best = 0;
	}
	for (uint32_t i = 0; i < v->n_touched; i++)
		v->scores[v->touched[i]] = 0;
	v->n_touched = 0;
	return best;
}

uint32_t
infer_close_samples(const struct voter *v, struct sample *samples, uint32_t n,
    uint32_t distance)
{
	uint32_t closed = 0;
	nsec near = v->f->s->near_ns;

	for (uint32_t i = 0; i < n; i++) {
		nsec due;

		if (!samples[i].open || samples[i].index < distance)
			continue;
		due = nsec_later(samples[i].from,
		    infer_wait_end(v, samples[i].index, distance));
		if (samples[i].at + near >= due &&
		    samples[i].at <= due + near) {
			samples[i].open = false;
			closed++;
		}
	}
	return closed;
}

uint32_t
infer_count_open(const struct sample *samples, uint32_t n)
{
	uint32_t open = 0;

	for (uint32_t i = 0; i < n; i++)
		open += samples[i].open;
	return open;
}
