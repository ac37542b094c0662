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
	uint32_t position, slot;
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

/* When a wait was over: where times are measured, the program may hear of it
 * late. */
static nsec
told_wait_end(
    const struct pauses *p, const struct infer_told *told, uint32_t at)
{
	nsec end = told->to;

	if (p->f->s->cpu_ns > 0 && told->kind == INFER_WAIT)
		end = nsec_later(told->from,
		    infer_wait_end(&p->voter, at, at - told->target));
	return nsec_earlier(end, told->to);
}

/* When the client was ready to submit a request: a call that took long waited for
 * room in a queue, which is no pause of the client's. */
static nsec
submitted_at(const struct found *f, uint32_t at)
{
	const struct infer_sequence *s = f->s;
	nsec call = f->book->input->requests[s->seen[at].record].call_ns;
	nsec queued = s->seen[at].queued;

	return call > s->near_ns + s->submit_ns && call <= queued
	    ? queued - call + s->submit_ns
	    : queued;
}

/* When the client began to wait for what ends a slot, and when the slot begins:
 * slots are before, between and after the acts before a request. */
static void
slot_times(const struct pauses *p, uint32_t at, uint32_t slot, uint32_t n_acts,
    struct sample *sample)
{
	const struct infer_sequence *s = p->f->s;
	const struct infer_told *told = s->told != NULL
	    ? &s->told[infer_first_told(s, at)]
	    : NULL;

	sample->index = at;
	sample->from = slot == 0 ? s->seen[at - 1].queued
				 : told_wait_end(p, &told[slot - 1], at);
	sample->at = slot == n_acts ? submitted_at(p->f, at) : told[slot].from;
	sample->at = nsec_later(sample->at, sample->from);
}

/* What the model spends in a slot itself. */
static nsec
cost_of_slot(const struct found *f, const struct found_batch *b, uint32_t slot)
{
	bool after_wait = slot > 0 && b->acts[slot - 1].kind == INFER_WAIT;

	return (slot == b->n_acts ? f->s->submit_ns : 0) +
	    (after_wait ? f->s->wakeup_ns : 0);
}

/* When the iteration began whose first batch is that request: with a fence that
 * was made for it, if there is one. */
static nsec
iteration_start(const struct found *f, uint32_t index)
{
	const struct infer_sequence *s = f->s;

	for (uint32_t i = s->n_told > 0 ? infer_first_told(s, index) : 0;
	     i < s->n_told && s->told[i].index == index; i++)
		if (s->told[i].kind == INFER_MADE)
			return s->told[i].from;
	return s->seen[index].queued;
}

static void
list_pauses(struct pauses *p, uint32_t position, uint32_t slot)
{
	const struct found *f = p->f;
	const struct infer_sequence *s = f->s;
	const struct found_batch *b = &f->batches[position];
	nsec cost = cost_of_slot(f, b, slot);

	p->position = p->voter.position = position;
	p->slot = slot;
	p->n = 0;
	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t which = f->sampled[i];
		uint32_t at = f->begins[which] + position;
		uint32_t start = f->begins[which];
		struct sample *sample = &p->samples[p->n];

		if (position == 0 && infer_is_after_gap(f, which))
			continue;
		if (position == 0)
			start = f->begins[which - 1];
		if (infer_hash_acts(s, at) != b->act_hash)
			continue;
		slot_times(p, at, slot, b->n_acts, sample);
		sample->open = sample->at > sample->from + s->cpu_ns + cost;
		p->starts[p->n++] = iteration_start(f, start);
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

/* How near sleeps of one length are to each other, beside a share of them. */
static nsec
sleep_near(const struct pauses *p)
{
	const struct infer_sequence *s = p->f->s;

	return s->n_told > 0
	    ? nsec_later(s->near_ns, infer_thresholds.sleep_exact_ns)
	    : s->near_ns;
}

static nsec
pause_width(const struct pauses *p, nsec value)
{
	return sleep_near(p) + (nsec)((double)value * p->f->s->jitter);
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
	    p->values, n, sleep_near(p), p->f->s->jitter, &value);
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
	pace.slot = (uint8_t)p->slot;
	if (b->n_paces < MAX_ALL_PACES)
		b->paces[b->n_paces++] = pace;
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

	if (p->n == 0)
		return;
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

/* Clients of which acts are known: their waits are, so that a pause is a sleep,
 * or a wait in which the device has no part (poll() on a fence). */

/* The mean of the slot's pauses, without what the model spends itself. */
static nsec
mean_pause(const struct pauses *p, const struct found_batch *b)
{
	nsec cost = cost_of_slot(p->f, b, p->slot), sum = 0;

	for (uint32_t i = 0; i < p->n; i++)
		sum += (p->samples[i].at - p->samples[i].from) / p->n;
	return sum > cost ? sum - cost : 0;
}

/* What a sleep is in the descriptor: the model's take longer. */
static nsec
without_slack(const struct infer_sequence *s, nsec ns)
{
	nsec more = s->slack_ns + s->wakeup_ns;

	return s->slack_ns > 0 && ns > 2 * more ? ns - more : ns;
}

/* True if what follows a pause had to wait in any case. */
static bool
is_absorbed(const struct pauses *p, const struct found_batch *b, uint32_t i)
{
	const struct infer_sequence *s = p->f->s;
	uint32_t index = p->samples[i].index;
	const struct infer_told *told;

	if (p->slot == b->n_acts)
		return s->seen[index].start > s->seen[index].queued + s->cpu_ns;
	told = &s->told[infer_first_told(s, index) + p->slot];
	return told->to > told->from + s->cpu_ns;
}

/* True if the pauses are short, and mostly hold nothing up: measured, they are
 * the noise of a host. Those that do are kept for the next delay. */
static bool
is_noise(const struct pauses *p, const struct found_batch *b, nsec ns)
{
	const struct infer_sequence *s = p->f->s;
	uint32_t n = 0;
	nsec rest = 0;

	if (s->cpu_ns == 0 || ns > s->near_ns)
		return false;
	for (uint32_t i = 0; i < p->n; i++) {
		if (is_absorbed(p, b, i))
			n++;
		else
			rest += (p->samples[i].at - p->samples[i].from) / p->n;
	}
	if (n <= p->n * 0.8)
		return false;
	p->f->carry_ns += rest;
	return true;
}

/* Takes a delay if it is long enough to be one, else keeps it for the next. It
 * is the mean where times are measured, so that iterations stay as long. */
static void
take_told_delay(struct pauses *p, struct found_batch *b, struct found_pace pace,
    uint32_t blocked)
{
	struct found *f = p->f;
	bool usual = f->s->cpu_ns == 0 && blocked > p->n / 2;
	nsec least = usual ? NSEC_PER_USEC : infer_thresholds.cpu_ns;
	nsec ns;

	if (is_noise(p, b, pace.ns))
		return;
	f->carry_ns = ns = pace.ns + f->carry_ns;
	if (ns < least || b->n_paces == MAX_ALL_PACES)
		return;
	f->carry_ns = ns % NSEC_PER_USEC;
	pace.ns = without_slack(f->s, ns - f->carry_ns);
	pace.slot = (uint8_t)p->slot;
	pace.n_of = blocked;
	b->paces[b->n_paces++] = pace;
}

/* True if nothing but the next iteration follows a pause. */
static bool
is_last_slot(const struct pauses *p, const struct found_batch *b)
{
	return p->position == 0 && p->slot == b->n_before;
}

/* The mean of the periods around that one, less what calls add to it in virtual
 * time, below 1 us. */
static nsec
mean_period(const struct pauses *p, nsec period)
{
	const struct found_pace pace = {.kind = PACE_PERIOD};
	nsec width = pause_width(p, period), sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		nsec ns = p->samples[i].at - pause_base(p, i, &pace);

		if (ns + width < period || ns > period + width)
			continue;
		sum += ns;
		n++;
	}
	return n > 0 ? sum / n / NSEC_PER_USEC * NSEC_PER_USEC : period;
}

