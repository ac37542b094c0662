/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements of slices: for how long the first of two batches of equal priority
 * has the engine while the other one waits, and whether that ends at ticks of the
 * kernel (doc/model/libdrm.md "Calibration").
 */
#include <math.h>

#include "device/hardware/calibrate_private.h"

#define SLICES 64
/* Longest wait for the end of a slice. */
#define SLICE_NS (200 * NSEC_PER_MSEC)
#define PHASE_NS (20 * NSEC_PER_MSEC)
/* Slices that vary by less do not end at ticks. */
#define EXACT_NS 300000.0

/* Returns for how long the first of two equals has the engine, and the change to
 * the other one, ns; below 0: no slice has ended. */
static double
run_equals(struct calibration *c, nsec phase)
{
	struct bench *b = &c->bench;
	struct bench_batch *blocker = bench_spin(b, BENCH_BLOCKER, false);
	struct bench_batch *first = bench_spin(b, 0, true);
	struct bench_batch *second = bench_spin(b, 1, true);
	struct bench_result one, two;
	bool ended;

	bench_pause(phase);
	bench_end(blocker);
	bench_finish(b, blocker);
	ended = bench_begins(b, second, SLICE_NS);
	bench_end(first);
	bench_end(second);
	one = bench_finish(b, first);
	two = bench_finish(b, second);
	if (!ended)
		return -1;
	return bench_ns(b, (double)two.stamps.start - (double)one.stamps.start);
}

/* Returns the length of a kernel's tick by which times vary; 0: none. */
static double
nearest_tick(double ns)
{
	static const double ticks[] = {1e6, 1e9 / 300, 4e6, 1e7};
	double nearest = ticks[0];

	if (ns < EXACT_NS)
		return 0;
	for (unsigned i = 1; i < sizeof ticks / sizeof *ticks; i++)
		if (fabs(ticks[i] - ns) < fabs(nearest - ns))
			nearest = ticks[i];
	return nearest;
}

/* Returns the whole number of milliseconds from low to high, as the driver's
 * setting is one; else their middle. */
static double
whole_slice(double low, double high)
{
	double ms = floor(high / 1e6) * 1e6;

	return ms > low ? ms : (low + high) / 2;
}

/* A slice that ends at a tick, at its time or after it, and then at a preemption
 * point, is longer by up to a tick and the distance of two points. Longer ones were
 * disturbed. */
static void
estimate_slice(struct calibration *c, struct samples *s)
{
	double points = calibration_figure(c, MEASURE_ARBITRATION), beyond;
	struct figure f = figure_of(s);
	unsigned last = s->n - 1;

	c->tick_ns = nearest_tick((f.high - f.low) / 0.8 - points);
	if (c->tick_ns == 0)
		return;
	beyond = points + c->tick_ns;
	while (last > 0 && s->list[last] - beyond > s->list[0])
		last--;
	s->estimated = true;
	s->estimate = whole_slice(s->list[last] - beyond, s->list[0]);
}

/* Slices of nothing: equals do not take turns. besides: time that is not the
 * slice's. */
static void
sample_slices(struct calibration *c, struct samples *s, double besides)
{
	if (!c->turns.early)
		return;
	for (unsigned i = 0; i < SLICES && bench_ok(&c->bench); i++) {
		double slice = run_equals(c, bench_phase(i, PHASE_NS));

		samples_add(s, fmax(slice - besides, 0));
		if (slice < 0)
			break;
	}
}

void
measure_timeslice(struct calibration *c, struct samples *s)
{
	/* It begins with the batch. */
	double besides = calibration_figure(c, MEASURE_COMPLETION) +
	    calibration_figure(c, MEASURE_SWITCH);

	if (c->hw->facts.submission != BY_EXECLISTS)
		return;
	sample_slices(c, s, besides);
	if (s->n > 1)
		estimate_slice(c, s);
}

void
measure_quantum(struct calibration *c, struct samples *s)
{
	/* It begins with the change to the first batch. */
	if (c->hw->facts.submission == BY_GUC)
		sample_slices(c, s, 0);
}

void
measure_ticks(struct calibration *c, struct samples *s)
{
	if (c->figures[MEASURE_TIMESLICE][calibration_class(c)].n > 1)
		samples_add(s, c->tick_ns > 0 ? round(1e9 / c->tick_ns) : 0);
}
