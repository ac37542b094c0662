/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to history.c, moments.c, travel.c and branches.c. */
#ifndef RUN_LIVE_HISTORY_PRIVATE_H
#define RUN_LIVE_HISTORY_PRIVATE_H

#include "engine/client/control.h"
#include "engine/snapshot.h"
#include "run/live/history.h"
#include "run/live/session.h"
#include "run/recording.h"

/* Between two instants: after that many, at that time. */
struct run_place {
	uint64_t instant;
	nsec at;
};

enum input_kind {
	INPUT_PLAN,    /* documents were edited, sources got clients */
	INPUT_CONTROL, /* a control was applied */
	INPUT_CHANGE,  /* a change was noted */
	INPUT_TICK,    /* samples were taken */
	INPUT_RESET,   /* totals were reset */
	INPUT_WORDS,   /* a GPU said something */
};

#define N_INPUT_KINDS (INPUT_WORDS + 1)

/* A source, as it was. */
struct source_then {
	uint64_t state;             /* of its document */
	struct kept_document *kept; /* NULL: an alias */
	struct text problem;
	size_t problem_line;
	unsigned clones;
	bool waiting;
};

struct input {
	enum input_kind kind;
	unsigned refs;
	struct run_place place;
	size_t last[N_INPUT_KINDS];  /* the number, from 1, of the last one of
					each kind up to this one; 0: none */
	struct control control;      /* CONTROL: owns program and name */
	size_t source;               /* CONTROL: index of control.source */
	struct text what;            /* CHANGE */
	nsec window, second;         /* TICK */
	struct figures *since;       /* RESET, else NULL: ticks are many */
	struct source_then *sources; /* PLAN */
	size_t n_sources;
	const struct follow_word *words; /* WORDS */
	size_t n_words;
};

/* A run as it went: all of its inputs. */
struct run_line {
	struct input **inputs; /* each with a reference */
	size_t n, cap;
	/* A branch has these, too: */
	unsigned number;
	struct moment *end;
	struct changes changes;
	struct run_sums at_end;
	struct recorded_lines recorded;
};

/* Where a run began that differs from then on: after its first n inputs. */
struct run_fork {
	size_t n;
	struct input *last; /* of them, with a reference; NULL: none */
	struct run_place place;
	struct run_sums sums;
};

/* A snapshot, with what the session had derived from the run. */
struct moment {
	unsigned refs;
	struct run_place place;
	uint64_t n_events, n_missed, n_hangs;
	size_t n;             /* inputs that were done */
	struct input *last;   /* of them, with a reference; NULL: none */
	uint64_t *iterations; /* of the first clients */
	size_t n_clients;
	struct snapshot *snapshot;
	size_t answers; /* of a recorded GPU that were given */
	struct layer_numbers layer;
	struct shown *shown;
	size_t size; /* bytes */
};

/* The present, while the session is in the past. */
struct present {
	struct moment *end;
	struct held_observers observers;
	struct inflight inflight;
	struct ban_notice bans;
	struct hang_history hangs;
	struct layer_watch layer;
	struct baseline baseline;
	struct changes changes;
	struct run_sums sums;
};

/* How far a journey has to go: a counter of the simulation, from one value to
 * another. counter NULL: there is none. */
struct way {
	const uint64_t *counter;
	uint64_t from, to;
};

struct history {
	struct observer observer;
	struct session *session;
	struct run_line line; /* that the session is on */
	size_t next;          /* its inputs that were done; line.n: all */
	bool past;
	bool repeats; /* an input is being done again */
	struct present present;
	struct moment **moments; /* in the order of their events */
	size_t n_moments, cap_moments, bytes;
	uint64_t due;               /* events at which the next one is taken */
	struct run_line **branches; /* oldest first */
	size_t n_branches, cap_branches;
	struct run_fork *forks;
	size_t n_forks, cap_forks;
	unsigned n_left; /* branches so far */
	unsigned n_forgotten;
	size_t ticks_from; /* ticks from that input on are reported */
	struct way way;    /* of the journey at hand */
	void (*ticked)(void *data);
	void *tick_data;
};

static inline bool
place_is_before(struct run_place a, struct run_place b)
{
	return a.instant < b.instant || (a.instant == b.instant && a.at < b.at);
}

static inline struct run_place
place_now(const struct session *s)
{
	return (struct run_place){s->run.sim->n_instants, s->run.sim->now};
}

/* The end of what is known: the present. */
struct run_place history_end_place(const struct session *s);

/* history.c */

struct input *input_ref(struct input *in);
void input_unref(struct input *in);
/* Notes edits and changes of the plan since the last input. Returns true if
 * there were some. */
