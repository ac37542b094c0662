/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session: a plan, its running simulation, the pace, and what was sampled. All
 * that a user can do to a run is a function here; nothing here knows of screens
 * or keys. A session lends its model (run.sim and all that it points to) for
 * reading: only functions of this room change it.
 */
#ifndef RUN_LIVE_SESSION_H
#define RUN_LIVE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/explain/trail.h"
#include "engine/sim.h"
#include "run/live/baseline.h"
#include "run/live/figures.h"
#include "run/live/layer_watch.h"
#include "run/live/marks.h"
#include "run/live/notices.h"
#include "run/live/outputs.h"
#include "run/live/pace.h"
#include "run/plan.h"

struct control;
struct hang_dump;
struct options;
struct run_recorder;

enum session_state {
	SESSION_RUNNING,
	SESSION_PAUSED,
	SESSION_DONE,      /* all clients have ended */
	SESSION_LIMIT,     /* --duration is over */
	SESSION_DEADLOCK,  /* nothing can go on */
	SESSION_TIME_OVER, /* virtual time has come to its end */
	SESSION_STOPPED,   /* a key ended the run within an instant */
	SESSION_NOTHING,   /* there has been no client that is to end */
};

/* Of a document that was edited while it runs (live.h), or waits to be run. */
struct document_state {
	struct text problem; /* why it is not run; "" */
	size_t line;         /* where that is; SIZE_MAX: at none */
};

struct session {
	struct plan *plan;
	const struct options *options; /* whose files are in use; NULL: none */
	char *profile_file;            /* that was chosen since; NULL: none */
	struct run_recorder *recorder; /* --record; NULL */
	struct hang_dump *errors;      /* --error-state; NULL */
	struct run run;
	struct clock clock;
	struct load_history history;
	struct inflight inflight;
	struct ban_notice bans;
	struct refusal_notice refusals;
	struct trail *trail;      /* of this launch; ids start anew with each */
	struct layer_watch layer; /* workloads, where there are annotations */
	struct text
	    output_problems;      /* lines: files that could not be written */
	struct baseline baseline; /* what figures are compared with */
	nsec delay;               /* wall time between ticks */
	nsec limit;               /* --duration; NSEC_NEVER */
	bool behind;              /* did not reach what the clock said */
	uint64_t generation;      /* counts when contexts and pointers into run
				change: launches, programs taken over */
	uint64_t n_swaps; /* of the simulation, that are counted there */
	uint64_t samples; /* counts ticks */
	/* The wish of each simulation (engine/sim.h); NULL: none. */
	enum sim_poll (*wish)(void *data);
	void *wish_data;
	struct document_state *documents;
	size_t n_documents; /* that are known of; at most the sources */
};

/* Launches the plan. speed and limit as in struct options. Until session_end,
 * recording (NULL: none) is told of all that is done here, and errors (NULL:
 * none) of all hangs. */
bool session_begin(struct session *s, struct plan *plan, double speed,
    nsec limit, struct run_recorder *recorder, struct hang_dump *errors,
    struct text *err);
void session_end(struct session *s);
/* From now on, this is asked while a simulation runs. */
void session_set_wish(
    struct session *s, enum sim_poll (*wish)(void *data), void *data);
/* After it, once: lines about what of the layer could not be written. */
void session_layer_problems(struct session *s, struct text *out);

enum session_state session_state(const struct session *s);
/* Is there anything for the clock to move? */
bool session_moves(const struct session *s);

/*
 * Lets virtual time follow the clock, for at most budget of wall time. Budget
 * 0, of scripts: no limit but one in events, the lower one for speed "max",
 * which has no other end. Sets behind.
 */
void session_advance(struct session *s, nsec wall, nsec budget);
#define SESSION_MAX_EVENTS     2000000
#define SESSION_EVENTS_AT_MAX  50000
#define SESSION_EVENTS_OF_STEP 50000 /* one that finds no end */

