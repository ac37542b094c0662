/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What always holds of GuC's queues, for invariants.h. */
#ifndef ENGINE_SCHED_GUC_CHECK_H
#define ENGINE_SCHED_GUC_CHECK_H

#include <stdbool.h>

struct sim;
struct request;
struct hw_engine;

/* Is it right that rq, which is ready, does not run on e, which is free? */
bool guc_may_idle(
    const struct sim *sim, const struct request *rq, const struct hw_engine *e);
void guc_check(const struct sim *sim);

#endif