bool history_settle(struct session *s);
/* True if the plan is another than the last input of that kind says. */
bool history_is_unsettled(const struct session *s);
/* Does the next input again. */
void history_repeat(struct session *s);
/* Makes documents and sources what they were after the first n inputs. */
void history_restore_plan(struct session *s, size_t n);
/* Makes the totals that are shown count from where they did then. */
void history_restore_since(struct session *s, size_t n);
void run_line_free(struct run_line *t);

/* moments.c */

struct moment *moment_take(struct session *s);
/* Drops a reference; NULL is allowed. */
void moment_free(struct moment *m);
/* Returns the iteration in which a client was, 0 for one that was not there. */
uint64_t moment_iteration(const struct moment *m, uint32_t client);
/* Puts the simulation and the samples back. */
void moment_restore_run(struct session *s, const struct moment *m);
/* Puts back what observers had collected, of which the changes noted are of
 * from. */
void moment_restore_news(
    struct session *s, const struct moment *m, const struct changes *from);
/* Takes a moment if one is due. */
void history_take_due(struct session *s);
/* Adds one, which belongs to the history then. */
void history_add_moment(struct history *h, struct moment *m);
void history_drop_moments(struct history *h);
/* Drops those that are not needed most, as long as all take more than
 * HISTORY_BYTES. */
void history_thin_moments(struct history *h);
/* True if it is one of the run that the session is on. */
bool moment_is_valid(const struct session *s, const struct moment *m);
/* Sets when the next one is due, after that one; NULL: after none. */
void history_plan_moment(struct session *s, const struct moment *last);

/* travel.c */

/* Leaves the present for the past, at the same instant; and returns. */
void history_leave_present(struct session *s);
void history_become_present(struct session *s);
/* Brings the run of the present back, but not its documents, and not its end's
 * moment, which the caller frees. */
void history_bring_present_back(struct session *s);
/* Goes to a moment, in the past. */
void history_go_to(struct session *s, const struct moment *m);

/* Where a run through the past ends. */
struct run_bound {
	nsec until;
	uint64_t instant;
	bool exact; /* at that time after that instant; else as soon as one of
		       the two is reached */
};

/* Returns the bound, at most the present. */
struct run_bound history_bounded(const struct session *s, struct run_bound b);
/* Runs on, for some events (0: no limit). SIM_ENDED: the bound is reached, or the
 * run can't go on. */
SIM_MUST_LOOK enum sim_ran history_run_through(
    struct session *s, struct run_bound to, uint64_t max_events);
/* True if the present is reached. */
bool history_is_at_end(const struct session *s);

/* journey.c */

/* A journey, and what it sets aside: the run is not paused by keys, only
 * stopped. */
struct journey {
	struct session *session;
	enum sim_poll (*poll)(void *data);
	void *data;
	uint64_t instant; /* in which a stop was wanted last */
	nsec since;       /* wall time of the first poll in it; 0: none */
	struct run_place from;
	bool from_past, paused; /* at its begin */
};

/* Pauses the session for a journey, which must not move until it ends. */
void journey_begin(struct journey *j, struct session *s, nsec wall);
/* ok: it arrived; if it did not, and led nowhere, the run goes on as it did. */
void journey_end(struct journey *j, nsec wall, bool ok);
/* Says how far it goes: until a counter, which is in the simulation, has that
 * value. */
void journey_heads_for(
    struct session *s, const uint64_t *counter, uint64_t value);
/* True if it is to be stopped. */
bool journey_stops(const struct session *s);
/* Appends where it was stopped. Returns false. */
bool journey_say_stopped(const struct session *s, struct text *err);
/* Returns the last moment before the bound; the one of the launch is always
 * there. */
const struct moment *history_moment_before(
    const struct session *s, struct run_bound to);
/* Goes to a place up to the present. False: stopped, err says where. */
bool history_go_to_bound(
    struct session *s, struct run_bound to, struct text *err);
/* Goes to the present, by its last ticks if there is a view that sees them. */
void history_arrive_at_present(struct session *s);
/* Ticks of a way beyond the present, as in front of a user who waits there. */
struct ticking {
	nsec window, next;
	uint64_t apart, events; /* events between two of them; of the next */
};

/* Begins them for a way of that virtual time; NSEC_NEVER: its length is not
 * known. */
void history_begin_ticks(const struct session *s, struct ticking *t, nsec span);
/* Takes a tick, if one is due, and a moment. */
void history_tick_beyond(struct session *s, nsec wall, struct ticking *t);
/* Runs on in the present until a time, or until a counter (NULL: none) has that
 * value, for which the number of events is limited. False: as above. */
bool history_run_beyond(struct session *s, nsec wall, nsec until,
    const uint64_t *counter, uint64_t value, struct text *err);

/* search.c */

/* Goes to the submission of a line. */
bool history_goto_line(
    struct session *s, const struct goto_target *to, struct text *err);

/* branches.c */

/* Returns the bytes of the ends of branches. */
size_t history_branch_bytes(const struct history *h);

#endif
