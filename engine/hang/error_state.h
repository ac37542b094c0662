/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error state of a hang: all that i915 would capture of it, as it was when
 * the hang was found, in plain values. To be collected in an observer's hung().
 */
#ifndef ENGINE_HANG_ERROR_STATE_H
#define ENGINE_HANG_ERROR_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/gpu/engine.h"
#include "engine/hang/hang.h"

struct client;
struct context;
struct request;
struct sim;

/* Of a list; those after it are only counted. */
#define ERROR_STATE_LISTED 256

struct error_request {
	uint64_t seq; /* order of submission in the run */
	uint64_t iteration;
	uint32_t client, context, step;
	const char *state;  /* blocked, ready, switching, polling, running */
	const char *engine; /* fixed, or where it was last; NULL */
	int32_t priority;
	int32_t error; /* that it will end with */
	nsec submit_ns;
	nsec ready_ns, start_ns; /* NSEC_NEVER: not yet */
	nsec run_ns;
	nsec duration_ns; /* NSEC_NEVER: infinite */
	uint32_t preemptions;
};

struct error_requests {
	struct error_request *list;
	size_t n;     /* in list */
	size_t total; /* those not listed included */
};

/* What the request had to wait for, as its step says. */
struct error_wait {
	const char *cause; /* "data", "fence", "submit fence", ... */
	uint32_t step;     /* batch or f */
	bool pending;      /* not over yet */
};

/* What an engine did. */
struct error_engine {
	const char *name;
	const char *state; /* idle, resetting, or of the request */
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
	struct error_requests waiters; /* for its end */
	uint32_t *clients;             /* that wait for its end, by id */
	size_t n_clients, total_clients;
	struct error_requests ring;  /* in flight there, the oldest first */
	struct error_requests queue; /* of the engine, in order */
	struct error_engine engines[DEVICE_MAX_ENGINES];
	unsigned n_engines;
};

/* To be freed with error_state_free. */
struct error_state *error_state_collect(
    const struct sim *sim, const struct hang *hang);
void error_state_free(struct error_state *state);

#endif
