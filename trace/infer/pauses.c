/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pauses of a client between two of its acts, and the causes that are tried for
 * them: a wait for a request, or a time that is the same in each iteration.
 */
#include "trace/infer/pauses.h"

#include <string.h>

#include "base/util.h"

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
 * room in a queue, which is not a pause of the client. */
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

/* When a wait began. The device saw the store that ends an infinite batch late if the
 * wait for that batch took time: until then it is part of the pause. */
static nsec
told_begin(const struct pauses *p, const struct infer_told *told)
{
	const struct infer_sequence *s = p->f->s;
	const struct infer_request *requests = p->f->book->input->requests;
	uint32_t back = told->index < p->f->length ? told->index : p->f->length;

	for (uint32_t i = 1; told->kind == INFER_WAIT && i <= back; i++) {
		uint32_t at = told->index - i;
		const struct seen *rq = &s->seen[at];

		if (requests[rq->record].infinite && !rq->unfinished &&
		    infer_ends_in_wait(s, told, at))
			return rq->released;
	}
	return told->from;
}

/* In virtual time: moves the beginning of a pause after a wait in which, other than in
 * most iterations, the client slept, or did not, and so had to wake up. */
static void
move_by_wakeup(const struct infer_sequence *s, const struct infer_told *wait,
    bool usually, struct sample *sample)
{
	bool slept = infer_slept_in(s, wait);

	if (s->cpu_ns > 0 || slept == usually)
		return;
	if (slept)
		sample->from += s->wakeup_ns;
	else
		sample->from -= nsec_earlier(sample->from, s->wakeup_ns);
}

/* When the client began to wait for what ends a slot, and when the slot begins:
 * slots are before, between and after the acts before a request. */
static void
slot_times(const struct pauses *p, uint32_t at, uint32_t slot,
    const struct found_batch *b, struct sample *sample)
{
	const struct infer_sequence *s = p->f->s;
	uint32_t n_acts = b->n_acts;
	const struct infer_told *told = s->told != NULL
	    ? &s->told[infer_first_told(s, at)]
	    : NULL;

	sample->index = at;
	sample->from = slot == 0 ? s->seen[at - 1].queued
				 : told_wait_end(p, &told[slot - 1], at);
	if (slot > 0)
		move_by_wakeup(
		    s, &told[slot - 1], b->acts[slot - 1].blocks, sample);
	/* Another thread of the client may have submitted since. */
	if (at > 0)
		sample->from = nsec_later(sample->from, s->seen[at - 1].queued);
	sample->at = slot == n_acts ? submitted_at(p->f, at)
				    : told_begin(p, &told[slot]);
	sample->at = nsec_later(sample->at, sample->from);
	if (slot < n_acts && infer_heard_of_end(s, &told[slot]) &&
	    s->seen[told[slot].target].end > sample->from)
		sample->at = sample->from;
}

nsec
infer_paused_before(const struct pauses *p, uint32_t at)
{
	const struct infer_sequence *s = p->f->s;
	nsec from = s->seen[at - 1].queued, sum = 0, to;

	for (uint32_t i = infer_first_told(s, at);
	     i < s->n_told && s->told[i].index == at; i++) {
		to = told_begin(p, &s->told[i]);
		sum += to > from ? to - from : 0;
		from = nsec_later(from, told_wait_end(p, &s->told[i], at));
	}
	to = submitted_at(p->f, at);
	return sum + (to > from ? to - from : 0);
}

nsec
infer_slot_cost(
    const struct found *f, const struct found_batch *b, uint32_t slot)
{
	bool after_wait = slot > 0 && b->acts[slot - 1].blocks;

	return (slot == b->n_acts ? f->s->submit_ns : 0) +
	    (after_wait ? f->s->wakeup_ns : 0);
}

nsec
infer_iteration_start(const struct found *f, uint32_t index)
{
	const struct infer_sequence *s = f->s;

	for (uint32_t i = s->n_told > 0 ? infer_first_told(s, index) : 0;
	     i < s->n_told && s->told[i].index == index; i++)
		if (s->told[i].kind == INFER_MADE)
			return s->told[i].from;
	return s->seen[index].queued;
}

/* Sets the pause of an iteration in the slot that p is of, and when the iteration
 * began. False: its acts are not the usual ones. */
static bool
read_pause(
    const struct pauses *p, uint32_t which, struct sample *sample, nsec *start)
{
	const struct found *f = p->f;
	const struct found_batch *b = &f->batches[p->position];
	uint32_t at = f->begins[which] + p->position;

	if ((p->position == 0 && infer_is_after_gap(f, which)) ||
	    infer_hash_acts(f->s, at) != b->act_hash)
		return false;
	slot_times(p, at, p->slot, b, sample);
	sample->open = sample->at >
	    sample->from + f->s->cpu_ns + infer_slot_cost(f, b, p->slot);
	*start = infer_iteration_start(
	    f, f->begins[p->position == 0 ? which - 1 : which]);
	return true;
}

nsec
infer_mean_period(const struct pauses *p)
{
	nsec sum = 0, start;
	struct sample sample;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->f->n_begins; i++) {
		if (!read_pause(p, i, &sample, &start) || !sample.open)
			continue;
		sum += nsec_later(sample.at, start) - start;
		n++;
	}
	return n > 0 ? sum / n : 0;
}

