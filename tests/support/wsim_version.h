/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Differences between versions of gem_wsim (doc/model/gem_wsim.md "Versions"), for tests that
 * have figures of 1.27.1. A test that leaves something out for another one calls
 * wsim_end() at its end.
 */
#ifndef TESTS_SUPPORT_WSIM_VERSION_H
#define TESTS_SUPPORT_WSIM_VERSION_H

#include <stdbool.h>

/* Returns with how many empty batches gem_wsim begins on GPUs with their host's memory:
 * 0: 1.27.1. GPUWL_TOP is a program beside gpuwl-run. */
unsigned wsim_questions(void);
/* Returns how many batches a process of gem_wsim submits there; n: those of its
 * workload. */
unsigned wsim_batches(unsigned n);
/* False, and noted, if this gem_wsim fails by itself in a workload: a path or steps. */
bool wsim_can_run(const char *workload);
/* Notes that the test leaves something out. */
void wsim_leave_out(void);
/* Ends the test as a skipped one if something was left out. */
void wsim_end(void);

#endif
