/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random descriptors, all of them valid on `ideal`, made to run into each
 * other: few engines, short and often equal durations (so that much happens in
 * one nanosecond), several clients and iterations. A few wait for themselves
 * for ever. Descriptors for execlists have a few levels of priority, near preemption
 * points, and some are long enough for its slices. For drm they have equal
 * levels or a few, many balanced contexts, and no bonds; for guc they have
 * parallel slots, batches on their engines beside them, and batches longer than
 * its quantum; balanced maps are of one class. Same scheduler and seed, same
 * descriptors.
 */
#ifndef TESTS_NAIVE_GENERATE_H
#define TESTS_NAIVE_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "tests/naive/naive.h"

#define NAIVE_MAX_GENERATED 5

struct naive_generated {
	enum naive_scheduler scheduler;
	struct text workloads[NAIVE_MAX_GENERATED]; /* files, one per -w */
	unsigned n_workloads;
	struct text append; /* -a; empty: none */
	struct {
		unsigned workload;
		uint64_t repeat;
		bool background; /* others than the master (-W) */
	} clients[NAIVE_MAX_GENERATED];
	unsigned n_clients;
	uint32_t seed;                      /* -I */
	bool same_random, sync_deps;        /* -S, -d */
	double duration_scale, delay_scale; /* -f, -F */
	unsigned ring_requests;
};

void naive_generate(
    struct naive_generated *g, enum naive_scheduler scheduler, uint64_t seed);
void naive_generated_clear(struct naive_generated *g);
/* Appends the options and the descriptors, for a person. */
void naive_generated_print(const struct naive_generated *g, struct text *out);

#endif
