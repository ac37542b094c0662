/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pauses of clients of which acts are known: their waits are, so that a pause is a
 * sleep, or a wait in which the device has no part (poll() on a fence); see
 * doc/model/infer.md "Acts".
 */
#include "base/util.h"
#include "trace/infer/pauses.h"

/* The mean of the slot's pauses, without what the model spends itself. */
static nsec
mean_pause(const struct pauses *p, const struct found_batch *b)
{
	nsec cost = infer_slot_cost(p->f, b, p->slot), sum = 0;

	for (uint32_t i = 0; i < p->n; i++)
		sum += p->samples[i].at - p->samples[i].from;
	sum /= p->n;
	return sum > cost ? sum - cost : 0;
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

/* True if an infinite batch of the iteration, which runs as long as its client
 * pauses, precedes a pause. */
static bool
is_in_infinite(const struct pauses *p)
{
	const struct infer_sequence *s = p->f->s;
	const struct infer_request *requests = p->f->book->input->requests;
	uint32_t n = p->position > 0 ? p->position : p->f->length;

	for (uint32_t i = 1; i <= n && i <= p->samples[0].index; i++)
		if (requests[s->seen[p->samples[0].index - i].record].infinite)
			return true;
	return false;
}

/* True if the pauses are short, and mostly hold nothing up: measured, they are
 * the noise of a host. Pauses that do are kept for the next delay. */
static bool
is_noise(const struct pauses *p, const struct found_batch *b, nsec ns)
{
	const struct infer_sequence *s = p->f->s;
	uint32_t n = 0;
	nsec rest = 0;

	if (s->cpu_ns == 0 || ns > s->near_ns || is_in_infinite(p))
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

/* The mean of the listed pauses. Where an infinite batch is ended behind them it is such
 * that batches run as long, in the mean of all iterations: a host may stop a client
 * between the store and its next call, and iterations with other acts count, too. */
static nsec
mean_to_end(struct pauses *p, const struct found_batch *b)
{
	double mean = (double)mean_pause(p, b);
	double beyond = infer_beyond_end(p);

	if (beyond > mean)
		beyond = mean;
	if (beyond != 0) {
		p->moved_ns = beyond;
		p->moved_from = p->slot;
	}
	return (nsec)(mean - beyond);
}

/* Takes a delay if it is long enough to be one, else keeps it for the next. */
static void
add_delay(
    struct pauses *p, struct found_batch *b, struct found_pace pace, nsec least)
{
	struct found *f = p->f;
	nsec ns = f->carry_ns = pace.ns + f->carry_ns;

	if (ns < least || b->n_paces == MAX_ALL_PACES)
		return;
	f->carry_ns = ns % NSEC_PER_USEC;
	pace.ns = infer_without_slack(f->s, ns - f->carry_ns);
	pace.slot = (uint8_t)p->slot;
	b->paces[b->n_paces++] = pace;
}

/* Takes a delay, unless it is noise. It is the mean where times are measured, so that
 * iterations stay as long. */
static void
take_told_delay(struct pauses *p, struct found_batch *b, struct found_pace pace,
    uint32_t blocked)
{
	bool rare = p->f->s->cpu_ns == 0 && blocked <= p->n / 2;
	nsec least = infer_shortest_delay(p->f);

	if (is_noise(p, b, pace.ns))
		return;
	pace.n_of = blocked;
	add_delay(p, b, pace, rare ? least + infer_thresholds.cpu_ns : least);
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
	nsec width = infer_pause_width(p, period), sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		nsec ns = p->samples[i].at - infer_pause_base(p, i, &pace);

		if (ns + width < period || ns > period + width)
			continue;
		sum += ns;
		n++;
	}
	return n > 0 ? sum / n / NSEC_PER_USEC * NSEC_PER_USEC : period;
}

/* The period of measured iterations, in ns. Where an infinite batch is ended behind it, it
 * is such that batches run as long; the rest is kept for the next delay. */
static nsec
measured_period(struct pauses *p)
{
	double sum = 0;

	if (p->moved_ns == 0 || p->moved_from != p->slot)
		return infer_mean_period(p);
	for (uint32_t i = 0; i < p->n; i++)
		sum += (double)(nsec_later(p->samples[i].at, p->starts[i]) -
		    p->starts[i]);
	sum = sum / p->n - p->moved_ns;
	if (p->moved_ns > 0)
		p->f->carry_ns += (nsec)p->moved_ns;
	return sum > NSEC_PER_USEC ? (nsec)sum : NSEC_PER_USEC;
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

/* True if a sample is explained by a delay of that length. */
static bool
is_delayed_by(const struct pauses *p, uint32_t i, nsec ns)
{
	const struct sample *sample = &p->samples[i];
	nsec width = infer_pause_width(p, ns);

	return sample->at + width >= sample->from + ns &&
	    sample->at <= sample->from + ns + width;
}

/* Takes a period and a delay for the pauses at the end of an iteration: those of
 * iterations that were late are of one length, as if each began with a sleep. False:
 * they do not explain nearly all pauses, or the delay alone does. */
static bool
take_late_delay(struct pauses *p, struct found_batch *b, uint32_t blocked)
{
	struct trial period = {{.kind = PACE_PERIOD}, .weight = 1};
	struct trial delay = {{.kind = PACE_DELAY}, .weight = 1};
	uint32_t n_paces = b->n_paces, n, n_other = 0;

	infer_try_least(p, &period);
	if (!p->f->book->input->is_trace || period.pace.n_hits < 2 ||
	    n_paces + 2 > MAX_ALL_PACES)
		return false;
	period.pace.ns = mean_period(p, period.pace.ns);
	infer_take_cause(p, b, period.pace, blocked);
	n = infer_count_open(p->samples, p->n);
	infer_try_constant(p, &delay);
	for (uint32_t i = 0; i < p->n; i++)
		n_other += !is_delayed_by(p, i, delay.pace.ns);
	if (n == 0 || n_other == 0 || delay.n_early > 0 ||
	    delay.pace.n_hits < (double)n * infer_thresholds.holds) {
		b->n_paces = n_paces;
		return false;
	}
	infer_take_cause(p, b, delay.pace, blocked);
	return true;
}

void
infer_find_told_causes(struct pauses *p, struct found_batch *b)
{
	uint32_t blocked = infer_count_open(p->samples, p->n);
	struct trial period = {{.kind = PACE_PERIOD}, .weight = 1};
	struct trial delay = {{.kind = PACE_DELAY}, .weight = 1};
	struct trial wait = {{.kind = PACE_WAIT}, .weight = 1};
	nsec cost = infer_slot_cost(p->f, b, p->slot);
	bool exact = p->f->s->cpu_ns == 0;
	nsec mean;

	if (p->n == 0)
		return;
	mean = exact ? mean_pause(p, b) : mean_to_end(p, b);
	if (blocked >= p->least) {
		infer_try_constant(p, &period);
		infer_try_constant(p, &delay);
		if (!exact && !p->f->has_waits &&
		    delay.pace.n_hits < blocked * 0.8)
			infer_try_wait(p, &wait);
	}
	p->f->n_pauses += p->n;
	if (exact) {
		period.pace.ns = mean_period(p, period.pace.ns);
		if (delay.pace.n_hits >= period.pace.n_hits &&
		    delay.pace.n_hits > blocked * 0.8 &&
		    delay.n_early <= period.n_early &&
		    is_rounder(
			infer_without_slack(p->f->s,
			    delay.pace.ns - nsec_earlier(delay.pace.ns, cost)),
			infer_without_slack(p->f->s, period.pace.ns)))
			period.pace.n_hits = 0;
	}
	if (exact && is_last_slot(p, b) && take_late_delay(p, b, blocked))
		return;
	if (period.pace.n_hits > blocked * 0.8 && period.pace.n_hits >= 2 &&
	    (exact || blocked > p->n / 2) &&
	    !infer_has_pace(b, PACE_PERIOD, false) &&
	    mean * p->n / blocked >
		(exact ? NSEC_PER_USEC : p->f->s->near_ns) &&
	    (is_last_slot(p, b) || delay.pace.n_hits < blocked * 0.8)) {
		if (!exact)
			period.pace.ns = measured_period(p);
		period.pace.ns = infer_without_slack(p->f->s, period.pace.ns);
		infer_take_cause(p, b, period.pace, blocked);
	} else if (wait.pace.n_hits > blocked * 0.8 && blocked > p->n / 2) {
		infer_delay_after_wait(p, &wait.pace);
		infer_take_cause(p, b, wait.pace, blocked);
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

/* The mean of the pauses before the batches of a position, in ns: of all iterations,
 * or of the sampled ones with the usual acts. */
static double
mean_paused(const struct pauses *p, const struct found_batch *b, bool all)
{
	const struct found *f = p->f;
	uint32_t n_looked = all ? f->n_begins : f->n_sampled, n = 0;
	double sum = 0;

	for (uint32_t i = 0; i < n_looked; i++) {
		uint32_t which = all ? i : f->sampled[i];
		uint32_t at = f->begins[which] + p->position;

		if ((p->position == 0 && infer_is_after_gap(f, which)) ||
		    (!all && infer_hash_acts(f->s, at) != b->act_hash))
			continue;
		sum += (double)infer_paused_before(p, at);
		n++;
	}
	return n > 0 ? sum / n : 0;
}

/* Returns the last delay of a batch; NULL: it has none. */
static struct found_pace *
last_delay(struct found_batch *b)
{
	for (uint32_t i = b->n_paces; i-- > 0;)
		if (b->paces[i].kind == PACE_DELAY)
			return &b->paces[i];
	return NULL;
}

void
infer_keep_mean_pause(struct pauses *p, struct found_batch *b)
{
	struct found_pace *delay = last_delay(b);
	double excess;

	if (p->f->s->cpu_ns == 0 || b->n_act_hits == 0 ||
	    infer_has_pace(b, PACE_PERIOD, false))
		return;
	excess = mean_paused(p, b, true) - mean_paused(p, b, false);
	if (p->moved_ns > 0 && (delay == NULL || delay->slot <= p->moved_from))
		p->f->carry_ns += (nsec)p->moved_ns;
	else
		excess += p->moved_ns;
	if (delay != NULL) {
		double ns = (double)delay->ns + excess;

		delay->ns = ns > NSEC_PER_USEC ? (nsec)ns : NSEC_PER_USEC;
	} else if (excess > 0) {
		struct found_pace pace = {.kind = PACE_DELAY,
		    .loose = true,
		    .ns = (nsec)excess,
		    .n_of = b->n_act_samples};

		pace.n_hits = b->n_act_samples - b->n_act_hits;
		/* Pauses before the first batch are at the end of an iteration. */
		p->slot = p->position == 0 ? b->n_before : b->n_acts;
		add_delay(p, b, pace, infer_shortest_delay(p->f));
	}
}
