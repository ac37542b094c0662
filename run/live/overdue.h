/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Periods that are overdue now (doc/model/gem_wsim.md "A client"): they count as
 * missed while they are, not only once their client reaches its p step. For one
 * client, client_is_overdue() answers at once.
 */
#ifndef RUN_LIVE_OVERDUE_H
#define RUN_LIVE_OVERDUE_H

#include <stdint.h>

#include "base/nsec.h"

struct client;
struct sim;

/* Clients that are looked at, so that a frame has a limited cost: some 20 ns
 * for each of them. Later ones count once they reach their p steps. */
#define OVERDUE_CLIENTS 20000

struct overdue {
	uint32_t n;      /* clients that are late now */
	uint32_t client; /* the latest of them, if n > 0 */
	nsec late_ns;    /* how long its period has been over */
};

/* Looks at the clients of sim. */
struct overdue overdue_find(const struct sim *sim);
/* Returns the missed periods up to now, those in o included. */
uint64_t overdue_misses(const struct overdue *o, const struct sim *sim);

/* Returns for how long the client's period has been over, 0 if it is not late. */
nsec overdue_client(const struct client *c);

#endif
