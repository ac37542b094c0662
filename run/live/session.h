/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session: a plan, its running simulation, the pace, and what was sampled.
 * All that a user can do to a run is a function here; nothing here knows of
 * screens or keys. A session lends its model (run.sim and all that it points
 * to) for reading: only functions of this room change it.
 *
 * Functions that return false append the reason to err and change nothing, with
 * the exceptions that they name. wall is clock_wall(), or the time of a script.
 */
#ifndef RUN_LIVE_SESSION_H
#define RUN_LIVE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/explain/limits.h"
#include "engine/explain/trail.h"
#include "engine/sim.h"
#include "run/hang_dump/hang_history.h"
#include "run/live/baseline.h"
#include "run/live/changes.h"
#include "run/live/figures.h"
#include "run/live/gpu.h"
#include "run/live/history.h"
#include "run/live/layer_watch.h"
#include "run/live/marks.h"
#include "run/live/notices.h"
#include "run/live/outputs.h"
#include "run/live/overdue.h"
#include "run/live/pace.h"
#include "run/live/programs.h"
#include "run/live/users.h"
#include "run/plan.h"
#include "run/texts.h"

struct beside;
struct control;
struct digest;
struct hang_dump;
struct options;
struct run_recorder;

enum session_state {
	SESSION_RUNNING,
	SESSION_PAUSED,
	SESSION_PAUSING,   /* on a GPU, where requests are still in flight */
	SESSION_DONE,      /* all clients have ended */
	SESSION_LIMIT,     /* --duration has passed */
	SESSION_DEADLOCK,  /* clients wait for events that cannot happen */
	SESSION_TIME_OVER, /* virtual time has reached NSEC_MAX */
	SESSION_STOPPED,   /* a key ended the run within an instant */
	SESSION_REFUSED,   /* the driver of a GPU refused a context or batch */
	SESSION_NOTHING,   /* no client was launched, but for background ones;
			      not with a device, where programs may come */
};

/* Why a document does not run, after an edit (live.h) or while it waits. */
struct document_state {
	struct text problem; /* "": it runs */
	size_t line;         /* of the problem; SIZE_MAX: none */
};

struct session {
	struct plan *plan;             /* not owned */
	const struct options *options; /* NULL: none; names files in use */
	char *profile_file;            /* profile chosen since; NULL: none */
	struct run_recorder *recorder; /* --record; NULL: none; not owned */
	struct hang_dump *hang_dump; /* --error-state; NULL: none; not owned */
	struct run run;              /* of this launch */
	struct run_texts texts;      /* of it, for outputs */
	struct clock clock;
	struct load_history history;
	struct limits_watch limits;
	struct users_watch users;
	struct inflight inflight;
	struct ban_notice bans;
	struct hang_history hangs;
	struct refusal_notice refusals;
	struct trail *trail; /* of this launch; its ids start anew with each */
	struct digest *digest; /* of this launch, for a report */
	struct layer_watch layer;
	/* A line for each file that could not be written. */
	struct text output_problems;
	struct baseline baseline;
	struct beside *beside;    /* the trace that was imported; NULL: none */
	size_t *beside_sources;   /* of its descriptors, by their indices */
	bool is_beside;           /* it is compared with */
	struct programs programs; /* on a virtual i915 */
	struct changes changes;
	struct figures since; /* totals that are shown count from here */
	uint64_t since_hangs; /* and hangs */
	nsec delay;           /* wall time between ticks */
	nsec limit;           /* --duration, virtual; NSEC_NEVER: none */
	bool behind;          /* the last advance missed the clock's target */
	uint64_t generation;  /* changes when contexts and pointers into run do:
				at launches and swaps of programs */
	uint64_t n_jumps; /* launches, and arrivals at other instants: figures
				of the time before are no longer its own */
	uint64_t n_swaps; /* swaps of the simulation that it has counted */
	uint64_t samples; /* number of ticks */
	/* Asked by each simulation while it runs (engine/sim.h); NULL: none. */
	enum sim_poll (*poll)(void *data);
	void *poll_data;
	struct document_state *documents; /* by source; later ones run */
	size_t n_documents;
	struct history *past;       /* of this launch; NULL: of a device */
	void (*ticked)(void *data); /* session_on_tick() */
	void *tick_data;
};

/* Launches the plan. speed: times real time, 0 for max. limit: virtual time.
 * Until session_end() the recorder (NULL: none) gets all that is done to the
 * run, and hang_dump (NULL: none) all hangs. */
bool session_begin(struct session *s, struct plan *plan, double speed,
    nsec limit, struct run_recorder *recorder, struct hang_dump *hang_dump,
    struct text *err);
/* Closes outputs as well; call session_layer_problems() after it, once. */
void session_end(struct session *s);
/* Appends a line for each output that could not be written. */
void session_layer_problems(struct session *s, struct text *out);
/* Sets the function that simulations ask while they run; NULL: none. */
void session_set_poll(
    struct session *s, enum sim_poll (*poll)(void *data), void *data);

/* Makes the totals that are shown (missed periods, hangs, maxima) count from now
 * on: from s->since. Launches begin anew with all of them. */
void session_reset_totals(struct session *s);

/* Launches the plan again, from time 0, with the documents as they are now. With
 * a device time goes on, and so do programs: the clients of the documents are
 * killed and launched again, and totals begin anew. */
bool session_restart(struct session *s, nsec wall, struct text *err);
/* Restart with another profile (name or file) or scheduler. A scheduler that is
 * the profile's own gives way to that of the new profile. Not while programs
 * have the device open. */
