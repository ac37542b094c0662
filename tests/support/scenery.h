/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random descriptors, for a random scheduler with a random profile: what
 * chaos.h runs. */
#ifndef TESTS_SUPPORT_SCENERY_H
#define TESTS_SUPPORT_SCENERY_H

#include "tests/naive/generate.h"
#include "tests/support/chaos.h"

#define SCENE_MAX_EVENTS 4000

struct scene {
	struct naive_generated g;
	struct sim_config config;
	const struct program *programs[CHAOS_MAX_PROGRAMS];
	unsigned n_programs;
	uint64_t annotations; /* random number of the next ones; 0: none */
};

/* All of that follows from the seed; and c, which then runs it. */
void scene_make(struct scene *scene, struct chaos *c, uint64_t seed);
/* The same with random annotations in its descriptors. */
void scene_make_annotated(struct scene *scene, struct chaos *c, uint64_t seed);
void scene_clear(struct scene *scene);

#endif
