/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches: a loop that passes the time of its context, until that is over or the
 * CPU says so, and stores stamps: when it began, when it was seen last, and on
 * which engine (doc/model/libdrm.md "Batches").
 */
#ifndef DEVICE_HARDWARE_BATCH_H
#define DEVICE_HARDWARE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"

struct hardware;
struct text;

struct batch_order {
	nsec duration_ns; /* NSEC_NEVER: until batch_end() */
	bool points;      /* it can be preempted within (X) */
	/* Engines where it may run, of facts; those of generations before 11
	 * have registers of their own, and take one only. */
	uint64_t engines;
};

/* Returns true if such a batch can be written for the device; else err says
 * what would be needed. */
bool batch_possible(const struct hardware *hw, const struct batch_order *order,
    struct text *err);
/* Writes it to a page at that address, for batch_possible() has let it through, and
 * resets its stamps. The page must not be in use. */
void batch_write(const struct hardware *hw, const struct batch_order *order,
    uint32_t *page, uint64_t address);
/* Ends the batch, which may run: at its next turn, or as soon as it begins. */
void batch_end(uint32_t *page);

/*
 * Writes a batch without a loop, for measurements on one engine: it stores its
 * start in two commands, then the clock n times, at most BATCH_MAX_CLOCKS, and
 * ends.
 */
#define BATCH_MAX_CLOCKS 64
void batch_write_clocks(const struct hardware *hw, unsigned engine, unsigned n,
    uint32_t *page, uint64_t address);
/* Returns clock i that it stored, the lower 32 bits. */
uint32_t batch_read_clock(const uint32_t *page, unsigned i);

/* Values that a batch has stored so far. */
struct batch_stamps {
	bool begun;
	uint64_t start, seen; /* ticks of the clock, 36 bits */
	uint32_t mark;        /* of the engine: hardware_engine_of(); 0: none */
	uint32_t worked; /* ticks of the context's clock; 0: no timed loop */
};

void batch_read(const uint32_t *page, struct batch_stamps *stamps);

#endif
