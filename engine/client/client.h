/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client: one process that runs one program (doc/model/gem_wsim.md "A
 * client"), with its contexts, rings, objects and software timeline. Views read
 * the fields; only engine/client and the simulation change them.
 */
#ifndef ENGINE_CLIENT_CLIENT_H
#define ENGINE_CLIENT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "engine/compile/program.h"
#include "engine/gpu/request.h"
#include "engine/hang/hang.h"
#include "engine/histogram.h"

struct client;
struct sim;

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
	struct fence *fences;      /* one per f; see instance_share_fences */
	struct queue_link *links;  /* one per step; NULL without a q */
	struct queue_list *queues; /* one per engine of the device: that of the
				      ring, or the first of a virtual one */
	uint32_t in_flight;        /* requests submitted from it */
	struct instance *next;     /* the client's previous one */
};

/* Returns n unused objects with one reference, for shared_objects_free(). */
struct shared_objects *shared_objects_new(uint32_t n);
/* Adds a reference and returns shared. */
struct shared_objects *shared_objects_ref(struct shared_objects *shared);
/* Drops a reference. */
void shared_objects_free(struct shared_objects *shared);

/* Takes references of program and shared. The caller frees the instance with
 * instance_free(). */
struct instance *instance_new(const struct program *program,
    struct shared_objects *shared, unsigned n_engines);
/* Frees the instance and drops its references. */
void instance_free(struct instance *instance);
/* Gives to, which has as many software fences, those of from: requests in
 * flight wait for them. Both then hold them. */
void instance_share_fences(const struct instance *from, struct instance *to);
/* Signals all software fences that have not signalled. */
void instance_close_fences(struct instance *instance, nsec now);
/* Returns the definition of rq's context when rq was submitted; the context may
 * have another one by now. */
const struct context_def *instance_context(const struct request *rq);

/* A context of one client. Its address is valid until the client is freed. */
struct context {
	struct client *client;
	const struct context_def *def;
	struct context_def *own_def; /* def, if the program has it no more */
	uint32_t index;              /* in the client's contexts */
	int16_t priority;
	uint32_t sseu;      /* slice mask; all slices as ones */
	uint32_t in_flight; /* requests submitted and not ended */
	nsec preempt_ns;    /* distance of preemption points by a control, or
			       PREEMPT_BY_PROGRAM */
	uint64_t batches;   /* ended */
	nsec busy_ns;       /* engine time, without what runs now:
			       sim_context_busy() */
	nsec sema_ns;       /* the part of it in which a request polled */
	struct histogram times; /* of ended batches */
	struct ban_context ban;
	nsec run_ns[]; /* by engine: batches ran, without what runs now */
};

#define PREEMPT_BY_PROGRAM NSEC_NEVER

/* Returns the bytes of a context of that device. */
static inline size_t
context_size(const struct device *dev)
{
	return offsetof(struct context, run_ns) + dev->n_engines * sizeof(nsec);
}

/* A ring of a context, valid as long as that. */
struct ring {
	const struct ring_def *def;
	struct ring_def *own_def; /* def, if the program has it no more */
	struct context *context;
	struct request_ref last; /* submitted last */
	struct request *first;   /* oldest in flight; NULL: none */
	uint32_t in_flight;
	uint32_t room;      /* most requests in flight */
	uint32_t waiting;   /* in flight, waiting for an engine (execlists) */
	bool drain;         /* the client waits until half is free */
	int8_t last_engine; /* of a virtual ring: index; -1: none yet */
	bool retired;       /* its parallel slot is gone for good */
	void *sched_data;   /* private to the scheduler; NULL at first */
};

enum client_state {
	CLIENT_RUNNABLE,
	CLIENT_SUBMITTING, /* spends the CPU time of an execbuf */
	CLIENT_WAITING,    /* for requests: s, wait flag, t, q, -d */
	CLIENT_RING_FULL,
	CLIENT_SLEEPING, /* d, p */
	CLIENT_IDLING,   /* iteration_min_ns */
	/* It could run, but: */
	CLIENT_QUEUED,   /* waits for a CPU */
	CLIENT_WAKING,   /* its thread takes time to wake up */
	CLIENT_DRAINING, /* past its last iteration, until all requests end */
	CLIENT_ENDED,
};

