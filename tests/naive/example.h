/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of the naive model that was worked out by hand. */
#ifndef TESTS_NAIVE_EXAMPLE_H
#define TESTS_NAIVE_EXAMPLE_H

#include "tests/naive/naive.h"

/*
 * In what should come a request is written "client.step engine
 * submit:start-end", in us; the run's end follows. Under the others than fifo
 * it is "submit/ready:start-end xN", preempted N times, and engines follow
 * that were held.
 */
struct naive_example {
	const char *text; /* as the argument of -w */
	unsigned clients, repeat;
	unsigned ring; /* 0: as in ideal */
	const char *should;
};

/* Fails unless all of them come out so. */
void naive_examples_check(const struct naive_example *examples, size_t n,
    enum naive_scheduler scheduler);

#endif
