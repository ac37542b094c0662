/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A random case that both the naive model and the engine run, and what differs
 * between them. */
#ifndef TESTS_NAIVE_MATCH_H
#define TESTS_NAIVE_MATCH_H

#include "engine/sim.h"
#include "tests/naive/generate.h"
#include "tests/naive/naive.h"

struct match {
	struct naive_generated g;
	bool watched; /* the engine's side with timeouts */
	struct document *docs[NAIVE_MAX_GENERATED], *append;
	struct naive_config config;
	struct naive_result naive;

	struct program *programs[NAIVE_MAX_GENERATED];
	struct sim *sim;
	struct observer observer;
	struct naive_row *rows; /* of the engine */
	struct request **requests;
	size_t n_rows, cap_rows, cap_requests;
	nsec hung_ns;     /* the first hang; NSEC_NEVER: none */
	struct text what; /* differs */
};

/* Both run what is generated (m->g) and parsed (m->docs, m->append); the engine
 * what the model has run. False: one of them can't, which m->what says. A run of
 * the engine in which something hangs need not come to an end. */
bool match_run_naive(struct match *m);
bool match_run_engine(struct match *m);

/* Compares all that both report of the run; of one that hung, all before the hang.
 * Differences are appended to m->what. */
void match_compare(struct match *m);

#endif
