/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A second simulation of the same plan under another scheduler, to which all
 * is done that is done to the first one, at the same virtual times.
 */
#ifndef RUN_LIVE_SHADOW_H
#define RUN_LIVE_SHADOW_H

#include <stdbool.h>

#include "base/nsec.h"

struct beside;
struct plan;
struct sim;
struct text;

/* Begins at 0, as sim does, which was launched from plan just now. NULL: the
 * scheduler does not take it, err says why. */
struct beside *beside_new(const struct plan *plan, const char *scheduler,
    struct sim *sim, struct text *err);
/* Before the first simulation is freed. NULL is fine. */
void beside_free(struct beside *b);
/* Up to that time, with what was done to the first one by then; false: after
 * about max_events (0: no limit) events it is not yet there. */
bool beside_advance(struct beside *b, nsec now, uint64_t max_events);

const struct sim *beside_sim(const struct beside *b);
const char *beside_scheduler(const struct beside *b);
/* Why it does not follow any more; NULL: it does. */
const char *beside_problem(const struct beside *b);

#endif
