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
struct sched_ops;
struct sim;
struct text;

/* Launches the plan under sched, from time 0. NULL: the scheduler refuses a
 * workload, err says why. Freed with beside_free. */
struct beside *beside_new(
    const struct plan *plan, const struct sched_ops *sched, struct text *err);
/* Follows sim, which was launched from the same plan and is at time 0, until
 * beside_free. */
void beside_follow(struct beside *b, struct sim *sim);
/* Before the first simulation is freed. NULL is fine. */
void beside_free(struct beside *b);
/* Up to that time, with what was done to the first one by then; false: after
 * about max_events (0: no limit) events it is not yet there. */
bool beside_advance(struct beside *b, nsec now, uint64_t max_events);

const struct sim *beside_sim(const struct beside *b);
/* Why it does not follow any more; NULL: it does. */
const char *beside_problem(const struct beside *b);

#endif
