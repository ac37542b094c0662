/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a request waits for, kept as edges from it to its signalers, for those
 * schedulers that pass priority on along them.
 */
#ifndef ENGINE_DEPENDENCY_H
#define ENGINE_DEPENDENCY_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/request.h"

struct sim;

struct edge {
	struct edge *next;
	struct request_ref signaler;
	bool weak; /* for its start only (s-n) */
};

void edge_add(
    struct sim *sim, struct request *rq, struct request *signaler, bool weak);
void edge_release_all(struct sim *sim, struct request *rq);

/*
 * Raises all that rq waits for, and what those wait for in turn, to its
 * priority if they are lower; raised is told of each. Below a request that
 * has started nothing is visited (facts/i915-scheduling.md section 1.10),
 * unless through_started.
 */
void dependency_raise(struct sim *sim, struct request *rq, bool through_started,
    void (*raised)(struct sim *sim, struct request *rq));

#endif
