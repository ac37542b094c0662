/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements of who has the engine: preemption of a batch by a more urgent one,
 * and levels of priority (doc/model/libdrm.md "Calibration").
 */
#include <math.h>

#include "device/hardware/calibrate_private.h"

/* A further context: calibrate_private.h has the others. */
#define OTHER    2
#define BEGIN_NS NSEC_PER_SEC
/* Longest wait for a preemption. */
#define PREEMPT_NS (3 * NSEC_PER_MSEC)
#define ALONE_NS   (200 * NSEC_PER_USEC)
#define TURNS      64
#define ENDS       12
#define LAST_TURN  4
/* Latencies are measured by a quarter of the samples at least. */
#define LEAST_TURNS (TURNS / 4)

struct preemption {
	bool early;     /* the urgent batch began before the other one ended */
	double call;    /* its execbuf, ns */
	double latency; /* to its start, from when the driver had it, ns */
	double gap;     /* from when the other one was seen last, ns */
};

/* Returns the time of a batch's start since the driver had it, ns: that was at the end of
 * its execbuf, or before, by the time that starts on an idle engine take, as the process
 * may go on later than its batch. */
static double
preemption_latency(const struct calibration *c, const struct bench_result *r)
{
	double start = (double)clock_time(&c->hw->clock, r->stamps.start);

	return start -
	    fmin((double)r->after_ns, (double)r->before_ns + c->turns.idle_ns);
}

/* Runs a batch of low priority, then an urgent one. On a loaded machine a preemption may
 * be seen late: the batch of low priority goes on behind the urgent one then, so both
 * are ended before either is waited for. */
static struct preemption
run_preemption(struct calibration *c, bool points, nsec alone)
{
	struct bench *b = &c->bench;
	struct preemption p = {0};
	struct bench_batch *low = bench_spin(b, PATIENT, points), *urgent;
	struct bench_result by, off, last;

	bench_begins(b, low, BEGIN_NS);
	bench_pause(alone);
	urgent = bench_spin(b, URGENT, true);
	p.early = bench_begins(b, urgent, PREEMPT_NS);
	if (!p.early) {
		bench_end(low);
		bench_begins(b, urgent, BEGIN_NS);
	}
	off = bench_look(b, low);
	bench_end(urgent);
	bench_end(low);
	by = bench_finish(b, urgent);
	last = bench_finish(b, low);
	p.early = p.early || last.stamps.seen > by.stamps.start;
	p.gap = fmax(
	    0, bench_ns(b, (double)by.stamps.start - (double)off.stamps.seen));
	p.call = (double)(by.after_ns - by.before_ns);
	p.latency = preemption_latency(c, &by);
	return p;
}

/* Measures starts on an idle engine, as those of urgent batches are measured. */
static void
measure_idle_starts(struct calibration *c)
{
	struct bench *b = &c->bench;
	struct bench_turns *t = &c->turns;
	struct call_samples all = {0};

	for (unsigned i = 0; i < TURNS && bench_ok(b); i++) {
		struct bench_result r;

		bench_pause(ALONE_NS + bench_phase(i, ALONE_NS));
		r = bench_finish(b, bench_clocks(b, URGENT, 0, 0));
		samples_add(&all.calls, (double)(r.after_ns - r.before_ns));
		samples_add(&all.latencies,
		    (double)clock_time(&b->hw->clock, r.stamps.start) -
			(double)r.before_ns);
	}
	t->starts = (struct samples){.n = 0};
	calls_undisturbed(&all, c->hw->clock.error_ns, &t->starts);
	t->idle_ns = t->starts.n > 0 ? figure_of(&t->starts).value : INFINITY;
}

void
measure_preemption(struct calibration *c, struct samples *s)
{
	struct bench_turns *t = &c->turns;
	struct call_samples all = {0};

	measure_idle_starts(c);
	t->early = false;
	bench_set_priority(&c->bench, PATIENT, LOW);
	for (unsigned i = 0; i < TURNS && bench_ok(&c->bench); i++) {
		struct preemption p = run_preemption(
		    c, true, ALONE_NS + bench_phase(i, ALONE_NS));

		t->early = t->early || p.early;
		samples_add(s, p.early);
		if (!p.early)
			break;
		samples_add(&all.calls, p.call);
		samples_add(&all.latencies, p.latency);
	}
	bench_set_priority(&c->bench, PATIENT, 0);
	t->latencies = (struct samples){.n = 0};
	calls_undisturbed(&all, c->hw->clock.error_ns, &t->latencies);
	t->call_ns = figure_of(&all.calls).value;
}

void
calibration_latencies(const struct calibration *c, struct samples *s)
{
	if (!c->turns.early)
		return;
	*s = c->turns.latencies;
	if (s->n_disturbed > 0 && s->n < LEAST_TURNS)
		s->n = 0;
}

/* Clocks are not exact: a batch that began before the driver had it took no time that
 * can be measured. */
void
measure_latency(struct calibration *c, struct samples *s)
{
	calibration_latencies(c, s);
	for (unsigned i = 0; i < s->n; i++)
		s->list[i] = fmax(s->list[i], 0);
}

void
measure_no_points(struct calibration *c, struct samples *s)
{
	bench_set_priority(&c->bench, PATIENT, LOW);
	for (unsigned i = 0; i < ENDS && bench_ok(&c->bench); i++) {
		struct preemption p = run_preemption(c, false, ALONE_NS);

		if (!p.early)
			samples_add(s, p.gap);
	}
	c->turns.ends = *s;
	bench_set_priority(&c->bench, PATIENT, 0);
}

/* The batch that ran was seen last in its last turn, some commands before its
 * end. */
void
measure_completion(struct calibration *c, struct samples *s)
{
	double other = calibration_figure(c, MEASURE_SWITCH) +
	    LAST_TURN * calibration_figure(c, MEASURE_COMMAND);

	*s = c->turns.ends;
	for (unsigned i = 0; i < s->n; i++)
		s->list[i] = fmax(s->list[i] - other, 0);
}

/* Which of two waiting batches goes first; another one has the second port. */
void
measure_levels(struct calibration *c, struct samples *s)
{
	struct bench *b = &c->bench;
	struct bench_batch *blocker, *port, *low, *higher;
	struct bench_result first, second;

	bench_set_priority(b, PATIENT, LOW);
	bench_set_priority(b, URGENT, -1);
	blocker = bench_spin(b, BENCH_BLOCKER, false);
	port = bench_clocks(b, OTHER, 0, 0);
	low = bench_clocks(b, PATIENT, 0, 0);
	higher = bench_clocks(b, URGENT, 0, 0);
	bench_end(blocker);
	bench_finish(b, blocker);
	bench_finish(b, port);
	second = bench_finish(b, low);
	first = bench_finish(b, higher);
	samples_add(s, first.stamps.start < second.stamps.start ? 2 : 1);
	bench_set_priority(b, PATIENT, 0);
	bench_set_priority(b, URGENT, 0);
}
