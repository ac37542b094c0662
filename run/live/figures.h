/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of a simulation as they were at a moment, so that those of the
 * time since then, or of a time that is over, can be told and compared. Of the
 * first FIGURES_CONTEXTS contexts; all others have none.
 */
#ifndef RUN_LIVE_FIGURES_H
#define RUN_LIVE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/client/client.h"
#include "engine/gpu/engine.h"
#include "engine/sim.h"

#define FIGURES_CONTEXTS 20000

struct context_figures {
	uint32_t number; /* in the text: places change with edits */
	nsec busy_ns;
	uint64_t batches;
	uint64_t missed; /* periods, of its client */
	struct histogram times;
};

struct figures {
	nsec at;
	uint64_t iterations, missed;
	nsec busy_ns[DEVICE_MAX_ENGINES];
	struct context_figures *contexts; /* of all clients, by id */
	size_t n_contexts;
	size_t
	    *first; /* by client: its first in contexts; one more at the end */
	uint32_t n_clients;
};

/* Zeroed is a moment before all. */
void figures_take(struct figures *f, const struct sim *sim);
/* All of from. */
void figures_copy(struct figures *f, const struct figures *from);
void figures_free(struct figures *f);
/* What was known of a context of now, perhaps of another run. NULL: it was not
 * there, or is beyond FIGURES_CONTEXTS. */
const struct context_figures *figures_context(
    const struct figures *f, const struct context *context);

/* What came of the time from then to now. */
struct rates {
	double iterations, missed; /* per second */
};
struct context_rates {
	double busy;   /* share of one engine, 1 is all of it */
	double missed; /* periods per second */
	uint64_t batches;
	nsec mean_ns, p99_ns, max_ns; /* latency; 0 without batches */
};

struct rates figures_rates(
    const struct figures *then, const struct figures *now);
/* Share of the time in which the engine was busy. */
double figures_busy(
    const struct figures *then, const struct figures *now, unsigned engine);
/* then may be NULL: there was nothing yet. span: from then to now. */
struct context_rates figures_context_rates(const struct context_figures *then,
    const struct context_figures *now, nsec span);
/* The same up to what the simulation is at now. */
struct context_rates figures_context_since(const struct figures *then,
    const struct sim *sim, const struct context *context);
/* Of totals and engines only. */
struct figures figures_totals(const struct sim *sim);

#endif