bool session_set_profile(
    struct session *s, nsec wall, const char *name, struct text *err);
bool session_set_scheduler(
    struct session *s, nsec wall, const char *name, struct text *err);

enum session_state session_state(const struct session *s);
/* True if the clock moves virtual time. */
bool session_moves(const struct session *s);

/* Applies a control (engine/client/control.h) at the current virtual time. If
 * it has a program its source is a struct source. */
bool session_control(
    struct session *s, const struct control *control, struct text *err);
/* Keeps workloads and messages of the layer from now on, even if no program has
 * annotations. */
void session_want_layer(struct session *s);

/* pace.c */

/*
 * Runs until virtual time has caught up with the clock, for at most budget ns
 * of wall time. Budget 0, for scripts: for at most a number of events instead,
 * which is lower at speed "max", where no other limit applies. Sets behind.
 */
void session_advance(struct session *s, nsec wall, nsec budget);
#define SESSION_MAX_EVENTS     2000000
#define SESSION_EVENTS_AT_MAX  50000
#define SESSION_EVENTS_OF_STEP 50000 /* limit of a single step */

/* The clock has passed the run by, which goes on from where it is. */
void session_continue(struct session *s, nsec wall);
/* Returns the virtual time of one second on the screen, at least a second. */
nsec session_second(const struct session *s);
/* Once per frame: samples load when a window (the virtual time of delay at this
 * speed) is full. Drops lag, so that it does not add up. */
void session_tick(struct session *s, nsec wall);
void session_pause(struct session *s, nsec wall, bool paused);
/* speed: times real time, 0 for max. With a device, which lives in real time, it
 * is that of batches, and not 0. */
void session_set_speed(struct session *s, nsec wall, double speed);
/* Pauses, and runs one event, batch or iteration. Appends what happened in its
 * last instant (step_news.h); nothing if the run had ended. */
void session_step(
    struct session *s, nsec wall, enum sim_step what, struct text *happened);

/* documents.c */

/* Why the clients of the document run another text, or why it has no clients
 * ("line 12: ..."). NULL: it runs, or has no step. */
const char *session_document_problem(const struct session *s, size_t source);
/* The line of that problem; false: none. */
bool session_problem_line(const struct session *s, size_t source, size_t *line);
/* The line to show first: that of the problem, else of the first step, since
 * files often begin with a long comment. */
size_t session_first_line(const struct session *s, size_t source);
/* True if the client runs a text of its document from before an edit. */
bool session_is_older(const struct session *s, const struct client *c);

/* The text of a request's step when it was submitted, of *len bytes, without a
 * terminating zero; "" if it is unknown. For a program's request, its
 * contents, which are complete when it has ended. Valid while the document is, and
 * until the simulation goes on. */
const char *session_step_text(
    const struct session *s, const struct request *rq, size_t *len);
/* As session_step_text() for an ended request; "" once no client runs that
 * program. */
const char *session_past_step_text(
    const struct session *s, const struct trail_request *r, size_t *len);
/* Sets the place of that step in the documents now. False: its line is gone, or
 * no client runs that program any more. */
bool session_past_line(const struct session *s, const struct trail_request *r,
    size_t *source, size_t *line);
/* Appends the long name of its batch (engine/batch_name.h), with that text. */
void session_name_past(
    const struct session *s, const struct trail_request *r, struct text *out);

/* clients.c: launched clients are launched again at a restart, killed ones are
 * not. */

/* Launches n more clients of a source, which must not wait. Exception: if the
 * plan's stop comes between many clients, those that err counts stay. */
bool session_add_clients(
    struct session *s, size_t source, uint32_t n, struct text *err);
/* Launches the clients of a source that waited until now. */
bool session_start_clients(struct session *s, size_t source, struct text *err);
/*
 * Opens a file as one more source with n clients; *source is its index. With
 * more, a file that is open already gets n more clients; without, it gets none,
 * and a file that does not exist is created empty. A text that cannot run
 * waits. Exception: that of session_add_clients().
 */
bool session_open(struct session *s, const char *path, uint32_t n, bool more,
    size_t *source, struct text *err);
bool session_kill(struct session *s, uint32_t client, struct text *err);
/* Kills the client if it lives, and launches another one like it: *id.
 * Exception: at CONTROL_MAX_CLIENTS it is killed only. */
bool session_restart_client(
    struct session *s, uint32_t client, uint32_t *id, struct text *err);

/* For the files of run/live/. */

/* Checks, in builds with GPUWL_INVARIANTS, that the workloads of the run are the
 * sources of the plan: their numbers are taken for each other. */
void session_check_sources(const struct session *s);

/* Restarts because a choice of the plan was changed, which is named; what: the
 * words for the list of changes. */
bool session_restart_changed(struct session *s, nsec wall, const char *choice,
    const char *what, struct text *err);

/* The state of a source's document, to be changed by the caller. */
struct document_state *session_document_state(struct session *s, size_t source);
/* Drops all states of documents: all of them run. */
void session_forget_documents(struct session *s);
/* Renews the states of the sources that wait. */
void session_look_at_waiting(struct session *s);
/* Compiles the document of a source. NULL: its state says why it cannot run.
 * Freed with program_free(). */
struct program *session_compile_document(struct session *s, size_t source);
/* Takes the samples of a tick: of load in a window of virtual time, of changes in
 * one second on the screen. */
void session_sample(struct session *s, nsec window, nsec second);
/* Records an action that changes no result. value may be NULL. */
void session_note(struct session *s, const char *note, const char *value);

#endif
