/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_EXPLAIN_TRAIL_H
#define ENGINE_EXPLAIN_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/client/client.h"
#include "engine/hang/hang.h"
#include "engine/observer.h"
#include "engine/sim.h"

/*
 * What ran when, and what waited for what: an observer that remembers the last
 * so many requests, spans on engines, waits of clients, missed periods and
 * hangs, in memory that is bounded from the start (trail_size: about 26 MB of
 * address space with TRAIL_DEFAULT_SIZE and seven engines; pages are touched
 * only as they fill). What falls out of it is gone, and lookups say so with
 * NULL. A record is valid until the simulation goes on. Costs a few stores per
 * event, and no allocation.
 *
 * All ids count from 1 in the order of time, and 0 is none: request ids are the
 * requests' seq, so a live request's record is found by that.
 */

#define TRAIL_DEFAULT_SIZE 32768 /* requests, waits, spans of each engine */
#define TRAIL_MISSES       4096
#define TRAIL_HANGS        512
#define TRAIL_NO_ENGINE    255

/* What a request waited for last, before it was ready. */
enum trail_cause {
	TRAIL_NOTHING,
	TRAIL_DATA,      /* an object that another one wrote or read */
	TRAIL_FENCE,     /* f-n: the end of another one */
	TRAIL_SUBMIT,    /* s-n: the start of another one */
	TRAIL_SOFTWARE,  /* f-n: a software fence of its client */
	TRAIL_ORDER,     /* the one before it on its ring */
	TRAIL_SEMAPHORE, /* the start of another one, whose end it then polls
			    for */
};

struct trail_request {
	uint64_t id; /* 0: none was here */
	uint64_t iteration;
	uint32_t client, context; /* number as in the text */
	uint32_t step;
	uint32_t line; /* of the step, in that document of its program */
	uint32_t document;
	uint32_t preemptions;          /* how often it was taken off */
	const struct program *program; /* to compare; may be gone */
	struct request *live; /* request_get says whether it is still that */

	nsec submit_ns;
	/* NSEC_NEVER: not yet. */
	nsec ready_ns, start_ns, end_ns;
	nsec cleared_ns;  /* what it polls for has ended; NSEC_NEVER: polls for
			     nothing, or not yet */
	nsec duration_ns; /* as drawn; NSEC_NEVER: infinite */
	nsec run_ns;      /* its batch ran, up to end_ns or its last leaving */
	nsec preempt_ns;  /* distance of its preemption points; 0: none */

	uint64_t ready_by;   /* a request; 0: none, or a software fence */
	uint64_t cleared_by; /* a request; 0: none */
	uint64_t last_span;  /* on engine; 0: none yet. Before: span->before */
	int16_t submit_priority, priority; /* at its submission; at its start,
					      where others may have raised it */
	int16_t error;                     /* -errno; 0 */
	uint8_t engine; /* where it is or was last, or is fixed to;
			   TRAIL_NO_ENGINE: not known yet */
	uint8_t cause;  /* enum trail_cause */
	uint8_t row;    /* of a parallel step: its first row is id - row */
	bool is_virtual;
};

/* A request on an engine: from taken_ns on it held the engine, then came what
 * switching to it cost, its batch ran from begin_ns to end_ns. */
struct trail_span {
	uint64_t request;
	nsec taken_ns;
	nsec completion_ns, wake_ns, context_ns, sseu_ns; /* switching */
	nsec begin_ns; /* NSEC_NEVER: not yet, or it never began (it polled) */
	nsec end_ns;   /* NSEC_NEVER: it is there now */
	nsec ran_before;  /* on this engine, by all spans before this one: */
	nsec held_before; /* batches ran; it was held without */
	uint64_t by;      /* request that it left for; 0 */
	uint64_t before;  /* the request's span before this one, a span id on
			    before_engine; 0: this is its first */
	uint8_t before_engine;
	uint8_t leaving; /* enum leaving */
	bool errors;     /* ended with an error */
};

/* A time in which a client did not go on. Waits of a client follow each other
 * without a gap: a client's own steps take no time. */
struct trail_wait {
	uint32_t client;
	uint32_t step;
	uint64_t iteration;
	nsec from_ns, to_ns; /* to: NSEC_NEVER: still */
	uint64_t by;         /* request whose end ended it; 0: none, a timer */
	uint64_t before;     /* the client's wait before this one; 0 */
	uint8_t block;       /* enum client_block */
};

struct trail_miss {
	uint32_t client;
	uint32_t step; /* the p */
	uint64_t iteration;
	nsec started_ns, due_ns, came_ns;
	uint64_t wait; /* the client's last wait; 0: none */
};

