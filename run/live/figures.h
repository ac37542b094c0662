/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of a simulation at a moment, so that figures of the time since then
 * can be computed and compared; and a history of load in bounded memory.
 * Contexts after the first FIGURES_CONTEXTS have no figures.
 */
#ifndef RUN_LIVE_FIGURES_H
#define RUN_LIVE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/client/client.h"
#include "engine/gpu/engine.h"
#include "engine/sim.h"

struct sim;

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

#define HISTORY_SAMPLES 512

struct engine_history {
	nsec busy_ns, waiting_ns;         /* totals at the last sample */
	float busy, waiting;              /* shares of the last window */
	uint8_t percent[HISTORY_SAMPLES]; /* busy; a ring */
};

struct load_history {
	uint64_t n;  /* samples taken */
	nsec now;    /* virtual time of the last */
	nsec window; /* that it covers */
	struct {
		nsec now;
		uint64_t iterations, idle;
	} totals[HISTORY_SAMPLES]; /* a ring */
	struct engine_history engines[DEVICE_MAX_ENGINES];
};

void load_history_clear(struct load_history *h);
/* Takes a sample if virtual time has moved by window since the last one.
 * Before the first one, what there is so far stands for it. */
void load_history_sample(
    struct load_history *h, const struct sim *sim, nsec window);
/* The last samples of an engine, oldest first; returns how many. */
int load_history_engine(const struct load_history *h, unsigned engine, int max,
    unsigned char *percent);
/* Iterations per second of virtual time over the last samples, without those
 * that had nothing to do. False: there were no others. */
bool load_history_rate(const struct load_history *h, double *rate);

#endif
