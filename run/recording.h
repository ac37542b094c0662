/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings: a launch and everything that was done to it, as lines of JSON, so
 * that the run can be replayed to the nanosecond and byte for byte. A recording
 * needs no other file: it contains descriptors and profile. Each line is
 * written whole, when it happens:
 *
 *   {"gpuwl_recording":1, "version":..., "launch":{...}}     the first
 *   {"at_ns":T, "instant":N, "control":"priority", "client":0, ...}
 *   {"at_ns":T, "instant":N, "note":"speed", "value":"10"}
 *   {"launch":{...}}                      a restart, at time 0
 *   {"at_ns":T, "instant":N, "end":"quit"}                   the last
 *
 * An action happened at virtual time T after N instants
 * (engine/client/control.h). Notes (pauses, steps, speeds) change no result.
 */
#ifndef RUN_RECORDING_H
#define RUN_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/client/control.h"
#include "run/plan.h"

#define RECORDING_VERSION 1

struct plan;
struct run_recorder;
struct run;
struct text;

enum recording_end {
	RECORDING_DONE,
	RECORDING_DEADLOCK,
	RECORDING_DURATION, /* --duration had passed */
	RECORDING_QUIT,     /* the user or a signal ended it */
	N_RECORDING_ENDS,
};

/* Names of ends; NULL after the last. */
extern const char *const recording_ends[N_RECORDING_ENDS + 1];

/* Writes to fd, an empty file or a pipe, which is closed by
 * recorder_close(). */
struct run_recorder *recorder_new(int fd);
/* 0, or the errno of the first write that failed: it is the last one. */
int recorder_error(const struct run_recorder *r);
/* Frees r. Returns as recorder_error(). */
int recorder_close(struct run_recorder *r);

/* Writes the launch of plan as run, and watches run until recorder_end(), or
 * until the next launch, when it has been freed. duration: virtual time,
 * NSEC_NEVER: no limit. */
void recorder_launch(struct run_recorder *r, const struct plan *plan,
    const struct run *run, nsec duration);
/* Writes an action that changes no result. value may be NULL. */
void recorder_note(struct run_recorder *r, const char *note, const char *value);
void recorder_end(struct run_recorder *r, enum recording_end end);

/* A line after the launch. */
struct replay_action {
	size_t line;
	uint64_t instant;
	nsec at;
	bool is_end;
	enum recording_end end;
	struct control control; /* unless is_end; control.source is source */
	struct source *source;  /* of its program, owned; NULL: none */
};

struct replay {
	char *path;
	char *version;   /* of the program that wrote the recording */
	nsec duration;   /* --duration of the recorded run; NSEC_NEVER: none */
	uint64_t repeat; /* -r of it; 0: until stopped */
	bool is_over;    /* the last line was played */
	bool is_unfinished; /* there is no line with an end */
	struct replay_action *actions;
	size_t n, cap, next;
	size_t n_lines;
};

/* Reads a recording, and opens the plan that it launched last. False: err has a
 * line such as "FILE:LINE: error: ...". Free both with replay_close() and
 * plan_close() either way, after the run. */
bool replay_open(
    struct replay *r, struct plan *plan, const char *path, struct text *err);
/* As replay_open(), of text in memory; errors call it path. */
bool replay_parse(struct replay *r, struct plan *plan, const char *path,
    const char *text, size_t len, struct text *err);
void replay_close(struct replay *r);
/* Virtual time of its last line. */
nsec replay_duration(const struct replay *r);
/* Frees all actions. */
void replay_forget(struct replay *r);

/* As sim_run(), with the recorded actions. False: the recording is of another
 * run, err says at which line. Sets is_over after the last line; nothing runs
 * then. */
bool replay_run(struct replay *r, struct run *run, nsec until,
    uint64_t max_events, struct text *err);

#endif
