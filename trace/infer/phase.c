/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When the iterations of several clients begin, beside each other (doc/model/infer.md
 * "Phases"): all clients of a run begin at once, so that one which began later in the
 * records sleeps first.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/pauses.h"

/* Clients of which each may be the one that does not sleep first. */
#define MAX_REFERENCES 32

/* The pause of that kind before the first batch; NULL: there is none. */
static const struct found_pace *
first_pace_of(const struct found *f, enum pace_kind kind)
{
	const struct found_batch *b = &f->batches[0];

	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind == kind && !b->paces[i].loose)
			return &b->paces[i];
	return NULL;
}

/* The delay before the period at the end of iterations, which late ones have too; NULL:
 * there is none. */
static struct found_pace *
late_delay(struct found *f)
{
	struct found_batch *b = &f->batches[0];

	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind != PACE_PERIOD && b->paces[i].ns > 0 &&
		    !b->paces[i].loose && b->paces[i].slot == b->n_before)
			return &b->paces[i];
	return NULL;
}

/* When an iteration had no more to do: its last submission, or the end of its last
 * wait. */
static nsec
iteration_end(const struct found *f, uint32_t next)
{
	const struct infer_sequence *s = f->s;
	const struct found_batch *b = &f->batches[0];
	nsec end = s->seen[next - 1].queued;

	for (uint32_t i = s->n_told > 0 ? infer_first_told(s, next) : 0;
	     i < s->n_told && s->told[i].index == next; i++)
		end = nsec_later(end, s->told[i].to);
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind == PACE_WAIT &&
		    b->paces[i].distance <= next)
			end = nsec_later(end,
			    nsec_after(s->seen[next - b->paces[i].distance].end,
				b->paces[i].ns));
	return end;
}

/* How long the client sleeps in nearly all iterations that were not late. */
static nsec
spare_time(struct found *f, nsec period)
{
	const struct found_pace *delay = late_delay(f);
	nsec *spare = mem_calloc(f->n_sampled, sizeof(*spare)), least;
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t which = f->sampled[i];
		nsec next, end;

		if (infer_is_after_gap(f, which))
			continue;
		next = f->s->seen[f->begins[which]].queued;
		if (next - f->s->seen[f->begins[which - 1]].queued >
		    period + f->s->near_ns)
			continue;
		end = iteration_end(f, f->begins[which]);
		spare[n++] = next > end ? next - end : 0;
	}
	infer_sort(spare, n);
	least = n > 0 ? infer_quantile(spare, n, 1 - infer_thresholds.explained)
		      : 0;
	free(spare);
	return delay != NULL ? nsec_earlier(least, delay->ns) : least;
}

static nsec
begin_of(const struct found *f)
{
	return f->s->seen[f->begins[0]].queued;
}

/* A client, and for how long it may sleep before its first iteration. */
struct phased {
	struct found *f;
	nsec period; /* 0: it has none */
	nsec spare;
};

/* How long after the reference's the iterations of a client begin; less than the
 * least delay counts as 0. NSEC_NEVER: earlier, and it has no period. */
static nsec
phase_after(const struct phased *c, const struct phased *reference)
{
	nsec begin = begin_of(c->f), from = begin_of(reference->f), phase;
	nsec least = nsec_later(NSEC_PER_USEC, c->f->s->cpu_ns);

	if (c->period == 0)
		return begin >= from       ? begin - from
		    : from - begin < least ? 0
					   : NSEC_NEVER;
	phase = (begin % c->period + c->period - from % c->period) % c->period;
	if (phase < least || c->period - phase < least)
		return 0;
	return phase;
}

static uint32_t
count_fitting(
    const struct phased *all, uint32_t n, const struct phased *reference)
{
	uint32_t fits = 0;

	for (uint32_t i = 0; i < n; i++)
		fits += phase_after(&all[i], reference) <= all[i].spare;
	return fits;
}

/* The client beside which most others can begin as they did. */
static const struct phased *
find_reference(const struct phased *all, uint32_t n)
{
	const struct phased *best = all;
	uint32_t most = 0;

	for (uint32_t i = 0; i < n && i < MAX_REFERENCES; i++) {
		uint32_t fits = count_fitting(all, n, &all[i]);

		if (fits <= most)
			continue;
		most = fits;
		best = &all[i];
	}
	return best;
}

/* Lets a client sleep first. A delay at the end of its iterations is as much shorter,
 * so that late ones take as long as before. */
static void
lead_phase(struct found *f, nsec phase)
{
	struct found_pace *delay = late_delay(f);

	if (delay != NULL && delay->kind == PACE_DELAY && delay->ns == phase) {
		f->lead = *delay;
		f->lead_is_last = true;
		return;
	}
	f->lead = (struct found_pace){
	    .kind = PACE_PHASE, .ns = infer_without_slack(f->s, phase)};
	if (delay != NULL)
		delay->ns -= phase;
}

