/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a client submits when it does (doc/model/infer.md "Pace"): before each
 * batch of an iteration it may wait for requests, sleep, or wait for its period
 * to be over. The one that explains most of the pauses is taken first, then the
 * one that explains most of the rest.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/pauses.h"

/* Requests before a batch that a wait and a delay after it are tried with. */
#define WAIT_DELAY_REACH 32

static void
try_wait_and_delay(struct pauses *p, struct trial *best)
{
	uint32_t reach = 2 * p->f->length < WAIT_DELAY_REACH ? 2 * p->f->length
							     : WAIT_DELAY_REACH;

	for (uint32_t distance = 1; distance <= reach; distance++) {
		struct trial trial = {
		    {.kind = PACE_WAIT, .distance = distance}, .weight = 1};

		infer_try_constant(p, &trial);
		if (trial.pace.n_hits > best->pace.n_hits)
			best->pace = trial.pace;
	}
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
	struct trial wait = {{.kind = PACE_WAIT}, .weight = 1.05};
	struct trial delay = {{.kind = PACE_DELAY}, .weight = 1};
	struct trial period = {{.kind = PACE_PERIOD}, .weight = ends};
	struct trial both = {{.kind = PACE_WAIT}, .weight = 0.95};
	bool sleeps = infer_has_pace(b, PACE_DELAY, false) ||
	    infer_has_pace(b, PACE_WAIT, true);

	infer_try_wait(p, &wait);
	prefer(&best, &wait);
	if (!sleeps) {
		infer_try_constant(p, &delay);
		prefer(&best, &delay);
	}
	if (!infer_has_pace(b, PACE_PERIOD, false)) {
		infer_try_constant(p, &period);
		prefer(&best, &period);
	}
	if (!sleeps && (double)best.pace.n_hits < 0.8 * open) {
		try_wait_and_delay(p, &both);
		prefer(&best, &both);
	}
	return best;
}

/* Makes a delay, of the median length, of pauses that no cause explains, if they
 * are long. */
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

/* Sleeps of a descriptor are shorter than those that were seen. */
static void
shorten_sleeps(const struct pauses *p, struct found_batch *b)
{
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind != PACE_WAIT)
			b->paces[i].ns = infer_without_slack(
			    p->f->s, b->paces[i].ns);
}

static void
find_causes(struct pauses *p, struct found_batch *b)
{
	uint32_t blocked = infer_count_open(p->samples, p->n), open;

	if (p->n == 0)
		return;
	while (b->n_paces < MAX_FOUND_PACES - 1 &&
	    (open = infer_count_open(p->samples, p->n)) >= p->least) {
		struct trial best = best_cause(p, b, open);
		bool sleeps = best.pace.kind != PACE_WAIT || best.pace.ns > 0;

		if (best.pace.n_hits < p->least ||
		    (sleeps && best.pace.n_hits < open / 2))
			break;
		infer_take_cause(p, b, best.pace, blocked);
	}
	p->f->n_pauses += p->n;
	p->f->n_unexplained += infer_count_open(p->samples, p->n);
	take_rest(p, b, blocked);
	shorten_sleeps(p, b);
	if (b->n_paces == 1 && b->paces[0].kind == PACE_WAIT)
		infer_delay_after_wait(p, &b->paces[0]);
}

/* True if the client was held up by the wait that is act which before the batches
 * of a position, in any iteration that was looked at. */
static bool
took_time(const struct found *f, uint32_t position, uint32_t which)
{
	const struct infer_sequence *s = f->s;

	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t at = f->begins[f->sampled[i]] + position;
		const struct infer_told *told;

		if (infer_hash_acts(s, at) != f->batches[position].act_hash)
			continue;
		told = &s->told[infer_first_told(s, at) + which];
		if (told->to - told->from > s->near_ns)
			return true;
	}
	return false;
}

/* Returns how many iterations to join into one, so that a wait reaches back into
 * the iteration before at most. */
static uint32_t
multiple_of(const struct found *f, uint32_t position)
{
	const struct found_batch *b = &f->batches[position];
	uint32_t most = 1;

	for (uint32_t i = 0; i < b->n_paces + b->n_acts; i++) {
		uint32_t distance = i < b->n_paces
		    ? b->paces[i].distance
		    : b->acts[i - b->n_paces].distance;
		bool waits = i < b->n_paces
		    ? b->paces[i].kind == PACE_WAIT
		    : b->acts[i - b->n_paces].kind == INFER_WAIT;

		if (waits && distance > position + f->length &&
		    (i < b->n_paces ||
			took_time(f, position, i - b->n_paces))) {
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
	f->carry_ns = 0;
	voter_init(&p.voter, f, true);
	if (f->s->cpu_ns > 0 && f->s->n_told > 0)
		infer_place_ends(f);
	for (uint32_t position = 0; position < f->length; position++) {
		struct found_batch *b = &f->batches[position];
		uint32_t needed;

		b->n_paces = 0;
		p.moved_ns = 0;
		for (uint32_t slot = 0; slot <= b->n_acts; slot++) {
			infer_list_pauses(&p, position, slot);
			if (f->s->n_told > 0)
				infer_find_told_causes(&p, b);
			else
				find_causes(&p, b);
		}
		if (f->s->n_told > 0)
			infer_keep_mean_pause(&p, b);
		b->carried_ns = f->s->cpu_ns > 0 ? f->carry_ns : 0;
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
