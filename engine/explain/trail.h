/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trail: an observer that remembers the last requests, their spans on
 * engines, the waits of clients, missed periods and hangs. Its memory grows with
 * the run to at most some 60 MB for TRAIL_DEFAULT_SIZE and seven engines. A record
 * that was overwritten is gone: lookups return NULL for it. A record is valid
 * until the simulation goes on. An event costs a few stores, and an allocation each
 * TRAIL_BLOCK records until the ring is full.
 *
 * trail.c writes a trail, trail_look.c reads it.
 *
 * All ids count from 1 in the order of time; 0 is none. The id of a request is
 * its seq, so that the record of a live request is found by that.
 */
#ifndef ENGINE_EXPLAIN_TRAIL_H
#define ENGINE_EXPLAIN_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/batch_name.h"
#include "engine/client/client.h"
#include "engine/gpu/engine.h"
#include "engine/hang/hang.h"
#include "engine/observer.h"
#include "engine/sim.h"

#define TRAIL_DEFAULT_SIZE 32768 /* requests, waits, spans of each engine */
#define TRAIL_MISSES       4096
#define TRAIL_HANGS        512
#define TRAIL_NO_ENGINE    255

/* The last dependency of a request before it was ready. */
enum trail_cause {
	TRAIL_NOTHING,
	TRAIL_DATA,      /* an object that another request writes or reads */
	TRAIL_FENCE,     /* f-n: the end of another request */
	TRAIL_SUBMIT,    /* s-n: the start of another request */
	TRAIL_SOFTWARE,  /* f-n: a software fence of its client */
	TRAIL_ORDER,     /* the request before it on its ring */
	TRAIL_SEMAPHORE, /* the start of another request, for whose end it then
			    polls */
};

struct trail_request {
	uint64_t id; /* 0: no record */
	uint64_t iteration;
	uint32_t client, context;      /* number as in the text */
	struct step_place place;       /* in the text at its submission */
	uint32_t line;                 /* of the step: index in document */
	uint32_t document;             /* of its program */
	uint32_t preemptions;          /* times it was taken off an engine */
	const struct program *program; /* for comparison; may be freed */
	struct request *live; /* use request_get: it may be another by now */

	nsec submit_ns;
	nsec ready_ns, start_ns, end_ns; /* NSEC_NEVER: not yet */
	nsec cleared_ns;  /* end of the request that it polls for; NSEC_NEVER:
			     not yet, or it polls for none */
	nsec duration_ns; /* as drawn; NSEC_NEVER: infinite */
	nsec run_ns;     /* run time of its batch when it last left an engine */
	nsec preempt_ns; /* distance of its preemption points; 0: none */

	uint64_t ready_by;   /* request; 0: none, or a software fence */
	uint64_t cleared_by; /* request; 0: none */
	uint64_t last_span;  /* on engine; 0: none yet. Earlier: span->before */
	int16_t submit_priority; /* at its submission */
	int16_t priority;        /* at its start, where it may be raised */
	int16_t error;           /* -errno; 0: none */
	uint8_t engine;          /* that it is on, was on last, or is fixed to;
			   TRAIL_NO_ENGINE: not known yet */
	uint8_t cause;           /* enum trail_cause */
	uint8_t row; /* of a parallel step: its first row is id - row */
	bool is_virtual;
	char *label; /* of a request from outside that has ended: what it
			contained; NULL: not known */
};

/* A stay of a request on an engine, which it has from taken_ns to end_ns: first
 * the costs of switching to it, then its batch runs from begin_ns on. */
struct trail_span {
	uint64_t request;
	nsec taken_ns;
	nsec completion_ns, wake_ns, context_ns, sseu_ns; /* costs */
	nsec begin_ns; /* NSEC_NEVER: it has not begun, or never did */
	nsec end_ns;   /* NSEC_NEVER: it is there now */
	/* On this engine, by all earlier spans; blocked: 0. */
	struct engine_times before_it;
	uint64_t by;     /* request for which it left; 0: none */
	uint64_t before; /* the request's span before this one, an id on
			     before_engine; 0: this is its first */
	uint8_t before_engine;
	uint8_t leaving; /* enum leaving */
	bool errors;     /* ended with an error */
};

