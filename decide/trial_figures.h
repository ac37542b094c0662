/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of a run, that decisions compare (the manual, DECISIONS). They count
 * from the end of the warm-up; with a warm-up of 0 they are those of batch mode's
 * reports. Foreground clients only, except where a comment says all.
 */
#ifndef DECIDE_TRIAL_FIGURES_H
#define DECIDE_TRIAL_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/gpu/engine.h"
#include "engine/histogram.h"

struct backlog;
struct plan;
struct request_times;
struct sim;

/* No pointers: processes send them to each other. */
struct trial_figures {
	nsec elapsed_ns;
	double workloads_s;       /* iterations per second, of all */
	double lowest_rate;       /* of the slowest client, from one completion
				     to another */
	uint64_t periods, missed; /* periods, those missed too */
	uint64_t hangs;           /* of all clients, in the warm-up too */
	uint64_t requests;
	nsec latency_p50_ns, latency_p99_ns, queue_wait_p99_ns;
	double piled_up;      /* where work piles up (backlog.h): the age of its
					oldest request, in periods; 0: nowhere */
	unsigned piled_up_on; /* index in engines, if piled_up > 0 */
	unsigned n_engines, busiest; /* index in engines */
	struct trial_engine {
		char name[12];
		double busy_percent;
	} engines[DEVICE_MAX_ENGINES];
};

/* The totals of a run at the end of its warm-up. */
struct warmup_totals {
	nsec at;
	uint64_t n_iterations;
	struct client_warmup {
		uint64_t completed, periods, missed;
		nsec completed_ns;
	} * clients; /* by id */
	size_t n_clients;
	nsec busy_ns[DEVICE_MAX_ENGINES];
	struct histogram times; /* of foreground clients */
};

/* Sets *b to the totals of now; freed with warmup_totals_free(). */
void warmup_totals_take(struct warmup_totals *b, const struct sim *sim);
void warmup_totals_free(struct warmup_totals *b);
/* Sets *f to what sim did since then; times began then, and are reordered. No
 * client may have been added since. backlog: of the run since then. done: all
 * foreground clients have ended. */
void trial_figures_take(struct trial_figures *f, const struct plan *plan,
    const struct sim *sim, const struct warmup_totals *since,
    struct request_times *times, const struct backlog *backlog, bool done);

#endif
