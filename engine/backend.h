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

struct sim;
struct request;
struct ring;
struct submission;

struct backend_ops {
	/* Returns true if the ring has room for one more request. */
	bool (*has_room)(struct sim *sim, const struct ring *ring);
	/* Makes a request and submits it; of a parallel slot, one for each row.
	 * Never blocks; the ring must have room. Keeps no pointers to what s
	 * points to, but to fences and objects. If the context is banned the
	 * request ends at once, as a failed execbuf, and only observers see
	 * it. */
	void (*submit)(struct sim *sim, const struct submission *s);
	/* Ends rq, a request without an end: now if it runs, else after 0 ns
	 * when it has an engine. Does nothing if it has an end. */
	void (*end)(struct sim *sim, struct request *rq);
	/* Lets the device act on what changed in this instant, such as a
	 * signalled software fence. */
	void (*instant_run)(struct sim *sim);
};

extern const struct backend_ops model_backend;

#endif