/* Digits of whole us up to the last that is not 0. */
static unsigned
significant_digits(nsec ns)
{
	nsec us = ns / NSEC_PER_USEC;
	unsigned n = 0;

	while (us > 0 && us % 10 == 0)
		us /= 10;
	for (; us > 0; us /= 10)
		n++;
	return n;
}

/* Where batches take the same time in each iteration, a period and a delay explain
 * the same: people write round numbers. */
static bool
is_rounder(nsec delay, nsec period)
{
	unsigned n = significant_digits(delay);

	return n <= 2 && n < significant_digits(period);
}

static void
find_told_causes(struct pauses *p, struct found_batch *b)
{
	uint32_t blocked = infer_count_open(p->samples, p->n);
	struct trial period = {{.kind = PACE_PERIOD}, 1};
	struct trial delay = {{.kind = PACE_DELAY}, 1};
	struct trial wait = {{.kind = PACE_WAIT}, 1};
	nsec cost = cost_of_slot(p->f, b, p->slot);
	nsec mean = p->n > 0 ? mean_pause(p, b) : 0;
	bool exact = p->f->s->cpu_ns == 0;

	if (p->n == 0)
		return;
	if (blocked >= p->least) {
		try_constant(p, &period);
		try_constant(p, &delay);
		if (!exact && !p->f->has_waits &&
		    delay.pace.n_hits < blocked * 0.8)
			try_wait(p, &wait);
	}
	p->f->n_pauses += p->n;
	if (exact) {
		period.pace.ns = mean_period(p, period.pace.ns);
		if (delay.pace.n_hits >= period.pace.n_hits &&
		    is_rounder(
			delay.pace.ns - nsec_earlier(delay.pace.ns, cost),
			period.pace.ns))
			period.pace.n_hits = 0;
	}
	if (period.pace.n_hits > blocked * 0.8 && period.pace.n_hits >= 2 &&
	    !has_pace(b, PACE_PERIOD, false) &&
	    mean * p->n / blocked >
		(exact ? NSEC_PER_USEC : p->f->s->near_ns) &&
	    (is_last_slot(p, b) || delay.pace.n_hits < blocked * 0.8)) {
		period.pace.ns = without_slack(p->f->s, period.pace.ns);
		take_cause(p, b, period.pace, blocked);
	} else if (wait.pace.n_hits > blocked * 0.8 && blocked > p->n / 2) {
		take_cause(p, b, wait.pace, blocked);
	} else {
		bool same = delay.pace.n_hits > p->n * 0.95;

		delay.pace.ns = exact && same && delay.pace.ns > cost
		    ? delay.pace.ns - cost
		    : mean;
		delay.pace.loose = delay.pace.n_hits < blocked / 2;
		if (delay.pace.loose)
			p->f->n_unexplained += blocked;
		take_told_delay(p, b, delay.pace, blocked);
	}
}

/* Of how many iterations one must be made so that a wait reaches at most into
 * the one before. */
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

		if (waits && distance > position + f->length) {
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
	for (uint32_t position = 0; position < f->length; position++) {
		struct found_batch *b = &f->batches[position];
		uint32_t needed;

		b->n_paces = 0;
		for (uint32_t slot = 0; slot <= b->n_acts; slot++) {
			list_pauses(&p, position, slot);
			if (f->s->n_told > 0)
				find_told_causes(&p, b);
			else
				find_causes(&p, b);
		}
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
