/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client's process dies (doc/model/hangs.md "Killed clients",
 * PERSISTENCE). It submits no more, and its software fences are closed, which
 * signals them. Its requests in flight run on, if its contexts are persistent;
 * infinite ones then end by a timeout only. Else those that run are revoked
 * with -EIO: they end at their next preemption point, or, if there is none, by
 * a reset after the preempt timeout of their engine, at once where that is off;
 * the others run 0 ns, with that error, when it is their turn, or end as the
 * scheduler has it. When all have ended, so has the client.
 */
#ifndef ENGINE_CLIENT_KILL_H
#define ENGINE_CLIENT_KILL_H

#include <stdbool.h>

struct client;

/* It dies at its next turn, in the instant that follows. */
void kill_client(struct client *c, bool persistent);
/* In that turn. */
void kill_in_turn(struct client *c);

#endif
