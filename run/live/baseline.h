/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The baseline of live figures: a snapshot of the time since the last change, a
 * shadow, which runs the same plan under another scheduler, or the trace that was
 * imported. Against a snapshot live figures cover the last one or two seconds, so
 * that they show the effect of a change; against the others they cover the whole
 * run.
 */
#ifndef RUN_LIVE_BASELINE_H
#define RUN_LIVE_BASELINE_H

#include <stdbool.h>

#include "run/live/figures.h"

struct beside;
struct sched_ops;
struct session;
struct shadow;
struct text;

enum baseline_kind {
	BASELINE_NONE,
	BASELINE_SNAPSHOT,
	BASELINE_SHADOW,
	BASELINE_TRACE,
};

struct baseline {
	enum baseline_kind kind;
	/* SNAPSHOT: begin and end of its time. TRACE: to is the trace up to now. */
	struct figures from, to;
	struct figures recent[2]; /* live figures count from the first */
	unsigned n_recent;
	struct figures changed_at;     /* at the last change or launch */
	bool changed;                  /* changed_at is to be renewed */
	struct shadow *shadow;         /* SHADOW; NULL between two launches */
	const struct sched_ops *sched; /* of the shadow */
	const struct sched_ops
	    *here;      /* of the run beside it, when both were launched */
	size_t n_taken; /* TRACE: requests of the trace that are in to */
};

struct difference {
	struct context_rates live, other;
	bool measured; /* live is known */
	bool known;    /* both are known */
};

/* Takes a snapshot of the figures since the last change or launch; live figures
 * count from now. False: no time has passed since then. */
bool session_snapshot(struct session *s);
/* Restarts with a shadow under another scheduler. False: nothing has changed,
 * err says why. */
bool session_compare(
    struct session *s, nsec wall, const char *scheduler, struct text *err);
/* Compares with the trace that was imported, from now on. False: there is none. */
bool session_compare_trace(struct session *s, struct text *err);
/* Makes an imported trace the one to compare with; sources[i] is that of its descriptor
 * i. The session owns both from now on. NULL, NULL: none. */
void session_set_trace(
    struct session *s, struct beside *trace, size_t *sources);
/* Returns that trace while it is compared with, in the past too; NULL: it is not. */
const struct beside *session_trace(const struct session *s);
/* Ends the comparison. The time of the last change is kept. */
void session_forget_baseline(struct session *s);

/* "snapshot", "trace", or the shadow's scheduler; NULL: nothing is compared. */
const char *baseline_name(const struct session *s);
/* Why the shadow no longer follows; NULL: it does, or there is none. */
const char *baseline_problem(const struct session *s);
/* The virtual time from which live figures count. */
nsec baseline_since(const struct session *s);
struct difference baseline_context(
    const struct session *s, const struct context *context);
/* Shares of an engine's time, 0 to 1. False: not known yet. */
bool baseline_engine(
    const struct session *s, unsigned engine, double *live, double *other);
/* False: nothing is compared. */
bool baseline_totals(
    const struct session *s, struct rates *live, struct rates *other);

/* For the files of run/live/. */

/* Runs the shadow up to the session's time. False: after about max_events (0:
 * no limit) it has not got there. */
bool baseline_advance(struct session *s, uint64_t max_events);
/* The run is changed at its current time. */
void baseline_change(struct session *s);
/* Before and after the run advances. */
void baseline_before(struct session *s);
void baseline_after(struct session *s);
/* baseline_trace.c: a run was launched; the trace's figures at its beginning, and those
 * of the time that has passed since. */
void baseline_trace_launched(struct session *s);
void baseline_trace_begin(struct session *s);
void baseline_trace_follow(struct session *s);
/* The session ends: frees all. */
void baseline_end(struct session *s);
/* A run ends, before it is freed; a new one was launched and is at time 0. */
void baseline_ending(struct session *s);
void baseline_launched(struct session *s);

#endif
