/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sleep of engines: starts after a pause in which the engine was idle are compared with
 * starts after a pause of the same length in which it had a batch, so that the CPU has
 * slept before both (doc/model/libdrm.md "Calibration").
 */
#include <math.h>

#include "device/hardware/calibrate_private.h"
#include "device/hardware/driver.h"

#define PAUSE_NS  (100 * NSEC_PER_USEC)
#define ASLEEP_NS (100 * NSEC_PER_MSEC)
/* Longest wait for the start of a batch. */
#define START_NS (100 * NSEC_PER_MSEC)
#define WAKES    12
#define HALVINGS 12
#define TRIES    7
#define CALLS    5
/* Fewer pairs tell nothing. */
#define LEAST_PAIRS 3
/* Latencies that differ by less, ns, are the same. */
#define LEAST_WAKE 500

/* A start: from before its execbuf, ns; its execbuf; since the start of the one before. */
struct start_after {
	double latency, call, idle;
};

/* Submits an empty batch after a pause, and after PAUSE_NS more where the engine had a
 * batch in the pause. */
static struct start_after
start_after(struct calibration *c, nsec pause, bool busy)
{
	struct bench *b = &c->bench;
	struct bench_batch *running = NULL, *second;
	struct bench_result before = {0}, after;

	if (busy) {
		running = bench_timed(b, 0, pause);
		bench_begins(b, running, START_NS);
		pause += PAUSE_NS;
	} else {
		before = bench_finish(b, bench_clocks(b, 0, 0, 0));
	}
	bench_pause(pause);
	/* The process of a virtual GPU has slept, too. */
	for (unsigned i = 0; i < CALLS; i++)
		driver_getparam(c->hw->fd, I915_PARAM_CHIPSET_ID);
	second = bench_clocks(b, 0, 0, 0);
	if (busy)
		before = bench_finish(b, running);
	after = bench_finish(b, second);
	return (struct start_after){
	    .latency = (double)clock_time(&c->hw->clock, after.stamps.start) -
		(double)after.before_ns,
	    .call = (double)(after.after_ns - after.before_ns),
	    .idle = bench_ns(
		b, (double)after.stamps.start - (double)before.stamps.start),
	};
}

/* Adds by how much later batches start after an idle engine than after a busy one, and
 * how long it was idle, ns. The clock is set for each pair, so that its error is in both
 * starts. */
static void
measure_pairs(struct calibration *c, nsec pause, unsigned n, struct samples *s,
    struct samples *idle)
{
	struct call_samples all = {0};

	for (unsigned i = 0; i < n && bench_ok(&c->bench); i++) {
		struct start_after awake, rested;

		bench_set_clock(&c->bench);
		awake = start_after(c, pause, true);
		rested = start_after(c, pause, false);
		samples_add(&all.latencies, rested.latency - awake.latency);
		samples_add(&all.calls, fmax(rested.call, awake.call));
		samples_add(idle, rested.idle);
	}
	calls_undisturbed(&all, 0, s);
}

void
measure_wake(struct calibration *c, struct samples *s)
{
	struct samples idle = {.n = 0};

	measure_pairs(c, ASLEEP_NS, WAKES, s, &idle);
	if (s->n < LEAST_PAIRS)
		s->n = 0;
	for (unsigned i = 0; i < s->n; i++)
		s->list[i] = fmax(s->list[i], 0);
}

/* Returns the middle one of samples, which it sorts. */
static double
middle_of(struct samples *s)
{
	figure_of(s);
	return s->n > 0 ? s->list[s->n / 2] : 0;
}

/* Halves the range of pauses, as factors, in which engines fall asleep. */
void
measure_wake_after(struct calibration *c, struct samples *s)
{
	const struct figure *wake =
	    &c->figures[MEASURE_WAKE][calibration_class(c)];
	double awake = PAUSE_NS, asleep = ASLEEP_NS;

	if (wake->value < LEAST_WAKE || wake->low <= 0)
		return;
	for (unsigned i = 0; i < HALVINGS && bench_ok(&c->bench); i++) {
		struct samples later = {.n = 0}, idle = {.n = 0};
		double pause;

		measure_pairs(
		    c, (nsec)sqrt(awake * asleep), TRIES, &later, &idle);
		pause = middle_of(&idle);
		samples_add(s, pause);
		if (middle_of(&later) > wake->value / 2)
			asleep = fmin(asleep, pause);
		else
			awake = fmax(awake, pause);
	}
	s->estimated = true;
	s->estimate = sqrt(awake * asleep);
}
