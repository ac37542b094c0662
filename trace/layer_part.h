/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the layer: command buffers, and what is in flight. */
#ifndef TRACE_LAYER_PART_H
#define TRACE_LAYER_PART_H

#include "base/hash.h"
#include "layerstream/play.h"
#include "layerstream/record.h"
#include "trace/layer.h"
#include "trace/pass_sums.h"

/* A part of a batch, in the order in which they run. */
struct batch_part {
	const struct layer_workload *workload; /* NULL: LAYER_NOTHING */
	uint64_t tag, submit;
	uint64_t before; /* weights of the parts before it */
	uint32_t labels; /* where they stand in the texts */
	uint8_t part;    /* enum layer_part */
};

/* A request in flight. */
struct flight {
	struct chain_node node; /* by seq; next is free's, too */
	struct request *rq;
	struct recording *recording; /* held */
	struct recording *pass; /* held: of a pass that goes on here; NULL */
	struct submission *submission;
	const struct pass_sums *sums;
	nsec
	    total; /* work that its parts share; NSEC_NEVER: each piece alone */
	nsec done; /* of that, told of (engine/gpu/pace.h); */
	nsec ran;  /* and the time that it ran for it */
	uint64_t weight;
	struct batch_part *parts;
	size_t n_parts, cap_parts;
	struct text texts;
};

/* A batch of a program, as one client (and row of its parallel slot) has it. */
struct batch_buffer {
	struct chain_node node; /* by program */
	struct command_buffer cb;
	/* Of one that is submitted once, and so recorded each time. */
	struct annotation *again;
	size_t n_again;
};

/* The command buffers of a session. */
struct buffers {
	struct chains batches;
	size_t sweep_at; /* when there are that many */
	struct tags tags;
	struct report *report;
	const struct program **programs; /* held */
	size_t n_programs, cap_programs;
};

void buffers_free(struct buffers *b);
/* What rq submits; recorded now if it is the first time, or was to be submitted
 * once. */
struct recording *buffers_recording(
    struct buffers *b, const struct sim *sim, const struct request *rq);

/* What e executes is one more part, or two, of f. */
void flight_add(struct flight *f, const struct execution *e);
/* Tells of what it ran since the last time, up to now. */
void flight_tell(struct flight *f, const struct hw_engine *engine, nsec now,
    struct layer_listener *listeners);
/* The part that it is in after that much of its time. */
const struct batch_part *flight_at(const struct flight *f, nsec ran);
/* Of the request with that seq, while it is in flight; NULL. */
const struct flight *layer_flight(const struct layer *l, uint64_t seq);
/* Of a pass: all that its parts have so far, also those of other batches. */
int64_t flight_draws(const struct flight *f, const struct batch_part *part);
void flight_describe(const struct flight *f, const struct batch_part *part,
    struct layer_interval *i);

#endif
