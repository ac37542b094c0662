/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client: one process that runs one program (doc/model/gem_wsim.md "A
 * client"), with its contexts, rings, objects and software timeline. Views read
 * the fields; only client*.c and the simulation change them.
 */
#ifndef ENGINE_CLIENT_CLIENT_H
#define ENGINE_CLIENT_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "engine/compile/program.h"
#include "engine/gpu/request.h"
#include "engine/hang/hang.h"
#include "engine/histogram.h"

struct client;
struct sim;

/*
 * A program as one client runs it, with the memory that its steps name: the
 * instance of the process. Requests keep the instance that they were submitted from,
 * so that they finish as they were when the client has gone on to another.
 */

/* Objects of W sets, for all images that name them. */
struct shared_objects {
	unsigned refs;
	uint32_t n;
	struct object objects[];
};

/* Place in the list of steps queued on an engine (q). */
struct queue_link {
	uint32_t prev, next; /* steps, NO_INDEX */
	uint8_t engine;
	bool queued;
};

struct queue_list {
	uint32_t first, last, n;
};

struct instance {
	const struct program *program;
	struct shared_objects *shared;
	struct object *objects;
	struct fence *fences;      /* one per f; instance_share_fences */
	struct queue_link *links;  /* one per step, where q is used */
	struct queue_list *queues; /* one per engine */
	uint32_t in_flight;        /* requests submitted from it */
	struct instance *next;     /* the client's one before */
};

/* With one reference; of n objects that nobody uses. */
struct shared_objects *shared_objects_new(uint32_t n);
struct shared_objects *shared_objects_ref(struct shared_objects *shared);
void shared_objects_free(struct shared_objects *shared); /* a reference */

/* Takes references to program and shared. */
struct instance *instance_new(const struct program *program,
    struct shared_objects *shared, unsigned n_engines);
void instance_free(struct instance *instance);
/* to, with as many software fences, has those of from, which keeps them: for
 * what is in flight. */
void instance_share_fences(const struct instance *from, struct instance *to);
/* Signals its software fences. */
void instance_close_fences(struct instance *instance, nsec now);

/* The context_def of the program that rq was submitted from; the context
 * itself may have another one by now. */
const struct context_def *instance_context(const struct request *rq);

/* A context of one client; stays where it is until the client is freed. */
struct context {
	struct client *client;
	const struct context_def *def;
	uint32_t index; /* in the client's contexts */
	int16_t priority;
	bool owns_def;          /* the program has it no more */
	uint32_t sseu;          /* slice mask, all slices written out */
	uint32_t in_flight;     /* submitted, not ended */
	nsec preempt_ns;        /* instead of the program's X, unless
			       PREEMPT_BY_PROGRAM */
	uint64_t batches;       /* ended */
	nsec busy_ns;           /* of ended pieces: add what runs now */
	struct histogram times; /* of ended batches */
	struct ban_context ban;
};

#define PREEMPT_BY_PROGRAM NSEC_NEVER

/* Stays where it is, too. */
struct ring {
	const struct ring_def *def;
	struct context *context;
	struct request_ref last; /* the request before the next */
	struct request *first;   /* in flight, the oldest; NULL */
	uint32_t in_flight;
	uint32_t room;      /* for requests in flight */
	uint32_t waiting;   /* of those, for an engine; execlists counts them */
	bool drain;         /* the client waits until half is free */
	int8_t last_engine; /* virtual: the sibling it ran on last; -1 */
	bool retired;       /* its parallel slot has gone, it is not taken up
			       again */
	bool owns_def;      /* as of a context */
	void *sched_data;   /* the scheduler's own; NULL at first */
};

/* Why a client does not go on. */
enum client_state {
	CLIENT_RUNNABLE,
	CLIENT_SUBMITTING, /* CPU time of an execbuf */
	CLIENT_WAITING,    /* for requests: s, wait flag, t, q, -d */
	CLIENT_RING_FULL,
	CLIENT_SLEEPING, /* d, p */
	CLIENT_IDLING,   /* iteration_min_ns */
	/* It can go on, and (cpu.h): */
	CLIENT_QUEUED,   /* waits for a CPU */
	CLIENT_WAKING,   /* its thread wakes up */
	CLIENT_DRAINING, /* after the last iteration: until all have ended */
	CLIENT_ENDED,
};

/* The same, by what it does at its step. */
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
	BLOCK_PERIOD,      /* p: what is left of the period */
	BLOCK_IDLE,        /* the profile's least time of an iteration */
	BLOCK_DRAIN,       /* after its last iteration: for its requests */
	BLOCK_ENDED,
	BLOCK_CPU, /* nothing but a CPU */
	N_BLOCKS,
};

