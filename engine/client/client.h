/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client: one process, with its contexts, rings and statistics. It either
 * walks a program (walker.h) or submits from outside the simulation. Views read
 * the fields; only engine/client and the simulation change them.
 */
#ifndef ENGINE_CLIENT_CLIENT_H
#define ENGINE_CLIENT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/compile/program.h"
#include "engine/gpu/request.h"
#include "engine/hang/hang.h"
#include "engine/histogram.h"

struct client;
struct sim;
struct walker;

/* A context of one client. Its address is valid until the client is freed. */
struct context {
	struct client *client;
	const struct context_def *def;
	uint32_t index; /* in the client's contexts */
	int16_t priority;
	uint32_t sseu;      /* slice mask; all slices as ones */
	bool owns_def;      /* def is its own: the program has it no more */
	bool is_used;       /* its engines are made: by its first request */
	bool polls;         /* and that request might use semaphores */
	bool sseu_split;    /* its rings have masks of their own */
	uint32_t in_flight; /* requests submitted and not ended */
	/* From outside (backend.h). */
	bool persistent, unbannable, unrecoverable;
	bool closed;   /* gets no more requests */
	bool revoked;  /* and those in flight were revoked */
	bool settled;  /* its timelines are closed */
	bool released; /* its owner has forgotten it */
	union {
		struct context *next_closing; /* or, if it is past, the next
						 such */
		void *device;                 /* of walkers: that of follow/ */
	};
	struct ring *timelines;
	uint32_t serial;  /* of the client's contexts, not used again */
	nsec preempt_ns;  /* distance of preemption points by a control, or
			       PREEMPT_BY_PROGRAM */
	uint64_t batches; /* ended */
	nsec busy_ns;     /* engine time, without what runs now:
			       sim_context_busy() */
	nsec sema_ns;     /* the part of it in which a request polled */
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
	struct context *context;
	struct request_ref last; /* submitted last */
	struct request *first;   /* oldest in flight; NULL: none */
	uint32_t in_flight;
	uint32_t room;      /* most requests in flight */
	uint32_t waiting;   /* in flight, waiting for an engine (execlists) */
	uint32_t sseu;      /* slice mask of its own; 0: its context's */
	bool drain;         /* the client waits until half is free */
	int8_t last_engine; /* of a virtual ring: index; -1: none yet */
	bool retired;       /* its parallel slot is gone for good */
	bool owns_def;      /* def is its own: the program has it no more */
	/* From outside: its place in the client's rings, and the next of its
	 * context. */
	uint32_t index;
	struct ring *next_of_context;
	void *sched_data; /* private to the scheduler; NULL at first */
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
	CLIENT_OUTSIDE,  /* does what it wants: without a program */
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

struct client {
	/* Identity. */
	struct sim *sim;
	struct walker *walker; /* that it is part of; NULL: it has no program */
	const char *name;      /* the argument of -w, or of a program */
	const char *command;   /* of a program its command line; or NULL */
	int64_t pid;           /* of a process outside; 0: none */
	uint32_t id;
	bool background; /* the run ends without it */

	uint8_t killed;     /* enum kill_state */
	bool dying;         /* to be killed when it runs next */
	uint8_t state;      /* enum client_state */
	bool small_sseu;    /* -s: contexts begin with slice mask 1 */
	int16_t priority;   /* -p: contexts begin with it */
	uint32_t in_flight; /* requests */
	nsec until_ns;      /* when its timer lets it run, if it has one */
	nsec begun_ns;      /* when it was added */
	nsec ended_ns;      /* when it became CLIENT_ENDED */
	struct event timer;

	/* First the contexts and rings of its program, in the program's order, then
	 * those that only earlier programs had. */
	struct context **contexts;
	struct ring **rings;
	uint32_t n_contexts, n_rings;
	struct ban_client ban;

	/* Statistics. Without a program no iteration nor period is counted. */
	uint64_t batches;   /* ended */
	nsec busy_ns;       /* engine time, without what runs now */
	uint64_t completed; /* iterations with all requests ended, in order */
	nsec completed_ns;  /* when the last of them was */
	struct period_stats period;
};

/* Returns true if the requests of the context must not run on: it was closed
 * without being persistent, or its client was killed and runs no more. */
static inline bool
context_is_revoked(const struct context *context)
{
	return context->revoked ||
	    (context->client->killed == KILL_ALL && !context->client->dying);
}

/* Returns a word or two for the state, "killed" and "dying" included. */
const char *client_state_name(const struct client *c);
/* Returns why the client does not run. Not to be called while it runs. */
enum client_block client_block(const struct client *c);
/* Returns the client's context of that number, of a program the current one;
 * NULL: it has none. */
struct context *client_find_context(const struct client *c, uint32_t number);
/* Returns the time since the client was added, until it ended or until now. */
nsec client_elapsed(const struct sim *sim, const struct client *c);
/* Returns the sums of contexts of a client from outside that it has no more
 * (past.h); NULL: there are none. */
const struct context *client_past(const struct client *c);
/* Adds the times of all contexts of the client to times, those of past ones
 * too. */
void client_add_times(const struct client *c, struct histogram *times);
/* Returns a request in flight of the client, the latest of a ring; NULL: there
 * is none. */
const struct request *client_any_request(const struct client *c);

#endif
