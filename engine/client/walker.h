/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A walker: a client that runs one program, step by step and iteration after
 * iteration (doc/model/gem_wsim.md "A client"), with the objects and the
 * software timeline that its steps name. Only code that knows programs reads
 * it; all others get clients, which may have no program. Views read the fields;
 * only engine/client changes them.
 */
#ifndef ENGINE_CLIENT_WALKER_H
#define ENGINE_CLIENT_WALKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "engine/client/client.h"
#include "engine/compile/program.h"

/* The objects of W sets, shared by all instances of a workload. */
struct shared_objects {
	unsigned refs;
	uint32_t n;
	struct object objects[];
};

/* A step's place in the list of an engine that q limits. */
struct queue_link {
	uint32_t prev, next; /* steps, NO_INDEX: none */
	uint8_t engine;      /* index of the list, see queues below */
	bool queued;
};

/* Steps in the order of their last submission, oldest first. */
struct queue_list {
	uint32_t first, last, n; /* first and last: NO_INDEX when empty */
};

/*
 * An instance of a program: the memory that its steps name, for one client. A
 * request keeps the instance that it was submitted from, so that it completes
 * unchanged after the client has moved on to another program.
 */
struct instance {
	const struct program *program;
	struct shared_objects *shared;
	struct object *objects;
	struct fence *fences;     /* one per f; see instance_share_fences */
	struct queue_link *links; /* one per step, and then the lists of
				      instance_queue(); NULL without a q */
	uint32_t in_flight;       /* requests submitted from it */
	struct instance *next;    /* the client's previous one */
};

/* Returns the list of q for an engine: that of the ring, or the first of a
 * virtual one. */
static inline struct queue_list *
instance_queue(const struct instance *instance, unsigned engine)
{
	struct queue_link *end = instance->links + instance->program->n_ops;

	return (struct queue_list *)end + engine;
}

/* Returns n unused objects with one reference, for shared_objects_free(). */
struct shared_objects *shared_objects_new(struct sim *sim, uint32_t n);
/* Adds a reference and returns shared. */
struct shared_objects *shared_objects_ref(struct shared_objects *shared);
/* Drops a reference. */
void shared_objects_free(struct shared_objects *shared);

/* A program that something in the simulation's region refers to. */
struct program_use {
	const struct program *program;
	uint32_t n; /* references from the region */
	struct program_use *next;
};

/* Keep a program for one more user in the region, and for one less. */
void program_use(struct sim *sim, const struct program *program);
void program_leave(struct sim *sim, const struct program *program);

/* Takes references of program and shared. The caller frees the instance with
 * instance_free(). */
struct instance *instance_new(struct sim *sim, const struct program *program,
    struct shared_objects *shared);
/* Frees the instance and drops its references. */
void instance_free(struct sim *sim, struct instance *instance);
/* Gives to, which has as many software fences, those of from: requests in
 * flight wait for them. Both then hold them. */
void instance_share_fences(const struct instance *from, struct instance *to);
/* Signals all software fences that have not signalled. */
void instance_close_fences(struct instance *instance, nsec now);
/* Drops the request of a program from its instance, as it has ended. Frees the
 * instance if the walker uses another by now and it was its last request. */
void instance_leave(struct request *rq);
/* Remembers for bonds that rq, of a program, first started on e, if it is the
 * latest submission of its batch. */
void instance_started(struct request *rq, const struct hw_engine *e);

#define NO_WORKLOAD UINT32_MAX

/* All clones of one -w. The simulation owns it. */
struct workload {
	uint32_t id;                   /* in the order of being added, from 0 */
	char *name;                    /* the argument of -w */
	const struct program *program; /* for clients that are added */
	struct shared_objects *shared;
	struct workload *next;
};

struct walker {
	struct client client;
	struct workload *workload;
	const struct program *program; /* of its instance */
	uint64_t repeat;               /* iterations to do; 0: without end */

	/* With a limited number of CPUs (client_run.h): whether it has one, and
	 * since when; then the state to enter on its next one, and the time to
	 * spend in it. RUNNABLE: the walker starts. */
	nsec cpu_since_ns, cpu_time_ns;
	bool on_cpu;
	uint8_t cpu_state; /* enum client_state */

	bool aborts;        /* to abort its iteration when it runs next */
	bool submitted;     /* anything in this iteration */
	uint8_t phase;      /* how far it is in its step */
	uint32_t pc;        /* index of its step */
	uint32_t n_waits;   /* fences that have not signalled yet */
	uint64_t iteration; /* times that it reached the end of the program */
	nsec started_ns;    /* of the current iteration */
	uint32_t n_oldest;  /* requests in flight of the iteration after those
			       that are completed */
	uint32_t left;      /* requests in flight when the iteration began */

	uint32_t throttle;                   /* t in force; 0: off */
	uint32_t queue_depth;                /* q in force; 0: off */
	uint32_t duration_state, size_state; /* random numbers */

	struct waiter *waits;

	struct instance *instance;      /* current one; older ones follow */
	struct instance *next_instance; /* from the next iteration on; NULL */
};

/* The CPUs that the threads of walkers share (client_run.h). */
struct cpus {
	unsigned n; /* 0: one for each walker */
	unsigned busy;
	struct heap queue; /* walkers that wait for one, by time and id; entries
			      of clients that were killed are stale */
};

/* These answer for every client. */

/* Returns the client's program; NULL: it has none. */
static inline const struct program *
client_program(const struct client *c)
{
	return c->walker != NULL ? c->walker->program : NULL;
}

/* Returns the step that the client is at; NULL: it has no program, or is past
 * the last one. */
static inline const struct op *
client_op(const struct client *c)
{
	const struct walker *w = c->walker;

	return w != NULL && w->pc < w->program->n_ops ? &w->program->ops[w->pc]
						      : NULL;
}

/* Returns the number of times that the client reached the end of its program;
 * 0 without one. */
static inline uint64_t
client_iteration(const struct client *c)
{
	return c->walker != NULL ? c->walker->iteration : 0;
}

/* Returns the waits of the client's thread, linked by next_of_owner; some may
 * be over. NULL: none, or it has no program. */
static inline const struct waiter *
client_waits(const struct client *c)
{
	return c->walker != NULL ? c->walker->waits : NULL;
}

/* Returns the id of the workload whose clone the client is; NO_WORKLOAD: it
 * has no program. */
static inline uint32_t
client_workload(const struct client *c)
{
	return c->walker != NULL ? c->walker->workload->id : NO_WORKLOAD;
}

/* True if the client is late for its next p step of this iteration (doc/model/
 * gem_wsim.md "A client"); *due_ns is then when that period was over. Takes a
 * few memory accesses, whatever the length of the program. */
bool client_is_overdue(const struct client *c, nsec *due_ns);
/* Returns the missed periods, with the one that is over now, if the client is late: an
 * iteration that never ends misses its period, too. */
uint64_t client_misses(const struct client *c);
/* Returns the longest period of the client's program, ns; 0: it has none. */
nsec client_longest_period(const struct client *c);

#endif
