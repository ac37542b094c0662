/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are two programs the same but for figures? */
#ifndef ENGINE_COMPILE_SHAPE_H
#define ENGINE_COMPILE_SHAPE_H

#include <stdbool.h>

struct program;

/*
 * The same steps, contexts, engines and dependencies. Durations (infinite ones
 * too), priorities, slice masks, preemption, delays, periods, and where steps
 * stand in the text may differ: then a client that is at a step of one is at
 * the same place in the other.
 */
bool program_same_shape(const struct program *p, const struct program *q);

#endif
