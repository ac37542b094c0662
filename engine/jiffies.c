/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/jiffies.h"

/* The number of the first tick at t or after it. */
static uint64_t
number_of(const struct profile *p, nsec t)
{
	return t / NSEC_PER_SEC * p->hz +
	    (t % NSEC_PER_SEC * p->hz + NSEC_PER_SEC - 1) / NSEC_PER_SEC;
}

static nsec
time_of(const struct profile *p, uint64_t tick)
{
	return tick / p->hz * NSEC_PER_SEC +
	    (tick % p->hz * NSEC_PER_SEC + p->hz - 1) / p->hz;
}

nsec
jiffies_tick(const struct profile *p, nsec t)
{
	nsec tick = (uint32_t)NSEC_PER_SEC / p->hz, over;

	if (t == NSEC_NEVER)
		return t;
	if (tick * p->hz != NSEC_PER_SEC)
		return time_of(p, number_of(p, t));
	over = t % tick;
	return over > 0 ? t + (tick - over) : t;
}

nsec
jiffies_heartbeat(const struct profile *p, nsec now, nsec interval)
{
	uint64_t tick;

	if (p->hz == 0)
		return now + interval;
	tick = number_of(p, now + interval);
	if (interval >= NSEC_PER_SEC)
		tick += p->hz - tick % p->hz;
	return time_of(p, tick + 1);
}
