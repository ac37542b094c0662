/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a test in a process of its own: a test that crashes, or never ends, as
 * faults put into the engine (tests/mutants) may make it do, does not affect
 * the results of others. */
#ifndef TESTS_BEHAVIOURS_ALONE_H
#define TESTS_BEHAVIOURS_ALONE_H

struct test;

/* Runs a test without output. Returns NULL if it passed, else how it failed:
 * "failed", "crashed", "has no end" (took more than some seconds of processor
 * time). */
const char *alone_run(const struct test *test);

#endif
