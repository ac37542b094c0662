/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work that piles up in a run: clients with periods submit more than an engine can
 * do, and wait for none of it, so that no period is missed (the manual, DECISIONS).
 */
#ifndef DECIDE_BACKLOG_H
#define DECIDE_BACKLOG_H

#include "base/nsec.h"
#include "engine/gpu/engine.h"

struct sim;

#define BACKLOG_QUARTERS 4

/* All zero: nothing was looked at. */
struct backlog {
	/* The age of the oldest unfinished request in each quarter of the run, and at
	 * its end in periods of its client. */
	nsec oldest_ns[DEVICE_MAX_ENGINES][BACKLOG_QUARTERS];
	double periods[DEVICE_MAX_ENGINES];
};

/* Runs sim from now to end, and looks at the requests of foreground clients with
 * periods meanwhile. The run is the same as without: NSEC_NEVER: nothing is looked at. */
void backlog_run(struct backlog *b, struct sim *sim, nsec end);
/* Returns the index of the engine where work piles up: its oldest unfinished request
 * is older than a period of its client at the end, and was younger in each quarter
 * than in the next. The one with most periods; -1: none. */
int backlog_engine(const struct backlog *b);

#endif
