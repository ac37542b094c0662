/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a test in a process of its own, so that one which crashes, or never
 * ends, costs no other its result: a fault put into the engine on purpose
 * (tests/mutants) may do either.
 */
#ifndef TESTS_BEHAVIOURS_ALONE_H
#define TESTS_BEHAVIOURS_ALONE_H

struct CMUnitTest;

/* NULL: it passed; else how it did not ("failed", "crashed", "has no end": took
 * more than some seconds of processor time). Prints nothing. */
const char *alone_run(const struct CMUnitTest *test);

#endif
