/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of a simulation at a moment, so that figures of the time since then
 * can be computed and compared; and a history of load in bounded memory.
 * Contexts after the first FIGURES_CONTEXTS have no figures. Times are virtual.
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

#define FIGURES_CONTEXTS 20000

struct context_figures {
	uint32_t number; /* in the text: indices change with edits */
	uint32_t serial; /* of those of a program */
	nsec busy_ns;
	uint64_t batches;
	uint64_t missed; /* periods of its client */
	struct histogram times;
};

/* Totals since the launch. Zeroed: the moment of the launch. */
struct figures {
	nsec at;
	uint64_t iterations, missed;
	struct engine_times engines[DEVICE_MAX_ENGINES];
	struct context_figures *contexts; /* of all clients, by client id */
	size_t n_contexts;
	size_t *first; /* by client: index of its first context; and the end */
	uint32_t n_clients;
};

/* Fills f, to be freed with figures_free(). */
void figures_take(struct figures *f, const struct sim *sim);
void figures_copy(struct figures *f, const struct figures *from);
void figures_free(struct figures *f);
/* Figures without contexts, which need not be freed. */
struct figures figures_totals(const struct sim *sim);
/* The figures of a context, which may be of another run: the one of the same
 * client and number. NULL: none. */
const struct context_figures *figures_context(
    const struct figures *f, const struct context *context);

struct rates {
	double iterations, missed; /* per second */
};
struct context_rates {
	double busy;   /* share of one engine, 0 to 1 */
	double missed; /* periods per second */
	uint64_t batches;
	nsec mean_ns, p99_ns, max_ns; /* latency; 0 without batches */
};

/* Rates between two moments. */
struct rates figures_rates(
    const struct figures *then, const struct figures *now);
/* Share of that time that the engine spent so, 0 to 1. */
double figures_share(const struct figures *then, const struct figures *now,
    unsigned engine, enum engine_use use);
/* then NULL: the launch. span: time between the two. */
struct context_rates figures_context_rates(const struct context_figures *then,
    const struct context_figures *now, nsec span);
/* Rates of a context from then to the current time of the simulation. */
struct context_rates figures_context_since(const struct figures *then,
    const struct sim *sim, const struct context *context);

/* Load over time. A sample covers a window, what passes between two frames; a
 * shorter time (a step, a pause) says nothing of load, and waits until the
 * window is full. */

#define HISTORY_SAMPLES 512
/* A rate is the mean of this many samples. */
#define RATE_SAMPLES 10

/* Totals of an engine. */
struct engine_counts {
	uint64_t batches, switches, preemptions;
};

struct engine_history {
	struct engine_times times; /* totals at the last sample */
	float shares[N_USES];      /* of the last window */
	uint8_t percent[N_USES][HISTORY_SAMPLES];      /* rings */
	struct engine_counts counts[RATE_SAMPLES + 1]; /* likewise */
};

struct load_history {
	uint64_t n;  /* samples taken */
	nsec now;    /* time of the last sample */
	nsec window; /* time that it covers */
	struct history_totals {
		nsec now;
		uint64_t iterations, idle;
		uint64_t missed, hangs; /* missed: the overdue ones too */
	} totals[HISTORY_SAMPLES];      /* a ring */
	struct engine_history engines[DEVICE_MAX_ENGINES];
};

void load_history_clear(struct load_history *h);
/* Takes a sample if window ns have passed since the last one. Until there is a
 * first sample, the load so far is one. missed: periods, the overdue ones too. */
void load_history_sample(struct load_history *h, const struct sim *sim,
    uint64_t missed, nsec window);
/* Returns the end of the last window; *from is its begin. */
nsec load_history_window(const struct load_history *h, nsec *from);
/* Copies the last samples of an engine's use, in percent, at most max, oldest
 * first; returns their number. */
int load_history_engine(const struct load_history *h, unsigned engine,
    enum engine_use use, int max, unsigned char *percent);
/* Batches, context switches and preemptions per second of an engine, over the
 * last samples. */
struct engine_rates {
	double batches, switches, preemptions;
};
struct engine_rates load_history_counts(
    const struct load_history *h, unsigned engine);
/* Iterations per second over the last samples, without idle ones. False: all
 * were idle. */
bool load_history_rate(const struct load_history *h, double *rate);
/* Returns when the first of these last samples begins. */
nsec load_history_rate_from(const struct load_history *h);
/* Missed periods, and hangs, per second over the last samples. */
double load_history_missed(const struct load_history *h);
double load_history_hangs(const struct load_history *h);

#endif
