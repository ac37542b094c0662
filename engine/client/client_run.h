/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the engine: the memory of clients, the order in which they run,
 * and how they are killed. walker_run.h has those that have a program.
 */
#ifndef ENGINE_CLIENT_CLIENT_RUN_H
#define ENGINE_CLIENT_CLIENT_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/client/client.h"

struct client_options;
struct sim;

/* Memory (client.c). */

/* Prepares c, all zero, as a client without contexts that begins now. */
void client_init(struct client *c, struct sim *sim, uint32_t id,
    const struct client_options *options);

/* Return a new context of c, whose other members are set, and a new ring. Both
 * keep def and belong to pools of the simulation. */
struct context *context_new(struct client *c, const struct context_def *def);
struct ring *ring_new(struct context *context, const struct ring_def *def);
/* Replace the definition, and free the old one if it is their own. own: def is
 * in a block that the context or ring frees. NULL: none any more. */
void context_set_def(
    struct context *context, const struct context_def *def, bool own);
void ring_set_def(struct ring *ring, const struct ring_def *def, bool own);

/* Gives all slots of the context, which had masks of their own, its mask. */
void context_join_sseu(struct context *context);

/* The end of a client (client_run.c). */

/* Runs a runnable client until it blocks or ends. */
void client_go(struct client *c);
/* Ends the client, once all its requests have ended. */
void client_drain(struct client *c);
/* Reports to the scheduler that the ring is empty and gets no more requests. */
void ring_close(struct sim *sim, struct ring *ring);
/* Revokes the requests of a context from outside, as if its client was killed
 * (client_kill). */
void client_revoke_context(struct context *context);
/* Closes the rings of a context from outside, without requests in flight. */
void client_close_context(struct context *context);
/* Kills a client that is dying, which runs now. */
void client_kill_now(struct client *c);

/*
 * Kills the process of the client, in the next instant (doc/model/hangs.md
 * "Killed clients", PERSISTENCE). It submits nothing more, and its software
 * fences are closed, which signals them. Its requests in flight complete if the
 * contexts are persistent; infinite ones then only end by a timeout. Otherwise
 * they are revoked with -EIO: running ones end at their next preemption point,
 * or by a reset after the preempt timeout of their engine (at once where that
 * is off); the others run for 0 ns when they get an engine, or end as the
 * scheduler decides. The client ends with its last request.
 */
void client_kill(struct client *c, bool persistent);

/* Which client runs next (client_run.c): those that can run do so in passes,
 * lowest id first. A client that becomes runnable after its id has passed waits
 * for the next pass. */

/* Makes the client runnable; does nothing if it is. */
void runnable_add(struct sim *sim, struct client *client);
/* Returns true if a client can run now. */
bool runnable_is_pending(struct sim *sim);
/* Removes and returns the next client to run; NULL: none can. */
struct client *runnable_take(struct sim *sim);

#endif