enum trail_instant { TRAIL_RESET, TRAIL_TIMEOUT };

struct trail_hang {
	enum trail_instant what; /* a reset after a hang; or the watchdog
				    cancels a request: then no engine needs be
				    reset */
	enum hang_cause cause;   /* RESET only, as scope, guilty, banned */
	enum reset_scope scope;
	nsec time;
	uint64_t request;
	uint32_t client, context;
	uint8_t engine; /* TRAIL_NO_ENGINE */
	bool guilty, banned;
};

struct trail; /* trail_ring.h has what is in it */

/* Watches sim from now on, until trail_end; remembers that many requests, a
 * power of two. What is in flight already is not known. */
struct trail *trail_begin(struct sim *sim, size_t size);
void trail_end(struct trail *t); /* NULL: nothing; before sim_free */
/* Bytes that a trail of that size takes at most, without clients. */
size_t trail_size(size_t size, unsigned n_engines);

/* NULL: gone, or never was. */
const struct trail_request *trail_request(const struct trail *t, uint64_t id);
const struct trail_span *trail_span(
    const struct trail *t, unsigned engine, uint64_t id);
const struct trail_wait *trail_wait(const struct trail *t, uint64_t id);
const struct trail_miss *trail_miss(const struct trail *t, uint64_t id);
const struct trail_hang *trail_hang(const struct trail *t, uint64_t id);
/* The client's wait now, or its last; 0: none is known. */
uint64_t trail_last_wait(const struct trail *t, uint32_t client);

/* Ids from first on and before end, all of which are there. */
struct trail_range {
	uint64_t first, end;
};

/* Spans of the engine that have any of [t0, t1): in order of time, and not
 * overlapping. One that is open counts as ending never. */
struct trail_range trail_spans(
    const struct trail *t, unsigned engine, nsec t0, nsec t1);
/* The span of the engine at that time; 0: it was free, or it is gone. */
uint64_t trail_span_at(const struct trail *t, unsigned engine, nsec time);
/* How long batches have run on the engine, and how long it was held without
 * one, up to that time, which is not to come: differences of two are what was
 * between them, however much that is. */
void trail_used(
    const struct trail *t, unsigned engine, nsec time, nsec *ran, nsec *held);
/* The next span that begins after, the last one before time; 0: none. */
uint64_t trail_next_span(const struct trail *t, unsigned engine, nsec time);
uint64_t trail_previous_span(const struct trail *t, unsigned engine, nsec time);
/* From when on all that happened is known: 0, until spans have gone. */
nsec trail_since(const struct trail *t);

/* By the time at which it came too late. After, or before, that time; 0: no
 * more. Client: TRAIL_ANY_CLIENT, or only that one's. */
#define TRAIL_ANY_CLIENT UINT32_MAX
uint64_t trail_next_miss(const struct trail *t, nsec time, uint32_t client);
uint64_t trail_previous_miss(const struct trail *t, nsec time, uint32_t client);
/* Misses, hangs at [t0, t1). */
struct trail_range trail_misses(const struct trail *t, nsec t0, nsec t1);
struct trail_range trail_hangs(const struct trail *t, nsec t0, nsec t1);

/* "preempted", "slice over", ...; "data", "fence", ... */
const char *trail_leaving_name(enum leaving leaving);
const char *trail_cause_name(enum trail_cause cause);

/* What a trail consists of: for trail.c, which writes it, and trail_look.c,
 * which looks things up. */

/* In each ring the one with that id stands at id % size; n is the last id. */
struct trail_engine {
	struct trail_span *spans;
	uint64_t n;
};

struct trail_client {
	uint64_t wait;  /* the one now, or the last; 0 */
	uint64_t woken; /* request that ended it; 0 */
};

struct trail {
	struct observer observer;
	struct sim *sim;
	size_t size; /* of requests, waits and each engine's spans */
	struct trail_request *requests;
	struct trail_wait *waits;
	struct trail_miss *misses;
	struct trail_hang *hangs;
	uint64_t last_request, n_waits, n_misses, n_hangs;
	struct trail_client *clients; /* by id; grows with the clients */
	size_t n_clients, cap_clients;
	unsigned n_engines;
	struct trail_engine engines[];
};

/* Is id one of the last size of n? */
static inline bool
trail_holds(uint64_t n, size_t size, uint64_t id)
{
	return id != 0 && id <= n && n - id < size;
}

/* The oldest that is held; n + 1 when there is none. */
static inline uint64_t
trail_oldest(uint64_t n, size_t size)
{
	return n > size ? n - size + 1 : 1;
}

#endif
