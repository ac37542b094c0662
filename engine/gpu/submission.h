/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A submission: all that a device needs to know to make a request, from
 * whatever origin.
 */
#ifndef ENGINE_GPU_SUBMISSION_H
#define ENGINE_GPU_SUBMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"

/* A fence that a submission waits for, beside the request before it on its ring
 * and those that its objects name. */
struct submission_wait {
	enum {
		AFTER_END,    /* of the request: an in-fence */
		AFTER_START,  /* of the request: a submit fence */
		AFTER_SIGNAL, /* of a software fence */
	} kind;
	uint32_t started_on; /* AFTER_START, for bonds: 1 + index of the engine
				where the request first started; 0: it has not,
				or that is not known. No byte is undefined:
				snapshots are compared */
	struct request_ref request; /* may have ended */
	struct fence *fence;        /* AFTER_SIGNAL; may have signalled */
};

/* An object that a batch reads or writes, by its index in the private or the
 * shared objects of where it comes from. Each is named once: an object that a
 * batch reads and writes is written. */
struct object_use {
	uint32_t object;
	bool shared;
	bool write;
};

struct submission {
	struct ring *ring;
	/* Where it may run, of the engines of the ring; parallel: those. */
	engine_mask allowed;
	nsec preempt_ns; /* distance of its preemption points; 0: none */
	/* Duration of its batch, or of each row of a parallel slot; NSEC_NEVER:
	 * until it is ended. */
	const nsec *durations_ns;
	bool asks; /* its owner says how it goes on (backend.h) */
	const struct submission_wait *waits;
	const struct object_use *uses;
	uint32_t n_waits, n_uses;
	struct object *objects[2]; /* that uses name: private, shared ones */
	bool
	    free_output; /* uses[0], the output, is written without waits: Xe orders
			     by fences alone (doc/model/guc.md "Dependencies of Xe") */
	struct request_origin origin;
};

#endif
