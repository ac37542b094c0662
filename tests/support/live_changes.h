/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Live changes of a session that are drawn by lot (any_edit.h), and time that
 * passes between them. */
#ifndef TESTS_SUPPORT_LIVE_CHANGES_H
#define TESTS_SUPPORT_LIVE_CHANGES_H

#include "tests/support/live_scene.h"

/* One change, or none: an edit, an undo, clients that come and go, totals that
 * are reset. */
void live_change_something(struct live_scene *sc);
/* Lets time pass. It passes only while clients run, so that new ones may be
 * launched. Returns true if it needed none. */
bool live_pass_time(struct live_scene *sc, nsec ns);
/* Lets time pass n times, and changes something in between. Sets the times at
 * which nothing was changed, n of them; NSEC_NEVER: there something was. mark, which
 * may be NULL, is called at each of them. */
void live_run_on(struct live_scene *sc, nsec *times, size_t n,
    void (*mark)(struct live_scene *sc, size_t i, void *data), void *data);

#endif
