/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time in nanoseconds. Virtual time counts from the start of the run and ends
 * at NSEC_MAX, 292 years: the largest integer that JSON readers accept. A run
 * that reaches it ends with SIM_TIME_OVER. Delays, durations and timeouts are
 * at most NSEC_MAX too, so that a time plus one of them never wraps.
 */
#ifndef BASE_NSEC_H
#define BASE_NSEC_H

#include <stdint.h>

typedef uint64_t nsec;

#define NSEC_PER_USEC 1000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_SEC  1000000000ull
#define NSEC_NEVER    UINT64_MAX
#define NSEC_MAX      ((nsec)INT64_MAX)
#define NSEC_BEYOND   (NSEC_MAX + 1) /* after the end of virtual time */

/* Returns the wall clock (CLOCK_MONOTONIC); only differences mean something. */
nsec clock_wall(void);

/* Returns time + delay; NSEC_BEYOND if that is after the end. */
static inline nsec
nsec_after(nsec time, nsec delay)
{
	nsec sum;

	return __builtin_add_overflow(time, delay, &sum) || sum > NSEC_MAX
	    ? NSEC_BEYOND
	    : sum;
}

/* Returns the sum of two spans of time, at most NSEC_MAX. */
static inline nsec
nsec_total(nsec a, nsec b)
{
	nsec sum;

	return __builtin_add_overflow(a, b, &sum) || sum > NSEC_MAX ? NSEC_MAX
								    : sum;
}

static inline nsec
nsec_earlier(nsec a, nsec b)
{
	return a < b ? a : b;
}

static inline nsec
nsec_later(nsec a, nsec b)
{
	return a > b ? a : b;
}

#endif
