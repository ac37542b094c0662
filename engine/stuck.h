/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deadlocks that go on: the foreground can't, while the background does. */
#ifndef ENGINE_STUCK_H
#define ENGINE_STUCK_H

#include <stdbool.h>

struct sim;

/* Can no foreground client ever go on? Never true in doubt. */
bool sim_is_stuck(const struct sim *sim);

#endif
