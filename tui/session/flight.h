/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests in flight, and what each step has completed: an observer of
 * the simulation that costs a few instructions per request.
 */
#ifndef TUI_FLIGHT_H
#define TUI_FLIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

struct run;

struct flight {
	struct observer observer;
	struct request **list; /* in no order; rq->observer is the index */
	size_t n, cap;
	const struct run *run;
	size_t last_program; /* whose request ended last */
	uint64_t **done;     /* per program and step: requests ended */
};

/* Watches run->sim, from its start, until flight_end(). */
void flight_begin(struct flight *f, const struct run *run);
void flight_end(struct flight *f);

/* Index in run->programs; n_programs if it is none of the sources'. */
size_t flight_program(const struct flight *f, const struct program *program);

#endif
