/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error state of a hang: what i915 would capture of it, in plain values, as
 * the hang found it. Collect it in an observer's hung(). */
#ifndef ENGINE_HANG_ERROR_STATE_H
#define ENGINE_HANG_ERROR_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/batch_name.h"
#include "engine/gpu/engine.h"
#include "engine/hang/hang.h"

struct client;
struct context;
struct request;
struct sim;

/* Longest list. Entries beyond it are counted, but not listed. */
#define ERROR_STATE_LISTED 256

struct error_request {
	uint64_t seq; /* order of submission in the run */
	uint64_t iteration;
	struct batch_name name;
	const char *state;  /* blocked, ready, switching, polling, running */
	const char *engine; /* fixed, or its last; NULL: none yet */
	int32_t priority;
	int32_t error; /* -errno that it will end with; 0: none */
	nsec submit_ns;
	nsec ready_ns, start_ns; /* NSEC_NEVER: not yet */
	nsec run_ns;
	nsec duration_ns; /* NSEC_NEVER: infinite */
	uint32_t preemptions;
};

struct error_requests {
	struct error_request *list;
	size_t n;     /* elements of list */
	size_t total; /* with those not listed */
};

/* A wait of the hung request, as its step says. */
struct error_wait {
	const char *cause;       /* "data", "fence", "submit fence", ... */
	struct step_place place; /* of the batch, or f, that it waits for */
	bool pending;            /* not over */
};

/* The state of an engine. */
struct error_engine {
	const char *name;
	const char *state; /* idle, resetting, or that of its request */
	uint32_t queued;
	nsec busy_ns;
	uint64_t batches;
	bool has_request;
	struct error_request request;
};

struct error_state {
	struct hang hang;
	struct error_request request; /* hang.rq */
	const struct client *client;
	const struct context *context;
	struct error_wait *waits;
	size_t n_waits;
	struct error_requests waiters; /* wait for the end of hang.rq */
	uint32_t *clients;             /* ids of those that wait for its end */
	size_t n_clients, total_clients;
	struct error_requests ring;  /* in flight on its ring, oldest first */
	struct error_requests queue; /* of the engine, in order */
	struct error_engine engines[DEVICE_MAX_ENGINES];
	unsigned n_engines;
};

/* Returns the error state of a hang. The caller frees it with error_state_free;
 * client and context are those of sim. */
struct error_state *error_state_collect(
    const struct sim *sim, const struct hang *hang);
/* Frees state and its lists. */
void error_state_free(struct error_state *state);

#endif