/* Returns when the engine has switched to the request. From then on it polls
 * until its batch begins. */
static inline nsec
trail_switched(const struct trail_span *s)
{
	return s->taken_ns + s->completion_ns + s->wake_ns + s->context_ns +
	    s->sseu_ns;
}

/* A time in which an engine was free while requests for it alone were blocked:
 * from from_ns to to_ns. */
struct trail_gap {
	nsec from_ns, to_ns; /* to_ns NSEC_NEVER: it is so now */
	nsec before;         /* sum of all earlier gaps of the engine */
};

/* A time in which the batch on an engine polled memory, which a span has as part
 * of its run time: from from_ns to to_ns. */
struct trail_poll {
	nsec from_ns, to_ns;     /* to_ns NSEC_NEVER: it does so now */
	nsec before;             /* sum of all earlier polls of the engine */
	struct memory_poll poll; /* as it was last */
};

/* A time in which a client did not go on. The waits of a client follow each
 * other without a gap: its own steps take no time. */
struct trail_wait {
	uint32_t client;
	struct step_place place;
	uint64_t iteration;
	nsec from_ns, to_ns; /* to_ns NSEC_NEVER: it still waits */
	uint64_t by;         /* request whose end ended it; 0: a timer */
	uint64_t before;     /* the client's wait before this one; 0: none */
	uint8_t block;       /* enum client_block */
};

struct trail_miss {
	uint32_t client;
	struct step_place place; /* of the p */
	uint64_t iteration;
	nsec started_ns, due_ns, came_ns;
	uint64_t wait; /* the client's last wait; 0: none */
};

/* TRAIL_RESET: a reset after a hang. TRAIL_TIMEOUT: the watchdog revokes a
 * request; an engine need not be reset for that. */
enum trail_instant { TRAIL_RESET, TRAIL_TIMEOUT };

struct trail_hang {
	enum trail_instant what;
	enum hang_cause cause;  /* TRAIL_RESET only */
	enum reset_scope scope; /* likewise */
	nsec time;
	uint64_t request;
	uint32_t client, context;
	uint8_t engine;      /* or TRAIL_NO_ENGINE */
	bool guilty, banned; /* TRAIL_RESET only */
};

struct trail;

/* Starts a trail of sim, which remembers size requests: a power of two. The
 * requests in flight now are not known to it. The caller ends it with
 * trail_end. */
struct trail *trail_begin(struct sim *sim, size_t size);
/* Ends a trail and frees it, before sim_free; t may be NULL. */
void trail_end(struct trail *t);

/* Return the record with that id; NULL: it is gone, or never was. */
const struct trail_request *trail_request(const struct trail *t, uint64_t id);
const struct trail_span *trail_span(
    const struct trail *t, unsigned engine, uint64_t id);
const struct trail_wait *trail_wait(const struct trail *t, uint64_t id);
const struct trail_miss *trail_miss(const struct trail *t, uint64_t id);
const struct trail_hang *trail_hang(const struct trail *t, uint64_t id);
/* Returns the client's current wait, or its last; 0: none is known. */
uint64_t trail_last_wait(const struct trail *t, uint32_t client);

/* The ids in [first, end), whose records all exist, except where said. */
struct trail_range {
	uint64_t first, end;
};

/* Returns the last requests submitted before t1, at most max, in the order of
 * submission. The records of some may be gone. */
struct trail_range trail_requests(const struct trail *t, nsec t1, size_t max);
/* Returns the spans of the engine that overlap [t0, t1), in the order of time.
 * An open span counts as endless. */
struct trail_range trail_spans(
    const struct trail *t, unsigned engine, nsec t0, nsec t1);
/* Returns the span of the engine at that time; 0: it was free, or the span is
 * gone. */
uint64_t trail_span_at(const struct trail *t, unsigned engine, nsec time);
/* Returns how the engine has spent the time up to that time, which is not in the
 * future. The difference of two times is exact, even if spans and gaps between
 * them are gone. */
struct engine_times trail_used(
    const struct trail *t, unsigned engine, nsec time);
