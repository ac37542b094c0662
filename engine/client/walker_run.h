/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the engine: making walkers, running them through their programs,
 * changing their programs, aborting iterations, and the CPUs that walkers
 * share.
 */
#ifndef ENGINE_CLIENT_WALKER_RUN_H
#define ENGINE_CLIENT_WALKER_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/client/client_run.h"
#include "engine/client/walker.h"

struct client_options;
struct random;
struct region;
struct sim;

/* Memory (walker_new.c). */

/* Returns a new walker, in the simulation's region. Keeps workload. */
struct walker *walker_new(struct sim *sim, uint32_t id,
    struct workload *workload, const struct client_options *options);

/* Running (walker.c). */

/* Runs a runnable walker until it blocks or ends. */
void walker_go(struct walker *w);
/* Returns why a walker that waits at its step does so. */
enum client_block walker_block(const struct walker *w);

/* Keep track of which iterations are completed: those whose requests have all
 * ended. The requests of a ring end in order. */
/* To be called when rq was submitted. */
void iterations_submitted(struct walker *w, const struct request *rq);
/* To be called when rq, the first of its ring, has ended and left that. */
void iterations_ended(struct walker *w, const struct request *rq);

/*
 * Aborts the current iteration, to begin a new one with another program
 * (control.h, at_once), when the walker runs next: now, or as soon as it has a
 * CPU. The walker stops waiting and submits nothing more of the iteration.
 * Requests in flight complete; software fences are signalled, and infinite
 * batches that a later T step was to end are terminated, so that nothing waits
 * for the rest of the iteration.
 */
void walker_abort_iteration(struct walker *w);

/* Steps (walker_step.c; doc/model/gem_wsim.md "A client"). */

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

/* Runs the step at w->pc, from w->phase on. False: the walker blocks, the state
 * of its client says why, and the step must be entered again. */
bool walker_step(struct walker *w, const struct op *op);
/* Submits the batch of the step op, at which the walker is, with one duration
 * for each row of a parallel step, in ns (NSEC_NEVER: infinite). The ring must
 * have room. */
void walker_submit(
    struct walker *w, const struct op *op, const nsec *durations_ns);
/* Ends the latest request of that step, an infinite batch. Does nothing if it
 * has ended. */
void walker_terminate(struct walker *w, uint32_t step);
/* Blocks the walker in that state until time, ns of the run. */
void walker_sleep(struct walker *w, nsec time, enum client_state state);
/* Signals those of the program's first n fences that have not signalled. */
void walker_signal_fences(struct walker *w, uint32_t n_fences);
/* Wakes a wait of a walker. For waiter_wake(). */
void walker_wake(struct waiter *wait);

/*
 * Changing the program (walker_swap.c; the manual, LIVE CONTROL).
 *
 * A walker changes at the start of an iteration; requests in flight complete as
 * they were submitted. All that both programs have is kept:
 * - contexts of the same number, with priority, slice mask and statistics;
 * - rings of the same context and engine, or choice of engines, so that new
 *   requests follow the old ones;
 * - W sets, if both have as many objects, and so for w sets;
 * - outputs of batches with the same context and engine, counted from the first
 *   batch on and then from the last one back, so that a batch in the same place
 *   waits for what is in flight as before.
 * All else begins as in a new walker: t and q are off, software fences count as
 * signalled. Contexts and rings that the new program has not are kept for their
 * statistics and for a program that has them again.
 */

/* Makes program the next one of the walker, in place of one that it was to
 * change to. Takes references of program and shared. */
void swap_prepare(struct walker *w, const struct program *program,
    struct shared_objects *shared);
/* Changes to the next program; the walker is at the start of an iteration. */
void swap_apply(struct walker *w);
/* Changes to the next program, which has the same shape (program_same_shape),
 * at the current step: t and q, fences and outputs stay. To be called between
 * two instants. */
void swap_in_place(struct walker *w);

/*
 * CPUs (walker_cpu.c; doc/model/client.md). A walker needs a CPU to run, and its
 * thread takes time to wake up. Without the knobs cpus and wakeup_ns each
 * walker has its own, and runs in the instant in which its wait is over.
 */

/* Makes a new walker runnable as soon as it has a CPU. */
void cpu_start(struct walker *w);
/* Makes a walker whose wait is over runnable, once it has a CPU and is awake;
 * does nothing if it is about to. */
void cpu_wake(struct walker *w);
/* Spends CPU time, more than 0 ns, in that state, then makes the running walker
 * runnable again. If it has used up its slice of the CPU, others go first. */
void cpu_spend(struct walker *w, nsec time, enum client_state state);
/* Makes the walker run soon, whatever it waits for. */
void cpu_interrupt(struct walker *w);
/* Frees the CPU of a walker that ran, unless it spends time on it. */
void cpu_leave(struct walker *w);
/* Returns true if walkers share CPUs and one is free. */
bool cpu_is_idle(const struct sim *sim);
/* Returns true if a CPU is free and a walker waits for one. */
bool cpu_has_taker(struct sim *sim);
/* Gives free CPUs to waiting walkers, first come first served. */
void cpu_hand_out(struct sim *sim);

/*
 * Random numbers as gem_wsim draws them (doc/model/gem_wsim.md "Random
 * numbers"), so that -I N gives the same durations.
 */

/* Returns the generator that seeds clients: the C library's rand() seeded with
 * seed (-I). same_for_all: all clients draw the same numbers (-S). */
struct random *random_new(
    struct region *region, uint32_t seed, bool same_for_all);

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
