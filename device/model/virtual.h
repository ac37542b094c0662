/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A virtual i915 whose GPU is a simulation (engine/sim.h): programs submit
 * through virtual_i915() as clients from outside (engine/backend.h), and their
 * batches are executed by the command streamer. A process is a client. Rules:
 * doc/model/virtual.md.
 */
#ifndef DEVICE_MODEL_VIRTUAL_H
#define DEVICE_MODEL_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/sim.h"

struct i915;
struct i915_host;
struct request;
struct streamer_counts;
struct text;
struct tree_device;
struct virtual_device;

/* Makes a device of the simulation's profile and scheduler at sim->now, and
 * keeps the run open for programs. sim and host must outlive it. The caller
 * frees it with virtual_free(). epoch_ns: the device's time when the
 * simulation's is 0; programs compare it with CLOCK_MONOTONIC. NULL: the profile
 * has no i915, and err says why. */
struct virtual_device *virtual_new(
    struct sim *sim, struct i915_host *host, nsec epoch_ns, struct text *err);
/* Also the programs' clients leave; the simulation can run no further, but be
 * read. NULL is allowed. */
void virtual_free(struct virtual_device *v);

/* Lets reports have other numbers than pids, from now on: number returns that of
 * a process. */
void virtual_number_processes(struct virtual_device *v,
    uint32_t (*number)(void *data, uint32_t pid), void *data);

/* Lets tell report, in a line, each batch that polls what only the batch itself could
 * write: it never ends. The first few are reported. */
void virtual_tell_endless(struct virtual_device *v,
    void (*tell)(void *data, const char *line), void *data);

/* Returns the device that programs call. Valid until virtual_free(). */
struct i915 *virtual_i915(struct virtual_device *v);
/* Sets what tree_write() needs; its engines are valid until virtual_free().
 * False: err says why. */
bool virtual_tree(
    struct virtual_device *v, struct tree_device *device, struct text *err);

/* Returns what all batches that are over contained. Valid until
 * virtual_free(). */
const struct streamer_counts *virtual_counts(const struct virtual_device *v);

/* Runs the simulation up to and including that time of the device, which never
 * goes back, and answers the calls that waited for it. Returns the time that it
 * is then: the same, but if the simulation was stopped or its time is over. If
 * the simulation is asked to pause (sim->poll), time that it lacks is lost. */
uint64_t virtual_advance(struct virtual_device *v, nsec device_now);
/* Stops the GPU at that time of the device, or lets it go on (doc/model/virtual.md
 * "Stops"). */
void virtual_stop(struct virtual_device *v, nsec device_now, bool stopped);
/* The clock has moved on to that time, and the GPU did nothing meanwhile. */
void virtual_skip(struct virtual_device *v, nsec device_now);
/* As that, but for the latest 100 ms, where virtual_next() is longer ago: this process
 * had no processor meanwhile. */
void virtual_forget_stall(struct virtual_device *v, nsec device_now);
/* Runs the next instant of a GPU that is stopped. SIM_ENDED: nothing is due. */
SIM_MUST_LOOK enum sim_ran virtual_step(
    struct virtual_device *v, nsec device_now);

/* Returns the device's time. */
nsec virtual_now(const struct virtual_device *v);
/* Programs may have changed memory: batches that poll it are asked. */
void virtual_poke(struct virtual_device *v);
/* Returns the time of the device when virtual_advance() is needed at the latest;
 * NSEC_NEVER: not before a call. Calls may change it. */
nsec virtual_next(struct virtual_device *v);

/* The label of a request whose first batch ended with its first command. */
#define VIRTUAL_EMPTY "empty"

/* Parts of the work of a request, in ns. */
struct virtual_work {
	nsec polled_ns; /* it polled memory */
	nsec fixed_ns;  /* it had no preemption points */
	/* When the memory that it polls was seen to let it go on while it was off its
	 * engine, a time; 0: it was not. With a witness also for
	 * an endless batch that had no engine before: polled_ns is 0 then. */
	nsec released_ns;
	/* Video frames of its batches that have ended. */
	uint64_t decoded, coded, filtered;
};

/* Returns them for a request of a program, which has not ended or ends now. */
struct virtual_work virtual_work_of(const struct request *rq);

#endif
