/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queues of scheduler guc in the naive model. */
#ifndef TESTS_NAIVE_GUC_H
#define TESTS_NAIVE_GUC_H

#include "tests/naive/world.h"

/* "Its quantum (1,000,000 ns in `ideal`)". */
#define NAIVE_GUC_QUANTUM NSEC_PER_MSEC

/* Bands; a queue that has nothing is in none. */
enum { NOTHING = -1, LOW, NORMAL, HIGH };

/* The request that it runs, or would run next. NONE: it has nothing. */
int naive_guc_next_request(const struct naive_world *w, unsigned queue);
int naive_guc_band(const struct naive_world *w, unsigned queue);
bool naive_guc_is_on_engine(const struct naive_world *w, unsigned queue);
bool naive_guc_is_waiting(const struct naive_world *w, unsigned queue);
/* The waiting queue that stands next after that one (NONE: the first). */
int naive_guc_next_waiting(const struct naive_world *w, int after);

void naive_guc_take_place(struct naive_world *w, unsigned queue);
/* Returns the time that a queue has used of its quantum, in ns. */
nsec naive_guc_used(const struct naive_world *w, const struct naive_ring *q);
bool naive_guc_is_used_up(
    const struct naive_world *w, const struct naive_ring *q);

/* A request was made: who is raised. */
void naive_guc_submitted(struct naive_world *w, unsigned row);
/* Hands over requests that are ready. */
void naive_guc_look_at_heads(struct naive_world *w);

#endif
