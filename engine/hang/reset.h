/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resets: what ends a hang (doc/model/hangs.md "Resets"). Capture,
 * and the list on which i915 holds the guilty request and its dependants
 * meanwhile, take no time in the model: observers see the hang as it is found.
 *
 * An engine that is being reset takes no request (hw_engine_is_free) until
 * the profile's time is over.
 */
#ifndef ENGINE_HANG_RESET_H
#define ENGINE_HANG_RESET_H

#include <stdbool.h>

#include "engine/hang/hang.h"

struct sim;
struct hw_engine;

/* Before anything runs. */
void reset_init(struct sim *sim);

/*
 * Engine e, which has a request, hangs: counts the hang, blames the context of
 * the request if its batch runs, tells the observers, and resets the engine.
 * The guilty request ends with error (-errno), or with the one that it had
 * already; one whose batch does not run (it polls, or the engine still
 * switches to it) is put back to be replayed, without blame. If that bans the
 * context, its other requests fail with -EIO, and those that run are revoked.
 */
void reset_engine(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error);
/*
 * The same, by a reset of the whole GPU: what runs on other engines loses what
 * it has run, and is replayed from its beginning, innocent (ban_context's
 * active).
 */
void reset_full(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error);
/* One of them, as the profile has it ([resets] engine_reset). */
void reset_hung(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error);
/* The same, but who is guilty is said by the scheduler, which can replay: the
 * request ends, begun or not, or begins anew, with no blame. */
void reset_judged(struct sim *sim, struct hw_engine *e, enum hang_cause cause,
    int error, bool guilty);

#endif
