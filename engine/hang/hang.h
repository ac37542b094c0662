/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hangs and what they lead to (doc/model/hangs.md): the record of a hang, bans,
 * resets, and revoking requests that must not run on. timeouts.h finds hangs;
 * error_state.h describes one for the user.
 */
#ifndef ENGINE_HANG_HANG_H
#define ENGINE_HANG_HANG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/gpu/engine.h"

struct context;
struct request;
struct sim;

/* How a hang was detected. */
enum hang_cause {
	HANG_BATCH,      /* fifo: the batch ran for hang_ms */
	HANG_PREEMPTION, /* preempt timeout */
	HANG_HEARTBEAT,  /* a heartbeat pulse was not answered */
	HANG_REQUEST,    /* request timeout: the watchdog */
	HANG_JOB,        /* job timeout of the DRM scheduler */
	HANG_REVOKED,    /* its context was banned or its client killed */
	HANG_WEDGED,     /* a reset that a user asked for (debugfs) */
	HANG_CS_ERROR,   /* the command streamer found an invalid command */
	N_HANG_CAUSES,
};

enum reset_scope { RESET_ENGINE, RESET_FULL, N_RESET_SCOPES };

/*
 * A hang: which engine stopped making progress, how that was detected, how it
 * is reset, and whether its request is guilty. Observers get it before anything
 * changes: requests, contexts and engines are as the hang found them.
 */
struct hang {
	uint64_t number; /* from 1, in the order of time */
	nsec time;
	enum hang_cause cause;
	enum reset_scope scope;
	struct hw_engine *engine;
	engine_mask engines; /* of a parallel step all, else this one */
	struct request *rq;  /* the request on the engine */
	bool guilty;         /* true: rq ends with error; false: rq is innocent
				and is replayed */
	int32_t error;       /* -errno; 0 if innocent */
	nsec run_ns;         /* run time of its batch until now */
	bool context_banned; /* this hang banned its context */
	bool client_banned;  /* this hang banned its client */
};

/* Returns i915's words for a cause, e.g. "preemption time out". */
const char *hang_cause_name(enum hang_cause cause);
/* Returns "engine" or "full". */
const char *reset_scope_name(enum reset_scope scope);
/* Returns the i-th engine of the hang, by index; NULL after the last. */
const struct hw_engine *hang_engine(const struct hang *hang, unsigned i);

/*
 * Bans: a context after three hangs within ban_context_ns, a client when its
 * score reaches ban_score (doc/model/hangs.md "Bans").
 *
 * A banned context's execbufs fail with -EIO; its client goes on with its next
 * step. A banned client can make no contexts: those that it has go on, but it
 * cannot be given another program, whose contexts would be new.
 */

/* Hangs of a context. Zeroed at first. */
struct ban_context {
	uint32_t guilty;      /* resets for which it was guilty */
	uint32_t active : 31; /* resets that hit its batch, innocent */
	uint32_t banned : 1;
	nsec *hang_ns; /* times of the last two hangs; NULL: none yet */
};

/* Hangs of a client. Zeroed at first. */
struct ban_client {
	uint32_t hangs;
	uint32_t score; /* 3 for each ban of a context, 1 for each hang soon
			   after another */
	nsec hang_ns;   /* time of the last hang */
	bool banned;
};

/*
 * Resets (doc/model/hangs.md "Resets"). Each of the three functions below takes
 * an engine with a request, counts a hang, reports it to the observers, and
 * resets. A guilty request ends with error (-errno), or with the error that it
 * already had; an innocent one is put back, to be replayed. If the hang bans
 * the context, its other requests fail with -EIO and its running ones are
 * revoked.
 *
 * An engine in reset takes no request (hw_engine_is_free) until the profile's
 * time is over. The error capture itself takes no time in the model, nor does
 * the list on which i915 holds the guilty request and its dependants.
 */

/* Prepares the events of all engines, before anything runs. */
void reset_init(struct sim *sim);
/* Resets engine e, or the whole GPU if the profile has no engine resets
 * ([resets] engine_reset). The request is guilty if its batch runs: if it
 * polls, or the engine still switches to it, it is innocent. */
void reset_after_hang(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error);
/* As reset_after_hang, but the scheduler, which must be able to replay, says
 * whether the request is guilty, whether its batch runs or not. */
void reset_with_guilt(struct sim *sim, struct hw_engine *e,
    enum hang_cause cause, int error, bool guilty);
/* As reset_after_hang, but resets the whole GPU. Requests on other engines lose
 * the progress of their batches and are replayed from the beginning; their
 * contexts count as innocent (ban_context.active). */
void reset_gpu(
    struct sim *sim, struct hw_engine *e, enum hang_cause cause, int error);

/* Lets the request on e, if there is one, hang in the next instant, which is
 * now. */
void reset_by_user(struct sim *sim, struct hw_engine *e);

/* Time for a banned or cancelled request to leave its engine
 * (doc/model/hangs.md "Preempt timeout"): 1 ms. */
#define REVOKE_GRACE NSEC_PER_MSEC

/* No time at all: the engine is reset now, unless the batch has a preemption
 * point at which it can stop. */
#define REVOKE_AT_ONCE NSEC_NEVER

/*
 * Gives rq, which has not ended, an error (-errno), unless it has one. If its
 * batch runs, it ends at its next preemption point or at its own end. If
 * neither comes within grace (ns; 0: no limit), its engine is reset with that
 * cause, and its context is guilty. A request that does not run yet keeps its
 * place, and runs 0 ns when it gets an engine.
 */
void revoke_request(struct sim *sim, struct request *rq, int error, nsec grace,
    enum hang_cause cause);
/* Revokes all requests of a context. */
void revoke_context(
    struct sim *sim, struct context *context, int error, nsec grace);
/* Reports a request timeout (doc/model/hangs.md "Watchdog") and revokes rq with
 * -EINTR. Does nothing if rq has an error already. */
void revoke_timed_out(struct sim *sim, struct request *rq);

#endif
