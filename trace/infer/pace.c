/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a client submits when it does (doc/model/infer.md "Pace"): before each
 * batch of an iteration it may wait for requests, sleep, or wait for its period
 * to be over. The one that explains most of the pauses is taken first, then the
 * one that explains most of the rest.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/infer/infer_private.h"

/* Pauses before the batches of one position. */
struct pauses {
	struct found *f;
	uint32_t position;
	struct sample *samples, *scratch;
	nsec *starts; /* of the iterations that the pauses are part of */
	nsec *values;
	uint32_t n, least; /* samples; those that a cause must explain */
	struct voter voter;
};

/* A cause that was not taken yet. */
struct trial {
	struct found_pace pace; /* n_hits 0: none */
	double weight;
};

static void
list_pauses(struct pauses *p, uint32_t position)
{
	const struct found *f = p->f;
	const struct infer_sequence *s = f->s;

	p->position = p->voter.position = position;
	p->n = 0;
	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t which = f->sampled[i];
		uint32_t at = f->begins[which] + position;
		uint32_t start = f->begins[which];

		if (position == 0) {
			if (which == 0 ||
			    f->begins[which - 1] + f->length != at)
				continue;
			start = f->begins[which - 1];
		}
		p->starts[p->n] = s->seen[start].queued;
		p->samples[p->n] = (struct sample){
		    at, s->seen[at].queued, s->seen[at - 1].queued, false};
		p->samples[p->n].open = p->samples[p->n].at >
		    p->samples[p->n].from + s->cpu_ns;
		p->n++;
	}
	p->least = (uint32_t)((double)p->n * infer_thresholds.noticed);
	if (p->least < 2)
		p->least = p->n > 1 ? 2 : 1;
}

/* Time that a sample took beyond its base, which is the submission before it,
 * the end of a request, or the start of the iteration. */
static nsec
pause_base(const struct pauses *p, uint32_t i, const struct found_pace *pace)
{
	const struct sample *sample = &p->samples[i];

	if (pace->kind == PACE_PERIOD)
		return p->starts[i];
	if (pace->kind == PACE_WAIT && sample->index >= pace->distance)
		return nsec_later(sample->from,
		    infer_wait_end(&p->voter, sample->index, pace->distance));
	return sample->from;
}

static nsec
pause_width(const struct pauses *p, nsec value)
{
	return p->f->s->near_ns + (nsec)((double)value * p->f->s->jitter);
}

/* Sets ns and n_hits of a cause whose time is the same in many open samples. It
 * must not be later than nearly any sample. */
static void
try_constant(struct pauses *p, struct trial *trial)
{
	struct found_pace *pace = &trial->pace;
	uint32_t n = 0, n_early = 0;
	nsec value;

	for (uint32_t i = 0; i < p->n; i++) {
		nsec base = pause_base(p, i, pace);

		if (p->samples[i].open && p->samples[i].at > base)
			p->values[n++] = p->samples[i].at - base;
	}
	infer_sort(p->values, n);
	pace->n_hits = (uint32_t)infer_densest(
	    p->values, n, p->f->s->near_ns, p->f->s->jitter, &value);
	pace->ns = value;
	for (uint32_t i = 0; i < p->n; i++)
		n_early += p->samples[i].at + pause_width(p, value) <
		    pause_base(p, i, pace) + value;
	if ((double)n_early > (double)p->n * (1 - infer_thresholds.holds))
		pace->n_hits = 0;
}

static void
try_wait(struct pauses *p, struct trial *trial)
{
	struct found_pace *pace = &trial->pace;

	pace->distance = infer_find_cause(&p->voter, p->samples, p->n, NULL);
	if (pace->distance == 0)
		return;
	memcpy(p->scratch, p->samples, p->n * sizeof(*p->scratch));
	pace->n_hits = infer_close_samples(
	    &p->voter, p->scratch, p->n, pace->distance);
}

/* Requests before a batch that a wait and a delay after it are tried with. */
#define WAIT_DELAY_REACH 32

static void
try_wait_and_delay(struct pauses *p, struct trial *best)
{
	uint32_t reach = 2 * p->f->length < WAIT_DELAY_REACH ? 2 * p->f->length
							     : WAIT_DELAY_REACH;

	for (uint32_t distance = 1; distance <= reach; distance++) {
		struct trial trial = {
		    {.kind = PACE_WAIT, .distance = distance}, 1};

		try_constant(p, &trial);
		if (trial.pace.n_hits > best->pace.n_hits)
			best->pace = trial.pace;
	}
}

static bool
has_pace(const struct found_batch *b, enum pace_kind kind, bool delayed)
{
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind == kind &&
		    (kind != PACE_WAIT || (b->paces[i].ns > 0) == delayed))
			return true;
	return false;
}

static void
prefer(struct trial *best, const struct trial *trial)
{
	if (trial->pace.n_hits * trial->weight >
	    best->pace.n_hits * best->weight)
		*best = *trial;
}

/* The cause that explains most open samples. Where two explain the same, a wait
 * comes before a sleep, and a period is at the end of an iteration. */
