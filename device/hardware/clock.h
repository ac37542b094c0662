/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock of the command streamers, and times of the CPU (CLOCK_MONOTONIC, ns)
 * for its ticks (doc/model/libdrm.md "Clocks").
 */
#ifndef DEVICE_HARDWARE_CLOCK_H
#define DEVICE_HARDWARE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"

struct text;

struct gpu_clock {
	uint64_t hz;
	uint64_t ticks; /* at cpu_ns, of 36 bits */
	nsec cpu_ns;
	nsec error_ns;     /* of cpu_ns, at most */
	nsec narrowest_ns; /* pair of looks at both so far; 0: none */
	int64_t drift_ns;  /* GPU minus CPU since the time before it was set */
	unsigned n_set;
	/* The register cannot be read: clock_observe() sets it. */
	bool by_batches;
};

/* Reads both clocks until a pair is about as narrow as any before, some times at most,
 * and takes the narrowest of these, unless the last one says more. Call it about
 * each second, and after the GPU was idle. False: the kernel does not answer,
 * err says so, and the clock is as before. Does nothing by_batches. */
bool clock_set(struct gpu_clock *clock, int fd, struct text *err);

/* Ticks that were read between two looks at the CPU's clock. */
struct clock_pair {
	uint64_t ticks;
	nsec before, after;
};

/* Sets the clock by a pair, unless the last one was narrower, agrees with this one,
 * and may have drifted by less than the difference since. */
void clock_take(struct gpu_clock *clock, const struct clock_pair *pair);

/* Times of a batch: ticks of its stamps, and times of the CPU. */
struct clock_batch {
	uint64_t start, seen; /* ticks, of its beginning and end */
	nsec submitted_ns;    /* not later than start */
	nsec signalled_ns;    /* its fence, not earlier than seen */
};

/* Sets a clock by_batches if that makes it better. */
void clock_observe(struct gpu_clock *clock, const struct clock_batch *batch);
/* Returns the CPU's time of ticks that are at most 2^35 from the clock's. */
nsec clock_time(const struct gpu_clock *clock, uint64_t ticks);
/* Returns ns in ticks of a clock of hz, rounded up. */
uint64_t clock_ticks(nsec ns, uint64_t hz);
/* Returns ticks of a clock of hz in ns, rounded down. */
nsec clock_span(uint64_t ticks, uint64_t hz);

#endif
