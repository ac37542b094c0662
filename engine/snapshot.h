/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A snapshot of a simulation between two instants: a copy of its region, where
 * all that a run changes is. Outside are what a run is made from, which never
 * changes (programs, schedulers), and what others attach to it: observers, the
 * poll function, owners of clients from outside. A snapshot keeps the programs;
 * observers and the poll function stay those of now. A run with clients from
 * outside must not be put back: their owners would not know of it.
 */
#ifndef ENGINE_SNAPSHOT_H
#define ENGINE_SNAPSHOT_H

#include <stddef.h>

struct sim;
struct snapshot;

/* The caller frees it with snapshot_free(), before or after sim_free(). */
struct snapshot *snapshot_take(const struct sim *sim);
/* Makes sim, of which it is a snapshot, what it was then. Addresses are those of
 * then; observers in the region must have been attached before. */
void snapshot_restore(struct sim *sim, const struct snapshot *s);
/* Returns the bytes of memory that it takes. */
size_t snapshot_size(const struct snapshot *s);
/* NULL is allowed. */
void snapshot_free(struct snapshot *s);

#endif