static struct trial
best_cause(struct pauses *p, const struct found_batch *b, uint32_t open)
{
	double ends = p->position == 0 ? 1.02 : 0.98;
	struct trial best = {0};
	struct trial wait = {{.kind = PACE_WAIT}, 1.05};
	struct trial delay = {{.kind = PACE_DELAY}, 1};
	struct trial period = {{.kind = PACE_PERIOD}, ends};
	struct trial both = {{.kind = PACE_WAIT}, 0.95};
	bool sleeps = has_pace(b, PACE_DELAY, false) ||
	    has_pace(b, PACE_WAIT, true);

	try_wait(p, &wait);
	prefer(&best, &wait);
	if (!sleeps) {
		try_constant(p, &delay);
		prefer(&best, &delay);
	}
	if (!has_pace(b, PACE_PERIOD, false)) {
		try_constant(p, &period);
		prefer(&best, &period);
	}
	if (!sleeps && (double)best.pace.n_hits < 0.8 * open) {
		try_wait_and_delay(p, &both);
		prefer(&best, &both);
	}
	return best;
}

/* Closes the samples that a cause explains. */
static void
take_cause(struct pauses *p, struct found_batch *b, struct found_pace pace,
    uint32_t blocked)
{
	for (uint32_t i = 0; i < p->n; i++) {
		nsec due = pause_base(p, i, &pace) + pace.ns;
		nsec width = pace.kind == PACE_WAIT && pace.ns == 0
		    ? p->f->s->near_ns
		    : pause_width(p, pace.ns);

		if (p->samples[i].at + width >= due &&
		    p->samples[i].at <= due + width)
			p->samples[i].open = false;
	}
	pace.n_of = blocked;
	b->paces[b->n_paces++] = pace;
}

/* Waits that the records name. */
static void
take_told_waits(struct pauses *p, struct found_batch *b)
{
	const struct infer_sequence *s = p->f->s;
	uint32_t distances[MAX_FOUND_PACES], hits[MAX_FOUND_PACES], n = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t index = p->samples[i].index, k;
		size_t at = lower_bound(
		    w, 0, s->n_told, s->told[w].index < index);

		for (; at < s->n_told && s->told[at].index == index; at++) {
			uint32_t distance = index - s->told[at].target;

			if (s->told[at].kind != INFER_WAIT)
				continue;
			for (k = 0; k < n && distances[k] != distance; k++)
				continue;
			if (k == MAX_FOUND_PACES - 2)
				continue;
			if (k == n) {
				distances[n] = distance;
				hits[n++] = 0;
			}
			hits[k]++;
		}
	}
	for (uint32_t k = 0; k < n; k++)
		if ((double)hits[k] > p->n * infer_thresholds.majority)
			take_cause(p, b,
			    (struct found_pace){.kind = PACE_WAIT,
				.told = true,
				.distance = distances[k],
				.n_hits = hits[k]},
			    p->n);
}

/* What no cause explains, if it is much, becomes a delay of usual length. */
static void
take_rest(struct pauses *p, struct found_batch *b, uint32_t blocked)
{
	uint32_t open = infer_count_open(p->samples, p->n), n = 0;

	if (b->n_paces > 0 || open < p->n / 2 || open < 2)
		return;
	for (uint32_t i = 0; i < p->n; i++)
		if (p->samples[i].open)
			p->values[n++] = p->samples[i].at - p->samples[i].from;
	infer_sort(p->values, n);
	b->paces[b->n_paces++] = (struct found_pace){.kind = PACE_DELAY,
	    .loose = true,
	    .ns = infer_quantile(p->values, n, 0.5),
	    .n_hits = n,
	    .n_of = blocked};
}

static void
find_causes(struct pauses *p, struct found_batch *b)
{
	uint32_t blocked = infer_count_open(p->samples, p->n), open;

	b->n_paces = 0;
	if (p->n == 0)
		return;
	take_told_waits(p, b);
	while (b->n_paces < MAX_FOUND_PACES - 1 &&
	    (open = infer_count_open(p->samples, p->n)) >= p->least) {
		struct trial best = best_cause(p, b, open);
		bool sleeps = best.pace.kind != PACE_WAIT || best.pace.ns > 0;

		if (best.pace.n_hits < p->least ||
		    (sleeps && best.pace.n_hits < open / 2))
			break;
		take_cause(p, b, best.pace, blocked);
	}
	p->f->n_pauses += p->n;
	p->f->n_unexplained += infer_count_open(p->samples, p->n);
	take_rest(p, b, blocked);
}

/* Of how many iterations one must be made so that a wait reaches at most into
 * the one before. */
static uint32_t
multiple_of(const struct found *f, uint32_t position)
{
	const struct found_batch *b = &f->batches[position];
	uint32_t most = 1;

	for (uint32_t i = 0; i < b->n_paces; i++) {
		uint32_t distance = b->paces[i].distance;

		if (b->paces[i].kind == PACE_WAIT &&
		    distance > position + f->length) {
			uint32_t needed =
			    (distance - position - 1) / f->length + 1;

			most = needed > most ? needed : most;
		}
	}
	return most;
}

uint32_t
infer_find_paces(struct found *f)
{
	uint32_t multiple = 1;
	struct pauses p = {.f = f,
	    .samples = mem_calloc(f->n_sampled, sizeof(*p.samples)),
	    .scratch = mem_calloc(f->n_sampled, sizeof(*p.scratch)),
	    .starts = mem_calloc(f->n_sampled, sizeof(*p.starts)),
	    .values = mem_calloc(f->n_sampled, sizeof(*p.values))};

	f->n_pauses = f->n_unexplained = 0;
	voter_init(&p.voter, f, true);
	for (uint32_t position = 0; position < f->length; position++) {
		uint32_t needed;

		list_pauses(&p, position);
		find_causes(&p, &f->batches[position]);
		needed = multiple_of(f, position);
		multiple = needed > multiple ? needed : multiple;
	}
	voter_free(&p.voter);
	free(p.samples);
	free(p.scratch);
	free(p.starts);
	free(p.values);
	return multiple;
}