/* Why a client does not run, by what it does at its step. */
enum client_block {
	BLOCK_NOT,
	BLOCK_SUBMIT,      /* CPU time of an execbuf */
	BLOCK_DATA,        /* -d: the data of its batch */
	BLOCK_THROTTLE,    /* t */
	BLOCK_RING,        /* room in a ring */
	BLOCK_WAIT_FLAG,   /* the end of its batch */
	BLOCK_QUEUE_DEPTH, /* q */
	BLOCK_SYNC,        /* s */
	BLOCK_DELAY,       /* d */
	BLOCK_PERIOD,      /* p: the rest of the period */
	BLOCK_IDLE,        /* least time of an iteration */
	BLOCK_DRAIN,       /* past its last iteration: its requests */
	BLOCK_ENDED,
	BLOCK_CPU, /* only a CPU */
	N_BLOCKS,
};

/* Whether a client was killed, and its requests in flight with it. */
enum kill_state { KILL_NOT, KILL_PERSISTENT, KILL_ALL };

/* Durations of iterations with a p step. */
struct period_stats {
	uint64_t n, missed;
	uint64_t sum_us, min_us, max_us;
};

/* All clones of one -w. The simulation owns it. */
struct workload {
	uint32_t id;                   /* in the order of being added, from 0 */
	char *name;                    /* the argument of -w */
	const struct program *program; /* for clients that are added */
	struct shared_objects *shared;
	struct workload *next;
};

struct client {
	uint32_t id;
	struct sim *sim;
	struct workload *workload;
	const struct program *program; /* of its instance */
	bool background; /* runs until the foreground clients have ended */
	bool small_sseu; /* -s: contexts begin with slice mask 1 */
	/* With a limited number of CPUs (client_run.h): whether it has one, and
	 * since when; then the state to enter on its next one, and the time to
	 * spend in it. RUNNABLE: the client starts. */
	bool on_cpu;
	uint8_t cpu_state; /* enum client_state */
	nsec cpu_since_ns, cpu_time_ns;
	int16_t priority; /* -p: contexts begin with it */
	uint64_t repeat;  /* iterations to do; 0: without end */

	uint8_t killed;     /* enum kill_state */
	bool dying;         /* to be killed when it runs next */
	bool aborts;        /* to abort its iteration when it runs next */
	uint8_t state;      /* enum client_state */
	uint32_t pc;        /* index of its step */
	uint8_t phase;      /* how far it is in that step */
	uint64_t iteration; /* times that it reached the end of the program */
	uint64_t completed; /* iterations with all requests ended, in order */
	uint32_t n_oldest; /* requests in flight of the iteration after those */
	nsec started_ns;   /* of the current iteration */
	nsec until_ns;     /* when its timer lets it run, if it has one */
	nsec begun_ns;     /* when it was added */
	nsec ended_ns;     /* when it became CLIENT_ENDED */
	bool submitted;    /* anything in this iteration */
	uint32_t left;     /* requests in flight when the iteration began */
	uint32_t in_flight; /* requests */

	uint32_t throttle;                   /* t in force; 0: off */
	uint32_t queue_depth;                /* q in force; 0: off */
	uint32_t duration_state, size_state; /* random numbers */

	uint32_t n_waits; /* fences that have not signalled yet */
	struct waiter *waits;
	struct event timer;

	struct period_stats period;
	uint64_t batches; /* ended */
	nsec busy_ns;     /* engine time, without what runs now */

	/* First the program's, in its order, then those that only earlier
	 * programs had. */
	struct context **contexts;
	struct ring **rings;
	uint32_t n_contexts, n_rings;
	struct ban_client ban;
	struct instance *instance;      /* current one; older ones follow */
	struct instance *next_instance; /* from the next iteration on; NULL */
};

/* The CPUs that the threads of clients share (client_run.h). */
struct cpus {
	unsigned n; /* 0: one for each client */
	unsigned busy;
	struct heap queue; /* clients that wait for one, by time and id; entries
			      of clients that were killed are stale */
};

/* Returns a word or two for the state, "killed" and "dying" included. */
const char *client_state_name(const struct client *c);
/* Returns why the client does not run. Not to be called while it runs. */
enum client_block client_block(const struct client *c);
/* True if the client is late for its next p step of this iteration (doc/model/
 * gem_wsim.md "A client"); *due_ns is then when that period was over. Takes a
 * few memory accesses, whatever the length of the program. */
bool client_is_overdue(const struct client *c, nsec *due_ns);
/* Adds the times of all contexts of the client to times. */
void client_add_times(const struct client *c, struct histogram *times);
/* Returns a request in flight of the client, the latest of a ring; NULL: there
 * is none. */
const struct request *client_any_request(const struct client *c);

#endif
