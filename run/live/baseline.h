/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What live figures are compared with: a snapshot, of the time from the last
 * change to it; or the same run under another scheduler, which goes on beside
 * this one. Beside a snapshot live figures are those of the last one or two
 * seconds, so that they tell what a change has led to; beside another run all
 * so far.
 */
#ifndef RUN_LIVE_BASELINE_H
#define RUN_LIVE_BASELINE_H

#include <stdbool.h>

#include "run/live/figures.h"

struct shadow;
struct session;
struct text;

enum baseline_kind { BASELINE_NONE, BASELINE_SNAPSHOT, BASELINE_SHADOW };

struct baseline {
	enum baseline_kind kind;
	struct figures from, to;  /* SNAPSHOT: of the time between these, */
	struct figures recent[2]; /* and live ones from the first of these on */
	unsigned n_recent;
	struct figures changed_at; /* the last change, or launch, in any case */
	bool changed;              /* just now: not yet there */
	struct shadow *shadow;     /* BESIDE; NULL between two runs */
	const struct sched_ops *sched; /* its */
};

/* What is compared. */
struct difference {
	struct context_rates live, other;
	bool measured; /* live */
	bool known;    /* both are */
};

/* The figures since the last change of what runs (or the launch) are kept, and
 * live figures begin anew. False: nothing has run since then. */
bool session_snapshot(struct session *s);
/* Starts all anew, beside the same under another scheduler. False: it goes on
 * as it was, err says why. */
bool session_compare(
    struct session *s, nsec wall, const char *scheduler, struct text *err);
/* Nothing is compared any more. */
void session_forget_baseline(struct session *s);

/* "snapshot", the name of the scheduler; NULL: nothing is compared. */
const char *baseline_name(const struct session *s);
/* Why what runs beside does not follow any more; NULL: it does. */
const char *baseline_problem(const struct session *s);
/* From when on live figures count. */
nsec baseline_since(const struct session *s);
struct difference baseline_context(
    const struct session *s, const struct context *context);
/* Live and other share of an engine's time; false: not known (yet). */
bool baseline_engine(
    const struct session *s, unsigned engine, double *live, double *other);
bool baseline_totals(
    const struct session *s, struct rates *live, struct rates *other);

/* For session.c. The run beside follows up to the same time; false: after
 * about max_events (0: no limit) events it is not yet there. */
bool baseline_advance(struct session *s, uint64_t max_events);
/* Something is done to what runs; then, before it goes on, and after that. */
void baseline_change(struct session *s);
void baseline_before(struct session *s);
void baseline_after(struct session *s);
/* The session ends. */
void baseline_end(struct session *s);
/* The run ends; there is a new one, of which nothing has happened yet. */
void baseline_ending(struct session *s);
void baseline_launched(struct session *s);

#endif
