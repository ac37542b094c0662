/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of pace.c: at the end of an instant it looks at those engines
 * only whose pace can have changed. Private to it. */
#ifndef ENGINE_PACING_H
#define ENGINE_PACING_H

#include <stdbool.h>

#include "engine/gpu/engine.h"

/* Slows engines of one class down: by a percentage for each batch that runs on
 * one of some engines. */
struct slowdown {
	engine_mask engines;
	unsigned percent;
};

struct pacing {
	engine_mask running; /* engines on which a batch runs */
	engine_mask seen;    /* that, when it was last looked at */
	engine_mask begun;   /* a batch began there since */
	engine_mask counts;  /* engines that slow others down */
	engine_mask varies;  /* engines on which it is not always 1 ns in 1 */
	struct slowdown by[N_CLASSES][N_CLASSES];
	unsigned n_by[N_CLASSES]; /* entries of by */
	engine_mask by_any[N_CLASSES];
};

static inline bool
pacing_has_changed(const struct pacing *p)
{
	return (p->begun | ((p->running ^ p->seen) & p->counts)) != 0;
}

#endif
