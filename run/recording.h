/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings: a launch and everything that was done to it, as lines of JSON, so
 * that the run can be replayed to the nanosecond and byte for byte. A recording
 * needs no other file: it contains descriptors and profile. Each line is written
 * whole, when it happens:
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
	RECORDING_DURATION, /* --duration was over */
	RECORDING_QUIT,     /* it was left */
	N_RECORDING_ENDS,
};

/* What the ends are called; NULL after the last. */
extern const char *const recording_ends[N_RECORDING_ENDS + 1];

/* Writes to fd, an empty file or a pipe, which it closes in the end. */
struct run_recorder *recorder_new(int fd);
/* 0, or the errno of the write that failed: nothing is written after it. */
int recorder_error(const struct run_recorder *r);
/* Frees it. Returns as recording_error. */
int recorder_close(struct run_recorder *r);

/* plan was launched as run, which is watched from here on until
 * recording_end or the next launch, when it is gone. duration: the limit, or
 * NSEC_NEVER. The plan must stay as it is until this returns, no longer. */
void recorder_launch(struct run_recorder *r, const struct plan *plan,
    const struct run *run, nsec duration);
/* value may be NULL. */
void recorder_note(struct run_recorder *r, const char *note, const char *value);
void recorder_end(struct run_recorder *r, enum recording_end end);

/* One line, after the launch. */
struct replay_action {
	size_t line;
	uint64_t instant;
	nsec at;
	bool is_end;
	enum recording_end end;
	struct control control; /* unless is_end; its source is: */
	struct source *source;  /* that of its program; NULL */
};

struct replay {
	char *path;
	char *version;      /* of the program that recorded */
	nsec duration;      /* --duration then; NSEC_NEVER */
	uint64_t repeat;    /* -r then; 0: until stopped */
	bool is_over;       /* all has been played */
	bool is_unfinished; /* the last line tells of no end */
	struct replay_action *actions;
	size_t n, cap, next;
	size_t n_lines;
};

/*
 * Reads a recording, and makes the plan that it launched last. False: err has
 * lines such as "file:line: error: what is wrong, what would be right". Either
 * way free with replay_close and plan_close, after the run.
 */
bool replay_open(
    struct replay *r, struct plan *plan, const char *path, struct text *err);
/* The same of text in memory, called path in errors. */
bool replay_parse(struct replay *r, struct plan *plan, const char *path,
    const char *text, size_t len, struct text *err);
void replay_close(struct replay *r);
/* When its last line was written, in virtual time. */
nsec replay_duration(const struct replay *r);
/* Drops all actions. */
void replay_forget(struct replay *r);

/* As sim_run, for the launched plan, with all that was done. False: the
 * recording is of another run, err says where. After the last line is_over is
 * set, and nothing runs any more. */
bool replay_run(struct replay *r, struct run *run, nsec until,
    uint64_t max_events, struct text *err);

#endif
