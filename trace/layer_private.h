/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the layer: batches in flight, and command buffers. */
#ifndef TRACE_LAYER_PRIVATE_H
#define TRACE_LAYER_PRIVATE_H

#include "base/hash.h"
#include "base/text.h"
#include "layerstream/play.h"
#include "layerstream/record.h"
#include "trace/layer.h"

/*
 * The draws of render passes in parts, as far as they are known, for the last
 * PASS_SUMS passes.
 */

#define PASS_SUMS 32768

struct pass_sum {
	uint64_t tag, submit; /* tag 0: unused */
	int64_t draws;
};

/* Zeroed at first. */
struct pass_sums {
	struct pass_sum *list; /* NULL: there was no such pass */
};

void pass_sums_free(struct pass_sums *s);
void pass_sums_set(
    struct pass_sums *s, uint64_t tag, uint64_t submit, int64_t draws);
/* otherwise: if the pass is not known here. */
int64_t pass_sums_get(const struct pass_sums *s, uint64_t tag, uint64_t submit,
    int64_t otherwise);

/* A stage of a batch in flight, in the order in which they run. */
struct batch_stage {
	const struct layer_workload *workload;
	uint64_t tag, submit, execution;
	uint64_t before; /* weights of the stages before it */
	uint32_t labels; /* offset in texts */
	uint8_t stage;   /* enum workload_stage */
};

/* A batch in flight. */
struct layer_batch {
	struct chain_node node; /* by seq; on the free list only next is used */
	struct request *rq;
	struct command_recording *recording; /* referenced */
	/* Referenced: has the pass that is resumed here; NULL: none. */
	struct command_recording *pass;
	struct played_submission *submission;
	uint64_t queue; /* handle */
	const struct pass_sums *sums;
	/* Work that its stages share; NSEC_NEVER: it has no end. */
	nsec total;
	nsec done;       /* work (engine/gpu/pace.h) in slices so far, */
	nsec ran;        /* and the time that it took */
	uint64_t weight; /* of all stages */
	struct batch_stage *stages;
	size_t n_stages, cap_stages;
	struct text texts; /* labels of the stages, zero terminated each */
};

/* Adds the stages of an execution. */
void layer_batch_add(struct layer_batch *b, const struct execution *e);
/* Ends the slices of what ran on engine since the last call, up to now. */
void layer_batch_settle(struct layer_batch *b, const struct hw_engine *engine,
    nsec now, struct layer_listener *listeners);
/* The stage after that much work; NULL: it has none. */
const struct batch_stage *layer_batch_at(
    const struct layer_batch *b, nsec done);
/* Draws of a stage's workload: of a pass those of all its parts so far, also in
 * other batches. */
int64_t layer_batch_draws(
    const struct layer_batch *b, const struct batch_stage *stage);
/* Sets what a slice says of the stage; NULL: STAGE_NONE. */
void layer_batch_describe(const struct layer_batch *b,
    const struct batch_stage *stage, struct workload_slice *s);
/* The batch of the request with that seq while it is in flight, else NULL. */
const struct layer_batch *layer_batch_find(const struct layer *l, uint64_t seq);

/* A ring's queue. */
struct layer_queue {
	struct chain_node node; /* by ring */
	struct layer_queue *next;
	struct play_queue queue;
};

/* Zeroed at first. */
struct layer_queues {
	struct chains by_ring;
	struct layer_queue *first, **end; /* in the order of additions */
	size_t sweep_at;                  /* see layer_queues_add() */
};

/* Returns the ring's queue; NULL: it has none. */
struct play_queue *layer_queues_find(
    const struct layer_queues *queues, const struct ring *ring);
/* Adds a queue for a ring without one; the caller initialises it. Frees those of
 * clients that have ended when the queues have doubled since that was done. */
struct play_queue *layer_queues_add(
    struct layer_queues *queues, const struct ring *ring);
void layer_queues_free(struct layer_queues *queues);

/* A batch in flight, with its place among those of its device. */
struct flying {
	const struct layer_batch *batch;
	const struct queue_pass *open; /* of its queue; NULL: no such queue */
	uint64_t device;
	uint64_t frame, current; /* from 0: the batch's, and the device's now */
	nsec at;                 /* time of its submission in the session */
};

/* Zeroed at first. */
struct in_flight {
	struct flying *list;
	size_t n, cap;
};

void in_flight_add(struct in_flight *f, const struct flying *one);
/* Calls all functions of the listener that Arm's frames have (arm_frames.h).
 * Empties f. */
void in_flight_report(struct in_flight *f, struct layer_listener *listener);

/* A batch of a program as one client, and one row of its parallel slot, has
 * it. */
struct batch_buffer {
	struct chain_node node; /* by program; see buffer_key() */
	struct command_buffer cb;
	/* The annotations of a buffer that is recorded at each submit
	 * (ONE_TIME_SUBMIT); else NULL. */
	struct annotation *again;
	size_t n_again;
};

/* The command buffers of a session. */
struct buffers {
	struct chains batches;
	size_t sweep_at; /* see chains_sweep_some() */
	struct tag_counter tags;
	struct debug_report *report;
	const struct program **programs; /* referenced */
	size_t n_programs, cap_programs;
};

void buffers_free(struct buffers *b);
/* The recording that rq submits. It is recorded now if this is the first time,
 * or if it is ONE_TIME_SUBMIT. */
struct command_recording *buffers_recording(
    struct buffers *b, const struct sim *sim, const struct request *rq);

#endif