void
infer_list_pauses(struct pauses *p, uint32_t position, uint32_t slot)
{
	const struct found *f = p->f;

	p->position = p->voter.position = position;
	p->slot = slot;
	p->n = 0;
	for (uint32_t i = 0; i < f->n_sampled; i++)
		p->n += read_pause(
		    p, f->sampled[i], &p->samples[p->n], &p->starts[p->n]);
	p->least = (uint32_t)((double)p->n * infer_thresholds.noticed);
	if (p->least < 2)
		p->least = p->n > 1 ? 2 : 1;
}

nsec
infer_pause_base(
    const struct pauses *p, uint32_t i, const struct found_pace *pace)
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

nsec
infer_pause_width(const struct pauses *p, nsec value)
{
	return sleep_near(p) + (nsec)((double)value * p->f->s->jitter);
}

/* The time of an open sample beyond its base; 0: it is not open, or not later. */
static nsec
time_beyond(const struct pauses *p, uint32_t i, const struct found_pace *pace)
{
	nsec base = infer_pause_base(p, i, pace);

	return p->samples[i].open && p->samples[i].at > base
	    ? p->samples[i].at - base
	    : 0;
}

void
infer_try_constant(struct pauses *p, struct trial *trial)
{
	struct found_pace *pace = &trial->pace;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n; i++)
		if (time_beyond(p, i, pace) > 0)
			p->values[n++] = time_beyond(p, i, pace);
	infer_sort(p->values, n);
	pace->n_hits = (uint32_t)infer_densest(
	    p->values, n, sleep_near(p), p->f->s->jitter, &pace->ns);
	trial->n_early = 0;
	for (uint32_t i = 0; i < p->n; i++)
		trial->n_early += p->samples[i].at +
			infer_pause_width(p, pace->ns) <
		    infer_pause_base(p, i, pace) + pace->ns;
	if ((double)trial->n_early >
	    (double)p->n * (1 - infer_thresholds.holds))
		pace->n_hits = 0;
}

void
infer_try_least(struct pauses *p, struct trial *trial)
{
	struct found_pace *pace = &trial->pace;
	nsec least = NSEC_NEVER;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n; i++)
		least = nsec_earlier(
		    least, p->samples[i].at - infer_pause_base(p, i, pace));
	for (uint32_t i = 0; i < p->n; i++)
		if (time_beyond(p, i, pace) > 0 &&
		    time_beyond(p, i, pace) <= least + sleep_near(p))
			p->values[n++] = time_beyond(p, i, pace);
	infer_sort(p->values, n);
	pace->n_hits = n;
	pace->ns = n > 0 ? p->values[n / 2] : 0;
}

void
infer_try_wait(struct pauses *p, struct trial *trial)
{
	struct found_pace *pace = &trial->pace;

	pace->distance = infer_find_cause(&p->voter, p->samples, p->n, NULL);
	if (pace->distance == 0)
		return;
	memcpy(p->scratch, p->samples, p->n * sizeof(*p->scratch));
	pace->n_hits = infer_close_samples(
	    &p->voter, p->scratch, p->n, pace->distance);
}

/* Returns by how much sleeps of the model are longer than they say. */
static nsec
sleep_cost(const struct infer_sequence *s)
{
	return s->slack_ns > 0 ? s->slack_ns + s->wakeup_ns : 0;
}

nsec
infer_without_slack(const struct infer_sequence *s, nsec ns)
{
	return ns > sleep_cost(s) ? ns - sleep_cost(s) : ns;
}

nsec
infer_shortest_delay(const struct found *f)
{
	nsec least = sleep_cost(f->s) + NSEC_PER_USEC;

	if (f->s->cpu_ns > 0)
		least = nsec_later(least, infer_thresholds.cpu_ns);
	return f->rounds_carry ? least / 2 : least;
}

void
infer_delay_after_wait(struct pauses *p, struct found_pace *pace)
{
	struct found *f = p->f;
	nsec cost = infer_slot_cost(f, &f->batches[p->position], p->slot) +
	    f->s->wakeup_ns;
	nsec sum = 0;

	if (f->s->cpu_ns == 0 || !f->repeats || pace->ns > 0)
		return;
	for (uint32_t i = 0; i < p->n; i++) {
		nsec base = infer_pause_base(p, i, pace);

		if (p->samples[i].at > base)
			sum += (p->samples[i].at - base) / p->n;
	}
	f->carry_ns += sum > cost ? sum - cost : 0;
	/* No delay can follow a wait that a t says. */
	if (f->carry_ns < infer_shortest_delay(f) ||
	    (p->position > 0 && pace->distance > p->position))
		return;
	pace->ns = nsec_later(NSEC_PER_USEC,
	    f->carry_ns > sleep_cost(f->s) ? f->carry_ns - sleep_cost(f->s)
					   : 0);
	f->carry_ns = 0;
}

bool
infer_has_pace(const struct found_batch *b, enum pace_kind kind, bool delayed)
{
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind == kind &&
		    (kind != PACE_WAIT || (b->paces[i].ns > 0) == delayed))
			return true;
	return false;
}

void
infer_take_cause(struct pauses *p, struct found_batch *b,
    struct found_pace pace, uint32_t blocked)
{
	for (uint32_t i = 0; i < p->n; i++) {
		nsec due = infer_pause_base(p, i, &pace) + pace.ns;
		nsec width = pace.kind == PACE_WAIT && pace.ns == 0
		    ? p->f->s->near_ns
		    : infer_pause_width(p, pace.ns);

		if (p->samples[i].at + width >= due &&
		    p->samples[i].at <= due + width)
			p->samples[i].open = false;
	}
	pace.n_of = blocked;
	pace.slot = (uint8_t)p->slot;
	if (b->n_paces < MAX_ALL_PACES)
		b->paces[b->n_paces++] = pace;
}
