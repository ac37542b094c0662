/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The distance of preemption points: by how much the latency of preemptions varies.
 * Where the GPU has another engine, the end of a batch there releases the urgent
 * batch, so that no call of the CPU is part of it (doc/model/libdrm.md
 * "Calibration").
 */
#include <math.h>

#include "device/hardware/calibrate_private.h"

#define STARTS   128
#define PHASE_NS (200 * NSEC_PER_USEC)
/* How long the other engine's batch runs: until the urgent one is submitted. */
#define LEAD_NS      (300 * NSEC_PER_USEC)
#define MOST_LEAD_NS (5 * NSEC_PER_MSEC)
/* Longest wait for the start of a batch. */
#define START_NS (100 * NSEC_PER_MSEC)
/* Fewer starts tell nothing. */
#define LEAST_STARTS (STARTS / 4)

/* Returns the range in which samples, sorted, are evenly spread: that of nine tenths of
 * them, and as much more. */
static double
range_of(const struct samples *s)
{
	unsigned out = s->n / 20;
	double inner = s->n - 1 - 2.0 * out;

	if (s->n < 2)
		return 0;
	return (s->list[s->n - 1 - out] - s->list[out]) * (s->n + 1) / inner;
}

/* How long preemption takes varies with how far off the next point is, and with all that
 * starts on an idle engine vary with, too: independent variations add up as their
 * squares. These, what else is not known of a sample, and chance, three standard
 * deviations of a range of n samples, are the error. A distance that may be as well
 * none at all is not measurable, but for short ones. */
static void
estimate_distance(struct samples *s, struct samples *idle, double unknown)
{
	double range, besides;

	figure_of(s);
	figure_of(idle);
	range = range_of(s);
	besides = range_of(idle);
	s->estimated = s->has_error = true;
	s->estimate = sqrt(fmax(range * range - besides * besides, 0));
	s->error = besides + unknown + s->estimate / sqrt(s->n);
	if (s->error >= s->estimate && s->error > (double)NSEC_PER_USEC)
		s->n = 0;
}

/* Batches of one start. */
struct released_start {
	struct bench_batch *low; /* has the engine; NULL: it is idle */
	struct bench_batch *trigger, *urgent, *raiser;
};

/* Under execlists a batch of priority 0 would wait on the engine itself, by a
 * semaphore. One of -1 does not, and gets the priority of a batch that waits for
 * it. */
static void
submit_start(struct bench *b, nsec lead_ns, struct released_start *at)
{
	at->trigger = bench_timed(b, BENCH_OTHER, lead_ns);
	at->urgent = bench_spin_after(b, BENCH_WAITER, at->trigger);
	at->raiser = bench_spin_after(b, URGENT, at->urgent);
}

/* Returns the time from the end of the trigger to the start of the urgent batch, ns. */
static double
finish_start(struct bench *b, const struct released_start *at)
{
	struct bench_result released, began;

	bench_end(at->urgent);
	bench_end(at->raiser);
	bench_end(at->low);
	released = bench_finish(b, at->trigger);
	began = bench_finish(b, at->urgent);
	bench_finish(b, at->raiser);
	bench_finish(b, at->low);
	return bench_ns(
	    b, (double)began.stamps.start - (double)released.stamps.seen);
}

/* Adds the latency of a start at some moment; or notes that it was disturbed, as the
 * batch was submitted after the end of the trigger: that is longer from then on. */
static void
sample_start(struct calibration *c, unsigned i, nsec *lead_ns, bool busy,
    struct samples *s)
{
	struct bench *b = &c->bench;
	struct released_start at = {
	    .low = busy ? bench_spin(b, PATIENT, true) : NULL};
	bool known;
	double latency;

	if (busy)
		bench_begins(b, at.low, START_NS);
	bench_pause(PHASE_NS + bench_phase(i, PHASE_NS));
	submit_start(b, *lead_ns, &at);
	known = !bench_is_over(b, at.trigger);
	if (!known && *lead_ns < MOST_LEAD_NS)
		*lead_ns *= 2;
	known = bench_begins(b, at.urgent, START_NS) && known;
	latency = finish_start(b, &at);
	if (known)
		samples_add(s, latency);
	else
		s->n_disturbed++;
}

/* Starts with and without preemption take turns, so that both are of the same time. */
static void
measure_released(struct calibration *c, struct samples *s)
{
	struct bench *b = &c->bench;
	struct samples idle = {.n = 0};
	nsec lead_ns = LEAD_NS;

	bench_set_priority(b, PATIENT, LOW);
	for (unsigned i = 0; i < STARTS && bench_ok(b); i++) {
		sample_start(c, i, &lead_ns, false, &idle);
		sample_start(c, i, &lead_ns, true, s);
	}
	bench_set_priority(b, PATIENT, 0);
	if (idle.n >= LEAST_STARTS && s->n >= LEAST_STARTS) {
		estimate_distance(s, &idle, 0);
		return;
	}
	s->n = 0;
	s->n_disturbed += idle.n_disturbed;
}

void
measure_arbitration(struct calibration *c, struct samples *s)
{
	if (!c->turns.early)
		return;
	if (c->bench.other != c->bench.engine) {
		measure_released(c, s);
		return;
	}
	/* When in its execbuf a batch was submitted is not known. */
	calibration_latencies(c, s);
	if (s->n > 0)
		estimate_distance(s, &c->turns.starts, c->turns.call_ns);
}
