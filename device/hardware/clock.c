/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Correlation of the two clocks: REG_READ of RING_TIMESTAMP between two looks at
 * the CPU's clock. Half of the time between these is the error.
 */
#include "device/hardware/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "device/hardware/driver.h"
#include "device/hardware/hardware.h"

#define RENDER_TIMESTAMP 0x2358u
#define TRIES            16
#define TICK_BITS        36
/* Clocks may drift apart by a part in that number. */
#define DRIFT_PARTS 20000
#define TICK_MASK   ((UINT64_C(1) << TICK_BITS) - 1)

nsec
hardware_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (nsec)t.tv_sec * NSEC_PER_SEC + (nsec)t.tv_nsec;
}

/* Returns 0 or -errno. */
static int
read_pair(int fd, struct clock_pair *pair)
{
	struct drm_i915_reg_read arg = {
	    .offset = RENDER_TIMESTAMP | I915_REG_READ_8B_WA};
	int rc;

	pair->before = hardware_now();
	rc = driver_ioctl(fd, DRM_IOCTL_I915_REG_READ, &arg);
	pair->after = hardware_now();
	pair->ticks = arg.val & TICK_MASK;
	return rc;
}

/* Reads pairs until one is as narrow as that, but for a quarter. */
static int
read_best(int fd, nsec narrow, struct clock_pair *best)
{
	struct clock_pair pair;
	int rc = read_pair(fd, best);

	for (int i = 1; rc == 0 && i < TRIES &&
	     best->after - best->before > narrow + narrow / 4;
	     i++) {
		rc = read_pair(fd, &pair);
		if (pair.after - pair.before < best->after - best->before)
			*best = pair;
	}
	return rc;
}

/* Returns ticks in ns, rounded to the nearest. */
static int64_t
ticks_in_ns(int64_t ticks, uint64_t hz)
{
	__int128 n = (__int128)ticks * (__int128)NSEC_PER_SEC;
	__int128 half = (__int128)(hz / 2);

	return (int64_t)((n + (n < 0 ? -half : half)) / (__int128)hz);
}

nsec
clock_time(const struct gpu_clock *clock, uint64_t ticks)
{
	/* The difference of 36 bits, with a sign. */
	int64_t apart = (int64_t)((ticks - clock->ticks) << (64 - TICK_BITS)) >>
	    (64 - TICK_BITS);

	return (nsec)((int64_t)clock->cpu_ns + ticks_in_ns(apart, clock->hz));
}

void
clock_take(struct gpu_clock *clock, const struct clock_pair *pair)
{
	nsec width = pair->after - pair->before,
	     middle = pair->before + width / 2,
	     error = width / 2 + NSEC_PER_SEC / clock->hz;
	int64_t apart = (int64_t)clock_time(clock, pair->ticks) -
	    (int64_t)middle;
	nsec last = clock->error_ns + (middle - clock->cpu_ns) / DRIFT_PARTS;

	clock->drift_ns = clock->n_set > 0 ? apart : 0;
	if (clock->n_set == 0 || width < clock->narrowest_ns)
		clock->narrowest_ns = width;
	if (clock->n_set++ > 0 && error > last &&
	    (nsec)llabs(apart) <= error + last)
		return;
	clock->ticks = pair->ticks;
	clock->cpu_ns = middle;
	clock->error_ns = error;
}

bool
clock_set(struct gpu_clock *clock, int fd, struct text *err)
{
	struct clock_pair best;
	int rc = clock->by_batches ? 0
				   : read_best(fd, clock->narrowest_ns, &best);

	if (clock->by_batches)
		return true;
	if (rc == -EINVAL && clock->n_set == 0) {
		clock->by_batches = true;
		return true;
	}
	if (rc != 0) {
		text_addf(err,
		    "the clock of the command streamers cannot be read: %s",
		    strerror(-rc));
		return false;
	}
	clock_take(clock, &best);
	return true;
}

void
clock_observe(struct gpu_clock *clock, const struct clock_batch *batch)
{
	nsec ran = (nsec)ticks_in_ns(
	    (int64_t)((batch->seen - batch->start) & TICK_MASK), clock->hz);
	nsec took = batch->signalled_ns - batch->submitted_ns, error, age;

	if (!clock->by_batches || batch->signalled_ns <= batch->submitted_ns ||
	    took < ran)
		return;
	error = (took - ran) / 2 + NSEC_PER_SEC / clock->hz;
	age = clock->n_set > 0 ? batch->submitted_ns - clock->cpu_ns : 0;
	if (clock->n_set > 0 && error > clock->error_ns + age / DRIFT_PARTS)
		return;
	clock->ticks = batch->start & TICK_MASK;
	clock->cpu_ns = batch->submitted_ns + (took - ran) / 2;
	clock->error_ns = error;
	clock->n_set++;
}

uint64_t
clock_ticks(nsec ns, uint64_t hz)
{
	return (uint64_t)(((unsigned __int128)ns * hz + NSEC_PER_SEC - 1) /
	    NSEC_PER_SEC);
}

nsec
clock_span(uint64_t ticks, uint64_t hz)
{
	return (nsec)((unsigned __int128)ticks * NSEC_PER_SEC / hz);
}
