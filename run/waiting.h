/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sources that wait (run/plan.h): what is edited may have errors, no step, or
 * be refused by the scheduler when it is opened. It has its place among the
 * workloads of a launch all the same, and its clients when it can be run.
 */
#ifndef RUN_WAITING_H
#define RUN_WAITING_H

#include <stdbool.h>

struct plan;

/*
 * Before a launch: those wait no more that can be run by now, and those do
 * that have no step left. Returns how it was, to be taken back or forgotten.
 */
bool *waiting_update(struct plan *plan);
void waiting_take_back(struct plan *plan, bool *was);

#endif
