/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements of the CPU's side: what a submission takes, when the waiter knows of
 * an end, how late sleeps end, how many requests a ring takes.
 */
#include <errno.h>
#include <math.h>

#include "device/hardware/calibrate_private.h"
#include "device/hardware/driver.h"

#define CPU_SAMPLES  64
#define PAUSE_NS     (100 * NSEC_PER_USEC)
#define SLEEP_NS     NSEC_PER_MSEC
#define MAX_REQUESTS 4096
#define WAKES        12
#define TRIES        3
#define CALLS        5
#define ASLEEP_NS    (100 * NSEC_PER_MSEC)
#define MAY_SLEEP_NS (20 * NSEC_PER_MSEC)
/* Latencies that differ by less, ns, are the same. */
#define LEAST_WAKE 500

/* Runs an empty batch, after a pause in which the engine has become idle.
 * Returns when the waiter knew of its end. */
static nsec
run_empty(struct calibration *c, struct bench_result *r)
{
	bench_pause(PAUSE_NS);
	*r = bench_finish(&c->bench, bench_clocks(&c->bench, 0, 0, 1));
	return hardware_now();
}

void
measure_submit(struct calibration *c, struct samples *s)
{
	struct bench_result r;

	for (unsigned i = 0; i < CPU_SAMPLES && bench_ok(&c->bench); i++) {
		run_empty(c, &r);
		samples_add(s, (double)(r.after_ns - r.before_ns));
	}
}

void
measure_wakeup(struct calibration *c, struct samples *s)
{
	struct bench_result r;

	for (unsigned i = 0; i < CPU_SAMPLES && bench_ok(&c->bench); i++) {
		nsec now = run_empty(c, &r);
		/* Its start, in two commands, and a clock. */
		double end = (double)clock_time(&c->hw->clock, r.stamps.start) +
		    3 * calibration_figure(c, MEASURE_COMMAND);

		samples_add(s, (double)now > end ? (double)now - end : 0);
	}
}

void
measure_round_trip(struct calibration *c, struct samples *s)
{
	struct bench_result r;

	for (unsigned i = 0; i < CPU_SAMPLES && bench_ok(&c->bench); i++) {
		nsec now = run_empty(c, &r);

		samples_add(s, (double)(now - r.before_ns));
	}
}

void
measure_slack(struct calibration *c, struct samples *s)
{
	double wakeup = calibration_figure(c, MEASURE_WAKEUP);

	for (unsigned i = 0; i < CPU_SAMPLES; i++) {
		nsec begun = hardware_now();
		double late;

		bench_pause(SLEEP_NS);
		late = (double)(hardware_now() - begun - SLEEP_NS) - wakeup;
		samples_add(s, late > 0 ? late : 0);
	}
}

/* The blocker is one of the requests on the ring. */
void
measure_ring(struct calibration *c, struct samples *s)
{
	struct bench *b = &c->bench;
	struct bench_batch *blocker = bench_spin(b, 0, false);
	struct bench_batch *batch = bench_clocks(b, 0, 0, 0);
	unsigned n = 2;
	int rc = 0;

	while (rc == 0 && n < MAX_REQUESTS) {
		rc = bench_again(b, batch, 0, 0);
		n += rc == 0;
	}
	bench_end(blocker);
	bench_finish(b, blocker);
	bench_finish(b, batch);
	/* The page must not be used again before all of these have ended. */
	bench_finish(b, bench_clocks(b, 0, 0, 0));
	if (rc == -EAGAIN)
		samples_add(s, n);
}

/* A start after a pause: how long the engine was idle, and the time from before
 * the execbuf to the start, ns. */
struct first_start {
	double idle, latency;
};

static struct first_start
start_after(struct calibration *c, nsec pause)
{
	struct bench *b = &c->bench;
	struct bench_result before, after;

	before = bench_finish(b, bench_clocks(b, 0, 0, 0));
	bench_pause(pause);
	/* The CPU, and what a virtual GPU runs on, have slept, too. */
	for (unsigned i = 0; i < CALLS; i++)
		driver_getparam(c->hw->fd, I915_PARAM_CHIPSET_ID);
	after = bench_finish(b, bench_clocks(b, 0, 0, 0));
	if (pause >= MAY_SLEEP_NS)
		bench_set_clock(b);
	return (struct first_start){
	    .idle = bench_ns(
		b, (double)after.stamps.start - (double)before.stamps.start),
	    .latency = (double)clock_time(&c->hw->clock, after.stamps.start) -
		(double)after.before_ns,
	};
}

/* Returns the soonest of some starts: what else happens on the machine only makes
 * them later. */
static struct first_start
soonest_start(struct calibration *c, nsec pause, unsigned tries)
{
	struct first_start soonest = {.latency = INFINITY};

	for (unsigned i = 0; i < tries && bench_ok(&c->bench); i++) {
		struct first_start start = start_after(c, pause);

		if (start.latency < soonest.latency)
			soonest = start;
	}
	return soonest;
}

void
measure_wake(struct calibration *c, struct samples *s)
{
	double soonest = INFINITY;

	c->wake_warm_ns = soonest_start(c, PAUSE_NS, WAKES).latency;
	for (unsigned i = 0; i < WAKES && bench_ok(&c->bench); i++) {
		double latency = start_after(c, ASLEEP_NS).latency;

		soonest = fmin(soonest, latency);
		samples_add(s, fmax(latency - c->wake_warm_ns, 0));
	}
	s->estimated = true;
	s->estimate = fmax(soonest - c->wake_warm_ns, 0);
}

/* Halves the range of pauses, as factors, in which engines fall asleep. */
void
measure_wake_after(struct calibration *c, struct samples *s)
{
	double wake = calibration_figure(c, MEASURE_WAKE);
	double awake = PAUSE_NS, asleep = ASLEEP_NS;

	if (wake < LEAST_WAKE)
		return;
	for (unsigned i = 0; i < WAKES && bench_ok(&c->bench); i++) {
		struct first_start start = soonest_start(
		    c, (nsec)sqrt(awake * asleep), TRIES);

		samples_add(s, start.idle);
		if (start.latency > c->wake_warm_ns + wake / 2)
			asleep = fmin(asleep, start.idle);
		else
			awake = fmax(awake, start.idle);
	}
	s->estimated = true;
	s->estimate = sqrt(awake * asleep);
}
