/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock of a session: how virtual time follows wall time. Callers pass the
 * wall clock in, so that a script can bring its own.
 */
#ifndef RUN_LIVE_PACE_H
#define RUN_LIVE_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"

struct clock {
	double speed; /* virtual time per wall time; 0: as fast as possible */
	bool paused;
	nsec wall_base, virtual_base; /* two times that coincide */
	nsec wall_seen, virtual_seen; /* at the last tick */
	double reached;               /* speed between the last two ticks */
};

/* Continues from virtual_now, without the lag so far. */
void clock_rebase(struct clock *c, nsec wall, nsec virtual_now);
/* The virtual time to be reached; NSEC_NEVER: no limit. */
nsec clock_target(const struct clock *c, nsec wall);
/* The next speed of 0.01, 0.02, 0.05, 0.1 ... 1000, max (0). */
double clock_faster(double speed);
double clock_slower(double speed);

#endif
