/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A live simulation that is corrupted on purpose, in a child, which must die
 * with the text of the rule that it breaks (engine/invariants/invariants.h).
 */
#ifndef TESTS_SUPPORT_BREAKAGE_H
#define TESTS_SUPPORT_BREAKAGE_H

#include "tests/support/lab.h"

/* Engines of `ideal`. */
enum { RCS, BCS, VCS1 };

struct breakage {
	const char *sched, *text;
	nsec until_us; /* the run is corrupted then */
	void (*corrupt)(struct lab *lab);
	const char *expected; /* part of what is said */
};

/* Return what is to be corrupted: the request of a row, which has not ended, and an
 * engine. */
struct request *breakage_row(const struct lab *lab, size_t i);
struct hw_engine *breakage_engine(const struct lab *lab, unsigned i);
/* The first request has a higher priority than anybody gave it. */
void breakage_raise(struct lab *lab);

/* Each of them is found: at_once, when the corrupted simulation is looked at;
 * else as it goes on. Without invariants in the build the test is skipped. */
void breakages_expect(const struct breakage *list, size_t n, bool at_once);
void breakages_skip(void **state);

#endif
