/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording: what was launched and all that was done to it, as lines of
 * JSON, so that the session can be played again to the nanosecond
 * (replay.h). It needs no other file: descriptors and profile stand in it. A
 * line is written when it happens, whole:
 *
 *   {"gpuwl_recording":1, "version":..., "launch":{...}}     the first
 *   {"at_ns":T, "instant":N, "control":"priority", "client":0, ...}
 *   {"at_ns":T, "instant":N, "note":"speed", "value":"10"}
 *   {"launch":{...}}                      started anew, at time 0
 *   {"at_ns":T, "instant":N, "end":"quit"}                   the last
 *
 * Each thing was done at virtual time T, after N instants had been run
 * (engine/client/control.h). Notes are what changes no result: pauses, steps, speed.
 */
#ifndef RUN_RECORD_H
#define RUN_RECORD_H

#include <stdbool.h>

#include "base/nsec.h"

#define RECORDING_VERSION 1

struct plan;
struct recording;
struct run;
struct text;

enum recording_end {
	RECORDING_DONE,
	RECORDING_DEADLOCK,
	RECORDING_DURATION, /* --duration was over */
	RECORDING_QUIT,     /* it was left */
	N_RECORDING_ENDS,
};

/* What the ends are called; NULL after the last. */
extern const char *const recording_ends[N_RECORDING_ENDS + 1];

/* Writes to fd, an empty file or a pipe, which it closes in the end. */
struct recording *recording_new(int fd);
/* 0, or the errno of the write that failed: nothing is written after it. */
int recording_error(const struct recording *r);
/* Frees it. Returns as recording_error. */
int recording_close(struct recording *r);

/* plan was launched as run, which is watched from here on until
 * recording_end or the next launch, when it is gone. duration: the limit, or
 * NSEC_NEVER. The plan must stay as it is until this returns, no longer. */
void recording_launch(struct recording *r, const struct plan *plan,
    const struct run *run, nsec duration);
/* value may be NULL. */
void recording_note(struct recording *r, const char *note, const char *value);
void recording_end(struct recording *r, enum recording_end end);

#endif
