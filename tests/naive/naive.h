/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive reference model: the rules of the schedulers in `ideal`, written
 * down as plainly as they can be (arrays and linear scans), to check the
 * submission engine against. It was written from the documents alone and shares
 * nothing with engine/ but the type of time. Beside each piece of code stands
 * the rule that it is, with its place in doc/model: Common is common.md, Tool
 * is gem_wsim.md, and execlists, drm and guc have pages of their own.
 *
 * Costs are zero and timeouts off: the model knows no other profile.
 */
#ifndef TESTS_NAIVE_H
#define TESTS_NAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "parser/document/document.h"
#include "parser/engine_name.h"
#include "parser/step.h"

#define NAIVE_MAX_ENGINES   32
#define NAIVE_MAX_WIDTH     8 /* rows of a G */
#define NAIVE_MAX_CLIENTS   64
#define NAIVE_MAX_WORKLOADS 16

enum naive_scheduler {
	NAIVE_FIFO,
	NAIVE_EXECLISTS,
	NAIVE_DRM,
	NAIVE_DRM_RR,
	NAIVE_GUC,
	N_NAIVE_SCHEDULERS
};
extern const char *const naive_scheduler_names[N_NAIVE_SCHEDULERS];

/* The steps of one -w (and of -a, behind them), not owned. */
struct naive_workload {
	const struct step **steps;
	unsigned n_steps;
};

/* The task of a client. */
struct naive_job {
	unsigned workload;
	uint64_t repeat;
	bool background; /* loops until the others have ended */
};

struct naive_config {
	enum naive_scheduler scheduler;
	unsigned n_engines[N_CLASSES];
	unsigned ring_requests;
	nsec iteration_min_ns;
	uint32_t seed;                      /* -I */
	bool same_random;                   /* -S */
	bool sync_deps;                     /* -d */
	double duration_scale, delay_scale; /* -f, -F */
	size_t max_rows; /* gives up after that many requests, or ten times as
			    many instants; 0: never */

	struct naive_workload workloads[NAIVE_MAX_WORKLOADS];
	unsigned n_workloads;
	struct naive_job jobs[NAIVE_MAX_CLIENTS]; /* by client id */
	unsigned n_jobs;
};

/* A batch, as in a line of --requests (the manual, REQUESTS). Times that did
 * not come are NSEC_NEVER. status is ok throughout. */
struct naive_row {
	unsigned client;
	uint64_t iteration;
	unsigned step;
	uint32_t context; /* its number in the text */
	int engine;       /* index in the device; -1: none yet */
	nsec submit, ready, start, end;
	nsec run;  /* of what runs still: up to the end of the run */
	nsec held; /* engine time: run, and what it spent polling */
	unsigned preemptions;
};

struct naive_client_figures {
	uint64_t iterations;
	nsec elapsed; /* background, or never ended: that of the run */
	bool ended;
	uint64_t n_periods, missed, sum_us, min_us, max_us;
};

struct naive_engine_figures {
	char name[12];
	nsec busy;
	uint64_t batches, switches, preemptions;
};

struct naive_result {
	struct naive_row *rows; /* in order of submission; of a parallel step
				   in the order of the rows of its G */
	size_t n_rows;
	struct naive_client_figures clients[NAIVE_MAX_CLIENTS];
	struct naive_engine_figures engines[NAIVE_MAX_ENGINES];
	unsigned n_engines;
	nsec elapsed;
	bool deadlock; /* a client waits for what can't happen */
	bool spins;    /* and infinite batches take turns for ever: how far
			  they got means nothing */
	bool gave_up;  /* max_rows */
};

/* `ideal`: its engines, and every option at its default; no jobs. */
void naive_config_ideal(struct naive_config *config);
/* All steps of the documents, one document behind the other. The documents
 * must be without errors, outlive the workload and not be edited. */
void naive_workload_init(struct naive_workload *workload,
    const struct document *const *docs, unsigned n_docs);
void naive_workload_clear(struct naive_workload *workload);

/* False: a batch names engines that the device or its map does not have. */
bool naive_run(const struct naive_config *config, struct naive_result *result);
void naive_result_clear(struct naive_result *result);

#endif