/* A tick of the screen: samples history, if a window of it (what passes in
 * delay at this speed) is full. What was not reached by now is let
 * go of, so that lag does not pile up. */
void session_tick(struct session *s, nsec wall);

void session_pause(struct session *s, nsec wall, bool paused);
void session_set_speed(struct session *s, nsec wall, double speed);
/* Pauses, and goes on by one event, batch or iteration. */
void session_step(struct session *s, nsec wall, enum sim_step what);

/* Does something to what runs (engine/client/control.h), at the virtual time that
 * was reached. The source of a control with a program is a struct source. */
bool session_control(
    struct session *s, const struct control *control, struct text *err);

/* The layer's workloads and messages are asked for, whatever is run. */
void session_want_layer(struct session *s);

/* Does the client run a text of its document from before an edit? */
bool session_is_older(const struct session *s, const struct client *c);

/* Why the document is not what its clients run, or has none ("line 12: ...");
 * NULL: it can be run, or has no step. */
const char *session_document_problem(const struct session *s, size_t source);
/* Which line that is of; false: of none. */
bool session_problem_line(const struct session *s, size_t source, size_t *line);
/* The line that a document is opened with: that of the problem, or else of the
 * first step, where what moves is; what a file begins with is often a long
 * comment. */
size_t session_first_line(const struct session *s, size_t source);
/* To be changed by who looks at documents (live.h). */
struct document_state *session_document_state(struct session *s, size_t source);

/* The step that a request was submitted by, as it was written then; "" if that
 * is not known. Not zero terminated. */
const char *session_step_text(
    const struct session *s, const struct request *rq, size_t *len);
/* The same of one that is over, as long as somebody runs its text. */
const char *session_past_step_text(
    const struct session *s, const struct trail_request *r, size_t *len);
/* The row of its document that this stands on now, from 1; 0: none does. */
size_t session_past_step_row(
    const struct session *s, const struct trail_request *r);

/* From time 0, with the documents as they are now. When that fails, what was
 * running goes on. */
bool session_restart(struct session *s, nsec wall, struct text *err);
/* Restarts with another profile or scheduler, or leaves all as it was. */
bool session_set_profile(
    struct session *s, nsec wall, const char *name, struct text *err);
bool session_set_scheduler(
    struct session *s, nsec wall, const char *name, struct text *err);

/*
 * Launches n more clients of a source; refused for a source that waits. False:
 * err says why. Nothing has changed then, unless many clients were launched and
 * the plan's stop came in between: those that err counts stay.
 */
bool session_add_clients(
    struct session *s, size_t source, uint32_t n, struct text *err);
/* Those of a source that waited for its text to be right. */
bool session_start_clients(struct session *s, size_t source, struct text *err);
/*
 * Opens a file as one more descriptor with n clients, from now on; one that is
 * open already gets no second one, but n more clients if more is true; one
 * that is not there is new, unless more is true. What can't be run waits.
 * *source is it. False: nothing has changed, with the exception of
 * session_add_clients; err says all that is wrong.
 */
bool session_open(struct session *s, const char *path, uint32_t n, bool more,
    size_t *source, struct text *err);
/* The client's process dies. */
bool session_kill(struct session *s, uint32_t client, struct text *err);
/* Dies, if it lives, and another one like it begins: *id. */
bool session_restart_client(
    struct session *s, uint32_t client, uint32_t *id, struct text *err);

/* For the files of run/live/. */

/* Forgets why documents do not run: all of them do. */
void session_forget_documents(struct session *s);
/* Finds out why the sources that wait cannot run. */
void session_look_at_waiting(struct session *s);
/* Compiles the document of a source. NULL: session_document_state() says why it
 * cannot run. Freed with program_free. */
struct program *session_compile_document(struct session *s, size_t source);
/* Notes in the recording, if there is one, an action that changes no result.
 * value may be NULL. */
void session_note(struct session *s, const char *note, const char *value);

#endif
