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
 *   {"at_ns":T, "instant":N, "i915":[["started",12,0,34567],...]}  (a GPU)
 *   {"launch":{...}}                      a restart, at time 0
 *   {"at_ns":T, "instant":N, "end":"quit"}                   the last
 *
 * An action happened at virtual time T after N instants
 * (engine/client/control.h). Notes (pauses, steps, speeds) change no result.
 *
 * A GPU does not repeat what it did: its words (engine/follow/follow.h) are
 * recorded, and make the same record once more, without the GPU. Of each, its
 * name is followed by, as far as it has them, the request (its number in the
 * run), the index of the engine, the time in ns, the error and the cause; of
 * "banned" by client and context. Those of a line happened at T, answers
 * ("took", "refused") after that.
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

struct follow_past;
struct follow_word;
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

/* The lines of a launch and of the controls since then. */
struct recorded_lines {
	char **list;
	size_t n, cap;
};

/* Writes nothing until hold is false again: what happens was written before. */
void recorder_hold(struct run_recorder *r, bool hold);
/* Copies the lines of the launch, to be freed with recorded_lines_free(). */
void recorder_copy_lines(
    const struct run_recorder *r, struct recorded_lines *lines);
/* Writes these lines as a launch, with its first n controls. */
void recorder_again(struct run_recorder *r, const struct recorded_lines *lines,
    size_t n_controls);
void recorded_lines_free(struct recorded_lines *lines);

/* A line after the launch. */
struct replay_action {
	size_t line;
	uint64_t instant;
	nsec at;
	bool is_end;
	enum recording_end end;
	struct follow_word *words; /* owned; NULL: no news of a GPU */
	size_t n_words;
	struct control control; /* else, unless is_end; control.source is
				   source */
	struct source *source;  /* of its program, owned; NULL: none */
};

struct replay {
	char *path;
	char *version;   /* of the program that wrote the recording */
	nsec duration;   /* --duration of the recorded run; NSEC_NEVER: none */
	uint64_t repeat; /* -r of it; 0: until stopped */
	bool is_over;    /* the last line was played */
	bool is_unfinished;       /* there is no line with an end */
	struct follow_past *past; /* the plan's, see plan_past(); or NULL */
	struct replay_action *actions;
	size_t n, cap, next;
	size_t n_lines;
	/* Called before an action is applied, which it may prepare; false: err
	 * says why it can't be. NULL: none. */
	bool (*prepare)(
	    void *data, struct replay_action *action, struct text *err);
	void *prepare_data;
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
