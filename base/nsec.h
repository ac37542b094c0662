/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Virtual time: nanoseconds since the start of the run. It ends: at NSEC_MAX,
 * 292 years, the last instant that a signed 64-bit number has, as JSON's are.
 * No clock goes beyond it; what would happen later does not, and the run says
 * so (SIM_TIME_OVER). A delay, a duration and a timeout are each at most
 * NSEC_MAX as well, so that a time and one of them never wrap around.
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
#define NSEC_BEYOND   (NSEC_MAX + 1) /* later than all that happens */

/* The time so long after another one; NSEC_BEYOND where that is after the end. */
static inline nsec
nsec_after(nsec time, nsec delay)
{
	nsec sum;

	return __builtin_add_overflow(time, delay, &sum) || sum > NSEC_MAX
	    ? NSEC_BEYOND
	    : sum;
}

/* The sum of two times that ran side by side: NSEC_MAX at most. */
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
