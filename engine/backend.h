/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a client asks of the device below it: contexts and batches. The model
 * (model.c) answers in virtual time; a libdrm backend would answer with
 * execbuf2, context parameters and sync files, and signal the same fences.
 */
#ifndef ENGINE_BACKEND_H
#define ENGINE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct client;
struct context;
struct ring;
struct op;

struct backend_ops {
	/* Is there room for one more batch on the ring? */
	bool (*has_room)(struct sim *sim, const struct ring *ring);
	/* Submits the batch of step number step (op is its op). Never blocks;
	 * only with room. Durations are drawn by the client, one per row. */
	void (*submit)(struct sim *sim, struct client *client, uint32_t step,
	    const uint64_t *durations_ns);
	/* Ends the latest submission of an infinite batch. */
	void (*terminate)(
	    struct sim *sim, struct client *client, uint32_t step);
	/* A software fence was signalled, or anything else that may let
	 * engines take work at once. */
	void (*instant_run)(struct sim *sim);
};

extern const struct backend_ops model_backend;

#endif
