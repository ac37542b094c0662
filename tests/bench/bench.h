/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by all measurements: a clock, the memory in use, and the form of a
 * result, one line `name value unit`. With BENCH_QUICK set (CI) a measurement
 * does just enough to show that it works.
 */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Seconds of CPU time of this thread; only differences mean anything. */
double bench_clock(void);
/* Bytes that malloc has given out. */
size_t bench_memory(void);
void bench_print(const char *name, double value, const char *unit);
bool bench_quick(void);
/* n, or a hundredth of it when quick. */
uint64_t bench_count(uint64_t n);
/* The middle one of n values (odd n); sorts them. */
double bench_median(double *values, size_t n);
/* Cheap random numbers; state is any number but 0. */
uint64_t bench_random(uint64_t *state);

#endif
