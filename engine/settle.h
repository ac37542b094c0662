/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of an instant (design section 6): what is due ends, what that
 * made ready joins, engines take work one decision at a time; until nothing
 * changes. Clients are not run here.
 */
#ifndef ENGINE_SETTLE_H
#define ENGINE_SETTLE_H

struct sim;
struct request;
struct fence;

/* rq waits for f, which has not signalled. */
void settle_wait(struct sim *sim, struct request *rq, struct fence *f);
/* rq, virtual and of a context with bonds, waits for the start of another;
 * where that starts then says where rq may run. */
void settle_wait_bonded(struct sim *sim, struct request *rq, struct fence *f);
/* The batch that rq has a submit fence on first started on that engine. */
void settle_bond(struct request *rq, unsigned master);
/* rq has all its waits: it joins at once if it has none. */
void settle_submitted(struct sim *sim, struct request *rq);
void settle(struct sim *sim);
/* At the end of an instant: which engines wait for blocked work. */
void settle_statistics(struct sim *sim);

#endif
