/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The random numbers that gem_wsim draws (doc/model/gem_wsim.md "Random
 * numbers"), so that -I N gives the very durations that it gives.
 */
#ifndef ENGINE_RANDOM_H
#define ENGINE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Seeds clients: the C library's rand() seeded with -I. */
struct random;

/* same_for_all: -S, all clients draw the same. random_free() it. */
struct random *random_new(uint32_t seed, bool same_for_all);
void random_free(struct random *r);
/* The states of the next client, in order of clients. */
void random_client(struct random *r, uint32_t *durations, uint32_t *sizes);

/* Hars-Petruska F54-1: one step of a client's own generator. */
static inline uint32_t
random_step(uint32_t *state)
{
	uint32_t x = *state;

	x = (x ^ (x << 5 | x >> 27) ^ (x << 24 | x >> 8)) + 0x37798849u;
	*state = x;
	return x;
}

/* min..max, both included; nothing is drawn where they are equal. */
static inline uint64_t
random_range(uint32_t *state, uint64_t min, uint64_t max)
{
	if (min == max)
		return min;
	return min + random_step(state) % (max + 1 - min);
}

#endif
