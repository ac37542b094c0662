/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One side of the comparison of a trace with its model: the requests of either,
 * and the figures that both have (doc/model/import.md "Fidelity").
 */
#ifndef RUN_IMPORT_SIDE_H
#define RUN_IMPORT_SIDE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/infer/infer.h"

#define SIDE_ENGINES (N_CLASSES * INFER_MAX_INSTANCES)

/* Requests in order of submission; times are ns from the side's beginning. */
struct side_row {
	uint32_t client;     /* clones are several */
	uint32_t descriptor; /* index in infer_result.clients */
	uint32_t position;   /* in an iteration, or INFER_NO_POSITION */
	uint8_t engine;      /* number of a bit */
	nsec queued_ns, ready_ns, start_ns;
	/* NSEC_NEVER: it ends after the side, and only queued_ns counts. */
	nsec end_ns;
	nsec run_ns; /* NSEC_NEVER: from start and end */
};

struct side {
	struct side_row *rows;
	size_t n, cap;
	nsec span_ns;    /* from its beginning to its end */
	bool has_starts; /* start_ns is when a request began on its engine */
};

/* Figures of a descriptor: means over its clones, medians over all. */
struct side_client {
	double rate;                       /* iterations per second */
	double frame_p50_us, frame_p99_us; /* of an iteration */
	double wait_p50_us;                /* from ready, or queued, to start */
	/* The longest chain of an iteration's dependencies, and of the order on
	 * engines: time on these. */
	double critical_p50_us;
	double missed; /* percent of the iterations, longer than the period */
};

struct side_figures {
	double busy[SIDE_ENGINES];    /* percent of the span */
	double batches[SIDE_ENGINES]; /* per second */
	struct side_client *clients;  /* by descriptor */
	size_t n_clients;
	/* Descriptors whose requests follow each other on an engine, sorted. */
	uint64_t *pairs;
	size_t n_pairs;
	/* Hashes of batches, by descriptor and place in the iteration, whose ends, and
	 * starts if the side has them, follow each other on an engine, sorted. */
	uint64_t *sequences;
	size_t n_sequences;
};

/* Sets run_ns where it is not known: an engine runs one request at a time. */
void side_settle_runs(struct side *side);
/* Measures the rows, of the n descriptors of clients. */
void side_measure(const struct side *side, const struct infer_client *clients,
    size_t n, struct side_figures *figures);
/* side_critical.c: returns the ns of the longest chain of an iteration: rows[p] is
 * its batch at position p. All have ended. */
nsec side_critical_path(
    const struct side_row *const *rows, const struct infer_client *client);
/* Share of the pairs on an engine that are the same, percent; 100: there are
 * none. */
double side_same_order(const struct side_figures *a,
    const struct side_figures *b, unsigned engine);
/* Share of the ends, and starts, that do not follow each other as in the other one,
 * percent of all engines'. */
double side_unlike_order(
    const struct side_figures *a, const struct side_figures *b);
void side_figures_free(struct side_figures *figures);
void side_free(struct side *side);

#endif
