/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timers of the driver that count in jiffies (doc/model/execlists.md "Jiffies"):
 * ticks come at the multiples of 1/hz s. A profile with hz 0 has none: its
 * timers are exact.
 */
#ifndef ENGINE_JIFFIES_H
#define ENGINE_JIFFIES_H

#include "base/nsec.h"
#include "engine/profile.h"

nsec jiffies_tick(const struct profile *p, nsec t);

/* When a timer fires that is to fire at t, which may be NSEC_NEVER: the first
 * tick at t or after it. */
static inline nsec
jiffies_expiry(const struct profile *p, nsec t)
{
	return p->hz == 0 ? t : jiffies_tick(p, t);
}

/* When the next beat comes, interval after now: from 1 s on at the first whole
 * second after that, and one tick later in any case. */
nsec jiffies_heartbeat(const struct profile *p, nsec now, nsec interval);

#endif
