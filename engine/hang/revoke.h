/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking the engine away from what may not go on: a request that was
 * cancelled, a context that was banned or whose client was killed.
 */
#ifndef ENGINE_HANG_REVOKE_H
#define ENGINE_HANG_REVOKE_H

#include "engine/hang/hang.h"

struct sim;
struct context;
struct request;

/* Grace of what is banned or cancelled (doc/model/hangs.md "Preempt timeout"):
 * 1 ms. */
#define REVOKE_GRACE NSEC_PER_MSEC

/* No grace at all: unless it can be stopped at a preemption point, its engine
 * is reset now. */
#define REVOKE_AT_ONCE NSEC_NEVER

/*
 * Gives rq, which has not ended, an error (-errno) unless it has one. If its
 * batch runs, it ends at its next preemption point, or at its own end; if
 * neither comes within grace (0: for ever) its engine is reset then, with that
 * cause, and its context is guilty. Else it runs 0 ns when it gets an engine.
 */
void revoke_request(struct sim *sim, struct request *rq, int error, nsec grace,
    enum hang_cause cause);
/* The same with all requests of a context that have not ended. */
void revoke_context(
    struct sim *sim, struct context *context, int error, nsec grace);
/* Cancels rq with -EINTR, unless it has an error: it was not over in the time
 * that requests have (doc/model/hangs.md "Watchdog"). */
void revoke_timed_out(struct sim *sim, struct request *rq);

#endif
