/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/bench/bench.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double
bench_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

size_t
bench_memory(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

void
bench_print(const char *name, double value, const char *unit)
{
	if (value >= 1e5)
		printf("%s %.0f %s\n", name, value, unit);
	else
		printf("%s %.4g %s\n", name, value, unit);
	fflush(stdout);
}

bool
bench_quick(void)
{
	return getenv("BENCH_QUICK") != NULL;
}

uint64_t
bench_count(uint64_t n)
{
	return bench_quick() ? (n + 99) / 100 : n;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
bench_median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
	return values[n / 2];
}

uint64_t
bench_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}
