/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the engine: making clients, running them through their programs,
 * changing their programs, aborting and killing them, and the CPUs that they
 * share.
 */
#ifndef ENGINE_CLIENT_CLIENT_RUN_H
#define ENGINE_CLIENT_CLIENT_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/client/client.h"

struct client_options;
struct random;
struct sim;

/* Memory (client.c). */

/* The caller frees the client with client_free(). Keeps workload. */
struct client *client_new(struct sim *sim, uint32_t id,
    struct workload *workload, const struct client_options *options);
/* Frees all that the client owns; its requests must be gone or be dropped with
 * their pool. */
void client_free(struct client *c);

/* Return a new context of c, whose other members are set, and a new ring. Both
 * keep def and belong to pools of the simulation. */
struct context *context_new(struct client *c, const struct context_def *def);
struct ring *ring_new(struct context *context, const struct ring_def *def);
/* Replace the definition. own: def if the context or ring is to free it, else
 * NULL. */
void context_set_def(struct context *context, const struct context_def *def,
    struct context_def *own);
void ring_set_def(
    struct ring *ring, const struct ring_def *def, struct ring_def *own);

/* Running (client_run.c). */

/* Runs a runnable client until it blocks or ends. */
void client_go(struct client *c);

/* Keep track of which iterations are completed: those whose requests have all
 * ended. The requests of a ring end in order. */
/* To be called when rq was submitted, before ring->last changes. */
void iterations_submitted(struct request *rq);
/* To be called when rq, the first of its ring, has ended. */
void iterations_ended(struct request *rq);

/*
 * Aborts the current iteration, to begin a new one with another program
 * (control.h, at_once), when the client runs next: now, or as soon as it has a
 * CPU. The client stops waiting and submits nothing more of the iteration.
 * Requests in flight complete; software fences are signalled, and infinite
 * batches that a later T step was to end are terminated, so that nothing waits
 * for the rest of the iteration.
 */
void client_abort_iteration(struct client *c);

/*
 * Kills the process of the client, in the next instant (doc/model/hangs.md
 * "Killed clients", PERSISTENCE). It submits nothing more, and its software
 * fences are closed, which signals them. Its requests in flight complete if the
 * contexts are persistent; infinite ones then only end by a timeout. Otherwise
 * they are revoked with -EIO: running ones end at their next preemption point,
 * or by a reset after the preempt timeout of their engine (at once where that
 * is off); the others run for 0 ns when they get an engine, or end as the
 * scheduler decides. The client ends with its last request.
 */
void client_kill(struct client *c, bool persistent);

/* Steps (client_step.c; doc/model/gem_wsim.md "A client"). */

/* How far a batch step is: what it does when it is entered again. */
enum batch_phase {
	BATCH_DATA,     /* -d: wait for its data */
	BATCH_THROTTLE, /* t */
	BATCH_ROOM,     /* wait for room in the ring */
	BATCH_CPU,      /* spend the CPU time of an execbuf */
	BATCH_SUBMIT,   /* submit; with the wait flag, wait for the end */
	BATCH_QUEUE,    /* q: append the step to its list */
	BATCH_DEPTH,    /* q: wait for the oldest step of the list */
};

/* Runs the step at c->pc, from c->phase on. False: the client blocks, c->state
 * says why, and the step must be entered again. */
bool client_step(struct client *c, const struct op *op);
/* Blocks the client in that state until time, ns of the run. */
void client_sleep(struct client *c, nsec time, enum client_state state);
/* Signals those of the program's first n fences that have not signalled. */
void client_signal_fences(struct client *c, uint32_t n_fences);
/* Returns true if w belongs to a client, false if to a request. */
bool client_is_waiter(const struct waiter *w);

/*
 * Changing the program (swap.c; the manual, LIVE CONTROL).
 *
 * A client changes at the start of an iteration; requests in flight complete as
 * they were submitted. What both programs have in common stays:
 * - contexts of the same number, with priority, slice mask and statistics;
 * - rings of the same context and engine, or choice of engines, so that new
 *   requests follow the old ones;
 * - W sets, if both have as many objects, and so for w sets;
 * - outputs of batches with the same context and engine, counted from the first
 *   batch on and then from the last one back, so that a batch in the same place
 *   waits for what is in flight as before.
 * All else begins as in a new client: t and q are off, software fences count as
 * signalled. Contexts and rings that the new program has not are kept for their
 * statistics and for a program that has them again.
 */

/* Makes program the next one of the client, in place of one that it was to
 * change to. Takes references of program and shared. */
void swap_prepare(struct client *c, const struct program *program,
    struct shared_objects *shared);
/* Changes to the next program; the client is at the start of an iteration. */
void swap_apply(struct client *c);
/* Changes to the next program, which has the same shape (program_same_shape),
 * at the current step: t and q, fences and outputs stay. To be called between
 * two instants. */
void swap_in_place(struct client *c);

/* Which client runs next (cpu.c): those that can run do so in passes, lowest id
 * first. A client that becomes runnable after its id has passed waits for the
 * next pass. */

/* Makes the client runnable; does nothing if it is. */
void runnable_add(struct sim *sim, struct client *client);
/* Returns true if a client can run now. */
bool runnable_is_pending(struct sim *sim);
/* Removes and returns the next client to run; NULL: none can. */
struct client *runnable_take(struct sim *sim);

/*
 * CPUs (cpu.c; doc/model/client.md). A client needs a CPU to run, and its
 * thread takes time to wake up. Without the knobs cpus and wakeup_ns each
 * client has its own, and runs in the instant in which its wait is over.
 */

/* Makes a new client runnable as soon as it has a CPU. */
void cpu_start(struct client *c);
/* Makes a client whose wait is over runnable, once it has a CPU and is awake;
 * does nothing if it is about to. */
void cpu_wake(struct client *c);
/* Spends CPU time, more than 0 ns, in that state, then makes the running client
 * runnable again. If it has used up its slice of the CPU, others go first. */
void cpu_spend(struct client *c, nsec time, enum client_state state);
/* Makes the client run soon, whatever it waits for. */
void cpu_interrupt(struct client *c);
/* Frees the CPU of a client that ran, unless it spends time on it. */
void cpu_leave(struct client *c);
/* Returns true if clients share CPUs and one is free. */
bool cpu_is_idle(const struct sim *sim);

/*
 * Random numbers as gem_wsim draws them (doc/model/gem_wsim.md "Random
 * numbers"), so that -I N gives the same durations.
 */

/* Returns the generator that seeds clients: the C library's rand() seeded with
 * seed (-I). same_for_all: all clients draw the same numbers (-S). The caller
 * frees it with random_free(). */
struct random *random_new(uint32_t seed, bool same_for_all);
void random_free(struct random *r);

/* Draws from a client's generator: one step of Hars-Petruska F54-1. */
static inline uint32_t
random_step(uint32_t *state)
{
	uint32_t x = *state;

	x = (x ^ (x << 5 | x >> 27) ^ (x << 24 | x >> 8)) + 0x37798849u;
	*state = x;
	return x;
}

/* Draws from min to max, both included; does not draw if they are equal. */
static inline uint64_t
random_range(uint32_t *state, uint64_t min, uint64_t max)
{
	if (min == max)
		return min;
	return min + random_step(state) % (max + 1 - min);
}

#endif
