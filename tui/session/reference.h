/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What live figures are compared with: a snapshot, of the time before it; or
 * the same run under another scheduler, which goes on beside this one.
 */
#ifndef TUI_REFERENCE_H
#define TUI_REFERENCE_H

#include <stdbool.h>

#include "tui/session/figures.h"

struct session;
struct text;

struct beside;

enum reference_kind { REFERENCE_NONE, REFERENCE_SNAPSHOT, REFERENCE_BESIDE };

struct reference {
	enum reference_kind kind;
	struct figures from, to; /* SNAPSHOT: of the time between these, */
	struct figures since;    /* and live ones from then on */
	struct beside *beside;   /* BESIDE; NULL between two runs */
	const char *scheduler;   /* its; constant */
};

/* What is compared. */
struct difference {
	struct context_rates live, other;
	bool known; /* both are */
};

/* The figures since the snapshot before (or the launch) are kept, and live
 * figures begin anew. */
void session_snapshot(struct session *s);
/* Starts all anew, beside the same under another scheduler. False: it goes on
 * as it was, err says why. */
bool session_compare(
    struct session *s, nsec wall, const char *scheduler, struct text *err);
/* Nothing is compared any more. */
void session_forget_reference(struct session *s);

/* "snapshot", the name of the scheduler; NULL: nothing is compared. */
const char *reference_name(const struct session *s);
/* Why what runs beside does not follow any more; NULL: it does. */
const char *reference_problem(const struct session *s);
/* From when on live figures count. */
nsec reference_since(const struct session *s);
struct difference reference_context(
    const struct session *s, const struct context *context);
/* Live and other share of an engine's time; false: not known. */
bool reference_engine(
    const struct session *s, unsigned engine, double *live, double *other);
bool reference_totals(
    const struct session *s, struct rates *live, struct rates *other);

/* For session.c. The run beside follows up to the same time; false: after
 * about max_events (0: no limit) events it is not yet there. */
bool reference_advance(struct session *s, uint64_t max_events);
/* The run ends; there is a new one, of which nothing has happened yet. */
void reference_ending(struct session *s);
void reference_launched(struct session *s);

#endif
