/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deadlocks that go on: the foreground can't, while the background does. */
#ifndef ENGINE_EXPLAIN_STUCK_H
#define ENGINE_EXPLAIN_STUCK_H

#include <stdbool.h>

struct hw_engine;
struct sim;

/* Will a timeout end the infinite batch that runs on e? True in doubt. */
bool sim_will_end(const struct sim *sim, const struct hw_engine *e);

/* Can no foreground client ever go on? Never true in doubt. */
bool sim_is_stuck(const struct sim *sim);

#endif
