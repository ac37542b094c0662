/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making clients, and letting them walk their programs. */
#ifndef ENGINE_CLIENT_CLIENT_RUN_H
#define ENGINE_CLIENT_CLIENT_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/client/client.h"

struct sim;
struct client_options;
struct random;

struct client *client_new(struct sim *sim, uint32_t id,
    struct workload *workload, const struct client_options *options);
void client_free(struct client *c);

/* A context and a ring as they are at the start; the client, and so the
 * context, has been given all else. def is kept by reference. */
struct context *context_new(struct client *c, const struct context_def *def);
struct ring *ring_new(struct context *context, const struct ring_def *def);

/* They have another def from now on; owns: which they free, as the program has
 * it no more. */
void context_set_def(
    struct context *context, const struct context_def *def, bool owns);
void ring_set_def(struct ring *ring, const struct ring_def *def, bool owns);

/* Goes on from where it stands until it blocks or ends. */
void client_go(struct client *c);

/*
 * What the steps of a program do (doc/model/gem_wsim.md "A client"), and how a
 * client comes to wait for time, for requests, or for room in a ring. Requests
 * are submitted through the simulation's backend (backend.h).
 */

/* What a batch step does next. */
enum batch_phase {
	BATCH_DATA,     /* -d: wait for its data */
	BATCH_THROTTLE, /* t */
	BATCH_ROOM,     /* wait for room in the ring */
	BATCH_CPU,      /* what an execbuf costs */
	BATCH_SUBMIT,   /* and wait for it, with the wait flag */
	BATCH_QUEUE,    /* q: note it in the list */
	BATCH_DEPTH,    /* q: wait for the oldest */
};

/* Does what is left of the step at the client's pc, from its phase on. False: the
 * client blocks, its state says where; the step is to be entered again. */
bool client_step(struct client *c, const struct op *op);

/* Until that time of the run, in ns; state says what for. */
void client_sleep(struct client *c, nsec time, enum client_state state);
/* The program's first n fences signal, those that have not. */
void client_signal_fences(struct client *c, uint32_t n_fences);

/* Is w the wait of a client (its owner), and not of a request? */
bool client_is_waiter(const struct waiter *w);

/*
 * The CPUs that the threads of clients run on, and how long a thread that was
 * woken takes until it runs (doc/model/client.md). A client needs a CPU for its
 * turn; without the knobs (cpus, wakeup_ns) each has one, and goes on in the
 * instant in which what it waited for has happened.
 */

/* The client, a new one, can go on as soon as it has a CPU. */
void cpu_start(struct client *c);
/* Ends its wait: it can go on when it has a CPU and has woken
 * up. Does nothing if that is so already. */
void cpu_wake(struct client *c);
/* In its turn: spends CPU time, more than 0 ns, in that state, and goes on then;
 * but gives way first if it has had its CPU for a slice. */
void cpu_spend(struct client *c, nsec time, enum client_state state);
/* It is to have a turn soon, whatever it does now. */
void cpu_interrupt(struct client *c);
/* After its turn: gives up its CPU, if it does not go on by itself. */
void cpu_leave(struct client *c);

/* CPUs that are free go to those that wait, the first first. */
void cpu_hand_out(struct sim *sim);
/* Is there a free CPU, and a client that waits for one? */
bool cpu_is_free_for_one(const struct sim *sim);
/* Is a CPU free, with clients that share them? */
bool cpu_is_idle(const struct sim *sim);

/*
 * Whose turn it is: clients that can go on do so lowest id first. One that
 * becomes able to while the turn is past it waits for the next pass.
 */

/* The client can go on; does nothing if it is in line already. */
void runnable_add(struct sim *sim, struct client *client);
bool runnable_is_pending(const struct sim *sim);
/* The next in line, out of the line; NULL when there is none. */
struct client *runnable_take(struct sim *sim);

/* Which iterations of a client are over: walked, and all requests ended. */

/* rq was put last into its ring. */
void iterations_submitted(struct request *rq);
/* rq, the first of its ring, has ended. */
void iterations_ended(struct request *rq);
/* The client has walked through its program once more. */
void iterations_walked(struct client *c);

/*
 * A running client takes another program over at the start of its next
 * iteration (the manual, LIVE CONTROL); requests in flight finish as they were.
 *
 * What is the same in both programs stays: contexts by their number, with
 * priority, slice mask and figures; rings by context and engine, or the engines
 * that a virtual one chooses from, so that the new requests follow the old
 * ones; W sets, where both have as many objects; the outputs of those batches,
 * counted from the first on and then from the last back, that have the same
 * context and engine, and w sets where they have as many objects: so a batch
 * that keeps its place waits for what is still in flight as it did before. All
 * else is new: as at the start of a client, t and q are off and software fences
 * count as signalled. A context or ring that the new program does not have is
 * kept for its figures and for a program that has it again.
 */

/* The client will go on with program; instead of one that it was to go on
 * with, and has not begun. */
void swap_prepare(struct client *c, const struct program *program,
    struct shared_objects *shared);
/* It is at the start of an iteration: takes over what was wished for. */
void swap_apply(struct client *c);
/* Wherever it is, between two instants: takes over what was wished for, which
 * has the shape of its program (shape.h), and goes on at the same step. That
 * has t and q, fences and outputs as they were; it is not a new program but for
 * its figures. */
void swap_in_place(struct client *c);

/*
 * A client gives up the iteration that it is in, to begin it anew with another
 * program (control.h, at_once): what it waits for in user space is not waited
 * for, and the rest is not submitted. What is in flight finishes as it was;
 * nobody is left waiting for what would have come of the rest: software fences
 * are signalled, and infinite batches end that a T step was to end.
 */

/* At its next turn, which it gets now, or as soon as it has a CPU (cpu.h). */
void client_abort_iteration(struct client *c);
/* In its turn; the next iteration is yet to be started. */
void abort_iteration(struct client *c);

/*
 * A client's process dies (doc/model/hangs.md "Killed clients",
 * PERSISTENCE). It submits no more, and its software fences are closed, which
 * signals them. Its requests in flight run on, if its contexts are persistent;
 * infinite ones then end by a timeout only. Else those that run are revoked
 * with -EIO: they end at their next preemption point, or, if there is none, by
 * a reset after the preempt timeout of their engine, at once where that is off;
 * the others run 0 ns, with that error, when it is their turn, or end as the
 * scheduler has it. When all have ended, so has the client.
 */

/* It dies at its next turn, in the instant that follows. */
void client_kill(struct client *c, bool persistent);
/* In that turn. */
void kill_now(struct client *c);

/*
 * The random numbers that gem_wsim draws (doc/model/gem_wsim.md "Random
 * numbers"), so that -I N gives the very durations that it gives.
 */

/* same_for_all: -S, all clients draw the same. random_free() it. */
struct random *random_new(uint32_t seed, bool same_for_all);
void random_free(struct random *r);
/* The states of the next client, in order of clients. */
void random_client(struct random *r, uint32_t *durations, uint32_t *sizes);

/* Hars-Petruska F54-1: one step of a client's own generator. */
static inline uint32_t
random_step(uint32_t *state)
{
	uint32_t x = *state;

	x = (x ^ (x << 5 | x >> 27) ^ (x << 24 | x >> 8)) + 0x37798849u;
	*state = x;
	return x;
}

/* min..max, both included; nothing is drawn where they are equal. */
static inline uint64_t
random_range(uint32_t *state, uint64_t min, uint64_t max)
{
	if (min == max)
		return min;
	return min + random_step(state) % (max + 1 - min);
}

#endif
