/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trail consists of: for trail.c, which writes it, and trail_look.c,
 * which looks things up. */
#ifndef ENGINE_EXPLAIN_TRAIL_RING_H
#define ENGINE_EXPLAIN_TRAIL_RING_H

#include "engine/explain/trail.h"

/* In each ring the one with that id stands at id % size; n is the last id. */
struct trail_engine {
	struct trail_span *spans;
	uint64_t n;
};

struct trail_client {
	uint64_t wait;  /* the one now, or the last; 0 */
	uint64_t woken; /* request that ended it; 0 */
};

struct trail {
	struct observer observer;
	struct sim *sim;
	size_t size; /* of requests, waits and each engine's spans */
	struct trail_request *requests;
	struct trail_wait *waits;
	struct trail_miss *misses;
	struct trail_hang *hangs;
	uint64_t last_request, n_waits, n_misses, n_hangs;
	struct trail_client *clients; /* by id; grows with the clients */
	size_t n_clients, cap_clients;
	unsigned n_engines;
	struct trail_engine engines[];
};

/* Is id one of the last size of n? */
static inline bool
trail_holds(uint64_t n, size_t size, uint64_t id)
{
	return id != 0 && id <= n && n - id < size;
}

/* The oldest that is held; n + 1 when there is none. */
static inline uint64_t
trail_oldest(uint64_t n, size_t size)
{
	return n > size ? n - size + 1 : 1;
}

#endif