/* Adds a client whose iterations may begin as they did: one with a period or, where
 * times are exact, any whose first request begins one. */
static void
add_phased(struct phased *all, uint32_t *n, struct found *f)
{
	const struct found_pace *p = first_pace_of(f, PACE_PERIOD);
	const struct found_pace *delay = late_delay(f);

	if (!f->repeats)
		return;
	if (p != NULL && p->ns > 0)
		all[(*n)++] = (struct phased){f, p->ns, spare_time(f, p->ns)};
	else if (f->s->cpu_ns == 0 && f->begins[0] == 0)
		all[(*n)++] = (struct phased){
		    f, 0, delay != NULL ? delay->ns : 0};
}

static void
lead_periods(struct found *founds, uint32_t n_founds)
{
	struct phased *all = mem_calloc(n_founds, sizeof(*all));
	const struct phased *reference;
	uint32_t n = 0;

	for (uint32_t i = 0; i < n_founds; i++)
		add_phased(all, &n, &founds[i]);
	reference = find_reference(all, n);
	for (uint32_t i = 0; i < n; i++) {
		nsec phase = phase_after(&all[i], reference);

		if (phase > 0 && phase <= all[i].spare)
			lead_phase(all[i].f, phase);
	}
	free(all);
}

/* A client whose iterations end with a delay may have begun with it. */
static void
lead_delay(struct found *f, nsec begin)
{
	const struct found_pace *delay = first_pace_of(f, PACE_DELAY);
	nsec late = f->s->seen[0].queued - begin, apart;

	if (delay == NULL || f->begins[0] != 0 || !f->repeats ||
	    first_pace_of(f, PACE_PERIOD) != NULL || f->lead.ns > 0)
		return;
	apart = late > delay->ns ? late - delay->ns : delay->ns - late;
	if (apart > f->s->near_ns)
		return;
	f->lead = *delay;
	f->lead_is_last = true;
}

/* A client that begins late by as many of its longest gaps was not asleep in a step. */
#define LATE_GAPS 2

static nsec
earliest_begin(const struct infer_book *book)
{
	nsec begin = NSEC_NEVER;

	for (uint32_t i = 0; i < book->n_sequences; i++)
		begin = nsec_earlier(begin, book->sequences[i].seen[0].queued);
	return begin;
}

static nsec
longest_gap(const struct infer_sequence *s)
{
	nsec longest = s->n > 1 ? 0 : NSEC_NEVER;

	for (uint32_t i = 1; i < s->n; i++)
		longest = nsec_later(
		    longest, s->seen[i].queued - s->seen[i - 1].queued);
	return longest;
}

/* True if a client began late by more than an iteration of it waits, first or
 * anywhere. */
static bool
began_late(const struct infer_sequence *s, nsec begin, nsec end)
{
	nsec late = s->seen[0].queued - begin;

	return (double)late > (double)(end - begin) * infer_thresholds.late &&
	    late / LATE_GAPS > longest_gap(s);
}

bool
infer_begin_apart(const struct infer_book *book)
{
	const struct infer_input *input = book->input;
	nsec begin = earliest_begin(book), end = begin;
	bool apart = false;

	if (input->is_trace || !input->from_start ||
	    !input->deps_are_complete || input->n_marks > 0)
		return false;
	for (uint32_t i = 0; i < book->n_sequences; i++) {
		const struct infer_sequence *s = &book->sequences[i];

		if (input->requests[s->seen[0].record].n_earlier > 0 ||
		    s->n > infer_thresholds.max_batches)
			return false;
		end = nsec_later(end, s->endings[s->n - 1].ns);
	}
	for (uint32_t i = 0; i < book->n_sequences; i++)
		apart |= began_late(&book->sequences[i], begin, end);
	return apart;
}

/* Each client that is one iteration begins as late as it did. */
static void
lead_apart(struct found *founds, uint32_t n)
{
	nsec begin = earliest_begin(founds[0].book);

	for (uint32_t i = 0; i < n; i++) {
		const struct infer_sequence *s = founds[i].s;
		nsec late = s->seen[0].queued - begin;

		if (late >= infer_shortest_delay(&founds[i]))
			founds[i].lead = (struct found_pace){.kind = PACE_PHASE,
			    .ns = infer_without_slack(s, late)};
	}
}

void
infer_find_phases(struct found *founds, uint32_t n)
{
	nsec begin = NSEC_NEVER;

	if (n > 0 && founds[0].book->is_apart)
		lead_apart(founds, n);
	if (n < 2 || !founds[0].book->input->is_trace)
		return;
	lead_periods(founds, n);
	for (uint32_t i = 0; i < n; i++)
		begin = nsec_earlier(begin, founds[i].s->seen[0].queued);
	for (uint32_t i = 0; i < n; i++)
		lead_delay(&founds[i], begin);
}
