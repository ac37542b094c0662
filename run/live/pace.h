/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How virtual time follows wall time. Pure: the wall clock is passed in, so a
 * script can bring its own.
 */
#ifndef RUN_LIVE_PACE_H
#define RUN_LIVE_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"

struct clock {
	double speed; /* virtual per wall time; 0: as fast as it goes */
	bool paused;
	nsec wall_base, virtual_base; /* these two coincide */
	nsec wall_seen, virtual_seen; /* at the last clock_measure() */
	double reached;               /* speed over the last measure */
};

/* Virtual time goes on from virtual_now, whatever happened before. */
void clock_rebase(struct clock *c, nsec wall, nsec virtual_now);
/* Where virtual time should be; NSEC_NEVER: as far as it gets. */
nsec clock_target(const struct clock *c, nsec wall);
/* Renews reached. */
void clock_measure(struct clock *c, nsec wall, nsec virtual_now);
/* The next speed of the row 0.01, 0.02, 0.05, 0.1 ... 1000, max. */
double clock_faster(double speed);
double clock_slower(double speed);

#endif