/* Returns the ids of the gaps of the engine that overlap [t0, t1), in the order
 * of time. */
struct trail_range trail_gaps(
    const struct trail *t, unsigned engine, nsec t0, nsec t1);
/* Returns the gap with that id; NULL: it is gone, or never was. */
const struct trail_gap *trail_gap(
    const struct trail *t, unsigned engine, uint64_t id);
/* Return the same for the times in which its batches polled memory. */
struct trail_range trail_polls(
    const struct trail *t, unsigned engine, nsec t0, nsec t1);
const struct trail_poll *trail_poll(
    const struct trail *t, unsigned engine, uint64_t id);
/* Returns how the engine spent the time of one of its spans up to until. */
struct engine_times trail_span_used(const struct trail *t, unsigned engine,
    const struct trail_span *s, nsec until);
/* Returns the first span that begins after that time; 0: none. */
uint64_t trail_next_span(const struct trail *t, unsigned engine, nsec time);
/* Returns the last span that begins before that time; 0: none. */
uint64_t trail_previous_span(const struct trail *t, unsigned engine, nsec time);
/* Returns the time from which on the trail is complete: 0 until records are
 * overwritten. */
nsec trail_since(const struct trail *t);

/* Return the first miss after, and the last before that time, by the time at
 * which the client came too late; 0: none. client: one, or TRAIL_ANY_CLIENT. */
#define TRAIL_ANY_CLIENT UINT32_MAX
uint64_t trail_next_miss(const struct trail *t, nsec time, uint32_t client);
uint64_t trail_previous_miss(const struct trail *t, nsec time, uint32_t client);
/* Return the misses, and the hangs, in [t0, t1). */
struct trail_range trail_misses(const struct trail *t, nsec t0, nsec t1);
struct trail_range trail_hangs(const struct trail *t, nsec t0, nsec t1);

/* Returns "preempted", "timeslice expired", ... */
const char *trail_leaving_name(enum leaving leaving);
/* Returns "data", "fence", ... */
const char *trail_cause_name(enum trail_cause cause);

/* Private to trail.c and trail_look.c. */

#define TRAIL_BLOCK 256 /* records */

/* A ring of records: the one with an id is at id % size. It is in blocks, made when
 * a record of theirs is first written: a snapshot has no pages without records. */
struct trail_ring {
	char **blocks; /* NULL: not made yet */
	size_t size;   /* records, a power of two */
	size_t record; /* bytes */
};

/* A ring of spans, one of gaps and one of polls; n is the last id. */
struct trail_engine {
	struct trail_ring spans, gaps, polls;
	uint64_t n, n_gaps, n_polls;
};

struct trail_client {
	uint64_t wait;  /* the current one, or the last; 0: none */
	uint64_t woken; /* request that ended it; 0: none */
};

struct trail {
	struct observer observer;
	struct sim *sim;
	size_t size; /* of requests, waits and each engine's spans */
	struct trail_ring requests, waits, misses, hangs;
	uint64_t last_request, n_waits, n_misses, n_hangs;
	struct trail_client *clients; /* by id; grows with the clients */
	size_t n_clients, cap_clients;
	unsigned n_engines;
	struct trail_engine engines[];
};

/* Returns the place of a record; NULL: its block is not made yet. */
static inline void *
trail_place(const struct trail_ring *ring, uint64_t id)
{
	size_t i = id & (ring->size - 1);
	char *block = ring->blocks[i / TRAIL_BLOCK];

	return block != NULL ? block + i % TRAIL_BLOCK * ring->record : NULL;
}

/* Adds the times of s up to until. Polled memory counts as running here. */
void trail_add_span(
    struct engine_times *times, const struct trail_span *s, nsec until);

/* Returns true if id is one of the last size ids, of n. */
static inline bool
trail_holds(uint64_t n, size_t size, uint64_t id)
{
	return id != 0 && id <= n && n - id < size;
}

/* Returns the oldest id that is held, of n; n + 1: none. */
static inline uint64_t
trail_oldest(uint64_t n, size_t size)
{
	return n > size ? n - size + 1 : 1;
}

#endif
