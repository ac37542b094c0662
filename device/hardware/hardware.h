/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A real GPU that is open: its facts, its clock, which engine a batch ran on.
 * Everything else in this folder takes it: memory.h, context.h, batch.h,
 * submit.h. One thread, no call waits for the GPU.
 */
#ifndef DEVICE_HARDWARE_HARDWARE_H
#define DEVICE_HARDWARE_HARDWARE_H

#include "device/hardware/clock.h"
#include "device/hardware/facts.h"
#include "device/hardware/node.h"

struct hardware {
	int fd; /* O_NONBLOCK: a submission without room fails */
	struct node node;
	struct facts facts;
	struct gpu_clock clock;
	uint64_t context_hz;   /* of CTX_TIMESTAMP */
	uint64_t next_address; /* of the next object */
	/* By engine of facts: what a batch finds in the register that differs
	 * between engines; 0: unknown. */
	uint32_t marks[DEVICE_MAX_ENGINES];
	uint32_t reported; /* features whose lack the user knows, a bit each */
	bool reported_holds;    /* that software fences are in user space */
	bool reported_watchdog; /* that batches are too long for the driver */
};

/* Opens the first GPU that the filter lets through, for a run: asks it for its
 * facts, sets its clock by the CPU's. False: err says what would be needed, and
 * nothing is open. */
bool hardware_open(struct hardware *hw, const char *filter, struct text *err);
/* Closes it. The kernel frees all contexts, memory and requests that are
 * left. */
void hardware_close(struct hardware *hw);

/* Returns CLOCK_MONOTONIC, ns. */
nsec hardware_now(void);
/* Returns the index of the engine with that mark; -1: unknown. */
int hardware_engine_of(const struct hardware *hw, uint32_t mark);

#endif
