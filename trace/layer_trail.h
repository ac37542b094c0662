/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workloads that requests execute: of requests in flight, and of the last
 * ones that have ended. Memory is bounded and allocated at the start; pages are
 * touched as they fill. A batch with very many workloads is cut.
 */
#ifndef TRACE_LAYER_TRAIL_H
#define TRACE_LAYER_TRAIL_H

#include "base/text.h"
#include "layerstream/workload.h"
#include "trace/layer.h"

#define LAYER_TRAIL_BYTES     ((size_t)4 << 20)
#define LAYER_TRAIL_REQUESTS  32768 /* a power of two */
#define LAYER_TRAIL_WORKLOADS 256   /* of one request */

/* A workload of a request. */
struct trail_workload {
	uint64_t tag, submit;      /* as in struct workload_slice */
	struct workload_info info; /* without attachments */
	const char *labels;        /* JSON array */
	enum workload_stage stage; /* STAGE_BINNING: a pass, both stages */
	/* Its share of the batch's time: [from, to) of `of`, at least 1. */
	uint64_t from, to, of;
};

/* Zeroed at first. */
struct layer_trail {
	struct layer_listener listener;
	struct layer *layer; /* NULL: none is listened to */
	uint8_t *ring;
	uint64_t end; /* bytes written to it so far */
	struct layer_trail_place *places;
	struct text scratch; /* the record that is made */
	uint64_t live;       /* request in flight that it is of; 0: none */
};

/* Listens to l from now on. */
void layer_trail_begin(struct layer_trail *t, struct layer *l);
/* Stops listening and forgets all. */
void layer_trail_end(struct layer_trail *t);

/* The number of workloads of a request, by its seq; 0: none, or unknown by now.
 * *more, unless NULL, is how many were left out at the end. */
size_t layer_trail_count(
    struct layer_trail *t, uint64_t request, uint32_t *more);
/* Workload i of a request; its labels are valid until time goes on or another
 * request is asked for. */
struct trail_workload layer_trail_workload(
    struct layer_trail *t, uint64_t request, size_t i);
/* The index of the workload that a request is in after that much run time, and
 * its stage. A batch without an end is always in its first. */
size_t layer_trail_at(struct layer_trail *t, uint64_t request, nsec ran,
    enum workload_stage *stage);

#endif
