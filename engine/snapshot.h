/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A snapshot of a simulation between two instants: a copy of its region, where
 * all that a run changes is. Outside are what a run is made from, which never
 * changes (programs, schedulers), and what others attach to it: observers, the
 * poll function, owners of clients from outside. A snapshot keeps the programs;
 * observers and the poll function stay those of now, and are not part of it. A run with clients from
 * outside must not be put back: their owners would not know of it.
 */
#ifndef ENGINE_SNAPSHOT_H
#define ENGINE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

struct observer;
struct sim;
struct snapshot;

/* The caller frees it with snapshot_free(), before or after sim_free(). */
struct snapshot *snapshot_take(struct sim *sim);
/* Makes sim, of which it is a snapshot, what it was then. Addresses are those of
 * then; observers in the region must have been attached before. */
void snapshot_restore(struct sim *sim, const struct snapshot *s);
/* Returns the bytes of memory that it takes, and the pages that were copied. */
size_t snapshot_size(const struct snapshot *s);
size_t snapshot_pages(const struct snapshot *s);
/* Returns true if two snapshots of one simulation have the same bytes. */
bool snapshot_is_same(const struct snapshot *a, const struct snapshot *b);
/* NULL is allowed. */
void snapshot_free(struct snapshot *s);

/* Observers that were detached, in their order. */
struct held_observers {
	struct observer **list;
	size_t n;
};

/* Detaches all observers, which must live until sim_resume_observers() attaches
 * them again, in the same order, and frees the list; others must have been
 * removed by then. */
struct held_observers sim_hold_observers(struct sim *sim);
void sim_resume_observers(struct sim *sim, struct held_observers *held);

#endif