/* Was the client killed, and its requests with it? */
enum kill_state { KILL_NOT, KILL_PERSISTENT, KILL_ALL };

struct period_stats {
	uint64_t n, missed;
	uint64_t sum_us, min_us, max_us;
};

/* All clones of one -w. */
struct workload {
	uint32_t id; /* in the order of being added */
	char *name;  /* the argument of -w */
	const struct program *program;
	struct shared_objects *shared; /* of W sets */
	struct workload *next;
};

struct client {
	uint32_t id;
	struct sim *sim;
	struct workload *workload;
	const struct program *program; /* of its instance */
	bool background; /* loops until the foreground ones are done */
	bool small_sseu; /* -s, -p: of contexts at first */
	/* cpu.h: it has a CPU, since then; on its next it first spends so much
	 * time in that state. */
	bool on_cpu;
	uint8_t cpu_state; /* enum client_state; RUNNABLE: it starts */
	nsec cpu_since_ns, cpu_time_ns;
	int16_t priority;
	uint64_t repeat; /* iterations to do; 0: until stopped */

	uint8_t killed;     /* enum kill_state */
	bool dying;         /* at its next turn (kill.h) */
	bool aborts;        /* likewise (give_up.h) */
	uint8_t state;      /* enum client_state */
	uint32_t pc;        /* step it is at */
	uint8_t phase;      /* where in that step (client.c) */
	uint64_t iteration; /* times that it walked through its program */
	uint64_t completed; /* iterations with all requests ended, in order */
	uint32_t n_oldest;  /* requests in flight of the one after those */
	nsec started_ns;    /* of the current iteration */
	nsec until_ns;      /* when its timer, if it has one, lets it go on */
	nsec begun_ns;      /* when it was added */
	nsec ended_ns;      /* CLIENT_ENDED */
	bool submitted;     /* anything in this iteration */
	uint32_t left;      /* in flight when it began */
	uint32_t in_flight; /* requests */

	uint32_t throttle;                   /* t in force; 0: off */
	uint32_t queue_depth;                /* q in force; 0: off */
	uint32_t duration_state, size_state; /* random numbers */

	uint32_t n_waits; /* fences that have not signalled yet */
	struct waiter *waits;
	struct event timer;

	struct period_stats period;
	uint64_t batches; /* ended */
	nsec busy_ns;

	/* As program->contexts and rings, then those that programs before had
	 * and this one has not. */
	struct context **contexts;
	struct ring **rings;
	uint32_t n_contexts, n_rings;
	struct ban_client ban;
	struct instance *instance; /* what it walks through; then older ones */
	struct instance *next_instance; /* from the next iteration on; NULL */
};

/* The CPUs that the threads of clients share (client_run.h). */
struct cpus {
	unsigned n; /* 0: one for each client */
	unsigned busy;
	struct heap queue; /* clients that wait for one, by time and id; those
			      that were killed meanwhile are stale */
};

const char *client_state_name(const struct client *c);
/* Between its turns. */
enum client_block client_block(const struct client *c);
/* Adds those of all its contexts to times. */
void client_add_times(const struct client *c, struct histogram *times);
/* A request of it that has not ended, the latest of its ring; NULL: none. */
const struct request *client_any_request(const struct client *c);

#endif
