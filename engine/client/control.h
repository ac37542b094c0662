/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live control (the manual, LIVE CONTROL): changes to a running simulation. A
 * control is plain data. It is applied between two instants, at sim->now, and
 * takes effect from the next instant on. The same controls, applied between the
 * same instants (sim->n_instants) at the same times, give the same run, to the
 * nanosecond.
 */
#ifndef ENGINE_CLIENT_CONTROL_H
#define ENGINE_CLIENT_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sim.h"

struct text;

enum control_kind {
	CONTROL_PRIORITY,   /* as a P step now */
	CONTROL_SSEU,       /* as an S step now */
	CONTROL_PREEMPTION, /* as X, for batches submitted from now on */
	CONTROL_ADD,        /* clients, which start now */
	CONTROL_KILL,       /* kill a client's process (client_run.h) */
	CONTROL_SWAP,       /* another program, from the next iteration on */
	N_CONTROLS,
};

/* For client: every live client of the workload. */
#define CONTROL_ALL UINT32_MAX
/* For the value of PREEMPTION: X of the program again. */
#define CONTROL_BY_PROGRAM (-1)
/* The most clients in one simulation. */
#define CONTROL_MAX_CLIENTS 1000000u

struct control {
	enum control_kind kind;
	uint32_t client;   /* id, or CONTROL_ALL */
	uint32_t workload; /* id, with CONTROL_ALL, and for ADD */
	uint32_t context;  /* PRIORITY, SSEU, PREEMPTION: number in the text */

	/* PRIORITY: -1023..1023; SSEU: mask, -1: all slices; PREEMPTION: us,
	 * 0: no points, or CONTROL_BY_PROGRAM. */
	int64_t value;

	bool persistent; /* KILL: requests in flight complete */
	/*
	 * SWAP: at once instead of from the next iteration on. If the programs
	 * have the same shape (program_same_shape) the client continues at its
	 * step; else it aborts its iteration and begins a new one.
	 */
	bool at_once;

	/*
	 * SWAP: compiled for this device; with CONTROL_ALL, clients added to
	 * the workload later run it too. ADD: NULL, or the program of a new
	 * workload called name, which gets the next id. The simulation takes
	 * references of programs and copies the name.
	 */
	const struct program *program;
	const char *name;
	/* The origin of program, for observers. */
	const void *source;

	/* ADD: number of clients, all alike; 0 only for a new workload. */
	uint32_t n_clients;
	struct client_options options;
};

/* Returns the name of a kind ("priority"). */
const char *control_name(enum control_kind kind);

/* Applies the control. False: nothing has changed, and err says what is invalid
 * and what would be valid. */
bool sim_control(
    struct sim *sim, const struct control *control, struct text *err);

#endif
