/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See clock.h. */
#include "run/live/clock.h"

void
clock_rebase(struct clock *c, nsec wall, nsec virtual_now)
{
	c->wall_base = c->wall_seen = wall;
	c->virtual_base = c->virtual_seen = virtual_now;
	c->reached = 0;
}

nsec
clock_target(const struct clock *c, nsec wall)
{
	double passed;

	if (c->paused)
		return c->virtual_base;
	if (c->speed == 0)
		return NSEC_NEVER;
	passed = wall > c->wall_base ? (double)(wall - c->wall_base) : 0;
	passed *= c->speed;
	/* A double is exact to the nanosecond for 100 days. */
	return passed < 9e18 ? c->virtual_base + (nsec)passed : NSEC_NEVER - 1;
}

void
clock_measure(struct clock *c, nsec wall, nsec virtual_now)
{
	if (wall > c->wall_seen)
		c->reached = (double)(virtual_now - c->virtual_seen) /
		    (double)(wall - c->wall_seen);
	c->wall_seen = wall;
	c->virtual_seen = virtual_now;
}

static const double speeds[] = {
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
#define N_SPEEDS (sizeof(speeds) / sizeof(*speeds))

double
clock_faster(double speed)
{
	if (speed == 0)
		return 0;
	for (unsigned i = 0; i < N_SPEEDS; i++)
		if (speeds[i] > speed * 1.001)
			return speeds[i];
	return 0;
}

double
clock_slower(double speed)
{
	if (speed == 0)
		return speeds[N_SPEEDS - 1];
	for (unsigned i = N_SPEEDS; i-- > 0;)
		if (speeds[i] < speed * 0.999)
			return speeds[i];
	return speed;
}
