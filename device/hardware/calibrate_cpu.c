/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements of the CPU's side: what a submission takes, when the waiter knows of
 * an end, how late sleeps end, how many requests a ring takes.
 */
#include <errno.h>

#include "device/hardware/calibrate_private.h"

#define CPU_SAMPLES  64
#define PAUSE_NS     (100 * NSEC_PER_USEC)
#define SLEEP_NS     NSEC_PER_MSEC
#define MAX_REQUESTS 4096

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
