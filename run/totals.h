/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals of a run, as all reports count them. */
#ifndef RUN_TOTALS_H
#define RUN_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"

struct client;
struct plan;
struct sim;

/* Returns n per second of t; 0 when t is 0. */
double rate_per_s(double n, nsec t);
/* True if the client's program has a step. */
bool client_has_steps(const struct client *c);
/* Returns when the last client of the foreground has ended, ns. */
nsec totals_last_end(const struct sim *sim);
/* Returns the iterations that were completed, without those of programs that have
 * no step, and so have done nothing. */
uint64_t totals_iterations(const struct sim *sim);
/* Returns the iterations that workloads/s counts: those that clients were asked
 * for, or, if the run was cut short (not done) or changed by controls, those that
 * were completed. */
double totals_workloads(
    const struct plan *plan, const struct sim *sim, bool done);

#endif
