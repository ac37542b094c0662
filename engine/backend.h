/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The seam between clients and the device below them. The model
 * (gpu/submit.c) answers in virtual time; a backend for real hardware would
 * answer with execbuf, context parameters and sync files, and signal the same
 * fences.
 */
#ifndef ENGINE_BACKEND_H
#define ENGINE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct walker;
struct context;
struct ring;
struct op;

struct backend_ops {
	/* Returns true if the ring has room for one more request. */
	bool (*has_room)(struct sim *sim, const struct ring *ring);
	/* Submits the batch of that step of the walker's program, with one
	 * duration for each row of a parallel step, in ns (NSEC_NEVER:
	 * infinite). Never blocks; the ring must have room. */
	void (*submit)(struct sim *sim, struct walker *walker, uint32_t step,
	    const uint64_t *durations_ns);
	/* Ends the latest request of that step, an infinite batch. Does nothing
	 * if it has ended. */
	void (*terminate)(
	    struct sim *sim, struct walker *walker, uint32_t step);
	/* Lets the device act on what changed in this instant, such as a
	 * signalled software fence. */
	void (*instant_run)(struct sim *sim);
};

extern const struct backend_ops model_backend;

#endif
