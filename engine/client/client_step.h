/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the steps of a program do (doc/model/gem_wsim.md "A client"), and how a
 * client comes to wait for time, for requests, or for room in a ring. Requests
 * are submitted through the simulation's backend (backend.h).
 */
#ifndef ENGINE_CLIENT_CLIENT_STEP_H
#define ENGINE_CLIENT_CLIENT_STEP_H

#include "engine/client/client.h"

/* What a batch step does next. */
enum batch_phase {
	BATCH_DATA,     /* -d: wait for its data */
	BATCH_THROTTLE, /* t */
	BATCH_ROOM,     /* wait for room in the ring */
	BATCH_CPU,      /* what an execbuf costs */
	BATCH_SUBMIT,   /* and wait for it, with the wait flag */
	BATCH_QUEUE,    /* q: note it in the list */
	BATCH_DEPTH,    /* q: wait for the oldest */
};

/* Does what is left of the step at the client's pc, from its phase on. False: the
 * client blocks, its state says where; the step is to be entered again. */
bool client_step(struct client *c, const struct op *op);

/* Until that time of the run, in ns; state says what for. */
void client_sleep(struct client *c, nsec time, enum client_state state);
/* The program's first n fences signal, those that have not. */
void client_signal_fences(struct client *c, uint32_t n_fences);

/* Is w the wait of a client (its owner), and not of a request? */
bool client_is_waiter(const struct waiter *w);

#endif
