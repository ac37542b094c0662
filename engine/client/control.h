/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live control (the manual, LIVE CONTROL): what somebody does to a running
 * simulation. A control is plain data; it is applied between two instants, at
 * sim->now, and what it changes shows from the next instant on. So the same
 * controls applied between the same instants (sim->n_instants) at the same
 * times give the same run, to the nanosecond.
 */
#ifndef ENGINE_CLIENT_CONTROL_H
#define ENGINE_CLIENT_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sim.h"

struct text;

enum control_kind {
	CONTROL_PRIORITY,   /* as a P step reached now */
	CONTROL_SSEU,       /* as an S step reached now */
	CONTROL_PREEMPTION, /* X, for what is submitted from now on */
	CONTROL_ADD,        /* clients that start now */
	CONTROL_KILL,       /* a client's process dies (kill.h) */
	CONTROL_SWAP,       /* another program, from the next iteration on */
	N_CONTROLS,
};

/* Instead of a client: all of the workload that have not ended. */
#define CONTROL_ALL UINT32_MAX
/* PREEMPTION: as the program says again. */
#define CONTROL_BY_PROGRAM (-1)
/* In one simulation, all in all. */
#define CONTROL_MAX_CLIENTS 1000000u

struct control {
	enum control_kind kind;
	uint32_t client;   /* id, or CONTROL_ALL */
	uint32_t workload; /* id, with CONTROL_ALL, and for ADD */
	uint32_t context;  /* PRIORITY, SSEU, PREEMPTION: as in the text */

	/* PRIORITY: -1023..1023; SSEU: mask, -1: all slices; PREEMPTION:
	 * us, 0: none, CONTROL_BY_PROGRAM. */
	int64_t value;

	bool persistent; /* KILL: what is in flight runs on */
	/*
	 * SWAP: not from the next iteration on, but at once. If the programs
	 * have the same shape (program/shape.h) the client goes on at the step
	 * where it is; else it gives up its iteration and begins it anew
	 * (give_up.h).
	 */
	bool at_once;

	/*
	 * SWAP: compiled for this device. For all of a workload: also what
	 * those run that are added to it later. ADD: NULL, or that of a new
	 * workload called name, whose id is the next. The simulation holds
	 * programs and keeps a copy of the name.
	 */
	const struct program *program;
	const char *name;
	/* Where program came from, for observers. */
	const void *source;

	/* ADD: so many, all alike; a new workload may have none as yet. */
	uint32_t n_clients;
	struct client_options options;
};

/* What a control is called ("priority"). */
const char *control_name(enum control_kind kind);

/* Applies the control. False: nothing has changed, err says what would be
 * right. */
bool sim_control(
    struct sim *sim, const struct control *control, struct text *err);

#endif
