/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What requests execute, as long as it is remembered: of those in flight, and
 * of the last ones that have ended, in memory that is bounded from the start
 * (LAYER_TRAIL_BYTES, of which pages are touched as they fill). Very much that
 * one batch executes is cut.
 */
#ifndef TRACE_LAYER_TRAIL_H
#define TRACE_LAYER_TRAIL_H

#include "base/text.h"
#include "layerstream/workload.h"
#include "trace/layer.h"

#define LAYER_TRAIL_BYTES    ((size_t)4 << 20)
#define LAYER_TRAIL_REQUESTS 32768 /* a power of two */
#define LAYER_TRAIL_PIECES   256   /* workloads of one request */

/* A workload of a request. */
struct layer_piece {
	uint64_t tag, submit;      /* as struct layer_interval has them */
	struct workload_info info; /* without attachments */
	const char *labels;        /* JSON array; gone when time goes on */
	enum layer_part part;      /* LAYER_BINNING: a render pass, with both */
	/* Its share of its batch's time: [from, to) of `of`, at least 1. */
	uint64_t from, to, of;
};

struct layer_trail {
	struct layer_listener listener;
	struct layer *layer; /* NULL: nobody is listened to */
	uint8_t *ring;
	uint64_t end; /* bytes written to it so far */
	struct layer_trail_place *places;
	struct text scratch; /* a record that is made */
	uint64_t live;       /* the request in flight that it is of; 0: none */
};

/* Zeroed at first. Remembers what l, of a launch, hears of from now on. */
void layer_trail_begin(struct layer_trail *t, struct layer *l);
/* Forgets all of it. */
void layer_trail_end(struct layer_trail *t);

/* Workloads of a request, by its seq; 0: none, or it is not known (any more).
 * *more, which may be NULL: how many are left out at the end. */
size_t layer_trail_pieces(
    struct layer_trail *t, uint64_t request, uint32_t *more);
/* The i-th of them; valid until time goes on or another request is asked
 * for. */
struct layer_piece layer_trail_piece(
    struct layer_trail *t, uint64_t request, size_t i);
/* Which it is in after that much of its time on an engine; of a pass, *part is
 * in which half. What has no end of its own is always in the first. */
size_t layer_trail_at(
    struct layer_trail *t, uint64_t request, nsec ran, enum layer_part *part);

#endif
