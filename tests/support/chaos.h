/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whatever can be done to a simulation, as a stream of small numbers decides:
 * a random one, or the input of a fuzz target. Any stream is good; one that
 * has run out decides for 0, which is what is plainest.
 */
#ifndef TESTS_SUPPORT_CHAOS_H
#define TESTS_SUPPORT_CHAOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/compile/program.h"
#include "engine/sim.h"

#define CHAOS_MAX_PROGRAMS 8

struct text;

enum chaos_moment { CHAOS_BEGINS, CHAOS_GOES_ON, CHAOS_IS_OVER };

struct chaos {
	/* A stream of bytes, or (NULL) the random number that comes next. */
	const uint8_t *data;
	size_t size, at;
	uint64_t random;
	/* The run is given up after that many events; 0: never. */
	uint64_t max_events;
	/* An observer, which changes nothing; NULL: none. Called before anything
	 * happens, now and then between instants, and at the end. */
	void (*watch)(void *watcher, struct sim *sim, enum chaos_moment moment);
	void *watcher;
	/* Half way the run is put back to an earlier instant, and goes on as if
	 * it had never been further (engine/snapshot.h). */
	bool goes_back;
};

/* 0 .. n - 1. */
unsigned chaos_below(struct chaos *c, unsigned n);

/* Any knobs, some of them near what batches take; any scheduler; options. With
 * few_devices nearly always the engines of `ideal`. */
void chaos_configure(
    struct chaos *c, struct sim_config *config, bool few_devices);

/* Runs clients of the programs, all of which the scheduler accepts, with live
 * controls between instants; maybe to the end. The results are added up. */
struct chaos_result {
	uint64_t events, requests, errors, hangs, controls, deadlocks;
	uint64_t digest; /* of all that happened, and when */
};

void chaos_run(struct chaos *c, const struct sim_config *config,
    const struct program *const *programs, unsigned n,
    struct chaos_result *result);

#endif
