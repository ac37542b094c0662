/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lists in which requests wait for engines under execlists: one list of
 * each engine, and a place in that of every engine that a request may have
 * (doc/model/execlists.md).
 */
#ifndef ENGINE_SCHED_EXECLISTS_QUEUE_H
#define ENGINE_SCHED_EXECLISTS_QUEUE_H

#include "engine/sched/execlists_port.h"

/* Puts a request behind those of its level, level_ns and seq; takes it out. */
void execlists_enqueue(struct sim *sim, struct request *rq);
void execlists_dequeue(struct sim *sim, struct request *rq);
/* Out of the list of one engine only. */
void execlists_remove_place(struct execlists *x, struct place *place);
/* Behind all of its level that are there now; waiting or not before. */
void execlists_to_tail(struct sim *sim, struct request *rq);

/* One that waits and has been raised: the second puts all that were noted to the
 * tail of their new levels. */
void execlists_note_raised(struct sim *sim, struct request *rq);
void execlists_move_raised(struct sim *sim);

/* A waiter's wake: one that its request waited for the end of has ended. */
void execlists_can_run(struct waiter *w);

/* Those of its level and engine that wait for the end of rq, directly or through
 * each other: the first finds them, in order of submission, into the port's
 * list; the second puts those to the tail, and leaves the list empty. */
void execlists_find_followers(
    struct sim *sim, struct port *port, struct request *rq);
void execlists_defer_followers(struct sim *sim, struct port *port);

#endif
