/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The history of a run on the model, by which a session goes to any instant of
 * it: what was done to the run (inputs), and moments, which are snapshots of the
 * simulation with all that the session had derived from it. Any other instant is
 * reached by running on from the moment before it, while inputs are done again
 * where they were done. So the past is what it was, to the byte.
 *
 * While a session is in the past, recordings, outputs and error states are not
 * written, and no figures are compared; the present is kept. Going on repeats
 * the inputs up to the present. A change in the past begins a branch: the run
 * as it went is kept and can be returned to.
 *
 * Sessions with a device have no history: a device does not repeat what it did.
 *
 *   history.c   inputs: noted, and done again
 *   moments.c   moments: taken, put back, thinned
 *   travel.c    the present set aside, and running on from a moment
 *   journey.c   going to an instant
 *   goto.c      times, misses, hangs
 *   replayed.c  a recorded run, done again as one that can be gone back in
 *   search.c    lines, and the way back by one
 *   branches.c  runs that began in the past
 */
#ifndef RUN_LIVE_HISTORY_H
#define RUN_LIVE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/sim.h"
#include "run/live/changes.h"

struct follow_word;
struct replay;
struct session;
struct text;

/* The most memory of all moments of a session, and of those that are the ends of
 * branches: the oldest branches are forgotten. */
#define HISTORY_BYTES        ((size_t)256 << 20)
#define HISTORY_BRANCH_BYTES (HISTORY_BYTES / 2)

/* True if the session can go to the past; false: err says why. */
bool session_may_travel(const struct session *s, struct text *err);
/* True if the session is in the past. */
bool session_is_past(const struct session *s);
/* Returns the virtual time of the present, also while in the past. */
nsec session_present(const struct session *s);
/* Sets a function that is called after each sample of load that was taken
 * again: views take theirs. NULL: none. */
void session_on_tick(struct session *s, void (*ticked)(void *data), void *data);

/* Returns how far a way that takes long has come, in percent; -1: there is none,
 * or its length is not known. */
int session_way_percent(const struct session *s);

enum goto_kind {
	GOTO_TIME, /* time, which may be in the future */
	GOTO_MISS, /* the miss, or the hang, of that number */
	GOTO_HANG,
	GOTO_LINE, /* the submission of a line's step */
	GOTO_END,  /* the present */
};

struct goto_target {
	enum goto_kind kind;
	nsec time;
	uint64_t number;     /* MISS, HANG: from 1; 0: the last */
	size_t source, line; /* LINE */
	uint32_t client;     /* LINE: of that client */
	uint64_t iteration;  /* LINE: from 0; UINT64_MAX: the last so far */
};

/* Returns the missed periods, or hangs, up to the present. */
uint64_t session_number_so_far(const struct session *s, bool hangs);
/*
 * Pauses the run at an instant. Beyond the present it runs on to there. False: err
 * says why; the session is where it was, and goes on if it did, or, if the plan's stop was wanted, or
 * what is looked for does not come, as far as it got.
 */
bool session_goto(struct session *s, nsec wall, const struct goto_target *to,
    struct text *err);
/* Goes back by one event, batch or iteration, to where one ended. False: there
 * is none; err says so. */
bool session_back(
    struct session *s, nsec wall, enum sim_step what, struct text *err);
/* Returns to the present, paused, where views see the last samples again. Does
 * nothing there. */
void session_return(struct session *s, nsec wall);

/* Plays a recording, from whose plan the session has just begun, to its end, which
 * is the present then, paused. False: it is of another run, err says where. True
 * with err: it was stopped there, and the rest is not played. replay must outlive
 * the session. */
bool session_play_recording(
    struct session *s, nsec wall, struct replay *replay, struct text *err);
/* True if the session is of a recording. */
bool session_is_replayed(const struct session *s);
/* True if the run is one of a GPU that was recorded, which takes no changes. */
bool session_is_of_recorded_gpu(const struct session *s);

/* Branches. */

/* A run that was left for another one, beside the run of now. */
struct branch_view {
	unsigned number;            /* from 1 */
	nsec fork, end;             /* from where on they differ, and its end */
	struct run_figures figures; /* since then */
	struct run_figures mine;    /* of the run of now since then */
};

size_t session_n_branches(const struct session *s);
/* Returns how many were forgotten. */
unsigned session_n_forgotten_branches(const struct session *s);
/* Describes the i-th branch, oldest first. */
struct branch_view session_branch(const struct session *s, size_t i);
/* Appends what was changed since they differ in the i-th branch, or in the run of
 * now (mine). */
void session_add_branch_changes(
    const struct session *s, size_t i, bool mine, struct text *out);
/* Goes to the end of that branch; the run of now becomes one. */
bool session_take_branch(
    struct session *s, nsec wall, unsigned number, struct text *err);

/* For the files of run/live/. */

/* A run has been launched; ends. */
void history_launched(struct session *s);
void history_end(struct session *s);
/* Notes that samples were taken, or totals reset. */
void history_note_tick(struct session *s, nsec window, nsec second);
void history_note_reset(struct session *s);
/* Notes words of a GPU, which the present follows later. words must outlive the
 * session. */
void history_note_words(
    struct session *s, const struct follow_word *words, size_t n);
/* The user changes the run: in the past a branch begins. */
void history_change(struct session *s);
/* The run has advanced, or is about to: notes edits, takes moments. */
void history_follow(struct session *s);
/* Runs a session that is in the past up to a virtual time, for at most that many
 * events and that long (0: no limit); at the end it is in the present. Returns
 * true if it is there; false also if the simulation is held (sim->poll). */
bool history_advance(
    struct session *s, nsec until, uint64_t max_events, nsec stop);
/* Runs a session that is in the past to the end of its next instant. */
SIM_MUST_LOOK enum sim_ran history_step(struct session *s);

#endif
