/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests of an imported trace beside a run of its descriptors: who had which
 * engine when, with clients, contexts and times as the run has them
 * (doc/model/import.md "Beside the model").
 */
#ifndef RUN_IMPORT_BESIDE_H
#define RUN_IMPORT_BESIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/import/import_model.h"
#include "run/import/side.h"

#define BESIDE_NOT_RUN UINT32_MAX

/* A client of the trace. */
struct beside_client {
	uint32_t descriptor; /* index of its descriptor */
	uint32_t ordinal;    /* among the clients of it */
	/* Its number in the run, set by the run's owner; BESIDE_NOT_RUN: it has no
	 * client there. */
	uint32_t id;
};

/* Times are ns of the run, from its begin. */
struct beside_request {
	uint32_t client;  /* index */
	uint32_t context; /* number in the descriptor */
	uint8_t engine;   /* number of a bit */
	nsec queued_ns, ready_ns, start_ns, end_ns;
	nsec run_ns; /* time on the engine */
};

/* A time in which a request had the engine. */
struct beside_span {
	nsec from_ns, to_ns;
	nsec before_ns;   /* sum of the spans before it */
	uint32_t request; /* index */
};

struct beside_engine {
	struct beside_span *spans; /* in order, none overlaps another */
	size_t n, cap;
};

struct beside {
	struct beside_request *requests; /* in order of their ends */
	size_t n;
	struct beside_engine engines[SIDE_ENGINES];
	struct beside_client *clients;
	uint32_t n_clients;
	/* By client: the first of its contexts in numbers, and the end. */
	uint32_t *first;
	uint32_t *numbers; /* of contexts, ascending for each client */
	nsec *iterations;  /* ends of all clients' iterations, in order */
	size_t n_iterations;
	nsec end_ns; /* of the trace */
};

/* Never NULL. The result needs trace and m no longer. The caller frees it with
 * beside_free(). */
struct beside *beside_new(
    const struct imported *trace, const struct import_model *m);
/* NULL is ignored. */
void beside_free(struct beside *b);

/* Returns what an engine of that class and instance, from 0, did; NULL: a trace has
 * none such. */
const struct beside_engine *beside_of(
    const struct beside *b, unsigned class, unsigned instance);
/* Returns the index of the first span of an engine that ends after that time. */
size_t beside_find(const struct beside_engine *e, nsec at);
/* Returns how many iterations were over by then. */
size_t beside_iterations(const struct beside *b, nsec at);
/* Returns how long the engine was used up to that time. */
nsec beside_used(const struct beside_engine *e, nsec at);

#endif
