/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watches the GPU timeline layer of a session's runs: what requests execute,
 * the last messages, and outputs. The layer begins when a program has
 * annotations, or when a view or an output wants it, so that other runs do not
 * pay for it. Its numbers and time continue over launches.
 */
#ifndef RUN_LIVE_LAYER_WATCH_H
#define RUN_LIVE_LAYER_WATCH_H

#include "base/text.h"
#include "engine/explain/trail.h"
#include "layerstream/record.h"
#include "run/plan.h"
#include "trace/layer.h"
#include "trace/messages.h"
#include "trace/outputs.h"

struct layer_trail;

/* Zeroed at first; freed with layer_watch_end(). */
struct layer_watch {
	struct layer *layer;       /* NULL: none */
	struct layer_trail *trail; /* NULL: none */
	struct message_log messages;
	struct outputs outputs;
	struct layer_numbers numbers; /* at the end of the launch before */
	struct debug_report report;
	struct text problem; /* the last problem of an annotation */
	uint64_t n_problems;
	bool wanted;         /* even without annotations */
	bool held;           /* outputs are left alone */
	uint64_t generation; /* of the versions that were examined */
};

/* Call at a launch, after layer_watch_leave() and before the run starts. */
void layer_watch_begin(struct layer_watch *w, const struct run *run);
/* Begins the layer if there is none, in this and all later launches. */
void layer_watch_want(struct layer_watch *w, const struct run *run);
/* Call once per frame: examines new programs, and flushes outputs. */
void layer_watch_tick(struct layer_watch *w, const struct run *run);
/* Returns the last numbers that were given, to go on with. */
struct layer_numbers layer_watch_numbers(const struct layer_watch *w);
/* Call before run_free(). */
void layer_watch_leave(struct layer_watch *w);
/* Call after that, when all outputs are closed. */
void layer_watch_end(struct layer_watch *w);

/* Appends what the running request executes now by its annotations, labels and
 * workload. False: unknown. All texts appended here are printable. */
bool layer_watch_now(
    const struct layer_watch *w, const struct request *rq, struct text *out);
/* As layer_watch_now(), with the default of a request without annotations. */
bool layer_watch_workload(
    const struct layer_watch *w, const struct request *rq, struct text *out);
/* Appends the first workload of a request, and the number of others; nothing
 * without annotations. */
void layer_watch_brief(
    const struct layer_watch *w, uint64_t request, struct text *out);
/* Number of workloads of a request; 0: unknown. */
size_t layer_watch_pieces(const struct layer_watch *w, uint64_t request);
/* Appends the i-th workload with its tag; *share is its part of the batch's
 * time, 0 to 1. False: unknown. */
bool layer_watch_piece(const struct layer_watch *w, uint64_t request, size_t i,
    struct text *out, double *share);
/* Appends the workload of the span's request at that time, with its tag. False:
 * unknown. */
bool layer_watch_at(const struct layer_watch *w, const struct trail *trail,
    const struct trail_span *span, nsec at, struct text *out);

#endif
