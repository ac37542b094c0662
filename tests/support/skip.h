/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that cannot run here say why. tools/run-tests.sh compares the reason with
 * the list in SKIPS (.ci/skips, where a skip that is not listed is a failure).
 */
#ifndef TESTS_SUPPORT_SKIP_H
#define TESTS_SUPPORT_SKIP_H

/* Prints "skipped: REASON" and ends the running test as skipped. */
void skip_test(const char *reason);

#define NO_SHARED_DATA "no data of other projects (GPUWL_SHARED)"

#endif
