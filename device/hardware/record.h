/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GPU as the device of a simulation (engine/follow/follow.h): contexts,
 * requests and rings of the simulation become those of the driver, and what the
 * stamps and fences of batches say becomes its news. Only the files record*.c
 * know both (doc/model/libdrm.md "The record").
 *
 * One turn of the loop of a run:
 *     now = record_look(r);
 *     sim_run(sim, now, 0);
 *     wait until record_fd() is readable, or sim_next_event() is due.
 */
#ifndef DEVICE_HARDWARE_RECORD_H
#define DEVICE_HARDWARE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/nsec.h"

struct hardware;
struct record;
struct sim;
struct sim_config;
struct text;

/* Sets the profile and the scheduler of a simulation that will follow hw. */
void record_configure(const struct hardware *hw, struct sim_config *config);
/* Makes sim, which is new and was configured for hw, the record of hw: its time
 * 0 is now. hw must be open, and outlive the record; the caller frees it with
 * record_free(), after sim. NULL: err says why. */
struct record *record_new(
    struct hardware *hw, struct sim *sim, struct text *err);
/* Returns the GPU of record_new(). */
const struct hardware *record_hardware(const struct record *r);
/* Destroys what is left in the GPU, after record_finish(): contexts, which
 * revokes batches that have not ended, then memory. NULL is allowed. */
void record_free(struct record *r);

/* Reports what has happened on the GPU until now, which is returned, on the
 * simulation's clock. To be called between two instants. */
nsec record_look(struct record *r);
/* Returns the time of CLOCK_MONOTONIC that is that time of the simulation. */
nsec record_wall(const struct record *r, nsec time);
/* Lets the simulation's time be time now: the clock goes on from there.
 * Nothing may be in flight. */
void record_set_time(struct record *r, nsec time);
/* Returns a descriptor that is readable when a request has ended since the last
 * look. Valid until record_free(). */
int record_fd(const struct record *r);
/* Returns for how long to wait for it at most, ns: 1 ms while epoll has no room for
 * some fence, else NSEC_NEVER. */
nsec record_patience(const struct record *r);

/* Ends all batches that were submitted, at their next turn. */
void record_end_batches(struct record *r);
/* Does so, and waits until they have ended, 1 s at most. Nothing may be submitted
 * any more. */
void record_finish(struct record *r);
/* Returns what went wrong in the driver, "" if nothing: a context or a request
 * that it refused. The run should end then. */
const char *record_failure(const struct record *r);

#endif
