/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of scheduler execlists in the naive model (execlists_order.c). */
#ifndef TESTS_NAIVE_EXECLISTS_H
#define TESTS_NAIVE_EXECLISTS_H

#include "tests/naive/world.h"

bool naive_execlists_has_started(const struct naive_request *rq);
bool naive_execlists_is_waiting(const struct naive_request *rq);
bool naive_execlists_same_context(
    const struct naive_request *a, const struct naive_request *b);

/* True if a wait is over, for readiness. */
bool naive_execlists_is_over(const struct naive_world *w,
    const struct naive_request *rq, struct naive_wait wait);
bool naive_execlists_waits_for_end(struct naive_wait wait);
/* False: the request would poll. */
bool naive_execlists_can_run(
    const struct naive_world *w, const struct naive_request *rq);

/* A request was made: its semaphores, and who is raised. */
void naive_execlists_submitted(struct naive_world *w, unsigned row);

/* True if row_a has an engine before row_b. */
bool naive_execlists_is_before(
    const struct naive_world *w, unsigned row_a, unsigned row_b);
/* Returns the row of the first waiting request of another context for engine e;
 * NONE: there is none. */
int naive_execlists_find_rival(
    const struct naive_world *w, const struct naive_request *of, unsigned e);
/* True if the request gives its engine up for that row; NONE: for none. */
bool naive_execlists_yields_to(
    const struct naive_world *w, const struct naive_request *rq, int row);

#endif
