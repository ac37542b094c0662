/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Virtual time: nanoseconds since the start of the run. */
#ifndef ENGINE_NSEC_H
#define ENGINE_NSEC_H

#include <stdint.h>

typedef uint64_t nsec;

#define NSEC_PER_USEC 1000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_SEC  1000000000ull
#define NSEC_NEVER    UINT64_MAX

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
