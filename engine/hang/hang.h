/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_HANG_HANG_H
#define ENGINE_HANG_HANG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/gpu/engine.h"

struct context;
struct hw_engine;
struct request;
struct sim;

/*
 * The record of a hang: an engine did not get on, was reset, and somebody was
 * to blame or not (doc/model/hangs.md "Preempt timeout", "Resets", "Bans").
 * Observers get it while all is still as it was when the engine was found to
 * hang.
 */

/* What found it. */
enum hang_cause {
	HANG_BATCH,      /* fifo: the batch ran for hang_ms */
	HANG_PREEMPTION, /* preempt timeout */
	HANG_HEARTBEAT,
	HANG_REQUEST, /* request timeout: the watchdog */
	HANG_JOB,     /* job timeout of the DRM scheduler */
	HANG_REVOKED, /* its context was banned or killed */
	N_HANG_CAUSES,
};

enum reset_scope { RESET_ENGINE, RESET_FULL, N_RESET_SCOPES };

struct hang {
	uint64_t number; /* from 1, in the order of time */
	nsec time;
	enum hang_cause cause;
	enum reset_scope scope;
	struct hw_engine *engine;
	engine_mask engines; /* of a parallel step all, else this one */
	struct request *rq;  /* that the engine had */
	bool guilty;         /* its batch ran: it ends, with error; else it
			       is replayed */
	int32_t error;
	nsec run_ns;         /* for how long it ran until now */
	bool context_banned; /* by this hang */
	bool client_banned;
};

/* In words: "preemption time out". */
const char *hang_cause_name(enum hang_cause cause);
/* "engine", "full". */
const char *reset_scope_name(enum reset_scope scope);
/* The i-th engine of the hang; NULL after the last. */
const struct hw_engine *hang_engine(const struct hang *hang, unsigned i);

/*
 * Who hangs too often is banned (doc/model/hangs.md "Bans"). Pure
 * accounting: what becomes of a banned context's requests is reset.c's.
 *
 * A banned context's execbufs fail with -EIO; its client goes on with its next
 * step. A banned client can make no contexts: those that it has go on, but it
 * cannot be given another program, whose contexts would be new.
 */

/* Of a context; zeroed at first. */
struct ban_context {
	uint32_t guilty;      /* resets that it was to blame for */
	uint32_t active : 31; /* resets while it ran, but was innocent */
	uint32_t banned : 1;
	nsec *hang_ns; /* the last hangs but one, and the last; NULL: none */
};

/* Of a client; likewise. */
struct ban_client {
	uint32_t hangs;
	uint32_t score; /* 3 for each ban of a context, 1 for each hang soon
			   after another */
	nsec hang_ns;   /* the last one */
	bool banned;
};

/* Frees what it holds, not itself. */
void ban_free(struct ban_context *b);
/* A context is guilty of a hang now. Says who is banned by that. */
void ban_blame(struct sim *sim, struct context *context, bool *context_banned,
    bool *client_banned);

/*
 * Resets: what ends a hang (doc/model/hangs.md "Resets"). Capture,
 * and the list on which i915 holds the guilty request and its dependants
 * meanwhile, take no time in the model: observers see the hang as it is found.
 *
 * An engine that is being reset takes no request (hw_engine_is_free) until
 * the profile's time is over.
 */

/* Before anything runs. */
void reset_init(struct sim *sim);

/*
 * Engine e, which has a request, hangs: counts the hang, blames the context of
 * the request if its batch runs, tells the observers, and resets the engine.
 * The guilty request ends with error (-errno), or with the one that it had
 * already; one whose batch does not run (it polls, or the engine still
 * switches to it) is put back to be replayed, without blame. If that bans the
 * context, its other requests fail with -EIO, and those that run are revoked.
 */
void reset_engine(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error);
/*
 * The same, by a reset of the whole GPU: what runs on other engines loses what
 * it has run, and is replayed from its beginning, innocent (ban_context's
 * active).
 */
void reset_full(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error);
/* One of them, as the profile has it ([resets] engine_reset). */
void reset_hung(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error);
/* The same, but who is guilty is said by the scheduler, which can replay: the
 * request ends, begun or not, or begins anew, with no blame. */
void reset_judged(struct sim *sim, struct hw_engine *e, enum hang_cause cause,
    int error, bool guilty);

/*
 * Taking the engine away from what may not go on: a request that was
 * cancelled, a context that was banned or whose client was killed.
 */

/* Grace of what is banned or cancelled (doc/model/hangs.md "Preempt timeout"):
 * 1 ms. */
#define REVOKE_GRACE NSEC_PER_MSEC

/* No grace at all: unless it can be stopped at a preemption point, its engine
 * is reset now. */
#define REVOKE_AT_ONCE NSEC_NEVER

/*
 * Gives rq, which has not ended, an error (-errno) unless it has one. If its
 * batch runs, it ends at its next preemption point, or at its own end; if
 * neither comes within grace (0: for ever) its engine is reset then, with that
 * cause, and its context is guilty. Else it runs 0 ns when it gets an engine.
 */
void revoke_request(struct sim *sim, struct request *rq, int error, nsec grace,
    enum hang_cause cause);
/* The same with all requests of a context that have not ended. */
void revoke_context(
    struct sim *sim, struct context *context, int error, nsec grace);
/* Cancels rq with -EINTR, unless it has an error: it was not over in the time
 * that requests have (doc/model/hangs.md "Watchdog"). */
void revoke_timed_out(struct sim *sim, struct request *rq);

#endif
