/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests in flight, and what each line has run: an observer of
 * the simulation that costs a few instructions per request.
 */
#ifndef RUN_LIVE_INFLIGHT_H
#define RUN_LIVE_INFLIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

struct run;

/* Requests that ended last are remembered. */
#define FLIGHT_RECENT 16

struct flight {
	struct observer observer;
	struct request **list; /* in no order; rq->observer is the index */
	size_t n, cap;
	uint64_t n_ended;
	uint64_t recent[FLIGHT_RECENT]; /* their seqs; a ring */
	struct sim *sim;
	const struct versions *versions;
	const struct version *last; /* whose request ended last, */
	uint64_t generation;        /* and when that was found */
};

/* Watches run, which stays where it is, from its start until flight_end():
 * requests that end are counted in its versions. */
void flight_begin(struct flight *f, const struct run *run);
void flight_end(struct flight *f);

#endif
