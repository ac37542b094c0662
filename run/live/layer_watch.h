/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer of what is watched, and what is made of it: what requests execute,
 * the last messages, and files. It begins when a program has annotations, or
 * somebody wants to see or write it, so that others pay nothing; numbers and
 * time go on over launches.
 */
#ifndef RUN_LIVE_LAYER_WATCH_H
#define RUN_LIVE_LAYER_WATCH_H

#include "base/text.h"
#include "engine/explain/trail.h"
#include "layerstream/record.h"
#include "run/plan.h"
#include "trace/layer.h"
#include "trace/layer_messages.h"
#include "trace/outputs.h"

struct layer_trail;

/* Zeroed at first. */
struct layer_watch {
	struct layer *layer;       /* NULL: none */
	struct layer_trail *trail; /* NULL: none */
	struct message_log messages;
	struct outputs outputs;
	struct layer_numbers numbers; /* of the launches before */
	struct debug_report report;
	struct text problem; /* the last thing that annotations did wrong */
	uint64_t n_problems;
	bool wanted;         /* whatever programs there are */
	uint64_t generation; /* of the versions that were looked at */
};

/* At a launch, after layer_watch_leave() and before anything runs. */
void layer_watch_begin(struct layer_watch *w, const struct run *run);
/* Somebody wants it from now on. */
void layer_watch_want(struct layer_watch *w, const struct run *run);
/* A tick: there may be other programs now; what there is goes to those who
 * read it. */
void layer_watch_tick(struct layer_watch *w, const struct run *run);
/* Before run_free(). */
void layer_watch_leave(struct layer_watch *w);
/* After that, and when all outputs are closed. */
void layer_watch_end(struct layer_watch *w);

/* All texts here can be shown as they are.
 *
 * Appends what the request, which runs, does now by its annotations: labels and
 * workload. False: that is not known. */
bool layer_watch_now(
    const struct layer_watch *w, const struct request *rq, struct text *out);
/* The same of a request without annotations too: its default. */
bool layer_watch_workload(
    const struct layer_watch *w, const struct request *rq, struct text *out);
/* Appends in a few words what a request executes: its first workload, and how
 * many more; only where annotations say something of it. */
void layer_watch_brief(
    const struct layer_watch *w, uint64_t request, struct text *out);
/* How many workloads a request has, as far as is known. */
size_t layer_watch_pieces(const struct layer_watch *w, uint64_t request);
/* Appends the i-th of them, with its tag, and its share of the batch's time;
 * false: that one is not known. */
bool layer_watch_piece(const struct layer_watch *w, uint64_t request, size_t i,
    struct text *out, double *share);
/* Appends what the span's request did at that time, with its tag; false: that
 * is not known. */
bool layer_watch_at(const struct layer_watch *w, const struct trail *trail,
    const struct trail_span *span, nsec at, struct text *out);

#endif
