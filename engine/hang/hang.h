/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The record of a hang: an engine did not get on, was reset, and somebody was
 * to blame or not (doc/model/hangs.md "Preempt timeout", "Resets", "Bans").
 * Observers get it while all is still as it was when the engine was found to
 * hang.
 */
#ifndef ENGINE_HANG_HANG_H
#define ENGINE_HANG_HANG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/gpu/engine.h"

struct request;

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

#endif
